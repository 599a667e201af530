//! The view of a recipe: its release under the current δ with ranked classes, made in the
//! background.

use std::sync::Arc;

use palmtop_core::model::{ClassData, Counts, Delta, EquivalenceClass, Node, Policy, Problem};
use palmtop_project::compatibility::Feature;
use palmtop_release::history::{self, RecodingRecipe, Search, Sitting};
use palmtop_release::listing::{Filter, Order, Ranking, Summary};
use palmtop_release::pipeline::Analysis;
use palmtop_search::release::Release;

use crate::kit::link::Link;
use crate::kit::slot::{Answer, Slot, Task};
use crate::kit::text;
use crate::kit::words::chain;

/// A release that can be compared.
#[derive(Clone)]
pub(crate) struct Candidate {
    pub(crate) recipe: RecodingRecipe,
    pub(crate) measured: Measured,
    pub(crate) seconds: Option<f64>,
}

/// A release with figures that are counted once and read often.
#[derive(Clone)]
pub(crate) struct Measured {
    pub(crate) release: Arc<Release>,
    pub(crate) ranking: Arc<Ranking>,
}

impl Measured {
    /// Ranks a release.
    pub(crate) fn new(problem: &Problem, release: Release) -> Self {
        let ranking = Arc::new(Ranking::new(problem, &release));
        Self { release: Arc::new(release), ranking }
    }

    /// The number of classes that break a policy.
    pub(crate) fn broken(&self, policy: &Policy) -> u64 {
        self.ranking.broken(policy)
    }

    /// The distinct counts of the classes, each multiplied by its frequency: for histograms.
    pub(crate) fn people(&self) -> impl Iterator<Item = Counts> + '_ {
        let times = |(data, classes): &(ClassData, u64)| {
            let counts = data.counts();
            Counts::new(counts.public.saturating_mul(*classes), counts.private.saturating_mul(*classes))
        };
        self.ranking.spread().iter().map(times)
    }
}

/// The filter and the order of the shown classes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arrangement {
    pub(crate) filter: Filter,
    pub(crate) order: Order,
}

/// The release of a recipe, with ranked classes.
pub(crate) struct View {
    pub(crate) recipe: RecodingRecipe,
    pub(crate) delta: Delta,
    pub(crate) measured: Measured,
    pub(crate) summary: Summary,
    /// The classes to show, by their indices in the release.
    pub(crate) shown: Arc<Vec<u32>>,
}

impl View {
    fn new(problem: &Problem, recipe: RecodingRecipe, measured: Measured, arrangement: &Arrangement) -> Self {
        let ranking = &measured.ranking;
        let shown = Arc::new(ranking.list(&arrangement.filter, arrangement.order));
        Self { recipe, delta: problem.delta(), summary: ranking.summary(), shown, measured }
    }

    /// The release.
    pub(crate) fn release(&self) -> &Arc<Release> {
        &self.measured.release
    }

    /// The class in a row.
    pub(crate) fn class(&self, row: usize) -> Option<(u32, EquivalenceClass)> {
        let class = *self.shown.get(row)?;
        Some((class, self.measured.release.classes.class(class)))
    }

    /// The name of the recipe: `node 3,2,2`, `spalm: node 3,2,2`, or a strategy that makes regions.
    pub(crate) fn name(&self) -> String {
        match (&self.recipe, self.release().recoding.node()) {
            (RecodingRecipe::Search(search), Some(node)) => {
                format!("{}: node {node}", name_of(search, self.delta))
            }
            (recipe, _) => recipe_name(recipe, self.delta),
        }
    }
}

/// The name of a recipe under the current δ.
pub(crate) fn recipe_name(recipe: &RecodingRecipe, delta: Delta) -> String {
    match recipe {
        RecodingRecipe::Node(levels) => {
            let levels: Vec<String> = levels.iter().map(ToString::to_string).collect();
            format!("node {}", levels.join(","))
        }
        RecodingRecipe::Search(search) => name_of(search, delta),
    }
}

/// The name of a recipe where little room is left: a node by its levels alone.
pub(crate) fn short_name(recipe: &RecodingRecipe, delta: Delta) -> String {
    recipe_name(recipe, delta).trim_start_matches("node ").to_owned()
}

/// The name of a search, with its δ if that is not the current one.
pub(crate) fn name_of(search: &Search, delta: Delta) -> String {
    if search.delta == delta {
        search.strategy.to_string()
    } else {
        format!("{} of δ {}", search.strategy, text::delta(search.delta))
    }
}

/// The input of a view.
pub(crate) enum Source {
    /// A node to count.
    Node(Node),
    /// A release that was found, perhaps under another δ.
    Found(Arc<Release>),
}

/// A requested view, or the reason why there is none.
pub(crate) type Viewed = Result<Box<View>, String>;

/// The name of the jobs.
pub(crate) const VIEWING: Task = Task { kind: "view", doing: "counting the classes" };

/// Makes the view of a recipe in the background.
pub(crate) fn count(
    link: &Link<Answer<Viewed>>,
    slot: &mut Slot<Viewed>,
    (analysis, problem): (&Arc<Analysis>, &Problem),
    recipe: RecodingRecipe,
    source: Source,
    arrangement: &Arrangement,
) {
    let (analysis, problem, arrangement) = (Arc::clone(analysis), problem.clone(), arrangement.clone());
    slot.ask_first(
        link,
        |answer| answer,
        move |job| {
            let _turn = job.turn()?;
            let release = match source {
                Source::Node(node) => analysis.by_hand(&problem, node),
                Source::Found(release) => Release::clone(&release).judged_under(&problem),
            };
            let measured = Measured::new(&problem, release);
            job.is_current().then(|| Ok(Box::new(View::new(&problem, recipe, measured, &arrangement))))
        },
    );
}

/// Repeats the search of the log's current step, whose release is gone, and makes its view.
pub(crate) fn make_again(
    link: &Link<Answer<Viewed>>,
    slot: &mut Slot<Viewed>,
    analysis: &Arc<Analysis>,
    log: &Sitting,
    arrangement: &Arrangement,
) {
    let (analysis, log, arrangement) = (Arc::clone(analysis), log.clone(), arrangement.clone());
    slot.ask_first(
        link,
        |answer| answer,
        move |job| {
            let step = &log.steps()[log.current()];
            if let RecodingRecipe::Search(search) = &step.recoding
                && let Some(strategy) = search.strategy.known()
                && let Some(refused) = analysis.refusal(Feature::Strategy(strategy))
            {
                return Some(Err(refused.to_string()));
            }
            let made = history::release(&analysis, &log, log.current(), &mut |_| job.go_on());
            let view = |release| {
                let problem = analysis.problem().with_delta(step.delta);
                let measured = Measured::new(&problem, release);
                Box::new(View::new(&problem, step.recoding.clone(), measured, &arrangement))
            };
            Some(made.map(|made| view(made.release)).map_err(|error| chain(&error)))
        },
    );
}
