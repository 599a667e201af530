//! Whether a policy can be satisfied at all.

use super::class::{Classes, EquivalenceClass, Recoding};
use super::criterion::ClassData;
use super::delta::Verdict;
use super::policy::Policy;
use super::presence::{Counts, Presence};
use super::problem::Problem;
use super::size;

/// Whether a policy can be satisfied at all, with the numbers that decide it (paper, section 3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feasibility {
    /// The enforced policy.
    pub policy: Policy,
    /// |P| and |T|.
    pub total: Counts,
    /// The one class at the top of the lattice.
    pub everybody: ClassData,
    /// The class of the coarsest permitted node that breaks the policy and has the most members.
    ///
    /// The classes of every recoding are parts of this node's classes. `None` if no class breaks
    /// the policy. The classes are judged only in two cases:
    ///
    /// - levels are limited from above;
    /// - people are counted, because every node distinguishes people by their numbers of rows.
    pub blocked: Option<EquivalenceClass>,
}

impl Feasibility {
    /// |T|/|P|, the presence of the one class at the top of the lattice.
    pub fn share(&self) -> Presence {
        self.total.presence()
    }

    /// Whether the class at the top of the lattice satisfies the policy: δmin ≤ |T|/|P| ≤ δmax, and
    /// every further criterion.
    ///
    /// If this class breaks the policy, every recoding does, because the union of its classes is
    /// this class. If `blocked` was computed, every class of the coarsest node
    /// must satisfy the policy too.
    pub fn holds(&self) -> bool {
        self.verdict() == Verdict::Ok && self.blocked.is_none()
    }

    /// The verdict on the one class at the top of the lattice.
    pub fn verdict(&self) -> Verdict {
        self.policy.judge(&self.everybody)
    }
}

impl Problem {
    /// Whether any recoding can satisfy the policy. If levels are limited from above, or if people
    /// are counted, each class of the coarsest node is counted and judged, at every call.
    pub fn feasibility(&self) -> Feasibility {
        let total = self.total();
        let everybody = match self.sensitive() {
            Some(values) => ClassData::with_values(total, values.everybody()),
            None => total.into(),
        };
        let blocked = if self.people().is_none() && self.levels_reach_the_top() {
            None
        } else {
            let classes = Classes::of(self, &Recoding::Node(self.lattice().top()));
            let all = 0..size::number(classes.len());
            let breaks = all.filter(|&class| !self.policy().allows(classes.data(class)));
            let worst = breaks.max_by_key(|&class| classes.counts(class).private);
            worst.map(|class| classes.class(class))
        };
        Feasibility { policy: self.policy().clone(), total, everybody, blocked }
    }
}
