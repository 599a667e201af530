//! The policy: everything that every class of a release has to satisfy. The one thing that searches ask.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::criterion::{self, ClassData, Criterion, CriterionError, DeltaPresence, KINDS, Needs};
use super::delta::{Delta, Distance, Verdict};
use super::fraction::Fraction;
use super::presence::Counts;
use super::problem::EmptyRegions;
use super::sensitive::SensitiveValues;
use super::suppression::Suppression;

/// The criteria that are enforced beside δ, in the order of [`KINDS`], each at most once.
#[derive(Clone, Debug, Default)]
pub struct Criteria(Arc<[Arc<dyn Criterion>]>);

/// What is enforced: δ with what it says of empty classes, further criteria, and how many members may be withdrawn.
///
/// Two policies are equal if they require the same. Cloning is cheap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Policy {
    delta: Delta,
    empty_regions: EmptyRegions,
    criteria: Criteria,
    suppression: Suppression,
}

/// What became of a criterion over all classes of a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Its key.
    pub criterion: &'static str,
    /// What is required; `None` where it is measured and not enforced.
    pub required: Option<String>,
    /// The strictest requirement that the classes satisfy; `None` where it says nothing of any of them.
    pub achieved: Option<String>,
    /// Whether every class satisfies what is required, if anything is.
    pub holds: bool,
}

/// How badly a class breaks a policy; least, and equal, where it does not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Severity {
    breaks: bool,
    delta: Distance,
    /// Of each criterion beside δ.
    others: Vec<Fraction>,
}

impl Standing {
    /// Whether it is that of δ.
    pub fn is_delta(&self) -> bool {
        self.criterion == DeltaPresence::KEY
    }
}

impl fmt::Display for Standing {
    /// `k = 5: achieved 3`, or `k: achieved 3` where it is only measured.
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
    /// A [`CriterionError`] for one that is unknown, cannot be read, is given twice, or that searches cannot enforce.
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

    /// Whether there is none: δ alone decides.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Each criterion.
    pub fn iter(&self) -> impl Iterator<Item = &dyn Criterion> {
        self.0.iter().map(AsRef::as_ref)
    }

    /// Those that look at counts alone.
    #[must_use]
    pub fn on_counts(&self) -> Self {
        self.that_need(Needs::Counts)
    }

    /// Those that look at sensitive values.
    #[must_use]
    pub fn on_values(&self) -> Self {
        self.that_need(Needs::Sensitive)
    }

    fn that_need(&self, needs: Needs) -> Self {
        Self(self.0.iter().filter(|criterion| criterion.needs() == needs).map(Arc::clone).collect())
    }

    /// Whether any of them looks at sensitive values.
    pub fn need_values(&self) -> bool {
        self.iter().any(|criterion| criterion.needs() == Needs::Sensitive)
    }

    /// Whether all of them can be judged with these sensitive values.
    ///
    /// # Errors
    /// A [`CriterionError`] for the first that cannot.
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

    /// Whether a class satisfies all of them.
    pub fn allow(&self, class: &ClassData) -> bool {
        self.0.iter().all(|criterion| criterion.holds(class))
    }

    /// All of them where there is little room: in full where that is short, else by their keys.
    pub fn short(&self) -> String {
        const SHORT: usize = 16;
        let (full, keys) = (self.to_string(), self.iter().map(Criterion::key));
        if full.len() <= SHORT { full } else { keys.collect::<Vec<_>>().join(", ") }
    }

    /// Each criterion's key and what it requires: what a project file says of it.
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
    /// `k = 5`, one after the other; `none` where there is none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let settings: Vec<String> =
            self.settings().into_iter().map(|(key, required)| format!("{key} = {required}")).collect();
        f.pad(&if settings.is_empty() { "none".to_owned() } else { settings.join(", ") })
    }
}

impl Policy {
    /// δ, whether classes may be empty, and criteria, for tables of so many people; nobody may be withdrawn.
    pub fn new(delta: Delta, empty_regions: EmptyRegions, criteria: Criteria, total: Counts) -> Self {
        let delta = empty_regions.bind(delta, total);
        Self { delta, empty_regions, criteria, suppression: Suppression::NONE }
    }

    /// The same, where so large a share of T's members may be withdrawn.
    #[must_use]
    pub fn with_suppression(self, suppression: Suppression) -> Self {
        Self { suppression, ..self }
    }

    /// How many of T's members may be withdrawn.
    pub fn suppression(&self) -> Suppression {
        self.suppression
    }

    /// δ, which knows whether classes may be empty.
    pub fn delta(&self) -> Delta {
        self.delta
    }

    /// Whether classes may be empty.
    pub fn empty_regions(&self) -> EmptyRegions {
        self.empty_regions
    }

    /// The criteria beside δ.
    pub fn criteria(&self) -> &Criteria {
        &self.criteria
    }

    /// The same with the criteria that look at counts alone: what can be said of people of whom nobody knows more. What breaks it breaks
    /// the policy, too.
    #[must_use]
    pub fn on_counts(&self) -> Self {
        Self { criteria: self.criteria.on_counts(), ..self.clone() }
    }

