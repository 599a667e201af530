//! FF1 encryption of up to 30 decimal digits, with the steps of NIST SP 800-38G, algorithm 7. Halves and round values are
//! 128-bit integers.

use aes::Aes256;
use aes::cipher::{BlockCipherEncrypt, KeyInit};

/// Encrypts digits; `None` if the text does not have 2 to 30 digits.
#[expect(clippy::many_single_char_names, reason = "the names of the standard")]
pub(super) fn encrypt(key: &[u8; 32], tweak: &[u8], digits: &str) -> Option<String> {
    let n = digits.len();
    if !(2..=30).contains(&n) || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let cipher = Aes256::new(key.into());
    // Steps 1 to 4: the two halves, and the numbers of bytes b and d.
    let u = n / 2;
    let v = n - u;
    let (mut a, mut b): (u128, u128) = (digits[..u].parse().ok()?, digits[u..].parse().ok()?);
    let bits = 128 - (10_u128.pow(u32::try_from(v).ok()?) - 1).leading_zeros();
    let bytes = bits.div_ceil(8) as usize;
    let d = 4 * bytes.div_ceil(4) + 4;
    debug_assert!(d <= 16);
    // Step 5.
    let mut p = vec![1, 2, 1, 0, 0, 10, 10, u8::try_from(u).ok()?];
    p.extend(u32::try_from(n).ok()?.to_be_bytes());
    p.extend(u32::try_from(tweak.len()).ok()?.to_be_bytes());
    // Step 6.
    for i in 0..10_u8 {
        let mut q = tweak.to_vec();
        q.resize((tweak.len() + bytes + 1).next_multiple_of(16) - bytes - 1, 0);
        q.push(i);
        q.extend(&b.to_be_bytes()[16 - bytes..]);
        let mut r = [0_u8; 16];
        for block in [p.as_slice(), &q].concat().chunks_exact(16) {
            r.iter_mut().zip(block).for_each(|(byte, input)| *byte ^= input);
            let mut encrypted = r.into();
            cipher.encrypt_block(&mut encrypted);
            r = encrypted.into();
        }
        let y = r[..d].iter().fold(0_u128, |y, byte| (y << 8) | u128::from(*byte));
        let m = if i % 2 == 0 { u } else { v };
        let modulus = 10_u128.pow(u32::try_from(m).ok()?);
        let c = (a % modulus + y % modulus) % modulus;
        (a, b) = (b, c);
    }
    Some(format!("{a:0u$}{b:0v$}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// NIST, FF1samples.pdf, samples 7 and 8.
    // holds: Pseudonyms need a key
    #[test]
    fn it_is_that_of_nist() {
        let number = 0x2b7e_1516_28ae_d2a6_abf7_1588_09cf_4f3c_u128.to_be_bytes();
        let high = 0xef43_59d8_d580_aa4f_7f03_6d6f_04fc_6a94_u128.to_be_bytes();
        let mut key = [0; 32];
        key[..16].copy_from_slice(&number);
        key[16..].copy_from_slice(&high);
        assert_eq!(encrypt(&key, &[], "0123456789").as_deref(), Some("6657667009"));
        assert_eq!(encrypt(&key, b"9876543210", "0123456789").as_deref(), Some("1001623463"));
        assert_eq!(encrypt(&key, &[], "1x"), None);
        assert_eq!(encrypt(&key, &[], &"1".repeat(31)), None);
        let longest = encrypt(&key, b"a tweak of more than sixteen bytes", &"9".repeat(30)).unwrap();
        assert!(longest.len() == 30 && longest.bytes().all(|byte| byte.is_ascii_digit()));
    }
}
