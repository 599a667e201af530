//! The combinations merged at the floors, from which a search over nodes counts classes.
//!
//! Hierarchies nest, so that a class at a node is a union of classes at the floors. Classes at the
//! floors are fewer than combinations, often by far. Several quasi-identifiers share one column of
//! small codes. A combination's class at a node then needs a few table look-ups, instead of one for
//! each quasi-identifier.

mod pairs;

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::floors::Floors;
use super::label_sets::{Digit, LabelKey, LabelSets, bits, ones};
use super::rungs::Rungs;
use super::steps::{levels_at, steps_to};
use super::tally::{Judge, Tally};
use super::value_judge::NodeValueJudge;
use crate::control::pace::Pace;
use palmtop_core::model::size;
use palmtop_core::model::{Counts, Digit as ClassDigit, Level, Numbering, Problem};

/// The number of merged combinations from which all cores share a pass.
const SHARED: usize = 1 << 17;
/// The number of merged combinations that a core takes at a time.
const SHARE: usize = 1 << 15;
/// The number of merged combinations that are looked up between two counts of work.
const STRETCH: usize = 1 << 16;
/// The fixed cost of a quasi-identifier in a table, in look-ups.
const TABLE: usize = 64;

/// The reason for which a node fails.
#[derive(Debug)]
pub(crate) enum Failure<'a, W> {
    /// A class breaks δ or a criterion on counts.
    Witness {
        /// The counts that found it.
        counts: &'a mut BaseCounts<W>,
        /// A merged combination in the class with the greatest excess.
        combination: usize,
    },
    /// A class breaks a criterion on sensitive values, or a class of people breaks the policy. It
    /// does so at all nodes up to the one that is this many steps above the floors.
    UpTo(Vec<u8>),
}

/// The merged combinations, those with members first, and buffers that every count reuses.
#[derive(Clone, Debug)]
pub(crate) struct BaseCounts<W> {
    judge: Judge,
    values: Option<NodeValueJudge>,
    floors: Vec<Level>,
    attributes: Vec<Rungs>,
    groups: Vec<Group>,
    tallies: Vec<W>,
    private: Vec<u64>,
    numbering: Numbering,
    /// For each group, the label of each code at the node that is numbered.
    tables: Vec<Vec<u32>>,
    sums: Vec<W>,
    sizes: Vec<u64>,
    sets: LabelSets,
}

/// Some quasi-identifiers whose floor labels are the digits of one mixed-radix code. The last
/// quasi-identifier has the lowest digit.
#[derive(Clone, Debug)]
struct Group {
    attributes: Vec<usize>,
    size: usize,
    codes: Vec<u32>,
}

impl<W: Tally> BaseCounts<W> {
    /// Merges the combinations of a problem at its floors: O(c·m) for c combinations and m
    /// quasi-identifiers.
    pub(crate) fn new(problem: &Problem, floors: &Floors, pace: &mut Pace) -> ControlFlow<(), Self> {
        let mut base_counts = Self {
            judge: Judge::of(problem),
            values: NodeValueJudge::of(problem),
            floors: floors.levels().to_vec(),
            attributes: Vec::new(),
            groups: Vec::new(),
            tallies: Vec::new(),
            private: Vec::new(),
            numbering: Numbering::default(),
            tables: Vec::new(),
            sums: Vec::new(),
            sizes: Vec::new(),
            sets: LabelSets::default(),
        };
        let histogram = problem.histogram();
        let mut attributes: Vec<Rungs> = Vec::with_capacity(histogram.width());
        for (attribute, &floor) in floors.levels().iter().enumerate() {
            let hierarchy = problem.hierarchy(attribute);
            let levels = usize::from(hierarchy.top().0 - floor.0) + 1;
            pace.spend(hierarchy.leaf_count() + levels * hierarchy.label_count(floor))?;
            attributes.push(Rungs::of(problem, attribute, floor));
        }
        let mut groups = group(&attributes, histogram.len());
        for group in &mut groups {
            group.codes = encode(problem, floors, &attributes, &group.attributes, pace)?;
        }
        (base_counts.attributes, base_counts.groups) = (attributes, groups);
        let bottom = problem.quasi().iter().map(|quasi| quasi.hierarchy.base());
        let merged = if floors.levels().iter().copied().eq(bottom) {
            base_counts.arrange(histogram.counts(), |index| index, pace)?
        } else {
            let (counts, first) = base_counts.merge(histogram.counts(), pace)?;
            base_counts.arrange(&counts, |class| first[class] as usize, pace)?
        };
        base_counts.tallies = merged.par_iter().map(|&people| W::of(people, problem.bounds())).collect();
        base_counts.private =
            merged.iter().map(|people| people.private).take_while(|&private| private > 0).collect();
        ControlFlow::Continue(base_counts)
    }

