//! The policy: the requirements on every class of a release. Searches judge classes only by the
//! policy.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::criterion::{self, ClassData, Criterion, CriterionError, DeltaPresence, KINDS, Needs};
use super::delta::{Delta, Distance, PresenceBounds, Verdict};
use super::fraction::Fraction;
use super::presence::Counts;
use super::sensitive::SensitiveValues;
use super::suppression::Suppression;

/// The criteria that are enforced in addition to δ, in the order of [`KINDS`]. Each occurs at most
/// once.
#[derive(Clone, Debug, Default)]
pub struct Criteria(Arc<[Arc<dyn Criterion>]>);

/// Whether a recoding may have classes without private people. This applies to regions and to the
/// classes of a node.
///
/// Empty classes keep δ if δmin = 0, and the paper allows them. But an attacker who knows the
/// algorithm learns from the edges of empty regions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EmptyRegions {
    /// Empty classes are allowed, as in the paper.
    #[default]
    Allow,
    /// Every class needs a private person. A class without one breaks δ, whatever δmin is.
    Forbid,
}

impl EmptyRegions {
    /// Applies this setting to δ, for tables with `total` people.
    fn bind(self, delta: Delta, total: Counts) -> PresenceBounds {
        match self {
            Self::Allow => delta.into(),
            Self::Forbid => delta.without_empty_classes(total.public),
        }
    }
}

/// The enforced requirements: δ, whether classes may be empty, further criteria, and how many
/// members may be withdrawn.
///
/// Two policies are equal if they require the same. Cloning is cheap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Policy {
    bounds: PresenceBounds,
    empty_regions: EmptyRegions,
    criteria: Criteria,
    suppression: Suppression,
}

/// The result of a criterion over all classes of a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The key of the criterion.
    pub criterion: &'static str,
    /// The requirement; `None` if the criterion is measured but not enforced.
    pub required: Option<String>,
    /// The strictest requirement that the classes satisfy; `None` if the criterion applies to none
    /// of them.
    pub achieved: Option<String>,
    /// Whether every class satisfies the requirement. True if nothing is required.
    pub holds: bool,
}

/// How badly a class breaks a policy. All classes that satisfy the policy have the same, least
/// severity.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Severity {
    breaks: bool,
    delta: Distance,
    /// The distance from each criterion other than δ.
    others: Vec<Fraction>,
}

impl Standing {
    /// Whether this is the result of δ-presence.
    pub fn is_delta(&self) -> bool {
        self.criterion == DeltaPresence::KEY
    }
}

impl fmt::Display for Standing {
    /// `k = 5: achieved 3`, or `k: achieved 3` if the criterion is only measured.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.criterion)?;
        if let Some(required) = &self.required {
            write!(f, " = {required}")?;
        }
        write!(f, ": achieved {}", self.achieved.as_deref().unwrap_or("unknown"))
    }
}

