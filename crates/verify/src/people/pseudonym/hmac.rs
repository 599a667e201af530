//! HMAC-SHA-256 as RFC 2104 defines it.

use sha2::{Digest, Sha256};

/// The bytes of a block of SHA-256.
const BLOCK: usize = 64;

pub(super) fn hmac_sha256(key: &[u8], message: &[u8]) -> [u8; 32] {
    let mut block = [0; BLOCK];
    if key.len() > BLOCK {
        block[..32].copy_from_slice(&Sha256::digest(key));
    } else {
        block[..key.len()].copy_from_slice(key);
    }
    let around = |pad: u8, message: &[u8]| -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(block.map(|byte| byte ^ pad));
        hash.update(message);
        hash.finalize().into()
    };
    around(0x5c, &around(0x36, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 4231, sections 4.3 and 4.7.
    #[test]
    fn it_is_that_of_rfc_4231() {
        let hex = |bytes: [u8; 32]| bytes.map(|byte| format!("{byte:02x}")).concat();
        assert_eq!(
            hex(hmac_sha256(b"Jefe", b"what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
        assert_eq!(
            hex(hmac_sha256(&[0xaa; 131], b"Test Using Larger Than Block-Size Key - Hash Key First")),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        );
    }
}
