//! Columns that only T has and that reveal a proposed quasi-identifier, or a column of P that the proposal does not use. They
//! are withheld until a person decides.

use crate::{Ambiguity, Choice, Decision, Proposal};
use palmtop_core::model::Role;
use palmtop_core::words::count;
use palmtop_measure::betrayal::{self, Betrayal, Column, Quasi};
use palmtop_release::pipeline::scale::scale;
use palmtop_release::pipeline::{LEAST_LINKED, SpareColumn, is_linked};
use palmtop_tables::written::MISSING;

/// The greatest number of rows of T that are compared.
const MOST_ROWS: usize = 200_000;

/// The greatest number of P's combinations whose people are looked at in the columns that the proposal does not use.
const MOST_COMBINATIONS: u32 = 200_000;

/// The greatest number of rows of T that are compared with these columns: there may be many pairs.
const MOST_LINKED: u64 = 2_000;

/// The combination of people whom the looked-at rows of P lack.
pub(crate) const NOBODY: u32 = u32::MAX;

/// A column that reveals quasi-identifiers, or columns of P.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Betrayer {
    /// The name of the column.
    column: String,
    /// The revealed quasi-identifiers, with figures and without values.
    sentence: String,
    /// The same in few words.
    brief: String,
    /// The remedy.
    remedy: String,
    /// The revealed columns of P that the proposal does not use.
    public: Vec<String>,
}

/// The columns of P that the proposal does not use, with the value that all people of a combination share.
pub(crate) struct PublicColumns<'a> {
    columns: Vec<SpareColumn<'a>>,
}

impl<'a> PublicColumns<'a> {
    /// No rows yet. Without columns of T to compare, it has no columns.
    pub(crate) fn of(proposal: &'a Proposal, private: &PrivateColumns) -> Self {
        let spare = proposal.spare.iter().filter(|_| !private.names.is_empty());
        Self { columns: spare.map(|name| SpareColumn::new(name, 0)).collect() }
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &'a str> {
        self.columns.iter().map(|column| column.name)
    }

    /// Adds the texts of a row of P, and its combination.
    pub(crate) fn push(&mut self, texts: &[&str], combination: u32) {
        if combination < MOST_COMBINATIONS {
            self.columns.iter_mut().zip(texts).for_each(|(column, text)| column.push(combination, text));
        }
    }
}

/// The columns that only T has and that may be published, row by row, with the values of the quasi-identifiers.
#[derive(Debug, Default)]
pub(crate) struct PrivateColumns {
    /// The names of these columns.
    pub(crate) names: Vec<String>,
    columns: Vec<Column>,
    /// For each quasi-identifier, the number of the value in each row.
    quasi: Vec<Vec<u32>>,
    /// The combination of each row.
    combinations: Vec<u32>,
    rows: usize,
}

impl PrivateColumns {
    /// An empty table. Columns that a person withheld, and columns that name people, are left out.
    pub(crate) fn of(proposal: &Proposal, quasi: usize) -> Self {
        let is_open = |name: &str| {
            proposal.ambiguities.iter().any(|open| open.attribute.as_deref() == Some(name) && open.is_asked())
        };
        let may_be = proposal.attributes.iter().filter(|attribute| {
            attribute.public_column.is_none()
                && (attribute.role.is_kept() || (is_open(&attribute.name) && !attribute.names_people))
        });
        let names: Vec<String> = may_be.map(|attribute| attribute.name.clone()).collect();
        let columns = names.iter().map(Column::new).collect();
        Self { names, columns, quasi: vec![Vec::new(); quasi], combinations: Vec::new(), rows: 0 }
    }

    /// Adds the texts of a row, the numbers of its quasi-identifiers' values, and its combination.
    pub(crate) fn push(&mut self, texts: &[&str], quasi: &[u32], combination: u32) {
        if self.rows == MOST_ROWS || self.columns.is_empty() {
            return;
        }
        self.rows += 1;
        self.combinations.push(combination);
        for (column, text) in self.columns.iter_mut().zip(texts) {
            column.push(Some(text.trim()).filter(|text| !MISSING.contains(text)));
        }
        for (column, code) in self.quasi.iter_mut().zip(quasi) {
            column.push(*code);
        }
    }

    /// Finds the columns that reveal a quasi-identifier or a column of P. `quasi` has the name of each quasi-identifier, its values by their numbers, and
    /// the number of the missing value.
    pub(crate) fn find<'a>(
        self,
        quasi: impl Iterator<Item = (&'a str, Vec<String>, Option<u32>)>,
        public: &PublicColumns,
    ) -> Vec<Betrayer> {
        let Self { mut columns, quasi: cells, combinations, .. } = self;
        if columns.is_empty() {
            return Vec::new();
        }
        for column in &mut columns {
            column.scale = scale(&column.texts);
        }
        let known = quasi.zip(cells).map(|((name, texts, missing), cells)| {
            let scale = scale(&texts);
            Quasi { missing, ..Quasi::of(Column::numbered(name, texts, cells, scale)) }
        });
        let mut betrayers = Betrayers::default();
        for found in betrayal::find(&columns, &known.collect::<Vec<_>>()) {
            betrayers.add(&found, "");
        }
        for (found, examples) in linked(&columns, &combinations, public) {
            betrayers.add(&found, &examples);
        }
        betrayers.0
    }
}

