//! A release: a recoding with its classes, its metrics, its origin, and the record of its
//! verification.

use std::sync::Arc;

use crate::{Audit, AuditFinding, AuditMethod, SearchReport, Strategy};
use palmtop_core::metrics::{Metric, Metrics};
use palmtop_core::model::size;
use palmtop_core::model::{
    ClassData, Classes, Delta, EmptyRegions, Node, Policy, Presence, PresenceBounds, Problem, Recoding,
    Standing,
};

/// How the recoding was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// By a search that minimizes a metric.
    Search(Strategy, Metric),
    /// By a search within each class of an earlier release, so that both releases together keep δ.
    WithinRelease(Strategy, Metric),
    /// By the analyst, who named a node.
    ByHand(Node),
    /// By no search of palmtop, for a comparison; the name in tables.
    Given(&'static str),
}

impl Origin {
    /// The name in tables and reports: the name of the strategy, or `node`.
    pub fn name(&self) -> String {
        match self {
            Self::Search(strategy, _) | Self::WithinRelease(strategy, _) => strategy.to_string(),
            Self::ByHand(_) => "node".to_owned(),
            Self::Given(name) => (*name).to_owned(),
        }
    }
}

/// The least and greatest presence over all classes, including classes without members.
///
/// If members are withdrawn, it covers the released classes and the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Achieved {
    /// The least presence.
    pub min: Presence,
    /// The greatest presence.
    pub max: Presence,
}

impl Achieved {
    /// The range of the presences of classes.
    pub fn of(classes: &Classes) -> Self {
        Self::over(classes.spread().iter().map(|(data, _)| data))
    }

    /// The range of the presences of classes, given as the criteria see them.
    pub fn over<'a>(classes: impl IntoIterator<Item = &'a ClassData>) -> Self {
        let presences = classes.into_iter().map(|data| data.counts().presence());
        presences.fold(Self { min: Presence::ONE, max: Presence::ZERO }, |span, presence| Self {
            min: span.min.min(presence),
            max: span.max.max(presence),
        })
    }
}

/// The verdict against an attacker who knows P, |T|, δ and the algorithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum KnowsAlgorithm {
    /// Every posterior lies within δ, whatever the answers were:
    /// [`simulatable`](mod@crate::simulatable).
    Exact,
    /// The finding of an audit, which may be undecided: see [`audit`](mod@crate::audit).
    Audited(AuditFinding),
    /// No audit was made. The choice of the regions may reveal more than δ permits.
    NotAudited,
}

impl KnowsAlgorithm {
    /// Whether the safety or the audit of a search applies to a release.
    ///
    /// It does only for the inputs that were searched, and only if the release's δ is that of the
    /// search or a looser one. Under a stricter δ, every class may keep δ although the posterior of
    /// an individual does not. All code uses this one rule.
    pub fn carries_over(searched: Delta, judged: Delta, has_same_inputs: bool) -> bool {
        has_same_inputs && searched.is_within(judged)
    }

    /// The verdict of an audit.
    pub fn of_audit(audit: &Audit) -> Self {
        match audit.method {
            AuditMethod::Replayed => Self::Exact,
            _ => audit.finding().map_or(Self::NotAudited, Self::Audited),
        }
    }

    /// The words in reports, a stable key.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Audited(finding) => finding.verdict().as_str(),
            Self::NotAudited => "not audited",
        }
    }

    /// The number of individuals whose posterior is known to lie outside δ; `None` if it is not
    /// decided.
    pub fn people_beyond(self) -> Option<u64> {
        match self {
            Self::Exact => Some(0),
            Self::Audited(finding) => finding.people,
            Self::NotAudited => None,
        }
    }

    /// The verdict in words, for screens and tables.
    pub fn words(self) -> String {
        match self {
            Self::Exact => "exact, within δ".to_owned(),
            Self::Audited(finding) => finding.words(),
            Self::NotAudited => "not audited: classes may reveal more".to_owned(),
        }
    }
}

/// The result of a recount of a written release. The crate `palmtop-verify` makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verification {
    /// The least and greatest presence over the raw public table.
    pub achieved: Achieved,
    /// The number of rows in the file.
    pub rows: u64,
    /// The number of distinct released classes.
    pub classes: u64,
    /// The number of individuals in P who match no released row.
    pub unmatched: u64,
    /// The number of members among the unmatched individuals: they are withdrawn.
    pub withdrawn: u64,
}

/// A recoding of one problem, judged under a policy and measured.
#[derive(Clone, Debug)]
pub struct Release {
    /// How the recoding was chosen.
    pub origin: Origin,
    /// The policy that the release is judged by.
    pub policy: Policy,
    /// The policy of the search. It differs from `policy` if δ was changed since.
    pub made_under: Policy,
    /// The labels of every combination.
    pub recoding: Recoding,
    /// The classes of the recoding with their counts.
    pub classes: Arc<Classes>,
    /// The least and greatest presence.
    pub achieved: Achieved,
    /// The utility metrics of the recoding.
    pub metrics: Metrics,
    /// The report of the search; `None` for a node that the analyst named.
    pub search: Option<SearchReport>,
    /// The record of the verification; `None` until the file is written and recounted.
    pub verification: Option<Verification>,
    /// The audit against an attacker who knows the algorithm; `None` until it is made.
    pub audit: Option<Audit>,
}

/// The properties of a release that a recount of its written file must reproduce.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The δ by which the release is judged.
    pub bounds: PresenceBounds,
    /// The least and greatest presence.
    pub achieved: Achieved,
    /// The verdict of every criterion.
    pub standings: Vec<Standing>,
    /// The number of members who have no row.
    pub withdrawn: u64,
    /// Whether every enforced criterion is satisfied.
    pub is_present: bool,
}

