//! Draws the curve: loss over δmax, a line per strategy, and the table of its figures.

use palmtop_core::model::Delta;
use palmtop_release::caution::at_most;
use palmtop_release::chart::{Numbers, loss_axis};
use palmtop_release::svg::Axis;
use palmtop_search::Strategy;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::curve::{Figure, ROUNDS, Sweep};
use super::state::PolicyScreen;
use crate::kit::chart::{Plot, draw_scale};
use crate::kit::hits::Target;
use crate::kit::page::Page;
use crate::kit::rule::rule;
use crate::kit::symbols::Marks;
use crate::kit::theme::Theme;
use crate::kit::{bar, text};
use crate::shared::screen::Sight;
use crate::shared::state::Shared;

/// The width of a figure, and of the text before a row of figures.
const COLUMN: usize = 13;
const HEAD: usize = 10;
/// The height of the smallest chart, with its axis.
const LEAST_CHART: u16 = 5;

/// The data of a frame, collected once.
pub(super) struct CurveView<'a> {
    theme: Theme,
    shared: &'a Shared,
    curve: &'a Sweep,
    marks: Marks,
    /// The values of δ on the chart.
    deltas: Vec<Delta>,
    /// Their labels.
    labels: Vec<String>,
    /// The strategies on the curve, and those of them with a measured or awaited point.
    chosen: Vec<Strategy>,
    strategies: Vec<Strategy>,
    cursor: usize,
    /// The index of the current δ.
    now: Option<usize>,
}

impl<'a> CurveView<'a> {
    pub(super) fn of(theme: Theme, sight: Sight<'a, PolicyScreen>, marks: Marks) -> Self {
        let Sight { shared, screen } = sight;
        let (curve, delta) = (&screen.curve, shared.delta());
        let deltas = curve.deltas(&shared.problem);
        let (chosen, known) = (curve.chosen(shared), curve.strategies(delta.min()));
        Self {
            labels: deltas.iter().map(|delta| at_most(delta.max())).collect(),
            strategies: chosen.iter().copied().filter(|strategy| known.contains(strategy)).collect(),
            cursor: curve.cursor_index(&deltas, delta),
            now: deltas.iter().position(|other| *other == delta),
            theme,
            shared,
            curve,
            marks,
            deltas,
            chosen,
        }
    }

    /// The curve alone.
    pub(super) fn render(&self, page: &mut Page, area: Rect) {
        let rows = [Constraint::Length(1), Constraint::Fill(1), Constraint::Length(1)];
        let [heading, chart, state] = Layout::vertical(rows).areas(area);
        // Without a chart the sentence is below the heading.
        let state =
            if self.strategies.is_empty() { Rect { height: 1.min(chart.height), ..chart } } else { state };
        page.render_widget(self.heading(usize::from(heading.width)), heading);
        self.render_chart(page, chart);
        page.render_widget(self.state(usize::from(state.width)), state);
    }

    /// The curve, and below it the table with every figure.
    pub(super) fn render_large(&self, page: &mut Page, area: Rect) {
        let rows = u16::try_from(self.deltas.len() + 2).unwrap_or(area.height).min(area.height / 2);
        let rows = if self.strategies.is_empty() { 0 } else { rows };
        let [above, below] = Layout::vertical([Constraint::Fill(1), Constraint::Length(rows)]).areas(area);
        self.render(page, above);
        if rows > 2 {
            self.render_table(page, below);
        }
    }

