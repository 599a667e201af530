//! The nearest combinations to one, found in blocks of neighbours. Most blocks are skipped.

use super::space::Space;
use crate::control::worker_pool::WorkerPool;
use palmtop_core::model::Code;
use palmtop_core::model::size;

/// The number of nearest combinations. A box that contains another one has at least the loss of the
/// distance to it.
const NEAR: usize = 192;
/// The largest number of combinations of a block.
const BLOCK: usize = 32;
/// The number of collected combinations above which the most distant ones are dropped.
const KEPT: usize = 2 * NEAR;

/// The combinations in blocks, each with the least and the greatest code of every column (k-d
/// trees: Bentley 1975).
pub(super) struct Blocks {
    rows: Vec<u32>,
    /// The index in `rows` of each block's first row, and the end.
    starts: Vec<usize>,
    /// The codes of `rows`, row by row.
    codes: Vec<Code>,
    /// For each block, its least codes and then its greatest codes.
    ends: Vec<Code>,
}

/// The number of blocks that are sorted first.
const FEW: usize = 64;

/// Combinations with their distances.
pub(super) type Near = Vec<(f64, u32)>;

impl Blocks {
    /// Divides the combinations in two repeatedly, at the column with the widest spread: O(c·log
    /// c·m) for c combinations and m columns. `None` if it is stopped.
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

    /// Fills `near` with the nearest combinations in ascending order of distance. Returns a lower
    /// bound on the loss of every box that contains any other combination.
    pub(super) fn nearest(&self, space: &Space, row: usize, near: &mut Near) -> f64 {
        near.clear();
        let (origin, width) = (space.row(row), space.width());
        let blocks = (0..).zip(self.ends.chunks_exact(2 * width));
        let mut blocks: Near = blocks.map(|(block, ends)| (apart(space, origin, ends), block)).collect();
        let mut far = f64::INFINITY;
        let (mut sorted, mut next) = (0, 0);
        while next < blocks.len() {
            // Usually, only the first few blocks are needed, or else most of them.
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
            for index in self.starts[block as usize]..self.starts[block as usize + 1] {
                let distance = space.distance(origin, &self.codes[index * width..(index + 1) * width]);
                if distance < far {
                    near.push((distance, self.rows[index]));
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

/// Keeps the nearest combinations. Returns a lower bound on the distance of all others.
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

/// A lower bound on the distance to every combination of a block.
fn apart(space: &Space, origin: &[Code], ends: &[Code]) -> f64 {
    let (lows, highs) = ends.split_at(origin.len());
    let mut sum = 0.0;
    for (column, &code) in origin.iter().enumerate() {
        let apart = lows[column].saturating_sub(code) + code.saturating_sub(highs[column]);
        sum += f64::from(if space.ordered[column] { apart } else { apart.min(1) }) * space.units[column];
    }
    // A row's distance adds the same or greater terms in the same order, so that rounding keeps the
    // bound.
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

/// Moves the rows below a value to the front, about half of all, and returns their number. `None`
/// if all rows have the same value.
fn divide(space: &Space, rows: &mut [u32], column: usize) -> Option<usize> {
    let code = |row: u32| space.row(row as usize)[column];
    rows.sort_unstable_by_key(|&row| (code(row), row));
    let middle = code(rows[rows.len() / 2]);
    let (below, above) =
        (rows.partition_point(|&row| code(row) < middle), rows.partition_point(|&row| code(row) <= middle));
    let even = |cut: &usize| cut.abs_diff(rows.len() / 2);
    [below, above].into_iter().filter(|&cut| cut > 0 && cut < rows.len()).min_by_key(even)
}
