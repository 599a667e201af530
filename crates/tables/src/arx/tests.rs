//! Streams that are not as the protocol, and labels.

use super::java;
use super::rows::readable;
use super::subset;

/// The part of `tests/arx/study.deid` with its research subset.
const CONFIGURATION: &[u8] = include_bytes!("../../../../fuzz/seeds/arx/config.dat");

// holds: ARX is data
#[test]
fn damaged_arx_file_never_causes_a_panic() {
    let members = subset::read(CONFIGURATION, 20).unwrap().unwrap();
    assert_eq!(members.iter().filter(|is_member| **is_member).count(), 7);
    for length in 0..CONFIGURATION.len() - 1 {
        subset::read(&CONFIGURATION[..length], 20).unwrap_err();
    }
    for offset in 0..CONFIGURATION.len() {
        for flip in [0x01, 0x08, 0x80, 0xff] {
            let mut bytes = CONFIGURATION.to_vec();
            bytes[offset] ^= flip;
            let _ = subset::read(&bytes, 20);
        }
    }
}

// holds: ARX is data
#[test]
fn stream_cannot_nest_or_claim_beyond_its_size() {
    let stream = |content: &[u8]| java::read(&[&[0xac, 0xed, 0, 5], content].concat()).unwrap_err().problem;
    // An array of objects that claims 2³⁰ elements.
    let class = [&[0x75, 0x72, 0, 2][..], b"[L", &[0; 8], &[2, 0, 0, 0x78, 0x70]].concat();
    let huge = [&class[..], &[0x40, 0, 0, 0]].concat();
    assert_eq!(stream(&huge), "an array of 1073741824 elements has 0 bytes");
    // Arrays in arrays, each with the class of the first.
    let inner = [0x75, 0x71, 0, 0x7e, 0, 0, 0, 0, 0, 1];
    let deep = [&class[..], &[0, 0, 0, 1], &inner.repeat(100_000)].concat();
    assert_eq!(stream(&deep), "classes are nested more than 150 deep");
    assert_eq!(stream(&[0x71, 0, 0x7e, 0, 5]), "no object has the handle 0x7e0005");
    assert_eq!(stream(&[0x7d]), "a reset, an exception or a proxy, which ARX does not write");
    assert_eq!(java::read(b"PK").unwrap_err().problem, "no Java object stream of version 5");
}

#[test]
fn labels_of_releases_are_renamed() {
    for (label, expected) in [
        ("[0, 10]", "0 to 10"),
        ("{a, b}", "a, b"),
        ("[0, 10[", "[0, 10["),
        ("* except {a}", "* except a"),
        ("[]", ""),
        ("plain", "plain"),
    ] {
        assert_eq!(readable(label), expected);
    }
}
