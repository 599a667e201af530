//! The columns of the comparison, one per figure. The most important come first, because the last
//! are left out if room is short.

use palmtop_core::metrics::Metric;
use palmtop_flow::session::RecodingRecipe;
use palmtop_search::Strategy;
use palmtop_search::release::{KnowsAlgorithm, Release};

use crate::kit::{bar, histogram, text};
use crate::shared::state::Shared;
use crate::shared::view::Candidate;

/// A candidate with its figures.
pub(crate) struct Row {
    pub(crate) name: String,
    /// The number of classes that break δ.
    pub(crate) broken: u64,
    /// The median of the relative errors of its queries, and the mean distance of its
    /// quasi-identifiers; none before they are measured.
    pub(crate) utility: Option<(f64, f64)>,
    /// The verdict if the attacker knows the algorithm.
    pub(crate) knows: KnowsAlgorithm,
    pub(crate) candidate: Candidate,
}

impl Row {
    /// Whether it is recommended: it keeps δ even if the attacker knows the algorithm.
    pub(crate) fn is_recommended(&self) -> bool {
        self.knows == KnowsAlgorithm::Exact
    }

    /// The verdict if the attacker knows the algorithm, in a narrow cell.
    fn knows_cell(&self) -> String {
        match (self.knows, self.knows.people_beyond()) {
            (KnowsAlgorithm::Exact, _) => "✓".to_owned(),
            (_, None) => "?".to_owned(),
            // An audit that finds nobody proves nothing.
            (_, Some(0)) => "0?".to_owned(),
            (_, Some(people)) => text::count(people),
        }
    }
}

/// The verdict on a candidate if the attacker knows the algorithm.
pub(crate) fn knows_algorithm(shared: &Shared, candidate: &Candidate) -> KnowsAlgorithm {
    let release = &candidate.measured.release;
    match &candidate.place {
        RecodingRecipe::Node(_) => KnowsAlgorithm::NotAudited,
        RecodingRecipe::Search(_) if release.delta() == shared.delta() => {
            shared.knows_algorithm(&candidate.place, release)
        }
        // An audit under another δ is no evidence for this one.
        RecodingRecipe::Search(search) if search.strategy != Strategy::Simulatable => {
            KnowsAlgorithm::NotAudited
        }
        RecodingRecipe::Search(_) => shared.judged(release).knows_algorithm(),
    }
}

/// A column: its heading, and a cell per candidate.
pub(crate) struct Column {
    pub(crate) head: String,
    pub(crate) cells: Vec<String>,
    /// Whether its cells are aligned to the right, as numbers are.
    pub(crate) is_number: bool,
}

impl Column {
    fn of(head: &str, is_number: bool, cells: impl Iterator<Item = String>) -> Self {
        Self { head: head.to_owned(), cells: cells.collect(), is_number }
    }

    /// The columns on the screen that it needs.
    pub(crate) fn width(&self) -> usize {
        self.cells.iter().chain([&self.head]).map(|said| text::width(said)).max().unwrap_or(0)
    }
}

/// The better direction of a figure.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Best {
    Least,
    Most,
    /// No direction is better.
    Neither,
}

/// A figure of a release: its heading, its value, and its format.
pub(crate) struct Measure {
    /// The heading.
    pub(crate) head: &'static str,
    value: fn(&Candidate) -> Option<f64>,
    write: fn(&Candidate) -> String,
    best: Best,
}

fn release(candidate: &Candidate) -> &Release {
    &candidate.measured.release
}