#[derive(Default)]
struct Betrayers(Vec<Betrayer>);

impl Betrayers {
    fn add(&mut self, found: &Betrayal, examples: &str) {
        let sentence = format!("{}{examples}", found.sentence());
        let (quasi, fitting, rows) = (&found.quasi, count(found.fitting), count(found.rows));
        let of = if found.is_of_public {
            format!("whose people in P share one `{quasi}`")
        } else {
            "that have both values".to_owned()
        };
        let brief = format!("it gives `{quasi}` away in {fitting} of the {rows} rows of T {of}");
        let public = found.is_of_public.then(|| quasi.clone());
        match self.0.iter_mut().find(|known| known.column == found.column) {
            Some(known) => {
                known.sentence = format!("{}; {sentence}", known.sentence);
                known.brief = format!("{}; {brief}", known.brief);
                known.public.extend(public);
            }
            None => self.0.push(Betrayer {
                column: found.column.clone(),
                sentence,
                brief,
                remedy: found.remedy(),
                public: public.into_iter().collect(),
            }),
        }
    }
}

/// The columns of T that reveal a column of P in the rows whose combination has one value there, each with values of P.
fn linked(columns: &[Column], combinations: &[u32], public: &PublicColumns) -> Vec<(Betrayal, String)> {
    let with_people = (0..).zip(combinations).filter(|(_, combination)| **combination < MOST_COMBINATIONS);
    let all: Vec<u32> = with_people.map(|(row, _)| row).collect();
    let is_taken = |nth: &(u64, u32)| betrayal::is_sampled(nth.0, MOST_LINKED, all.len() as u64);
    let rows: Vec<u32> = (0..).zip(all.iter().copied()).filter(is_taken).map(|(_, row)| row).collect();
    let spare = public.columns.iter().filter_map(|column| Some((column, column.quasi(combinations)?)));
    let is_known = |quasi: &Quasi| rows.iter().filter(|row| is_linked(quasi, **row)).count() >= LEAST_LINKED;
    let (spare, quasi): (Vec<&SpareColumn>, Vec<Quasi>) = spare.filter(|(_, quasi)| is_known(quasi)).unzip();
    let examples = |position: usize| {
        let shown = spare[position].most_frequent(3).into_iter();
        let shown: Vec<String> =
            shown.map(|text| format!("`{}`", text.chars().take(20).collect::<String>())).collect();
        format!(" (such as {}), and it may be the same column", shown.join(", "))
    };
    let found = betrayal::find_among(columns, &quasi, &rows);
    let with_examples = |found: Betrayal| {
        let examples = examples(found.position());
        (found.of_public(0), examples)
    };
    found.into_iter().map(with_examples).collect()
}

/// Withholds each column that reveals a quasi-identifier and is still open. For a decided column, it adds a caution.
pub(crate) fn settle(proposal: &mut Proposal, betrayers: &[Betrayer]) {
    for Betrayer { column, sentence, brief, remedy, public } in betrayers {
        let is_about = |open: &&mut Ambiguity| open.attribute.as_ref() == Some(column) && open.is_asked();
        let Some(open) = proposal.ambiguities.iter_mut().find(is_about) else {
            proposal.ambiguities.push(Ambiguity::of(column, sentence, remedy));
            continue;
        };
        let is_withheld =
            |decision: &Decision| matches!(decision, Decision::Role { role: Role::Withheld, .. });
        open.what = match public.as_slice() {
            [only] => format!("is it P's column `{only}`? {}", brief.replacen("it", "It", 1)),
            _ => format!("{brief}, so it is not published"),
        };
        open.remedy.clone_from(remedy);
        // The proposed answer comes first.
        open.choices.sort_by_key(|choice| !is_withheld(&choice.decision));
        let is_new = |name: &String| {
            let pairs = |decision: &Decision| matches!(decision, Decision::Pair { public: Some(known), .. } if known == name);
            !open.choices.iter().any(|choice| pairs(&choice.decision))
        };
        let is_it = |name: &String| Choice {
            label: format!("it is P's {name}"),
            decision: Decision::Pair { private: column.clone(), public: Some(name.clone()) },
        };
        let others: Vec<Choice> = public.iter().filter(|name| is_new(name)).map(is_it).collect();
        open.choices.splice(1..1, others);
        for attribute in proposal.attributes.iter_mut().filter(|attribute| attribute.name == *column) {
            (attribute.role, attribute.undecided) = (Role::Withheld, false);
            attribute.reason = format!("{}; {sentence}", attribute.reason);
        }
    }
}
