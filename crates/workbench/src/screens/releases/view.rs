//! Draws the releases: the table, then its panes.

use palmtop_search::release::KnowsAlgorithm;
use palmtop_search::{StopReason, Strategy};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::columns::Measure;
use super::compared::{self, best};
use super::detail;
use super::member::Published;
use super::published;
use super::rows::{self, Cell};
use super::set::ColumnSet;
use super::state::{Releases, is_pinned, knows_algorithm, with_rows};
use crate::kit::hits::Target;
use crate::kit::layout::first_row;
use crate::kit::page::Page;
use crate::kit::rule::rule;
use crate::kit::theme::Theme;
use crate::kit::{bar, text};
use crate::shared::bound::Known;
use crate::shared::runs::Run;
use crate::shared::screen::Sight;
use crate::shared::state::Shared;
use crate::shared::view::{Candidate, short_name};

/// From this width on, the comparison and the member have the right half.
const WIDE: u16 = 120;
/// The lines that the detail has at least below a table in little room.
const DETAIL: u16 = 4;
/// The lines that the member has at most below a detail that needs the room.
const MEMBER: u16 = 3;

/// The least lines of the pane of rows.
const LEAST_ROWS: u16 = 5;

/// Draws the screen.
pub(super) fn render(page: &mut Page, area: Rect, theme: Theme, sight: Sight<'_, Releases>) {
    let Sight { shared, screen } = sight;
    let candidates = shared.candidates();
    let rows = rows::rows(shared, &candidates);
    let compared = screen.compared(shared, &candidates);
    let here = screen.cursor.among(shared, &candidates);
    let needed = |lines: usize| u16::try_from(lines).unwrap_or(u16::MAX);
    let table_lines = needed(rows.len() + 2);
    let measures = needed(compared::rows(screen, shared, &compared).len() + 2);
    // Two lines for each release, below the heading.
    let of_members = |compared: usize| needed(2 * compared + 2);
    let of_member = |width: u16, room: u16| {
        member_lines(theme, sight, &compared, (usize::from(width), usize::from(room)))
    };
    let ([table, details, comparison, member], lines) = if area.width >= WIDE {
        let panes = (measures + of_members(compared.len())).max(table_lines + detail::BY_LOSS);
        let read = with_rows(shared, here, &compared).filter(|_| screen.set == ColumnSet::Loss);
        let above = render_rows(page, (area, panes), theme, sight, read);
        let [left, right] =
            Layout::horizontal([Constraint::Fill(3), Constraint::Fill(2)]).spacing(1).areas(above);
        let table = table_lines.min(left.height.saturating_sub(DETAIL));
        let [table, details] = Layout::vertical([Constraint::Length(table), Constraint::Fill(1)]).areas(left);
        let least = needed(compared.len() + 1);
        let lines = of_member(right.width, right.height.saturating_sub(measures).max(least));
        let comparison = measures.min(right.height.saturating_sub(needed(lines.len())));
        let [comparison, member] =
            Layout::vertical([Constraint::Length(comparison), Constraint::Fill(1)]).areas(right);
        ([table, details, comparison, member], lines)
    } else {
        let table = table_lines.min(area.height.saturating_sub(DETAIL).max(area.height.min(6)));
        let left = area.height - table;
        // Below the table, there is a comparison only of what was pinned.
        let wanted = if shared.pins.is_empty() || compared.len() < 2 { 0 } else { measures };
        let most = if wanted > 0 || screen.set != ColumnSet::Loss { MEMBER } else { 2 * MEMBER };
        let lines = of_member(area.width, if left > DETAIL + 2 { most.min(left - DETAIL) } else { 0 });
        let member = needed(lines.len());
        let comparison = wanted.min(left.saturating_sub(DETAIL + member));
        let areas = Layout::vertical([
            Constraint::Length(table),
            Constraint::Fill(1),
            Constraint::Length(comparison),
            Constraint::Length(member),
        ])
        .areas(area);
        (areas, lines)
    };
    let judged = |candidate| Judged::of(sight, candidate);
    let judged: Vec<Judged> = candidates.iter().map(judged).collect();
    let drawn = Table { theme, sight, candidates: &candidates, judged: &judged, rows: &rows };
    drawn.render(page, table);
    let size = |area: Rect| (usize::from(area.width), usize::from(area.height));
    page.render_widget(Paragraph::new(detail::lines(theme, sight, here, size(details))), details);
    page.render_widget(
        Paragraph::new(compared::lines(theme, sight, &compared, size(comparison))),
        comparison,
    );
    page.render_widget(Paragraph::new(lines), member);
}

