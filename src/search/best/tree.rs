//! The regions as the leaves of a tree of splits, parts of which can be grown anew.

use std::ops::Range;

use super::frame::Cost;
use crate::model::Counts;
use crate::model::size::number;

/// Some rows next to each other, perhaps split in two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Twig {
    start: u32,
    end: u32,
    pub(super) counts: Counts,
    parent: u32,
    /// Both children; none where this is a region.
    children: Option<[u32; 2]>,
    /// What its regions weigh together ([`Frame::weight`](super::frame::Frame::weight)).
    pub(super) weight: f64,
}

impl Twig {
    /// Its rows.
    pub(super) fn rows(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// How many rows it has.
    pub(super) fn len(&self) -> usize {
        (self.end - self.start) as usize
    }

    /// Both children; none where this is a region.
    pub(super) fn children(&self) -> Option<[usize; 2]> {
        self.children.map(|children| children.map(|child| child as usize))
    }
}

/// A tree of splits; its first twig is the root.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    width: usize,
    twigs: Vec<Twig>,
    /// The extents of each twig's box, `width` a twig; they mean something for regions with private people only.
    extents: Vec<u32>,
    free: Vec<u32>,
}

impl Tree {
    /// Only a root.
    pub(super) fn new(width: usize, rows: usize, counts: Counts) -> Self {
        let root = Twig { start: 0, end: number(rows), counts, parent: 0, children: None, weight: 0.0 };
        Self { width, twigs: vec![root], extents: vec![0; width], free: Vec::new() }
    }

    pub(super) fn twig(&self, twig: usize) -> Twig {
        self.twigs[twig]
    }

    /// Only a root again, with the room that it has.
    pub(super) fn reset(&mut self, rows: usize, counts: Counts) {
        self.twigs.clear();
        self.extents.clear();
        self.free.clear();
        self.add(Twig { start: 0, end: number(rows), counts, parent: 0, children: None, weight: 0.0 });
    }

    /// Makes a twig a region: notes the extents of its box and its weight.
    pub(super) fn settle(&mut self, twig: usize, extents: &[u32], weight: f64) {
        self.extents[twig * self.width..(twig + 1) * self.width].copy_from_slice(extents);
        self.twigs[twig].weight = weight;
    }

    /// Weighs every twig by the regions below it, which may have been weighed in another way.
    pub(super) fn weigh(&mut self, weight: impl Fn(Counts, &[u32]) -> f64) {
        // Children come after their parents in this order.
        let mut order = vec![0];
        let mut next = 0;
        while let Some(&twig) = order.get(next) {
            order.extend(self.twig(twig).children().into_iter().flatten());
            next += 1;
        }
        for &twig in order.iter().rev() {
            let here = self.twigs[twig];
            self.twigs[twig].weight = match here.children() {
                Some([left, right]) => self.twigs[left].weight + self.twigs[right].weight,
                None => weight(here.counts, &self.extents[twig * self.width..(twig + 1) * self.width]),
            };
        }
    }

    /// Splits a region after its first `left` rows.
    pub(super) fn split(&mut self, twig: usize, left: usize, counts: [Counts; 2]) -> [usize; 2] {
        let Twig { start, end, .. } = self.twigs[twig];
        let middle = start + number(left);
        let parent = number(twig);
        let children = [(start, middle, counts[0]), (middle, end, counts[1])].map(|(start, end, counts)| {
            self.add(Twig { start, end, counts, parent, children: None, weight: 0.0 })
        });
        self.twigs[twig].children = Some(children.map(number));
        children
    }

    fn add(&mut self, twig: Twig) -> usize {
        if let Some(place) = self.free.pop() {
            self.twigs[place as usize] = twig;
            return place as usize;
        }
        self.twigs.push(twig);
        self.extents.resize(self.twigs.len() * self.width, 0);
        self.twigs.len() - 1
    }

    /// Puts another tree, over as many rows, in a twig's place.
    pub(super) fn graft(&mut self, twig: usize, other: &Self) {
        let mut old: Vec<u32> = self.twigs[twig].children.into_iter().flatten().collect();
        while let Some(below) = old.pop() {
            old.extend(self.twigs[below as usize].children.into_iter().flatten());
            self.free.push(below);
        }
        self.twigs[twig].children = None;
        let change = other.twigs[0].weight - self.twigs[twig].weight;
        let mut above = twig;
        while above != 0 {
            above = self.twigs[above].parent as usize;
            self.twigs[above].weight += change;
        }
        self.take_over(twig, other, 0);
    }

    /// A copy of a twig and all below it, its rows counted from 0.
    pub(super) fn copy(&self, twig: usize) -> Self {
        let here = self.twigs[twig];
        let mut copy = Self::new(self.width, here.len(), here.counts);
        copy.take_over(0, self, twig);
        copy
    }

    /// Splits a region as another tree splits a twig over as many rows, and so on below.
    fn take_over(&mut self, region: usize, other: &Self, twig: usize) {
        let mut waiting = vec![(region, twig)];
        while let Some((own, theirs)) = waiting.pop() {
            let from = other.twigs[theirs];
            self.settle(own, &other.extents[theirs * self.width..(theirs + 1) * self.width], from.weight);
            if let Some([left, right]) = from.children() {
                let (left_twig, right_twig) = (other.twigs[left], other.twigs[right]);
                let [own_left, own_right] =
                    self.split(own, left_twig.len(), [left_twig.counts, right_twig.counts]);
                waiting.extend([(own_left, left), (own_right, right)]);
            }
        }
    }

    /// The regions at and below a twig, from left to right.
    pub(super) fn regions(&self, twig: usize) -> impl Iterator<Item = (Twig, &[u32])> {
        let mut waiting = vec![twig];
        std::iter::from_fn(move || {
            loop {
                let next = waiting.pop()?;
                match self.twigs[next].children() {
                    Some([left, right]) => waiting.extend([right, left]),
                    None => {
                        return Some((
                            self.twigs[next],
                            &self.extents[next * self.width..(next + 1) * self.width],
                        ));
                    }
                }
            }
        })
    }

    /// What the regions at and below a twig cost.
    pub(super) fn cost(&self, twig: usize) -> Cost {
        let mut cost = Cost::none(self.width);
        for (region, extents) in self.regions(twig).filter(|(region, _)| region.counts.private > 0) {
            cost.add(region.counts, extents);
        }
        cost
    }
}
