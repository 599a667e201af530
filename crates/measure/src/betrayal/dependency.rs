//! Rows with the same value of a column, or the same part of it, that share one or few values of a
//! quasi-identifier.
//!
//! Each row is predicted from the other rows of its group (leave-one-out). A value that only one
//! row has gives no evidence, so such a row counts as not predicted. At least a quarter of all rows
//! must be predicted.
//!
//! Rows without a value are a group too: a cell that is empty only for men gives the sex away.

use chrono::{Datelike, NaiveDate};
use rustc_hash::FxHashMap;

use super::column::{Column, NO_VALUE, Quasi};
use super::evidence::{Evidence, Finding};
use super::relation::{Part, Relation};
use palmtop_core::model::size;

/// The longest prefix that is tried.
const LONGEST: usize = 5;
/// The greatest number of band widths that are tried.
const MOST_WIDTHS: usize = 6;
/// A value is a possible error if at most one of this many rows of its group has it.
const RARE: u64 = 40;
/// The possible errors of a group are errors only if they are at most one of this many rows.
const ERRORS: u64 = 20;
/// The most characters of a text whose single positions are tried.
const MOST_POSITIONS: usize = 24;

/// The rows of a column, grouped by a part of their values.
pub(super) struct Grouping {
    part: Part,
    /// The group of each text; [`NO_VALUE`] if the text lacks the part.
    of_text: Vec<u32>,
    /// The number of groups. The last group has the rows without a value.
    groups: usize,
    /// The compared rows, group by group, as positions in the sample.
    rows: Vec<u32>,
    /// The begin of each group in `rows`, and the end of the last group.
    begins: Vec<usize>,
}

/// A dependency on the groups of a column.
pub(super) struct Model {
    of_text: Vec<u32>,
    groups: usize,
    /// The label of each leaf; `None` if the leaves themselves are predicted.
    labels: Option<Vec<u32>>,
}

/// The groupings to try: by value, and by each part that gives another number of groups. Such a
/// grouping needs at least two groups, and four compared rows per group on average.
pub(super) fn groupings(column: &Column, sample: &[u32]) -> Vec<Grouping> {
    let mut found =
        vec![Grouping::new(Part::Value, (0..).take(column.texts.len()).collect(), column, sample)];
    for part in parts(column, sample) {
        let mut known: FxHashMap<PartKey, u32> = FxHashMap::default();
        let of_text = (0..column.texts.len()).map(|text| {
            let Some(key) = key(column, part, text) else { return NO_VALUE };
            let next = u32::try_from(known.len()).expect("no more groups than texts");
            *known.entry(key).or_insert(next)
        });
        let grouping = Grouping::new(part, of_text.collect(), column, sample);
        let is_new = found.iter().all(|other: &Grouping| other.occupied() != grouping.occupied());
        if is_new && grouping.occupied() > 1 && grouping.occupied() * 4 <= sample.len() {
            found.push(grouping);
        }
    }
    found
}

/// The common part of the texts of one group.
#[derive(PartialEq, Eq, Hash)]
enum PartKey {
    Number(i64),
    Text(String),
}

fn key(column: &Column, part: Part, text: usize) -> Option<PartKey> {
    let number = || column.scale.as_ref()?.values[text];
    #[expect(clippy::cast_possible_truncation, reason = "days, and bands of bounded number")]
    let day = || NaiveDate::from_num_days_from_ce_opt(number()? as i32);
    #[expect(clippy::cast_possible_truncation, reason = "days, and bands of bounded number")]
    match part {
        Part::Value => None,
        Part::Year => Some(PartKey::Number(day()?.year().into())),
        Part::Month => Some(PartKey::Number(i64::from(day()?.year()) * 12 + i64::from(day()?.month0()))),
        Part::Band(width) => Some(PartKey::Number((number()? / width + 1e-9).floor() as i64)),
        Part::Prefix(length) => characters(&column.texts[text], 0, length),
        Part::Characters { from, length } => characters(&column.texts[text], from, length),
    }
}

/// Some characters of a text, in lower case; `None` if the text is too short.
fn characters(text: &str, from: usize, length: usize) -> Option<PartKey> {
    let found: String = text.trim().to_lowercase().chars().skip(from).take(length).collect();
    (found.chars().count() == length).then_some(PartKey::Text(found))
}

/// The parts of a column's values to try.
fn parts(column: &Column, sample: &[u32]) -> Vec<Part> {
    let mut parts = usual_parts(column, sample);
    parts.extend(positions(column, sample));
    parts
}

