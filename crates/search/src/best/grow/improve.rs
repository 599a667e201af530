//! Large-neighbourhood search (Shaw 1998): parts of a tree are grown again, and kept if they weigh
//! less.
//!
//! A round takes parts of the tree with disjoint rows, works on them in parallel, and puts them
//! back one after another. Each part has a seed of its own and the same amount of work, measured in
//! rows, not in time. So the result does not depend on the number of cores.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::grower::Grower;
use super::tree::Tree;
use crate::best::exact::{exp2, log2};
use crate::best::frame::{Cost, Frame};
use crate::best::setting::Setting;
use crate::control::worker_pool::WorkerPool;
use crate::regions::column_table::ColumnTable;
use palmtop_core::metrics::Metric;
use palmtop_core::model::Counts;
use palmtop_core::model::size::number;

/// The number of parts of the tree in a round, and so the number of cores that it can use.
const PARTS: usize = 16;
/// The largest number of rows of a part.
const PART: usize = 2048;
/// The work on a part in a round, in steps over a row.
const BUDGET: f64 = 32_768.0;
/// The fixed work of a try, in steps over a row.
const TRY: f64 = 16.0;
/// The number of sizes of a regrown node: powers of two, from 4 rows to a full part.
const SIZES: usize = 10;
/// The number of successful settings that are remembered.
const REMEMBERED: usize = 64;

/// A valid release that rounds improve, and what has succeeded on it.
pub(crate) struct Contender {
    pub(crate) table: ColumnTable,
    pub(crate) tree: Tree,
    /// The metric of the release.
    pub(crate) value: f64,
    cost: Cost,
    memory: Memory,
}

/// The successes so far: settings, and for each size of a try its gain and its work.
#[derive(Clone, Debug)]
struct Memory {
    settings: Vec<Setting>,
    oldest: usize,
    gains: [f64; SIZES],
    costs: [f64; SIZES],
}

/// The result for one part of the tree.
struct Part {
    node: usize,
    table: ColumnTable,
    tree: Tree,
    winners: Vec<Setting>,
    gains: [f64; SIZES],
    costs: [f64; SIZES],
}

impl Contender {
    /// A contender from a grown tree with weighed nodes.
    pub(crate) fn new(frame: &Frame, table: ColumnTable, tree: Tree, setting: Setting) -> Self {
        let cost = tree.cost(0);
        let memory = Memory { settings: vec![setting], oldest: 0, gains: [0.0; SIZES], costs: [1.0; SIZES] };
        Self { table, tree, value: frame.value(&cost), cost, memory }
    }

    /// Runs one round. Returns whether it improved the metric, or `None` if it was stopped; then it
    /// changed nothing.
    pub(crate) fn round(&mut self, frame: &Frame, seed: u64, round: u64, pool: &WorkerPool) -> Option<bool> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(round + 1);
        let pull = frame.pull(&self.cost);
        if frame.metric == Metric::LossGeometric {
            self.tree.weigh(|counts, extents| frame.weight(&pull, counts, extents));
        }
        let chosen = choose(&self.tree, &mut random);
        let work = |(node, seed)| Part::of(self, node).improve(frame, &pull, &self.memory, seed, pool);
        let parts: Vec<Part> = chosen.into_par_iter().map(work).collect();
        pool.go_on().continue_value()?;
        let before = self.value;
        self.memory.fade();
        for part in parts {
            self.take(frame, part);
        }
        Some(self.value < before)
    }

    /// Puts a part back unless the metric gets worse. For `LossGeometric`, the weight of a part is
    /// only the slope of the metric, so that a lower weight may come with a worse metric.
    fn take(&mut self, frame: &Frame, part: Part) {
        self.memory.add(&part);
        if part.winners.is_empty() {
            return;
        }
        let cost = self.cost.exchange(&self.tree.cost(part.node), &part.tree.cost(0));
        let value = frame.value(&cost);
        if value <= self.value {
            self.table.paste(self.tree.node(part.node).rows().start, &part.table);
            self.tree.graft(part.node, &part.tree);
            (self.cost, self.value) = (cost, value);
            part.winners.into_iter().for_each(|setting| self.memory.remember(setting));
        }
    }
}

/// Draws parts of a tree with disjoint rows by their weight, with a seed for each.
fn choose(tree: &Tree, random: &mut ChaCha8Rng) -> Vec<(usize, u64)> {
    // A different limit in each round, so that the parts have different borders.
    let limit = random.random_range(PART / 2..=PART);
    let mut parts = Vec::new();
    let mut waiting = vec![0];
    while let Some(node) = waiting.pop() {
        let here = tree.node(node);
        match here.children() {
            Some(children) if here.len() > limit || !here.may_be_region() => waiting.extend(children),
            Some(_) if here.weight > 0.0 => parts.push(node),
            _ => {}
        }
    }
    let mut chosen = Vec::new();
    while chosen.len() < PARTS && !parts.is_empty() {
        let index = draw(&parts.iter().map(|&node| tree.node(node).weight), random);
        chosen.push((parts.swap_remove(index), random.random()));
    }
    chosen
}

