//! What was to be enforced, and since when: δ as it stood before the first search, and every change of it that followed, with its reason.
//!
//! Nothing is ever taken out: a decision that was taken back is another one.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use chrono::{DateTime, NaiveDateTime};

use palmtop_core::model::Delta;

/// What was decided, when, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// When.
    pub at: Moment,
    /// The δ from then on. The criteria beside it are the session's.
    pub delta: Delta,
    /// Why it was changed; `None` for what was fixed before the first search.
    pub reason: Option<Reason>,
    /// What the advisor was given, if this δ keeps what it advised.
    pub grounds: Option<Grounds>,
}

/// What the advisor of δ was given, as it was typed: it justifies δ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grounds {
    /// How likely a random individual in P was taken, before the release, to have what all of T has.
    pub prior: String,
    /// The acceptable misuse if belief rises.
    pub misuse: String,
    /// The acceptable misuse if belief falls, if one was given.
    pub misuse_down: Option<String>,
    /// What one wrongly changed belief costs.
    pub cost: String,
}

impl fmt::Display for Grounds {
    /// `a prior of 4%, a misuse of 6% at cost 1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { prior, misuse, misuse_down, cost } = self;
        let down = misuse_down.as_ref().map_or_else(String::new, |down| format!(", a misuse down of {down}"));
        write!(f, "a prior of {prior}, a misuse of {misuse}{down} at cost {cost}")
    }
}

/// A moment, in UTC and to the second: `2026-03-01T12:00:00Z`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(String);

/// Why δ was changed: one line of the analyst's own, or that a step was gone back to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason(String);

const FORM: &str = "%Y-%m-%dT%H:%M:%SZ";

impl Moment {
    /// Now, by the machine's clock.
    pub fn now() -> Self {
        Self::of(SystemTime::now())
    }

    /// A time of the machine's clock or of a file; one before 1970 is its beginning.
    pub fn of(time: SystemTime) -> Self {
        let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let time = i64::try_from(seconds).ok().and_then(|seconds| DateTime::from_timestamp(seconds, 0));
        Self(time.unwrap_or_default().format(FORM).to_string())
    }

    /// Reads one.
    ///
    /// # Errors
    /// What was expected.
    pub fn read(text: &str) -> Result<Self, String> {
        let read = NaiveDateTime::parse_from_str(text, FORM);
        if read.is_ok_and(|time| time.format(FORM).to_string() == text) {
            Ok(Self(text.to_owned()))
        } else {
            Err(format!("`{text}` is no moment; expected one in UTC as in 2026-03-01T12:00:00Z"))
        }
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl Reason {
    /// The most characters that a reason has.
    pub const MOST: usize = 300;

    /// Reads one; blanks around it go.
    ///
    /// # Errors
    /// What was expected.
    pub fn read(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.is_empty() {
            return Err(
                "a reason is missing: results have been seen, and every report says why δ was changed"
                    .to_owned(),
            );
        }
        palmtop_core::text::reason(text).map_err(|expected| {
            let shown = text.chars().take(Self::MOST).filter(|character| !character.is_control());
            format!("`{}` is no reason: {expected}", shown.collect::<String>())
        })?;
        Self::of_file(text)
    }

    /// Reads one of a file, which an earlier version may have written with fewer words.
    ///
    /// # Errors
    /// What was expected.
    pub(super) fn of_file(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.is_empty() || text.chars().count() > Self::MOST || text.chars().any(char::is_control) {
            return Err(format!("expected a reason on one line, of at most {} characters", Self::MOST));
        }
        Ok(Self(text.to_owned()))
    }

    /// That the analyst went to a step that is judged under another δ.
    pub(super) fn of_step(step: usize) -> Self {
        Self(format!("went to step {step}"))
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_of_this_century_and_reads_back() {
        let now = Moment::now();
        assert_eq!(Moment::read(&now.to_string()), Ok(now.clone()));
        assert!(now > Moment::read("2026-01-01T00:00:00Z").unwrap());
        for text in [
            "",
            "2026-02-30T00:00:00Z",
            "2026-03-01 12:00:00",
            "2026-03-01T12:00:00+01:00",
            "2026-3-1T1:00:00Z",
        ] {
            assert!(Moment::read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_reason_is_a_line_with_something_in_it() {
        assert_eq!(
            Reason::read("  one in ten is usual here ").unwrap().to_string(),
            "one in ten is usual here"
        );
        for example in ["the board asked for it", " The board asked for it. "] {
            let error = Reason::read(example).unwrap_err();
            assert!(error.contains("is only an example"), "{error}");
        }
        let long = "every word ".repeat(Reason::MOST);
        for text in ["", "   ", "the board\nasked for it", "\u{1b}[31m is a red one", &long] {
            assert!(Reason::read(text).is_err(), "{text:?}");
            assert!(Reason::of_file(text).is_err(), "{text:?}");
        }
        // One letter, two words, words of no letters: nobody understands these later.
        for text in ["x", "looks better", "so it is", "1 2 3 4 5 6 7 8 9 10", "reasonableness"] {
            let error = Reason::read(text).unwrap_err();
            assert!(error.contains("at least 3 words and 10 letters"), "{error}");
            assert!(Reason::of_file(text).is_ok(), "an earlier version took {text:?}");
        }
        assert_eq!(Reason::of_step(3), Reason::read("went to step 3").unwrap());
    }
}
