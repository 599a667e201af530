//! The trade-off: loss over δmax, a series per strategy, with the figures of the selected δmax.
//!
//! ```text
//!  ─ loss over δmax ───────────────── δmin 0 · best: 20 rounds ─
//!   0.4 ┤ S⠤⣀⣀      ┊
//!       │ ┬   ⠉⠒⠢S⢄⣀┊
//!       │ ┴      ┼  ⠉S
//!   0.0 ┤ B⠤⠤⠤⠤⠤⠤B⠤⠤⠤B
//!       └─◆──────┴───↑───
//!  δmax  0.05   0.1 0.2
//!   S spalm  B best  ┬│┴ the nine, most to least  ◆ δmax now
//!   δmax    spalm   n1    n2   best
//!  ▸  0.2    .274  .250  .240  .230★
//! ```

use palmtop_core::model::Delta;
use palmtop_search::Strategy;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::state::{Figure, ROUNDS, Sweep, few, is_few};
use crate::kit::chart::{Plot, draw_nine, draw_scale, nine_legend};
use crate::kit::hits::Target;
use crate::kit::layout::WIDE;
use crate::kit::page::Page;
use crate::kit::rule::rule;
use crate::kit::theme::Theme;
use crate::kit::{bar, text};
use crate::shared::screen::Sight;
use palmtop_release::chart::{Numbers, label, loss_axis};
use palmtop_release::svg::Axis;

/// The width of a figure, and of the text before a row of figures.
const COLUMN: usize = 6;
/// The width of a figure if a blank fits between any two.
const WIDE_COLUMN: usize = 7;
const HEAD: usize = 10;
/// The height of the smallest chart, with its axis.
const LEAST_CHART: u16 = 6;
/// From this height on, headings fit.
const TALL: u16 = 16;

/// Draws the screen.
pub(crate) fn render(page: &mut Page, area: Rect, theme: Theme, sight: Sight<'_, Sweep>) {
    let shown = Shown::of(theme, sight);
    if shown.strategies.is_empty() {
        shown.render_introduction(page, area);
    } else if area.width >= WIDE {
        let wanted = HEAD + WIDE_COLUMN * shown.strategies.len().max(few().count() + 1);
        let width = u16::try_from(wanted).unwrap_or(area.width).min(area.width / 2);
        let areas = Layout::horizontal([Constraint::Fill(1), Constraint::Length(width)]).spacing(2);
        let [left, right] = areas.areas(area);
        let [chart, state] = Layout::vertical([Constraint::Fill(1), Constraint::Length(1)]).areas(left);
        shown.render_chart(page, chart);
        page.render_widget(shown.state(usize::from(state.width)), state);
        let rows = u16::try_from(shown.deltas.len() + 2).unwrap_or(right.height);
        let areas = Layout::vertical([Constraint::Length(rows), Constraint::Length(1), Constraint::Fill(1)]);
        let [table, _, nine] = areas.areas(right);
        shown.render_table(page, table);
        shown.render_nine(page, nine);
    } else {
        let figures = shown.figures(usize::from(area.width), area.height >= TALL);
        let rows = u16::try_from(figures.len()).unwrap_or(area.height);
        let areas = Layout::vertical([Constraint::Fill(1), Constraint::Length(1), Constraint::Length(rows)]);
        let [chart, state, below] = areas.areas(area);
        shown.render_chart(page, chart);
        page.render_widget(shown.state(usize::from(state.width)), state);
        page.render_widget(Paragraph::new(figures), below);
    }
}

/// The data of a frame, collected once.
struct Shown<'a> {
    theme: Theme,
    sight: Sight<'a, Sweep>,
    /// The values of δ on the chart.
    deltas: Vec<Delta>,
    /// Their labels.
    labels: Vec<String>,
    strategies: Vec<Strategy>,
    cursor: usize,
    /// The index of the current δ.
    now: Option<usize>,
}

impl<'a> Shown<'a> {
    fn of(theme: Theme, sight: Sight<'a, Sweep>) -> Self {
        let (sweep, delta) = (&sight.screen, sight.shared.delta());
        let deltas = sweep.deltas(&sight.shared.problem);
        Self {
            labels: deltas.iter().map(|delta| label(delta.max())).collect(),
            strategies: sweep.strategies(delta.min()),
            cursor: sweep.cursor_index(&deltas, delta),
            now: deltas.iter().position(|other| *other == delta),
            deltas,
            theme,
            sight,
        }
    }

