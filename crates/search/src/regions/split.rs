//! The valid splits of a region at one column, and the best of them under a value rule (paper,
//! section 6).
//!
//! A column that is cut between labels only has exactly one split. It replaces the finest label
//! around the region's values by all labels directly below it. Any other split would leave a part
//! that no label denotes.
//!
//! A column with a limit of terms is split between two values, or into the values of a label and the
//! rest, if both sides of the cut box obey the limit.

use super::column_table::TableRows;
use super::cut_boxes::BoxRules;
use super::limited_cuts::value_cuts;
pub(crate) use super::split_kind::Split;
use crate::ValueRule;
use crate::counts::tally::Judge;
use crate::counts::value_judge::ValueJudge;
use palmtop_core::model::{Code, Counts, CutBox, Cuts, Level, Problem};

/// A region under construction: consecutive rows of a table, with their counts.
#[derive(Debug)]
pub(crate) struct Part<'a> {
    rows: TableRows<'a>,
    start: usize,
    counts: Counts,
    /// The cut box; `None` if no column has a limit of terms.
    cut_box: Option<CutBox>,
    /// For each column, the counts by value, if they are cached. Empty for small regions.
    tallies: Vec<ColumnTally>,
}

/// The counts of a region by the values of one column.
#[derive(Clone, Debug, Default)]
enum ColumnTally {
    /// Not cached.
    #[default]
    Unknown,
    /// The counts of each leaf, for columns with few leaves.
    Dense(Vec<Counts>),
    /// The counts of the values that had individuals when they were counted, in ascending order of
    /// values, and the number of values that still have individuals.
    Sparse(Vec<(Code, Counts)>, usize),
}

impl ColumnTally {
    /// Subtracts people from a value, which must have at least as many.
    fn subtract(&mut self, code: Code, people: Counts) {
        match self {
            Self::Unknown => {}
            Self::Dense(by_code) => {
                let rest = &mut by_code[code as usize];
                *rest = without(*rest, people);
            }
            Self::Sparse(values, distinct) => {
                let Ok(index) = values.binary_search_by_key(&code, |&(code, _)| code) else { return };
                values[index].1 = without(values[index].1, people);
                *distinct -= usize::from(values[index].1.public == 0);
                // Values without individuals are skipped; compact the list if they are the
                // majority.
                if *distinct * 2 < values.len() {
                    values.retain(|(_, people)| people.public > 0);
                }
            }
        }
    }
}

impl<'a> Part<'a> {
    /// The region of all rows of a table, with their total counts.
    pub(crate) fn of(rows: TableRows<'a>, counts: Counts, boxes: &BoxRules) -> Self {
        Self { rows, start: 0, counts, cut_box: boxes.start(), tallies: Vec::new() }
    }