impl Criteria {
    /// Reads the keys of `[policy]` with the texts of their values.
    ///
    /// # Errors
    /// A [`CriterionError`] if a criterion is unknown, cannot be read, is given twice, or cannot be
    /// enforced by a search.
    pub fn read<'a>(settings: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, CriterionError> {
        let mut read: Vec<Arc<dyn Criterion>> = Vec::new();
        for (key, text) in settings {
            let wrong = |expected: &str| CriterionError {
                key: key.to_owned(),
                text: text.to_owned(),
                expected: expected.to_owned(),
            };
            let criterion = criterion::read(key, text)?;
            if read.iter().any(|known| known.key() == key) {
                return Err(wrong("it is given twice; remove one"));
            }
            if !criterion.is_monotone() {
                return Err(wrong(
                    "it is not preserved when classes are united, so no search can enforce it",
                ));
            }
            read.push(criterion);
        }
        read.sort_by_key(|criterion| KINDS.iter().position(|kind| kind.key == criterion.key()));
        Ok(Self(read.into()))
    }

    /// Whether δ is the only requirement.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The criteria, in the order of reports.
    pub fn iter(&self) -> impl Iterator<Item = &dyn Criterion> {
        self.0.iter().map(AsRef::as_ref)
    }

    /// The criteria that use counts only.
    #[must_use]
    pub fn on_counts(&self) -> Self {
        self.that_need(Needs::Counts)
    }

    /// The criteria that use sensitive values.
    #[must_use]
    pub fn on_values(&self) -> Self {
        self.that_need(Needs::Sensitive)
    }

    fn that_need(&self, needs: Needs) -> Self {
        Self(self.0.iter().filter(|criterion| criterion.needs() == needs).map(Arc::clone).collect())
    }

    /// Whether any criterion uses sensitive values.
    pub fn need_values(&self) -> bool {
        self.iter().any(|criterion| criterion.needs() == Needs::Sensitive)
    }

    /// Checks that every criterion can be judged with these sensitive values.
    ///
    /// # Errors
    /// A [`CriterionError`] for the first criterion that cannot.
    pub fn fit(&self, values: &SensitiveValues) -> Result<(), CriterionError> {
        self.iter().try_for_each(|criterion| {
            let wrong = |expected| CriterionError {
                key: criterion.key().to_owned(),
                text: criterion.required(),
                expected,
            };
            criterion.fits(values).map_err(wrong)
        })
    }

    /// Whether a class satisfies every criterion.
    pub fn allow(&self, class: &ClassData) -> bool {
        self.0.iter().all(|criterion| criterion.holds(class))
    }

    /// A short text of the criteria: the full text if it has at most 16 bytes, otherwise only the
    /// keys.
    pub fn short(&self) -> String {
        const SHORT: usize = 16;
        let (full, keys) = (self.to_string(), self.iter().map(Criterion::key));
        if full.len() <= SHORT { full } else { keys.collect::<Vec<_>>().join(", ") }
    }

    /// The key and the requirement of each criterion, as in a project file.
    pub fn settings(&self) -> Vec<(&'static str, String)> {
        self.iter().map(|criterion| (criterion.key(), criterion.required())).collect()
    }
}

impl PartialEq for Criteria {
    fn eq(&self, other: &Self) -> bool {
        self.settings() == other.settings()
    }
}

impl Eq for Criteria {}

impl Hash for Criteria {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.settings().hash(state);
    }
}

impl fmt::Display for Criteria {
    /// `k = 5`, separated by commas; `none` if there are no criteria.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let settings: Vec<String> =
            self.settings().into_iter().map(|(key, required)| format!("{key} = {required}")).collect();
        f.pad(&if settings.is_empty() { "none".to_owned() } else { settings.join(", ") })
    }
}

impl Policy {
    /// Creates a policy for tables with `total` people. Members may not be withdrawn.
    pub fn new(delta: Delta, empty_regions: EmptyRegions, criteria: Criteria, total: Counts) -> Self {
        let bounds = empty_regions.bind(delta, total);
        Self { bounds, empty_regions, criteria, suppression: Suppression::NONE }
    }

    /// The same policy with this limit on the share of T's members that may be withdrawn.
    #[must_use]
    pub fn with_suppression(self, suppression: Suppression) -> Self {
        Self { suppression, ..self }
    }

    /// The share of T's members that may be withdrawn.
    pub fn suppression(&self) -> Suppression {
        self.suppression
    }

    /// δ, without whether classes may be empty.
    pub fn delta(&self) -> Delta {
        self.bounds.delta()
    }

    /// δ as it judges classes: with whether they may be empty.
    pub fn bounds(&self) -> PresenceBounds {
        self.bounds
    }

    /// Whether classes may be empty.
    pub fn empty_regions(&self) -> EmptyRegions {
        self.empty_regions
    }

    /// The criteria that are enforced in addition to δ.
    pub fn criteria(&self) -> &Criteria {
        &self.criteria
    }

