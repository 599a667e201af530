//! A lower bound on the loss of every δ-present release, which shows how far a release can still be
//! improved.
//!
//! A class with a member has at least 1/δmax individuals, and its box contains them all. So the
//! member's loss is at least that of the smallest box that contains the member and as many
//! individuals. The mean of these smallest boxes over all members is a lower bound on the loss of
//! every δ-present release with disjoint classes, however it was found. A withdrawn member has loss
//! 1, which no box exceeds.
//!
//! The bound is not sharp: it ignores that boxes must not overlap, and that several members share a
//! box.

mod space;
mod nearest;
mod least_box;

use rayon::prelude::*;

use self::least_box::LeastBox;
use self::nearest::Blocks;
use self::space::Space;
use crate::control::worker_pool::{WorkerPool, watched};
use crate::{Observer, Step};
use palmtop_core::model::Problem;

/// The largest number of pairs of a combination of T and one of P for which a bound is computed.
const PAIRS: u128 = 2_000_000_000;
/// The largest number of pairs times columns.
const SIDES: u128 = 8 * PAIRS;
/// The number of T's combinations that all cores bound between two questions to the observer.
const BATCH: usize = 64;

/// The reason for which no bound was computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoBound {
    /// The computation would take too long. A second attempt gives the same error.
    #[error(
        "the tables are too large for a bound on the loss: it needs {amount} {unit}, but the \
         limit is {limit}"
    )]
    TooLarge {
        /// The number of items that a bound needs.
        amount: u128,
        /// The kind of item, in plural.
        unit: &'static str,
        /// The largest number of items for which a bound is computed.
        limit: u128,
    },
    /// The observer stopped it.
    #[error("stopped on request")]
    Cancelled,
}

/// A lower bound on the [`loss`](palmtop_core::metrics::Loss::mean) of every δ-present release with
/// disjoint classes.
///
/// Complexity: O(t·c·m) in the worst case and usually far less, for t combinations of T, c of P and
/// m quasi-identifiers, on all cores.
///
/// # Errors
/// [`NoBound`] if the tables are too large, or if the observer stops the computation.
///
/// # Panics
/// If people who have several rows are counted: the bound is of regions, which are of rows.
pub fn bound(problem: &Problem, observer: &mut Observer) -> Result<f64, NoBound> {
    assert!(problem.people().is_none(), "a bound is of rows");
    let histogram = problem.histogram();
    let private: Vec<usize> =
        (0..histogram.len()).filter(|&index| histogram.counts()[index].private > 0).collect();
    let pairs = private.len() as u128 * histogram.len() as u128;
    check(pairs, "pairs of combinations", PAIRS)?;
    check(pairs * histogram.width() as u128, "sides of boxes", SIDES)?;
    watched(observer, |pool| total(problem, &private, pool)).ok_or(NoBound::Cancelled)
}

fn check(amount: u128, unit: &'static str, limit: u128) -> Result<(), NoBound> {
    if amount > limit { Err(NoBound::TooLarge { amount, unit, limit }) } else { Ok(()) }
}

#[expect(clippy::cast_precision_loss, reason = "a number of rows, for a loss")]
fn total(problem: &Problem, private: &[usize], pool: &WorkerPool) -> Option<f64> {
    let space = Space::of(problem);
    let blocks = Blocks::of(&space, pool)?;
    let mut sum = 0.0;
    for (batch, people) in private.chunks(BATCH).enumerate() {
        let (done, total) = ((batch * BATCH) as u64, private.len() as u64);
        pool.report(Step::of(done, total)).continue_value()?;
        let least_box = |search: &mut LeastBox, &index: &usize| {
            pool.go_on().continue_value()?;
            Some(least_box(&space, index, &blocks, search))
        };
        // Summed in a fixed order, so that rounding does not depend on the number of cores.
        let boxes: Option<Vec<f64>> = people.par_iter().map_init(LeastBox::default, least_box).collect();
        let boxes = boxes?;
        let weights = people.iter().map(|&index| problem.histogram().counts()[index].private as f64);
        sum += boxes.iter().zip(weights).map(|(loss, weight)| loss * weight).sum::<f64>();
    }
    // Less by a relative margin that is greater than any rounding.
    Some(sum / problem.histogram().total().private as f64 * (1.0 - 1e-12))
}

/// A lower bound on the loss of every box that contains this combination and as many individuals as
/// its members need.
fn least_box(space: &Space, row: usize, blocks: &Blocks, search: &mut LeastBox) -> f64 {
    let needed = space.needed(space.counts[row].private);
    if u128::from(space.counts[row].public) >= needed {
        return 0.0;
    }
    let far = blocks.nearest(space, row, &mut search.near);
    search.run(space, row, needed, far)
}

#[cfg(test)]
mod tests;
