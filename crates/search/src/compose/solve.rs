//! The solution of the complete system: bounds, then each component by a suitable method.

use std::ops::ControlFlow;

use super::exact::{self, Exact};
use super::pairs::{self, Narrowed};
use super::system::System;
use super::system::bounds::{self, Known};
use super::system::components::components;
use super::system::work::{Halt, Work};
use super::{Atom, Components, Composition, Fit, Limits, Members, Method, Published, fit};

/// Computes bounds by margins and by flows. Then solves each component exactly if its cost permits,
/// else by fitting.
pub(super) fn solve(
    system: &System,
    releases: &[Published],
    limits: Limits,
    work: &mut Work,
) -> Result<Composition, Halt> {
    let mut known = bounds::shuttle(system, work)?;
    let mut solution = Solution::of(system);
    let mut parts = components(system, &known);
    if !parts.is_empty() {
        (solution.narrow, solution.is_narrowest) =
            pairs::by_pairs(system, releases, &mut known, limits.flow, work)?;
        bounds::propagate(system, &mut known, work)?;
        parts = components(system, &known);
    }
    let exact = solve_exactly(system, &known, &mut parts, limits, &mut solution, work)?;
    let mut fit = None;
    let mut left = limits.fit;
    for part in &parts {
        let fitted = fit::fit(system, &known, part, &mut left, &mut solution.expected, work)?;
        fit = Some(fitted.worse(fit));
        for &atom in part {
            solution.methods[atom as usize] = Some(Method::Estimated);
        }
        work.finish(part.len());
    }
    let count = Components { exact, estimated: parts.len() };
    Ok(solution.finish(system, &known, count, fit))
}

/// Solves the components exactly, the smallest first, and returns their number. Components that
/// exceed the budget stay in `parts`.
fn solve_exactly(
    system: &System,
    known: &Known,
    parts: &mut Vec<Vec<u32>>,
    limits: Limits,
    solution: &mut Solution,
    work: &mut Work,
) -> Result<usize, Halt> {
    let mut budget = limits.exact;
    let mut left = Vec::new();
    let mut solved = 0;
    parts.sort_by_key(|part| (part.len(), part[0]));
    for part in parts.drain(..) {
        match exact::solve(system, known, &part, limits.component.min(budget), work)? {
            ControlFlow::Continue(exact) => {
                budget -= exact.transitions.min(budget);
                solution.take(system, &part, &exact);
                solved += 1;
            }
            ControlFlow::Break(spent) => {
                budget -= spent.min(budget);
                left.push(part);
            }
        }
    }
    *parts = left;
    Ok(solved)
}

/// The results for the atoms, collected component by component.
struct Solution {
    /// The expectation of each cell.
    expected: Vec<f64>,
    /// The method for each atom in a component; the bounds determine all other atoms.
    methods: Vec<Option<Method>>,
    /// For each atom and table, the bounds of an exact solution.
    bounds: Vec<Option<(u64, u64)>>,
    /// For each atom and table, the bounds from flows.
    narrow: Narrowed,
    /// Whether the bounds from flows are the narrowest possible.
    is_narrowest: bool,
}

impl Solution {
    fn of(system: &System) -> Self {
        let all = system.atoms() * system.tables;
        Self {
            expected: vec![0.0; system.cells()],
            methods: vec![None; system.atoms()],
            bounds: vec![None; all],
            narrow: vec![None; all],
            is_narrowest: false,
        }
    }

    fn take(&mut self, system: &System, part: &[u32], exact: &Exact) {
        for (cell, expected) in &exact.expected {
            self.expected[*cell as usize] = *expected;
        }
        for (&atom, bounds) in part.iter().zip(&exact.bounds) {
            let atom = atom as usize;
            self.methods[atom] = Some(Method::Exact);
            for (table, bounds) in bounds.iter().enumerate() {
                self.bounds[atom * system.tables + table] = Some(*bounds);
            }
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "people of an atom, for an expectation")]
    fn finish(
        mut self,
        system: &System,
        known: &Known,
        components: Components,
        fit: Option<Fit>,
    ) -> Composition {
        for cell in 0..system.cells() {
            if known.least[cell] == known.most[cell] {
                self.expected[cell] = known.least[cell] as f64;
            }
        }
        let atom = |atom: usize| {
            let members = (0..system.tables).map(|table| {
                let index = atom * system.tables + table;
                let by_flow = self.narrow[index];
                let is_tight = self.bounds[index].is_some() || self.is_narrowest && by_flow.is_some();
                let (least, most) = self.bounds[index].unwrap_or_else(|| {
                    let (least, most) = known.members(system, atom, table);
                    by_flow.map_or((least, most), |flow| (least.max(flow.0), most.min(flow.1)))
                });
                let cells = system.cells_of(atom).filter(|&cell| system.is_in(cell, table));
                // Not `sum`, because the sum of no terms is -0.0.
                let sum = cells.fold(0.0, |sum, cell| sum + self.expected[cell]);
                // Rounding must not push the expectation out of the bounds.
                let expected = sum.clamp(least as f64, most as f64);
                (Members { least, most, expected }, is_tight || least == most)
            });
            let (members, tight): (Vec<Members>, Vec<bool>) = members.unzip();
            Atom {
                people: system.people[atom],
                classes: system.classes[atom].clone(),
                method: self.methods[atom].unwrap_or(Method::Exact),
                is_tight: tight.iter().all(|&is_tight| is_tight),
                members,
            }
        };
        Composition {
            atoms: (0..system.atoms()).map(atom).collect(),
            atom_of: system.atom_of.clone(),
            tables: system.tables,
            table_of: system.table_of.clone(),
            components,
            fit,
        }
    }
}

impl Fit {
    fn worse(self, other: Option<Self>) -> Self {
        other.map_or(self, |other| Self {
            sweeps: self.sweeps.max(other.sweeps),
            deviation: self.deviation.max(other.deviation),
        })
    }
}
