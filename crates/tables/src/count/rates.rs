//! Tables of rates: for each person of P, the probability of being in T.

use rustc_hash::FxHashMap;

use crate::error::{DataError, Unmatched};
use crate::read::Table;
use crate::source::position::At;
use palmtop_core::located::LocatedError;
use palmtop_core::model::{Code, Counts, Hierarchy, Histogram, Level, Presence, Prior, QuasiIdentifier};
use palmtop_core::progress::unwatched;
use palmtop_core::words::{names, plural};

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
    histogram: &Histogram,
) -> Result<(Prior, u64), DataError> {
    let rates = Rates::read(table, quasi, Range::BelowOne)?;
    let matches = rates.matches(table, quasi, histogram)?;
    let mut members = vec![0; rates.of_rows.len()];
    for (&row, counts) in matches.iter().zip(histogram.counts()) {
        members[row as usize] += counts.private;
    }
    let is_impossible = |(rate, members): (&Presence, &u64)| *rate == Presence::ZERO && *members > 0;
    if let Some(row) = rates.of_rows.iter().zip(&members).position(is_impossible) {
        let (members, verb) = (plural(members[row], "member"), if members[row] == 1 { "is" } else { "are" });
        let problem = format!("the rate is 0, but {members} of T {verb} among the people of this row");
        let error = LocatedError::new(problem).in_file(table.path()).at_row(row as u64 + 1);
        return Err(error.remedy("give everyone who may be in T a rate above 0").into());
    }
    let mut is_used = vec![false; rates.of_rows.len()];
    for &row in &matches {
        is_used[row as usize] = true;
    }
    let idle = is_used.iter().filter(|is_used| !**is_used).count() as u64;
    let people = matches.iter().zip(histogram.counts()).enumerate();
    let people: Vec<(usize, Presence, u64)> = people
        .map(|(combination, (&row, counts))| (combination, rates.of_rows[row as usize], counts.public))
        .collect();
    Ok((Prior::new(histogram, &people)?, idle))
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
    let rates = Rates::read(table, quasi, Range::ToOne)?;
    let matches = rates.matches(table, quasi, histogram)?;
    let sum = |(&row, counts): (&u32, &Counts)| rates.of_rows[row as usize].to_f64() * counts.public as f64;
    Ok(matches.iter().zip(histogram.counts()).map(sum).collect())
}

/// The rates that a table may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Range {
    /// From 0 to below 1: no T contradicts them, if they are above 0 for its members.
    BelowOne,
    /// From 0 to 1.
    ToOne,
}

impl Range {
    /// What to do about a file that is no table of rates.
    fn remedy(self) -> &'static str {
        match self {
            Self::BelowOne => "name a table of rates",
            Self::ToOne => "correct the project's `belief` of [search]",
        }
    }

    /// The rate in a cell.
    fn read(self, table: &Table, at: At, text: &str) -> Result<Presence, DataError> {
        let (what, end) = match self {
            Self::BelowOne => ("a prior", "below 1"),
            Self::ToOne => ("a rate", "1"),
        };
        let rate: Option<Presence> = text.parse().ok();
        let rate = rate.filter(|rate| self == Self::ToOne || *rate < Presence::ONE);
        rate.ok_or_else(|| {
            let form = format!(
                "a fraction such as 1/30, a decimal such as 0.05 or a percentage such as 5%, from 0 to {end}"
            );
            let error = LocatedError::new(format!("`{text}` is not {what}")).in_file(table.file_of(at));
            error.at_row(at.row).at_column(RATE).expected(form).into()
        })
    }
}

/// The quasi-identifiers with a column in the table, in its order.
fn columns(table: &Table, quasi: &[QuasiIdentifier], range: Range) -> Result<Vec<usize>, DataError> {
    let wrong = |detail: String| DataError::from(LocatedError::new(detail).in_file(table.path()));
    if !table.has(RATE) {
        let lacks = format!("no column `{RATE}`, it has {}", names(table.columns()));
        return Err(LocatedError::new(lacks).in_file(table.path()).remedy(range.remedy()).into());
    }
    let names = names(&quasi.iter().map(|quasi| quasi.name.clone()).collect::<Vec<_>>());
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

impl Rates {
    fn read(table: &Table, quasi: &[QuasiIdentifier], range: Range) -> Result<Self, DataError> {
        let columns = columns(table, quasi, range)?;
        let labels: Vec<FxHashMap<&str, (Level, u32)>> =
            columns.iter().map(|&column| labels(&quasi[column].hierarchy)).collect();
        let mut names: Vec<&str> = columns.iter().map(|&column| quasi[column].name.as_str()).collect();
        names.push(RATE);
        let (mut tiers, mut rates): (Vec<Tier>, Vec<Presence>) = (Vec::new(), Vec::new());
        let mut row = 0_u32;
        table.visit(&names, &mut unwatched, &mut |at, texts| {
            let number = row;
            row = row.checked_add(1).ok_or_else(|| table.too_many_people())?;
            rates.push(range.read(table, at, texts[columns.len()])?);
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

    /// The row that the people of each combination match.
    fn matches(
        &self,
        table: &Table,
        quasi: &[QuasiIdentifier],
        histogram: &Histogram,
    ) -> Result<Vec<u32>, DataError> {
        let mut known: FxHashMap<Vec<Code>, Vec<u32>> = FxHashMap::default();
        let mut matches = Vec::with_capacity(histogram.len());
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
                [row] => matches.push(*row),
                _ => unmatched.push((codes, rows.clone(), counts.public)),
            }
        }
        if unmatched.is_empty() {
            return Ok(matches);
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