/// Each position and each pair of neighbouring positions. The list is empty unless the distinct
/// texts are at least half as many as the rows. Nearly all of them must also have the same length.
fn positions(column: &Column, sample: &[u32]) -> Vec<Part> {
    if column.scale.as_ref().is_some_and(|scale| scale.is_date) {
        return Vec::new();
    }
    let cells = sample.iter().map(|&row| column.cells[row as usize]);
    let mut distinct: Vec<u32> = cells.filter(|&text| text != NO_VALUE).collect();
    let rows = distinct.len();
    distinct.sort_unstable();
    distinct.dedup();
    let mut lengths: FxHashMap<usize, usize> = FxHashMap::default();
    for &text in &distinct {
        *lengths.entry(column.texts[text as usize].trim().chars().count()).or_default() += 1;
    }
    let usual = lengths.into_iter().max_by_key(|&(length, texts)| (texts, length));
    let Some((length, same)) = usual.filter(|(length, _)| (3..=MOST_POSITIONS).contains(length)) else {
        return Vec::new();
    };
    if distinct.len() * 2 < rows || same * 10 < distinct.len() * 9 {
        return Vec::new();
    }
    let of_length =
        |count: usize| (0..=length - count).map(move |from| Part::Characters { from, length: count });
    (1..=2).flat_map(of_length).collect()
}

fn usual_parts(column: &Column, sample: &[u32]) -> Vec<Part> {
    match &column.scale {
        Some(scale) if scale.is_date => vec![Part::Month, Part::Year],
        Some(_) => {
            let mut values: Vec<f64> = sample.iter().filter_map(|&row| column.value(row)).collect();
            values.sort_unstable_by(f64::total_cmp);
            let cut = values.len() / 50;
            let Some((low, high)) = values.get(cut).copied().zip(values.iter().rev().nth(cut).copied())
            else {
                return Vec::new();
            };
            let rows = size::number(sample.len());
            let widths = (-3..12).flat_map(|power| [10_f64.powi(power), 5.0 * 10_f64.powi(power)]);
            let is_useful = |width: &f64| {
                let bands = (high - low) / width;
                (2.0..f64::from(rows) / 4.0).contains(&bands)
            };
            widths.filter(is_useful).take(MOST_WIDTHS).map(Part::Band).collect()
        }
        None => (1..=LONGEST).map(Part::Prefix).collect(),
    }
}

impl Grouping {
    fn new(part: Part, of_text: Vec<u32>, column: &Column, sample: &[u32]) -> Self {
        let blank = of_text.iter().filter(|&&group| group != NO_VALUE).max().map_or(0, |&group| group + 1);
        let groups = blank as usize + 1;
        let group = |row: u32| {
            let text = column.cells[row as usize];
            if text == NO_VALUE { blank } else { of_text[text as usize] }
        };
        let of_row: Vec<u32> = sample.iter().map(|&row| group(row)).collect();
        let mut begins = vec![0; groups + 1];
        of_row.iter().filter(|&&group| group != NO_VALUE).for_each(|&group| begins[group as usize + 1] += 1);
        (0..groups).for_each(|group| begins[group + 1] += begins[group]);
        let mut next = begins.clone();
        let mut rows = vec![0; begins[groups]];
        for (nth, &group) in (0..).zip(&of_row).filter(|(_, group)| **group != NO_VALUE) {
            rows[next[group as usize]] = nth;
            next[group as usize] += 1;
        }
        Self { part, of_text, groups, rows, begins }
    }

    /// The number of groups with compared rows.
    fn occupied(&self) -> usize {
        self.begins.windows(2).filter(|pair| pair[0] < pair[1]).count()
    }
}

/// The strongest dependency of a quasi-identifier on the groups of a column.
pub(super) fn find(groupings: &[Grouping], quasi: &Quasi, sample: &[u32]) -> Option<Finding<Model>> {
    let cells: Vec<u32> = sample.iter().map(|&row| quasi.cell(row)).collect();
    let mut best: Option<Finding<Model>> = None;
    for grouping in groupings {
        let levels = quasi.levels.iter().map(|(level, labels)| (Some(*level), Some(labels)));
        for (level, labels) in std::iter::once((None, None)).chain(levels) {
            let count = labels
                .map_or(quasi.len(), |labels| labels.iter().max().map_or(0, |&label| label as usize + 1));
            let label = |cell: u32| labels.map_or(cell, |labels| labels[cell as usize]);
            let targets = cells.iter().map(|&cell| if cell == NO_VALUE { cell } else { label(cell) });
            let [single, several] = tally(grouping, &targets.collect::<Vec<_>>(), count);
            let is_single = is_telling(&single, level.is_none());
            let is_narrow = level.is_none() && several.speaking * 4 >= several.rows && several.is_narrow();
            let evidence = if is_single { single } else { several };
            let is_better = best.as_ref().is_none_or(|best| evidence.score() < best.evidence.score());
            if (!is_single && !is_narrow) || !is_better {
                continue;
            }
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count of rows")]
            let baseline = evidence.chance.round() as u64;
            let model =
                Model { of_text: grouping.of_text.clone(), groups: grouping.groups, labels: labels.cloned() };
            best = Some(Finding {
                relation: Relation::Dependency { part: grouping.part, level, is_single, baseline },
                evidence,
                model,
            });
        }
    }
    best
}

