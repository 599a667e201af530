//! The criteria beside δ, recounted from the released rows: twins that share nothing with the engine's.
//!
//! A new criterion is a file here and a row of [`TWINS`]. The texts of the project file are read here once more.

mod k_anonymity;
mod k_map;
mod l_diversity;
mod t_closeness;
mod table;

use std::collections::BTreeMap;

use super::error::VerifyError;

/// A distinct released row, as a criterion sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Recounted {
    /// How often it occurs, how many of T match it, and how many of P.
    pub(super) rows: u64,
    pub(super) private: u64,
    pub(super) public: u64,
    /// Of each sensitive attribute, how often each value stands in it.
    pub(super) sensitive: Vec<BTreeMap<String, u64>>,
}

/// A sensitive attribute: its name, and how often each value stands in all of T.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sensitive {
    pub(super) name: String,
    pub(super) all: BTreeMap<String, u64>,
    /// Of each value of T, the number of its label at each level of its hierarchy, the value itself first and what all are last; `None`
    /// where it has no hierarchy.
    pub(super) chains: Option<BTreeMap<String, Vec<u32>>>,
}

/// All distinct released rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Released {
    pub(super) rows: Vec<Recounted>,
    pub(super) sensitive: Vec<Sensitive>,
}

impl Released {
    /// The place of a sensitive attribute, by its name; of the only one where none is named.
    fn place(&self, name: Option<&str>) -> Option<usize> {
        match name {
            Some(name) => self.sensitive.iter().position(|own| own.name == name),
            None => (self.sensitive.len() == 1).then_some(0),
        }
    }
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
    /// Whether a text behind the key is what is expected.
    reads: fn(&str) -> bool,
    /// Whether these rows satisfy the text behind the key; `None` where nobody can say.
    holds: fn(&str, &Released) -> Option<bool>,
    /// The strictest that these rows satisfy, where that text or none is required; `None` where there is none.
    achieved: fn(Option<&str>, &Released) -> Option<String>,
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
const TWINS: [Twin; 4] = [k_anonymity::TWIN, k_map::TWIN, l_diversity::TWIN, t_closeness::TWIN];

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
        if !(twin.reads)(text) {
            return Err(wrong(twin.expected));
        }
        if policy[..place].iter().any(|(other, _)| other == key) {
            return Err(wrong("to be given once"));
        }
    }
    Ok(())
}

/// What becomes of every criterion; `rows` is `None` where part of the file cannot be read.
pub(super) fn outcomes(policy: &[(String, String)], rows: Option<&Released>) -> Vec<Outcome> {
    let outcome = |twin: &Twin| {
        let required = policy.iter().find(|(key, _)| key == twin.key).map(|(_, text)| text.clone());
        let holds = |text: &String| rows.is_some_and(|rows| (twin.holds)(text, rows) == Some(true));
        Outcome {
            criterion: twin.key,
            holds: required.as_ref().is_none_or(holds),
            achieved: rows.and_then(|rows| (twin.achieved)(required.as_deref(), rows)),
            required,
        }
    };
    TWINS.iter().map(outcome).collect()
}
