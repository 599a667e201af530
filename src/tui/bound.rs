//! The least loss that any release could have, counted in the background when the comparison first asks for it; another for each δ.

use palmtop::model::Problem;
use palmtop::search;

use super::job::Jobs;
use super::message::{JobName, Message};

/// What is known of the least loss possible.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Bound {
    /// Nobody has asked.
    Unasked,
    /// It is being counted.
    Counting,
    /// No release that keeps δ loses less; `None` where the tables are too large to say, or nothing keeps δ.
    Known(Option<f64>),
}

impl Bound {
    /// Begins to count it, unless somebody has asked before.
    pub(crate) fn ask(&mut self, jobs: &Jobs, problem: &Problem) {
        if *self != Self::Unasked {
            return;
        }
        if !problem.feasibility().holds() {
            *self = Self::Known(None);
            return;
        }
        *self = Self::Counting;
        let problem = problem.clone();
        jobs.start(JobName::Bound(problem.delta()), move |sender| {
            let bound = search::bound(&problem, &mut |_| std::ops::ControlFlow::Continue(()));
            let _ = sender.send(Message::Bound(problem.delta(), bound));
        });
    }
}
