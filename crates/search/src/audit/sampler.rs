//! Posteriors from random T's: only draws that have the event count.

use std::ops::ControlFlow;

use super::result::{Beyond, Posterior};
use palmtop_core::model::Delta;

/// The least number of draws that must have the event. With fewer, the event is too rare to sample.
pub(super) const FEWEST: u64 = 30;
/// The number of draws with the event that suffices if no posterior is near a bound.
const ENOUGH: u64 = 4_000;
/// The largest number of draws with the event.
const MOST: u64 = 64_000;
/// The number of standard errors outside δ from which more draws may decide.
const PROMISING: f64 = 2.5;
/// The least standard error is this number divided by the number of draws. It covers values that
/// occur in no draw or in every draw.
const UNSEEN: f64 = 4.0;

/// The sums over the draws that have the event.
pub(super) struct Sampler {
    delta: Delta,
    /// The people of each combination.
    people: Vec<u64>,
    sums: Vec<u64>,
    squares: Vec<u64>,
    had: u64,
    /// The number of draws at which to check again whether they suffice.
    next: u64,
    counts: Vec<u64>,
}

impl Sampler {
    /// A sampler without draws, for combinations with these numbers of people.
    pub(super) fn of(delta: Delta, people: Vec<u64>) -> Self {
        let zeros = || vec![0; people.len()];
        Self { delta, sums: zeros(), squares: zeros(), counts: zeros(), people, had: 0, next: ENOUGH }
    }

    /// The number of draws that have the event.
    pub(super) fn had(&self) -> u64 {
        self.had
    }

    /// Adds a draw that has the event, given by the combination of each member.
    pub(super) fn take(&mut self, members: &[u32]) {
        self.had += 1;
        for &member in members {
            self.counts[member as usize] += 1;
        }
        for &member in members {
            let count = std::mem::take(&mut self.counts[member as usize]);
            self.sums[member as usize] += count;
            self.squares[member as usize] += count * count;
        }
    }

    /// Breaks if further draws would not decide more.
    pub(super) fn go_on(&mut self) -> ControlFlow<()> {
        if self.had < self.next {
            return ControlFlow::Continue(());
        }
        self.next *= 2;
        let is_promising = || {
            self.all().any(|posterior| {
                posterior.is_beyond(self.delta, PROMISING) && !posterior.is_beyond(self.delta, Beyond::ERRORS)
            })
        };
        if self.had < MOST && is_promising() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// The posteriors; `None` if the event is too rare.
    pub(super) fn posteriors(&self) -> Option<Vec<Posterior>> {
        (self.had >= FEWEST).then(|| self.all().collect())
    }

    #[expect(clippy::cast_precision_loss, reason = "estimates")]
    fn all(&self) -> impl Iterator<Item = Posterior> + '_ {
        let had = self.had as f64;
        (0..self.people.len()).map(move |index| {
            let people = self.people[index] as f64;
            let mean = self.sums[index] as f64 / had;
            let variance = (self.squares[index] as f64 / had - mean * mean).max(0.0);
            let error = (variance / had).sqrt().max(UNSEEN / had);
            Posterior { mean: mean / people, error: error / people }
        })
    }
}
