//! Published columns that give a quasi-identifier away, and their cost.
//!
//! δ-presence protects against an attacker who knows the quasi-identifiers of everybody in P. A
//! release also has sensitive and insensitive columns, which are published unchanged. Suppose that
//! a release has a birth date and a generalized age. The attacker computes the age from the birth
//! date. Then fewer people of P fit the row than its class has.
//!
//! [`find`] searches T alone for such columns, by three relations:
//!
//! - an order that both columns share,
//! - a dependency that other rows support,
//! - text that both columns have in common.
//!
//! Each relation gives every row a set of values of the quasi-identifier. The set comes from the
//! other rows. So a random column fits its sets only as often as their size explains. A column is
//! reported if the sets nearly always fit and leave far fewer people than chance does. [`Risk`]
//! counts the cost. All of this follows from T, so no verdict depends on it.

mod column;
mod relation;
mod implied;
mod evidence;
mod dependency;
mod order;
mod text;
mod model;
mod risk;
mod words;

pub use column::{Column, NO_VALUE, Quasi, Scale};
pub use relation::{Part, Relation, Same};
pub use risk::{Members, PublicRows, Risk};
pub use words::share_in_words;

use rustc_hash::FxHashMap;

use self::evidence::{Evidence, Finding};
use self::implied::Implied;
use self::model::Model;
use palmtop_core::model::size;

/// A published column that gives a quasi-identifier away.
#[derive(Clone, Debug, PartialEq)]
pub struct Betrayal {
    /// The name of the published column.
    pub column: String,
    /// A second published column, if the difference of both columns gives the quasi-identifier
    /// away.
    pub with: Option<String>,
    /// The name of the quasi-identifier, or of the column of P.
    pub quasi: String,
    /// Whether `quasi` is a column of P that the project does not use.
    pub is_of_public: bool,
    /// The relation between both columns.
    pub relation: Relation,
    /// The number of compared rows of T that have both values.
    pub rows: u64,
    /// The number of these rows for which the column predicts the quasi-identifier.
    pub speaking: u64,
    /// The number of these rows for which the prediction is right.
    pub fitting: u64,
    /// The mean share, from 0 to 1, of compared rows with a value that the column leaves possible.
    pub share: f64,
    /// The position of the quasi-identifier; the columns of P follow the quasi-identifiers.
    position: usize,
    implied: Implied,
}

/// The greatest number of compared rows. Many pairs of columns lower it.
const MOST_ROWS: usize = 50_000;

/// The greatest number of compared rows times pairs of columns, unless fewer than 5,000 rows were
/// left.
const MOST_WORK: usize = 4_000_000;

/// The greatest number of columns of each kind whose differences are compared.
const MOST_DATES: usize = 6;

/// The rows that [`find`] compares: all rows, or a sample. The sample depends only on the number of
/// rows and of columns.
pub fn looked_at(rows: usize, columns: usize, quasi: usize) -> Vec<u32> {
    let pairs = (columns * quasi).max(1);
    let most = (MOST_WORK / pairs).clamp(5_000, MOST_ROWS);
    let all = 0..size::number(rows);
    all.filter(|&row| is_sampled(row.into(), most as u64, rows as u64)).collect()
}

/// Whether a row is in a sample of about `most` of `all` rows. The answer depends on these numbers
/// alone.
pub fn is_sampled(row: u64, most: u64, all: u64) -> bool {
    all <= most || column::mixed(row) < (u64::MAX / all).saturating_mul(most)
}

/// One row of each person, ascending. `persons` has the person of each row.
///
/// The chosen row is the one whose number has the least hash.
///
/// A relation is learned from other rows. Other rows of the same person would confirm every value
/// that the person keeps. So only one row of each person is compared.
pub fn one_row_each(persons: &[u32]) -> Vec<u32> {
    let mut chosen: FxHashMap<u32, u32> = FxHashMap::default();
    for (row, &person) in (0..).zip(persons) {
        let chosen_row = chosen.entry(person).or_insert(row);
        if column::mixed(row.into()) < column::mixed((*chosen_row).into()) {
            *chosen_row = row;
        }
    }
    let mut rows: Vec<u32> = chosen.into_values().collect();
    rows.sort_unstable();
    rows
}

/// The published columns that give a quasi-identifier away. Each pair of columns has at most one
/// relation, the strongest.
///
/// Each column has a cell for each row of T. Takes O(rows · columns · quasi-identifiers), with the
/// rows that [`looked_at`] chooses.
pub fn find(columns: &[Column], quasi: &[Quasi]) -> Vec<Betrayal> {
    let rows = columns.first().map_or(0, |column| column.cells.len());
    find_among(columns, quasi, &(0..size::number(rows)).collect::<Vec<_>>())
}

