//! The figures: each is a measure over a sweep, as a text table, a CSV file and an SVG file.

use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets};

use super::baseline::Baseline;
use super::grid::Grid;
use super::measure::{Measure, short};
use super::method::Method;
use palmtop_release::chart::{Bound, Drawn, Numbers, label, title};

/// A measure over one of the two sweeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Figure {
    pub(super) measure: Measure,
    pub(super) bound: Bound,
    /// The number of the corresponding figure in the paper, as far as its text shows it.
    number: u8,
}

impl Figure {
    /// Every figure, in the paper's order.
    pub(super) const ALL: [Self; 7] = [
        Self { measure: Measure::K, bound: Bound::Max, number: 3 },
        Self { measure: Measure::Loss, bound: Bound::Max, number: 4 },
        Self { measure: Measure::Discernibility, bound: Bound::Max, number: 5 },
        Self { measure: Measure::Seconds, bound: Bound::Max, number: 6 },
        Self { measure: Measure::Loss, bound: Bound::Min, number: 7 },
        Self { measure: Measure::Discernibility, bound: Bound::Min, number: 8 },
        Self { measure: Measure::Seconds, bound: Bound::Min, number: 9 },
    ];

    /// The stem of its file names.
    pub(super) fn file_stem(self) -> &'static str {
        match (self.measure, self.bound) {
            (Measure::K, Bound::Max) => "k-by-delta-max",
            (Measure::Loss, Bound::Max) => "loss-by-delta-max",
            (Measure::Discernibility, Bound::Max) => "discernibility-by-delta-max",
            (Measure::Seconds, Bound::Max) => "seconds-by-delta-max",
            (Measure::K, Bound::Min) => "k-by-delta-min",
            (Measure::Loss, Bound::Min) => "loss-by-delta-min",
            (Measure::Discernibility, Bound::Min) => "discernibility-by-delta-min",
            (Measure::Seconds, Bound::Min) => "seconds-by-delta-min",
        }
    }

    pub(super) fn title(self, grid: &Grid) -> String {
        title(self.measure.title(), self.bound, grid.held)
    }

    /// The reference to the paper's figure.
    pub(super) fn origin(self) -> String {
        format!("after the paper's figure {}", self.number)
    }

    pub(super) fn svg(self, grid: &Grid, project: &str) -> String {
        let methods = grid.columns.iter().map(|(method, _)| *method);
        let lines: Vec<Numbers<Method>> =
            methods.map(|method| (method, grid.line(method, self.measure))).collect();
        let numbers = lines.iter().flat_map(|(_, numbers)| numbers).flatten().copied();
        let chart = Drawn {
            measure: self.measure.title(),
            upright: self.measure.axis(numbers).map(|axis| (axis, self.measure.axis_title())),
            bound: self.bound,
            held: grid.held,
            values: &grid.values,
            lines,
            subtitle: format!("{project} · {}", self.origin()),
        };
        chart.svg()
    }

    /// The numbers as a table, with a row for each δ and a column for each method; `None` without
    /// numbers. A table wider than 80 columns is split into parts, one below the other.
    pub(super) fn table(self, grid: &Grid) -> Option<String> {
        let methods = grid.measured(self.measure);
        let in_parts = |parts: usize| -> Vec<String> {
            methods.chunks(methods.len().div_ceil(parts)).map(|part| self.part(grid, part)).collect()
        };
        let fits = |part: &String| part.lines().all(|line| line.chars().count() <= 80);
        let narrow = (1..=methods.len()).map(in_parts).find(|parts| parts.iter().all(fits));
        let parts = narrow.or_else(|| (!methods.is_empty()).then(|| in_parts(methods.len())))?;
        let unit =
            if self.measure == Measure::Seconds { "in ms, short ones the median of three\n" } else { "" };
        Some(format!("{unit}{}", parts.join("\n")))
    }

    /// The part of the table with some of the methods.
    fn part(self, grid: &Grid, methods: &[Method]) -> String {
        let mut table = Table::new();
        table.load_preset(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
        let right = |text: String| Cell::new(text).set_alignment(CellAlignment::Right);
        let heads = methods.iter().map(|method| right(broken(*method)));
        table.set_header(std::iter::once(right(grid.bound.as_str().to_owned())).chain(heads));
        for (index, &value) in grid.values.iter().enumerate() {
            let number = |&method: &Method| {
                let number = grid.line(method, self.measure)[index];
                right(number.map_or_else(|| "–".to_owned(), |number| short(self.measure, number)))
            };
            table.add_row(std::iter::once(right(label(value))).chain(methods.iter().map(number)));
        }
        for column in table.column_iter_mut() {
            column.set_padding((0, 1));
        }
        let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
        lines.join("\n") + "\n"
    }

    /// The columns of its CSV file: δ as a fraction and as a decimal, then every method of the
    /// experiment. The figures of k have only the baselines.
    pub(super) fn columns(self, grid: &Grid) -> Vec<String> {
        let bound = self.bound.column();
        let methods = self.methods(grid).map(|method| method.to_string());
        [bound.to_owned(), format!("{bound}_decimal")].into_iter().chain(methods).collect()
    }

    /// The methods that can have this measure, even if they found no release.
    fn methods(self, grid: &Grid) -> impl Iterator<Item = Method> {
        let can = move |method: &Method| self.measure != Measure::K || matches!(method, Method::Baseline(_));
        grid.columns.iter().map(|(method, _)| *method).filter(can)
    }

    /// The lines of its CSV file, in the order of `columns`.
    pub(super) fn lines(self, grid: &Grid) -> Vec<Vec<String>> {
        let line = |(index, value): (usize, &palmtop_core::model::Presence)| {
            let number = |method: Method| {
                grid.line(method, self.measure)[index].map(|number| number.to_string()).unwrap_or_default()
            };
            let numbers = self.methods(grid).map(number);
            [value.to_string(), value.to_f64().to_string()].into_iter().chain(numbers).collect()
        };
        grid.values.iter().enumerate().map(line).collect()
    }
}

