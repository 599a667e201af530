//! The rows of the comparison: what is said of each candidate, and who is best.

use palmtop::metrics::Metric;
use palmtop::release::Release;
use ratatui::style::Style;

use crate::tui::kit::theme::Theme;
use crate::tui::kit::{bar, histogram, text};
use crate::tui::shared::bound::Known;
use crate::tui::shared::state::{Candidate, Shared};

/// A candidate, with what is said of it in every row.
pub(crate) struct Column {
    pub(crate) name: String,
    /// How many of its classes break δ.
    pub(crate) broken: u64,
    pub(crate) candidate: Candidate,
}

impl Column {
    fn release(&self) -> &Release {
        &self.candidate.measured.release
    }
}

/// What a row says of a candidate, and how it looks.
type Cell<'a> = Box<dyn Fn(&Column) -> (String, Style) + 'a>;

/// A row: its name, and a candidate's cell.
pub(crate) struct Row<'a> {
    pub(crate) name: String,
    pub(crate) cell: Cell<'a>,
}

/// Which way a metric is better.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Best {
    Least,
    Most,
}

/// A metric: its name, its value, how that is written, and what a full bar stands for.
struct Measure {
    name: &'static str,
    value: fn(&Column) -> Option<f64>,
    write: fn(&Column) -> String,
    best: Best,
    /// Whether it lies between 0 and 1; the bar of one that does not is full for the greatest of all candidates.
    is_share: bool,
}

const MEASURES: [Measure; 5] = [
    Measure {
        name: "loss",
        value: |candidate| Some(candidate.release().metrics.loss.mean()),
        write: |candidate| text::loss(candidate.release().metrics.loss.mean()),
        best: Best::Least,
        is_share: true,
    },
    Measure {
        name: "loss geometric",
        value: |candidate| Some(candidate.release().metrics.loss.geometric()),
        write: |candidate| text::loss(candidate.release().metrics.loss.geometric()),
        best: Best::Least,
        is_share: true,
    },
    Measure {
        name: "discernibility",
        value: |candidate| Some(candidate.release().metrics.value(Metric::Discernibility)),
        write: |candidate| text::count(candidate.release().metrics.discernibility),
        best: Best::Least,
        is_share: false,
    },
    Measure {
        name: "average class size",
        value: |candidate| Some(candidate.release().metrics.average_class_size),
        write: |candidate| format!("{:.1}", candidate.release().metrics.average_class_size),
        best: Best::Least,
        is_share: false,
    },
    Measure {
        name: "precision",
        value: |candidate| candidate.release().metrics.precision,
        write: |candidate| candidate.release().metrics.precision.map_or_else(|| "—".to_owned(), text::loss),
        best: Best::Most,
        is_share: true,
    },
];

/// Every row, for cells of this width. The best is looked for among all candidates that keep δ, shown or not.
pub(crate) fn rows<'a>(theme: Theme, shared: &'a Shared, all: &'a [Column], width: usize) -> Vec<Row<'a>> {
    let problem = &shared.problem;
    let mut rows = vec![Row {
        name: "verdict".to_owned(),
        cell: Box::new(move |candidate| match candidate.broken {
            0 => ("✓ δ-present".to_owned(), theme.good()),
            broken => (format!("✗ {}", text::counted(broken, "class", "classes")), theme.bad()),
        }),
    }];
    rows.extend(MEASURES.iter().map(|measure| measured(measure, all, width)));
    let plain = |name: &str, cell: Box<dyn Fn(&Column) -> String + 'a>| Row {
        name: name.to_owned(),
        cell: Box::new(move |candidate| (cell(candidate), Style::new())),
    };
    let least = match shared.bound.known() {
        Known::Unasked | Known::Counted(None) => "—".to_owned(),
        Known::Counting => "…".to_owned(),
        Known::Broken => "not counted".to_owned(),
        Known::Counted(Some(bound)) => text::loss(bound),
    };
    // It binds what keeps δ, and nothing else.
    let least =
        move |candidate: &Column| if candidate.broken == 0 { least.clone() } else { "—".to_owned() };
    rows.insert(2, plain("least possible", Box::new(least)));
    rows.push(plain(
        "released classes",
        Box::new(|candidate| {
            let released = text::count(candidate.release().released_classes());
            format!("{released} of {}", text::count(candidate.release().classes.classes.len()))
        }),
    ));
    rows.push(plain(
        "achieved δ",
        Box::new(|candidate| {
            let achieved = candidate.release().achieved;
            format!("{:.4} to {:.4}", achieved.min.to_f64(), achieved.max.to_f64())
        }),
    ));
    rows.push(plain(
        "spread of presence",
        Box::new(move |candidate| {
            histogram::spark(candidate.candidate.measured.people(), problem.delta(), width.saturating_sub(2))
        }),
    ));
    for (place, quasi) in problem.quasi().iter().enumerate() {
        rows.push(plain(
            &quasi.name,
            Box::new(move |candidate| {
                let loss = text::loss(candidate.release().metrics.loss.by_attribute()[place]);
                let how = match candidate.release().recoding.node() {
                    Some(node) => format!("{}/{}", node.levels()[place], quasi.hierarchy.top()),
                    None => "by region".to_owned(),
                };
                format!("{how:<10}{loss}")
            }),
        ));
    }
    rows.push(plain(
        "seconds",
        Box::new(|candidate| {
            candidate
                .candidate
                .seconds
                .map_or_else(|| "by hand".to_owned(), |seconds| format!("{seconds:.2}"))
        }),
    ));
    rows
}

fn measured<'a>(measure: &'a Measure, all: &'a [Column], width: usize) -> Row<'a> {
    let values = || all.iter().filter_map(measure.value);
    let full = if measure.is_share { 1.0 } else { values().fold(0.0, f64::max) };
    let present = || all.iter().filter(|candidate| candidate.broken == 0).filter_map(measure.value);
    let best = match measure.best {
        // Nobody wins alone.
        _ if present().count() < 2 => None,
        Best::Least => present().reduce(f64::min),
        Best::Most => present().reduce(f64::max),
    };
    // Bars start where the longest number ends, so that they can be compared.
    let number = all.iter().map(|candidate| text::width(&(measure.write)(candidate))).max().unwrap_or(0);
    let bar_width = width.saturating_sub(1 + number + 1 + 2).min(16);
    let cell = move |candidate: &Column| {
        let written = (measure.write)(candidate);
        let Some(value) = (measure.value)(candidate) else {
            return (written, Style::new());
        };
        let star = if candidate.broken == 0 && best == Some(value) { " ★" } else { "" };
        let share = if full > 0.0 { value / full } else { 0.0 };
        let bar = if bar_width >= 4 { bar::share(share, bar_width) } else { String::new() };
        (format!("{written:<number$} {bar}{star}"), Style::new())
    };
    Row { name: measure.name.to_owned(), cell: Box::new(cell) }
}
