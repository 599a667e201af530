//! What the screen of risks has of its own: what it points at, and what was measured of whom.

use std::sync::Arc;

use palmtop::model::Fraction;
use palmtop::release::Release;
use palmtop::risk::{Risk, RiskClass};
use palmtop::session::Place;

use crate::tui::kit::link::Link;
use crate::tui::kit::slot::{Answer, Slot, Task};
use crate::tui::kit::words::chain;
use crate::tui::shared::state::{Candidate, Shared, place_in};

/// So many of the classes that risk most are kept.
const WORST: usize = 50;

/// A release with what it risks, or why that cannot be said.
#[derive(Clone, Debug)]
pub(crate) struct RiskOf {
    release: Arc<Release>,
    pub(crate) risk: Result<(Risk, Vec<RiskClass>), String>,
}

/// What its jobs have to say: a release at a time.
pub(crate) type Message = Answer<Box<RiskOf>>;

/// The state of the screen.
pub(crate) struct Risks {
    /// What it points at; the best candidate if this is none of them.
    pub(crate) pointed: Option<Place>,
    measured: Vec<RiskOf>,
    pub(crate) slot: Slot<Box<RiskOf>>,
}

impl Risks {
    /// A screen that nobody has opened.
    pub(super) fn unopened() -> Self {
        let task = Task { kind: "risk", doing: "measuring risks" };
        Self { pointed: None, measured: Vec::new(), slot: Slot::new(task) }
    }

    /// The candidates, and which of them is pointed at.
    pub(super) fn candidates(&self, shared: &Shared) -> Result<(Vec<Candidate>, usize), String> {
        let candidates = shared.candidates();
        if candidates.is_empty() {
            return Err("nothing is counted yet".to_owned());
        }
        let place = place_in(&candidates, self.pointed.as_ref());
        Ok((candidates, place))
    }

    /// What a candidate risks, once it is measured.
    pub(super) fn of(&self, candidate: &Candidate) -> Option<&RiskOf> {
        self.measured.iter().find(|known| Arc::ptr_eq(&known.release, &candidate.measured.release))
    }

    /// Measures the candidates that are not measured yet, that which is pointed at first.
    pub(super) fn ask(&mut self, link: &Link<Message>, shared: &Shared) {
        let Ok((candidates, pointed)) = self.candidates(shared) else { return };
        self.measured.retain(|known| {
            candidates.iter().any(|candidate| Arc::ptr_eq(&known.release, &candidate.measured.release))
        });
        let first = candidates.get(pointed).into_iter().chain(&candidates);
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
        self.slot.ask(
            link,
            |answer| answer,
            move |job| {
                let _turn = job.turn()?;
                // As in the literature's own examples.
                let c: Fraction = RECURSIVE_C.parse().ok()?;
                for release in waiting {
                    if !job.gives_way() {
                        return None;
                    }
                    let risk = match analysis.risk_classes(&release) {
                        Ok(classes) => {
                            Ok((Risk::of(&classes, &c), classes.worst(WORST).into_iter().cloned().collect()))
                        }
                        Err(error) => Err(chain(&error)),
                    };
                    job.part(Box::new(RiskOf { release, risk }));
                }
                None
            },
        );
    }

    /// Takes what was measured; answers what is to be said.
    pub(super) fn take(&mut self, message: Message) -> Option<String> {
        match self.slot.take(message)? {
            Ok(measured) => {
                self.measured.push(*measured);
                None
            }
            Err(said) => Some(said),
        }
    }
}

/// The c of recursive (c, l)-diversity.
pub(super) const RECURSIVE_C: &str = "3";
