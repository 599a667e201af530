//! The utility of releases: the distances of their attributes and pairs from T, the errors of
//! counting queries, and the classes that lose most.

mod commands;
mod figures;
mod parts;
mod view;

#[cfg(test)]
mod tests;

use palmtop_measure::utility::Utility;
use ratatui::text::Line;

use self::commands::{Command, ROWS, SHOW};
use self::parts::{Part, UtilityParts};
use crate::kit::command::Row;
use crate::kit::slot::Task;
use crate::shared::candidate_screen::{CandidateScreen, Drawing, Measure, Measuring};
use crate::shared::state::Shared;
use crate::shared::utility::TASK;

/// The screen.
pub(crate) type UtilityScreen = CandidateScreen<UtilityParts>;

impl Measuring for UtilityParts {
    type Command = Command;
    type Measure = Utility;

    const SHOW: Row<()> = SHOW;
    const ROWS: &'static [Row<Command>] = ROWS;
    const PURPOSE: &'static str = "see what each release is good for";
    const LEGEND: &'static [&'static str] = &[
        "Each row is a release, measured against T, not judged. Query, 90th: the median and the 90th percentile \
             of the relative error of 1,000 counting queries, drawn from seed 0; each label is spread evenly \
             over its values in P. Distance: the mean over quasi-identifiers of half the sum of the differences \
             of shares; then the distance of each attribute.",
        "Below: for each attribute, the shares of groups of values in T and in the release; Cramér's V of pairs, \
             in T and in the release; the errors of the queries by sensitive value; the classes whose rows lose \
             most. docs/measures.md defines them.",
    ];
    const TASK: Task = TASK;
    const FIGURES: &'static str = "the utility";
    /// The part below has the complete name of each attribute.
    const LONGEST_HEAD: usize = 11;

    fn measure(&mut self, shared: &Shared) -> Measure<Utility> {
        self.basis.measure(shared)
    }

    fn act(&mut self, shared: &Shared, command: Command) -> bool {
        let attributes = shared.problem.quasi().len() + shared.analysis.sensitive().len();
        match command {
            Command::Part => self.part = (self.part + 1) % Part::ALL.len(),
            Command::Left => self.first = self.first.saturating_sub(1),
            Command::Right => self.first = (self.first + 1).min(attributes.saturating_sub(1)),
            Command::Open => return true,
        }
        false
    }

    fn heads(shared: &Shared) -> Vec<String> {
        figures::heads(shared)
    }

    fn cells(utility: &Utility) -> Vec<String> {
        figures::cells(utility)
    }

    fn in_full(&self, drawing: &Drawing, name: &str, utility: &Utility) -> Vec<Line<'static>> {
        view::in_full(self, drawing, name, utility)
    }
}