    /// The same policy with only those criteria that use counts, for classes whose sensitive values
    /// are unknown. A class that breaks the result also breaks this policy.
    #[must_use]
    pub fn on_counts(&self) -> Self {
        Self { criteria: self.criteria.on_counts(), ..self.clone() }
    }

    /// Whether a class satisfies the policy.
    ///
    /// If a criterion needs sensitive values and those of the class's members are unknown, the
    /// class does not satisfy it.
    pub fn allows(&self, class: impl Into<ClassData>) -> bool {
        let class = class.into();
        self.bounds.allows(class.counts()) && self.criteria.allow(&class)
    }

    /// Whether the pool may have these counts: everyone in P who matches no row. `pool.private` of
    /// T's `members` are withdrawn.
    ///
    /// The pool publishes no rows. So the criteria other than δ, which concern published rows, hold
    /// for it. If the pool has no members, it consists of classes without members, each of which
    /// [`allows`](Self::allows) judges.
    pub fn allows_pool(&self, pool: Counts, members: u64) -> bool {
        self.judge_pool(pool) == Verdict::Ok && pool.private <= self.suppression.most(members)
    }

    /// The verdict of δ on the pool.
    pub fn judge_pool(&self, pool: Counts) -> Verdict {
        self.bounds.judge(pool)
    }

    /// The verdict on a class: that of δ if the class breaks δ, otherwise the first broken
    /// criterion.
    pub fn judge(&self, class: impl Into<ClassData>) -> Verdict {
        let class = class.into();
        match self.bounds.judge(class.counts()) {
            Verdict::Ok => {
                let broken = self.criteria.iter().find(|criterion| !criterion.holds(&class));
                broken.map_or(Verdict::Ok, |criterion| Verdict::Breaks(criterion.key()))
            }
            verdict => verdict,
        }
    }

    /// How badly a class breaks the policy: first its distance from δ, then from each criterion.
    pub fn severity(&self, class: impl Into<ClassData>) -> Severity {
        let class = class.into();
        Severity {
            breaks: !self.allows(&class),
            delta: self.bounds.distance(class.counts()),
            others: self.criteria.iter().map(|criterion| criterion.judge(&class).distance).collect(),
        }
    }

    /// The result of each criterion over the classes of a release. δ comes first, then all others
    /// in the order of [`KINDS`], whether enforced or only measured.
    pub fn standings(&self, classes: &[ClassData]) -> Vec<Standing> {
        self.standings_with_pool(classes, None)
    }

