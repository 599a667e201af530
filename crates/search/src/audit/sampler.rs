//! Posteriors by drawing T's, and keeping those to which it happened.

use std::ops::ControlFlow;

use super::{Beyond, Posterior};
use palmtop_core::model::Delta;

/// Draws that had the event: with fewer, it is too rare to be sampled.
pub(super) const FEWEST: u64 = 30;
/// With so many it is enough, and with so many more, where somebody is a few standard errors beyond a bound.
const ENOUGH: u64 = 4_000;
const MOST: u64 = 64_000;
/// Somebody who is so many standard errors beyond a bound may come to be counted with more draws.
const PROMISING: f64 = 2.5;
/// What is not seen in so many draws, or always, has still this many in it, by [`Beyond::ERRORS`] standard errors.
const UNSEEN: f64 = 4.0;

/// What the draws that had the event come to.
pub(super) struct Sampler {
    delta: Delta,
    /// The people of each combination.
    people: Vec<u64>,
    sums: Vec<u64>,
    squares: Vec<u64>,
    had: u64,
    /// When to look again whether it is enough.
    next: u64,
    counts: Vec<u64>,
}

impl Sampler {
    /// Nothing drawn yet, of combinations with so many people.
    pub(super) fn of(delta: Delta, people: Vec<u64>) -> Self {
        let zeros = || vec![0; people.len()];
        Self { delta, sums: zeros(), squares: zeros(), counts: zeros(), people, had: 0, next: ENOUGH }
    }

    /// How many draws had the event.
    pub(super) fn had(&self) -> u64 {
        self.had
    }

    /// Takes a draw that had the event: the combination of each member.
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

    /// Breaks where more draws would not tell more.
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

    /// The posteriors; `None` where the event is too rare.
    pub(super) fn posteriors(&self) -> Option<Vec<Posterior>> {
        (self.had >= FEWEST).then(|| self.all().collect())
    }

    #[expect(clippy::cast_precision_loss, reason = "estimates")]
    fn all(&self) -> impl Iterator<Item = Posterior> + '_ {
        let had = self.had as f64;
        (0..self.people.len()).map(move |place| {
            let people = self.people[place] as f64;
            let mean = self.sums[place] as f64 / had;
            let variance = (self.squares[place] as f64 / had - mean * mean).max(0.0);
            let error = (variance / had).sqrt().max(UNSEEN / had);
            Posterior { mean: mean / people, error: error / people }
        })
    }
}
