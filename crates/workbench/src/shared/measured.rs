//! Measures of releases, computed once each in the background.

use std::sync::Arc;

use palmtop_search::release::Release;

use super::view::Candidate;
use crate::kit::link::Link;
use crate::kit::slot::{Answer, Slot, Task};

/// Measures a release in a job.
pub(crate) type Measure<T> = Box<dyn Fn(&Release) -> Result<T, String> + Send>;

/// A release with its measure, or the reason why it could not be measured.
#[derive(Clone, Debug)]
pub(crate) struct MeasuredOf<T> {
    release: Arc<Release>,
    measure: Result<T, String>,
}

/// A message of the jobs: one release at a time.
pub(crate) type Message<T> = Answer<Box<MeasuredOf<T>>>;

/// The measured releases.
pub(crate) struct Measurements<T> {
    measured: Vec<MeasuredOf<T>>,
    slot: Slot<Box<MeasuredOf<T>>>,
    /// The number of releases that the running job has to measure, with those measured before.
    total: usize,
}

impl<T: Send + 'static> Measurements<T> {
    /// A list without measures.
    pub(crate) fn new(task: Task) -> Self {
        Self { measured: Vec::new(), slot: Slot::new(task), total: 0 }
    }

    /// The measure of a candidate; none if it is not measured yet.
    pub(crate) fn of(&self, candidate: &Candidate) -> Option<&Result<T, String>> {
        let known = |entry: &&MeasuredOf<T>| Arc::ptr_eq(&entry.release, &candidate.measured.release);
        self.measured.iter().find(known).map(|entry| &entry.measure)
    }

    /// Whether a measurement is running.
    pub(crate) fn is_open(&self) -> bool {
        self.slot.is_open()
    }

    /// Why the last measurement failed.
    pub(crate) fn failure(&self) -> Option<&str> {
        self.slot.failure()
    }

    /// How many releases are measured, of how many: `risk 2 of 5`; empty if no measurement is running.
    pub(crate) fn progress(&self, what: &str) -> String {
        if !self.is_open() {
            return String::new();
        }
        format!("{what} {} of {}", self.measured.len(), self.total)
    }

    /// Measures the candidates without a measure; the one under the cursor comes first.
    pub(crate) fn ask<M: Send + 'static>(
        &mut self,
        link: &Link<M>,
        wrap: impl Fn(Message<T>) -> M + Clone + Send + 'static,
        (candidates, pointed): (&[Candidate], usize),
        measure: impl Fn(&Release) -> Result<T, String> + Send + 'static,
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
        self.total = self.measured.len() + waiting.len();
        self.slot.ask(link, wrap, move |job| {
            let _turn = job.turn()?;
            for release in waiting {
                if !job.gives_way() {
                    return None;
                }
                let measure = measure(&release);
                job.part(Box::new(MeasuredOf { release, measure }));
            }
            None
        });
    }

    /// Takes a measure; returns the message of a failure.
    pub(crate) fn take(&mut self, message: Message<T>) -> Option<String> {
        match self.slot.take(message)? {
            Ok(measured) => {
                self.measured.push(*measured);
                None
            }
            Err(message) => Some(message),
        }
    }
}
