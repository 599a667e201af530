//! The comparison: a column a candidate, the base at their left, the difference below in words.
//!
//! ```text
//!                    ▸node 3,2,2 base      spalm                n2
//!  verdict           ✗ 12 classes          ✓ δ-present          ✓ δ-present
//!  loss              .274 ████████░░░░     .340 ██████████░░    .241 ███████░░░░░ ★
//! ```

use std::sync::Arc;

use palmtop::model::Problem;
use palmtop::release::Release;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::difference;
use crate::tui::app::Session;
use crate::tui::theme::Theme;
use crate::tui::view::Position;
use crate::tui::widgets::rule::rule;
use crate::tui::widgets::{bar, histogram, text};

const NAMES: usize = 20;
const COLUMN: usize = 28;

/// One candidate.
pub(crate) struct Candidate {
    pub(crate) name: String,
    pub(crate) release: Arc<Release>,
    pub(crate) seconds: Option<f64>,
}

/// Draws the screen.
pub(crate) fn render(frame: &mut Frame, area: Rect, theme: Theme, session: &Session) {
    let candidates = candidates(session);
    let base = session.base.min(candidates.len() - 1);
    let [table, words] = Layout::vertical([Constraint::Fill(1), Constraint::Length(5)]).areas(area);
    render_table(frame, table, theme, session, &candidates, base);
    let width = usize::from(words.width);
    let (chosen, base) = (&candidates[session.candidate.min(candidates.len() - 1)], &candidates[base]);
    let heading = format!("{} against {}, the base", chosen.name, base.name);
    let mut lines = vec![rule(theme, &heading, "b change the base", width, false)];
    let said = difference::words(&session.problem, &base.release, &chosen.release);
    lines.extend(said.into_iter().map(|line| Line::raw(text::fit(&format!(" {line}"), width))));
    frame.render_widget(Paragraph::new(lines), words);
}

fn candidates(session: &Session) -> Vec<Candidate> {
    let candidate = |position: Position| {
        let (name, seconds) = match &position {
            Position::Node(node) => (format!("node {node}"), None),
            Position::Run(strategy) => {
                (strategy.to_string(), session.runs.outcome(*strategy).map(|outcome| outcome.seconds))
            }
        };
        Some(Candidate { name, release: session.release(&position)?, seconds })
    };
    session.candidates().into_iter().filter_map(candidate).collect()
}

fn render_table(
    frame: &mut Frame,
    area: Rect,
    theme: Theme,
    session: &Session,
    candidates: &[Candidate],
    base: usize,
) {
    let width = usize::from(area.width);
    let room = (width.saturating_sub(NAMES) / COLUMN).max(1);
    let first = super::classes::first_row(session.candidate, room, candidates.len());
    let shown = &candidates[first..(first + room).min(candidates.len())];
    let remark = match candidates.len() {
        1 => "only the node by hand yet; s runs searches".to_owned(),
        count => format!("{}–{} of {count}", first + 1, first + shown.len()),
    };
    let mut lines = vec![rule(theme, "compare", &remark, width, false)];
    lines.push(heading(theme, session.candidate, first, base, shown));
    lines.extend(rows(theme, &session.problem, candidates, shown));
    frame.render_widget(Paragraph::new(lines), area);
}

fn heading(theme: Theme, cursor: usize, first: usize, base: usize, shown: &[Candidate]) -> Line<'static> {
    let mut spans = vec![Span::raw(" ".repeat(NAMES))];
    for (place, candidate) in (first..).zip(shown) {
        let mark = if place == cursor { "▸" } else { " " };
        let is_base = if place == base { " (base)" } else { "" };
        let style = if place == cursor { theme.selected() } else { theme.strong() };
        spans.push(Span::styled(text::fit(&format!("{mark}{}{is_base}", candidate.name), COLUMN - 2), style));
        spans.push(Span::raw("  "));
    }
    Line::from(spans)
}

/// A row's name and how a candidate's cell is written and drawn.
type Row<'a> = (&'a str, Box<dyn Fn(&Candidate) -> (String, Style) + 'a>);