    /// The number of merged combinations.
    pub(crate) fn len(&self) -> usize {
        self.tallies.len()
    }

    /// The judge of counts.
    pub(crate) fn judge(&self) -> &Judge {
        &self.judge
    }

    /// Merges combinations into classes at the floors. Returns the counts of each class, and the
    /// index of one combination in it.
    fn merge(&mut self, counts: &[Counts], pace: &mut Pace) -> ControlFlow<(), (Vec<Counts>, Vec<u32>)> {
        let classes = self.number(&vec![0; self.attributes.len()], counts.len(), pace)?;
        let (mut merged, mut first) = (vec![Counts::default(); classes], vec![0_u32; classes]);
        for (index, (&class, &people)) in (0..).zip(self.numbering.class_of().iter().zip(counts)) {
            let class = class as usize;
            if merged[class].public == 0 {
                first[class] = index;
            }
            merged[class] += people;
        }
        // Dense class numbers have gaps.
        let occurs: Vec<usize> = (0..classes).filter(|&class| merged[class].public > 0).collect();
        ControlFlow::Continue((
            occurs.iter().map(|&class| merged[class]).collect(),
            occurs.iter().map(|&class| first[class]).collect(),
        ))
    }

    /// Moves the combinations with members to the front. `found` gives the index of each
    /// combination's codes.
    fn arrange(
        &mut self,
        counts: &[Counts],
        found: impl Fn(usize) -> usize + Sync,
        pace: &mut Pace,
    ) -> ControlFlow<(), Vec<Counts>> {
        let with = (0..counts.len()).filter(|&index| counts[index].private > 0);
        let without = (0..counts.len()).filter(|&index| counts[index].private == 0);
        let order: Vec<usize> = with.chain(without).collect();
        for group in &mut self.groups {
            pace.spend(order.len())?;
            group.codes = order.par_iter().map(|&index| group.codes[found(index)]).collect();
        }
        ControlFlow::Continue(order.par_iter().map(|&index| counts[index]).collect())
    }