    /// The rows of the region.
    pub(crate) fn rows(&self) -> &TableRows<'a> {
        &self.rows
    }

    /// The index of the first row in the table.
    pub(crate) fn start(&self) -> usize {
        self.start
    }

    /// The number of individuals and members.
    pub(crate) fn counts(&self) -> Counts {
        self.counts
    }

    /// The cut box; `None` if no column has a limit of terms.
    pub(crate) fn cut_box(&self) -> Option<&CutBox> {
        self.cut_box.as_ref()
    }

    /// The number of combinations.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The cached counts of a column; `width` is the number of columns.
    fn known(&mut self, column: usize, width: usize) -> &mut ColumnTally {
        if self.tallies.len() < width {
            self.tallies.resize(width, ColumnTally::Unknown);
        }
        &mut self.tallies[column]
    }

    /// The cached counts by value, and the number of values with individuals, if they are sparse.
    fn sparse(&self, column: usize) -> Option<(&[(Code, Counts)], usize)> {
        match self.tallies.get(column)? {
            ColumnTally::Sparse(values, distinct) => Some((values, *distinct)),
            ColumnTally::Unknown | ColumnTally::Dense(_) => None,
        }
    }

    /// Whether the region may be split. A region without members is never split.
    pub(crate) fn may_split(&self) -> bool {
        self.counts.private > 0 && self.len() > 1
    }

    /// Divides the region. The parts come in the order of their rows.
    pub(crate) fn divide(
        self,
        problem: &Problem,
        boxes: &BoxRules,
        column: usize,
        split: Split,
    ) -> Vec<Self> {
        let [left_box, right_box] = match split {
            Split::At(_) | Split::Only(..) => {
                split.halves(boxes, self.cut_box(), column, self.rows.iter().map(|(codes, _)| codes[column]))
            }
            Split::Labels(level) => return self.divide_by_labels(problem, boxes, column, level),
        };
        let goes_left = split.goes_left(problem.hierarchy(column));
        let [left, right] = self.halve(column, goes_left);
        vec![Self { cut_box: left_box, ..left }, Self { cut_box: right_box, ..right }]
    }

    /// Divides the region into the labels of a level.
    fn divide_by_labels(self, problem: &Problem, boxes: &BoxRules, column: usize, level: Level) -> Vec<Self> {
        let labels = problem.hierarchy(column).labels_of(level);
        let label = |code: Code| labels[code as usize];
        let mut parts = Vec::new();
        let mut rest = self;
        loop {
            let mut known = rest.rows.iter().map(|(codes, _)| label(codes[column]));
            let first = known.next();
            let least = known.chain(first).min();
            if least == rest.rows.iter().map(|(codes, _)| label(codes[column])).max() {
                parts.push(rest);
                break;
            }
            let [part, remainder] = rest.halve(column, |code| Some(label(code)) == least);
            parts.push(part);
            rest = remainder;
        }
        for part in &mut parts {
            if let Some((codes, _)) = part.rows.iter().next() {
                let [inside, _] = Split::Only(level, codes[column]).halves(
                    boxes,
                    part.cut_box(),
                    column,
                    std::iter::empty(),
                );
                part.cut_box = inside;
            }
        }
        parts
    }

    /// Divides the region into the combinations that `goes_left` selects by value, and the rest.
    ///
    /// If one half is much smaller, the larger half inherits the cached counts minus those of the
    /// smaller half. Otherwise a strategy that cuts off a little at a time would count the
    /// remainder again for each cut.
    fn halve(mut self, column: usize, goes_left: impl Fn(Code) -> bool + Sync) -> [Self; 2] {
        let below = self.rows.divide_on_all_cores(&|codes: &[Code]| goes_left(codes[column]));
        let (left, right) = self.rows.split_at(below);
        let sum = |rows: &TableRows| rows.counts().iter().copied().sum();
        let (people, rest) = if left.len() <= right.len() {
            let people = sum(&left);
            (people, without(self.counts, people))
        } else {
            let rest = sum(&right);
            (without(self.counts, rest), rest)
        };
        let half = |rows, start, counts, cut_box| Self { rows, start, counts, cut_box, tallies: Vec::new() };
        let mut left = half(left, self.start, people, self.cut_box.clone());
        let mut right = half(right, self.start + below, rest, self.cut_box);
        let (small, large) = if left.len() < right.len() { (&left, &mut right) } else { (&right, &mut left) };
        if small.len() * self.tallies.len() < large.len() {
            for (column, tally) in self.tallies.iter_mut().enumerate() {
                if !matches!(tally, ColumnTally::Unknown) {
                    small.rows.iter().for_each(|(codes, people)| tally.subtract(codes[column], people));
                }
            }
            large.tallies = self.tallies;
        }
        [left, right]
    }
}

/// A column's counts are cached by leaf if the region has this many rows for each leaf.
const ROWS_PER_LEAF: usize = 4;
/// From this many rows on, the counts of other columns are cached by value.
const SPARSE_ROWS: usize = 1 << 9;

/// The counts of a region without those of a part.
fn without(all: Counts, part: Counts) -> Counts {
    Counts::new(all.public - part.public, all.private - part.private)
}

/// The values that have individuals.
fn occurring(values: &[(Code, Counts)]) -> impl Iterator<Item = (Code, Counts)> + '_ {
    values.iter().copied().filter(|(_, people)| people.public > 0)
}

/// Finds the splits of one region after another, and reuses its buffers.
#[derive(Debug)]
pub(crate) struct Splitter<'a> {
    problem: &'a Problem,
    boxes: &'a BoxRules,
    judge: Judge,
    members: Option<ValueJudge>,
    rule: ValueRule,
    by_code: Vec<Counts>,
    values: Vec<(Code, Counts)>,
}

