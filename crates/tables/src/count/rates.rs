//! The prior given by a table of rates.

use rustc_hash::FxHashMap;

use super::encode::Encoder;
use super::join::Joined;
use super::prior::{self, People};
use super::probabilities::PriorCell;
use crate::error::{DataError, Unmatched};
use crate::read::Table;
use palmtop_core::located::LocatedError;
use palmtop_core::model::{Code, Hierarchy, Histogram, Level, Presence, Prior, QuasiIdentifier};
use palmtop_core::progress::unwatched;

/// The name of the column with the rates.
const RATE: &str = "rate";

/// The prior of a table of rates, and the number of its rows that match nobody. The table has one
/// column for each of some quasi-identifiers, by name, with values or labels of any level of its
/// hierarchy, and the column `rate`.
///
/// Each person in P must match exactly one row in all of its columns. O(c·s) for c combinations and
/// s different tuples of levels among the rows.
///
/// # Errors
/// A [`DataError`] with file, row, column and value: another column, an invalid rate, people who
/// match no row or several rows, or members of T with rate 0.
pub fn of_table(
    table: &Table,
    quasi: &[QuasiIdentifier],
    encoder: &Encoder,
    histogram: &Histogram,
    tables: &Joined,
) -> Result<(Prior, u64), DataError> {
    let columns = columns(table, quasi, "`rates` of [prior]")?;
    let rates = Rates::read(table, quasi, columns, false)?;
    let people = rates.of_everybody(table, quasi, histogram)?;
    let idle = people.used.iter().filter(|used| !**used).count() as u64;
    Ok((prior::settle(encoder, &people.shares, histogram, tables)?, idle))
}

/// The sum of the rates of each combination's people, by a table as for [`of_table`]. Rates may be 0 or 1.
///
/// # Errors
/// A [`DataError`] with file, row, column and value: another column, an invalid rate, or people who match no
/// row or several rows.
#[expect(clippy::cast_precision_loss, reason = "a sum of rates, of which only ratios count")]
pub fn expected_of_table(
    table: &Table,
    quasi: &[QuasiIdentifier],
    histogram: &Histogram,
) -> Result<Vec<f64>, DataError> {
    let columns = columns(table, quasi, "`belief` of [search]")?;
    let rates = Rates::read(table, quasi, columns, true)?;
    let mut sums = vec![0.0; histogram.len()];
    for (combination, rate, people) in rates.of_everybody(table, quasi, histogram)?.shares {
        sums[combination] += rate.to_f64() * people as f64;
    }
    Ok(sums)
}

/// The quasi-identifiers with a column in the table, in its order. `used_by` names the key of the project that
/// needs the column of rates.
fn columns(table: &Table, quasi: &[QuasiIdentifier], used_by: &str) -> Result<Vec<usize>, DataError> {
    table.require(RATE, used_by)?;
    let wrong = |detail: String| DataError::from(LocatedError::new(detail).in_file(table.path()));
    let names = quasi.iter().map(|quasi| format!("`{}`", quasi.name)).collect::<Vec<_>>().join(", ");
    let index = |column: &String| {
        let index = quasi.iter().position(|quasi| quasi.name == *column);
        index.ok_or_else(|| {
            wrong(format!(
                "column `{column}` is not a quasi-identifier of the project; expected one or more of {names}, and `{RATE}`"
            ))
        })
    };
    let columns: Vec<usize> =
        table.columns().iter().filter(|column| *column != RATE).map(index).collect::<Result<_, _>>()?;
    if columns.is_empty() {
        return Err(wrong(format!(
            "no column of a quasi-identifier; expected one or more of {names}, and `{RATE}`"
        )));
    }
    Ok(columns)
}

/// The rates by labels: rows with the same levels are looked up together.
struct Rates {
    /// The quasi-identifier of each column.
    columns: Vec<usize>,
    /// For each tuple of levels among the rows: these rows by the numbers of their labels.
    tiers: Vec<Tier>,
    of_rows: Vec<Presence>,
}

struct Tier {
    levels: Vec<Level>,
    /// The first two rows with the same labels.
    rows: FxHashMap<Vec<u32>, (u32, Option<u32>)>,
}

/// The probability of each person, and the rows that some person matches.
struct Everybody {
    shares: Vec<People>,
    used: Vec<bool>,
}