    /// Counts the classes of the node that is `steps` above the floors. Returns `None` if all
    /// satisfy the policy, else the reason of the failure.
    pub(crate) fn breaks(
        &mut self,
        steps: &[u8],
        pace: &mut Pace,
    ) -> ControlFlow<(), Option<Failure<'_, W>>> {
        let classes = self.number(steps, self.len(), pace)?;
        pace.spend(self.len() + classes)?;
        self.sum(classes);
        let (mut worst, mut excess) = (0, 0);
        for (class, sum) in (0..).zip(&self.sums) {
            let here = sum.excess(&self.judge);
            if here > excess {
                (worst, excess) = (class, here);
            }
        }
        if excess > 0 {
            let witness = self.numbering.class_of().iter().position(|&class| class == worst);
            return ControlFlow::Continue(
                witness.map(|combination| Failure::Witness { counts: self, combination }),
            );
        }
        let Some(values) = &mut self.values else { return ControlFlow::Continue(None) };
        pace.spend(self.private.len())?;
        let mut raised = levels_at(&self.floors, steps);
        let Some(witness) = values.breaks(&raised) else { return ControlFlow::Continue(None) };
        pace.spend(self.private.len() * raised.len())?;
        values.raise(witness, &mut raised);
        ControlFlow::Continue(Some(Failure::UpTo(steps_to(&raised, &self.floors))))
    }

    /// Sums the tallies of each class.
    fn sum(&mut self, classes: usize) {
        self.sums.clear();
        if self.len() < SHARED || classes > SHARE {
            self.sums.resize(classes, W::default());
            for (&class, &tally) in self.numbering.class_of().iter().zip(&self.tallies) {
                self.sums[class as usize] += tally;
            }
            return;
        }
        let parts = self.numbering.class_of().par_chunks(SHARE).zip(self.tallies.par_chunks(SHARE));
        let part = |mut sums: Vec<W>, (ids, tallies): (&[u32], &[W])| {
            for (&class, &tally) in ids.iter().zip(tallies) {
                sums[class as usize] += tally;
            }
            sums
        };
        self.sums = parts.fold(|| vec![W::default(); classes], part).reduce(Vec::new, add_up);
    }

    /// Σ a² over the classes of a node, with a members in a class, as in
    /// [`discernibility`](palmtop_core::metrics::discernibility). Only combinations with members
    /// contribute.
    pub(crate) fn discernibility(&mut self, steps: &[u8], pace: &mut Pace) -> ControlFlow<(), u64> {
        let classes = self.number(steps, self.private.len(), pace)?;
        pace.spend(self.private.len() + classes)?;
        self.sizes.clear();
        self.sizes.resize(classes, 0);
        for (&class, &private) in self.numbering.class_of().iter().zip(&self.private) {
            self.sizes[class as usize] += private;
        }
        let squares = palmtop_core::metrics::discernibility::of_private_counts(self.sizes.iter().copied());
        ControlFlow::Continue(squares)
    }

    /// Numbers the classes at a node of the first `length` merged combinations. Returns an exclusive
    /// upper bound of the numbers; some numbers may have no combination.
    fn number(&mut self, steps: &[u8], length: usize, pace: &mut Pace) -> ControlFlow<(), usize> {
        pace.spend(self.groups.iter().map(Group::labor).sum())?;
        self.tables.resize(self.groups.len(), Vec::new());
        let mut digits = Vec::with_capacity(self.groups.len());
        for (group, table) in self.groups.iter().zip(&mut self.tables) {
            let radix = group.span(&self.attributes, steps);
            if radix > 1 {
                group.labels(&self.attributes, steps, table);
                digits.push(ClassDigit { radix, codes: &group.codes, labels: Some(table) });
            }
        }
        self.numbering.number_in_any_order(length, &digits, |work| pace.spend(work))
    }

    /// Adds the tally of every merged combination at the rank of the finest node where it shares a
    /// class with `witness`. If levels are limited from above, such a node may not exist.
    /// `strides` and `spans` describe the nodes above the floors.
    pub(crate) fn spread(
        &self,
        witness: usize,
        strides: &[usize],
        spans: &[usize],
        sums: &mut [W],
        pace: &mut Pace,
    ) -> ControlFlow<()> {
        let tables: Vec<(&[u32], Vec<usize>)> = self
            .groups
            .iter()
            .map(|group| {
                let weight = |attribute: usize, step| {
                    if step < spans[attribute] { step * strides[attribute] } else { NOWHERE }
                };
                (&group.codes[..], group.meetings(&self.attributes, witness, weight))
            })
            .collect();
        let spread = |start: usize, tallies: &[W], sums: &mut [W]| {
            for (index, &tally) in (start..).zip(tallies) {
                let rank: usize = tables.iter().map(|(codes, table)| table[codes[index] as usize]).sum();
                if let Some(sum) = sums.get_mut(rank) {
                    *sum += tally;
                }
            }
        };
        if self.len() < SHARED || sums.len() > SHARE {
            for (index, tallies) in self.tallies.chunks(STRETCH).enumerate() {
                pace.spend(tallies.len() * tables.len())?;
                spread(index * STRETCH, tallies, sums);
            }
            return ControlFlow::Continue(());
        }
        pace.spend(self.len() * tables.len())?;
        let nodes = sums.len();
        let part = |mut sums: Vec<W>, (share, tallies): (usize, &[W])| {
            spread(share * SHARE, tallies, &mut sums);
            sums
        };
        let shares = self.tallies.par_chunks(SHARE).enumerate();
        let total = shares.fold(|| vec![W::default(); nodes], part).reduce(Vec::new, add_up);
        sums.iter_mut().zip(total).for_each(|(sum, more)| *sum += more);
        ControlFlow::Continue(())
    }

    /// Raises a node one attribute at a time in this order, as long as the class of `witness` breaks
    /// the policy there. The result is maximal in this, unless the observer stops the search.
    pub(crate) fn climb(
        &mut self,
        witness: usize,
        steps: &mut [u8],
        spans: &[usize],
        order: &[usize],
        pace: &mut Pace,
    ) -> ControlFlow<()> {
        let words = self.len().div_ceil(64);
        self.sets.make_room();
        let witness_labels = self.floor_labels(witness);
        // Above a single label, no class changes.
        let is_split = |attribute: usize, step: u8| self.attributes[attribute].counts[usize::from(step)] > 1;
        let mut order = order.to_vec();
        order.retain(|&attribute| {
            let divides = is_split(attribute, steps[attribute]);
            if !divides {
                steps[attribute] = size::steps(spans[attribute] - 1);
            }
            divides
        });
        // `behind[n]`: the combinations that share the witness's labels in all attributes from the
        // n-th on.
        let mut behind = vec![vec![u64::MAX; words]; order.len() + 1];
        for (place, &attribute) in order.iter().enumerate().rev() {
            let label =
                self.set(attribute, usize::from(steps[attribute]), witness_labels[attribute], pace)?;
            let (before, after) = behind.split_at_mut(place + 1);
            before[place].copy_from_slice(&after[0]);
            self.sets.narrow(&mut before[place], label);
        }
        let mut class = W::default();
        let all = self.len();
        ones(behind[0].iter().copied())
            .take_while(|&index| index < all)
            .for_each(|index| class += self.tallies[index]);
        // The combinations that share the raised labels in all attributes before the current one.
        let mut front = vec![u64::MAX; words];
        // The excess of one class is not monotone: a later step may make a repaired class fail
        // again. But a node where the class breaks the policy fails (theorem 1), whatever its
        // specializations do.
        for (place, &attribute) in order.iter().enumerate() {
            let rest: Vec<u64> =
                front.iter().zip(&behind[place + 1]).map(|(front, behind)| front & behind).collect();
            let label =
                self.set(attribute, usize::from(steps[attribute]), witness_labels[attribute], pace)?;
            let mut inside = rest.clone();
            self.sets.narrow(&mut inside, label);
            while usize::from(steps[attribute]) + 1 < spans[attribute] {
                let step = steps[attribute] + 1;
                let label = self.set(attribute, usize::from(step), witness_labels[attribute], pace)?;
                let mut next = rest.clone();
                self.sets.narrow(&mut next, label);
                let mut wider = class;
                let joining = next.iter().zip(&inside).map(|(next, inside)| next & !inside);
                ones(joining).for_each(|index| wider += self.tallies[index]);
                if wider.excess(&self.judge) <= 0 {
                    break;
                }
                (class, inside, steps[attribute]) = (wider, next, step);
            }
            let label =
                self.set(attribute, usize::from(steps[attribute]), witness_labels[attribute], pace)?;
            self.sets.narrow(&mut front, label);
        }
        ControlFlow::Continue(())
    }

    /// The floor label of a merged combination in each quasi-identifier.
    fn floor_labels(&self, combination: usize) -> Vec<u32> {
        let mut labels = vec![0; self.attributes.len()];
        for group in &self.groups {
            for (&attribute, digit) in group.attributes.iter().zip(group.digits(&self.attributes)) {
                labels[attribute] = digit.of(group.codes[combination]);
            }
        }
        labels
    }

    /// Caches the set of the combinations whose label at `step` is the one above floor label
    /// `floor`. Returns the key of the set.
    fn set(
        &mut self,
        attribute: usize,
        step: usize,
        floor: u32,
        pace: &mut Pace,
    ) -> ControlFlow<(), LabelKey> {
        let labels = &self.attributes[attribute].above[step];
        let label = (attribute, step, labels[floor as usize]);
        pace.spend(self.len().div_ceil(16))?;
        if self.sets.has(label) {
            return ControlFlow::Continue(label);
        }
        for group in &self.groups {
            let Some(position) = group.attributes.iter().position(|&member| member == attribute) else {
                continue;
            };
            pace.spend(self.len() + group.labor())?;
            let digit = group.digits(&self.attributes)[position];
            let codes = (0..).take(group.size);
            let is_in: Vec<bool> = codes.map(|code| labels[digit.of(code) as usize] == label.2).collect();
            self.sets.keep(label, bits(group.codes.iter().map(|&code| is_in[code as usize])));
        }
        ControlFlow::Continue(label)
    }
}

