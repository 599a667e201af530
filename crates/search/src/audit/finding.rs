//! The finding of an audit: a count if there is one, and every remaining doubt.

use super::result::{Audit, AuditMethod};
use palmtop_core::words::plural;

/// The finding of an audit, with what it could not decide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AuditFinding {
    /// What the posteriors are conditioned on. It is neither [`AuditMethod::Replayed`] nor
    /// [`AuditMethod::None`].
    pub method: AuditMethod,
    /// The number of people whose posterior is outside δ. `None` if none was found and some region
    /// was not decided, because 0 would read as safe.
    pub people: Option<u64>,
    /// The number of people whose sampled posterior is too near a bound to be counted.
    pub doubtful: u64,
    /// The number of regions or classes whose event is too rare to sample.
    pub not_sampled: u64,
    /// Whether no region was judged.
    pub is_empty: bool,
    /// Whether some posteriors are estimates from draws.
    pub is_sampled: bool,
    /// The highest posterior, if one is known.
    pub worst: Option<f64>,
}

impl Audit {
    /// The finding of this audit; `None` if the audit is a proof, or if there is no audit.
    pub fn finding(&self) -> Option<AuditFinding> {
        if matches!(self.method, AuditMethod::Replayed | AuditMethod::None) {
            return None;
        }
        let people = self.beyond.people;
        let left = self.beyond.doubtful + self.too_rare + self.with_cut;
        let is_empty = self.worst.is_none() && self.regions > 0;
        Some(AuditFinding {
            method: self.method,
            people: (people > 0 || (left == 0 && !is_empty)).then_some(people),
            doubtful: self.beyond.doubtful,
            not_sampled: self.too_rare,
            is_empty,
            is_sampled: self.sampled > 0,
            worst: self.worst.map(|(worst, _)| worst),
        })
    }
}

/// The verdict of an audit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuditVerdict {
    /// There is a count of the people outside δ.
    Audited,
    /// None was found, and some region was not decided.
    NotDecided,
    /// No region was judged.
    NotSampled,
}

impl AuditVerdict {
    /// The verdict in JSON, in tables and in the register, a stable key.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Audited => "audited",
            Self::NotDecided => "not decided",
            Self::NotSampled => "not sampled",
        }
    }

    /// The verdict of this name; `None` if no audit has it.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Audited, Self::NotDecided, Self::NotSampled]
            .into_iter()
            .find(|verdict| verdict.as_str() == name)
    }
}

impl AuditFinding {
    /// The verdict.
    pub fn verdict(self) -> AuditVerdict {
        match self.people {
            Some(_) => AuditVerdict::Audited,
            None if self.is_empty => AuditVerdict::NotSampled,
            None => AuditVerdict::NotDecided,
        }
    }

    /// The verdict in one line, with its doubts.
    pub fn words(self) -> String {
        let highest = if self.is_sampled { "highest estimate" } else { "highest posterior" };
        let worst = self.worst.map_or_else(String::new, |worst| format!(", {highest} {worst:.4}"));
        match self.people {
            Some(0) if self.method == AuditMethod::EveryTable => {
                format!("audited: nobody is beyond δ, of all T that give this release{worst}")
            }
            Some(0) => format!("audited: none found beyond δ {}{worst}; there may be some", self.condition()),
            Some(people) => format!(
                "audited: {} beyond δ {}{worst}{}",
                plural(people, "person"),
                self.condition(),
                self.doubts().map_or_else(String::new, |doubts| format!("; {doubts}"))
            ),
            None if self.is_empty => {
                format!("not sampled: {}; people may be beyond δ", self.reason_for_none())
            }
            None => {
                let doubts = self.doubts().unwrap_or_else(|| "some regions were not tested".to_owned());
                format!("not decided: none counted beyond δ, but {doubts}{worst}")
            }
        }
    }

    /// What the posteriors are conditioned on, as the end of a sentence. The words claim no lower
    /// bound.
    pub(super) fn condition(self) -> &'static str {
        match self.method {
            AuditMethod::EveryTable => "of all T that give this release",
            AuditMethod::Resampled => "by sampling",
            AuditMethod::RejectedCuts | AuditMethod::Replayed | AuditMethod::None => "by these events alone",
        }
    }

    /// The reason for which no region was judged.
    pub(super) fn reason_for_none(self) -> &'static str {
        if self.not_sampled > 0 {
            "the release is too rare to sample"
        } else {
            "no region has an event to look at"
        }
    }

    /// What could not be decided; `None` if everything was.
    pub(super) fn doubts(self) -> Option<String> {
        let doubtful = (self.doubtful > 0)
            .then(|| format!("{} people are too near a bound for the sample to decide", self.doubtful));
        let regions = if self.not_sampled == 1 { "region is" } else { "regions are" };
        let rare =
            (self.not_sampled > 0).then(|| format!("{} {regions} too rare to sample", self.not_sampled));
        let doubts: Vec<String> = doubtful.into_iter().chain(rare).collect();
        (!doubts.is_empty()).then(|| doubts.join(", and "))
    }
}
