//! A release: a recoding with its classes, its metrics, how it was made, and the record of its verification.

use std::sync::Arc;

use crate::{Audit, AuditFinding, AuditMethod, SearchReport, Strategy};
use palmtop_core::metrics::{Metric, Metrics};
use palmtop_core::model::size;
use palmtop_core::model::{
    ClassData, Classes, Delta, EmptyRegions, Node, Policy, Presence, Problem, Recoding, Standing,
};

/// Who chose the recoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A search, minimizing a metric.
    Search(Strategy, Metric),
    /// A search within each class of an earlier release, so that both keep δ together.
    Beside(Strategy, Metric),
    /// The analyst, who named a node.
    ByHand(Node),
}

impl Origin {
    /// The name in tables and reports: the strategy's, or `node`.
    pub fn name(&self) -> String {
        match self {
            Self::Search(strategy, _) | Self::Beside(strategy, _) => strategy.to_string(),
            Self::ByHand(_) => "node".to_owned(),
        }
    }
}

/// The least and greatest presence over all classes, those without private people too; where members are withdrawn, over the
/// released classes and the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Achieved {
    /// The least presence.
    pub min: Presence,
    /// The greatest presence.
    pub max: Presence,
}

impl Achieved {
    /// The span of the presences of classes.
    pub fn of(classes: &Classes) -> Self {
        Self::over(classes.spread().iter().map(|(data, _)| data))
    }

    /// The same of classes as criteria see them.
    pub fn over<'a>(classes: impl IntoIterator<Item = &'a ClassData>) -> Self {
        let presences = classes.into_iter().map(|data| data.counts().presence());
        presences.fold(Self { min: Presence::ONE, max: Presence::ZERO }, |span, presence| Self {
            min: span.min.min(presence),
            max: span.max.max(presence),
        })
    }
}

/// What is known of a release against an adversary who knows P, |T|, δ, and how palmtop chose it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum KnowsAlgorithm {
    /// Everybody's exact posterior lies within δ, whatever the answers were: [`simulatable`](mod@crate::simulatable).
    Exact,
    /// What an audit found, or could not decide: see [`audit`](mod@crate::audit).
    Audited(AuditFinding),
    /// Nothing: where the edges fall may tell more than δ allows.
    NotAudited,
}

impl KnowsAlgorithm {
    /// The one rule of what carries over from a search to a release: its safety and its audit hold under another δ only if that
    /// is the δ of the search or a looser one, and only for the inputs that were searched. The presence of every class may keep a
    /// stricter δ that somebody's posterior does not.
    pub fn carries_over(searched: Delta, judged: Delta, has_same_inputs: bool) -> bool {
        has_same_inputs && searched.is_within(judged)
    }

    /// What an audit by itself says.
    pub fn of_audit(audit: &Audit) -> Self {
        match audit.method {
            AuditMethod::Replayed => Self::Exact,
            _ => audit.finding().map_or(Self::NotAudited, Self::Audited),
        }
    }

    /// The word in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Audited(finding) => finding.as_str(),
            Self::NotAudited => "not audited",
        }
    }

    /// How many people it is known of that their posterior is outside δ; `None` if that is not decided.
    pub fn people_beyond(self) -> Option<u64> {
        match self {
            Self::Exact => Some(0),
            Self::Audited(finding) => finding.people,
            Self::NotAudited => None,
        }
    }

    /// The verdict for people.
    pub fn words(self) -> String {
        match self {
            Self::Exact => "exact, within δ".to_owned(),
            Self::Audited(finding) => finding.words(),
            Self::NotAudited => "not audited: where the edges fall may tell more".to_owned(),
        }
    }
}

/// That a written release was read back and recounted, and what was found; made by `verify`, never here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verification {
    /// The least and greatest presence over the raw public table.
    pub achieved: Achieved,
    /// The rows read.
    pub rows: u64,
    /// The distinct released classes.
    pub classes: u64,
    /// The public people who match no released row.
    pub unmatched: u64,
    /// The members of T among them, who are withdrawn.
    pub withdrawn: u64,
}

/// A recoding of one problem under one policy, measured.
#[derive(Clone, Debug)]
pub struct Release {
    /// Who chose the recoding.
    pub origin: Origin,
    /// What it is judged by.
    pub policy: Policy,
    /// What it was made to satisfy: another, where δ was changed since.
    pub made_under: Policy,
    /// The recoding.
    pub recoding: Recoding,
    /// Its classes.
    pub classes: Arc<Classes>,
    /// Its least and greatest presence.
    pub achieved: Achieved,
    /// Its metrics.
    pub metrics: Metrics,
    /// What the search did; `None` for a node by hand.
    pub search: Option<SearchReport>,
    /// The record of its verification, once its file was written and read back.
    pub verification: Option<Verification>,
    /// What it was found to tell who knows palmtop, once it was audited.
    pub audit: Option<Audit>,
}

