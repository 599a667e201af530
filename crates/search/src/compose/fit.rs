//! Estimated expectations of a component that is too large for counting: iterative proportional
//! fitting.
//!
//! Of all tables of real numbers with the component's margins, it finds the one with the most ways
//! to choose people, up to Stirling's approximation. Π 1/y! is greatest approximately if every cell
//! is a product of one factor for each of its margins (Deming, Stephan: On a least squares
//! adjustment of a sampled frequency table when the expected marginal totals are known, 1940;
//! Fienberg: An iterative procedure for estimation in contingency tables, 1970). The cells of an
//! atom sum to its size, so that x = n·p with 0 ≤ p ≤ 1.
//!
//! For one release it is exact. For several it is an estimate. With few people its mean error is
//! some hundredths, and for single persons much more (`benches/compose`). Belief propagation is
//! worse here, because releases link their classes in many short cycles.

use super::Fit;
use super::system::System;
use super::system::bounds::Known;
use super::system::work::{Halt, Work};

/// The deviation at which fitting stops.
const CLOSE: f64 = 1e-10;
/// The largest number of passes over all margins.
const MOST_SWEEPS: u64 = 20_000;

/// Fits the free cells of a component to its margins, within `left` steps.
#[expect(clippy::cast_precision_loss, reason = "people, for an estimate")]
pub(super) fn fit(
    system: &System,
    known: &Known,
    atoms: &[u32],
    left: &mut u64,
    cells: &mut [f64],
    work: &mut Work,
) -> Result<Fit, Halt> {
    let free = |cell: &u32| known.is_free(*cell as usize);
    let cells_of_component = atoms.iter().flat_map(|&atom| system.cells_of(atom as usize));
    let mut margins: Vec<u32> = Vec::new();
    for cell in cells_of_component.filter(|&cell| known.is_free(cell)) {
        cells[cell] = system.values_of(cell);
        margins.extend(system.margins.of(cell));
    }
    margins.sort_unstable();
    margins.dedup();
    let margins: Vec<(f64, Vec<u32>)> = margins
        .into_iter()
        .map(|margin| {
            let all = system.parts.of(margin as usize);
            let certain = all.iter().filter(|cell| !free(cell)).map(|&cell| known.least[cell as usize]);
            let total = system.totals[margin as usize] - certain.sum::<u64>();
            (total as f64, all.iter().copied().filter(free).collect())
        })
        .collect();
    let each: u64 = margins.iter().map(|(_, cells)| cells.len() as u64).sum();
    let mut fit = Fit { sweeps: 0, deviation: f64::INFINITY };
    while fit.deviation > CLOSE && fit.sweeps < MOST_SWEEPS && *left >= each {
        *left -= each;
        fit = Fit { sweeps: fit.sweeps + 1, deviation: 0.0 };
        for (total, cells_of_margin) in &margins {
            let sum: f64 = cells_of_margin.iter().map(|&cell| cells[cell as usize]).sum();
            let factor = total / sum;
            fit.deviation = fit.deviation.max((1.0 - sum / total).abs());
            for &cell in cells_of_margin {
                cells[cell as usize] *= factor;
            }
            work.spend(cells_of_margin.len() as u64)?;
        }
    }
    Ok(fit)
}
