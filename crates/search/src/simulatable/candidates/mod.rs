//! Every cut of a region, with the people and the extents of its halves: a function of P alone.
//!
//! A column that is cut between labels only is divided into all labels below the finest label
//! around the region. The labels are cut off one at a time, those with the fewest people first.
//! Until the division is complete, the remainder is no label, and may only be cut at this column.
//!
//! In a column with a limit of terms, a value or a label is cut off, or a range of values, if both sides of
//! the cut box obey the limit.

pub(super) mod belief;
pub(super) mod extents;
pub(super) mod free;
pub(super) mod values;

use self::belief::odds;
use self::extents::{Extents, published};
use self::values::{Division, Group, Groups, Pairs, Scratch, Sides, Values, each};
use super::population::{Cut, CutRule, Labels, Population};
use crate::regions::cut_boxes::LimitedColumn;
use palmtop_core::model::description::{common, size_of};
use palmtop_core::model::{Code, CutBox, Cuts, Level};

/// A cut of a region.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) cut: Cut,
    /// The number of people on the left.
    pub(super) left: u64,
    /// The odds that a person on the left is a member, relative to one on the right, as the search believes.
    pub(super) odds: f64,
    /// The extents of both halves. For an unfinished division into labels, the right one is the
    /// mean extent of the labels that remain.
    pub(super) extents: [f64; 2],
    /// The people and the odds of each label that is cut off later, in ascending order of people.
    pub(super) later: Vec<(u64, f64)>,
}

/// A cut with a lower bound of its score; the lowest score is the best.
#[derive(Debug)]
pub(super) struct Ranked {
    pub(super) candidate: Candidate,
    pub(super) gain: f64,
    /// The product of the chances of the later cuts that complete a division into labels.
    pub(super) later: f64,
    pub(super) score: f64,
}

/// All permitted cuts, column by column. No two cuts have the same halves. For an unfinished
/// division into labels, only its next cut is permitted.
pub(super) fn candidates(
    population: &Population,
    values: &Values,
    parted: Option<Labels>,
    cut_box: &CutBox,
    scratch: &mut Scratch,
) -> Vec<Candidate> {
    if let Some((column, level)) = parted {
        return into_labels(population, values, column, level, cut_box, scratch).into_iter().collect();
    }
    let columns = (0..population.columns().len()).collect();
    let of_column = |column, scratch: &mut Scratch| of_column(population, values, column, cut_box, scratch);
    each(values.is_large, scratch, columns, of_column).into_iter().flatten().collect()
}

/// The permitted cuts at one column.
fn of_column(
    population: &Population,
    values: &Values,
    column: usize,
    cut_box: &CutBox,
    scratch: &mut Scratch,
) -> Vec<Candidate> {
    let hierarchy = population.columns()[column].hierarchy;
    match (population.columns()[column].cuts, population.boxes().limited(column)) {
        (Cuts::Never, _) => Vec::new(),
        (Cuts::Labels, _) => {
            let level = hierarchy.parting_level(values.column(column).codes.iter().copied());
            let cut =
                level.and_then(|level| into_labels(population, values, column, level, cut_box, scratch));
            cut.into_iter().collect()
        }
        (Cuts::Values, None) => of_values(population, values, column, cut_box, scratch),
        (Cuts::Values, Some(limited)) => within_limits(population, values, column, limited, cut_box, scratch),
    }
}

