//! The difference between two releases, in words and in numbers, counted in the background.

use palmtop_core::model::Problem;
use palmtop_search::release::Release;

use crate::kit::text;
use crate::shared::view::Measured;

/// The difference of one release to the base.
#[derive(Clone, Debug)]
pub(crate) struct Difference {
    /// Three sentences.
    pub(crate) words: Vec<String>,
    /// The members whose labels got finer, stayed the same, and got coarser.
    pub(crate) moved: [u64; 3],
    /// For each quasi-identifier, the loss before and after.
    pub(crate) losses: Vec<(f64, f64)>,
}

impl Difference {
    /// Compares two releases of one problem; both are judged by the δ of the problem.
    pub(crate) fn between(problem: &Problem, base: &Measured, other: &Measured) -> Self {
        let moved = Moved::between(problem, &base.release, &other.release);
        let (before, after) = (&base.release.metrics.loss, &other.release.metrics.loss);
        Self {
            words: words(problem, base, other, &moved),
            moved: [moved.finer, moved.same, moved.coarser],
            losses: std::iter::zip(before.by_attribute(), after.by_attribute())
                .map(|(before, after)| (*before, *after))
                .collect(),
        }
    }
}

/// The difference in three sentences.
fn words(problem: &Problem, base: &Measured, other: &Measured, moved: &Moved) -> Vec<String> {
    let broken = |measured: &Measured| measured.broken(problem.policy());
    let classes = |count| text::counted(count, "class", "classes");
    let verdict = match (broken(base), broken(other)) {
        (0, 0) => "both keep δ".to_owned(),
        (0, breaks) => format!("it breaks δ in {}, the base in none", classes(breaks)),
        (mended, 0) => format!("it keeps δ; the base breaks it in {}", classes(mended)),
        (before, after) => format!("it breaks δ in {}, the base in {}", classes(after), classes(before)),
    };
    let (base, other) = (&base.release, &other.release);
    let (from, to) = (base.metrics.loss.mean(), other.metrics.loss.mean());
    let percent = if from > 0.0 { format!(" ({:+.0} %)", 100.0 * (to - from) / from) } else { String::new() };
    let (before, after) = (base.released_classes(), other.released_classes());
    let measures = format!(
        "loss {} → {}{percent} · released classes {} → {} · average size {:.1} → {:.1}",
        text::loss(from),
        text::loss(to),
        text::count(before),
        text::count(after),
        base.metrics.average_class_size,
        other.metrics.average_class_size
    );
    let detail = format!(
        "of {} members {} get finer detail, {} the same, {} coarser",
        text::count(moved.finer + moved.same + moved.coarser),
        text::count(moved.finer),
        text::count(moved.same),
        text::count(moved.coarser)
    );
    vec![verdict, measures, detail]
}

/// The changes of the members' detail, by the share of leaves that the labels of their rows denote.
struct Moved {
    finer: u64,
    same: u64,
    coarser: u64,
}

impl Moved {
    fn between(problem: &Problem, base: &Release, other: &Release) -> Self {
        let (before, after) = (class_losses(problem, base), class_losses(problem, other));
        let mut moved = Self { finer: 0, same: 0, coarser: 0 };
        for (unit, people) in (0..).zip(problem.unit_counts()) {
            let loss = |release: &Release, losses: &[f64]| {
                let class_of = |row: &u32| release.classes.of_rows().class_of[*row as usize];
                problem.rows_of_unit(&unit).iter().map(|row| losses[class_of(row) as usize]).sum::<f64>()
            };
            let (from, to) = (loss(base, &before), loss(other, &after));
            if (from - to).abs() < 1e-12 {
                moved.same += people.private;
            } else if to < from {
                moved.finer += people.private;
            } else {
                moved.coarser += people.private;
            }
        }
        moved
    }
}

/// The loss of one row in each class of rows.
fn class_losses(problem: &Problem, release: &Release) -> Vec<f64> {
    let share = |leaves: u32, all: usize| {
        let rest = u32::try_from(all.saturating_sub(1)).unwrap_or(u32::MAX);
        if rest == 0 { 0.0 } else { f64::from(leaves.saturating_sub(1)) / f64::from(rest) }
    };
    release
        .classes
        .of_rows()
        .iter()
        .map(|class| {
            let labels = class.labels.iter().zip(problem.quasi());
            labels
                .map(|(label, quasi)| share(label.leaves(&quasi.hierarchy), quasi.hierarchy.leaf_count()))
                .sum()
        })
        .collect()
}
