//! Why the project's δ is this one: the input of the advisor and a reason, under `[delta]`. No verdict depends on them.

use std::fmt;

use palmtop_core::model::{Stakes, TermError};

/// Why the project's δ is this one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decided {
    /// The input of the advisor, from which δ follows.
    pub grounds: Option<Grounds>,
    /// The reason, a sentence.
    pub reason: Option<String>,
}

/// The input of the advisor of δ, as it was typed. It justifies δ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grounds {
    /// The assumed probability, before the release, that a random individual in P has the property of all of T.
    pub prior: String,
    /// The acceptable misuse if belief rises.
    pub misuse: String,
    /// The acceptable misuse if belief falls, if one was given.
    pub misuse_down: Option<String>,
    /// The cost of one wrongly changed belief.
    pub cost: String,
}

impl Grounds {
    /// The same as numbers.
    ///
    /// # Errors
    /// A [`TermError`] if a text is not a number.
    pub fn stakes(&self) -> Result<Stakes, TermError> {
        Ok(Stakes {
            prior: self.prior.parse().map_err(|error: TermError| error.given_for("prior"))?,
            cost: self.cost.parse().map_err(|error: TermError| error.given_for("cost"))?,
            misuse: self.misuse.parse().map_err(|error: TermError| error.given_for("misuse"))?,
            misuse_down: match &self.misuse_down {
                None => None,
                Some(down) => Some(down.parse().map_err(|error: TermError| error.given_for("misuse_down"))?),
            },
        })
    }
}

impl fmt::Display for Grounds {
    /// `a prior of 4%, a misuse of 6% at cost 1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { prior, misuse, misuse_down, cost } = self;
        let down = misuse_down.as_ref().map_or_else(String::new, |down| format!(", a misuse down of {down}"));
        write!(f, "a prior of {prior}, a misuse of {misuse}{down} at cost {cost}")
    }
}

impl Decided {
    /// Checks the written texts of `[delta]`.
    pub(super) fn settle(
        [prior, misuse, misuse_down, cost]: [Option<String>; 4],
        reason: Option<String>,
    ) -> Result<Self, String> {
        let reason = match reason {
            None => None,
            Some(reason) => {
                let read = crate::reason::read(&reason).map(ToOwned::to_owned);
                Some(read.map_err(|expected| format!("[delta]: `reason` is not a reason: {expected}"))?)
            }
        };
        let grounds = match (prior, misuse) {
            (Some(prior), Some(misuse)) => {
                let cost = cost.unwrap_or_else(|| "1".to_owned());
                Some(Grounds { prior, misuse, misuse_down, cost })
            }
            (None, None) if misuse_down.is_none() && cost.is_none() => None,
            _ => return Err("[delta]: `prior` and `misuse` go together; give both or neither".to_owned()),
        };
        if let Some(grounds) = &grounds {
            grounds.stakes().map_err(|error| format!("[delta]: {error}"))?;
        }
        Ok(Self { grounds, reason })
    }
}
