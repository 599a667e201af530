//! What releases are good for, measured in the background for the screens that show it: T is read, and its queries are answered, once.

use std::sync::{Arc, OnceLock};

use palmtop::pipeline::{Analysis, UtilityBasis};
use palmtop::release::Release;
use palmtop::utility::{Utility, Workload};

use super::state::{Candidate, Shared};
use crate::tui::kit::link::Link;
use crate::tui::kit::slot::{Answer, Slot, Task};
use crate::tui::kit::words::chain;

/// So many of the classes that lose most are kept.
const WORST: usize = 50;
/// What the queries are drawn from, as the commands do where no seed is given.
const SEED: u64 = 0;

/// T with its workload, once it is there, or why it is not.
type Basis = Arc<OnceLock<Result<UtilityBasis, String>>>;

/// A release with what it is good for, or why that cannot be said.
#[derive(Clone, Debug)]
pub(crate) struct UtilityOf {
    release: Arc<Release>,
    pub(crate) utility: Result<Utility, String>,
}

/// What its jobs have to say: a release at a time.
pub(crate) type Message = Answer<Box<UtilityOf>>;

/// What is measured of releases.
pub(crate) struct Utilities {
    measured: Vec<UtilityOf>,
    /// Of the analysis that it is of.
    basis: Option<(Arc<Analysis>, Basis)>,
    pub(crate) slot: Slot<Box<UtilityOf>>,
}

impl Utilities {
    /// Where nothing is measured yet.
    pub(crate) fn new() -> Self {
        let task = Task { kind: "utility", doing: "measuring what releases are good for" };
        Self { measured: Vec::new(), basis: None, slot: Slot::new(task) }
    }

    /// What a candidate is good for, once it is measured.
    pub(crate) fn of(&self, candidate: &Candidate) -> Option<&UtilityOf> {
        self.measured.iter().find(|known| Arc::ptr_eq(&known.release, &candidate.measured.release))
    }

    /// Measures the candidates that are not measured yet, that which is pointed at first.
    pub(crate) fn ask<M: Send + 'static>(
        &mut self,
        link: &Link<M>,
        wrap: impl Fn(Message) -> M + Clone + Send + 'static,
        shared: &Shared,
        (candidates, pointed): (&[Candidate], usize),
    ) {
        self.measured.retain(|known| {
            candidates.iter().any(|candidate| Arc::ptr_eq(&known.release, &candidate.measured.release))
        });
        let first = candidates.get(pointed).into_iter().chain(candidates);
        let mut waiting: Vec<Arc<Release>> = Vec::new();
        for candidate in first {
            let release = &candidate.measured.release;
            if self.of(candidate).is_none() && !waiting.iter().any(|known| Arc::ptr_eq(known, release)) {
                waiting.push(Arc::clone(release));
            }
        }
        if waiting.is_empty() {
            self.slot.void();
            return;
        }
        let analysis = Arc::clone(&shared.analysis);
        let known = self.basis.take().filter(|(of, _)| Arc::ptr_eq(of, &analysis));
        let (_, basis) =
            self.basis.insert(known.unwrap_or_else(|| (Arc::clone(&analysis), Basis::default())));
        let basis = Arc::clone(basis);
        self.slot.ask(link, wrap, move |job| {
            let _turn = job.turn()?;
            let basis = basis.get_or_init(|| {
                analysis.utility_basis(SEED, Workload::QUERIES).map_err(|error| chain(&error))
            });
            for release in waiting {
                if !job.gives_way() {
                    return None;
                }
                let utility = match basis {
                    Ok(basis) => Ok(analysis.utility(basis, &release, WORST)),
                    Err(why) => Err(why.clone()),
                };
                job.part(Box::new(UtilityOf { release, utility }));
            }
            None
        });
    }

    /// Takes what was measured; answers what is to be said.
    pub(crate) fn take(&mut self, message: Message) -> Option<String> {
        match self.slot.take(message)? {
            Ok(measured) => {
                self.measured.push(*measured);
                None
            }
            Err(said) => Some(said),
        }
    }
}
