//! `check --history`: lists the steps and the decisions of the history.

use palmtop::columns::{Column, Shown, Table, Value};
use palmtop::history::{History, RecodingRecipe, Search, Sitting, Step, StepName};
use palmtop::keys;
use serde::Serialize;

use palmtop_console::answer::Answer;
use palmtop_console::output;
use palmtop_console::result::{Bounds, DecisionResult};

keys! {
#[derive(Serialize)]
pub(super) struct Listed {
    /// The sitting and the step, such as 2.4, for `anonymize --step`.
    step: String,
    /// Whether it is the current step of its sitting.
    current: bool,
    /// How the release was made.
    how: String,
    /// The recoding, as text.
    place: String,
    /// The levels of the node, in JSON a list; none for regions.
    node: Option<Vec<u8>>,
    /// The search; null for a node.
    search: Option<ListedSearch>,
    /// The δ.
    delta: Bounds,
}
}

keys! {
#[derive(Serialize)]
struct ListedSearch {
    /// The strategy.
    strategy: String,
    /// The δ of the search.
    delta: Bounds,
    /// The metric that it minimized.
    metric: &'static str,
    /// The seed.
    seed: u64,
    /// The rounds of a search that draws.
    rounds: Option<u64>,
    /// The steps of `best` before its first round, if time ended it there.
    opening: Option<u64>,
    /// Whether the search was complete.
    complete: bool,
}
}

impl From<&Search> for ListedSearch {
    fn from(search: &Search) -> Self {
        Self {
            strategy: search.strategy.to_string(),
            delta: search.delta.into(),
            metric: search.metric.name(),
            seed: search.seed,
            rounds: search.rounds,
            opening: search.opening,
            complete: search.complete,
        }
    }
}

impl Listed {
    fn of(name: StepName, is_current: bool, step: &Step) -> Self {
        let (node, search) = match &step.recoding {
            RecodingRecipe::Node(levels) => (Some(levels), None),
            RecodingRecipe::Search(search) => (search.node.as_ref(), Some(search)),
        };
        Self {
            step: name.to_string(),
            current: is_current,
            how: step.action.to_string(),
            place: step.recoding.to_string(),
            node: node.map(|levels| levels.iter().map(|level| level.0).collect()),
            search: search.map(ListedSearch::from),
            delta: step.delta.into(),
        }
    }
}

/// The columns of a list of steps.
pub(super) const COLUMNS: [Column<Listed>; 6] = [
    Column::text("step", "the sitting and the step, such as 2.4, for `anonymize --step`", |step| {
        (&step.step).into()
    }),
    Column::text("current", "whether it is the current step of its sitting", |step| {
        if step.current { Value::Worded("▸".to_owned(), Box::new("current".into())) } else { Value::None }
    }),
    Column::text("how", "how the release was made", |step| (&step.how).into()),
    Column::text("place", "the recoding, as text", |step| (&step.place).into()),
    Column::number("delta_min", "δmin", |step: &Listed| (&step.delta.min).into())
        .shown("delta min", Shown::Always),
    Column::number("delta_max", "δmax", |step: &Listed| (&step.delta.max).into())
        .shown("delta max", Shown::Always),
];

keys! {
/// The steps and the decisions of a history.
#[derive(Serialize)]
pub(super) struct Listing {
    /// The steps.
    steps: Vec<Listed>,
    /// The δ that was fixed before the first search, and each change.
    decisions: Vec<DecisionResult>,
}
}

impl Listing {
    pub(super) fn of(history: &History) -> Self {
        let steps = history.sittings.iter().enumerate().flat_map(|(sitting, found)| {
            let listed =
                move |(step, taken)| Listed::of(StepName { sitting, step }, step == found.current(), taken);
            found.steps().iter().enumerate().map(listed)
        });
        let decisions = history.sittings.iter().flat_map(Sitting::decisions);
        Self { steps: steps.collect(), decisions: decisions.map(DecisionResult::from).collect() }
    }
}

impl Answer for Listing {
    fn text(&self) -> String {
        let lines = self.decisions.iter().map(|decision| format!("{}\n", decision.line()));
        let gap = if self.decisions.is_empty() { "" } else { "\n" };
        lines.fold(output::to_table(&self.table()) + gap, |text, line| text + &line)
    }

    fn table(&self) -> Table {
        Table::of(&COLUMNS, &self.steps)
    }

    fn object(&self) -> impl Serialize {
        self
    }
}
