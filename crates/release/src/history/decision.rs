//! The decisions on δ: the δ before the first search, and every later change, with its reason.
//!
//! A decision is never removed. Taking a decision back is another decision. palmtop invents no reason: a δ that was changed in
//! the project file without one is recorded as that.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use chrono::{DateTime, NaiveDateTime};

use super::Grounds;
use palmtop_core::model::Delta;
use palmtop_project::Project;

/// A decision on δ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The time of the decision.
    pub at: Moment,
    /// The δ after the decision. The other criteria belong to the sitting.
    pub delta: Delta,
    /// The reason. A change on the workbench after the first search has one.
    pub reason: Option<Reason>,
    /// Whether δ was changed in the project file without a reason.
    pub in_file: bool,
    /// The input of the advisor, if this δ is within the advised bounds.
    pub grounds: Option<Grounds>,
}

impl Decision {
    /// Why δ is this one, as reports say it.
    pub fn words(&self) -> String {
        match (&self.reason, self.in_file, &self.grounds) {
            (Some(reason), ..) => reason.to_string(),
            (None, true, None) => "changed in the project file, no reason given".to_owned(),
            (None, true, Some(_)) => "changed in the project file".to_owned(),
            (None, false, _) => "accepted before the first search".to_owned(),
        }
    }

    /// The reason, if the analyst gave it.
    pub fn given_reason(&self) -> Option<&Reason> {
        self.reason.as_ref().filter(|reason| reason.is_given())
    }

    /// Whether the decision has a reason of the analyst, or the input of the advisor from which its δ follows.
    pub fn is_justified(&self) -> bool {
        self.given_reason().is_some() || self.grounds.is_some()
    }

    /// What was stated with the decision.
    pub fn stated(&self) -> Stated {
        Stated { delta: self.delta, reason: self.given_reason().cloned(), grounds: self.grounds.clone() }
    }
}

/// A δ with the reason and the input of the advisor that were given for it: under `[delta]` of the project, or on the workbench.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stated {
    /// The δ.
    pub delta: Delta,
    /// The reason.
    pub reason: Option<Reason>,
    /// The input of the advisor.
    pub grounds: Option<Grounds>,
}

impl Stated {
    /// What a project states under `[delta]`; `None` if it has only a δ, or none.
    pub fn of(project: &Project) -> Option<Self> {
        let delta = project.delta(None, None).ok()?;
        let reason = project.decided.reason.as_deref().and_then(|reason| Reason::of_file(reason).ok());
        let grounds = project.decided.grounds.clone();
        (reason.is_some() || grounds.is_some()).then_some(Self { delta, reason, grounds })
    }
}

/// A moment, in UTC and to the second: `2026-03-01T12:00:00Z`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(String);

/// The reason for a change of δ: one line by the analyst, or that the analyst went to an earlier step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason(String);

/// How palmtop says that the analyst went to a step, whose number follows.
const WENT: &str = "went to step ";
/// How palmtop says that the options changed δ.
const BY_OPTIONS: &str = "asked for by the options when the workbench was opened";
const FORM: &str = "%Y-%m-%dT%H:%M:%SZ";

impl Moment {
    /// The current time of the machine's clock.
    pub fn now() -> Self {
        Self::of(SystemTime::now())
    }

    /// A time of the machine's clock or of a file. A time before 1970 becomes the beginning of 1970.
    pub fn of(time: SystemTime) -> Self {
        let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let time = i64::try_from(seconds).ok().and_then(|seconds| DateTime::from_timestamp(seconds, 0));
        Self(time.unwrap_or_default().format(FORM).to_string())
    }

    /// Reads a moment.
    ///
    /// # Errors
    /// A description of the expected form.
    pub fn read(text: &str) -> Result<Self, String> {
        let read = NaiveDateTime::parse_from_str(text, FORM);
        if read.is_ok_and(|time| time.format(FORM).to_string() == text) {
            Ok(Self(text.to_owned()))
        } else {
            Err(format!("`{text}` is not a moment; expected a time in UTC, such as 2026-03-01T12:00:00Z"))
        }
    }
}

