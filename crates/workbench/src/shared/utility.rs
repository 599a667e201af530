//! The utility of releases, measured in the background for the screens that show it. T is read, and
//! its queries are answered, once.

use std::sync::{Arc, OnceLock};

use palmtop_measure::utility::{Utility, Workload};
use palmtop_project::compatibility::{Command, Feature};
use palmtop_release::pipeline::{self, Analysis, UtilityBasis};

use super::candidate_list::Measure;
use super::measured::{self, Measurements};
use super::state::Shared;
use super::view::Candidate;
use crate::kit::link::Link;
use crate::kit::slot::Task;
use crate::kit::words::chain;

/// The number of worst classes that are kept.
const WORST: usize = 50;
/// The seed of the queries; commands use the same default.
const SEED: u64 = 0;

/// T with its workload, or the reason why it could not be read; empty before it is read.
type Basis = Arc<OnceLock<Result<UtilityBasis, String>>>;

/// A message of the jobs: one release at a time.
pub(crate) type Message = measured::Message<Utility>;

/// The job that measures.
pub(crate) const TASK: Task = Task { kind: "utility", doing: "measuring the utility of releases" };

/// The basis of the last measurement, with the analysis that it was read from.
#[derive(Default)]
pub(crate) struct KnownBasis(Option<(Arc<Analysis>, Basis)>);

impl KnownBasis {
    /// The function that measures a release; the first call reads T.
    pub(crate) fn measure(&mut self, shared: &Shared) -> Measure<Utility> {
        let analysis = Arc::clone(&shared.analysis);
        let known = self.0.take().filter(|(of, _)| Arc::ptr_eq(of, &analysis));
        let (_, basis) = self.0.insert(known.unwrap_or_else(|| (Arc::clone(&analysis), Basis::default())));
        let basis = Arc::clone(basis);
        let refused = analysis.refusal(Feature::Command(Command::Compare));
        Box::new(move |release| {
            if let Some(refused) = refused {
                return Err(refused.to_string());
            }
            let basis = basis.get_or_init(|| {
                pipeline::utility::basis(&analysis, SEED, Workload::QUERIES).map_err(|error| chain(&error))
            });
            let basis = basis.as_ref().map_err(Clone::clone)?;
            Ok(pipeline::utility::of_release(&analysis, basis, release, WORST))
        })
    }
}

/// The measured releases.
pub(crate) struct Utilities {
    pub(crate) measurements: Measurements<Utility>,
    basis: KnownBasis,
}

impl Utilities {
    /// A list without measures.
    pub(crate) fn new() -> Self {
        Self { measurements: Measurements::new(TASK), basis: KnownBasis::default() }
    }

    /// The utility of a candidate; none before it is measured.
    pub(crate) fn of(&self, candidate: &Candidate) -> Option<&Result<Utility, String>> {
        self.measurements.of(candidate)
    }

    /// Measures the candidates without a measure; the one under the cursor comes first.
    pub(crate) fn ask<M: Send + 'static>(
        &mut self,
        link: &Link<M>,
        wrap: impl Fn(Message) -> M + Clone + Send + 'static,
        shared: &Shared,
        candidates: (&[Candidate], usize),
    ) {
        let measure = self.basis.measure(shared);
        self.measurements.ask(link, wrap, candidates, measure);
    }

    /// Takes a measure; returns the message of a failure.
    pub(crate) fn take(&mut self, message: Message) -> Option<String> {
        self.measurements.take(message)
    }
}
