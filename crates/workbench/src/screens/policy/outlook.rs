//! The outlook: what each field would give on the release that is open, counted in the background.
//!
//! [`Ranking::summary_under`] judges the classes under a policy that has only the requirement of the field, and under the policy
//! of all fields together. This is the judge of `check` and `classes`; nothing is judged here.

use std::sync::Arc;

use palmtop_core::model::{
    Classes, Criteria, Delta, EmptyRegions, Policy, Presence, Problem, SensitiveValues,
};
use palmtop_core::progress::unwatched;
use palmtop_release::caution::{at_least, at_most};
use palmtop_release::listing::{Ranking, Summary};
use palmtop_release::pipeline::{Analysis, risk};
use palmtop_search::release::Release;

use super::draft::Draft;
use super::field::{CRITERIA, Field};
use crate::kit::slot::{JobContext, Task};
use crate::kit::text;
use crate::kit::words::chain;

/// The name of the jobs.
pub(crate) const COUNTING: Task = Task { kind: "outlook", doing: "counting what the policy would give" };

/// What a requirement would give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Effect {
    /// Whether it is kept; none if nothing is required.
    pub(crate) kept: Option<bool>,
    pub(crate) words: String,
}

/// What the fields would give, each and together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outlook {
    pub(crate) effects: Vec<(Field, Effect)>,
    /// The summary under all fields together; an error if one of them cannot be judged.
    pub(crate) together: Option<Result<Summary, String>>,
    /// The same release with the sensitive values of its classes, if they were read for this.
    pub(crate) with_values: Option<WithValues>,
}

impl Outlook {
    /// What a field would give.
    pub(crate) fn effect(&self, field: Field) -> Option<&Effect> {
        self.effects.iter().find(|(known, _)| *known == field).map(|(_, effect)| effect)
    }
}

/// A release with its ranked classes.
#[derive(Clone, Debug)]
pub(crate) struct Ranked {
    pub(crate) release: Arc<Release>,
    pub(crate) ranking: Arc<Ranking>,
}

/// A release with its classes as criteria of sensitive values need them.
#[derive(Clone, Debug)]
pub(crate) struct WithValues {
    release: Arc<Release>,
    ranking: Arc<Ranking>,
    values: Arc<SensitiveValues>,
}

/// What to count.
pub(crate) struct Order {
    pub(crate) analysis: Arc<Analysis>,
    pub(crate) problem: Problem,
    pub(crate) here: Ranked,
    /// [`Outlook::with_values`] of an earlier count.
    pub(crate) with_values: Option<WithValues>,
    pub(crate) draft: Draft,
}

impl Order {
    /// Counts it; none if a newer count is wanted.
    pub(crate) fn count(self, job: &JobContext<Box<Outlook>>) -> Option<Box<Outlook>> {
        let mut outlook = Outlook::default();
        let ranked = self.ranked(&mut outlook);
        if !job.is_current() {
            return None;
        }
        if let Ok(delta) = self.draft.bounds() {
            outlook.effects.extend(self.of_delta(delta));
        }
        for field in CRITERIA {
            let Ok(criteria) = self.draft.criterion(field) else { continue };
            let effect = match &ranked {
                _ if criteria.is_empty() => Effect { kept: None, words: "–".to_owned() },
                Err(why) if criteria.need_values() => Effect { kept: Some(false), words: why.clone() },
                Err(_) => self.of_criterion(&self.here.ranking, field, criteria),
                Ok(ranking) => self.of_criterion(ranking, field, criteria),
            };
            outlook.effects.push((field, effect));
        }
        outlook.effects.push((Field::EmptyRegions, self.of_empty_classes()));
        outlook.together = self.together(ranked);
        Some(Box::new(outlook))
    }