    /// As `standings`, for a release with withdrawn members. δ judges `pool` as
    /// a class; the other criteria ignore it.
    pub fn standings_with_pool(&self, classes: &[ClassData], pool: Option<Counts>) -> Vec<Standing> {
        let enforced = |criterion: &dyn Criterion| Standing {
            criterion: criterion.key(),
            required: Some(criterion.required()),
            achieved: criterion.achieved(&mut classes.iter().cloned()),
            holds: classes.iter().all(|class| criterion.holds(class)),
        };
        let presence = DeltaPresence(self.bounds);
        let judged: Vec<ClassData> = classes.iter().cloned().chain(pool.map(ClassData::from)).collect();
        let mut standings = vec![Standing {
            achieved: presence.achieved(&mut judged.iter().cloned()),
            holds: judged.iter().all(|class| presence.holds(class)),
            ..enforced(&presence)
        }];
        for kind in KINDS {
            standings.push(match self.criteria.iter().find(|criterion| criterion.key() == kind.key) {
                Some(criterion) => enforced(criterion),
                None => Standing {
                    criterion: kind.key,
                    required: None,
                    achieved: (kind.achieved)(&mut classes.iter().cloned()),
                    holds: true,
                },
            });
        }
        standings
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::*;

    fn policy(min: &str, max: &str, settings: &[(&str, &str)], empty_regions: EmptyRegions) -> Policy {
        let delta = Delta::new(min.parse().unwrap(), max.parse().unwrap()).unwrap();
        let criteria = Criteria::read(settings.iter().copied()).unwrap();
        Policy::new(delta, empty_regions, criteria, Counts::new(100, 20))
    }

    #[test]
    fn class_must_satisfy_delta_and_every_criterion() {
        let policy = policy("0", "1/2", &[("k", "5")], EmptyRegions::Allow);
        for (public, members, verdict) in [
            (10, 5, Verdict::Ok),
            (10, 0, Verdict::Ok),
            (10, 4, Verdict::Breaks("k")),
            (9, 5, Verdict::Over),
            (3, 2, Verdict::Over),
        ] {
            let counts = Counts::new(public, members);
            assert_eq!(policy.judge(counts), verdict, "{members}/{public}");
            assert_eq!(policy.allows(counts), verdict == Verdict::Ok, "{members}/{public}");
        }
        let without = self::policy("0", "1/2", &[], EmptyRegions::Allow);
        assert_eq!(without.judge(Counts::new(10, 4)), Verdict::Ok);
        assert_ne!(without, policy);
    }

    #[test]
    fn empty_classes_stay_forbidden_under_k_anonymity() {
        let policy = policy("0", "1/2", &[("k", "5")], EmptyRegions::Forbid);
        assert_eq!(policy.judge(Counts::new(10, 0)), Verdict::Under);
        assert_eq!(policy.judge(Counts::new(10, 1)), Verdict::Breaks("k"));
    }

    #[test]
    fn breaking_any_requirement_ranks_worse_than_breaking_none() {
        let policy = policy("1/4", "1/2", &[("k", "5")], EmptyRegions::Allow);
        let order = |left: (u64, u64), right: (u64, u64)| {
            policy.severity(Counts::new(left.0, left.1)).cmp(&policy.severity(Counts::new(right.0, right.1)))
        };
        assert_eq!(order((10, 5), (20, 9)), Ordering::Equal, "both hold");
        assert_eq!(order((10, 4), (20, 9)), Ordering::Greater, "only k is broken");
        assert_eq!(order((10, 3), (10, 4)), Ordering::Greater, "farther from k");
        assert_eq!(order((10, 6), (10, 3)), Ordering::Greater, "farther from δ, whatever k says");
    }

    #[test]
    fn standing_states_required_and_achieved_values() {
        let classes = [Counts::new(10, 5), Counts::new(10, 0), Counts::new(30, 7)].map(ClassData::from);
        let of = |settings: &[(&str, &str)]| {
            let standings = policy("0", "1/2", settings, EmptyRegions::Allow).standings(&classes);
            let text = |standing: &Standing| {
                let Standing { criterion, required, achieved, holds } = standing;
                format!("{criterion} {required:?} {achieved:?} {holds}")
            };
            let is_asked = |standing: &&Standing| ["presence", "k"].contains(&standing.criterion);
            standings.iter().filter(is_asked).map(text).collect::<Vec<_>>()
        };
        let presence = "presence Some(\"(0, 1/2)\") Some(\"(0, 1/2)\") true";
        assert_eq!(of(&[("k", "6")]), [presence, "k Some(\"6\") Some(\"5\") false"]);
        assert_eq!(of(&[("k", "5")]), [presence, "k Some(\"5\") Some(\"5\") true"]);
        assert_eq!(of(&[]), [presence, "k None Some(\"5\") true"]);
    }

    #[test]
    fn a_criterion_twice_is_refused() {
        let error = Criteria::read([("k", "2"), ("k", "3")]).unwrap_err();
        assert_eq!(error.to_string(), "`k = 3`: it is given twice; remove one");
        assert_eq!(Criteria::read([("k", "2")]).unwrap().to_string(), "k = 2");
        assert_eq!(Criteria::default().to_string(), "none");
    }
}
