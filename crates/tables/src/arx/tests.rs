//! Streams that are not as the protocol, and labels.

use super::java;
use super::label::readable;
use super::specification;

const AGE: &[u8] = include_bytes!("../../../../tests/arx/age.ahs");

#[test]
fn a_file_that_ends_early_or_has_other_bytes_is_refused_or_read_and_never_a_panic() {
    assert!(specification::read(AGE).is_ok());
    for length in 0..AGE.len() - 1 {
        specification::read(&AGE[..length]).unwrap_err();
    }
    for offset in 0..AGE.len() {
        for flip in [0x01, 0x08, 0x80, 0xff] {
            let mut bytes = AGE.to_vec();
            bytes[offset] ^= flip;
            let _ = specification::read(&bytes);
        }
    }
}

#[test]
fn a_stream_cannot_nest_or_claim_more_than_it_has() {
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
fn texts_are_read_in_modified_utf_8() {
    let text = |bytes: &[u8]| {
        let length = u8::try_from(bytes.len()).unwrap();
        let stream = java::read(&[&[0xac, 0xed, 0, 5, 0x74, 0, length], bytes].concat());
        stream.map(|stream| match &stream.objects[stream.root] {
            java::Object::Text(text) => text.to_string(),
            other => panic!("{other:?}"),
        })
    };
    assert_eq!(text("süß €".as_bytes()).unwrap(), "süß €");
    assert_eq!(text(&[0xc0, 0x80]).unwrap(), "\0");
    // U+1F600 as two surrogates of three bytes each.
    assert_eq!(text(&[0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]).unwrap(), "😀");
    for wrong in [&[0xc3][..], &[0xff, 0x80], &[0xed, 0xa0, 0xbd], &[0xe2, 0x82]] {
        assert_eq!(text(wrong).unwrap_err().problem, "a text is not in modified UTF-8");
    }
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