/// The same search, learned from the rows `rows` alone.
pub fn find_among(columns: &[Column], quasi: &[Quasi], rows: &[u32]) -> Vec<Betrayal> {
    let sample = looked_at(rows.len(), columns.len(), quasi.len());
    let sample: Vec<u32> = sample.into_iter().map(|position| rows[position as usize]).collect();
    let ranked_quasi: Vec<_> = quasi.iter().map(|quasi| order::Ranks::of(&quasi.column, &sample)).collect();
    let models: Vec<text::Models> = quasi.iter().map(text::Models::of).collect();
    let mut found: Vec<Betrayal> = Vec::new();
    for column in columns {
        let ranks = order::Ranks::of(column, &sample);
        let groupings = dependency::groupings(column, &sample);
        let words = text::Words::of(column, &sample);
        for (position, quasi) in quasi.iter().enumerate() {
            let by_order = order::find(ranks.as_ref(), ranked_quasi[position].as_ref(), quasi, &sample);
            let by_group = dependency::find(&groupings, quasi, &sample);
            let by_text = text::find(column, &words, quasi, &models[position], &sample);
            let by_order = by_order.map(|found| found.with_model(Model::Order));
            let by_group = by_group.map(|found| found.with_model(Model::Dependency));
            let by_text = by_text.map(|found| found.with_model(Model::Text));
            let all = [by_order, by_group, by_text].into_iter().flatten();
            let best = all.min_by(|left, right| left.evidence.score().total_cmp(&right.evidence.score()));
            found.extend(best.map(|best| Betrayal::new(column, None, position, quasi, &best)));
        }
    }
    for (position, quasi) in quasi.iter().enumerate() {
        if found.iter().any(|betrayal| betrayal.position == position) {
            continue;
        }
        let ranks = ranked_quasi[position].as_ref();
        found.extend(by_difference(columns, position, quasi, ranks, &sample));
    }
    found
}

/// The first two columns whose difference gives a quasi-identifier away. If the quasi-identifier is
/// a number, both columns are dates. If it is a date, they are a date and a number of days.
fn by_difference(
    columns: &[Column],
    position: usize,
    quasi: &Quasi,
    ranks: Option<&order::Ranks>,
    sample: &[u32],
) -> Option<Betrayal> {
    let is_date = quasi.column.scale.as_ref()?.is_date;
    let of_kind = |dates: bool| {
        let fits = move |column: &&Column| column.scale.as_ref().is_some_and(|scale| scale.is_date == dates);
        columns.iter().filter(fits).take(MOST_DATES)
    };
    for (nth, first) in of_kind(true).enumerate() {
        let others: Vec<&Column> =
            if is_date { of_kind(false).collect() } else { of_kind(true).skip(nth + 1).collect() };
        for second in others {
            for sign in if is_date { &[-1.0, 1.0][..] } else { &[-1.0] } {
                let difference = first.plus(second, *sign);
                let difference_ranks = order::Ranks::of(&difference, sample);
                if let Some(found) = order::find(difference_ranks.as_ref(), ranks, quasi, sample) {
                    let found = found.with_model(Model::Order);
                    let mut betrayal = Betrayal::new(&difference, Some(second), position, quasi, &found);
                    betrayal.column.clone_from(&first.name);
                    return Some(betrayal);
                }
            }
        }
    }
    None
}

impl Betrayal {
    fn new(
        column: &Column,
        with: Option<&Column>,
        position: usize,
        quasi: &Quasi,
        found: &Finding<Model>,
    ) -> Self {
        let Evidence { rows, speaking, hits, share, .. } = found.evidence;
        Self {
            column: column.name.clone(),
            with: with.map(|with| with.name.clone()),
            quasi: quasi.name.clone(),
            is_of_public: false,
            relation: found.relation,
            rows,
            speaking,
            fitting: hits,
            share,
            position,
            implied: found.model.implied(column, quasi),
        }
    }

    /// A published column that has the values of a column of P.
    ///
    /// `same` maps a text to the equal values of P. The three counts are all rows, the rows that
    /// fit P, and the rows expected to fit by chance.
    #[expect(clippy::cast_precision_loss, reason = "counts of rows")]
    pub fn of_same_values(
        column: &Column,
        public: &Quasi,
        same: impl Fn(u32) -> Option<Vec<u32>>,
        how: Same,
        chance: f64,
        rows: u64,
        fitting: u64,
    ) -> Self {
        Self {
            column: column.name.clone(),
            with: None,
            quasi: public.name.clone(),
            is_of_public: true,
            relation: Relation::SameValues { chance, how },
            rows,
            speaking: rows,
            fitting,
            share: chance / rows.max(1) as f64,
            position: 0,
            implied: Implied::of(column, public, |text| text.and_then(&same)),
        }
    }

    /// The same betrayal, for a column of P that the project does not use, at a given position.
    #[must_use]
    pub fn of_public(self, position: usize) -> Self {
        Self { position, is_of_public: true, ..self }
    }

    /// The position of the quasi-identifier in the list of quasi-identifiers.
    pub fn position(&self) -> usize {
        self.position
    }
}