    fn figure(&self, strategy: Strategy, index: usize) -> Figure {
        self.sight.screen.figure(strategy, self.deltas[index])
    }

    /// The strategies that found a release, with their losses.
    fn lines(&self) -> Vec<Numbers<Strategy>> {
        let losses = |strategy| (0..self.deltas.len()).map(move |index| self.figure(strategy, index).loss());
        let lines = self.strategies.iter().map(|&strategy| (strategy, losses(strategy).collect::<Vec<_>>()));
        lines.filter(|(_, losses)| losses.iter().any(Option::is_some)).collect()
    }

    /// Whether a shown strategy runs rounds.
    fn draws(&self) -> bool {
        self.strategies.iter().any(|strategy| strategy.family().draws())
    }

    /// Whether all strategies of MPALM use one column rule, so that a digit tells them apart.
    fn are_few(&self) -> bool {
        self.strategies.iter().all(|strategy| is_few(*strategy))
    }

    /// The least loss under one δ.
    fn least(&self, index: usize) -> f64 {
        let losses = self.strategies.iter().filter_map(|&strategy| self.figure(strategy, index).loss());
        losses.fold(f64::INFINITY, f64::min)
    }

    /// The meaning of the keys and of the chart.
    fn render_introduction(&self, page: &mut Page, area: Rect) {
        let key = |id: &str| self.sight.shared.key(id);
        let width = usize::from(area.width);
        let delta = self.sight.shared.delta();
        let ends = [self.labels.first(), self.labels.last()].map(|label| label.cloned().unwrap_or_default());
        let measured = match self.sight.shared.why_refused(Strategy::RECOMMENDED) {
            None => vec![
                format!(
                    "{} measures simulatable (recommended: δ holds even if an attacker knows the algorithm), SPALM and MPALM's n1, n2, n3.",
                    key("trade-off.run")
                ),
                format!(
                    "{} measures simulatable, SPALM, all nine and best, which runs {ROUNDS} rounds at each δmax; more rounds may lose less.",
                    key("trade-off.run-all")
                ),
            ],
            Some(why) => {
                vec![format!("{} measures SPALM. The others cannot run: {why}.", key("trade-off.run"))]
            }
        };
        let question = [format!(
            "How much is lost for each δmax? palmtop runs each strategy under {} values of δmax, {} to {}, δmin held at {}.",
            self.deltas.len(),
            ends[0],
            ends[1],
            label(delta.min())
        )];
        let keys = [format!(
            "Then a chart shows their losses: {} and {} select a δmax, {} uses it, {} stops measuring. \
                 palmtop keeps the measurements until it ends.",
            key("trade-off.left"),
            key("trade-off.right"),
            key("trade-off.take"),
            key("trade-off.stop")
        )];
        let mut lines = vec![rule(self.theme, "loss over δmax", "no measurements yet", width, false)];
        for sentence in question.into_iter().chain(measured).chain(keys) {
            if area.height >= TALL {
                lines.push(Line::default());
            }
            let wrapped = text::wrap(&sentence, width.min(100).saturating_sub(2));
            lines.extend(wrapped.into_iter().map(|line| Line::raw(format!(" {line}"))));
        }
        page.render_widget(Paragraph::new(lines), area);
    }

