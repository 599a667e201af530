//! The criteria beside δ, recounted from the released rows: twins that share nothing with the engine's.
//!
//! A new criterion is a file here and a row of [`TWINS`]. The texts of the project file are read here once more.

mod k_anonymity;
mod k_map;

use super::error::VerifyError;

/// A distinct released row, as a criterion sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Recounted {
    /// How often it occurs, how many of T match it, and how many of P.
    pub(super) rows: u64,
    pub(super) private: u64,
    pub(super) public: u64,
}

/// What became of a criterion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Its key in `[policy]`.
    pub criterion: &'static str,
    /// What is required, as the project file has it; `None` where it is only measured.
    pub required: Option<String>,
    /// The strictest requirement that the released rows satisfy; `None` where nobody knows.
    pub achieved: Option<String>,
    /// Whether they satisfy what is required, if anything is. Where part of the file cannot be read, they do not.
    pub holds: bool,
}

/// How one criterion is recounted.
#[derive(Clone, Copy)]
pub(super) struct Twin {
    key: &'static str,
    /// What stands behind the key, in words.
    expected: &'static str,
    /// Whether these rows satisfy the text behind the key; `None` where it is not what is expected.
    holds: fn(&str, &[Recounted]) -> Option<bool>,
    /// The strictest text that these rows satisfy; `None` where there is none.
    achieved: fn(&[Recounted]) -> Option<String>,
}

/// A whole number from 1, in plain digits.
fn whole_number(text: &str) -> Option<u64> {
    let mut number: u64 = 0;
    for byte in text.bytes() {
        let digit = byte.checked_sub(b'0').filter(|digit| *digit < 10)?;
        number = number.checked_mul(10)?.checked_add(u64::from(digit))?;
    }
    (number > 0).then_some(number)
}

/// Every criterion that there is, in the order of reports.
const TWINS: [Twin; 2] = [k_anonymity::TWIN, k_map::TWIN];

/// Refuses a policy with a key that is unknown or given twice, or a text that is not what is expected.
pub(super) fn check(policy: &[(String, String)]) -> Result<(), VerifyError> {
    for (place, (key, text)) in policy.iter().enumerate() {
        let wrong = |expected: &str| VerifyError::Policy {
            key: key.clone(),
            text: text.clone(),
            expected: expected.to_owned(),
        };
        let known = || TWINS.map(|twin| format!("`{}`", twin.key)).join(", ");
        let twin = TWINS.iter().find(|twin| twin.key == key);
        let twin = twin.ok_or_else(|| wrong(&format!("one of the criteria {}", known())))?;
        (twin.holds)(text, &[]).ok_or_else(|| wrong(twin.expected))?;
        if policy[..place].iter().any(|(other, _)| other == key) {
            return Err(wrong("to be given once"));
        }
    }
    Ok(())
}

/// What becomes of every criterion; `rows` is `None` where part of the file cannot be read.
pub(super) fn outcomes(policy: &[(String, String)], rows: Option<&[Recounted]>) -> Vec<Outcome> {
    let outcome = |twin: &Twin| {
        let required = policy.iter().find(|(key, _)| key == twin.key).map(|(_, text)| text.clone());
        let holds = |text: &String| rows.is_some_and(|rows| (twin.holds)(text, rows) == Some(true));
        Outcome {
            criterion: twin.key,
            holds: required.as_ref().is_none_or(holds),
            achieved: rows.and_then(twin.achieved),
            required,
        }
    };
    TWINS.iter().map(outcome).collect()
}