impl Group {
    /// The cost of the group's tables, in look-ups.
    fn labor(&self) -> usize {
        self.size * 2 + self.attributes.len() * TABLE
    }

    /// The digit of each quasi-identifier in the group's codes.
    fn digits(&self, attributes: &[Rungs]) -> Vec<Digit> {
        let mut inner = 1;
        let digit = |&attribute: &usize| {
            let radix = size::number(attributes[attribute].counts[0]);
            let digit = Digit { inner, radix };
            inner *= radix;
            digit
        };
        let mut digits: Vec<Digit> = self.attributes.iter().rev().map(digit).collect();
        digits.reverse();
        digits
    }

    /// The product of the quasi-identifiers' numbers of labels at a node; saturates.
    fn span(&self, attributes: &[Rungs], steps: &[u8]) -> u64 {
        let counts = self.attributes.iter().map(|&a| attributes[a].counts[usize::from(steps[a])] as u64);
        counts.fold(1, u64::saturating_mul)
    }

    /// For each code, the number of its labels at a node, below [`span`](Self::span).
    fn labels(&self, attributes: &[Rungs], steps: &[u8], table: &mut Vec<u32>) {
        table.clear();
        table.push(0);
        for &attribute in &self.attributes {
            let rungs = &attributes[attribute];
            let step = usize::from(steps[attribute]);
            let (labels, radix) = (&rungs.above[step], size::number(rungs.counts[step]));
            let outer = std::mem::take(table);
            table.reserve(outer.len() * labels.len());
            for high in outer {
                table.extend(labels.iter().map(|&label| high * radix + label));
            }
        }
    }

