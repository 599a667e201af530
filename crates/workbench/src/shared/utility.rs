//! What releases are good for, measured in the background for the screens that show it: T is read, and its queries are answered, once.

use std::sync::{Arc, OnceLock};

use palmtop_flow::pipeline::{self, Analysis, UtilityBasis};
use palmtop_measure::utility::{Utility, Workload};

use super::measured::{self, Measurements};
use super::state::Shared;
use super::view::Candidate;
use crate::kit::link::Link;
use crate::kit::slot::Task;
use crate::kit::words::chain;

/// So many of the classes that lose most are kept.
const WORST: usize = 50;
/// What the queries are drawn from, as the commands do where no seed is given.
const SEED: u64 = 0;

/// T with its workload, once it is there, or why it is not.
type Basis = Arc<OnceLock<Result<UtilityBasis, String>>>;

/// What its jobs have to say: a release at a time.
pub(crate) type Message = measured::Message<Utility>;

/// What is measured of releases.
pub(crate) struct Utilities {
    pub(crate) measurements: Measurements<Utility>,
    /// Of the analysis that it is of.
    basis: Option<(Arc<Analysis>, Basis)>,
}

impl Utilities {
    /// Where nothing is measured yet.
    pub(crate) fn new() -> Self {
        let task = Task { kind: "utility", doing: "measuring the utility of releases" };
        Self { measurements: Measurements::new(task), basis: None }
    }

    /// What a candidate is good for, once it is measured.
    pub(crate) fn of(&self, candidate: &Candidate) -> Option<&Result<Utility, String>> {
        self.measurements.of(candidate)
    }

    /// Measures the candidates that are not measured yet, that which is pointed at first.
    pub(crate) fn ask<M: Send + 'static>(
        &mut self,
        link: &Link<M>,
        wrap: impl Fn(Message) -> M + Clone + Send + 'static,
        shared: &Shared,
        candidates: (&[Candidate], usize),
    ) {
        let analysis = Arc::clone(&shared.analysis);
        let known = self.basis.take().filter(|(of, _)| Arc::ptr_eq(of, &analysis));
        let (_, basis) =
            self.basis.insert(known.unwrap_or_else(|| (Arc::clone(&analysis), Basis::default())));
        let basis = Arc::clone(basis);
        self.measurements.ask(link, wrap, candidates, move |release| {
            let basis = basis.get_or_init(|| {
                pipeline::utility::basis(&analysis, SEED, Workload::QUERIES).map_err(|error| chain(&error))
            });
            basis
                .as_ref()
                .map(|basis| pipeline::utility::of_release(&analysis, basis, release, WORST))
                .map_err(Clone::clone)
        });
    }

    /// Takes what was measured; answers what is to be said.
    pub(crate) fn take(&mut self, message: Message) -> Option<String> {
        self.measurements.take(message)
    }
}
