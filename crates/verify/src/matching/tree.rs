//! A tree of cuts over the released rows. It leads a combination to the rows that may contain its leaves.
//!
//! Building divides a group of rows by an attribute whose texts form parts without a common leaf. Each row is then in one part.
//! If no attribute gives small enough parts, a cut between two leaves divides the group; a row on both sides of the cut is
//! copied. A limit keeps the tree at [`COPIES`] times the number of rows.

use super::sides::Sides;
use crate::labels::{Leaf, Leaves};
use crate::people::{Combinations, Stop};

/// Groups of at most this many rows are not divided.
const FEW: usize = 4;
/// Groups of at most this many rows that cannot be divided are compared row by row. Larger ones are crowds.
const ROW_BY_ROW: usize = 64;
/// The limit of rows in the tree, as a multiple of the released rows.
const COPIES: usize = 8;

/// The rows that a combination must be compared with.
pub(super) enum Goal<'a> {
    /// Some rows, ascending.
    Rows(&'a [u32]),
    /// The number of a crowd.
    Crowd(u32),
}

/// The path from the root to the goal of a combination.
#[derive(Debug, Default)]
pub(super) struct Path {
    codes: Vec<Leaf>,
    /// The inner nodes of the path, each with its attribute.
    steps: Vec<(usize, usize)>,
    /// The node of the goal. At first, the root.
    end: usize,
}

#[derive(Clone, Copy, Debug)]
enum Node {
    /// An inner node: its children are those of `count` starts from `first` on. The last start that is not above the leaf has the
    /// right child.
    Split {
        attribute: usize,
        first: usize,
        count: usize,
    },
    Rows {
        first: usize,
        count: usize,
    },
    Crowd(u32),
}

/// The extent of a row's side: its first and last occurring leaf, and whether it contains all occurring leaves between them.
#[derive(Clone, Copy, Debug)]
struct Bound {
    first: Leaf,
    last: Leaf,
    is_run: bool,
}

pub(super) struct Tree<'a> {
    sides: &'a Sides,
    /// The bounds of all rows, row by row.
    bounds: Vec<Bound>,
    /// The nodes. The first is the root.
    nodes: Vec<Node>,
    rows: Vec<u32>,
    starts: Vec<Leaf>,
    /// The child node of each start.
    children: Vec<usize>,
    crowds: Vec<Vec<u32>>,
}

/// The occurring leaves of each text of an attribute, as runs. Leaves that do not occur do not interrupt a run.
struct Runs {
    /// The end of each text's runs in `bounds`.
    ends: Vec<usize>,
    bounds: Vec<(Leaf, Leaf)>,
    /// For each text the last search that saw it, and its number in that search.
    seen: Vec<(usize, u32)>,
}

/// A group of rows that is to be divided.
struct Group {
    rows: Vec<u32>,
    /// The limit of rows in all groups that are made of it.
    most: usize,
    /// The node of the group.
    node: usize,
    /// The attribute that is tried first: that of the parent. So the first attributes are divided first, and consecutive
    /// combinations share most of their paths.
    attribute: usize,
}

/// The division of a group by an attribute: the first leaves of ranges, each with its part, and the rows of each part.
struct Division {
    attribute: usize,
    starts: Vec<(Leaf, usize)>,
    parts: Vec<Vec<u32>>,
}

/// The parts of a group by an attribute. Texts of different parts share no leaf.
struct Parts {
    attribute: usize,
    /// For each row of the group its part.
    of_row: Vec<usize>,
    count: usize,
    largest: usize,
    starts: Vec<(Leaf, usize)>,
}

/// A cut after the leaf `last`: the number of rows on the larger side, and the total of both sides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Cut {
    largest: usize,
    total: usize,
    attribute: usize,
    last: Leaf,
}

