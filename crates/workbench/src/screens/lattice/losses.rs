//! The loss of each node of a lattice.

use palmtop_core::metrics::NodeLosses;
use palmtop_core::model::{Lattice, Level, NodeIndex, Problem};
use palmtop_search::LatticeSurvey;

/// The loss of each node by its number.
pub(super) struct Losses {
    by_level: Vec<Vec<f64>>,
    pub(super) index: NodeIndex,
}

impl Losses {
    pub(super) fn of(problem: &Problem, lattice: &Lattice) -> Self {
        let losses = NodeLosses::of(problem);
        let width = lattice.width();
        let levels =
            |attribute: usize| (problem.finest(attribute).0..=problem.coarsest(attribute).0).map(Level);
        let of_levels =
            |attribute: usize| levels(attribute).map(|level| losses.at(attribute, level)).collect();
        let index = LatticeSurvey::index(lattice).expect("only what was surveyed is laid out");
        Self { by_level: (0..width).map(of_levels).collect(), index }
    }

    /// The number of levels above the finest in one quasi-identifier.
    pub(super) fn digit(&self, number: u32, attribute: usize) -> usize {
        self.index.step(number as usize, attribute)
    }

    /// The sum of the levels above the finest.
    pub(super) fn height(&self, number: u32) -> u16 {
        u16::try_from(self.index.height(number as usize))
            .expect("a lattice so high has too many nodes to lay out")
    }

    pub(super) fn heights(&self) -> usize {
        self.index.spans().iter().map(|span| span - 1).sum::<usize>() + 1
    }

    #[expect(clippy::cast_precision_loss, reason = "a number of columns")]
    pub(super) fn mean(&self, number: u32) -> f64 {
        let levels = self.by_level.iter().enumerate();
        let sum: f64 = levels.map(|(a, losses)| losses[self.digit(number, a)]).sum();
        sum / self.by_level.len() as f64
    }

    /// The loss in whole units of 10⁻¹². The last digits of a sum depend on its order, so that
    /// equal losses would otherwise not tie.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 10¹²")]
    pub(super) fn key(&self, number: u32) -> u64 {
        (self.mean(number) * 1e12).round() as u64
    }
}