/// Draws the index of one of several weights, with a probability in proportion to the weight.
fn draw(weights: &(impl Iterator<Item = f64> + Clone), random: &mut ChaCha8Rng) -> usize {
    let mut pick = random.random_range(0.0..1.0) * weights.clone().sum::<f64>();
    let mut below = |weight: f64| {
        pick -= weight;
        pick < 0.0
    };
    weights.clone().position(&mut below).unwrap_or(0)
}

impl Part {
    fn of(contender: &Contender, node: usize) -> Self {
        Self {
            node,
            table: contender.table.copy(contender.tree.node(node).rows()),
            tree: contender.tree.copy(node),
            winners: Vec::new(),
            gains: [0.0; SIZES],
            costs: [0.0; SIZES],
        }
    }

    /// Grows one node after another again, until the work is done.
    #[expect(clippy::cast_precision_loss, reason = "numbers of rows of one part")]
    fn improve(mut self, frame: &Frame, pull: &[f64], memory: &Memory, seed: u64, pool: &WorkerPool) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut grower = Grower::new(frame, pull, pool);
        let mut regrown = Tree::new(frame.extent_count(), 0, Counts::default(), None);
        let mut spent = 0.0;
        while spent < BUDGET && pool.go_on().is_continue() {
            let (size, limit) = memory.size(&mut random);
            let node = self.descend(limit, &mut random);
            let here = self.tree.node(node);
            let rows = here.len() as f64;
            let work = rows * (1.0 + log2(rows)) + TRY;
            spent += work;
            if here.weight <= 0.0 {
                continue;
            }
            self.costs[size] += work;
            let setting = memory.setting(&mut random, frame.metric);
            let mut table = self.table.copy(here.rows());
            regrown.reset(here.len(), here.counts, self.tree.cut_box(node));
            if !grower.grow_below(&mut regrown, table.rows(), setting, random.random(), here.weight) {
                continue;
            }
            regrown.weigh(|counts, extents| frame.weight(pull, counts, extents));
            let gain = here.weight - regrown.node(0).weight;
            // An equally good tree is taken, too, because it may lead to a better one.
            if gain >= 0.0 {
                self.table.paste(here.rows().start, &table);
                self.tree.graft(node, &regrown);
            }
            if gain > here.weight * 1e-9 {
                self.gains[size] += gain;
                self.winners.push(setting);
            }
        }
        self
    }

    /// Descends randomly by weight from the root, to a split with at most `limit` rows. If it meets
    /// none, it returns the last split. It never returns a node that cannot be a region.
    #[expect(clippy::cast_precision_loss, reason = "numbers of rows of one part")]
    fn descend(&self, limit: f64, random: &mut ChaCha8Rng) -> usize {
        let (mut node, mut found) = (0, 0);
        while let Some(children) = self.tree.node(node).children() {
            if self.tree.node(node).may_be_region() {
                found = node;
                if self.tree.node(node).len() as f64 <= limit {
                    break;
                }
            }
            let next = children[draw(&children.iter().map(|&child| self.tree.node(child).weight), random)];
            if self.tree.node(next).children().is_none() {
                break;
            }
            node = next;
        }
        found
    }
}

impl Memory {
    /// Draws a setting, in four of five cases similar to a successful one.
    fn setting(&self, random: &mut ChaCha8Rng, metric: Metric) -> Setting {
        if random.random_ratio(1, 5) {
            return Setting::draw(random, metric);
        }
        self.settings[random.random_range(0..self.settings.len())].near(random)
    }

    /// Draws a size and a number of rows of that size. Sizes with a high gain for their work are
    /// more likely.
    fn size(&self, random: &mut ChaCha8Rng) -> (usize, f64) {
        let rates = self.gains.iter().zip(&self.costs).map(|(gain, cost)| gain / cost);
        let most = rates.clone().fold(0.0, f64::max);
        let size = draw(&rates.map(|rate| if most > 0.0 { 0.03 + rate / most } else { 1.0 }), random);
        (size, exp2(f64::from(number(size)) + random.random_range(2.0..3.0)))
    }

    fn remember(&mut self, setting: Setting) {
        if self.settings.len() < REMEMBERED {
            self.settings.push(setting);
        } else {
            self.settings[self.oldest] = setting;
            self.oldest = (self.oldest + 1) % REMEMBERED;
        }
    }

    /// Reduces the influence of older tries.
    fn fade(&mut self) {
        self.gains.iter_mut().for_each(|gain| *gain *= 0.9);
        self.costs.iter_mut().for_each(|cost| *cost = 1.0 + 0.9 * *cost);
    }

    fn add(&mut self, part: &Part) {
        for (sum, gain) in self.gains.iter_mut().zip(part.gains) {
            *sum += gain;
        }
        for (sum, cost) in self.costs.iter_mut().zip(part.costs) {
            *sum += cost;
        }
    }
}