/// The cuts between the values of a column.
fn of_values(
    population: &Population,
    values: &Values,
    column: usize,
    cut_box: &CutBox,
    scratch: &mut Scratch,
) -> Vec<Candidate> {
    let hierarchy = population.columns()[column].hierarchy;
    let level = hierarchy.base();
    let grouped = Groups::of(population, values.column(column), column, level);
    let groups = grouped.list();
    if groups.len() < 2 {
        return Vec::new();
    }
    // An ordered column publishes ranges: cutting out a middle value would leave overlapping
    // ranges.
    let one_against_rest = !hierarchy.kind().is_ordered() && groups.len() > 2;
    let division = Division { column, groups: &grouped, one_against_rest, is_without_itself: false };
    let extents = Extents::of(population, values, &division, cut_box, scratch);
    let cut = |rule, group: &Group| Cut { column, rule, level, label: group.label };
    let below = below(&extents, &grouped, |_, group| Some(cut(CutRule::Below, group)));
    let mut candidates: Vec<Candidate> = below.into_iter().map(|(_, candidate)| candidate).collect();
    if one_against_rest {
        // The cuts above already separate the first and the last value.
        let middle = 1..groups.len() - 1;
        candidates.extend(
            middle.map(|index| only_group(&extents, &grouped, index, cut(CutRule::Only, &groups[index]))),
        );
    }
    candidates
}

/// The cuts of a column with a limit of terms: between two values, and a value or a label against the rest.
/// Both sides of the cut box obey the limit.
///
/// Cuts that divide the rows alike may differ in values that no row has. The first permitted one is taken.
fn within_limits(
    population: &Population,
    values: &Values,
    column: usize,
    limited: &LimitedColumn,
    cut_box: &CutBox,
    scratch: &mut Scratch,
) -> Vec<Candidate> {
    let hierarchy = population.columns()[column].hierarchy;
    let permits = |left: &[(u32, u32)]| population.boxes().permits(cut_box, column, left);
    let levels = hierarchy.levels().take_while(|level| *level < hierarchy.top());
    let of_column = values.column(column);
    let levels: Vec<(Level, Groups)> =
        levels.map(|level| (level, Groups::of(population, of_column, column, level))).collect();
    let code_at = |groups: &Groups, group: &Group| of_column.codes[groups.values_of(group)[0] as usize];
    let label_at = |code: Code, level| hierarchy.labels_of(level)[code as usize];
    let people_at = |index: usize, code: Code| {
        let (level, groups) = &levels[index];
        let found = groups.list().binary_search_by_key(&label_at(code, *level), |group| group.label);
        found.map_or(0, |group| groups.list()[group].people)
    };
    // A label against the rest: that of this level, or a larger one with the same rows.
    let only = |index: usize, code: Code| {
        let people = people_at(index, code);
        let same = (index..levels.len()).take_while(|&above| people_at(above, code) == people);
        let mut cuts = same.map(|above| (levels[above].0, limited.label_of(code, levels[above].0)));
        let (level, left) = cuts.find(|(_, left)| permits(left))?;
        Some((Cut { column, rule: CutRule::Only, level, label: label_at(code, level) }, left))
    };
    let (share, all) = (population.columns()[column].share, size_of(&cut_box[column]));
    // Adds the sides of the column itself: `values` are the numbers of values of both halves.
    let with_sides = |candidate: Candidate, left: &[(u32, u32)], values: [u32; 2]| {
        let left = size_of(&common(&cut_box[column], left));
        let sides = [left, all - left];
        let side = |half: usize| published(values[half], sides[half], limited.terms()) * share;
        let extents = [0, 1].map(|half| candidate.extents[half] + side(half));
        Candidate { extents, ..candidate }
    };
    let mut candidates = Vec::new();
    let mut before = 0;
    let same = Pairs::same(of_column.codes.len());
    for (index, (level, grouped)) in levels.iter().enumerate() {
        let groups = grouped.list();
        // If a level has as many labels as the finer one, it divides the rows alike.
        if groups.len() < 2 || std::mem::replace(&mut before, groups.len()) == groups.len() {
            continue;
        }
        let division = Division { column, groups: grouped, one_against_rest: true, is_without_itself: true };
        let extents = Extents::of(population, values, &division, cut_box, scratch);
        let numbers = Sides::distinct(of_column.codes.len(), grouped, &same, true, scratch).clone();
        let last = groups.len() - 1;
        if index == 0 {
            let below = below(&extents, grouped, |left, right| {
                let (end, start) = (code_at(grouped, left), code_at(grouped, right));
                let below = |label: &Code| permits(&limited.tree.below(*label));
                let label = limited.between(end, start).find(below)?;
                Some(Cut { column, rule: CutRule::Below, level: *level, label })
            });
            candidates.extend(below.into_iter().map(|(end, candidate)| {
                let left = limited.tree.below(candidate.cut.label);
                with_sides(candidate, &left, [numbers.left[end], numbers.right[end + 1]])
            }));
        }
        for (number, group) in groups.iter().enumerate() {
            let code = code_at(grouped, group);
            let is_known = index > 0 && people_at(index - 1, code) == group.people;
            // Two groups are divided alike by both of their labels.
            if is_known || last == 1 && index > 0 && number == 1 {
                continue;
            }
            candidates.extend(only(index, code).map(|(cut, left)| {
                let candidate = only_group(&extents, grouped, number, cut);
                with_sides(candidate, &left, [numbers.alone[number], numbers.rest[number]])
            }));
        }
    }
    candidates
}

