//! The valid splits of a region at one column, and the best of them by a value rule.

use super::ValueRule;
use super::tally::Bounds;
use crate::model::{Code, Counts, EmptyRegions, Problem};

/// A region in the making: a range of the members, and its counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    start: usize,
    end: usize,
    counts: Counts,
}

impl Part {
    /// How many combinations it has.
    pub(super) fn len(self) -> usize {
        self.end - self.start
    }

    /// Whether it may be split at all: never one without private people.
    pub(super) fn may_split(self) -> bool {
        self.counts.private > 0 && self.len() > 1
    }
}

/// All combinations, those of each region next to each other, and buffers to tally them by value.
#[derive(Debug)]
pub(super) struct Splits<'a> {
    problem: &'a Problem,
    bounds: Bounds,
    rule: ValueRule,
    members: Vec<u32>,
    aside: Vec<u32>,
    by_code: Vec<Counts>,
    values: Vec<(Code, Counts)>,
}

impl<'a> Splits<'a> {
    /// One region that holds everything.
    pub(super) fn new(problem: &'a Problem, rule: ValueRule) -> Self {
        let histogram = problem.histogram();
        let length = u32::try_from(histogram.len()).unwrap_or(u32::MAX);
        let leaves = (0..histogram.width()).map(|column| problem.hierarchy(column).leaf_count()).max();
        Self {
            problem,
            bounds: Bounds::of(problem.delta(), histogram.total()),
            rule,
            members: (0..length).collect(),
            aside: Vec::new(),
            by_code: vec![Counts::default(); leaves.unwrap_or(0)],
            values: Vec::new(),
        }
    }

    /// The region of everything.
    pub(super) fn root(&self) -> Part {
        Part { start: 0, end: self.members.len(), counts: self.problem.histogram().total() }
    }

    /// The combinations of a region, as indices into the histogram.
    pub(super) fn members(&self, part: Part) -> &[u32] {
        &self.members[part.start..part.end]
    }

    /// How many distinct values the region's public people have in a column.
    pub(super) fn distinct(&mut self, part: Part, column: usize) -> usize {
        self.tally(part, column);
        self.values.len()
    }

    /// The value whose split the rule likes best among the valid ones; the smallest among equals.
    pub(super) fn best_value(&mut self, part: Part, column: usize) -> Option<Code> {
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
                ValueRule::FirstSplit => return Some(pair[1].0),
                ValueRule::BalancedValues => (distinct - below).abs_diff(below) as u64,
            };
            if best.is_none_or(|(least, _)| imbalance < least) {
                best = Some((imbalance, pair[1].0));
            }
        }
        best.map(|(_, value)| value)
    }

    /// Whether a half with these counts may be made.
    fn is_valid(&self, half: Counts) -> bool {
        let empty = half.private == 0 && self.problem.empty_regions() == EmptyRegions::Forbid;
        !empty && self.bounds.allow(half)
    }

    /// Divides a region into the combinations below a value and those from it on.
    pub(super) fn divide(&mut self, part: Part, column: usize, value: Code) -> (Part, Part) {
        let codes = self.problem.histogram().column(column);
        let counts = self.problem.histogram().counts();
        self.aside.clear();
        let (mut middle, mut left) = (part.start, Counts::default());
        for place in part.start..part.end {
            let index = self.members[place];
            if codes[index as usize] < value {
                self.members[middle] = index;
                middle += 1;
                left += counts[index as usize];
            } else {
                self.aside.push(index);
            }
        }
        self.members[middle..part.end].copy_from_slice(&self.aside);
        let right = Counts::new(part.counts.public - left.public, part.counts.private - left.private);
        (Part { end: middle, counts: left, ..part }, Part { start: middle, counts: right, ..part })
    }

    /// Tallies a region by its values in a column, in the order of values, into `values`.
    fn tally(&mut self, part: Part, column: usize) {
        let histogram = self.problem.histogram();
        let (codes, counts) = (histogram.column(column), histogram.counts());
        let members = &self.members[part.start..part.end];
        self.values.clear();
        let (mut low, mut high) = (Code::MAX, 0);
        for &index in members {
            let code = codes[index as usize];
            (low, high) = (low.min(code), high.max(code));
            self.by_code[code as usize] += counts[index as usize];
        }
        let range = (high - low) as usize;
        if range <= members.len() * 8 {
            for code in low..=high {
                let people = std::mem::take(&mut self.by_code[code as usize]);
                if people.public > 0 {
                    self.values.push((code, people));
                }
            }
        } else {
            // A few people spread over many leaves.
            for &index in members {
                let code = codes[index as usize];
                let people = std::mem::take(&mut self.by_code[code as usize]);
                if people.public > 0 {
                    self.values.push((code, people));
                }
            }
            self.values.sort_unstable_by_key(|&(code, _)| code);
        }
    }
}