impl Release {
    /// The properties that a recount must reproduce.
    pub fn claim(&self) -> Claim {
        Claim {
            bounds: self.policy.bounds(),
            achieved: self.achieved,
            standings: self.standings(),
            withdrawn: self.withdrawn(),
            is_present: self.is_present(),
        }
    }

    /// The number of withdrawn members: they have no row.
    pub fn withdrawn(&self) -> u64 {
        self.classes.withdrawn()
    }

    /// Counts the classes of a recoding and computes its metrics.
    pub fn new(problem: &Problem, origin: Origin, recoding: Recoding, search: Option<SearchReport>) -> Self {
        let classes = Classes::of(problem, &recoding);
        Self {
            origin,
            policy: problem.policy().clone(),
            made_under: problem.policy().clone(),
            achieved: Achieved::of(&classes),
            metrics: Metrics::of(problem, &recoding, &classes),
            recoding,
            classes: Arc::new(classes),
            search,
            verification: None,
            audit: None,
        }
    }

    /// The same recoding judged under a problem's policy, without its verification and its audit.
    #[must_use]
    pub fn judged_under(self, problem: &Problem) -> Self {
        Self { policy: problem.policy().clone(), verification: None, audit: None, ..self }
    }

    /// The verdict against an attacker who knows the algorithm.
    ///
    /// It is exact only for a single run, and only if [`KnowsAlgorithm::carries_over`]. A choice
    /// among several releases by their loss reveals facts about T. A search within an earlier
    /// release is never exact: within a class of that release, an attacker who knows how the class
    /// was chosen does not consider all T equally likely.
    pub fn knows_algorithm(&self) -> KnowsAlgorithm {
        self.knows_algorithm_after(self.audit.as_ref())
    }

    /// The same verdict with a given audit, which was made under the release's δ.
    pub fn knows_algorithm_after(&self, audit: Option<&Audit>) -> KnowsAlgorithm {
        let carries = KnowsAlgorithm::carries_over(self.made_under.delta(), self.delta(), true);
        match self.origin {
            Origin::Search(strategy, _)
                if strategy.family().is_simulatable() && carries && self.is_present() =>
            {
                KnowsAlgorithm::Exact
            }
            Origin::Search(..) | Origin::WithinRelease(..) | Origin::ByHand(_) | Origin::Given(_) => {
                let finding = audit.filter(|_| carries).and_then(Audit::finding);
                finding.map_or(KnowsAlgorithm::NotAudited, KnowsAlgorithm::Audited)
            }
        }
    }

    /// The δ by which the release is judged.
    pub fn delta(&self) -> Delta {
        self.policy.delta()
    }

    /// Whether classes without members are permitted.
    pub fn empty_regions(&self) -> EmptyRegions {
        self.policy.empty_regions()
    }

    /// Whether every class satisfies δ and every other enforced criterion. If members are
    /// withdrawn, the pool must keep δ, and their share must not exceed the policy's limit.
    pub fn is_present(&self) -> bool {
        self.classes.satisfy(&self.policy)
    }

    /// The verdict of every criterion, including those that are only measured.
    pub fn standings(&self) -> Vec<Standing> {
        let classes = &self.classes;
        let distinct: Vec<ClassData> = match classes.pool() {
            None => classes.spread().iter().map(|(data, _)| data.clone()).collect(),
            Some(_) => classes.data_without_pool().cloned().collect(),
        };
        self.policy.standings_with_pool(&distinct, classes.pooled_counts())
    }

    /// The number of published classes: they have members and are not withdrawn.
    pub fn released_classes(&self) -> usize {
        size::index(self.classes.released())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Config, run};
    use palmtop_core::model::{Counts, Hierarchy, Histogram, Kind, Level, QuasiIdentifier};
    use palmtop_core::progress::unwatched;

    #[test]
    fn exact_release_is_not_exact_under_stricter_delta() {
        let chains: Vec<Vec<String>> = (0..12).map(|leaf| vec![leaf.to_string(), "*".to_owned()]).collect();
        let hierarchy = Hierarchy::new(Kind::Number, Level(0), &chains).unwrap();
        let counts = (0..12).map(|age| Counts::new(1, u64::from(age % 4 == 0))).collect();
        let histogram = Histogram::new(vec![(0..12).collect()], counts).unwrap();
        let delta = |min: &str, max: &str| Delta::new(min.parse().unwrap(), max.parse().unwrap()).unwrap();
        let quasi = vec![QuasiIdentifier { name: "x".to_owned(), hierarchy }];
        let problem = Problem::new(quasi, histogram, delta("0", "1/2"), EmptyRegions::Allow).unwrap();
        let known = |strategy| {
            let (found, report) = run(strategy, &problem, &Config::default(), &mut unwatched);
            let origin = Origin::Search(strategy, Metric::Loss);
            let release = Release::new(&problem, origin, found.unwrap(), Some(report));
            let under = |min, max| {
                release.clone().judged_under(&problem.with_delta(delta(min, max))).knows_algorithm()
            };
            // All classes may keep 49/100, but the questions kept posteriors within 1/2 only.
            [under("0", "1/2"), under("0", "3/5"), under("0", "49/100"), under("1/100", "1/2")]
        };
        let (exact, not) = (KnowsAlgorithm::Exact, KnowsAlgorithm::NotAudited);
        assert_eq!(known(Strategy::Simulatable), [exact, exact, not, not]);
        assert_eq!(known(Strategy::Best), [not; 4]);
    }
}