fn rows(theme: Theme, problem: &Problem, all: &[Candidate], shown: &[Candidate]) -> Vec<Line<'static>> {
    let plain = |text: String| (text, Style::new());
    let loss = |candidate: &Candidate| candidate.release.metrics.loss.mean();
    let best_by = |value: &dyn Fn(&Candidate) -> f64| {
        let present = all.iter().filter(|candidate| candidate.release.is_present());
        present.map(value).fold(f64::INFINITY, f64::min)
    };
    let star = move |candidate: &Candidate, value: f64, best: f64| {
        if candidate.release.is_present() && value <= best { " ★" } else { "" }
    };
    let best_loss = best_by(&loss);
    let geometric = |candidate: &Candidate| candidate.release.metrics.loss.geometric();
    let best_geometric = best_by(&geometric);
    let size = |candidate: &Candidate| candidate.release.metrics.average_class_size;
    let best_size = best_by(&size);
    let discernibility =
        |candidate: &Candidate| candidate.release.metrics.value(palmtop::metrics::Metric::Discernibility);
    let best_discernibility = best_by(&discernibility);
    let mut rows: Vec<Row> = vec![
        ("verdict", Box::new(move |candidate| verdict(theme, &candidate.release))),
        (
            "loss",
            Box::new(move |candidate| {
                let value = loss(candidate);
                plain(format!(
                    "{} {}{}",
                    text::loss(value),
                    bar::share(value, 12),
                    star(candidate, value, best_loss)
                ))
            }),
        ),
        (
            "loss geometric",
            Box::new(move |candidate| {
                let value = geometric(candidate);
                let drawn = bar::share(value, 12);
                plain(format!("{} {drawn}{}", text::loss(value), star(candidate, value, best_geometric)))
            }),
        ),
        (
            "discernibility",
            Box::new(move |candidate| {
                let value = text::count(candidate.release.metrics.discernibility);
                plain(format!("{value}{}", star(candidate, discernibility(candidate), best_discernibility)))
            }),
        ),
        (
            "average class size",
            Box::new(move |candidate| {
                plain(format!("{:.1}{}", size(candidate), star(candidate, size(candidate), best_size)))
            }),
        ),
        (
            "classes",
            Box::new(move |candidate| {
                let released = text::count(candidate.release.released_classes() as u64);
                let all = text::count(candidate.release.classes.classes.len() as u64);
                plain(format!("{all}, {released} released"))
            }),
        ),
        (
            "presence",
            Box::new(move |candidate| {
                let achieved = candidate.release.achieved;
                plain(format!("{:.4} to {:.4}", achieved.min.to_f64(), achieved.max.to_f64()))
            }),
        ),
        (
            "spread of presence",
            Box::new(move |candidate| {
                let counts = candidate.release.classes.classes.iter().map(|class| class.counts);
                let drawn = histogram::lines(counts, problem.delta(), COLUMN - 2, 1);
                plain(drawn.first().and_then(|line| line.strip_prefix("  ")).unwrap_or_default().to_owned())
            }),
        ),
    ];
    for (place, quasi) in problem.quasi().iter().enumerate() {
        rows.push((
            &quasi.name,
            Box::new(move |candidate| {
                let value = text::loss(candidate.release.metrics.loss.by_attribute()[place]);
                let how = match candidate.release.recoding.node() {
                    Some(node) => format!("level {}/{}", node.levels()[place], quasi.hierarchy.top()),
                    None => "by region".to_owned(),
                };
                plain(format!("{how:<11} loss {value}"))
            }),
        ));
    }
    rows.push((
        "seconds",
        Box::new(move |candidate| {
            plain(candidate.seconds.map_or_else(|| "by hand".to_owned(), |seconds| format!("{seconds:.3}")))
        }),
    ));
    rows.into_iter()
        .map(|(name, cell)| {
            let mut spans = vec![Span::styled(text::fit(&format!(" {name}"), NAMES), theme.faint())];
            for candidate in shown {
                let (said, style) = cell(candidate);
                spans.push(Span::styled(text::fit(&format!(" {said}"), COLUMN), style));
            }
            Line::from(spans)
        })
        .collect()
}

fn verdict(theme: Theme, release: &Release) -> (String, Style) {
    let broken = release.classes.classes.iter().filter(|class| !release.delta.allows(class.counts)).count();
    match broken {
        0 => ("✓ δ-present".to_owned(), theme.good()),
        1 => ("✗ 1 class".to_owned(), theme.bad()),
        broken => (format!("✗ {} classes", text::count(broken as u64)), theme.bad()),
    }
}
