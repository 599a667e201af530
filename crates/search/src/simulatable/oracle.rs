//! The only access to T: a question for the number of members in one half of a region.

use std::sync::Arc;

use palmtop_core::model::Histogram;

/// Answers how many members are in a half, if the search accepts that number.
///
/// A search learns nothing else about T. With the answers, P, |T| and δ, anyone can run it again.
pub trait Oracle {
    /// The number of members among the combinations of the half, which may come in several lists.
    /// `None` means *failed*: the search does not accept the number, and learns only this.
    fn ask(&mut self, half: &[&[u32]], is_accepted: &dyn Fn(u64) -> bool) -> Option<u64>;

    /// The same oracle for questions about other regions at the same time; `None` if its answers come in the
    /// order of the questions.
    fn another(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }
}

/// An oracle that answers from the private counts.
#[derive(Debug)]
pub struct Members<'a>(&'a Histogram);

impl<'a> Members<'a> {
    /// The members of a histogram.
    pub fn of(histogram: &'a Histogram) -> Self {
        Self(histogram)
    }
}

impl Oracle for Members<'_> {
    fn ask(&mut self, half: &[&[u32]], is_accepted: &dyn Fn(u64) -> bool) -> Option<u64> {
        let counts = self.0.counts();
        let members =
            half.iter().copied().flatten().map(|&combination| counts[combination as usize].private).sum();
        is_accepted(members).then_some(members)
    }

    fn another(&self) -> Option<Self> {
        Some(Self(self.0))
    }
}

/// An oracle for a problem at coarser leaves. Each of its combinations is several combinations of
/// the inner oracle.
#[derive(Debug)]
pub(super) struct Coarsened<O> {
    /// For each combination, the combinations of the inner oracle.
    pub(super) parts: Arc<[Vec<u32>]>,
    pub(super) oracle: O,
}

impl<O: Oracle> Oracle for Coarsened<O> {
    fn ask(&mut self, half: &[&[u32]], is_accepted: &dyn Fn(u64) -> bool) -> Option<u64> {
        let parts = half.iter().copied().flatten().flat_map(|&combination| &self.parts[combination as usize]);
        let parts: Vec<u32> = parts.copied().collect();
        self.oracle.ask(&[&parts], is_accepted)
    }

    fn another(&self) -> Option<Self> {
        Some(Self { parts: Arc::clone(&self.parts), oracle: self.oracle.another()? })
    }
}

/// An oracle that repeats recorded answers in their order, without access to T.
#[derive(Clone, Debug)]
pub struct Replay<I>(I);

impl<I: Iterator<Item = Option<u64>>> Replay<I> {
    /// An oracle with the answers of a transcript.
    pub fn of(answers: I) -> Self {
        Self(answers)
    }
}

impl<I: Iterator<Item = Option<u64>>> Oracle for Replay<I> {
    /// The next answer. It is *failed* if there is none, or if the search does not accept it: then
    /// the transcript belongs to another search.
    fn ask(&mut self, _: &[&[u32]], is_accepted: &dyn Fn(u64) -> bool) -> Option<u64> {
        self.0.next().flatten().filter(|&members| is_accepted(members))
    }
}
