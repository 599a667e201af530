//! The columns of `compare`. The figures of a release among them are those of
//! `palmtop_release::figures`; the columns here describe the run.

use palmtop_release::columns::{Column, Head, Shown, Table, TableHead, Value};
use palmtop_release::figures::FIGURES;
use palmtop_search::release::KnowsAlgorithm;
use serde::Serialize;

use super::{PseudonymResult, RunResult};
use crate::answer::Answer;

type Run = Column<RunResult>;

/// The columns before the figures.
const BEFORE: [Column<RunResult>; 5] = [
    Run::text("strategy", "the strategy, or `node` for a chosen node", |run| {
        let marked =
            if run.has_open_caution() { format!("{} !", run.strategy) } else { run.strategy.clone() };
        Value::Worded(marked, Box::new(Value::from(&run.strategy)))
    })
    .shown("strategy", Shown::At(10)),
    Run::text("delta_min", "δmin", |run| (&run.policy.delta.min).into()).shown("δmin", Shown::Never),
    Run::text("delta_max", "δmax", |run| (&run.policy.delta.max).into()).shown("δmax", Shown::At(20)),
    Run::text("verdict", "`present`, `not present`, or why no release exists", |run| {
        // `exact` implies that δ is kept, so it replaces the verdict in a table for people.
        let exact = KnowsAlgorithm::Exact.as_str();
        let is_exact = run.policy.knows_algorithm.as_ref().is_some_and(|known| known.verdict == exact);
        let words = if is_exact { exact } else { run.verdict() };
        Value::Worded(words.to_owned(), Box::new(Value::from(run.verdict())))
    })
    .shown("verdict", Shown::At(30)),
    Run::text("node", "the levels of the node, in JSON a list; none for regions", |run| {
        run.node_text().into()
    })
    .shown("node", Shown::IfRoom(150)),
];

/// The columns after the figures.
const AFTER: [Column<RunResult>; 11] = [
    Run::number("suppressed", "the number of withdrawn members", |run| {
        let words = if run.may_withdraw() { run.recoding.suppressed.to_string() } else { String::new() };
        Value::Worded(words, Box::new(Value::from(run.recoding.suppressed)))
    })
    .shown("withdrawn", Shown::At(170)),
    file_only("seed", "the seed", |run| run.seed.into()),
    file_only("rounds", "the rounds of a search that draws", |run| run.search.rounds.into()),
    file_only("opening", "the steps of `best` before its first round, if time ended it there", |run| {
        run.search.opening.into()
    }),
    file_only("taken_from", "the δ of the search, if it is not that of this result", |run| {
        run.taken_from_text().into()
    }),
    Run::number("seconds", "the seconds of the search and of measuring its release", |run| {
        run.times.seconds.map_or(Value::None, Value::Seconds)
    })
    .shown("time", Shown::At(140)),
    Run::number(
        "criteria",
        "in CSV: the enforced criteria besides δ, such as `k 7/5`: 7 of the required 5",
        |run| run.other_criteria().into(),
    )
    .shown("criteria", Shown::At(160)),
    file_only(
        "knows_algorithm",
        "what an attacker who knows the algorithm learns; in CSV the verdict",
        |run| run.policy.knows_algorithm.as_ref().map(|known| known.verdict).into(),
    ),
    file_only("dropped", "the number of members whom P lacks and who are left out", |run| {
        run.outsiders.dropped.into()
    }),
    file_only("added", "the number of members whom P lacks and who are added to it", |run| {
        run.outsiders.added.into()
    }),
    file_only(
        "pseudonyms",
        "the pseudonymized columns, in CSV as `patient (keyed)`; may be absent if there are none",
        |run| PseudonymResult::listed(&run.pseudonyms).into(),
    ),
];

/// A column of CSV alone.
const fn file_only(
    name: &'static str,
    doc: &'static str,
    value: fn(&RunResult) -> Value,
) -> Column<RunResult> {
    Run::number(name, doc, value).shown(name, Shown::Never)
}

/// The columns of `compare`, in the order of CSV.
pub fn compared_columns() -> impl Iterator<Item = Head> {
    let head = |column: &Column<RunResult>| column.head;
    let figures = FIGURES.iter().map(|figure| figure.head);
    BEFORE.iter().map(head).chain(figures).chain(AFTER.iter().map(head))
}

/// Runs as a table with every column.
pub fn comparison<'a>(runs: impl IntoIterator<Item = &'a RunResult> + Clone) -> Table {
    let figures = Table {
        heads: FIGURES.iter().map(|figure| TableHead::from(&figure.head)).collect(),
        rows: runs.clone().into_iter().map(|run| run.figures.values().to_vec()).collect(),
    };
    Table::of(&BEFORE, runs.clone()).with_columns_of(figures).with_columns_of(Table::of(&AFTER, runs))
}

/// A run by itself: as lines of text, or as one row of the comparison.
impl Answer for RunResult {
    fn text(&self) -> String {
        self.lines()
    }

    fn table(&self) -> Table {
        comparison([self])
    }

    fn object(&self) -> impl Serialize {
        self
    }
}