    /// A heading, the chart, and the meaning of its marks.
    fn render_chart(&self, page: &mut Page, area: Rect) {
        let is_tall = area.height >= TALL - 4;
        let plot = self.plot();
        let wrapped = self.legend(&plot, usize::from(area.width));
        let legend = if is_tall { u16::try_from(wrapped.len()).unwrap_or(1) } else { 0 };
        let areas =
            Layout::vertical([Constraint::Length(1), Constraint::Fill(1), Constraint::Length(legend)]);
        let [heading, inner, below] = areas.areas(area);
        let min = format!("δmin {}", label(self.sight.shared.delta().min()));
        let rounds = format!("{min} · best: {ROUNDS} rounds");
        let letters = |strategy: Strategy| strategy.rules().is_none().then(|| lettered(strategy));
        let others: Vec<String> = self.strategies.iter().copied().filter_map(letters).collect();
        let nine = if self.are_few() { "1 2 3 of n" } else { "┬│┴ MPALM" };
        let marks = format!("{}  {nine} · {min}", others.join("  "));
        let remark = match self.draws() {
            _ if !is_tall => marks,
            true => rounds,
            false => min,
        };
        let heading_line = rule(self.theme, "loss over δmax", &remark, usize::from(heading.width), false);
        page.render_widget(heading_line, heading);
        page.render_widget(Paragraph::new(wrapped), below);
        if inner.height < LEAST_CHART {
            return;
        }
        let Some(axis) = loss_axis(plot.numbers()) else {
            let sentence = if self.sight.screen.is_running() {
                " no release yet"
            } else {
                " no strategy found a release that keeps δ, at any δmax"
            };
            page.render_widget(Line::styled(sentence, self.theme.bad()), inner);
            return;
        };
        self.draw_plot(&plot, &axis, inner, page);
    }

    /// The strategies as series; those of MPALM have digits if they use one column rule.
    fn plot(&self) -> Plot<Strategy> {
        let lines = self.lines();
        let labels = self.labels.clone();
        let plot = if self.are_few() { Plot::with_digits(labels, lines) } else { Plot::new(labels, lines) };
        let first: Vec<usize> = std::iter::once(self.cursor).chain(self.now).collect();
        // Colours mean that δ is kept or broken. Every point here keeps δ, so only `best` has a
        // colour.
        let theme = self.theme;
        plot.labelled_first(&first)
            .styled(|strategy| if strategy.family().draws() { theme.strong() } else { Style::new() })
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

    /// The meaning of the marks, in as many lines as needed.
    fn legend(&self, plot: &Plot<Strategy>, width: usize) -> Vec<Line<'static>> {
        let mut words = plot.legend();
        words.extend(["↑ pointed at", "◆ δmax now", "* several"].map(str::to_owned));
        let mut lines = vec![String::new()];
        for word in words {
            let last = lines.last().map_or(0, |line| text::width(line));
            if last > 0 && last + 2 + text::width(&word) > width {
                lines.push(String::new());
            }
            if let Some(line) = lines.last_mut() {
                line.push_str(if line.is_empty() { " " } else { "  " });
                line.push_str(&word);
            }
        }
        lines.into_iter().map(|line| Line::styled(line, self.theme.faint())).collect()
    }