impl<'a> Tree<'a> {
    pub(super) fn of(combinations: &Combinations, sides: &'a Sides, stop: &Stop) -> Self {
        let mut runs = occurring_runs(combinations, sides);
        let width = sides.width();
        let mut bounds = Vec::with_capacity(sides.texts.len());
        let mut rows = Vec::new();
        for row in 0..sides.row_count() {
            let runs_of = |attribute: usize| runs[attribute].of(sides.text(attribute, row));
            bounds.extend((0..width).map(|attribute| Bound::of(runs_of(attribute))));
            if (0..width).all(|attribute| !runs_of(attribute).is_empty()) {
                rows.extend(u32::try_from(row).ok());
            }
        }
        let mut tree = Self {
            sides,
            bounds,
            nodes: vec![Node::EMPTY],
            rows: Vec::new(),
            starts: Vec::new(),
            children: Vec::new(),
            crowds: Vec::new(),
        };
        let most = rows.len() * COPIES;
        let mut groups = vec![Group { rows, most, node: 0, attribute: 0 }];
        let mut searches = 0;
        while let Some(group) = groups.pop() {
            if stop.is_wanted() {
                break;
            }
            match tree.divide(&group, &mut runs, &mut searches) {
                Some(division) => tree.split(&group, division, &mut groups),
                None => tree.add_leaf(group),
            }
        }
        tree
    }

    /// The rows that may contain the leaves of a combination. `path` is the path of the previous combination, which both share
    /// down to the first node whose attribute differs.
    pub(super) fn goal(&self, codes: &[Leaf], path: &mut Path) -> Goal<'_> {
        let differs = |&(_, attribute): &(usize, usize)| path.codes[attribute] != codes[attribute];
        let mut node = match path.steps.iter().position(differs) {
            Some(depth) => {
                let (node, _) = path.steps[depth];
                path.steps.truncate(depth);
                node
            }
            None => path.end,
        };
        path.codes.clear();
        path.codes.extend_from_slice(codes);
        loop {
            path.end = node;
            match self.nodes[node] {
                Node::Split { attribute, first, count } => {
                    path.steps.push((node, attribute));
                    let starts = &self.starts[first..first + count];
                    let count = starts.partition_point(|start| *start <= codes[attribute]);
                    node = self.children[first + count - 1];
                }
                Node::Rows { first, count } => return Goal::Rows(&self.rows[first..first + count]),
                Node::Crowd(crowd) => return Goal::Crowd(crowd),
            }
        }
    }

    /// The rows of a crowd, ascending.
    pub(super) fn crowd(&self, crowd: u32) -> &[u32] {
        &self.crowds[crowd as usize]
    }

    /// Whether a row's sides contain these leaves. All leaves must occur.
    pub(super) fn contains(&self, row: u32, codes: &[Leaf]) -> bool {
        let row = row as usize;
        let bounds = &self.bounds[row * codes.len()..(row + 1) * codes.len()];
        let mut sides = bounds.iter().zip(codes).enumerate();
        sides.all(|(attribute, (bound, code))| {
            (bound.first..=bound.last).contains(code)
                && (bound.is_run || self.sides.of_row(attribute, row).contains(*code))
        })
    }

    /// Adds a leaf or a crowd for a group that is not divided.
    fn add_leaf(&mut self, Group { rows, node, .. }: Group) {
        self.nodes[node] = match u32::try_from(self.crowds.len()) {
            Ok(crowd) if rows.len() > ROW_BY_ROW => {
                self.crowds.push(rows);
                Node::Crowd(crowd)
            }
            _ => {
                let (first, count) = (self.rows.len(), rows.len());
                self.rows.extend(rows);
                Node::Rows { first, count }
            }
        };
    }

    /// Adds an inner node, and a group for each part.
    fn split(&mut self, group: &Group, division: Division, groups: &mut Vec<Group>) {
        let Division { attribute, starts, parts } = division;
        let (first, count) = (self.starts.len(), starts.len());
        self.nodes[group.node] = Node::Split { attribute, first, count };
        let next = self.nodes.len();
        self.nodes.resize(next + parts.len(), Node::EMPTY);
        for (start, part) in starts {
            self.starts.push(start);
            self.children.push(next + part);
        }
        let total: usize = parts.iter().map(Vec::len).sum();
        for (rows, node) in parts.into_iter().zip(next..) {
            let most = rows.len() * group.most / total.max(1);
            groups.push(Group { rows, most, node, attribute });
        }
    }

    /// The best division of a group; `None` if the group is small or no division is good enough.
    fn divide(&self, group: &Group, runs: &mut [Runs], searches: &mut usize) -> Option<Division> {
        let (count, width) = (group.rows.len(), self.sides.width());
        if count <= FEW {
            return None;
        }
        let mut best: Option<Parts> = None;
        for attribute in (group.attribute..width).chain(0..group.attribute) {
            *searches += 1;
            let parts = Parts::of(&mut runs[attribute], &group.rows, attribute, self.sides, *searches);
            if best.as_ref().is_none_or(|best| parts.largest < best.largest) {
                best = Some(parts);
            }
            if best.as_ref().is_some_and(|best| best.largest * 8 <= count * 5) {
                break;
            }
        }
        let parts = best?;
        if parts.largest * 4 <= count * 3 {
            return Some(parts.division(&group.rows));
        }
        let cuts = (0..width).filter_map(|attribute| self.cut(attribute, &group.rows));
        let is_good = |cut: &Cut| cut.largest * 10 <= count * 9 && cut.total <= group.most;
        match cuts.filter(is_good).min() {
            Some(cut) if cut.largest < parts.largest => Some(self.cut_at(cut, &group.rows)),
            _ if parts.largest * 20 <= count * 19 => Some(parts.division(&group.rows)),
            _ => None,
        }
    }

    fn bound(&self, row: u32, attribute: usize) -> Bound {
        self.bounds[row as usize * self.sides.width() + attribute]
    }

    /// The best cut between two leaves of an attribute. Time O(r log r) for r rows.
    fn cut(&self, attribute: usize, rows: &[u32]) -> Option<Cut> {
        let mut firsts: Vec<Leaf> = rows.iter().map(|&row| self.bound(row, attribute).first).collect();
        let mut lasts: Vec<Leaf> = rows.iter().map(|&row| self.bound(row, attribute).last).collect();
        firsts.sort_unstable();
        lasts.sort_unstable();
        let mut left = 0;
        let cuts = lasts.chunk_by(|left, right| left == right).scan(rows.len(), |right, same| {
            *right -= same.len();
            while left < rows.len() && firsts[left] <= same[0] {
                left += 1;
            }
            Some(Cut { largest: left.max(*right), total: left + *right, attribute, last: same[0] })
        });
        cuts.min()
    }

    fn cut_at(&self, Cut { attribute, last, .. }: Cut, rows: &[u32]) -> Division {
        let bound = |row: &u32| self.bound(*row, attribute);
        let left = rows.iter().copied().filter(|row| bound(row).first <= last).collect();
        let right = rows.iter().copied().filter(|row| bound(row).last > last).collect();
        Division { attribute, starts: vec![(0, 0), (last + 1, 1)], parts: vec![left, right] }
    }
}

