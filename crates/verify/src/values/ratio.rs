//! Exact ratios in the notation of the project file: `3`, `2.5`, `5/2`, `20%`.

use std::fmt;

use num_bigint::BigUint;

/// A ratio of two natural numbers. The denominator is not 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ratio {
    pub(crate) above: BigUint,
    pub(crate) below: BigUint,
}

impl Ratio {
    /// The length of the longest text that is read, in bytes.
    const LONGEST: usize = 80;

    /// Reads a whole number, a decimal, a fraction or a percentage, without a sign. Blanks around the numbers are ignored.
    pub(crate) fn read(text: &str) -> Option<Self> {
        if text.len() > Self::LONGEST {
            return None;
        }
        let text = text.trim();
        if let Some((above, below)) = text.split_once('/') {
            let (above, below) = (natural(above.trim())?, natural(below.trim())?);
            return (below != BigUint::ZERO).then_some(Self { above, below });
        }
        let (number, hundred) = match text.strip_suffix('%') {
            Some(number) => (number.trim_end(), 100_u32),
            None => (text, 1),
        };
        let (integer, fraction) = number.split_once('.').unwrap_or((number, ""));
        if number.ends_with('.') {
            return None;
        }
        let decimals = u32::try_from(fraction.len()).ok()?;
        let above = natural(&format!("{integer}{fraction}"))?;
        Some(Self { above, below: BigUint::from(10_u8).pow(decimals) * hundred })
    }

    /// The ratio in lowest terms.
    pub(crate) fn reduced(&self) -> Self {
        let (mut divisor, mut rest) = (self.below.clone(), self.above.clone());
        while rest != BigUint::ZERO {
            (divisor, rest) = (rest.clone(), divisor % rest);
        }
        Self { above: &self.above / &divisor, below: &self.below / &divisor }
    }

    /// Whether the ratio is at least `above` / `below`.
    pub(crate) fn is_at_least(&self, above: u64, below: u64) -> bool {
        &self.above * below >= &self.below * above
    }
}

impl fmt::Display for Ratio {
    /// Writes lowest terms, without a denominator of 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { above, below } = self.reduced();
        if below == BigUint::from(1_u8) { write!(f, "{above}") } else { write!(f, "{above}/{below}") }
    }
}

fn natural(digits: &str) -> Option<BigUint> {
    let is_plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_plain { digits.parse().ok() } else { None }
}