    /// The progress of the measurement, or the points that are left.
    fn state(&self, width: usize) -> Line<'static> {
        let (sweep, key) = (&self.sight.screen, |id: &str| self.sight.shared.key(id));
        if let Some(progress) = sweep.sweep_progress() {
            let share = bar::ratio(progress.done as u64, progress.total as u64);
            let sentence = format!(
                " {} of {}   {:.1} s   {} at {}   {} stops",
                progress.done,
                progress.total,
                progress.elapsed.as_secs_f64(),
                progress.now.strategy,
                label(progress.now.delta.max()),
                key("trade-off.stop")
            );
            let bar = bar::progress(share, width.saturating_sub(text::width(&sentence) + 3).min(30));
            return Line::styled(text::fit(&format!(" {bar} {sentence}"), width), self.theme.warning());
        }
        let indices = 0..self.deltas.len();
        let is_open =
            |index| self.strategies.iter().any(|&strategy| self.figure(strategy, index) == Figure::Open);
        let open = indices.filter(|&index| is_open(index)).count();
        let (run, all) = (key("trade-off.run"), key("trade-off.run-all"));
        let sentence = if open > 0 {
            let again = if self.are_few() { run } else { all };
            format!(" {open} of {} values of δmax are incomplete; {again} continues", self.deltas.len())
        } else if self.draws() {
            format!(" best runs {ROUNDS} rounds at each δmax; on the searches, more rounds may lose less")
        } else if self.sight.shared.accepts_regions() {
            format!(" {all} measures all nine and best too")
        } else {
            String::new()
        };
        Line::styled(text::fit(&sentence, width), self.theme.faint())
    }

    /// The figures of the selected δmax, in as many rows as the width needs.
    fn figures(&self, width: usize, with_heading: bool) -> Vec<Line<'static>> {
        let mut lines = Vec::new();
        if with_heading {
            let heading = format!("at δmax {}", self.labels[self.cursor]);
            lines.push(rule(self.theme, &heading, "★ least loss   · not measured", width, false));
        }
        let groups = width.saturating_sub(HEAD).checked_div(COLUMN).unwrap_or(1).max(1);
        for group in self.strategies.chunks(groups) {
            lines.push(self.heads(group, COLUMN));
            lines.push(self.row(self.cursor, group, COLUMN));
        }
        lines
    }

    /// All figures, a row per δmax.
    fn render_table(&self, page: &mut Page, area: Rect) {
        let width = usize::from(area.width);
        let rows = usize::from(area.height.saturating_sub(2));
        let first = (self.cursor + 1).saturating_sub(rows);
        let mut lines = vec![
            rule(self.theme, "every figure", "★ least   · not measured", width, false),
            self.heads(&self.strategies, WIDE_COLUMN),
        ];
        for index in (first..self.deltas.len()).take(rows) {
            lines.push(self.row(index, &self.strategies, WIDE_COLUMN));
        }
        let body = Rect { y: area.y + 2, height: area.height.saturating_sub(2), ..area };
        page.hits.note_rows(body, (first..self.deltas.len()).map(Target::Column));
        page.render_widget(Paragraph::new(lines), area);
    }

    /// The names of the strategies above their figures.
    fn heads(&self, strategies: &[Strategy], column: usize) -> Line<'static> {
        let name = |strategy: &Strategy| format!("{} ", text::right(&strategy.to_string(), column - 1));
        let names = strategies.iter().map(name);
        let head = format!("  {} ", text::right("δmax", HEAD - 3));
        Line::styled(format!("{head}{}", names.collect::<String>()), self.theme.faint())
    }

    /// The figures under one δ.
    fn row(&self, index: usize, strategies: &[Strategy], column: usize) -> Line<'static> {
        let is_cursor = index == self.cursor;
        let cursor = if is_cursor { "▸" } else { " " };
        let now = if Some(index) == self.now { "◆" } else { " " };
        let head = format!("{cursor}{now}{} ", text::right(&self.labels[index], HEAD - 3));
        let least = self.least(index);
        let mut spans = vec![Span::styled(head, if is_cursor { self.theme.strong() } else { Style::new() })];
        for &strategy in strategies {
            let (sentence, style) = match self.figure(strategy, index) {
                Figure::Open => ("· ".to_owned(), self.theme.faint()),
                Figure::Nothing => ("none ".to_owned(), self.theme.bad()),
                Figure::Loss(loss) if loss <= least => (format!("{}★", text::loss(loss)), self.theme.good()),
                Figure::Loss(loss) => (format!("{} ", text::loss(loss)), Style::new()),
            };
            spans.push(Span::styled(format!("{sentence:>column$}"), style));
        }
        let line = Line::from(spans);
        if is_cursor { line.patch_style(self.theme.strong()) } else { line }
    }

    /// The nine strategies separately, because the chart shows only their range; only if room is
    /// left.
    fn render_nine(&self, page: &mut Page, area: Rect) {
        let mut lines = self.lines();
        lines.retain(|(strategy, _)| strategy.rules().is_some());
        let numbers = lines.iter().flat_map(|(_, losses)| losses).flatten().copied();
        let Some(axis) = loss_axis(numbers) else { return };
        if self.are_few() || area.height < 12 || area.width < 60 {
            return;
        }
        let width = usize::from(area.width);
        let charts = Rect { y: area.y + 1, height: area.height.min(22) - 2, ..area };
        let below = Rect { y: charts.bottom(), height: 1, ..area };
        let heading = rule(self.theme, "the nine", "", width, false);
        page.render_widget(heading, Rect { height: 1, ..area });
        draw_nine(&self.labels, &lines, &axis, "δmax", charts, page.buffer_mut());
        let legend = format!(" {}", nine_legend().join("  "));
        page.render_widget(Line::styled(text::fit(&legend, width), self.theme.faint()), below);
    }
}

/// A strategy with its letter in the chart.
fn lettered(strategy: Strategy) -> String {
    format!("{} {strategy}", strategy.info().letter)
}