impl<'a> Splitter<'a> {
    /// A splitter with empty buffers.
    pub(crate) fn new(problem: &'a Problem, boxes: &'a BoxRules, rule: ValueRule) -> Self {
        let leaves = (0..problem.quasi().len()).map(|column| problem.hierarchy(column).leaf_count()).max();
        Self {
            problem,
            boxes,
            judge: Judge::of(problem),
            members: ValueJudge::of(problem),
            rule,
            by_code: vec![Counts::default(); leaves.unwrap_or(0)],
            values: Vec::new(),
        }
    }

    /// The number of distinct values of the region's individuals in a column.
    pub(crate) fn distinct(&mut self, part: &mut Part, column: usize) -> usize {
        self.tally(part, column);
        part.sparse(column).map_or(self.values.len(), |(_, distinct)| distinct)
    }

    /// The best valid split under the rule. Ties are broken by the smallest value; in a column with a limit of
    /// terms, by the order of [`value_cuts`].
    pub(crate) fn best_split(&mut self, part: &mut Part, column: usize) -> Option<Split> {
        match self.problem.cuts(column) {
            Cuts::Never => None,
            Cuts::Values if self.boxes.limited(column).is_some() => self.limited_split(part, column),
            Cuts::Values => self.best_value(part, column).map(Split::At),
            Cuts::Labels => self.label_split(part, column).map(Split::Labels),
        }
    }

    /// The level whose labels split the region, if every part is valid.
    fn label_split(&mut self, part: &mut Part, column: usize) -> Option<Level> {
        self.collect(part, column);
        let hierarchy = self.problem.hierarchy(column);
        let level = hierarchy.parting_level(self.values.iter().map(|&(code, _)| code))?;
        let labels = hierarchy.labels_of(level);
        let mut people: Vec<(u32, Counts)> =
            self.values.iter().map(|&(code, people)| (labels[code as usize], people)).collect();
        people.sort_unstable_by_key(|&(label, _)| label);
        let mut parts = people.chunk_by(|left, right| left.0 == right.0);
        let is_valid = parts.all(|part| self.is_valid(part.iter().map(|&(_, people)| people).sum()));
        (is_valid && self.values_hold(part, column, |code| labels[code as usize])).then_some(level)
    }

    /// The best valid split of a column with a limit of terms.
    fn limited_split(&mut self, part: &mut Part, column: usize) -> Option<Split> {
        self.collect(part, column);
        let cut_box = part.cut_box()?;
        let hierarchy = self.problem.hierarchy(column);
        let codes: Vec<Code> = self.values.iter().map(|&(code, _)| code).collect();
        let limited = self.boxes.limited(column)?;
        let values = limited.tree.set(codes.iter().copied());
        let mut best: Option<(u64, Split)> = None;
        for order in value_cuts(hierarchy, &codes) {
            let mut sum = Counts::default();
            let counts = order.order.iter().map(|&index| self.values[index as usize].1);
            let below: Vec<Counts> = std::iter::once(sum)
                .chain(counts.map(|counts| {
                    sum += counts;
                    sum
                }))
                .collect();
            for cut in order.cuts {
                let left = without(below[cut.left.end], below[cut.left.start]);
                let right = without(part.counts, left);
                let rank = self.rule.rank(left.public, part.counts.public, cut.left.len(), codes.len());
                if best.is_none_or(|(least, _)| rank < least)
                    && self.is_valid(left)
                    && self.is_valid(right)
                    && let Some(split) = cut.permitted(self.boxes, cut_box, column, &values)
                    && self.values_hold(part, column, split.goes_left(hierarchy))
                {
                    best = Some((rank, split));
                }
            }
        }
        best.map(|(_, split)| split)
    }

    /// The value of the best valid split under the rule. Ties are broken by the smallest value.
    fn best_value(&mut self, part: &mut Part, column: usize) -> Option<Code> {
        self.tally(part, column);
        match part.sparse(column) {
            Some((values, distinct)) => self.best_of(part, column, occurring(values), distinct),
            None => self.best_of(part, column, self.values.iter().copied(), self.values.len()),
        }
    }