impl Moment {
    /// The moment in the zone of the machine, in few words, when it is `now`: `today 11:37`, `26 Nov 11:37`, `2025-11-26`.
    /// In UTC if the zone is not known.
    pub fn short(&self, now: &Self) -> String {
        let time = |moment: &Self| NaiveDateTime::parse_from_str(&moment.0, FORM).unwrap_or_default();
        let local = |time: NaiveDateTime| palmtop_tables::local::of_utc(time).unwrap_or(time);
        short(local(time(self)), local(time(now)))
    }
}

fn short(time: NaiveDateTime, now: NaiveDateTime) -> String {
    let form = match () {
        () if time.date() == now.date() => "today %H:%M",
        () if time.format("%Y").to_string() == now.format("%Y").to_string() => "%-d %b %H:%M",
        () => "%Y-%m-%d",
    };
    time.format(form).to_string()
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl Reason {
    /// The greatest number of characters of a reason.
    pub const MOST: usize = palmtop_project::reason::MOST_CHARACTERS;

    /// Reads a reason, without blanks around it.
    ///
    /// # Errors
    /// A description of the expected form.
    pub fn read(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.is_empty() {
            return Err(
                "a reason is missing: a search has shown results, so every report gives the reason for a new δ"
                    .to_owned(),
            );
        }
        palmtop_project::reason::read(text).map_err(|expected| {
            let shown = text.chars().take(Self::MOST).filter(|character| !character.is_control());
            format!("`{}` is not a reason: {expected}", shown.collect::<String>())
        })?;
        Self::of_file(text)
    }

    /// Reads a reason from a file. An earlier version may have written a reason with fewer words.
    ///
    /// # Errors
    /// A description of the expected form.
    pub(super) fn of_file(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.is_empty() || text.chars().count() > Self::MOST || text.chars().any(char::is_control) {
            return Err(format!("expected a reason on one line, of at most {} characters", Self::MOST));
        }
        Ok(Self(text.to_owned()))
    }

    /// The words that palmtop writes if the analyst goes to a step with a different δ.
    pub(super) fn of_step(step: usize) -> Self {
        Self(format!("{WENT}{step}"))
    }

    /// The words that palmtop writes if the options of the workbench have another δ than the sitting.
    pub fn of_options() -> Self {
        Self(BY_OPTIONS.to_owned())
    }

    /// Whether the analyst gave the reason: palmtop's own words say how δ changed, not why.
    pub fn is_given(&self) -> bool {
        let step = self.0.strip_prefix(WENT);
        let is_step = step.is_some_and(|step| step.bytes().all(|byte| byte.is_ascii_digit()));
        !is_step && self.0 != BY_OPTIONS
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
    fn a_moment_is_short() {
        let time = |text: &str| NaiveDateTime::parse_from_str(text, FORM).unwrap();
        let now = time("2026-11-27T12:00:00Z");
        for (at, expected) in [
            ("2026-11-27T11:37:59Z", "today 11:37"),
            ("2026-11-06T11:37:00Z", "6 Nov 11:37"),
            ("2025-11-27T11:37:00Z", "2025-11-27"),
        ] {
            assert_eq!(short(time(at), now), expected);
        }
    }

    #[test]
    fn moment_reads_back_and_malformed_ones_are_refused() {
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
    fn reason_is_one_line_that_is_not_empty() {
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
        // A reason with one letter, with two words, or without letters is not understood later.
        for text in ["x", "looks better", "so it is", "1 2 3 4 5 6 7 8 9 10", "reasonableness"] {
            let error = Reason::read(text).unwrap_err();
            assert!(error.contains("at least 3 words and 10 letters"), "{error}");
            assert!(Reason::of_file(text).is_ok(), "an earlier version took {text:?}");
        }
        assert_eq!(Reason::of_step(3), Reason::read("went to step 3").unwrap());
        let given = Reason::read("went to step 3 as the board decided").unwrap();
        let is_given = [Reason::of_step(3), Reason::of_options(), given].map(|reason| reason.is_given());
        assert_eq!(is_given, [false, false, true]);
    }
}
