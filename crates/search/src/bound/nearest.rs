//! The combinations nearest to one: found in blocks of neighbours, most of which need not be looked into.

use super::Space;
use crate::worker_pool::WorkerPool;
use palmtop_core::model::Code;
use palmtop_core::model::size;

/// How many combinations around each are looked at; a box that holds another is as large as the distance to it.
const NEAR: usize = 192;
/// How many combinations a block has at most.
const BLOCK: usize = 32;
/// How many combinations are collected before those too many are dropped.
const KEPT: usize = 2 * NEAR;

/// The combinations in blocks, each with the least and the greatest code of every column (Bentley 1975, k-d trees).
pub(super) struct Blocks {
    rows: Vec<u32>,
    /// Where in `rows` each block begins, and the end.
    starts: Vec<usize>,
    /// The codes of `rows`, one row after another.
    codes: Vec<Code>,
    /// Of each block the least codes, then the greatest ones.
    ends: Vec<Code>,
}

/// How many blocks are put in order at first.
const FEW: usize = 64;

/// Some combinations, each with its distance and its row.
pub(super) type Near = Vec<(f64, u32)>;

impl Blocks {
    /// Cuts the combinations in two, each time in the column where they differ most; O(c·log c·m). `None` where it was
    /// stopped.
    pub(super) fn of(space: &Space, pool: &WorkerPool) -> Option<Self> {
        let mut rows: Vec<u32> = (0..size::number(space.counts.len())).collect();
        let mut starts = Vec::new();
        let mut ends = Vec::new();
        let mut waiting = Vec::from([(0, rows.len())]);
        while let Some((start, end)) = waiting.pop() {
            pool.go_on().continue_value()?;
            let part = &mut rows[start..end];
            let (lows, highs) = ends_of(space, part);
            let spread = |column: usize| {
                let apart = highs[column] - lows[column];
                f64::from(if space.ordered[column] { apart } else { apart.min(1) }) * space.units[column]
            };
            let widest =
                (0..space.width()).reduce(|best, next| if spread(next) > spread(best) { next } else { best });
            let column = widest.filter(|&column| part.len() > BLOCK && spread(column) > 0.0);
            let middle = column.and_then(|column| divide(space, part, column));
            if let Some(middle) = middle {
                waiting.push((start + middle, end));
                waiting.push((start, start + middle));
            } else {
                starts.push(start);
                ends.extend(lows.into_iter().chain(highs));
            }
        }
        starts.push(rows.len());
        let codes = rows.iter().flat_map(|&row| space.row(row as usize)).copied().collect();
        Some(Self { rows, starts, codes, ends })
    }

    /// Fills `near` with the nearest combinations, the nearest first, and returns a loss that no box falls below which
    /// holds any other.
    pub(super) fn nearest(&self, space: &Space, own: usize, near: &mut Near) -> f64 {
        near.clear();
        let (origin, width) = (space.row(own), space.width());
        let blocks = (0..).zip(self.ends.chunks_exact(2 * width));
        let mut blocks: Near = blocks.map(|(block, ends)| (apart(space, origin, ends), block)).collect();
        let mut far = f64::INFINITY;
        let (mut sorted, mut next) = (0, 0);
        while next < blocks.len() {
            // Seldom are more than the first few needed, and then most of them.
            if next == sorted {
                sorted = if next == 0 { FEW.min(blocks.len()) } else { blocks.len() };
                if sorted < blocks.len() {
                    blocks.select_nth_unstable_by(sorted, compare);
                }
                blocks[next..sorted].sort_unstable_by(compare);
            }
            let (least, block) = blocks[next];
            if least >= far {
                break;
            }
            next += 1;
            for place in self.starts[block as usize]..self.starts[block as usize + 1] {
                let distance = space.distance(origin, &self.codes[place * width..(place + 1) * width]);
                if distance < far {
                    near.push((distance, self.rows[place]));
                }
            }
            if near.len() > KEPT {
                far = cut(near, far);
            }
        }
        far = cut(near, far);
        near.sort_unstable_by(compare);
        far
    }
}

/// Keeps the nearest; returns a distance that no other falls below.
fn cut(near: &mut Near, far: f64) -> f64 {
    if near.len() <= NEAR {
        return far;
    }
    let (_, next, _) = near.select_nth_unstable_by(NEAR, compare);
    let next = next.0;
    near.truncate(NEAR);
    next
}

fn compare(left: &(f64, u32), right: &(f64, u32)) -> std::cmp::Ordering {
    left.0.total_cmp(&right.0).then(left.1.cmp(&right.1))
}

/// A distance that nobody in a block is nearer than.
fn apart(space: &Space, origin: &[Code], ends: &[Code]) -> f64 {
    let (lows, highs) = ends.split_at(origin.len());
    let mut sum = 0.0;
    for (column, &code) in origin.iter().enumerate() {
        let apart = lows[column].saturating_sub(code) + code.saturating_sub(highs[column]);
        sum += f64::from(if space.ordered[column] { apart } else { apart.min(1) }) * space.units[column];
    }
    // The sum over a row adds the same numbers and others that are no less, each rounded alike.
    sum
}

fn ends_of(space: &Space, rows: &[u32]) -> (Vec<Code>, Vec<Code>) {
    let (mut lows, mut highs) = (vec![Code::MAX; space.width()], vec![0; space.width()]);
    for &row in rows {
        for (column, &code) in space.row(row as usize).iter().enumerate() {
            (lows[column], highs[column]) = (lows[column].min(code), highs[column].max(code));
        }
    }
    (lows, highs)
}

/// Brings the rows below a value to the front, about half of them; says how many they are. `None` where all have one.
fn divide(space: &Space, rows: &mut [u32], column: usize) -> Option<usize> {
    let code = |row: u32| space.row(row as usize)[column];
    rows.sort_unstable_by_key(|&row| (code(row), row));
    let middle = code(rows[rows.len() / 2]);
    let (below, above) =
        (rows.partition_point(|&row| code(row) < middle), rows.partition_point(|&row| code(row) <= middle));
    let even = |cut: &usize| cut.abs_diff(rows.len() / 2);
    [below, above].into_iter().filter(|&cut| cut > 0 && cut < rows.len()).min_by_key(even)
}
