//! The numbers of one sweep: a column for each strategy and each baseline, a row for each δ.

use palmtop_core::model::Presence;
use palmtop_search::{ColumnRule, Strategy};

use super::measure::Measure;
use super::method::Method;
use palmtop_release::chart::{self, Bound};

/// The numbers of a run that found a release; `seconds` is the duration of its search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cell {
    pub(super) k: Option<u64>,
    pub(super) loss: f64,
    pub(super) discernibility: u64,
    pub(super) seconds: f64,
}

impl Cell {
    /// The number of a measure; `None` if the run has no k.
    #[expect(clippy::cast_precision_loss, reason = "a number to draw")]
    fn value(&self, measure: Measure) -> Option<f64> {
        match measure {
            Measure::K => self.k.map(|k| k as f64),
            Measure::Loss => Some(self.loss),
            Measure::Discernibility => Some(self.discernibility as f64),
            Measure::Seconds => Some(self.seconds),
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Grid {
    pub(super) bound: Bound,
    pub(super) held: Presence,
    /// The values of the varying bound, ascending.
    pub(super) values: Vec<Presence>,
    /// The methods in the given order, each with a cell for each value; `None` if it found no
    /// release.
    pub(super) columns: Vec<(Method, Vec<Option<Cell>>)>,
}

impl Grid {
    /// The numbers of one method, one for each value; empty if it was not run.
    pub(super) fn line(&self, method: impl Into<Method>, measure: Measure) -> Vec<Option<f64>> {
        let method = method.into();
        let column = self.columns.iter().find(|(known, _)| *known == method);
        let number = |cell: &Option<Cell>| cell.as_ref().and_then(|cell| cell.value(measure));
        column.map(|(_, cells)| cells.iter().map(number).collect()).unwrap_or_default()
    }

    /// The methods that have this number for at least one value.
    pub(super) fn measured(&self, measure: Measure) -> Vec<Method> {
        let methods = self.columns.iter().map(|(method, _)| *method);
        methods.filter(|&method| self.line(method, measure).iter().any(Option::is_some)).collect()
    }

    /// The strategies of MPALM's nine that have this number for at least one value.
    pub(super) fn measured_nine(&self, measure: Measure) -> Vec<Strategy> {
        let strategies = self.measured(measure).into_iter().filter_map(Method::strategy);
        strategies.filter(|strategy| strategy.rules().is_some()).collect()
    }

    /// The least and greatest number of some strategies, for each value.
    pub(super) fn span(&self, strategies: &[Strategy], measure: Measure) -> Vec<Option<(f64, f64)>> {
        let lines: Vec<_> =
            strategies.iter().map(|&strategy| (strategy, self.line(strategy, measure))).collect();
        chart::spans(&lines, self.values.len())
    }
}

/// The column rule of a strategy; `None` if it is not one of MPALM's nine.
pub(super) fn column_rule(strategy: Strategy) -> Option<ColumnRule> {
    strategy.rules().map(|(column, _)| column)
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::baseline::Baseline;
    use super::*;

    /// A sweep over δmax with these losses, a line for each strategy; `·` means no release. The
    /// discernibility is 1000 × loss, and every run takes 10 ms.
    pub(crate) fn grid(values: &str, lines: &[(&str, &str)]) -> Grid {
        let cell = |text: &str| {
            let loss: f64 = text.parse().ok()?;
            Some(Cell {
                k: None,
                loss,
                discernibility: format!("{:.0}", loss * 1000.0).parse().ok()?,
                seconds: 0.01,
            })
        };
        let values: Vec<Presence> = values.split(' ').map(|value| value.parse().unwrap()).collect();
        let column = |(name, losses): &(&str, &str)| {
            let cells: Vec<_> = losses.split(' ').map(cell).collect();
            assert_eq!(cells.len(), values.len(), "{name}");
            (name.parse().unwrap(), cells)
        };
        let columns = lines.iter().map(column).collect();
        Grid { bound: Bound::Max, held: Presence::ZERO, values, columns }
    }

    #[test]
    fn strategy_without_a_release_has_no_numbers() {
        let grid = grid(
            "0.1 0.2 0.3",
            &[("spalm", ".5 .4 ·"), ("n1", ".3 · ·"), ("n2", ".2 .1 ·"), ("best", "· · ·")],
        );
        assert_eq!(grid.line(Strategy::Spalm, Measure::Loss), [Some(0.5), Some(0.4), None]);
        assert_eq!(grid.line(Baseline::KOptimal, Measure::Loss), []);
        assert_eq!(grid.measured(Measure::Loss).len(), 3);
        let nine = grid.measured_nine(Measure::Loss);
        assert_eq!(grid.span(&nine, Measure::Loss), [Some((0.2, 0.3)), Some((0.1, 0.1)), None]);
        assert!(grid.measured(Measure::K).is_empty());
    }
}
