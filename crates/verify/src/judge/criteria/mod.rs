//! Recounts the criteria other than δ from the released rows, with code that the engine does not share.
//!
//! A new criterion is a file here and an entry of [`TWINS`]. This module also reads the texts of the project file itself.

mod k_anonymity;
mod k_map;
mod l_diversity;
mod t_closeness;
mod table;
mod twin;

pub(crate) use self::twin::{Recounted, Released};

use self::twin::Twin;
use crate::problems::VerifyError;

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

/// All criteria, in the order of reports.
const TWINS: [Twin; 4] = [k_anonymity::TWIN, k_map::TWIN, l_diversity::TWIN, t_closeness::TWIN];

/// Refuses a policy with an unknown or repeated key, or with an invalid requirement.
pub(crate) fn check(policy: &[(String, String)]) -> Result<(), VerifyError> {
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
pub(crate) fn outcomes(policy: &[(String, String)], rows: Option<&Released>) -> Vec<Outcome> {
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