    /// The classes as the typed criteria need them: with sensitive values, which the project may not have read.
    fn ranked(&self, outlook: &mut Outlook) -> Result<Arc<Ranking>, String> {
        let criteria: Vec<Criteria> =
            CRITERIA.iter().filter_map(|field| self.draft.criterion(*field).ok()).collect();
        let fit = |values: &SensitiveValues| {
            criteria.iter().try_for_each(|criteria| criteria.fit(values)).map_err(|error| error.to_string())
        };
        if let Some(values) = self.problem.sensitive() {
            return fit(values).map(|()| Arc::clone(&self.here.ranking));
        }
        if !criteria.iter().any(Criteria::need_values) {
            return Ok(Arc::clone(&self.here.ranking));
        }
        if let Some(known) = &self.with_values
            && Arc::ptr_eq(&known.release, &self.here.release)
        {
            outlook.with_values = Some(known.clone());
            return fit(&known.values).map(|()| Arc::clone(&known.ranking));
        }
        let values = risk::sensitive_values(&self.analysis, &mut unwatched).map_err(|error| chain(&error))?;
        let problem = self.problem.with_sensitive(values.clone());
        let release = &self.here.release;
        let classes = Arc::new(Classes::of(&problem, &release.recoding));
        let release_with_values = Release { classes, ..Release::clone(release) };
        let ranking = Arc::new(Ranking::new(&problem, &release_with_values));
        let fits = fit(&values);
        let (release, of_release) = (Arc::clone(release), Arc::clone(&ranking));
        outlook.with_values = Some(WithValues { release, ranking: of_release, values: Arc::new(values) });
        fits.map(|()| ranking)
    }

    /// A policy of this problem with these requirements.
    fn policy(&self, delta: Delta, empty_regions: EmptyRegions, criteria: Criteria) -> Policy {
        let total = self.problem.total();
        let policy = Policy::new(delta, empty_regions, criteria, total);
        policy.with_suppression(self.problem.policy().suppression())
    }

    fn of_delta(&self, delta: Delta) -> [(Field, Effect); 2] {
        let policy = self.policy(delta, EmptyRegions::Allow, Criteria::default());
        let summary = self.here.ranking.summary_under(&policy);
        let achieved = self.here.release.achieved;
        let highest = format!("highest {}", at_most(achieved.max));
        let above = format!("{highest}: {} above", of_classes(summary.over, summary.classes));
        let max =
            Effect { kept: Some(summary.over == 0), words: if summary.over == 0 { highest } else { above } };
        let min = if delta.min() == Presence::ZERO {
            Effect { kept: None, words: format!("{} certainly not in T", people(self.certainly_not())) }
        } else if summary.under == 0 {
            Effect { kept: Some(true), words: format!("lowest {}", at_least(achieved.min)) }
        } else {
            Effect {
                kept: Some(false),
                words: format!("{} below", of_classes(summary.under, summary.classes)),
            }
        };
        [(Field::Max, max), (Field::Min, min)]
    }

    /// How many people of P are in classes without members.
    fn certainly_not(&self) -> u64 {
        let spread = self.here.ranking.spread().iter();
        let empty = spread.filter(|(data, _)| data.counts().private == 0);
        empty.map(|(data, classes)| data.counts().public * classes).sum()
    }

    fn of_criterion(&self, ranking: &Ranking, field: Field, criteria: Criteria) -> Effect {
        let any = Delta::new(Presence::ZERO, Presence::ONE).unwrap_or_else(|_| self.problem.delta());
        let summary = ranking.summary_under(&self.policy(any, EmptyRegions::Allow, criteria));
        let breaking = match field {
            Field::K | Field::KMap => "have fewer",
            Field::L => "have fewer values",
            _ => "are farther",
        };
        let words = match summary.breaking {
            0 => format!("all {}", text::counted(summary.classes, "class", "classes")),
            broken => format!("{} {breaking}", of_classes(broken, summary.classes)),
        };
        Effect { kept: Some(summary.breaking == 0), words }
    }

    fn of_empty_classes(&self) -> Effect {
        let classes = self.here.ranking.summary().classes;
        let spread = self.here.ranking.spread().iter();
        let empty: u64 =
            spread.filter(|(data, _)| data.counts().private == 0).map(|(_, classes)| classes).sum();
        let kept = match self.draft.empty_regions() {
            EmptyRegions::Allow => None,
            EmptyRegions::Forbid => Some(empty == 0),
        };
        Effect { kept, words: format!("{} without members", of_classes(empty, classes)) }
    }

    fn together(&self, ranked: Result<Arc<Ranking>, String>) -> Option<Result<Summary, String>> {
        let (delta, criteria) = (self.draft.bounds().ok()?, self.draft.criteria().ok()?);
        let policy = self.policy(delta, self.draft.empty_regions(), criteria);
        Some(ranked.map(|ranking| ranking.summary_under(&policy)))
    }
}

fn people(count: u64) -> String {
    text::counted(count, "person", "people")
}

fn of_classes(part: u64, all: u64) -> String {
    format!("{} of {}", text::count(part), text::counted(all, "class", "classes"))
}
