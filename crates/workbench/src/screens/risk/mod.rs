//! The risks of releases other than δ: the sizes of their classes, and the number and the
//! distribution of their sensitive values.

mod commands;
mod figures;
mod view;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use palmtop_core::model::Fraction;
use palmtop_measure::risk::{Risk, RiskClass};
use palmtop_release::pipeline;
use ratatui::text::Line;

use self::commands::{Command, ROWS, SHOW};
use self::figures::{HEADS, RECURSIVE_C, WITHOUT_VALUES, cells};
use crate::kit::command::Row;
use crate::kit::slot::Task;
use crate::kit::words::chain;
use crate::shared::candidate_screen::{CandidateScreen, Drawing, Measure, Measuring};
use crate::shared::state::Shared;

/// The number of classes at highest risk that are kept.
const WORST: usize = 50;

/// The screen.
pub(crate) type RiskScreen = CandidateScreen<Risks>;

/// The risks of each release.
#[derive(Default)]
pub(crate) struct Risks;

impl Measuring for Risks {
    type Command = Command;
    /// The risk of a release, with its classes at highest risk.
    type Measure = (Risk, Vec<RiskClass>);

    const SHOW: Row<()> = SHOW;
    const ROWS: &'static [Row<Command>] = ROWS;
    const PURPOSE: &'static str = "see what each release risks beside δ";
    const LEGEND: &'static [&'static str] = &[
        "Each row is a release, measured, not judged: [policy] has the enforced criteria. Only classes with \
             members count. k and k-map: the fewest members, and the fewest people of P, in a class. Alone: \
             members who are the only member, or the only person of P, in their class. Risk and risk P: the \
             means over members of 1/t and 1/n, for a class with t members and n people.",
        "For the sensitive attribute with the worst figure: values, the fewest different values in a class (l); \
             even, how many equally frequent values have the same entropy (e^H); (3, l), the most frequent value \
             against the rarer ones; far, the distance of a class's values from those of all of T (t).",
    ];
    const TASK: Task = Task { kind: "risk", doing: "measuring risks" };
    const FIGURES: &'static str = "the risks";

    fn measure(&mut self, shared: &Shared) -> Measure<Self::Measure> {
        let analysis = Arc::clone(&shared.analysis);
        Box::new(move |release| {
            let c: Fraction = RECURSIVE_C.parse().map_err(|error| chain(&error))?;
            let classes = pipeline::risk::classes(&analysis, release).map_err(|error| chain(&error))?;
            Ok((Risk::of(&classes, &c), classes.worst(WORST).into_iter().cloned().collect()))
        })
    }

    fn act(&mut self, _: &Shared, command: Command) -> bool {
        match command {
            Command::Open => true,
        }
    }

    fn heads(_: &Shared) -> Vec<String> {
        HEADS.map(str::to_owned).to_vec()
    }

    fn shown(shared: &Shared) -> usize {
        if shared.analysis.sensitive().is_empty() { WITHOUT_VALUES } else { HEADS.len() }
    }

    fn cells((risk, _): &Self::Measure) -> Vec<String> {
        cells(risk)
    }

    fn in_full(&self, drawing: &Drawing, name: &str, (risk, worst): &Self::Measure) -> Vec<Line<'static>> {
        view::in_full(drawing, name, (risk, worst))
    }
}