    fn heading(&self, width: usize) -> Line<'static> {
        let lines = self.plot();
        let mut marks = lines.legend();
        if marks.is_empty() {
            marks = self.chosen.iter().map(ToString::to_string).collect();
        }
        rule(self.theme, "loss over δmax", &marks.join("  "), width, false)
    }

    fn figure(&self, strategy: Strategy, index: usize) -> Figure {
        self.curve.figure(strategy, self.deltas[index])
    }

    /// The strategies that found a release, with their losses.
    fn lines(&self) -> Vec<Numbers<Strategy>> {
        let losses = |strategy| (0..self.deltas.len()).map(move |index| self.figure(strategy, index).loss());
        let lines = self.strategies.iter().map(|&strategy| (strategy, losses(strategy).collect::<Vec<_>>()));
        lines.filter(|(_, losses)| losses.iter().any(Option::is_some)).collect()
    }

    /// The least loss under one δ.
    fn least(&self, index: usize) -> f64 {
        let losses = self.strategies.iter().filter_map(|&strategy| self.figure(strategy, index).loss());
        losses.fold(f64::INFINITY, f64::min)
    }

    fn plot(&self) -> Plot<Strategy> {
        let first: Vec<usize> = std::iter::once(self.cursor).chain(self.now).collect();
        // Colours mean that δ is kept or broken. Every point here keeps δ, so only `best` has a colour.
        let theme = self.theme;
        Plot::with_digits(self.labels.clone(), self.lines())
            .drawn_in(self.marks)
            .labelled_first(&first)
            .styled(|strategy| if strategy.family().draws() { theme.strong() } else { Style::new() })
    }

    fn render_chart(&self, page: &mut Page, area: Rect) {
        let plot = self.plot();
        if self.strategies.is_empty() || area.height < LEAST_CHART {
            return;
        }
        let Some(axis) = loss_axis(plot.numbers()) else {
            let sentence = if self.curve.is_running() {
                " no release yet"
            } else {
                " no strategy found a release that keeps δ, at any δmax"
            };
            page.render_widget(Line::styled(sentence, self.theme.bad()), area);
            return;
        };
        self.draw_plot(&plot, &axis, area, page);
    }

    /// Draws the plot into an area, and marks the selected and the current δ.
    fn draw_plot(&self, plot: &Plot<Strategy>, axis: &Axis, area: Rect, page: &mut Page) {
        let buffer = page.buffer_mut();
        let rows = Rect { height: area.height - 2, ..area };
        let left = draw_scale(axis, "δmax", rows, buffer);
        let plot_area = Rect { x: left, width: area.right().saturating_sub(left), ..rows };
        plot.draw(axis, plot_area, buffer);
        let column = plot.column(self.cursor, plot_area);
        for row in plot_area.y..plot_area.bottom() {
            let cell = &mut buffer[(column, row)];
            if matches!(cell.symbol(), " " | "\u{2800}") {
                cell.set_symbol("┊").set_style(self.theme.accent());
            }
        }
        buffer.set_string(column, plot_area.bottom(), "↑", self.theme.accent());
        buffer.set_style(plot.label_area(self.cursor, plot_area), self.theme.selected());
        if let Some(now) = self.now {
            buffer.set_string(plot.column(now, plot_area), plot_area.bottom(), "◆", self.theme.strong());
        }
        for index in 0..self.deltas.len() {
            let from = plot.column(index.saturating_sub(1), plot_area);
            let column = plot.column(index, plot_area);
            let x = column - (column - from) / 2;
            let width = plot_area.right().saturating_sub(x);
            page.hits.note(Rect { x, width, ..plot_area }, Target::Column(index));
        }
    }

    /// How to measure, how far the measurement is, or the figures of the selected δmax.
    fn state(&self, width: usize) -> Line<'static> {
        let key = |id: &str| self.shared.key(id);
        if let Some(progress) = self.curve.sweep_progress() {
            let share = bar::ratio(progress.done as u64, progress.total as u64);
            let sentence = format!(
                " {} of {}   {:.1} s   {} at {}   {} stops",
                progress.done,
                progress.total,
                progress.elapsed.as_secs_f64(),
                progress.now.strategy,
                at_most(progress.now.delta.max()),
                key("policy.stop")
            );
            let bar = bar::progress(share, width.saturating_sub(text::width(&sentence) + 3).min(30));
            return Line::styled(text::fit(&format!(" {bar} {sentence}"), width), self.theme.warning());
        }
        let names: Vec<String> = self.chosen.iter().map(ToString::to_string).collect();
        let (run, names) =
            (key("policy.run"), names.join(", ").replacen(", ", " and ", usize::from(names.len() == 2)));
        if self.strategies.is_empty() {
            let values = self.deltas.len();
            let sentence = format!(" {run} measures {names} at {values} values of δmax");
            return Line::styled(text::fit(&sentence, width), self.theme.faint());
        }
        let is_open =
            |index| self.chosen.iter().any(|&strategy| self.figure(strategy, index) == Figure::Open);
        let open = (0..self.deltas.len()).filter(|&index| is_open(index)).count();
        if open > 0 {
            let sentence = format!(" {open} of {} values of δmax are open; {run} goes on", self.deltas.len());
            return Line::styled(text::fit(&sentence, width), self.theme.faint());
        }
        let figures = self.strategies.iter().map(|&strategy| match self.figure(strategy, self.cursor) {
            Figure::Loss(loss) => format!("{strategy} {}", text::loss(loss)),
            Figure::Open | Figure::Nothing => format!("{strategy} none"),
        });
        let figures: Vec<String> = figures.collect();
        let sentence = format!(" at δmax {}: {}", self.labels[self.cursor], figures.join("  "));
        Line::raw(text::fit(&sentence, width))
    }

    /// All figures, a row per δmax.
    fn render_table(&self, page: &mut Page, area: Rect) {
        let width = usize::from(area.width);
        let rows = usize::from(area.height.saturating_sub(2));
        let first = (self.cursor + 1).saturating_sub(rows);
        let draws = self.strategies.iter().any(|strategy| strategy.family().draws());
        let remark = if draws { format!("best: {ROUNDS} rounds") } else { String::new() };
        let mut lines = vec![rule(self.theme, "every figure", &remark, width, false), self.heads()];
        lines.extend((first..self.deltas.len()).take(rows).map(|index| self.row(index)));
        let body = Rect { y: area.y + 2, height: area.height.saturating_sub(2), ..area };
        page.hits.note_rows(body, (first..self.deltas.len()).map(Target::Column));
        page.render_widget(Paragraph::new(lines), area);
    }

    /// The names of the strategies above their figures.
    fn heads(&self) -> Line<'static> {
        let name = |strategy: &Strategy| format!("{} ", text::right(&strategy.to_string(), COLUMN - 1));
        let names: String = self.strategies.iter().map(name).collect();
        let head = format!("  {} ", text::right("δmax", HEAD - 3));
        Line::styled(format!("{head}{names}"), self.theme.faint())
    }

    /// The figures under one δ.
    fn row(&self, index: usize) -> Line<'static> {
        let is_cursor = index == self.cursor;
        let cursor = if is_cursor { "▸" } else { " " };
        let now = if Some(index) == self.now { "◆" } else { " " };
        let head = format!("{cursor}{now}{} ", text::right(&self.labels[index], HEAD - 3));
        let least = self.least(index);
        let mut spans = vec![Span::styled(head, if is_cursor { self.theme.strong() } else { Style::new() })];
        for &strategy in &self.strategies {
            let (sentence, style) = match self.figure(strategy, index) {
                Figure::Open => ("· ".to_owned(), self.theme.faint()),
                Figure::Nothing => ("none ".to_owned(), self.theme.bad()),
                Figure::Loss(loss) if loss <= least => (format!("{}★", text::loss(loss)), self.theme.good()),
                Figure::Loss(loss) => (format!("{} ", text::loss(loss)), Style::new()),
            };
            spans.push(Span::styled(format!("{sentence:>COLUMN$}"), style));
        }
        let line = Line::from(spans);
        if is_cursor { line.patch_style(self.theme.strong()) } else { line }
    }
}
