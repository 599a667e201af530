//! Exact ratios, as the project file writes them: `3`, `2.5`, `5/2`, `20%`.

use std::fmt;

use num_bigint::BigUint;

/// A ratio of whole numbers, the second not 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ratio {
    pub(super) above: BigUint,
    pub(super) below: BigUint,
}

impl Ratio {
    /// The longest text that is read.
    const LONGEST: usize = 80;

    /// A whole number, a decimal, a fraction or a percentage without a sign, blanks around its numbers aside.
    pub(super) fn read(text: &str) -> Option<Self> {
        if text.len() > Self::LONGEST {
            return None;
        }
        let text = text.trim();
        if let Some((above, below)) = text.split_once('/') {
            let (above, below) = (whole(above.trim())?, whole(below.trim())?);
            return (below != BigUint::ZERO).then_some(Self { above, below });
        }
        let (number, hundred) = match text.strip_suffix('%') {
            Some(number) => (number.trim_end(), 100_u32),
            None => (text, 1),
        };
        let (before, behind) = number.split_once('.').unwrap_or((number, ""));
        if number.ends_with('.') {
            return None;
        }
        let places = u32::try_from(behind.len()).ok()?;
        let above = whole(&format!("{before}{behind}"))?;
        Some(Self { above, below: BigUint::from(10_u8).pow(places) * hundred })
    }

    /// The same in lowest terms, by Euclid's algorithm.
    pub(super) fn reduced(&self) -> Self {
        let (mut divisor, mut rest) = (self.below.clone(), self.above.clone());
        while rest != BigUint::ZERO {
            (divisor, rest) = (rest.clone(), divisor % rest);
        }
        Self { above: &self.above / &divisor, below: &self.below / &divisor }
    }

    /// Whether it is at least another.
    pub(super) fn is_at_least(&self, above: u64, below: u64) -> bool {
        &self.above * below >= &self.below * above
    }
}

impl fmt::Display for Ratio {
    /// In lowest terms, without a denominator of 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { above, below } = self.reduced();
        if below == BigUint::from(1_u8) { write!(f, "{above}") } else { write!(f, "{above}/{below}") }
    }
}

fn whole(digits: &str) -> Option<BigUint> {
    let is_plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_plain { digits.parse().ok() } else { None }
}