impl Node {
    const EMPTY: Self = Self::Rows { first: 0, count: 0 };
}

impl Bound {
    fn of(runs: &[(Leaf, Leaf)]) -> Self {
        match runs {
            [] => Self { first: 1, last: 0, is_run: true },
            [(first, last)] => Self { first: *first, last: *last, is_run: true },
            [(first, _), .., (_, last)] => Self { first: *first, last: *last, is_run: false },
        }
    }
}

impl Runs {
    fn of(&self, text: usize) -> &[(Leaf, Leaf)] {
        let start = text.checked_sub(1).map_or(0, |previous| self.ends[previous]);
        &self.bounds[start..self.ends[text]]
    }
}

/// For each attribute the runs of its texts.
fn occurring_runs(combinations: &Combinations, sides: &Sides) -> Vec<Runs> {
    let occurs = combinations.occurring(&combinations.limits(), false);
    let of_attribute = |(occurs, texts): (Vec<bool>, &Vec<_>)| {
        let leaves: Vec<Leaf> =
            (0..).zip(&occurs).filter(|(_, occurs)| **occurs).map(|(leaf, _)| leaf).collect();
        // For each leaf the number of occurring leaves before it.
        let mut before = vec![0; occurs.len() + 1];
        for (leaf, &occurs) in occurs.iter().enumerate() {
            before[leaf + 1] = before[leaf] + usize::from(occurs);
        }
        let (mut ends, mut runs) = (Vec::with_capacity(texts.len()), Vec::<(Leaf, Leaf)>::new());
        for text in texts {
            let start = runs.len();
            let mut end = 0;
            for (first, last) in Leaves::runs(text) {
                let begin = before[(first as usize).min(occurs.len())];
                let past = before[(last as usize).saturating_add(1).min(occurs.len())];
                match runs[start..].last_mut() {
                    _ if begin == past => continue,
                    Some(run) if end == begin => run.1 = leaves[past - 1],
                    _ => runs.push((leaves[begin], leaves[past - 1])),
                }
                end = past;
            }
            ends.push(runs.len());
        }
        Runs { seen: vec![(0, 0); ends.len()], ends, bounds: runs }
    };
    occurs.into_iter().zip(&sides.leaves).map(of_attribute).collect()
}

