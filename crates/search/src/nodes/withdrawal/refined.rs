//! The classes of a node, refined from those of a coarser node: the counting step of the search.
//!
//! A class without members has no members in any specialization. So its combinations are dropped,
//! and finer nodes have fewer combinations to count.

use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use crate::control::pace::Pace;
use palmtop_core::model::{Code, Counts, Level, Problem, size};

/// The classes of a node that have members, with their combinations.
#[derive(Clone, Debug)]
pub(crate) struct Refined {
    /// The combinations in classes with members, in ascending order.
    combinations: Vec<u32>,
    /// The class of each of these combinations.
    class_of: Vec<u32>,
    classes: Vec<Counts>,
    /// The number of people in classes without members.
    without: u64,
}

/// Buffers that are reused by each refinement.
#[derive(Clone, Debug, Default)]
pub(crate) struct Buffers {
    numbers: Vec<u32>,
    known: FxHashMap<u64, u32>,
    /// The class of each combination, before classes without members are dropped.
    class_of: Vec<u32>,
    /// The counts of these classes.
    classes: Vec<Counts>,
}

/// A number that no class has.
const NONE: u32 = u32::MAX;

impl Refined {
    /// One class with everyone.
    pub(crate) fn everybody(problem: &Problem) -> Self {
        let histogram = problem.histogram();
        Self {
            combinations: (0..size::number(histogram.len())).collect(),
            class_of: vec![0; histogram.len()],
            classes: vec![histogram.total()],
            without: 0,
        }
    }

    /// The classes with members.
    pub(crate) fn classes(&self) -> &[Counts] {
        &self.classes
    }

    /// The number of people in classes without members.
    pub(crate) fn without(&self) -> u64 {
        self.without
    }

    /// The combinations of the classes that are `asked` for, each with the counts of its class.
    pub(crate) fn combinations(&self, asked: impl Fn(u32) -> bool) -> impl Iterator<Item = (u32, Counts)> {
        let pairs = self.combinations.iter().zip(&self.class_of);
        let pairs = pairs.filter(move |(_, class)| asked(**class));
        pairs.map(|(&combination, &class)| (combination, self.classes[class as usize]))
    }

    /// The class of a combination that has members: O(log c).
    ///
    /// # Panics
    /// If the combination has no members, and is above all combinations in classes with members.
    pub(crate) fn class_of(&self, combination: u32) -> u32 {
        self.class_of[self.combinations.partition_point(|&known| known < combination)]
    }

    /// Refines one quasi-identifier from a coarser level to this level: O(c) for c combinations.
    pub(crate) fn refine(
        &self,
        problem: &Problem,
        attribute: usize,
        level: Level,
        buffers: &mut Buffers,
        pace: &mut Pace,
    ) -> ControlFlow<(), Self> {
        pace.spend(4 * self.combinations.len())?;
        let histogram = problem.histogram();
        let (codes, labels) = (histogram.column(attribute), problem.hierarchy(attribute).labels_of(level));
        buffers.number(self, codes, labels, problem.hierarchy(attribute).label_count(level));
        let Buffers { numbers, class_of, classes, .. } = buffers;
        classes.fill(Counts::default());
        for (&class, &combination) in class_of.iter().zip(&self.combinations) {
            classes[class as usize] += histogram.counts()[combination as usize];
        }
        let mut refined = Self {
            combinations: Vec::with_capacity(self.combinations.len()),
            class_of: Vec::with_capacity(self.combinations.len()),
            classes: Vec::new(),
            without: self.without,
        };
        numbers.clear();
        for &class in classes.iter() {
            if class.private > 0 {
                numbers.push(size::number(refined.classes.len()));
                refined.classes.push(class);
            } else {
                numbers.push(NONE);
                refined.without += class.public;
            }
        }
        for (&combination, &class) in self.combinations.iter().zip(class_of.iter()) {
            let number = numbers[class as usize];
            if number != NONE {
                refined.combinations.push(combination);
                refined.class_of.push(number);
            }
        }
        ControlFlow::Continue(refined)
    }
}

impl Buffers {
    /// Numbers the pairs of a class and a label in order of first appearance.
    fn number(&mut self, coarse: &Refined, codes: &[Code], labels: &[u32], radix: usize) {
        self.class_of.clear();
        let pairs = coarse.combinations.iter().zip(&coarse.class_of);
        let key = |combination: u32, class: u32| {
            class as usize * radix + labels[codes[combination as usize] as usize] as usize
        };
        let mut next = 0;
        let span = coarse.classes.len().saturating_mul(radix);
        if span <= coarse.combinations.len().saturating_mul(8).saturating_add(1024) {
            self.numbers.clear();
            self.numbers.resize(span, NONE);
            for (&combination, &class) in pairs {
                let number = &mut self.numbers[key(combination, class)];
                if *number == NONE {
                    *number = next;
                    next += 1;
                }
                self.class_of.push(*number);
            }
        } else {
            self.known.clear();
            for (&combination, &class) in pairs {
                let label = labels[codes[combination as usize] as usize];
                let number =
                    *self.known.entry(u64::from(class) << 32 | u64::from(label)).or_insert_with(|| {
                        next += 1;
                        next - 1
                    });
                self.class_of.push(number);
            }
        }
        self.classes.resize(next as usize, Counts::default());
    }
}
