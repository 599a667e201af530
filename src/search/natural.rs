//! Natural numbers of any size, for the rare comparison that must be exact.

use std::cmp::Ordering;

/// A natural number: 32-bit digits, the lowest first, no zeros at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Natural(Vec<u32>);

impl From<u128> for Natural {
    fn from(mut number: u128) -> Self {
        let mut digits = Vec::with_capacity(4);
        while number > 0 {
            digits.push(low(number));
            number >>= 32;
        }
        Self(digits)
    }
}

impl Natural {
    /// The sum.
    pub(super) fn plus(&self, other: &Self) -> Self {
        let length = self.0.len().max(other.0.len()) + 1;
        let digit = |number: &Self, place: usize| u128::from(number.0.get(place).copied().unwrap_or(0));
        let mut carry = 0_u128;
        let digits = (0..length).map(|place| {
            carry += digit(self, place) + digit(other, place);
            let here = low(carry);
            carry >>= 32;
            here
        });
        Self::trimmed(digits.collect())
    }

    /// The product.
    pub(super) fn times(&self, other: &Self) -> Self {
        let mut digits = vec![0_u32; self.0.len() + other.0.len()];
        for (shift, &left) in self.0.iter().enumerate() {
            let mut carry = 0_u128;
            for (place, &right) in other.0.iter().enumerate() {
                carry += u128::from(digits[shift + place]) + u128::from(left) * u128::from(right);
                digits[shift + place] = low(carry);
                carry >>= 32;
            }
            digits[shift + other.0.len()] = low(carry);
        }
        Self::trimmed(digits)
    }

    fn trimmed(mut digits: Vec<u32>) -> Self {
        while digits.last() == Some(&0) {
            digits.pop();
        }
        Self(digits)
    }
}

impl Ord for Natural {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The lowest 32 bits.
fn low(number: u128) -> u32 {
    u32::try_from(number & u128::from(u32::MAX)).expect("32 bits")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_128_bits_where_they_suffice() {
        let samples = [0_u128, 1, 2, 0xffff_ffff, 0x1_0000_0000, 0xffff_ffff_ffff, u128::from(u64::MAX)];
        for left in samples {
            for right in samples {
                let (a, b) = (Natural::from(left), Natural::from(right));
                assert_eq!(a.plus(&b), Natural::from(left + right), "{left} + {right}");
                assert_eq!(a.times(&b), Natural::from(left * right), "{left} × {right}");
                assert_eq!(a.cmp(&b), left.cmp(&right), "{left} against {right}");
            }
        }
    }

    #[test]
    fn goes_on_beyond_128_bits() {
        let wide = Natural::from(u128::MAX);
        let square = wide.times(&wide);
        assert!(square > wide);
        let next = wide.plus(&Natural::from(1));
        // (n + 1)² = n² + n + (n + 1)
        assert_eq!(next.times(&next), square.plus(&wide).plus(&next));
    }
}
