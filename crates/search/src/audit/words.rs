//! An audit in words: it never says that a release is safe but where that is proved.

use super::sampler::FEWEST;
use super::{Audit, AuditMethod, Beyond};
use crate::Strategy;
use palmtop_core::model::Delta;

/// How sharp a finding is that looked at some events alone.
const SOME_EVENTS: &str =
    "given these events alone: all of the release may tell more, or less. simulatable rules it out";

impl Audit {
    /// The audit as lines, a name and what is to be said under it: what was looked at, whom it takes out of δ, the worst, and
    /// what it does not say.
    pub fn lines(&self, strategy: Strategy, delta: Delta) -> Vec<(&'static str, String)> {
        let head = ("audit", format!("{strategy}, δ {} to {}", delta.min(), delta.max()));
        let mut lines = vec![head];
        if self.method == AuditMethod::None {
            let why = "on a table of this size, where members may be withdrawn, or with criteria on sensitive values";
            lines.push(("", format!("not audited: there is no audit of {strategy} {why}")));
            return lines;
        }
        lines.push(("released", format!("{} regions or classes, {} people", self.regions, self.people)));
        lines.push(("given", self.given()));
        if self.method == AuditMethod::Replayed {
            let within = self.span.map_or_else(String::new, |span| {
                format!(": posteriors from {} to {}", share(span.least), share(span.greatest))
            });
            lines
                .push(("exact", format!("every answer that was possible leaves everybody within δ{within}")));
            return lines;
        }
        lines.push(("beyond", self.said_of_beyond()));
        if let Some((worst, people)) = self.worst {
            let estimate = if self.sampled > 0 { ", an estimate" } else { "" };
            lines.push(("worst", format!("{} ({people} people{estimate})", share(worst))));
        }
        if self.method == AuditMethod::RejectedCuts {
            lines.push(("", SOME_EVENTS.to_owned()));
        }
        lines
    }

    /// What the posteriors are given.
    pub fn given(&self) -> String {
        let Self {
            exact, sampled, too_rare, too_rare_members, with_cut, parents, draws, had, offers, ..
        } = *self;
        match self.method {
            AuditMethod::None => String::new(),
            AuditMethod::Replayed => {
                format!("the answers alone make this release again, whatever T: {offers} questions")
            }
            AuditMethod::EveryTable => "the release: every possible T was run".to_owned(),
            AuditMethod::Resampled => {
                format!(
                    "the release: of {draws} T's drawn within its classes, {had} give it again{}",
                    if too_rare > 0 { format!(", fewer than {FEWEST}") } else { String::new() }
                )
            }
            AuditMethod::RejectedCuts => {
                let mut given = format!(
                    "that each region's cuts were all rejected: {exact} regions exact, {sampled} sampled"
                );
                if too_rare > 0 {
                    given += &format!(", {too_rare} too rare to sample ({too_rare_members} members)");
                }
                if with_cut > 0 {
                    given += &format!(", {with_cut} not tested: they have a valid cut left");
                }
                if parents > 0 {
                    given += &format!("; of {parents} also that the split that made them was chosen");
                }
                given
            }
        }
    }

    /// Who leaves δ, by what, and what could not be decided.
    pub fn said_of_beyond(&self) -> String {
        let Some(finding) = self.finding() else { return String::new() };
        let members = self.beyond.members;
        let mut said = match finding.people {
            Some(0) if self.method == AuditMethod::EveryTable => {
                "nobody: of all T that give this release".to_owned()
            }
            Some(0) => format!("none found {}", finding.by()),
            Some(people) => {
                format!("{people} people ({members} of them members) outside δ {}", finding.by())
            }
            None if finding.is_empty => finding.nothing().to_owned(),
            None => "not decided: none counted".to_owned(),
        };
        if self.parents > 0 && self.beyond.people > 0 {
            said += &format!(", {} by their region's own cuts alone", self.beyond_by_own);
        }
        if self.beyond.doubtful > 0 {
            said += &format!(
                "; of {} more it cannot be decided: by fewer than {} standard errors",
                self.beyond.doubtful,
                Beyond::ERRORS
            );
        }
        said
    }
}

/// A posterior in four digits, never 1 or 0 where it is not.
fn share(posterior: f64) -> String {
    let text = format!("{posterior:.4}");
    match text.as_str() {
        "1.0000" if posterior < 1.0 => "above .9999".to_owned(),
        "0.0000" if posterior > 0.0 => "below .0001".to_owned(),
        _ => text,
    }
}