    /// The best of the given values of the region, of which `distinct` have individuals.
    fn best_of(
        &self,
        part: &Part,
        column: usize,
        mut values: impl Iterator<Item = (Code, Counts)>,
        distinct: usize,
    ) -> Option<Code> {
        let mut left = Counts::default();
        let mut best: Option<(u64, Code)> = None;
        let mut before = values.next()?.1;
        for (below, (value, people)) in (1..).zip(values) {
            left += std::mem::replace(&mut before, people);
            let right = without(part.counts, left);
            if !self.is_valid(left) || !self.is_valid(right) {
                continue;
            }
            let rank = self.rule.rank(left.public, part.counts.public, below, distinct);
            if best.is_none_or(|(least, _)| rank < least)
                && self.values_hold(part, column, |code| code < value)
            {
                best = Some((rank, value));
                // Later splits have more individuals on the left.
                if self.rule == ValueRule::FirstSplit {
                    break;
                }
            }
        }
        best.map(|(_, value)| value)
    }

    /// Whether every part satisfies the criteria on sensitive values. `to` gives the part of a
    /// value of the column.
    fn values_hold<K: Ord>(&self, part: &Part, column: usize, to: impl Fn(Code) -> K) -> bool {
        let Some(judge) = &self.members else { return true };
        let members: Vec<(Code, u32)> =
            part.rows.members().map(|(codes, combination)| (codes[column], combination)).collect();
        judge.all_hold(&members, |member| member.1, |member| to(member.0))
    }

    /// Whether the policy permits a half with these counts.
    fn is_valid(&self, half: Counts) -> bool {
        self.judge.allows_counts(half)
    }

    /// Counts a region by its values in a column into `self.values`, cached or not.
    fn collect(&mut self, part: &mut Part, column: usize) {
        self.tally(part, column);
        if let Some((values, _)) = part.sparse(column) {
            self.values.clear();
            self.values.extend(occurring(values));
        }
    }

    /// Counts a region by its values in a column, in ascending order of values.
    ///
    /// A large region caches the counts; sparse counts are then read from the region. In all other
    /// cases the counts are in `self.values`.
    fn tally(&mut self, part: &mut Part, column: usize) {
        let leaves = self.problem.hierarchy(column).leaf_count();
        if leaves * ROWS_PER_LEAF <= part.len() {
            return self.tally_dense(part, column, leaves);
        }
        if part.sparse(column).is_some() {
            return;
        }
        self.count(part, column);
        if part.len() >= SPARSE_ROWS {
            let values = std::mem::take(&mut self.values);
            let distinct = values.len();
            *part.known(column, self.problem.quasi().len()) = ColumnTally::Sparse(values, distinct);
        }
    }

    /// Counts a region by its values in a column into `self.values`, in ascending order of values.
    fn count(&mut self, part: &Part, column: usize) {
        self.values.clear();
        let (mut low, mut high) = (Code::MAX, 0);
        for (codes, people) in part.rows.iter() {
            let code = codes[column];
            (low, high) = (low.min(code), high.max(code));
            self.by_code[code as usize] += people;
        }
        let range = (high - low) as usize;
        if range <= part.len() * 8 {
            for code in low..=high {
                let people = std::mem::take(&mut self.by_code[code as usize]);
                if people.public > 0 {
                    self.values.push((code, people));
                }
            }
        } else {
            // Few people are spread over many leaves.
            for (codes, _) in part.rows.iter() {
                let people = std::mem::take(&mut self.by_code[codes[column] as usize]);
                if people.public > 0 {
                    self.values.push((codes[column], people));
                }
            }
            self.values.sort_unstable_by_key(|&(code, _)| code);
        }
    }

