//! How often a search that runs on its caller's thread asks its observer whether to continue.

use std::ops::ControlFlow;

use crate::{Observer, Step};

/// The number of look-ups or additions between two questions: a few milliseconds at most.
const EACH: usize = 1 << 20;

/// An observer with the step to show next, and the work left until then.
///
/// Every loop whose length grows with the columns, the combinations or the nodes counts its work
/// here. So the cost of asking is negligible, and the caller never waits long for an answer.
pub(crate) struct Pace<'a, 'o> {
    observer: &'a mut Observer<'o>,
    step: Step,
    left: usize,
    /// The total work that remains, if it is limited.
    budget: Option<u64>,
}

impl<'a, 'o> Pace<'a, 'o> {
    /// A pace with no work done yet, of `total`.
    pub(crate) fn new(observer: &'a mut Observer<'o>, total: u64) -> Self {
        Self { observer, step: Step::of(0, total), left: EACH, budget: None }
    }

    /// Limits the total work. Work depends only on the problem, so that a run is reproducible.
    pub(crate) fn within(self, work: u64) -> Self {
        Self { budget: Some(work), ..self }
    }

    /// Shows a step to the observer.
    pub(crate) fn report(&mut self, step: Step) -> ControlFlow<()> {
        self.step = step;
        self.left = EACH;
        (self.observer)(step)
    }

    /// Counts the work that comes next. After enough work, asks the observer whether to continue.
    pub(crate) fn spend(&mut self, work: usize) -> ControlFlow<()> {
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
    fn observer_is_asked_regularly_and_sees_every_step() {
        let mut asked = 0;
        let mut observer = |_: Step| {
            asked += 1;
            if asked == 4 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let mut pace = Pace::new(&mut observer, 9);
        for _ in 0..EACH {
            assert!(pace.spend(2).is_continue());
        }
        assert!(pace.report(Step::of(1, 9)).is_continue());
        assert!(pace.spend(EACH).is_break());
        assert_eq!(asked, 4);
    }

    #[test]
    fn spent_budget_ends_work_without_a_stop_request() {
        let mut observer = |_: Step| ControlFlow::Continue(());
        let mut pace = Pace::new(&mut observer, 9).within(10);
        assert!(pace.spend(4).is_continue() && pace.spend(6).is_continue() && pace.spend(1).is_break());
    }
}