/// Whether a single predicted value or label is strong evidence. A label above the leaves must also
/// leave few people.
fn is_telling(single: &Evidence, is_value: bool) -> bool {
    single.speaking * 4 >= single.rows && single.is_certain() && (is_value || single.is_narrow())
}

/// The evidence for predicting the most frequent value among the others of a group, and for
/// predicting all their values.
#[expect(clippy::cast_precision_loss, reason = "counts of rows")]
fn tally(grouping: &Grouping, targets: &[u32], count: usize) -> [Evidence; 2] {
    let mut all = vec![0_u64; count];
    let mut rows = 0;
    for &nth in &grouping.rows {
        if let Some(target) = all.get_mut(targets[nth as usize] as usize) {
            *target += 1;
            rows += 1;
        }
    }
    let mut supported = vec![0_u64; count];
    let mut rows_of = vec![0_u64; count];
    let mut seen: Vec<u32> = Vec::new();
    let (mut speaking, mut right, mut covered, mut right_share, mut left_share) = (0, 0, 0, 0.0, 0.0);
    for group in grouping.begins.windows(2) {
        for &nth in &grouping.rows[group[0]..group[1]] {
            let target = targets[nth as usize];
            if target == NO_VALUE {
                continue;
            }
            if rows_of[target as usize] == 0 {
                seen.push(target);
            }
            rows_of[target as usize] += 1;
        }
        let size: u64 = seen.iter().map(|&target| rows_of[target as usize]).sum();
        if size > 1 {
            speaking += size;
            let most = seen
                .iter()
                .copied()
                .max_by_key(|&target| (rows_of[target as usize], target))
                .unwrap_or(NO_VALUE);
            let others = seen.iter().filter(|&&target| target != most);
            let second = others.map(|&target| rows_of[target as usize]).max().unwrap_or(0);
            if rows_of[most as usize] > second + 1 {
                right += rows_of[most as usize];
            }
            right_share += (size * all[most as usize]) as f64;
            let present: u64 = seen.iter().map(|&target| all[target as usize]).sum();
            for &target in &seen {
                let members = rows_of[target as usize];
                supported[target as usize] += members;
                if members > 1 {
                    covered += members;
                    left_share += (members * present) as f64;
                } else {
                    left_share += (present - all[target as usize]) as f64;
                }
            }
        }
        seen.drain(..).for_each(|target| rows_of[target as usize] = 0);
    }
    let base = supported.iter().max().copied().unwrap_or(0) as f64;
    let mean = |sum: f64| sum / (speaking * rows).max(1) as f64;
    let evidence = |hits, chance, share| Evidence { rows, speaking, hits, chance, share };
    let left = mean(left_share);
    [evidence(right, base, mean(right_share)), evidence(covered, left * speaking as f64, left)]
}

impl Model {
    /// The usual leaves of each group's rows. A dependency on labels adds all leaves under the same
    /// labels.
    pub(super) fn groups(&self, column: &Column, quasi: &Quasi) -> Vec<Vec<u32>> {
        let mut counts: Vec<FxHashMap<u32, u64>> = vec![FxHashMap::default(); self.groups];
        for (row, &text) in (0..).zip(&column.cells) {
            let cell = quasi.cell(row);
            let group = self.group(Some(text).filter(|&text| text != NO_VALUE));
            if cell != NO_VALUE && group != NO_VALUE {
                let label = self.labels.as_ref().map_or(cell, |labels| labels[cell as usize]);
                *counts[group as usize].entry(label).or_default() += 1;
            }
        }
        let mut leaves: Vec<Vec<u32>> = Vec::new();
        if let Some(labels) = &self.labels {
            leaves.resize(labels.iter().max().map_or(0, |&label| label as usize + 1), Vec::new());
            labels.iter().zip(0..).for_each(|(&label, leaf)| leaves[label as usize].push(leaf));
        }
        let values = |counts: FxHashMap<u32, u64>| {
            let all: u64 = counts.values().sum();
            let is_rare = |rows: u64| rows * RARE <= all;
            let rare: u64 = counts.values().filter(|rows| is_rare(**rows)).sum();
            // If a group has many values, each of them may be rare without being an error.
            let are_errors = rare * ERRORS <= all;
            let usual = counts.into_iter().filter(|(_, rows)| !(are_errors && is_rare(*rows)));
            let usual = usual.map(|(label, _)| label);
            usual
                .flat_map(|label| leaves.get(label as usize).cloned().unwrap_or_else(|| vec![label]))
                .collect()
        };
        counts.into_iter().map(values).collect()
    }

    /// The leaves that the group of a text, or of a missing value, leaves possible.
    pub(super) fn codes(&self, groups: &[Vec<u32>], text: Option<u32>) -> Option<Vec<u32>> {
        groups.get(self.group(text) as usize).cloned()
    }

    /// The group of a text, or of a missing value.
    fn group(&self, text: Option<u32>) -> u32 {
        match text {
            Some(text) => self.of_text[text as usize],
            None => size::number(self.groups - 1),
        }
    }
}
