//! The valid splits of a region at one column, and the best of them by a value rule.
//!
//! Where a column is cut between labels only, it has one split: the finest label around the region's values into all that are
//! under it. Any other would leave a part that no label denotes.

use super::ValueRule;
use super::column_table::TableRows;
use super::tally::Judge;
use super::value_judge::ValueJudge;
use crate::model::{Code, Counts, Cuts, Level, Problem};

/// How a region is split at a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Split {
    /// Into the combinations below a value and those from it on.
    At(Code),
    /// Into those of each label of a level.
    Labels(Level),
}

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

    /// Its people.
    pub(super) fn counts(&self) -> Counts {
        self.counts
    }

    /// How many combinations it has.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether it may be split at all: never one without private people.
    pub(super) fn may_split(&self) -> bool {
        self.counts.private > 0 && self.len() > 1
    }

    /// Divides it; the parts come in the order of their rows.
    pub(super) fn divide(self, problem: &Problem, column: usize, split: Split) -> Vec<Self> {
        match split {
            Split::At(value) => self.halve(column, |code| code < value).into(),
            Split::Labels(level) => {
                let labels = problem.hierarchy(column).labels_of(level);
                let own = |code: Code| labels[code as usize];
                let mut parts = Vec::new();
                let mut rest = self;
                loop {
                    let mut known = rest.rows.iter().map(|(codes, _)| own(codes[column]));
                    let first = known.next();
                    let least = known.chain(first).min();
                    if least == rest.rows.iter().map(|(codes, _)| own(codes[column])).max() {
                        parts.push(rest);
                        return parts;
                    }
                    let [part, others] = rest.halve(column, |code| Some(own(code)) == least);
                    parts.push(part);
                    rest = others;
                }
            }
        }
    }

    /// Divides it into the combinations that go left by their value and the others.
    ///
    /// Where one half is much the smaller, what is known of the region's columns goes on to the other, less what the
    /// smaller one takes away: a strategy that cuts off little at a time would else count the rest again and again.
    fn halve(mut self, column: usize, goes_left: impl Fn(Code) -> bool) -> [Self; 2] {
        let below = self.rows.divide(|codes| goes_left(codes[column]));
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
        [left, right]
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

    /// The split that the rule likes best among the valid ones; that at the smallest value among equals.
    pub(super) fn best_split(&mut self, part: &mut Part, column: usize) -> Option<Split> {
        match self.problem.cuts(column) {
            Cuts::Never => None,
            Cuts::Values => self.best_value(part, column).map(Split::At),
            Cuts::Labels => self.label_split(part, column).map(Split::Labels),
        }
    }

    /// The level whose labels a region is split into, if each part is valid.
    fn label_split(&mut self, part: &mut Part, column: usize) -> Option<Level> {
        self.tally(part, column);
        let hierarchy = self.problem.hierarchy(column);
        let level = hierarchy.parting_level(self.values.iter().map(|&(code, _)| code))?;
        let labels = hierarchy.labels_of(level);
        let mut people: Vec<(u32, Counts)> =
            self.values.iter().map(|&(code, people)| (labels[code as usize], people)).collect();
        people.sort_unstable_by_key(|&(label, _)| label);
        let mut parts = people.chunk_by(|one, other| one.0 == other.0);
        let is_valid = parts.all(|part| self.is_valid(part.iter().map(|&(_, people)| people).sum()));
        (is_valid && self.values_hold(part, column, |code| labels[code as usize])).then_some(level)
    }

    /// The value whose split the rule likes best among the valid ones; the smallest among equals.
    fn best_value(&mut self, part: &mut Part, column: usize) -> Option<Code> {
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
            if best.is_none_or(|(least, _)| imbalance < least)
                && self.values_hold(part, column, |code| code < pair[1].0)
            {
                best = Some((imbalance, pair[1].0));
                if self.rule == ValueRule::FirstSplit {
                    break;
                }
            }
        }
        best.map(|(_, value)| value)
    }

    /// Whether the sensitive values of the members of every part satisfy what is asked of them; `to` says to which a value of the column
    /// goes.
    fn values_hold<K: Ord>(&self, part: &Part, column: usize, to: impl Fn(Code) -> K) -> bool {
        let Some(judge) = &self.members else { return true };
        let members: Vec<(Code, u32)> =
            part.rows.members().map(|(codes, place)| (codes[column], place)).collect();
        judge.all_hold(&members, |member| member.1, |member| to(member.0))
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
