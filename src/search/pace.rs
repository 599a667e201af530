//! How often a search on its caller's thread asks its observer whether to go on.

use std::ops::ControlFlow;

use super::{Observer, Step};

/// How many look-ups or additions are done between two questions: a few milliseconds at most.
const EACH: usize = 1 << 20;

/// An observer, what it is told next, and how much may be done before it is.
///
/// Whatever takes longer with the columns, the combinations or the nodes counts its work here, so that asking costs
/// nothing and nobody waits long for an answer.
pub(super) struct Pace<'a, 'o> {
    observer: &'a mut Observer<'o>,
    step: Step,
    left: usize,
}

impl<'a, 'o> Pace<'a, 'o> {
    /// Nothing done yet, of `total`.
    pub(super) fn new(observer: &'a mut Observer<'o>, total: u64) -> Self {
        Self { observer, step: Step { done: 0, total, best: None, rounds: None }, left: EACH }
    }

    /// Tells of a step.
    pub(super) fn tell(&mut self, step: Step) -> ControlFlow<()> {
        self.step = step;
        self.left = EACH;
        (self.observer)(step)
    }

    /// Counts work that comes next; where it is enough, asks whether to go on.
    pub(super) fn spend(&mut self, work: usize) -> ControlFlow<()> {
        if work < self.left {
            self.left -= work;
            return ControlFlow::Continue(());
        }
        self.left = EACH;
        (self.observer)(self.step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_observer_is_asked_after_so_much_work_and_told_of_every_step() {
        let mut asked = 0;
        let mut observer = |_: Step| {
            asked += 1;
            if asked == 4 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let mut pace = Pace::new(&mut observer, 9);
        for _ in 0..EACH {
            assert!(pace.spend(2).is_continue());
        }
        assert!(pace.tell(Step { done: 1, total: 9, best: None, rounds: None }).is_continue());
        assert!(pace.spend(EACH).is_break());
        assert_eq!(asked, 4);
    }
}