/// The next cut of the division of a region into the labels of a level; `None` if the region has
/// only one of them.
#[expect(clippy::cast_precision_loss, reason = "a score")]
fn into_labels(
    population: &Population,
    values: &Values,
    column: usize,
    level: Level,
    cut_box: &CutBox,
    scratch: &mut Scratch,
) -> Option<Candidate> {
    let grouped = Groups::of(population, values.column(column), column, level);
    let groups = grouped.list();
    if groups.len() < 2 {
        return None;
    }
    let division = Division { column, groups: &grouped, one_against_rest: true, is_without_itself: false };
    let extents = Extents::of(population, values, &division, cut_box, scratch);
    let first = (0..groups.len()).min_by_key(|&index| groups[index].people)?;
    let later_groups = || (0..groups.len()).filter(|&index| index != first);
    let people: u64 = later_groups().map(|index| groups[index].people).sum();
    let rest = later_groups().map(|index| groups[index].people as f64 * extents.alone[index]).sum::<f64>();
    let later = later_groups().map(|index| (groups[index].people, grouped.odds(&groups[index])));
    let mut later: Vec<(u64, f64)> = later.collect();
    later.sort_by(|left, right| left.0.cmp(&right.0).then(left.1.total_cmp(&right.1)));
    // The last label remains when all others are cut off.
    later.pop();
    let cut = Cut { column, rule: CutRule::Only, level, label: groups[first].label };
    Some(Candidate {
        cut,
        left: groups[first].people,
        odds: grouped.odds(&groups[first]),
        extents: [extents.alone[first], rest / people as f64],
        later,
    })
}

/// The cuts between a group and the next for which `cut`, given both, has one; with the index of the group.
fn below(
    extents: &Extents,
    groups: &Groups,
    cut: impl Fn(&Group, &Group) -> Option<Cut>,
) -> Vec<(usize, Candidate)> {
    let all = groups.all;
    let (mut left, mut expected) = (0, 0.0);
    let candidate = |(index, pair): (usize, &[Group])| {
        left += pair[0].people;
        expected += pair[0].expected;
        let sides = [extents.left[index], extents.right[index + 1]];
        let (cut, odds) =
            (cut(&pair[0], &pair[1])?, odds([left, all.0 - left], [expected, all.1 - expected]));
        Some((index, Candidate { cut, left, odds, extents: sides, later: Vec::new() }))
    };
    groups.list().windows(2).enumerate().filter_map(candidate).collect()
}

/// The cut of one group against the rest.
fn only_group(extents: &Extents, groups: &Groups, index: usize, cut: Cut) -> Candidate {
    let sides = [extents.alone[index], extents.rest[index]];
    let group = &groups.list()[index];
    let (left, odds) = (group.people, groups.odds(group));
    Candidate { cut, left, odds, extents: sides, later: Vec::new() }
}

#[cfg(test)]
mod tests;
