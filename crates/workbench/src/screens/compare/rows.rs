//! The columns of the comparison, one per figure. The most important come first, because the last
//! are left out if room is short.

use std::sync::LazyLock;

use palmtop_release::columns::Value;
use palmtop_release::figures::{Better, FIGURES, Facts, Figure};
use palmtop_release::history::RecodingRecipe;
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
    match &candidate.recipe {
        RecodingRecipe::Node(_) => KnowsAlgorithm::NotAudited,
        RecodingRecipe::Search(_) if release.delta() == shared.delta() => {
            shared.knows_algorithm(&candidate.recipe, release)
        }
        // An audit under another δ is no evidence for this one.
        RecodingRecipe::Search(search) => match search.strategy.known() {
            Some(strategy) if strategy.family().is_simulatable() => shared.judged(release).knows_algorithm(),
            _ => KnowsAlgorithm::NotAudited,
        },
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
        self.cells.iter().chain([&self.head]).map(|cell| text::width(cell)).max().unwrap_or(0)
    }
}

/// The seconds of the search. They describe the search, not its release.
const SECONDS: Figure = Figure::new("seconds", "the seconds of the search", Better::Neither, |facts| {
    facts.seconds.map_or_else(|| Value::Worded("by hand".to_owned(), Box::new(Value::None)), Value::Seconds)
})
.screen("seconds", 60);

/// The figures in the order of the columns; rows can be sorted by each.
pub(crate) static MEASURES: LazyLock<Vec<Figure>> = LazyLock::new(|| {
    let mut measures: Vec<Figure> =
        FIGURES.into_iter().chain([SECONDS]).filter(|figure| !figure.screen.is_empty()).collect();
    measures.sort_by_key(|figure| figure.screen_rank);
    measures
});

/// The facts about a candidate that figures need.
pub(crate) fn facts(candidate: &Candidate, utility: Option<(f64, f64)>) -> Facts<'_> {
    Facts { release: &candidate.measured.release, utility, seconds: candidate.seconds }
}

fn release(candidate: &Candidate) -> &Release {
    &candidate.measured.release
}

/// The sort key: the best figures come first, and missing ones last.
pub(crate) fn key(figure: &Figure, facts: &Facts) -> f64 {
    let value = (figure.value)(facts).order().unwrap_or(f64::INFINITY);
    if figure.better == Better::More && value.is_finite() { -value } else { value }
}

/// A value in a narrow cell.
fn cell(value: &Value) -> String {
    match value {
        Value::None => "—".to_owned(),
        Value::Number(number) => text::loss(*number),
        Value::Mean(number) => format!("{number:.1}"),
        Value::Count(count) => text::count(*count),
        Value::Presence(presence) => format!("{:.4}", presence.to_f64()),
        Value::Seconds(seconds) => format!("{seconds:.2}"),
        Value::Worded(words, _) => words.clone(),
        Value::Text(_) | Value::Flag(_) => value.to_cell(),
    }
}

/// The column of a figure: ★ marks the best among the candidates that keep δ.
fn column(figure: &Figure, rows: &[Row], is_sorted: bool) -> Column {
    let value = |row: &Row| (figure.value)(&facts(&row.candidate, row.utility));
    let present = || rows.iter().filter(|row| row.broken == 0).filter_map(|row| value(row).order());
    let best = match figure.better {
        // A single figure gets no star.
        _ if present().count() < 2 => None,
        Better::Less => present().reduce(f64::min),
        Better::More => present().reduce(f64::max),
        Better::Neither => None,
    };
    let marked = |row: &Row| {
        let value = value(row);
        let is_best = row.broken == 0 && best.is_some() && best == value.order();
        let mark = match (is_best, figure.better) {
            (true, _) => "★",
            (false, Better::Neither) => "",
            (false, _) => " ",
        };
        format!("{}{mark}", cell(&value))
    };
    let room_for_mark = if figure.better == Better::Neither { "" } else { " " };
    let head = format!("{}{}{room_for_mark}", if is_sorted { "↓" } else { "" }, figure.screen);
    Column::of(&head, true, rows.iter().map(marked))
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
        .map(|(index, row)| if index == base { "base".to_owned() } else { text::change(loss(row) - from) });
    let mut columns: Vec<Column> = vec![Column::of("δ", false, verdict)];
    columns.extend(MEASURES.iter().enumerate().map(|(index, measure)| column(measure, rows, index == sort)));
    columns.insert(2, Column::of("Δloss", true, change));
    columns.insert(1, Column::of("knows", true, rows.iter().map(Row::knows_cell)));
    let bars = rows.iter().map(|row| bar::share(loss(row), 12));
    columns.push(Column::of("0   loss   1", false, bars));
    let sparks =
        rows.iter().map(|row| histogram::spark(row.candidate.measured.people(), shared.problem.delta(), 20));
    columns.push(Column::of("spread of presence", false, sparks));
    if !shared.problem.policy().suppression().is_none() {
        let withdrawn = rows.iter().map(|row| text::count(release(&row.candidate).withdrawn()));
        columns.push(Column::of("withdrawn", true, withdrawn));
    }
    for (index, quasi) in shared.problem.quasi().iter().enumerate() {
        let cells = rows.iter().map(|row| {
            let release = release(&row.candidate);
            let loss = text::loss(release.metrics.loss.by_attribute()[index]);
            match release.recoding.node() {
                Some(node) => format!("{}/{} {loss}", node.levels()[index], quasi.hierarchy.top()),
                None => loss,
            }
        });
        columns.push(Column::of(&text::fit(&quasi.name, text::width(&quasi.name).min(12)), true, cells));
    }
    columns
}

/// The columns that fit, in their order, and the room that is left. A figure that is too wide
/// leaves its room to the next ones. The highest presence comes first, because δ bounds it. The
/// columns after the figures are left out from the first that does not fit.
pub(crate) fn fitting(columns: &[Column], mut room: usize) -> (Vec<&Column>, usize) {
    // The columns among the figures: the verdict, the verdict for an attacker who knows the
    // algorithm, and the change of loss.
    const OTHER_FIGURES: usize = 3;
    let figures = (MEASURES.len() + OTHER_FIGURES).min(columns.len());
    let highest = MEASURES
        .iter()
        .position(|measure| measure.head.name == "achieved_max")
        .map_or(0, |index| index + OTHER_FIGURES);
    let mut order: Vec<usize> = (0..columns.len()).filter(|index| *index != highest).collect();
    order.insert(order.len().min(OTHER_FIGURES + 1), highest.min(columns.len() - 1));
    let mut shown = Vec::new();
    for index in order {
        let needed = 2 + columns[index].width();
        if needed <= room {
            room -= needed;
            shown.push(index);
        } else if index >= figures {
            break;
        }
    }
    shown.sort_unstable();
    (shown.into_iter().map(|index| &columns[index]).collect(), room)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(head: &str, width: usize) -> Column {
        Column::of(head, true, std::iter::once("x".repeat(width)))
    }

    #[test]
    fn highest_presence_is_shown_before_wider_figures() {
        let heads = ["δ", "knows", "loss", "Δloss"]
            .into_iter()
            .chain(MEASURES[1..].iter().map(|measure| measure.screen));
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