impl Rates {
    fn read(
        table: &Table,
        quasi: &[QuasiIdentifier],
        columns: Vec<usize>,
        is_belief: bool,
    ) -> Result<Self, DataError> {
        let labels: Vec<FxHashMap<&str, (Level, u32)>> =
            columns.iter().map(|&column| labels(&quasi[column].hierarchy)).collect();
        let mut names: Vec<&str> = columns.iter().map(|&column| quasi[column].name.as_str()).collect();
        names.push(RATE);
        let (mut tiers, mut rates): (Vec<Tier>, Vec<Presence>) = (Vec::new(), Vec::new());
        let mut row = 0_u32;
        table.visit(&names, &mut unwatched, &mut |at, texts| {
            let number = row;
            row = row.checked_add(1).ok_or_else(|| table.too_many_people())?;
            let text = texts[columns.len()];
            let cell = PriorCell { table, at, column: RATE, text };
            rates.push(if is_belief { cell.read_belief() } else { cell.read() }?);
            let found: Option<Vec<(Level, u32)>> =
                labels.iter().zip(texts).map(|(labels, text)| labels.get(text).copied()).collect();
            // A value that no hierarchy has matches nobody.
            let Some(found) = found else { return Ok(()) };
            let (levels, labels): (Vec<Level>, Vec<u32>) = found.into_iter().unzip();
            let index = tiers.iter().position(|tier| tier.levels == levels).unwrap_or_else(|| {
                tiers.push(Tier { levels, rows: FxHashMap::default() });
                tiers.len() - 1
            });
            let rows = tiers[index].rows.entry(labels).or_insert((number, None));
            if rows.0 != number {
                rows.1.get_or_insert(number);
            }
            Ok(())
        })?;
        Ok(Self { columns, tiers, of_rows: rates })
    }

    /// The first two rows that match a combination of codes, one per column.
    fn matching(&self, quasi: &[QuasiIdentifier], codes: &[Code]) -> Vec<u32> {
        let of_tier = |tier: &Tier| {
            let labels =
                self.columns.iter().zip(&tier.levels).zip(codes).map(|((&column, &level), &code)| {
                    quasi[column].hierarchy.labels_of(level)[code as usize]
                });
            tier.rows.get(&labels.collect::<Vec<u32>>()).map(|&(first, second)| [Some(first), second])
        };
        self.tiers.iter().filter_map(of_tier).flatten().flatten().take(2).collect()
    }

    fn of_everybody(
        &self,
        table: &Table,
        quasi: &[QuasiIdentifier],
        histogram: &Histogram,
    ) -> Result<Everybody, DataError> {
        let mut known: FxHashMap<Vec<Code>, Vec<u32>> = FxHashMap::default();
        let mut shares = Vec::with_capacity(histogram.len());
        let mut used = vec![false; self.of_rows.len()];
        let mut unmatched: Vec<(Vec<Code>, Vec<u32>, u64)> = Vec::new();
        for (index, counts) in histogram.counts().iter().enumerate() {
            let codes: Vec<Code> =
                self.columns.iter().map(|&column| histogram.column(column)[index]).collect();
            let rows = known.entry(codes.clone()).or_insert_with(|| self.matching(quasi, &codes));
            for row in rows.iter() {
                used[*row as usize] = true;
            }
            match rows.as_slice() {
                [row] => shares.push((index, self.of_rows[*row as usize], counts.public)),
                _ => unmatched.push((codes, rows.clone(), counts.public)),
            }
        }
        if unmatched.is_empty() {
            return Ok(Everybody { shares, used });
        }
        unmatched.sort_unstable();
        let people = unmatched.iter().map(|(.., people)| people).sum();
        unmatched.dedup_by(|later, first| later.0 == first.0);
        let texts = |codes: &[Code]| {
            let texts = self.columns.iter().zip(codes);
            texts.map(|(&column, &code)| quasi[column].hierarchy.leaf(code).to_owned()).collect()
        };
        let listed = unmatched.iter().take(Unmatched::LISTED);
        let values = listed
            .map(|(codes, rows, _)| (texts(codes), rows.iter().map(|row| u64::from(*row) + 1).collect()));
        let unmatched = Unmatched {
            attributes: self.columns.iter().map(|&column| quasi[column].name.clone()).collect(),
            values: values.collect(),
            count: unmatched.len() as u64,
            people,
            idle: used.iter().position(|used| !used).map(|row| row as u64 + 1),
        };
        Err(unmatched.in_file(table.path()).into())
    }
}

/// The labels of a hierarchy by text. A text at several levels means the same people at each; the
/// finest level is used.
fn labels(hierarchy: &Hierarchy) -> FxHashMap<&str, (Level, u32)> {
    let mut labels = FxHashMap::default();
    for level in hierarchy.levels() {
        for (number, text) in (0..).zip(hierarchy.labels(level).iter()) {
            labels.entry(text).or_insert((level, number));
        }
    }
    labels
}