impl Parts {
    /// The parts of some rows. Each call needs a new number `search`.
    fn of(runs: &mut Runs, rows: &[u32], attribute: usize, sides: &Sides, search: usize) -> Self {
        let mut texts = Vec::new();
        let mut of_row = Vec::with_capacity(rows.len());
        for &row in rows {
            let text = sides.text(attribute, row as usize);
            let (last, number) = &mut runs.seen[text];
            if *last != search {
                (*last, *number) = (search, u32::try_from(texts.len()).expect("texts have 32-bit numbers"));
                texts.push(text);
            }
            of_row.push(*number as usize);
        }
        let numbered = texts.iter().enumerate();
        let numbered =
            numbered.flat_map(|(number, &text)| runs.of(text).iter().map(move |run| (*run, number)));
        let mut sorted: Vec<((Leaf, Leaf), usize)> = numbered.collect();
        sorted.sort_unstable();
        // Texts that share a leaf are united. A comparison with the run that reaches furthest is sufficient.
        let mut united: Vec<usize> = (0..texts.len()).collect();
        let mut furthest = sorted.first().copied();
        for &((first, last), number) in &sorted {
            let Some(((_, reach), known)) = furthest else { break };
            if first <= reach {
                unite(&mut united, number, known);
            }
            if last > reach {
                furthest = Some(((first, last), number));
            }
        }
        let mut part_of = vec![None; texts.len()];
        let mut count = 0;
        let mut parts = Vec::with_capacity(texts.len());
        for number in 0..texts.len() {
            let part = *part_of[root(&mut united, number)].get_or_insert_with(|| {
                count += 1;
                count - 1
            });
            parts.push(part);
        }
        let mut row_counts = vec![0; count];
        for number in &mut of_row {
            *number = parts[*number];
            row_counts[*number] += 1;
        }
        let mut starts: Vec<(Leaf, usize)> = Vec::new();
        for ((first, _), number) in sorted {
            if starts.last().is_none_or(|(_, part)| *part != parts[number]) {
                // Leaves before the first run lead to its part too. No row of the group contains them.
                starts.push((if starts.is_empty() { 0 } else { first }, parts[number]));
            }
        }
        let largest = row_counts.into_iter().max().unwrap_or(0);
        Self { attribute, of_row, count, largest, starts }
    }

    fn division(self, rows: &[u32]) -> Division {
        let mut parts = vec![Vec::new(); self.count];
        for (&row, part) in rows.iter().zip(self.of_row) {
            parts[part].push(row);
        }
        Division { attribute: self.attribute, starts: self.starts, parts }
    }
}

/// The representative of the texts that are united with a text.
fn root(united: &mut [usize], mut text: usize) -> usize {
    while united[text] != text {
        united[text] = united[united[text]];
        text = united[text];
    }
    text
}

fn unite(united: &mut [usize], left: usize, right: usize) {
    let (left, right) = (root(united, left), root(united, right));
    united[left.max(right)] = left.min(right);
}