/// Draws the rows of a release where the panes leave enough lines, and returns the area of the panes.
fn render_rows(
    page: &mut Page,
    (area, panes): (Rect, u16),
    theme: Theme,
    Sight { shared, screen }: Sight<'_, Releases>,
    read: Option<&Candidate>,
) -> Rect {
    let left = area.height.saturating_sub(panes);
    let Some(read) = read.filter(|_| left >= LEAST_ROWS) else { return area };
    let [above, below] = Layout::vertical([Constraint::Fill(1), Constraint::Length(left)]).areas(area);
    let name = short_name(&read.recipe, shared.delta());
    let size = (usize::from(below.width), usize::from(below.height));
    page.render_widget(Paragraph::new(published::lines(theme, &name, screen.rows.of(read), size)), below);
    above
}

/// What each compared release publishes of one member, in full if there is room.
fn member_lines(
    theme: Theme,
    sight: Sight<'_, Releases>,
    compared: &[Candidate],
    (width, height): (usize, usize),
) -> Vec<Line<'static>> {
    let Sight { shared, screen } = sight;
    if height == 0 || compared.is_empty() {
        return Vec::new();
    }
    let pane = &screen.member;
    let [choose, values] = ["releases.member", "releases.values"].map(|id| shared.key(id));
    let heading = format!("member {}", text::count(pane.number()));
    let remark = format!("the same person in each · {choose} number, {values} values");
    let mut lines = vec![rule(theme, &heading, &remark, width, false)];
    let name = |candidate: &Candidate| short_name(&candidate.recipe, shared.delta());
    let longest =
        compared.iter().map(|candidate| text::width(&name(candidate))).max().unwrap_or(0).clamp(4, 16);
    let mut texts = Vec::new();
    if let Some(Ok(found)) = &pane.found
        && found.number == pane.number()
        && let Some(raw) = &found.raw
    {
        texts.push(("T".to_owned(), raw.join(" · "), theme.warning()));
    }
    if let Some(Err(why)) = &pane.found {
        lines.push(Line::styled(text::fit_words(&format!("not read: {why}"), width), theme.bad()));
    } else {
        texts.extend(compared.iter().map(|candidate| {
            let published = match pane.published(candidate) {
                None => "…".to_owned(),
                Some(Published::Texts(texts)) => texts.join(" · "),
                Some(Published::Withdrawn) => "withdrawn".to_owned(),
                Some(Published::LeftOut) => "not in P: left out".to_owned(),
            };
            (name(candidate), published, Style::new())
        }));
    }
    let room = width.saturating_sub(longest + 2);
    let whole: Vec<Vec<String>> = texts.iter().map(|(_, published, _)| text::wrap(published, room)).collect();
    let has_room = whole.iter().map(Vec::len).sum::<usize>() < height;
    let each = (height - 1) / texts.len().max(1);
    for ((name, published, style), whole) in texts.iter().zip(whole) {
        let parts = match each {
            _ if has_room => whole,
            0 | 1 => vec![published.clone()],
            each => text::wrap_to(published, room, each),
        };
        for (nth, part) in parts.iter().enumerate() {
            let name = if nth == 0 { name } else { "" };
            lines.push(Line::from(vec![
                Span::styled(format!(" {} ", text::fit(name, longest)), theme.strong()),
                Span::styled(text::fit(part, room.min(text::width(part))), *style),
            ]));
        }
    }
    lines.truncate(height);
    lines
}

/// A release as the table shows it: its columns, and whether it keeps the policy.
struct Judged {
    columns: Vec<Measure>,
    keeps: bool,
}

impl Judged {
    fn of(Sight { shared, screen }: Sight<'_, Releases>, candidate: &Candidate) -> Self {
        let keeps = candidate.measured.broken(shared.problem.policy()) == 0;
        Self { columns: screen.columns(shared, candidate), keeps }
    }

