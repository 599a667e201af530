//! The valid splits of a region at one column, and the best of them by a value rule.

use super::ValueRule;
use super::column_table::TableRows;
use super::tally::Judge;
use super::value_judge::ValueJudge;
use crate::model::{Code, Counts, Problem};

/// A region in the making: some rows next to each other, their counts, and what is known of its columns.
#[derive(Debug)]
pub(super) struct Part<'a> {
    rows: TableRows<'a>,
    start: usize,
    counts: Counts,
    /// The people of each value in each column, where that was tallied and may be used again; none for small regions.
    tallies: Vec<Vec<Counts>>,
}

impl<'a> Part<'a> {
    /// The region of all rows of a table with these people.
    pub(super) fn of(rows: TableRows<'a>, counts: Counts) -> Self {
        Self { rows, start: 0, counts, tallies: Vec::new() }
    }

    /// The place of its first row in the table.
    pub(super) fn start(&self) -> usize {
        self.start
    }

    /// How many combinations it has.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether it may be split at all: never one without private people.
    pub(super) fn may_split(&self) -> bool {
        self.counts.private > 0 && self.len() > 1
    }

    /// Divides it into the combinations below a value and those from it on.
    ///
    /// Where one half is much the smaller, what is known of the region's columns goes on to the other, less what the
    /// smaller one takes away: a strategy that cuts off little at a time would else count the rest again and again.
    pub(super) fn divide(mut self, column: usize, value: Code) -> (Self, Self) {
        let below = self.rows.divide(|codes| codes[column] < value);
        let (left, right) = self.rows.split_at(below);
        let people: Counts = left.counts().iter().copied().sum();
        let rest = Counts::new(self.counts.public - people.public, self.counts.private - people.private);
        let mut left = Self { rows: left, start: self.start, counts: people, tallies: Vec::new() };
        let mut right = Self { rows: right, start: self.start + below, counts: rest, tallies: Vec::new() };
        let (small, large) = if left.len() < right.len() { (&left, &mut right) } else { (&right, &mut left) };
        if small.len() * self.tallies.len() < large.len() {
            for (column, tally) in self.tallies.iter_mut().enumerate().filter(|(_, tally)| !tally.is_empty())
            {
                for (codes, people) in small.rows.iter() {
                    let rest = &mut tally[codes[column] as usize];
                    *rest = Counts::new(rest.public - people.public, rest.private - people.private);
                }
            }
            large.tallies = self.tallies;
        }
        (left, right)
    }
}

/// A column is worth remembering where a region has so many rows for each of its values.
const MANY: usize = 4;

/// Finds splits of one region after another, in the same buffers.
#[derive(Debug)]
pub(super) struct Splitter<'a> {
    problem: &'a Problem,
    judge: Judge,
    members: Option<ValueJudge>,
    rule: ValueRule,
    by_code: Vec<Counts>,
    values: Vec<(Code, Counts)>,
}

impl<'a> Splitter<'a> {
    /// Empty buffers.
    pub(super) fn new(problem: &'a Problem, rule: ValueRule) -> Self {
        let leaves = (0..problem.quasi().len()).map(|column| problem.hierarchy(column).leaf_count()).max();
        Self {
            problem,
            judge: Judge::of(problem),
            members: ValueJudge::of(problem),
            rule,
            by_code: vec![Counts::default(); leaves.unwrap_or(0)],
            values: Vec::new(),
        }
    }

    /// How many distinct values the region's public people have in a column.
    pub(super) fn distinct(&mut self, part: &mut Part, column: usize) -> usize {
        self.tally(part, column);
        self.values.len()
    }

    /// The value whose split the rule likes best among the valid ones; the smallest among equals.
    pub(super) fn best_value(&mut self, part: &mut Part, column: usize) -> Option<Code> {
        self.tally(part, column);
        let distinct = self.values.len();
        let mut left = Counts::default();
        let mut best: Option<(u64, Code)> = None;
        for (below, pair) in (1..).zip(self.values.windows(2)) {
            left += pair[0].1;
            let right = Counts::new(part.counts.public - left.public, part.counts.private - left.private);
            if !self.is_valid(left) || !self.is_valid(right) {
                continue;
            }
            let imbalance = match self.rule {
                ValueRule::BalancedCardinality => left.public.abs_diff(right.public),
                // Its left half only grows from here.
                ValueRule::FirstSplit => 0,
                ValueRule::BalancedValues => (distinct - below).abs_diff(below) as u64,
            };
            if best.is_none_or(|(least, _)| imbalance < least) && self.values_hold(part, column, pair[1].0) {
                best = Some((imbalance, pair[1].0));
                if self.rule == ValueRule::FirstSplit {
                    break;
                }
            }
        }
        best.map(|(_, value)| value)
    }

    /// Whether the sensitive values of the members below a value of a column, and of those from it on, satisfy what is asked of them.
    fn values_hold(&self, part: &Part, column: usize, value: Code) -> bool {
        let Some(judge) = &self.members else { return true };
        let members: Vec<(Code, u32)> =
            part.rows.members().map(|(codes, place)| (codes[column], place)).collect();
        judge.all_hold(&members, |member| member.1, |member| member.0 < value)
    }

    /// Whether a half with these counts may be made.
    fn is_valid(&self, half: Counts) -> bool {
        self.judge.allows_counts(half)
    }

    /// Tallies a region by its values in a column, in the order of values, into `values`.
    fn tally(&mut self, part: &mut Part, column: usize) {
        let leaves = self.problem.hierarchy(column).leaf_count();
        if leaves * MANY <= part.len() {
            return self.tally_for_good(part, column, leaves);
        }
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
            // A few people spread over many leaves.
            for (codes, _) in part.rows.iter() {
                let people = std::mem::take(&mut self.by_code[codes[column] as usize]);
                if people.public > 0 {
                    self.values.push((codes[column], people));
                }
            }
            self.values.sort_unstable_by_key(|&(code, _)| code);
        }
    }

    /// The same for a region large enough to remember the tally.
    fn tally_for_good(&mut self, part: &mut Part, column: usize, leaves: usize) {
        if part.tallies.is_empty() {
            part.tallies = vec![Vec::new(); self.problem.quasi().len()];
        }
        let tally = &mut part.tallies[column];
        if tally.is_empty() {
            tally.resize(leaves, Counts::default());
            for (codes, people) in part.rows.iter() {
                tally[codes[column] as usize] += people;
            }
        }
        self.values.clear();
        self.values.extend((0..).zip(tally.iter().copied()).filter(|(_, people)| people.public > 0));
    }
}
