//! Arithmetic with the same bits on every machine: logarithms and random numbers for the scores
//! that guide the search.
//!
//! The standard library leaves the precision of logarithms to the platform, and a single bit can
//! change a choice. These functions only use operations that IEEE 754 defines exactly.

/// The binary logarithm of a positive, normal number, with an error below 0.00002.
pub(super) fn log2(x: f64) -> f64 {
    let bits = x.to_bits();
    // Of the sign and the exponent, only the eleven bits of the exponent.
    let exponent = f64::from(((bits >> 52) & 0x7ff) as u16) - 1023.0;
    let mantissa = f64::from_bits((bits & ((1 << 52) - 1)) | (1023 << 52));
    // ln m = 2·artanh((m − 1)/(m + 1)).
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let square = s * s;
    let series = 1.0 + square * (1.0 / 3.0 + square * (1.0 / 5.0 + square * (1.0 / 7.0)));
    exponent + 2.0 * std::f64::consts::LOG2_E * s * series
}

/// 2 to the power of `x`, for −1000 < x < 1000, with a relative error below a millionth.
pub(super) fn exp2(x: f64) -> f64 {
    let x = x.clamp(-1000.0, 1000.0);
    // Truncation after a shift to positive numbers: a call of the platform's `floor` costs more.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 2000")]
    let shifted = (x + 1000.0) as u32;
    let integer = f64::from(shifted) - 1000.0;
    let y = (x - integer) * std::f64::consts::LN_2;
    let terms = 1.0 / 24.0 + y * (1.0 / 120.0 + y * (1.0 / 720.0 + y * (1.0 / 5040.0)));
    let fraction = 1.0 + y * (1.0 + y * (0.5 + y * (1.0 / 6.0 + y * terms)));
    fraction * f64::from_bits((u64::from(shifted) + 23) << 52)
}

/// The next number of a pseudo-random sequence (`SplitMix64`: Steele, Lea, Flood 2014).
pub(super) fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Maps a mixed number to the interval from 0 (inclusive) to 1 (exclusive).
#[expect(clippy::cast_precision_loss, reason = "53 bits fit exactly")]
pub(super) fn unit(mixed: u64) -> f64 {
    (mixed >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_and_powers_agree_with_the_platform() {
        for step in 1..4000 {
            let x = f64::from(step) * 0.37;
            assert!((log2(x) - x.log2()).abs() < 2e-5, "{x}");
            let y = f64::from(step - 2000) * 0.011;
            assert!((exp2(y) / y.exp2() - 1.0).abs() < 1e-6, "{y}");
        }
    }

    #[test]
    fn draws_fill_the_unit_interval() {
        let mean = (0..10_000).map(|seed| unit(mix(seed))).sum::<f64>() / 10_000.0;
        assert!((mean - 0.5).abs() < 0.01, "{mean}");
    }
}
