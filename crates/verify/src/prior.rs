//! How likely people are to be in T, read by the verifier for itself: a column of P, or a table of rates.

use std::collections::BTreeMap;

use super::error::VerifyError;
use super::hierarchy::Leaf;
use super::layout::Layout;
use super::people::People;
use super::table::{Table, TableSource};
use super::tally::Tally;
use super::value::{self, Chance};

/// Where it stands how likely people are to be in T.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PriorSource {
    /// In a column of P.
    Column(String),
    /// In a table of rates: columns by the names of quasi-identifiers, with values and labels of their hierarchies, and `rate`.
    Rates(TableSource),
}

/// A prior, and what it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriorSpec {
    /// Where it stands.
    pub source: PriorSource,
    /// Whether everybody's posterior is recounted, and judged by δ; else only whose column it is matters.
    pub is_judged: bool,
}

/// So many people of P who are equally likely.
pub(super) type Alike = (Chance, u64);

/// The column of the rates.
const RATE: &str = "rate";
/// How many values are named that have no rate.
const NAMED: usize = 10;

/// Of each combination, its people of P by how likely they are.
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

/// The tally has the column's texts behind the quasi-identifiers'; they were looked at when it was read.
fn of_column(layout: &Layout, public: &Tally, people: &People) -> Vec<Vec<Alike>> {
    let mut known: Vec<BTreeMap<Chance, u64>> = vec![BTreeMap::new(); people.combinations.len()];
    let place = layout.quasi_count();
    super::people::visit(public, |ids, count| {
        let chance = value::chance(&public.columns[place].texts[ids[place] as usize]);
        if let Some((chance, combination)) = chance.zip(people.public_place(public, ids)) {
            *known[combination].entry(chance).or_default() += count;
        }
    });
    known.into_iter().map(|chances| chances.into_iter().collect()).collect()
}

/// Each person of P must match one row of the rates.
fn of_rates(source: &TableSource, people: &People) -> Result<Vec<Vec<Alike>>, VerifyError> {
    let table = Table::open(source)?;
    let wrong = |detail: String| VerifyError::Rates { path: table.path.clone(), detail };
    let rate = table.place(RATE, "rates")?;
    let places: Vec<usize> = (0..table.columns.len()).filter(|place| *place != rate).collect();
    let mut quasi = Vec::with_capacity(places.len());
    for &place in &places {
        let column = &table.columns[place];
        let number = people.quasi.iter().position(|quasi| quasi.name == *column);
        quasi.push(number.ok_or_else(|| wrong(format!("column `{column}` is no quasi-identifier")))?);
    }
    if quasi.is_empty() {
        return Err(wrong("it has no column of a quasi-identifier beside `rate`".to_owned()));
    }
    // Of each column and leaf the rows that hold it, ascending.
    let mut holding: Vec<Vec<Vec<usize>>> =
        quasi.iter().map(|&number| vec![Vec::new(); people.quasi[number].hierarchy.leaf_count()]).collect();
    let mut chances = Vec::new();
    let columns = [places.as_slice(), &[rate]].concat();
    table.visit(&columns, &mut |at, texts| {
        let row = chances.len();
        let text = texts[quasi.len()];
        chances.push(value::chance(text).ok_or_else(|| VerifyError::NotAChance {
            path: table.file(at).to_owned(),
            place: at.place,
            column: RATE.to_owned(),
            value: text.to_owned(),
        })?);
        for ((holding, &number), text) in holding.iter_mut().zip(&quasi).zip(texts) {
            let leaves = people.quasi[number].hierarchy.label(text);
            for leaf in leaves.iter().flat_map(|leaves| leaves.iter()) {
                holding[leaf as usize].push(row);
            }
        }
        Ok(())
    })?;
    let mut known: BTreeMap<Vec<Leaf>, Vec<usize>> = BTreeMap::new();
    let mut wanting = BTreeMap::new();
    let mut alike = Vec::with_capacity(people.combinations.len());
    for combination in people.combinations.iter() {
        if combination.public == 0 {
            alike.push(Vec::new());
            continue;
        }
        let leaves: Vec<Leaf> = quasi.iter().map(|&number| combination.codes.get(number)).collect();
        let rows = known.entry(leaves.clone()).or_insert_with(|| {
            let of = |place: usize| &holding[place][leaves[place] as usize];
            let in_all = |row: &&usize| (1..quasi.len()).all(|place| of(place).binary_search(row).is_ok());
            of(0).iter().filter(in_all).copied().collect()
        });
        match rows.as_slice() {
            [row] => alike.push(vec![(chances[*row], combination.public)]),
            rows => {
                let texts = quasi.iter().zip(&leaves);
                let texts = texts.map(|(&number, &leaf)| people.quasi[number].hierarchy.text(leaf));
                wanting.insert(leaves.clone(), (texts.collect::<Vec<_>>().join(" · "), rows.len()));
            }
        }
    }
    if wanting.is_empty() {
        return Ok(alike);
    }
    let named = wanting.values().take(NAMED).map(|(texts, rows)| format!("`{texts}` matches {rows} rows"));
    let named = named.collect::<Vec<_>>().join(", ");
    let more = if wanting.len() > NAMED { ", …" } else { "" };
    Err(wrong(format!("each person of P must match one row: {named}{more}; correct the rates")))
}

impl People {
    /// T must be possible: no combination has more members than people with a chance.
    pub(super) fn check_possible(&self) -> Result<(), VerifyError> {
        let Some(prior) = &self.prior else { return Ok(()) };
        for (place, (combination, alike)) in self.combinations.iter().zip(prior).enumerate() {
            let possible: u64 =
                alike.iter().filter(|(chance, _)| chance.yes > 0).map(|(_, people)| people).sum();
            // Whoever is not in P at all is found elsewhere.
            if combination.private > possible && combination.private <= combination.public {
                let texts = self.texts(place);
                let person = texts.iter().map(|(name, text)| format!("{name} = {text}"));
                return Err(VerifyError::Impossible {
                    members: combination.private,
                    possible,
                    person: person.collect::<Vec<_>>().join(", "),
                });
            }
        }
        Ok(())
    }
}