    /// Whether a measure of it is the best one of its column.
    fn is_best(&self, measure: &Measure, best: Option<f64>) -> bool {
        self.keeps && best.is_some() && measure.value == best
    }
}

/// The table of releases.
struct Table<'a> {
    theme: Theme,
    sight: Sight<'a, Releases>,
    candidates: &'a [Candidate],
    /// What is shown of each candidate, in their order.
    judged: &'a [Judged],
    rows: &'a [Vec<Cell>],
}

/// The columns of the state of a release.
const STATE: usize = 12;

impl Table<'_> {
    fn render(&self, page: &mut Page, area: Rect) {
        let Sight { shared, screen } = self.sight;
        let width = usize::from(area.width);
        let height = usize::from(area.height).saturating_sub(2);
        let cursor = rows::row_of(self.rows, &screen.cursor);
        let first = first_row(cursor, height, self.rows.len());
        let names = self.rows.iter().map(|row| text::width(&self.row_name(row)));
        let names = names.max().unwrap_or(0).clamp(9, 22);
        let room = width.saturating_sub(2 + names + 1 + STATE);
        let columns = Column::fitting(self.judged, room);
        let heads: Vec<String> =
            columns.iter().map(|column| text::right(&column.head, column.width - 2)).collect();
        let count = self.judged.first().map_or(0, |judged| judged.columns.len());
        let more = if columns.len() < count { "▸" } else { "" };
        let heading = format!(
            "  {} {}{} {more}",
            text::fit("release", names),
            text::fit("state", STATE),
            heads.join(" ")
        );
        let remark = self.remark();
        // The sets of columns matter more than the least possible loss.
        let title = [heading_of(shared), "releases".to_owned()];
        let title = text::longest_that_fits(&title, width.saturating_sub(text::width(&remark) + 7));
        let mut lines = vec![
            rule(self.theme, &title, &remark, width, false),
            Line::styled(text::fit(&heading, width), self.theme.faint()),
        ];
        for (index, row) in self.rows.iter().enumerate().skip(first).take(height) {
            let spans = match &row[..] {
                [cell] => self.single(cell, index == cursor, names, &columns),
                cells => self.block(cells, index == cursor, names),
            };
            lines.push(Line::from(spans));
        }
        self.note(page, area, first);
        page.render_widget(Paragraph::new(lines), area);
    }

    /// The sets of columns, the chosen one in brackets, and the marks.
    fn remark(&self) -> String {
        let sets = ColumnSet::ALL.map(|set| {
            if set == self.sight.screen.set { format!("[{}]", set.name()) } else { set.name().to_owned() }
        });
        let tab = self.sight.shared.key("releases.columns");
        format!("{tab}: {} · ◈ safe ★ best", sets.join(" "))
    }

    /// Notes where each cell is, for clicks.
    fn note(&self, page: &mut Page, area: Rect, first: usize) {
        let mut number: usize = self.rows.iter().take(first).map(Vec::len).sum();
        for (y, row) in (area.y + 2..area.bottom()).zip(&self.rows[first.min(self.rows.len())..]) {
            for (x, _) in (0_u16..).zip(row) {
                let whole = Rect { y, height: 1, ..area };
                let part = Rect { x: area.x + 2 + 3 * x, width: 3, ..whole };
                page.hits
                    .note(if row.len() == 1 { whole } else { part.intersection(whole) }, Target::Row(number));
                number += 1;
            }
        }
    }

    /// What is shown of the release of a cell; none if it has no release.
    fn judged(&self, cell: &Cell) -> Option<&Judged> {
        let recipe = cell.recipe(self.sight.shared)?;
        let index = self.candidates.iter().position(|candidate| candidate.recipe == recipe)?;
        self.judged.get(index)
    }

    /// The name of a row.
    fn row_name(&self, row: &[Cell]) -> String {
        let shared = self.sight.shared;
        let names = row.iter().map(|cell| match cell {
            Cell::Search(strategy) => strategy.to_string(),
            Cell::Recipe(recipe) => short_name(recipe, shared.delta()),
        });
        let names = names.collect::<Vec<_>>().join(" ");
        let is_safe = match row {
            [Cell::Search(strategy)] => {
                let of_release = |candidate| knows_algorithm(shared, candidate) == KnowsAlgorithm::Exact;
                // Before its run, the recommended search has the mark.
                let has_run = || matches!(shared.run(*strategy), Some(Run::Done(_) | Run::Broken(_)));
                let is_recommended = || {
                    *strategy == Strategy::RECOMMENDED
                        && shared.why_refused(*strategy).is_none()
                        && !has_run()
                };
                row[0].among(shared, self.candidates).map_or_else(is_recommended, of_release)
            }
            _ => false,
        };
        if is_safe { format!("{names}◈") } else { names }
    }

    /// Whether a cell is marked to run, or pinned.
    fn flag(&self, cell: &Cell) -> &'static str {
        let shared = self.sight.shared;
        let is_marked = matches!(cell, Cell::Search(strategy) if shared.runs.marked().contains(strategy));
        let candidate = cell.among(shared, self.candidates);
        match candidate {
            _ if is_marked => "■",
            Some(candidate) if is_pinned(shared, candidate) => "●",
            _ => " ",
        }
    }

    fn single(&self, cell: &Cell, is_here: bool, names: usize, columns: &[Column]) -> Vec<Span<'static>> {
        let candidate = cell.among(self.sight.shared, self.candidates);
        let (state, style) = self.state(cell, candidate);
        let name_style = if is_here { self.theme.selected() } else { self.theme.strong() };
        let mut spans = vec![
            Span::raw(format!("{}{}", if is_here { "▸" } else { " " }, self.flag(cell))),
            Span::styled(text::fit(&self.row_name(std::slice::from_ref(cell)), names), name_style),
            Span::styled(format!(" {}", text::fit(&state, STATE)), style),
        ];
        let Some(judged) = self.judged(cell) else {
            // What an export would have if the search stopped now; ★ is only for releases that exist.
            let loss = self.loss_so_far(cell).map(text::loss).unwrap_or_default();
            if let Some(first) = columns.first().filter(|_| self.sight.screen.set == ColumnSet::Loss) {
                spans.push(Span::raw(format!("{} ", text::right(&loss, first.width - 2))));
            }
            return spans;
        };
        for (column, measure) in columns.iter().zip(&judged.columns) {
            let star = if judged.is_best(measure, column.best) { "★" } else { " " };
            spans.push(Span::raw(format!("{}{star}", text::right(&measure.text, column.width - 2))));
        }
        spans
    }

    /// Three releases in a row: their states, and the first measure of each.
    fn block(&self, cells: &[Cell], is_here: bool, names: usize) -> Vec<Span<'static>> {
        let screen = self.sight.screen;
        let mut spans = vec![Span::raw(if is_here { "▸ " } else { "  " })];
        for cell in cells {
            let style =
                if is_here && *cell == screen.cursor { self.theme.selected() } else { self.theme.strong() };
            spans.push(Span::styled(self.row_name(std::slice::from_ref(cell)), style));
            spans.push(Span::raw(self.flag(cell)));
        }
        spans.push(Span::raw(" ".repeat((names + 1).saturating_sub(3 * cells.len()))));
        for cell in cells {
            let (sign, style) = self.sign(cell);
            spans.push(Span::styled(format!("{sign} "), style));
        }
        spans.push(Span::raw(" ".repeat(STATE.saturating_sub(2 * cells.len()))));
        let firsts = self.judged.iter().filter_map(|judged| Some((judged.columns.first()?, judged.keeps)));
        let best = best(firsts);
        for cell in cells {
            let first = self.judged(cell).and_then(|judged| Some((judged, judged.columns.first()?)));
            let star = if first.is_some_and(|(judged, measure)| judged.is_best(measure, best)) {
                "★"
            } else {
                " "
            };
            let text = first.map(|(_, measure)| measure.text.as_str()).unwrap_or_default();
            spans.push(Span::raw(format!("{}{star} ", text::right(text, 5))));
        }
        spans
    }

    /// The loss of the release that a running search would give now.
    fn loss_so_far(&self, cell: &Cell) -> Option<f64> {
        let Cell::Search(strategy) = cell else { return None };
        let Some(Run::Running { step: Some(step), .. }) = self.sight.shared.run(*strategy) else {
            return None;
        };
        step.stage.best.filter(|_| strategy.family().draws())
    }

    /// The state of a cell of the block.
    fn sign(&self, cell: &Cell) -> (&'static str, Style) {
        let Cell::Search(strategy) = cell else { return ("", Style::new()) };
        match self.sight.shared.run(*strategy) {
            None => ("–", self.theme.faint()),
            Some(Run::Waiting | Run::Running { .. }) => ("…", self.theme.strong()),
            Some(Run::Done(outcome)) if outcome.measured.is_some() => ("✓", self.theme.good()),
            Some(Run::Done(_) | Run::Broken(_)) => ("✗", self.theme.bad()),
        }
    }

    /// The state of a row with one cell.
    fn state(&self, cell: &Cell, candidate: Option<&Candidate>) -> (String, Style) {
        let (shared, theme) = (self.sight.shared, self.theme);
        let verdict =
            |candidate: &Candidate, how: &str| match candidate.measured.broken(shared.problem.policy()) {
                0 => (format!("✓ {how}"), theme.good()),
                broken => (format!("✗ {}", text::count(broken)), theme.bad()),
            };
        let Cell::Search(strategy) = cell else {
            return candidate.map_or_else(|| (String::new(), theme.faint()), |it| verdict(it, "by hand"));
        };
        match shared.run(*strategy) {
            None if shared.why_refused(*strategy).is_some() => ("cannot run".to_owned(), theme.faint()),
            None if shared.found_before(*strategy).is_some() => ("found before".to_owned(), theme.faint()),
            None => ("not run".to_owned(), theme.faint()),
            Some(Run::Waiting) => ("waiting".to_owned(), theme.strong()),
            Some(Run::Broken(_)) => ("✗ broke".to_owned(), theme.bad()),
            Some(Run::Running { .. }) => (running(shared, *strategy), theme.strong()),
            Some(Run::Done(outcome)) => match candidate {
                None => ("✗ none".to_owned(), theme.bad()),
                Some(candidate) if outcome.report.stop == StopReason::Cancelled => {
                    verdict(candidate, outcome.end())
                }
                Some(candidate) => verdict(candidate, &format!("{:.2} s", outcome.seconds)),
            },
        }
    }
}

