//! Keyed pseudonyms: the first 128 bits of HMAC-SHA-256 (RFC 2104, FIPS 198-1).

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::key::Key;

/// The pseudonym of a value: the HMAC of `palmtop pseudonym 1`, the domain and the value, separated
/// by zero bytes. A domain contains no zero byte, so two pairs of domain and value never give the
/// same text.
pub(super) fn letters(key: &Key, domain: &str, value: &str) -> String {
    let mac = hmac(key.bytes(), &[b"palmtop pseudonym 1\0", domain.as_bytes(), b"\0", value.as_bytes()]);
    let mut bits = [0; 16];
    bits.copy_from_slice(&mac[..16]);
    base32(bits)
}

/// HMAC-SHA-256 of the concatenated parts.
pub(super) fn hmac(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else {
        unreachable!("HMAC takes keys of any length")
    };
    for part in parts {
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

/// 128 bits as 26 letters a to z and digits 2 to 7 (the alphabet of RFC 4648 in lower case). Each
/// value has one spelling, and no spreadsheet reads it as a number or a date.
pub(super) fn base32(bits: [u8; 16]) -> String {
    const ALPHABET: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
    let number = u128::from_be_bytes(bits);
    // The last character has three bits.
    let five = (0..26).map(|nth| if nth < 25 { number >> (123 - 5 * nth) } else { number << 2 });
    five.map(|bits| char::from(ALPHABET[(bits & 31) as usize])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_written_as_rfc_4648_has_them() {
        assert_eq!(base32([0; 16]), "a".repeat(26));
        assert_eq!(base32([0xff; 16]), format!("{}4", "7".repeat(25)));
        // `foobar` is MZXW6YTBOI.
        let mut bits = [0; 16];
        bits[..6].copy_from_slice(b"foobar");
        assert!(base32(bits).starts_with("mzxw6ytbo"));
    }

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
    }

    /// RFC 4231, sections 4.2, 4.3 and 4.7.
    // holds: Pseudonyms need a key
    #[test]
    fn hmac_is_that_of_rfc_4231() {
        for (key, parts, expected) in [
            (
                vec![0x0b; 20],
                vec![&b"Hi "[..], b"There"],
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
            ),
            (
                b"Jefe".to_vec(),
                vec![&b"what do ya want for nothing?"[..]],
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
            ),
            (
                vec![0xaa; 131],
                vec![&b"Test Using Larger Than Block-Size Key - Hash Key First"[..]],
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
            ),
        ] {
            assert_eq!(hex(&hmac(&key, &parts)), expected);
        }
    }

    /// Computed by `openssl dgst -sha256 -mac hmac` and `base32`.
    #[test]
    fn a_pseudonym_is_what_others_compute_for_it() {
        let key = Key::of_bytes((0..32).collect());
        assert_eq!(letters(&key, "chest clinic", "C-0001"), "izouf6hzu3ph7lzeedci47oj7m");
        assert_ne!(letters(&key, "chest", "C-0001"), letters(&key, "chest clinic", "C-0001"));
    }
}