    /// Counts by leaf into the region's cache and into `self.values`.
    fn tally_dense(&mut self, part: &mut Part, column: usize, leaves: usize) {
        let known = part.known(column, self.problem.quasi().len());
        if !matches!(known, ColumnTally::Dense(_)) {
            *part.known(column, 0) = ColumnTally::Dense(part.rows.by_code(column, leaves));
        }
        let ColumnTally::Dense(tally) = &part.tallies[column] else { return };
        self.values.clear();
        self.values.extend((0..).zip(tally.iter().copied()).filter(|(_, people)| people.public > 0));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::regions::column_table::ColumnTable;
    use palmtop_core::model::{Delta, EmptyRegions, Hierarchy, Histogram, Kind, QuasiIdentifier};

    /// 3,000 people over columns of 2,500, 600 and 5 leaves; one in 20 is a member.
    fn problem() -> Problem {
        let mut state = 3_u64;
        let mut draw = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let leaves = [2500_u64, 600, 5];
        let quasi = leaves.iter().enumerate().map(|(column, leaves)| QuasiIdentifier {
            name: format!("q{column}"),
            hierarchy: Hierarchy::new(
                Kind::Category,
                Level(0),
                &(0..*leaves).map(|leaf| vec![format!("{leaf}"), "*".to_owned()]).collect::<Vec<_>>(),
            )
            .unwrap(),
        });
        let mut people = BTreeMap::new();
        for _ in 0..3000 {
            let codes: Vec<Code> =
                leaves.iter().map(|&leaves| u32::try_from(draw(leaves)).unwrap()).collect();
            *people.entry(codes).or_insert(Counts::default()) += Counts::new(1, u64::from(draw(20) == 0));
        }
        let columns = (0..3).map(|column| people.keys().map(|codes: &Vec<Code>| codes[column]).collect());
        let histogram = Histogram::new(columns.collect(), people.values().copied().collect()).unwrap();
        let delta = Delta::new("0".parse().unwrap(), "1/5".parse().unwrap()).unwrap();
        Problem::new(quasi.collect(), histogram, delta, EmptyRegions::Allow).unwrap()
    }

    /// The distinct values of a region in a column and its best split, counted from the rows alone.
    fn naive(splitter: &Splitter, part: &Part, column: usize) -> (usize, Option<Code>) {
        let mut values: BTreeMap<Code, Counts> = BTreeMap::new();
        part.rows.iter().for_each(|(codes, people)| *values.entry(codes[column]).or_default() += people);
        let mut left = Counts::default();
        let steps = values.values().zip(values.keys().skip(1)).zip(1..);
        let valid = steps.filter_map(|((&people, &value), below)| {
            left += people;
            let right = Counts::new(part.counts.public - left.public, part.counts.private - left.private);
            let rank = match splitter.rule {
                ValueRule::BalancedCardinality => left.public.abs_diff(right.public),
                ValueRule::FirstSplit => left.public,
                ValueRule::BalancedValues => (values.len() - below).abs_diff(below) as u64,
            };
            (splitter.is_valid(left) && splitter.is_valid(right)).then_some((rank, value))
        });
        (values.len(), valid.min().map(|(_, value)| value))
    }

    #[test]
    fn cached_counts_equal_the_counts_of_the_rows() {
        let problem = problem();
        let boxes = BoxRules::of(&problem);
        for rule in ValueRule::ALL {
            let mut table = ColumnTable::of(problem.histogram());
            let mut splitter = Splitter::new(&problem, &boxes, rule);
            let mut part = Part::of(table.rows(), problem.histogram().total(), &boxes);
            let (mut splits, mut remembered) = (0, 0);
            while part.may_split() && splits < 60 {
                let mut chosen = None;
                for column in 0..3 {
                    remembered += usize::from(part.sparse(column).is_some());
                    let distinct = splitter.distinct(&mut part, column);
                    let split = splitter.best_split(&mut part, column);
                    let expected = naive(&splitter, &part, column);
                    assert_eq!(
                        (distinct, split),
                        (expected.0, expected.1.map(Split::At)),
                        "{rule:?} {column}"
                    );
                    chosen = chosen.or(split.map(|split| (column, split)));
                }
                let Some((column, split)) = chosen else { break };
                let parts = part.divide(&problem, &boxes, column, split).into_iter();
                part = parts.max_by_key(Part::len).unwrap();
                splits += 1;
            }
            assert!(splits > 3, "{rule:?}: {splits} splits");
            assert!(rule != ValueRule::FirstSplit || remembered > 20, "{rule:?}: {remembered} of {splits}");
        }
    }
}
