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
    /// How much work may be done in all, where that is limited.
    budget: Option<u64>,
}

impl<'a, 'o> Pace<'a, 'o> {
    /// Nothing done yet, of `total`.
    pub(super) fn new(observer: &'a mut Observer<'o>, total: u64) -> Self {
        Self { observer, step: Step::of(0, total), left: EACH, budget: None }
    }

    /// The same, but stops after so much work, whoever says what. Work depends on nothing but the problem.
    pub(super) fn within(self, work: u64) -> Self {
        Self { budget: Some(work), ..self }
    }

    /// Tells of a step.
    pub(super) fn tell(&mut self, step: Step) -> ControlFlow<()> {
        self.step = step;
        self.left = EACH;
        (self.observer)(step)
    }

    /// Counts work that comes next; where it is enough, asks whether to go on.
    pub(super) fn spend(&mut self, work: usize) -> ControlFlow<()> {
        if let Some(budget) = &mut self.budget {
            match budget.checked_sub(work as u64) {
                Some(left) => *budget = left,
                None => return ControlFlow::Break(()),
            }
        }
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
        assert!(pace.tell(Step::of(1, 9)).is_continue());
        assert!(pace.spend(EACH).is_break());
        assert_eq!(asked, 4);
    }

    #[test]
    fn a_budget_ends_the_work_though_nobody_says_stop() {
        let mut observer = |_: Step| ControlFlow::Continue(());
        let mut pace = Pace::new(&mut observer, 9).within(10);
        assert!(pace.spend(4).is_continue() && pace.spend(6).is_continue() && pace.spend(1).is_break());
    }
}
