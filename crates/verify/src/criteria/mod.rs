//! Recounts the criteria other than δ from the released rows, with code that the engine does not share.
//!
//! A new criterion is a file here and an entry of [`TWINS`]. This module also reads the texts of the project file itself.

mod k_anonymity;
mod k_map;
mod l_diversity;
mod t_closeness;
mod table;

use std::collections::BTreeMap;

use super::error::VerifyError;

/// A class of the release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Recounted {
    /// The number of rows.
    pub(super) rows: u64,
    /// The number of members of T who match it.
    pub(super) private: u64,
    /// The number of individuals in P who match it.
    pub(super) public: u64,
    /// For each sensitive attribute the number of rows with each value.
    pub(super) sensitive: Vec<BTreeMap<String, u64>>,
}

/// A sensitive attribute in all of T.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sensitive {
    pub(super) name: String,
    /// The number of rows with each value.
    pub(super) all: BTreeMap<String, u64>,
    /// For each value the numbers of its labels, from the value itself to the top. `None` without a hierarchy.
    pub(super) chains: Option<BTreeMap<String, Vec<u32>>>,
}

/// The classes of a release and the sensitive attributes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Released {
    pub(super) rows: Vec<Recounted>,
    pub(super) sensitive: Vec<Sensitive>,
}

impl Released {
    /// The index of a sensitive attribute by its name. Without a name, that of the only one.
    fn attribute_index(&self, name: Option<&str>) -> Option<usize> {
        match name {
            Some(name) => self.sensitive.iter().position(|attribute| attribute.name == name),
            None => (self.sensitive.len() == 1).then_some(0),
        }
    }
}

/// The result of a criterion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The key in `[policy]`.
    pub criterion: &'static str,
    /// The requirement, as text of the project file. `None` if the criterion is only measured.
    pub required: Option<String>,
    /// The strictest requirement that the release satisfies; `None` if it is unknown.
    pub achieved: Option<String>,
    /// Whether the requirement is satisfied. `true` without a requirement; `false` if a requirement cannot be checked because a
    /// part of the file cannot be read.
    pub holds: bool,
}

/// The recount of one criterion.
#[derive(Clone, Copy)]
pub(super) struct Twin {
    key: &'static str,
    /// The expected text of the value, in words.
    expected: &'static str,
    /// Whether a text is a valid requirement.
    reads: fn(&str) -> bool,
    /// Whether a release satisfies a requirement; `None` if that cannot be decided.
    holds: fn(&str, &Released) -> Option<bool>,
    /// The strictest requirement that a release satisfies. The text is the requirement of the project. `None` if there is none.
    achieved: fn(Option<&str>, &Released) -> Option<String>,
}

/// Reads a whole number from 1, in plain digits.
fn whole_number(text: &str) -> Option<u64> {
    let mut number: u64 = 0;
    for byte in text.bytes() {
        let digit = byte.checked_sub(b'0').filter(|digit| *digit < 10)?;
        number = number.checked_mul(10)?.checked_add(u64::from(digit))?;
    }
    (number > 0).then_some(number)
}

/// All criteria, in the order of reports.
const TWINS: [Twin; 4] = [k_anonymity::TWIN, k_map::TWIN, l_diversity::TWIN, t_closeness::TWIN];

/// Refuses a policy with an unknown or repeated key, or with an invalid requirement.
pub(super) fn check(policy: &[(String, String)]) -> Result<(), VerifyError> {
    for (index, (key, text)) in policy.iter().enumerate() {
        let wrong = |expected: &str| VerifyError::policy(key, text, expected);
        let known = || TWINS.map(|twin| format!("`{}`", twin.key)).join(", ");
        let twin = TWINS.iter().find(|twin| twin.key == key);
        let twin = twin.ok_or_else(|| wrong(&format!("one of the criteria {}", known())))?;
        if !(twin.reads)(text) {
            return Err(wrong(twin.expected));
        }
        if policy[..index].iter().any(|(earlier, _)| earlier == key) {
            return Err(wrong("the key only once"));
        }
    }
    Ok(())
}

/// The results of all criteria. `rows` is `None` if a part of the file cannot be read.
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
