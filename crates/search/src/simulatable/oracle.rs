//! The one way to the private table: a question of how many of its people are in one half of a region.

use palmtop_core::model::Histogram;

/// Answers how many members are in a half that is offered, if the number is one of those that would be accepted.
///
/// This is all that a search may learn of T: whoever has the answers, and P, |T| and δ, can run it again.
pub trait Oracle {
    /// The number of members among the combinations of the half, in one or several lists; `None` for *failed*: it is not
    /// accepted, and no more is said.
    fn ask(&mut self, half: &[&[u32]], is_accepted: &dyn Fn(u64) -> bool) -> Option<u64>;
}

/// Answers from the private counts.
#[derive(Debug)]
pub struct Members<'a>(&'a Histogram);

impl<'a> Members<'a> {
    /// The members that a histogram counts.
    pub fn of(histogram: &'a Histogram) -> Self {
        Self(histogram)
    }
}

impl Oracle for Members<'_> {
    fn ask(&mut self, half: &[&[u32]], is_accepted: &dyn Fn(u64) -> bool) -> Option<u64> {
        let counts = self.0.counts();
        let members = half.iter().copied().flatten().map(|&place| counts[place as usize].private).sum();
        is_accepted(members).then_some(members)
    }
}

/// Asks another oracle, of combinations each of which is several of the other's.
#[derive(Debug)]
pub(super) struct Whole<O> {
    /// The other's combinations of each.
    pub(super) parts: Vec<Vec<u32>>,
    pub(super) oracle: O,
}

impl<O: Oracle> Oracle for Whole<O> {
    fn ask(&mut self, half: &[&[u32]], is_accepted: &dyn Fn(u64) -> bool) -> Option<u64> {
        let parts = half.iter().copied().flatten().flat_map(|&place| &self.parts[place as usize]);
        let parts: Vec<u32> = parts.copied().collect();
        self.oracle.ask(&[&parts], is_accepted)
    }
}

/// Gives answers that were given before, in their order; T is not looked at.
#[derive(Clone, Debug)]
pub struct Replay<I>(I);

impl<I: Iterator<Item = Option<u64>>> Replay<I> {
    /// The answers of a transcript.
    pub fn of(answers: I) -> Self {
        Self(answers)
    }
}

impl<I: Iterator<Item = Option<u64>>> Oracle for Replay<I> {
    /// The next answer; *failed* where there is none, or it would not be accepted: then it is not this search's transcript.
    fn ask(&mut self, _: &[&[u32]], is_accepted: &dyn Fn(u64) -> bool) -> Option<u64> {
        self.0.next().flatten().filter(|&members| is_accepted(members))
    }
}
