//! Pseudonyms of digits: FF1 (NIST SP 800-38G) with AES-256, a permutation of all values of one length.

use aes::Aes256;
use fpe::ff1::{FF1, FlexibleNumeralString};

use super::key::Key;
use super::keyed::hmac;

/// A permutation of digits: its key is the HMAC of `palmtop digits 1`, its tweak the domain.
pub(super) struct Digits {
    cipher: FF1<Aes256>,
    tweak: Vec<u8>,
}

impl Digits {
    pub(super) fn new(key: &Key, domain: &str) -> Self {
        Self::of(&hmac(key.bytes(), &[b"palmtop digits 1"]), domain.as_bytes())
    }

    fn of(key: &[u8; 32], tweak: &[u8]) -> Self {
        let Ok(cipher) = FF1::new(key, 10) else { unreachable!("10 is a radix") };
        Self { cipher, tweak: tweak.to_vec() }
    }

    /// The pseudonym of some digits; `None` if there are other characters or too few.
    pub(super) fn encrypt(&self, digits: &str) -> Option<String> {
        let digits = digits.chars().map(|digit| u16::try_from(digit.to_digit(10)?).ok());
        let digits = FlexibleNumeralString::from(digits.collect::<Option<Vec<u16>>>()?);
        let made = Vec::from(self.cipher.encrypt(&self.tweak, &digits).ok()?);
        made.into_iter().map(|digit| char::from_digit(digit.into(), 10)).collect()
    }
}

/// Debug output must not reveal the key.
impl std::fmt::Debug for Digits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Digits").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// NIST, FF1samples.pdf, samples 7 and 8: AES-256, radix 10.
    // holds: Pseudonyms need a key
    #[test]
    fn digits_are_encrypted_as_nist_has_it() {
        let key = [
            0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6, 0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c,
            0xef, 0x43, 0x59, 0xd8, 0xd5, 0x80, 0xaa, 0x4f, 0x7f, 0x03, 0x6d, 0x6f, 0x04, 0xfc, 0x6a, 0x94,
        ];
        let tweak = [0x39, 0x38, 0x37, 0x36, 0x35, 0x34, 0x33, 0x32, 0x31, 0x30];
        assert_eq!(Digits::of(&key, &[]).encrypt("0123456789").as_deref(), Some("6657667009"));
        assert_eq!(Digits::of(&key, &tweak).encrypt("0123456789").as_deref(), Some("1001623463"));
        assert_eq!(Digits::of(&key, &tweak).encrypt("12a456"), None);
        assert_eq!(Digits::of(&key, &tweak).encrypt("12345"), None);
    }

    #[test]
    fn no_two_values_are_one_pseudonym() {
        let digits = Digits::new(&Key::of_bytes((0..32).collect()), "d");
        let made: std::collections::BTreeSet<String> =
            (0..2000).map(|value| digits.encrypt(&format!("{value:06}")).unwrap()).collect();
        assert!(made.len() == 2000 && made.iter().all(|text| text.len() == 6));
    }
}