/// What the engine says of a release, and the recount of its written file has to find again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The δ that it is judged by.
    pub delta: Delta,
    /// Its least and greatest presence.
    pub achieved: Achieved,
    /// What became of every criterion.
    pub standings: Vec<Standing>,
    /// How many members of T have no row.
    pub withdrawn: u64,
    /// Whether everything that is enforced is satisfied.
    pub is_present: bool,
}

impl Release {
    /// What is said of it.
    pub fn claim(&self) -> Claim {
        Claim {
            delta: self.delta(),
            achieved: self.achieved,
            standings: self.standings(),
            withdrawn: self.withdrawn(),
            is_present: self.is_present(),
        }
    }

    /// How many members of T are withdrawn: they have no row.
    pub fn withdrawn(&self) -> u64 {
        self.classes.withdrawn()
    }

    /// Counts and measures a recoding.
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

    /// The same release judged under a problem's policy: the recoding and who chose it stay, its verification and its
    /// audit do not.
    #[must_use]
    pub fn judged_under(self, problem: &Problem) -> Self {
        Self { policy: problem.policy().clone(), verification: None, audit: None, ..self }
    }

    /// What is known of it against an adversary who knows palmtop, too.
    ///
    /// It is exact for the one run that it is of, and if [`KnowsAlgorithm::carries_over`]. Choosing it among several by what they
    /// cost tells something again. Beside another release nothing is exact: within a class of that, an attacker who knows how the
    /// class was chosen does not consider all T equally likely.
    pub fn knows_algorithm(&self) -> KnowsAlgorithm {
        self.knows_algorithm_after(self.audit.as_ref())
    }

    /// The same with an audit of it, under its δ, that is kept elsewhere.
    pub fn knows_algorithm_after(&self, audit: Option<&Audit>) -> KnowsAlgorithm {
        let carries = KnowsAlgorithm::carries_over(self.made_under.delta(), self.delta(), true);
        match self.origin {
            Origin::Search(Strategy::Simulatable, _) if carries && self.is_present() => KnowsAlgorithm::Exact,
            Origin::Search(..) | Origin::Beside(..) | Origin::ByHand(_) => {
                let finding = audit.filter(|_| carries).and_then(Audit::finding);
                finding.map_or(KnowsAlgorithm::NotAudited, KnowsAlgorithm::Audited)
            }
        }
    }

    /// The δ that it is judged by.
    pub fn delta(&self) -> Delta {
        self.policy.delta()
    }

    /// Whether classes without private people are allowed.
    pub fn empty_regions(&self) -> EmptyRegions {
        self.policy.empty_regions()
    }

    /// Whether every class satisfies the policy: δ and every other criterion that is enforced; where members are withdrawn,
    /// the pool keeps δ, and they are at most the share that the policy allows.
    pub fn is_present(&self) -> bool {
        self.classes.satisfy(&self.policy)
    }

    /// What became of every criterion, those that are only measured too.
    pub fn standings(&self) -> Vec<Standing> {
        let classes = &self.classes;
        let distinct: Vec<ClassData> = match classes.pool() {
            None => classes.spread().iter().map(|(data, _)| data.clone()).collect(),
            Some(_) => classes.data_without_pool().cloned().collect(),
        };
        self.policy.standings_with_pool(&distinct, classes.pooled_counts())
    }

    /// How many classes are published: they have private people and are not withdrawn.
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
    fn what_was_searched_under_one_delta_is_not_exact_under_a_stricter_one() {
        let chains: Vec<Vec<String>> = (0..12).map(|leaf| vec![leaf.to_string(), "*".to_owned()]).collect();
        let hierarchy = Hierarchy::new(Kind::Number, Level(0), &chains).unwrap();
        let counts = (0..12).map(|place| Counts::new(1, u64::from(place % 4 == 0))).collect();
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
            // All classes may keep 49/100, but what was asked kept people within 1/2 only.
            [under("0", "1/2"), under("0", "3/5"), under("0", "49/100"), under("1/100", "1/2")]
        };
        let (exact, not) = (KnowsAlgorithm::Exact, KnowsAlgorithm::NotAudited);
        assert_eq!(known(Strategy::Simulatable), [exact, exact, not, not]);
        assert_eq!(known(Strategy::Best), [not; 4]);
    }
}