/// The figures in the order of the columns; rows can be sorted by each.
pub(crate) const MEASURES: [Measure; 8] = [
    Measure {
        head: "loss",
        value: |candidate| Some(release(candidate).metrics.loss.mean()),
        write: |candidate| text::loss(release(candidate).metrics.loss.mean()),
        best: Best::Least,
    },
    Measure {
        head: "released",
        value: |candidate| Some(number(release(candidate).released_classes())),
        write: |candidate| text::count(release(candidate).released_classes()),
        best: Best::Neither,
    },
    Measure {
        head: "size",
        value: |candidate| Some(release(candidate).metrics.average_class_size),
        write: |candidate| format!("{:.1}", release(candidate).metrics.average_class_size),
        best: Best::Least,
    },
    Measure {
        head: "discern.",
        value: |candidate| Some(release(candidate).metrics.value(Metric::Discernibility)),
        write: |candidate| text::count(release(candidate).metrics.discernibility),
        best: Best::Least,
    },
    Measure {
        head: "highest",
        value: |candidate| Some(release(candidate).achieved.max.to_f64()),
        write: |candidate| format!("{:.4}", release(candidate).achieved.max.to_f64()),
        best: Best::Neither,
    },
    Measure {
        head: "seconds",
        value: |candidate| candidate.seconds,
        write: |candidate| {
            candidate.seconds.map_or_else(|| "by hand".to_owned(), |seconds| format!("{seconds:.2}"))
        },
        best: Best::Neither,
    },
    Measure {
        head: "geometric",
        value: |candidate| Some(release(candidate).metrics.loss.geometric()),
        write: |candidate| text::loss(release(candidate).metrics.loss.geometric()),
        best: Best::Least,
    },
    Measure {
        head: "precision",
        value: |candidate| release(candidate).metrics.precision,
        write: |candidate| release(candidate).metrics.precision.map_or_else(|| "—".to_owned(), text::loss),
        best: Best::Most,
    },
];

/// A count, for sorting.
fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

impl Measure {
    /// The sort key: the best figures come first, and missing ones last.
    pub(crate) fn key(&self, candidate: &Candidate) -> f64 {
        let value = (self.value)(candidate).unwrap_or(f64::INFINITY);
        if self.best == Best::Most && value.is_finite() { -value } else { value }
    }

    /// The column of the figure: ★ marks the best among the candidates that keep δ.
    fn column(&self, rows: &[Row], is_sorted: bool) -> Column {
        let present =
            || rows.iter().filter(|row| row.broken == 0).filter_map(|row| (self.value)(&row.candidate));
        let best = match self.best {
            // A single figure gets no star.
            _ if present().count() < 2 => None,
            Best::Least => present().reduce(f64::min),
            Best::Most => present().reduce(f64::max),
            Best::Neither => None,
        };
        let cell = |row: &Row| {
            let is_best = row.broken == 0 && best.is_some() && best == (self.value)(&row.candidate);
            let mark = match (is_best, self.best) {
                (true, _) => "★",
                (false, Best::Neither) => "",
                (false, _) => " ",
            };
            format!("{}{mark}", (self.write)(&row.candidate))
        };
        let room_for_mark = if self.best == Best::Neither { "" } else { " " };
        let head = format!("{}{}{room_for_mark}", if is_sorted { "↓" } else { "" }, self.head);
        Column::of(&head, true, rows.iter().map(cell))
    }
}

