//! An audit in words. They call a release safe only if that is proven.

use super::result::{Audit, AuditMethod, Beyond};
use super::sampler::FEWEST;
use crate::Strategy;
use palmtop_core::model::Delta;
use palmtop_core::words::plural;

/// The meaning of a finding that examined some events only.
const SOME_EVENTS: &str =
    "given these events alone: the complete release may reveal more, or less. simulatable prevents this";

impl Audit {
    /// The audit as lines with a heading each: what was examined, who is outside δ, the highest
    /// posterior, and the limits of the finding.
    pub fn lines(&self, strategy: Strategy, delta: Delta) -> Vec<(&'static str, String)> {
        let head = ("audit", format!("{strategy}, δ {} to {}", delta.min(), delta.max()));
        let mut lines = vec![head];
        if self.method == AuditMethod::None {
            let why = "on a large table, with withdrawn members, or with criteria on sensitive values";
            lines.push(("", format!("not audited: there is no audit of {strategy} {why}")));
            return lines;
        }
        lines.push((
            "released",
            format!("{} regions or classes, {}", self.regions, plural(self.people, "person")),
        ));
        lines.push(("given", self.given()));
        if self.method == AuditMethod::Replayed {
            let within = self.span.map_or_else(String::new, |span| {
                format!(": posteriors from {} to {}", share(span.least), share(span.greatest))
            });
            lines.push(("exact", format!("every possible answer keeps everyone within δ{within}")));
            return lines;
        }
        lines.push(("beyond", self.beyond_in_words()));
        if let Some((worst, people)) = self.worst {
            let estimate = if self.sampled > 0 { ", an estimate" } else { "" };
            lines.push(("worst", format!("{} ({people} people{estimate})", share(worst))));
        }
        if self.method == AuditMethod::RejectedCuts {
            lines.push(("", SOME_EVENTS.to_owned()));
        }
        lines
    }

    /// What the posteriors are conditioned on.
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
                    "the release: of {draws} T's drawn within its classes, {had} give the same release{}",
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
                    given += &format!("; for {parents} also that the split that made them was chosen");
                }
                given
            }
        }
    }

    /// The number of people outside δ, on which condition, and what could not be decided.
    pub fn beyond_in_words(&self) -> String {
        let Some(finding) = self.finding() else { return String::new() };
        let members = self.beyond.members;
        let mut text = match finding.people {
            Some(0) if self.method == AuditMethod::EveryTable => {
                "nobody: of all T that give this release".to_owned()
            }
            Some(0) => format!("none found {}", finding.condition()),
            Some(people) => {
                let people = plural(people, "person");
                format!("{people} ({members} of them members) outside δ {}", finding.condition())
            }
            None if finding.is_empty => finding.reason_for_none().to_owned(),
            None => "not decided: none counted".to_owned(),
        };
        if self.parents > 0 && self.beyond.people > 0 {
            text += &format!(", {} by the cuts of their region alone", self.beyond_by_region_cuts);
        }
        if self.beyond.doubtful > 0 {
            text += &format!(
                "; {} more are outside by fewer than {} standard errors, so that they are not decided",
                self.beyond.doubtful,
                Beyond::ERRORS
            );
        }
        text
    }
}

/// A posterior with four digits, but never 1 or 0 unless it is exact.
fn share(posterior: f64) -> String {
    let text = format!("{posterior:.4}");
    match text.as_str() {
        "1.0000" if posterior < 1.0 => "above .9999".to_owned(),
        "0.0000" if posterior > 0.0 => "below .0001".to_owned(),
        _ => text,
    }
}