    /// For each code, the sum of `weight(attribute, step)` over the group's quasi-identifiers.
    /// Here, `step` is the first step above the floor at which the code and `witness` share a
    /// label.
    fn meetings<T: Copy + Default + std::ops::Add<Output = T>>(
        &self,
        attributes: &[Rungs],
        witness: usize,
        weight: impl Fn(usize, usize) -> T,
    ) -> Vec<T> {
        let mut witness_digits = vec![0_usize; self.attributes.len()];
        let mut code = self.codes[witness] as usize;
        for (digit, &attribute) in witness_digits.iter_mut().zip(&self.attributes).rev() {
            let radix = attributes[attribute].counts[0];
            (*digit, code) = (code % radix, code / radix);
        }
        let mut table = vec![T::default()];
        for (&attribute, witness_label) in self.attributes.iter().zip(witness_digits) {
            let above = &attributes[attribute].above;
            let meets = |label: usize| {
                above.iter().take_while(|labels| labels[label] != labels[witness_label]).count()
            };
            let inner: Vec<T> = (0..above[0].len()).map(|label| weight(attribute, meets(label))).collect();
            table = table.iter().flat_map(|&high| inner.iter().map(move |&low| high + low)).collect();
        }
        table
    }
}

/// A rank greater than every rank of a node, as is every sum with it over all quasi-identifiers.
const NOWHERE: usize = usize::MAX >> 16;

/// The sums of two parts, element by element; the first part may still be empty.
fn add_up<W: Tally>(mut left: Vec<W>, right: Vec<W>) -> Vec<W> {
    if left.is_empty() {
        return right;
    }
    left.iter_mut().zip(right).for_each(|(sum, more)| *sum += more);
    left
}

/// Packs quasi-identifiers into groups by first fit, in descending order of their labels.
///
/// Each group has so few codes that its tables cost less than a pass over the combinations.
fn group(attributes: &[Rungs], combinations: usize) -> Vec<Group> {
    let limit = (combinations / 4).clamp(16, 4096);
    let mut order: Vec<usize> = (0..attributes.len()).collect();
    order.sort_by_key(|&attribute| std::cmp::Reverse(attributes[attribute].counts[0]));
    let mut groups: Vec<Group> = Vec::new();
    for attribute in order {
        let labels = attributes[attribute].counts[0];
        match groups.iter_mut().find(|group| group.size.saturating_mul(labels) <= limit) {
            Some(group) => {
                group.attributes.push(attribute);
                group.size *= labels;
            }
            None => groups.push(Group { attributes: vec![attribute], size: labels, codes: Vec::new() }),
        }
    }
    groups
}

/// The code of every combination of the histogram in one group.
fn encode(
    problem: &Problem,
    floors: &Floors,
    rungs: &[Rungs],
    attributes: &[usize],
    pace: &mut Pace,
) -> ControlFlow<(), Vec<u32>> {
    let histogram = problem.histogram();
    let mut codes = vec![0_u32; histogram.len()];
    for &attribute in attributes {
        pace.spend(codes.len())?;
        let labels = problem.hierarchy(attribute).labels_of(floors.levels()[attribute]);
        let radix = size::number(rungs[attribute].counts[0]);
        let shares = codes.par_chunks_mut(SHARE).zip(histogram.column(attribute).par_chunks(SHARE));
        shares.for_each(|(codes, leaves)| {
            for (code, &leaf) in codes.iter_mut().zip(leaves) {
                *code = *code * radix + labels[leaf as usize];
            }
        });
    }
    ControlFlow::Continue(codes)
}