/// All columns. The rows are sorted by the measure `sort` and compared with the row `base`.
pub(crate) fn columns(shared: &Shared, rows: &[Row], sort: usize, base: usize) -> Vec<Column> {
    let verdict = rows.iter().map(|row| match row.broken {
        0 => "✓".to_owned(),
        broken => format!("✗ {}", text::count(broken)),
    });
    let loss = |row: &Row| release(&row.candidate).metrics.loss.mean();
    let from = loss(&rows[base]);
    let change = rows
        .iter()
        .enumerate()
        .map(|(place, row)| if place == base { "base".to_owned() } else { text::change(loss(row) - from) });
    let mut columns: Vec<Column> = vec![Column::of("δ", false, verdict)];
    columns.extend(MEASURES.iter().enumerate().map(|(place, measure)| measure.column(rows, place == sort)));
    columns.insert(2, Column::of("Δloss", true, change));
    columns.insert(1, Column::of("knows", true, rows.iter().map(Row::knows_cell)));
    let figure = |of: fn((f64, f64)) -> f64| {
        let cell = move |row: &Row| row.utility.map_or_else(|| "…".to_owned(), |own| utility_figure(of(own)));
        rows.iter().map(cell)
    };
    columns.push(Column::of("query", true, figure(|own| own.0)));
    columns.push(Column::of("distance", true, figure(|own| own.1)));
    let bars = rows.iter().map(|row| bar::share(loss(row), 12));
    columns.push(Column::of("0   loss   1", false, bars));
    let sparks =
        rows.iter().map(|row| histogram::spark(row.candidate.measured.people(), shared.problem.delta(), 20));
    columns.push(Column::of("spread of presence", false, sparks));
    if !shared.problem.policy().suppression().is_none() {
        let withdrawn = rows.iter().map(|row| text::count(release(&row.candidate).withdrawn()));
        columns.push(Column::of("withdrawn", true, withdrawn));
    }
    for (place, quasi) in shared.problem.quasi().iter().enumerate() {
        let cells = rows.iter().map(|row| {
            let release = release(&row.candidate);
            let loss = text::loss(release.metrics.loss.by_attribute()[place]);
            match release.recoding.node() {
                Some(node) => format!("{}/{} {loss}", node.levels()[place], quasi.hierarchy.top()),
                None => loss,
            }
        });
        columns.push(Column::of(&text::fit(&quasi.name, text::width(&quasi.name).min(12)), true, cells));
    }
    columns
}

/// An error or a distance: `.502`, `5.293`.
fn utility_figure(value: f64) -> String {
    let said = format!("{value:.3}");
    said.strip_prefix('0').map_or(said.clone(), ToOwned::to_owned)
}

/// The columns that fit, in their order, and the room that is left. A figure that is too wide
/// leaves its room to the next ones. The highest presence comes first, because δ bounds it. The
/// columns after the figures are left out from the first that does not fit.
pub(crate) fn fitting(columns: &[Column], mut room: usize) -> (Vec<&Column>, usize) {
    // The columns among the figures: the verdict, the verdict for an attacker who knows the
    // algorithm, and the change of loss.
    const BESIDE: usize = 3;
    let figures = (MEASURES.len() + BESIDE).min(columns.len());
    let highest =
        MEASURES.iter().position(|measure| measure.head == "highest").map_or(0, |place| place + BESIDE);
    let mut order: Vec<usize> = (0..columns.len()).filter(|place| *place != highest).collect();
    order.insert(order.len().min(BESIDE + 1), highest.min(columns.len() - 1));
    let mut shown = Vec::new();
    for place in order {
        let needed = 2 + columns[place].width();
        if needed <= room {
            room -= needed;
            shown.push(place);
        } else if place >= figures {
            break;
        }
    }
    shown.sort_unstable();
    (shown.into_iter().map(|place| &columns[place]).collect(), room)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(head: &str, width: usize) -> Column {
        Column::of(head, true, std::iter::once("x".repeat(width)))
    }

    #[test]
    fn the_highest_presence_is_shown_where_a_wide_figure_is_not() {
        let heads = ["δ", "knows", "loss", "Δloss"]
            .into_iter()
            .chain(MEASURES[1..].iter().map(|measure| measure.head));
        let mut columns: Vec<Column> =
            heads.map(|head| column(head, if head == "discern." { 30 } else { 9 })).collect();
        columns.extend([column("bar", 20), column("a", 1)]);
        let shown = |room| {
            let (shown, left) = fitting(&columns, room);
            (shown.iter().map(|column| column.head.as_str()).collect::<Vec<_>>().join(" "), left)
        };
        assert_eq!(shown(77), ("δ knows loss Δloss released size highest".to_owned(), 0));
        assert_eq!(shown(55), ("δ knows loss Δloss highest".to_owned(), 0));
        assert_eq!(shown(20), ("δ".to_owned(), 9));
        assert_eq!(shown(1000).0.split(' ').count(), columns.len());
    }
}