/// A method's name, broken into lines so that fourteen fit side by side in 80 columns.
fn broken(method: Method) -> String {
    match method {
        Method::Baseline(Baseline::KOptimal) => "k-op-\ntimal".to_owned(),
        Method::Baseline(Baseline::Mondrian) => "mon-\ndrian".to_owned(),
        Method::Baseline(Baseline::MondrianOfP) => "mon-\ndrian\n-p".to_owned(),
        Method::Strategy(strategy) => strategy.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::grid::tests::grid;
    use super::*;

    fn everything() -> Grid {
        let lines: Vec<(String, &str)> =
            Method::all().map(|method| (method.to_string(), ".722 .5 ·")).collect();
        let lines: Vec<(&str, &str)> = lines.iter().map(|(name, losses)| (name.as_str(), *losses)).collect();
        grid("0.05 2/3 1", &lines)
    }

    #[test]
    fn table_of_all_strategies_fits_eighty_columns() {
        let grid = everything();
        for figure in Figure::ALL {
            let Some(table) = figure.table(&grid) else { continue };
            assert!(table.lines().filter(|line| line.starts_with("δmax")).count() <= 2, "{table}");
            assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
        }
        let table = Figure::ALL[1].table(&grid).unwrap();
        assert!(
            table.contains("δmax") && table.contains("2/3") && table.contains(".722") && table.contains('–')
        );
        assert_eq!(Figure::ALL[0].table(&grid), None, "nobody has a k");
    }

    #[test]
    fn a_table_too_wide_is_told_in_parts() {
        let lines: Vec<(String, &str)> =
            Method::all().map(|method| (method.to_string(), "1234567 2 ·")).collect();
        let lines: Vec<(&str, &str)> = lines.iter().map(|(name, losses)| (name.as_str(), *losses)).collect();
        let table = Figure::ALL[1].table(&grid("0.05 2/3 1", &lines)).unwrap();
        assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
        assert_eq!(table.lines().filter(|line| line.starts_with("δmax")).count(), 3, "{table}");
        assert_eq!(table.matches("1234567").count(), Method::all().count(), "{table}");
    }

    #[test]
    fn csv_leaves_cells_of_missing_releases_empty() {
        let figure = Figure::ALL[1];
        let grid = everything();
        let k = Figure::ALL[0].columns(&grid).join(",");
        assert_eq!(k, "delta_max,delta_max_decimal,k-optimal,mondrian,mondrian-p");
        assert!(
            figure.columns(&grid).join(",").starts_with("delta_max,delta_max_decimal,simulatable,spalm,n1")
        );
        let lines = figure.lines(&grid);
        assert_eq!((lines[0][0].as_str(), lines[0][2].as_str(), lines[2][2].as_str()), ("1/20", "0.722", ""));
        assert_eq!(figure.title(&grid), "Loss over δmax (δmin = 0)");
    }
}
