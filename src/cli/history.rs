//! `check --history`: lists the steps and the decisions of the history.

use palmtop::columns::{Column, Shown, Table, Value};
use palmtop::escape::escape;
use palmtop::history::{Accepted, Entry, History, RecodingRecipe, Search, Sitting, Step, StepName};
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
    /// The sittings that were begun anew beside an earlier one.
    anew: Vec<AnewResult>,
    /// The δ that was fixed before the first search, and each change.
    decisions: Vec<DecisionResult>,
    /// What was given for a δ that no search has fixed yet.
    stated: Vec<DecisionResult>,
    /// What was accepted for a release, with the reason.
    accepted: Vec<AcceptedResult>,
}
}

keys! {
/// A sitting that was begun anew.
#[derive(Serialize)]
struct AnewResult {
    /// The sitting, from 1.
    sitting: usize,
    /// The reason.
    reason: String,
}
}

impl AnewResult {
    fn all(history: &History) -> Vec<Self> {
        let sittings = (1..).zip(&history.sittings);
        let anew = sittings
            .filter_map(|(sitting, begun)| Some(Self { sitting, reason: begun.anew.as_ref()?.to_string() }));
        anew.collect()
    }

    fn line(&self) -> String {
        format!("sitting {} was begun anew: {}", self.sitting, escape(&self.reason))
    }
}

keys! {
/// What was accepted for a release.
#[derive(Serialize)]
struct AcceptedResult {
    /// The release.
    file: String,
    /// The time at which it was written, in UTC.
    at: String,
    /// The key: that of a caution, or `not_present`.
    key: String,
    /// The column; null if the caution is about the release.
    subject: Option<String>,
    /// The reason.
    reason: String,
}
}

impl AcceptedResult {
    fn all(history: &History) -> Vec<Self> {
        let of_entry = |entry: &Entry| -> Vec<Self> {
            let (file, at) = (&entry.file, entry.at.to_string());
            let of = |Accepted { key, subject, reason, .. }: &Accepted| Self {
                file: file.clone(),
                at: at.clone(),
                key: key.clone(),
                subject: subject.clone(),
                reason: reason.clone(),
            };
            entry.accepted.iter().map(of).collect()
        };
        history.releases().iter().flat_map(of_entry).collect()
    }

    /// The acceptance as one line: what, for which release, when, and why.
    fn line(&self) -> String {
        let Self { file, at, key, subject, reason } = self;
        let subject = subject.as_ref().map_or_else(String::new, |subject| format!(":{subject}"));
        let [file, subject, reason] = [file, &subject, reason].map(|text| escape(text));
        format!("accepted {key}{subject} for {file}, {at}: {reason}")
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
        Self {
            steps: steps.collect(),
            anew: AnewResult::all(history),
            decisions: decisions.map(DecisionResult::from).collect(),
            stated: history.statements().map(DecisionResult::from).collect(),
            accepted: AcceptedResult::all(history),
        }
    }
}

impl Answer for Listing {
    fn text(&self) -> String {
        let decided = self.decisions.iter().chain(&self.stated).map(DecisionResult::line);
        let anew = self.anew.iter().map(AnewResult::line);
        let lines: Vec<String> =
            anew.chain(decided).chain(self.accepted.iter().map(AcceptedResult::line)).collect();
        let gap = if lines.is_empty() { "" } else { "\n" };
        let lines = lines.iter().map(|line| format!("{line}\n"));
        lines.fold(output::to_table(&self.table()) + gap, |text, line| text + &line)
    }

    fn table(&self) -> Table {
        Table::of(&COLUMNS, &self.steps)
    }

    fn object(&self) -> impl Serialize {
        self
    }
}