    /// Whether a class satisfies all that is enforced. Where that asks for sensitive values, one with members of whom nobody knows them
    /// does not.
    pub fn allows(&self, class: impl Into<ClassData>) -> bool {
        let class = class.into();
        self.delta.allows(class.counts()) && self.criteria.allow(&class)
    }

    /// Whether everybody of P who matches no row may be those people, the pool, of whom `pool.private` of T's members are
    /// withdrawn. It publishes nothing, so that the criteria beside δ, which are about what is published, hold for it; a
    /// pool without members is classes without members, each of which [`allows`](Self::allows) judges.
    pub fn allows_pool(&self, pool: Counts, members: u64) -> bool {
        self.judge_pool(pool) == Verdict::Ok && pool.private <= self.suppression.most(members)
    }

    /// The verdict of δ on the pool.
    pub fn judge_pool(&self, pool: Counts) -> Verdict {
        self.delta.judge(pool)
    }

    /// The verdict on a class: that of δ where it breaks it, else the first criterion that it breaks.
    pub fn judge(&self, class: impl Into<ClassData>) -> Verdict {
        let class = class.into();
        match self.delta.judge(class.counts()) {
            Verdict::Ok => {
                let broken = self.criteria.iter().find(|criterion| !criterion.holds(&class));
                broken.map_or(Verdict::Ok, |criterion| Verdict::Breaks(criterion.key()))
            }
            verdict => verdict,
        }
    }

    /// How badly a class breaks it: by its distance from δ, then from each criterion.
    pub fn severity(&self, class: impl Into<ClassData>) -> Severity {
        let class = class.into();
        Severity {
            breaks: !self.allows(&class),
            delta: self.delta.distance(class.counts()),
            others: self.criteria.iter().map(|criterion| criterion.judge(&class).distance).collect(),
        }
    }

    /// Orders two classes by how badly they break it; those that do not are all equal and least.
    pub fn compare_severity(&self, left: impl Into<ClassData>, right: impl Into<ClassData>) -> Ordering {
        self.severity(left).cmp(&self.severity(right))
    }

    /// What becomes of every criterion over the classes of a release: δ first, then those that are enforced or only
    /// measured, in the order of [`KINDS`].
    pub fn standings(&self, classes: &[ClassData]) -> Vec<Standing> {
        self.standings_with_pool(classes, None)
    }

    /// The same where members are withdrawn: `pool` is a class to δ, and nothing to the other criteria.
    pub fn standings_with_pool(&self, classes: &[ClassData], pool: Option<Counts>) -> Vec<Standing> {
        let enforced = |criterion: &dyn Criterion| Standing {
            criterion: criterion.key(),
            required: Some(criterion.required()),
            achieved: criterion.achieved(&mut classes.iter().cloned()),
            holds: classes.iter().all(|class| criterion.holds(class)),
        };
        let presence = DeltaPresence(self.delta);
        let judged: Vec<ClassData> = classes.iter().cloned().chain(pool.map(ClassData::from)).collect();
        let mut standings = vec![Standing {
            achieved: presence.achieved(&mut judged.iter().cloned()),
            holds: judged.iter().all(|class| presence.holds(class)),
            ..enforced(&presence)
        }];
        for kind in &KINDS {
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
    use super::*;

    fn policy(min: &str, max: &str, settings: &[(&str, &str)], empty_regions: EmptyRegions) -> Policy {
        let delta = Delta::new(min.parse().unwrap(), max.parse().unwrap()).unwrap();
        let criteria = Criteria::read(settings.iter().copied()).unwrap();
        Policy::new(delta, empty_regions, criteria, Counts::new(100, 20))
    }

    #[test]
    fn a_class_has_to_satisfy_delta_and_every_criterion() {
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
    fn where_no_class_may_be_empty_k_does_not_let_one_through() {
        let policy = policy("0", "1/2", &[("k", "5")], EmptyRegions::Forbid);
        assert_eq!(policy.judge(Counts::new(10, 0)), Verdict::Under);
        assert_eq!(policy.judge(Counts::new(10, 1)), Verdict::Breaks("k"));
    }

    #[test]
    fn classes_that_break_anything_are_worse_than_any_that_break_nothing() {
        let policy = policy("1/4", "1/2", &[("k", "5")], EmptyRegions::Allow);
        let order = |left: (u64, u64), right: (u64, u64)| {
            policy.compare_severity(Counts::new(left.0, left.1), Counts::new(right.0, right.1))
        };
        assert_eq!(order((10, 5), (20, 9)), Ordering::Equal, "both hold");
        assert_eq!(order((10, 4), (20, 9)), Ordering::Greater, "only k is broken");
        assert_eq!(order((10, 3), (10, 4)), Ordering::Greater, "farther from k");
        assert_eq!(order((10, 6), (10, 3)), Ordering::Greater, "farther from δ, whatever k says");
    }

    #[test]
    fn a_standing_says_what_is_required_and_what_is_achieved() {
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
