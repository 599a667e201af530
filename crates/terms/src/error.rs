//! Errors of numbers that are not a presence, a fraction or δ.

/// A text or a pair of numbers that is not a presence, a fraction or δ.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TermError {
    /// A text or ratio that is not a number from 0 to 1.
    #[error(
        "{}: {}expected a fraction such as 2/3, a decimal such as 0.05 or a percentage such as 5%, from 0 to 1",
        invalid(what, text),
        with_point(text, true)
    )]
    NotAPresence {
        /// The name of the number: `presence`, `δmin`.
        what: &'static str,
        /// The given text.
        text: String,
    },
    /// A text that is not a number of at least 0.
    #[error(
        "{}: {}expected a fraction such as 3/2, a decimal such as 0.01 or a percentage such as 1%, of 0 or more",
        invalid(what, text),
        with_point(text, false)
    )]
    NotAFraction {
        /// The name of the number: `number`, `misuse`.
        what: &'static str,
        /// The given text.
        text: String,
    },
    /// δmin is above δmax.
    #[error("δmin {min} is above δmax {max}: no class could keep both; lower δmin or raise δmax")]
    DeltaOrder {
        /// The given δmin.
        min: String,
        /// The given δmax.
        max: String,
    },
}

impl TermError {
    /// The same error with the name of the number: `δmin`, `misuse`.
    #[must_use]
    pub fn given_for(self, what: &'static str) -> Self {
        match self {
            Self::NotAPresence { text, .. } => Self::NotAPresence { what, text },
            Self::NotAFraction { text, .. } => Self::NotAFraction { what, text },
            Self::DeltaOrder { .. } => self,
        }
    }
}

/// "invalid δmin `x`", or "δmin is missing" for an empty text.
fn invalid(what: &str, text: &str) -> String {
    if text.is_empty() { format!("{what} is missing") } else { format!("invalid {what} `{text}`") }
}

/// The question whether a decimal comma was meant as a point, if the text is a number with one.
fn with_point(text: &str, is_at_most_one: bool) -> String {
    let number = text.trim();
    let bare = number.strip_suffix('%').map_or(number, str::trim_end);
    let Some((integer, fraction)) = bare.split_once(',') else { return String::new() };
    let are_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let is_number = are_digits(integer) && are_digits(fraction) && !fraction.is_empty();
    let is_small = bare != number || integer.bytes().all(|byte| byte == b'0');
    if is_number && (is_small || !is_at_most_one) {
        format!("did you mean {}? ", number.replacen(',', ".", 1))
    } else {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Fraction, Presence};

    #[test]
    fn decimal_comma_is_asked_about_as_a_point() {
        for (text, meant) in [("0,1", "0.1"), ("5,5 %", "5.5 %"), (",25", ".25")] {
            assert!(text.parse::<Presence>().is_err() && text.parse::<Fraction>().is_err());
            assert!(meant.parse::<Presence>().is_ok(), "the remedy is read");
            assert_eq!(with_point(text, true), format!("did you mean {meant}? "));
        }
        for text in ["1,5", "1,000", "0,", "a,b", "0,1,2", "", "0.1", "-0,1"] {
            assert_eq!(with_point(text, true), "", "{text}");
        }
        assert_eq!(with_point("1,5", false), "did you mean 1.5? ");
    }
}
