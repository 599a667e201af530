//! The utility of releases, measured in the background for the screen that shows it. T is read, and
//! its queries are answered, once.

use std::sync::{Arc, OnceLock};

use palmtop_measure::utility::{Utility, Workload};
use palmtop_project::compatibility::{Command, Feature};
use palmtop_release::pipeline::{self, Analysis, UtilityBasis};

use super::measured::Measure;
use super::state::Shared;
use crate::kit::slot::Task;
use crate::kit::words::chain;

/// The number of worst classes that are kept.
const WORST: usize = 50;
/// The seed of the queries; commands use the same default.
const SEED: u64 = 0;

/// T with its workload, or the reason why it could not be read; empty before it is read.
type Basis = Arc<OnceLock<Result<UtilityBasis, String>>>;

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
