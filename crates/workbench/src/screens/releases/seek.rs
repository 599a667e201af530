//! The members whose published texts contain what was typed.

use std::ops::ControlFlow;
use std::sync::Arc;

use palmtop_release::listing::Ranking;
use palmtop_release::pipeline::{self, Analysis, PipelineError};
use palmtop_search::release::Release;

use crate::kit::link::Link;
use crate::kit::slot::{Answer, JobContext, Slot, Task};
use crate::kit::text;
use crate::kit::words::chain;
use crate::shared::state::Shared;
use crate::shared::view::Candidate;

/// The rows between two checks of whether to go on.
const STRIDE: u64 = 1 << 10;

/// The members that match, by the numbers of their rows in T, from 1.
pub(crate) struct Matches {
    releases: Vec<Arc<Release>>,
    rows: Vec<u64>,
}

/// The matches, or the reason why T cannot be read.
pub(crate) type Sought = Result<Matches, String>;

/// A message of the job.
pub(crate) type Message = Answer<Sought>;

/// The state of the search for a text.
pub(super) struct Seeker {
    /// The typed text; empty if none is sought.
    text: String,
    matches: Option<Matches>,
    /// Whether the first match is gone to.
    goes_there: bool,
    slot: Slot<Sought>,
}

impl Seeker {
    /// A search for nothing.
    pub(super) fn new() -> Self {
        let slot = Slot::new(Task { kind: "seek", doing: "looking for a member" });
        Self { text: String::new(), matches: None, goes_there: false, slot }
    }

    /// Seeks another text, or none.
    pub(super) fn seek(&mut self, text: &str) {
        text.clone_into(&mut self.text);
        self.matches = None;
        self.goes_there = true;
        self.slot.void();
    }

    /// Whether the matches are being counted.
    pub(super) fn is_open(&self) -> bool {
        self.slot.is_open()
    }

    /// The next match after a row, or the previous one, in a circle; none if no text is sought.
    ///
    /// # Errors
    /// No match is known.
    pub(super) fn beside(&self, number: u64, is_forward: bool) -> Result<Option<u64>, String> {
        if self.text.is_empty() {
            return Ok(None);
        }
        let Some(Matches { rows, .. }) = &self.matches else {
            return Err(format!("`{}` is still being looked for", self.text));
        };
        let next = if is_forward {
            rows.get(rows.partition_point(|row| *row <= number)).or(rows.first())
        } else {
            rows[..rows.partition_point(|row| *row < number)].last().or(rows.last())
        };
        next.copied().map(Some).ok_or_else(|| self.none())
    }

    fn none(&self) -> String {
        format!("no published text of a member contains `{}`", self.text)
    }

    /// Seeks the text in these releases, unless that is done.
    pub(super) fn ask<M: Send + 'static>(
        &mut self,
        link: &Link<M>,
        wrap: impl Fn(Message) -> M + Clone + Send + 'static,
        shared: &Shared,
        compared: &[Candidate],
    ) {
        let is_of =
            |release: &Arc<Release>, candidate: &Candidate| Arc::ptr_eq(release, &candidate.measured.release);
        let is_known = self.matches.as_ref().is_some_and(|matches| {
            let releases = &matches.releases;
            releases.len() == compared.len()
                && releases.iter().zip(compared).all(|(one, other)| is_of(one, other))
        });
        if self.text.is_empty() || is_known {
            return;
        }
        let (analysis, text) = (Arc::clone(&shared.analysis), self.text.to_lowercase());
        let measured: Vec<_> = compared.iter().map(|candidate| candidate.measured.clone()).collect();
        self.slot.ask(link, wrap, move |job| {
            let _turn = job.turn()?;
            let of_each: Vec<(&Release, Vec<bool>)> = measured
                .iter()
                .map(|measured| (&*measured.release, classes_with(&analysis, &measured.ranking, &text)))
                .collect();
            let rows = match rows_in(&analysis, &of_each, job) {
                Ok(rows) => rows,
                Err(PipelineError::Cancelled) => return None,
                Err(error) => return Some(Err(chain(&error))),
            };
            let releases = measured.iter().map(|measured| Arc::clone(&measured.release)).collect();
            Some(Ok(Matches { releases, rows }))
        });
    }

    /// Takes the matches. Returns the row to go to, from the given one on, and what to say.
    pub(super) fn take(&mut self, answer: Message, number: u64) -> (Option<u64>, Option<String>) {
        let matches = match self.slot.take(answer) {
            None => return (None, None),
            Some(Ok(Ok(matches))) => matches,
            Some(Ok(Err(why)) | Err(why)) => {
                self.text.clear();
                return (None, Some(why));
            }
        };
        let count = matches.rows.len();
        self.matches = Some(matches);
        if !std::mem::take(&mut self.goes_there) {
            return (None, None);
        }
        match self.beside(number - 1, true) {
            Ok(row) => {
                let members = text::counted(count, "member has", "members have");
                (row, Some(format!("{members} `{}` in a published text", self.text)))
            }
            Err(why) => (None, Some(why)),
        }
    }
}

/// Whether each class publishes a text that contains another one, which is in lower case. A withdrawn class publishes none.
fn classes_with(analysis: &Analysis, ranking: &Ranking, text: &str) -> Vec<bool> {
    let mut with = Vec::new();
    for attribute in 0..analysis.problem().quasi().len() {
        let labels = ranking.labels(attribute);
        let has: Vec<bool> = labels.texts().iter().map(|label| label.to_lowercase().contains(text)).collect();
        with.resize(labels.label_of().len(), false);
        for (with, label) in with.iter_mut().zip(labels.label_of()) {
            *with |= has[*label as usize];
        }
    }
    for (class, with) in (0..).zip(&mut with) {
        *with &= !ranking.is_pool(class);
    }
    with
}

/// The rows of T whose class is marked in some release.
fn rows_in(
    analysis: &Analysis,
    of_each: &[(&Release, Vec<bool>)],
    job: &JobContext<Sought>,
) -> Result<Vec<u64>, PipelineError> {
    let (mut rows, mut number) = (Vec::new(), 0_u64);
    pipeline::find::visit_units(analysis, &mut || job.go_on(), &mut |unit| {
        number += 1;
        let is_marked = |(release, classes): &(&Release, Vec<bool>)| {
            let class = unit.and_then(|unit| release.classes.class_of.get(unit));
            class.is_some_and(|class| classes[*class as usize])
        };
        if of_each.iter().any(is_marked) {
            rows.push(number);
        }
        if number.is_multiple_of(STRIDE) { job.go_on() } else { ControlFlow::Continue(()) }
    })?;
    Ok(rows)
}
