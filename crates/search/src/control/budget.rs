//! The budget of a search, as a user types it: `5s`, `40rounds` or `120steps`.

use std::fmt;
use std::str::FromStr;

/// When a search stops. Seconds differ from run to run; the other two give the same release every time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Budget {
    /// More than 0. The search does not watch the time; its caller does.
    Seconds(f64),
    /// The rounds of `best`.
    Rounds(u64),
    /// The steps of `best` before its first round.
    Steps(u64),
}

/// A text that is no budget.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a time above 0, or a number of rounds or steps: 5s, 40rounds, 120steps")]
pub struct NoBudget;

impl Budget {
    /// The budget that repeats a search that did this work; `None` if it did not count its work.
    pub fn of_work(rounds: Option<u64>, opening: Option<u64>) -> Option<Self> {
        rounds.map(Self::Rounds).or(opening.map(Self::Steps))
    }
}

impl FromStr for Budget {
    type Err = NoBudget;

    fn from_str(text: &str) -> Result<Self, NoBudget> {
        let unit_at = text.find(|character: char| !character.is_ascii_digit() && character != '.');
        let (number, unit) = text.split_at(unit_at.ok_or(NoBudget)?);
        let count = || number.parse().map_err(|_| NoBudget);
        match unit {
            "s" => {
                let seconds: f64 = number.parse().map_err(|_| NoBudget)?;
                if seconds > 0.0 { Ok(Self::Seconds(seconds)) } else { Err(NoBudget) }
            }
            "round" | "rounds" => Ok(Self::Rounds(count()?)),
            "step" | "steps" => Ok(Self::Steps(count()?)),
            _ => Err(NoBudget),
        }
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seconds(seconds) => write!(f, "{seconds}s"),
            Self::Rounds(rounds) => write!(f, "{rounds}rounds"),
            Self::Steps(steps) => write!(f, "{steps}steps"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_read_as_it_is_written() {
        for (text, budget) in [
            ("5s", Budget::Seconds(5.0)),
            ("0.25s", Budget::Seconds(0.25)),
            ("40rounds", Budget::Rounds(40)),
            ("0steps", Budget::Steps(0)),
        ] {
            assert_eq!((text.parse(), budget.to_string()), (Ok(budget), text.to_owned()));
        }
        assert_eq!("1round".parse(), Ok(Budget::Rounds(1)));
        for text in ["", "5", "s", "0s", "-1s", "infs", "nans", "5m", "1.5rounds", "5 s", "rounds", "1..2s"] {
            assert_eq!(text.parse::<Budget>(), Err(NoBudget), "{text}");
        }
    }
}
