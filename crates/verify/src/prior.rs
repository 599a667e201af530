//! Reads the prior: the probability of each individual in P to be in T, from a column of P or a table of rates.

use std::collections::BTreeMap;

use super::error::VerifyError;
use super::layout::Layout;
use super::leaves::Leaf;
use super::people::People;
use super::spec::PriorSource;
use super::table::{Table, TableSource};
use super::tally::{self, Tally};
use super::value::{self, Alike, Chance};
use palmtop_terms::LocatedError;
use palmtop_terms::words::plural;

/// The name of the column with the rates.
const RATE: &str = "rate";
/// The number of combinations that a message lists.
const NAMED: usize = 10;

/// For each combination its individuals in P, grouped by prior.
pub(super) fn read(
    source: &PriorSource,
    layout: &Layout,
    public: &Tally,
    people: &People,
) -> Result<Vec<Vec<Alike>>, VerifyError> {
    match source {
        PriorSource::Column(_) => Ok(of_column(layout, public, people)),
        PriorSource::Rates(source) => of_rates(source, people),
    }
}

/// Reads the prior from a column of P. In the tally it follows the quasi-identifiers. Its texts were checked when P was read.
fn of_column(layout: &Layout, public: &Tally, people: &People) -> Vec<Vec<Alike>> {
    let mut known: Vec<BTreeMap<Chance, u64>> = vec![BTreeMap::new(); people.combinations.len()];
    let column = layout.quasi_count();
    tally::visit(public, |ids, count| {
        let chance = value::chance(&public.columns[column].texts[ids[column] as usize]);
        if let Some((chance, combination)) = chance.zip(people.public_combination(public, ids)) {
            *known[combination].entry(chance).or_default() += count;
        }
    });
    known.into_iter().map(|chances| chances.into_iter().collect()).collect()
}

/// Reads the prior from a table of rates. Each individual in P must match exactly one of its rows.
fn of_rates(source: &TableSource, people: &People) -> Result<Vec<Vec<Alike>>, VerifyError> {
    let table = Table::open(source)?;
    let wrong = |detail: String| VerifyError::from(LocatedError::new(detail).in_file(&table.path));
    let rate = table.column_index(RATE, "rates")?;
    let mut columns: Vec<usize> = (0..table.columns.len()).filter(|column| *column != rate).collect();
    let mut quasi = Vec::with_capacity(columns.len());
    for &index in &columns {
        let column = &table.columns[index];
        let number = people.quasi.iter().position(|quasi| quasi.name == *column);
        quasi.push(number.ok_or_else(|| {
            wrong(format!("column `{column}` is not a quasi-identifier; rename or remove it"))
        })?);
    }
    if quasi.is_empty() {
        return Err(wrong("it has no column of a quasi-identifier; add at least one".to_owned()));
    }
    // For each column and each leaf: the rows whose text denotes the leaf, ascending.
    let mut rows_of: Vec<Vec<Vec<usize>>> =
        quasi.iter().map(|&number| vec![Vec::new(); people.quasi[number].hierarchy.leaf_count()]).collect();
    let mut chances = Vec::new();
    columns.push(rate);
    table.visit(&columns, &mut |location, texts| {
        let row = chances.len();
        let text = texts[quasi.len()];
        chances.push(value::chance(text).ok_or_else(|| {
            let problem = format!("`{text}` is not a prior");
            VerifyError::not_a_chance(table.error_at(location, RATE, &problem))
        })?);
        for ((rows_of, &number), text) in rows_of.iter_mut().zip(&quasi).zip(texts) {
            let leaves = people.quasi[number].hierarchy.label(text);
            for leaf in leaves.iter().flat_map(|leaves| leaves.iter()) {
                rows_of[leaf as usize].push(row);
            }
        }
        Ok(())
    })?;
    let mut known: BTreeMap<Vec<Leaf>, Vec<usize>> = BTreeMap::new();
    let mut unmatched = BTreeMap::new();
    let mut alike = Vec::with_capacity(people.combinations.len());
    for combination in people.combinations.iter() {
        if combination.public == 0 {
            alike.push(Vec::new());
            continue;
        }
        let leaves: Vec<Leaf> = quasi.iter().map(|&number| combination.codes.get(number)).collect();
        let rows = known.entry(leaves.clone()).or_insert_with(|| {
            let of = |column: usize| &rows_of[column][leaves[column] as usize];
            let in_all = |row: &&usize| (1..quasi.len()).all(|column| of(column).binary_search(row).is_ok());
            of(0).iter().filter(in_all).copied().collect()
        });
        match rows.as_slice() {
            [row] => alike.push(vec![(chances[*row], combination.public)]),
            rows => {
                let texts = quasi.iter().zip(&leaves);
                let texts = texts.map(|(&number, &leaf)| people.quasi[number].hierarchy.text(leaf));
                unmatched.insert(leaves.clone(), (texts.collect::<Vec<_>>().join(" · "), rows.len()));
            }
        }
    }
    if unmatched.is_empty() {
        return Ok(alike);
    }
    let named = unmatched.values().take(NAMED).map(|(texts, rows)| format!("`{texts}` matches {rows} rows"));
    let named = named.collect::<Vec<_>>().join(", ");
    let more = if unmatched.len() > NAMED { ", …" } else { "" };
    Err(wrong(format!("each individual in P must match one row: {named}{more}; correct the rates")))
}

impl People {
    /// Checks that no combination has more members than individuals with a prior above 0.
    pub(super) fn check_possible(&self) -> Result<(), VerifyError> {
        let Some(prior) = &self.prior else { return Ok(()) };
        for (index, (combination, alike)) in self.combinations.iter().zip(prior).enumerate() {
            let possible: u64 =
                alike.iter().filter(|(chance, _)| chance.yes > 0).map(|(_, people)| people).sum();
            // Members who are not in P are reported elsewhere.
            if combination.private > possible && combination.private <= combination.public {
                let texts = self.texts(index);
                let person = texts.iter().map(|(name, text)| format!("{name} = {text}"));
                return Err(LocatedError::new(format!(
                    "the prior contradicts T: T has {} with {}, but only {possible} of these people in P have a prior \
                     above 0",
                    plural(combination.private, "member"),
                    person.collect::<Vec<_>>().join(", ")
                ))
                .remedy("correct the prior")
                .into());
            }
        }
        Ok(())
    }
}