/// The heading of the table, with the least possible loss of a release that keeps δ, if it is known.
fn heading_of(shared: &Shared) -> String {
    match shared.bound.known() {
        Known::Unasked | Known::Counted(None) => "releases".to_owned(),
        Known::Counting => "releases, least possible …".to_owned(),
        Known::Broken => "releases, least possible: not counted".to_owned(),
        Known::Refused => "releases, least possible: for rows only".to_owned(),
        Known::Counted(Some(bound)) => format!("releases, least possible {}", text::loss(bound)),
    }
}

/// How far a search is.
fn running(shared: &Shared, strategy: Strategy) -> String {
    let Some(Run::Running { step, started, .. }) = shared.run(strategy) else { return String::new() };
    let share = match step {
        // The strategy has no end, so the bar shows its time.
        Some(step) if step.stage.rounds.is_some() => {
            started.elapsed().as_secs_f64() / shared.runs.budget.limit.as_secs_f64()
        }
        Some(step) => bar::ratio(step.done, step.total),
        None => 0.0,
    };
    let share = share.clamp(0.0, 1.0);
    format!("{} {:>3.0} %", bar::progress(share, 6), 100.0 * share)
}

/// A column of the table: its heading, its width with the mark and a blank before it, and its best value.
struct Column {
    head: String,
    width: usize,
    best: Option<f64>,
}

impl Column {
    /// The columns that fit, from the first on.
    fn fitting(judged: &[Judged], mut room: usize) -> Vec<Self> {
        let count = judged.iter().map(|judged| judged.columns.len()).min().unwrap_or(0);
        let mut columns = Vec::new();
        for index in 0..count {
            let of_all = || judged.iter().map(|judged| (&judged.columns[index], judged.keeps));
            let head = judged[0].columns[index].head.clone();
            let head = text::fit(&head, text::width(&head).min(11));
            let widest = of_all().map(|(measure, _)| text::width(&measure.text)).max().unwrap_or(0);
            let width = widest.max(text::width(&head)) + 3;
            if width > room + 1 {
                break;
            }
            room -= width - 1;
            columns.push(Self { head, width, best: best(of_all()) });
        }
        columns
    }
}
