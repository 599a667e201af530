//! The state of the screen of risks: the selected release, and the measures.

use palmtop_flow::pipeline;
use std::sync::Arc;

use palmtop_core::model::Fraction;
use palmtop_flow::session::RecodingRecipe;
use palmtop_measure::risk::{Risk, RiskClass};

use crate::kit::link::Link;
use crate::kit::slot::Task;
use crate::kit::words::chain;
use crate::shared::measured::{self, Measurements};
use crate::shared::state::Shared;
use crate::shared::view::Candidate;

/// The number of classes at highest risk that are kept.
const WORST: usize = 50;

/// The risk of a release, with its classes at highest risk.
pub(crate) type Measure = (Risk, Vec<RiskClass>);

/// A message of the jobs: one release at a time.
pub(crate) type Message = measured::Message<Measure>;

/// The state of the screen.
pub(crate) struct Risks {
    /// The selected place; the best candidate if it is not among the candidates.
    pub(crate) pointed: Option<RecodingRecipe>,
    pub(crate) measurements: Measurements<Measure>,
}

impl Risks {
    /// A screen that nobody has opened.
    pub(super) fn unopened() -> Self {
        let task = Task { kind: "risk", doing: "measuring risks" };
        Self { pointed: None, measurements: Measurements::new(task) }
    }

    /// The candidates, and the index of the selected one.
    pub(super) fn candidates(&self, shared: &Shared) -> Result<(Vec<Candidate>, usize), String> {
        measured::candidates(shared, self.pointed.as_ref())
    }

    /// Measures the candidates without a measure.
    pub(super) fn ask(&mut self, link: &Link<Message>, shared: &Shared) {
        let Ok((candidates, pointed)) = self.candidates(shared) else { return };
        let analysis = Arc::clone(&shared.analysis);
        self.measurements.ask(
            link,
            |answer| answer,
            (&candidates, pointed),
            move |release| {
                let c: Fraction = RECURSIVE_C.parse().map_err(|error| chain(&error))?;
                let classes = pipeline::risk::classes(&analysis, release).map_err(|error| chain(&error))?;
                Ok((Risk::of(&classes, &c), classes.worst(WORST).into_iter().cloned().collect()))
            },
        );
    }
}

/// The c of recursive (c, l)-diversity, as in the examples of the literature.
pub(super) const RECURSIVE_C: &str = "3";
