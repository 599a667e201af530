//! Measures of releases, computed once each in the background, and their table: a row per release,
//! with one release in full.

use std::sync::Arc;

use palmtop_release::history::RecodingRecipe;
use palmtop_search::release::Release;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::candidates::index_of;
use super::state::Shared;
use super::view::Candidate;
use super::view::recipe_name;
use crate::kit::hits::Target;
use crate::kit::layout::first_row;
use crate::kit::link::Link;
use crate::kit::name::ScreenName;
use crate::kit::page::Page;
use crate::kit::rule::rule;
use crate::kit::slot::{Answer, Slot, Task};
use crate::kit::text;
use crate::kit::theme::Theme;

/// A release with its measure, or the reason why it could not be measured.
#[derive(Clone, Debug)]
pub(crate) struct MeasuredOf<T> {
    release: Arc<Release>,
    measure: Result<T, String>,
}

/// A message of the jobs: one release at a time.
pub(crate) type Message<T> = Answer<Box<MeasuredOf<T>>>;

/// The measured releases.
pub(crate) struct Measurements<T> {
    measured: Vec<MeasuredOf<T>>,
    slot: Slot<Box<MeasuredOf<T>>>,
    /// The number of releases that the running job has to measure, with those measured before.
    total: usize,
}

impl<T: Send + 'static> Measurements<T> {
    /// A list without measures.
    pub(crate) fn new(task: Task) -> Self {
        Self { measured: Vec::new(), slot: Slot::new(task), total: 0 }
    }

    /// The measure of a candidate; none if it is not measured yet.
    pub(crate) fn of(&self, candidate: &Candidate) -> Option<&Result<T, String>> {
        let known = |entry: &&MeasuredOf<T>| Arc::ptr_eq(&entry.release, &candidate.measured.release);
        self.measured.iter().find(known).map(|entry| &entry.measure)
    }

    /// Whether a measurement is running.
    pub(crate) fn is_open(&self) -> bool {
        self.slot.is_open()
    }

    /// How many releases are measured, of how many: `risk 2 of 5`; empty if no measurement is running.
    pub(crate) fn progress(&self, screen: ScreenName) -> String {
        if !self.is_open() {
            return String::new();
        }
        format!("{} {} of {}", screen.0, self.measured.len(), self.total)
    }

    /// Measures the candidates without a measure; the one under the cursor comes first.
    pub(crate) fn ask<M: Send + 'static>(
        &mut self,
        link: &Link<M>,
        wrap: impl Fn(Message<T>) -> M + Clone + Send + 'static,
        (candidates, pointed): (&[Candidate], usize),
        measure: impl Fn(&Release) -> Result<T, String> + Send + 'static,
    ) {
        self.measured.retain(|known| {
            candidates.iter().any(|candidate| Arc::ptr_eq(&known.release, &candidate.measured.release))
        });
        let first = candidates.get(pointed).into_iter().chain(candidates);
        let mut waiting: Vec<Arc<Release>> = Vec::new();
        for candidate in first {
            let release = &candidate.measured.release;
            if self.of(candidate).is_none() && !waiting.iter().any(|known| Arc::ptr_eq(known, release)) {
                waiting.push(Arc::clone(release));
            }
        }
        if waiting.is_empty() {
            self.slot.void();
            return;
        }
        self.total = self.measured.len() + waiting.len();
        self.slot.ask(link, wrap, move |job| {
            let _turn = job.turn()?;
            for release in waiting {
                if !job.gives_way() {
                    return None;
                }
                let measure = measure(&release);
                job.part(Box::new(MeasuredOf { release, measure }));
            }
            None
        });
    }

    /// Takes a measure; returns the message of a failure.
    pub(crate) fn take(&mut self, message: Message<T>) -> Option<String> {
        match self.slot.take(message)? {
            Ok(measured) => {
                self.measured.push(*measured);
                None
            }
            Err(message) => Some(message),
        }
    }
}

/// The candidates, and the index of the one under the cursor; the best candidate if the cursor is
/// on none.
pub(crate) fn candidates(
    shared: &Shared,
    pointed: Option<&RecodingRecipe>,
) -> Result<(Vec<Candidate>, usize), String> {
    let candidates = shared.candidates();
    if candidates.is_empty() {
        return Err("no figures yet".to_owned());
    }
    let index = index_of(&candidates, pointed);
    Ok((candidates, index))
}

/// The table of measures on a screen.
pub(crate) struct Table<'a, T> {
    /// The name of the measure, in a word.
    pub(crate) title: &'static str,
    pub(crate) heads: &'a [String],
    /// A longer heading is cut.
    pub(crate) longest_head: usize,
    /// The cells of a release's row.
    pub(crate) cells: &'a dyn Fn(&T) -> Vec<String>,
    /// The lines that show one release in full.
    pub(crate) in_full: &'a dyn Fn(&str, &T, Rect) -> Vec<Line<'static>>,
}

impl<T: Send + 'static> Table<'_, T> {
    /// Draws a row for each candidate. Below the rows, the selected candidate in full.
    pub(crate) fn render(
        &self,
        page: &mut Page,
        (area, theme): (Rect, Theme),
        (shared, measurements): (&Shared, &Measurements<T>),
        found: Result<(Vec<Candidate>, usize), String>,
    ) {
        let Ok((candidates, cursor)) = found else {
            page.render_widget(Line::styled(" no figures yet", theme.faint()), area);
            return;
        };
        let rows = u16::try_from(candidates.len() + 2).unwrap_or(u16::MAX).min(area.height / 2);
        let [above, below] = Layout::vertical([Constraint::Length(rows), Constraint::Fill(1)]).areas(area);
        let names: Vec<String> =
            candidates.iter().map(|candidate| recipe_name(&candidate.recipe, shared.delta())).collect();
        let cells = |candidate: &Candidate| Some((self.cells)(measurements.of(candidate)?.as_ref().ok()?));
        let rows: Vec<Option<Vec<String>>> = candidates.iter().map(cells).collect();
        self.render_rows(page, (above, theme), (&names, &rows), cursor);
        let (name, width) = (&names[cursor], usize::from(below.width));
        let failed = |why: &str| {
            let wrapped = text::wrap(&format!("not measured: {why}"), width.saturating_sub(2));
            wrapped.into_iter().map(|line| Line::styled(format!(" {line}"), theme.bad())).collect::<Vec<_>>()
        };
        let lines = match measurements.of(&candidates[cursor]) {
            Some(Ok(measure)) => (self.in_full)(name, measure, below),
            Some(Err(why)) => [vec![rule(theme, name, "", width, false)], failed(why)].concat(),
            None => {
                let waiting = || vec![Line::styled(" measuring …", theme.faint())];
                let note = measurements.slot.failure().map_or_else(waiting, failed);
                [vec![rule(theme, name, "", width, false)], note].concat()
            }
        };
        page.render_widget(Paragraph::new(lines), below);
    }

    fn render_rows(
        &self,
        page: &mut Page,
        (area, theme): (Rect, Theme),
        (names, rows): (&[String], &[Option<Vec<String>>]),
        cursor: usize,
    ) {
        let width = usize::from(area.width);
        let height = usize::from(area.height).saturating_sub(2);
        let first = first_row(cursor, height, names.len());
        let longest = names.iter().map(|name| text::width(name)).max().unwrap_or(0).clamp(8, 22);
        let width_of = |column: usize| {
            let cells = rows.iter().flatten().map(|cells| text::width(&cells[column]));
            cells.chain([text::width(&self.heads[column]).min(self.longest_head)]).max().unwrap_or(0)
        };
        let mut room = width.saturating_sub(2 + longest);
        let shown: Vec<usize> = (0..self.heads.len())
            .take_while(|&column| {
                let fits = room >= width_of(column) + 2;
                room = room.saturating_sub(width_of(column) + 2);
                fits
            })
            .collect();
        let more = if shown.len() < self.heads.len() { "▸" } else { "" };
        let line = |cell: &dyn Fn(usize) -> String| -> String {
            let cells = shown.iter().map(|&column| {
                let (shown, width) = (cell(column), width_of(column));
                if text::width(&shown) > width {
                    text::fit(&shown, width)
                } else {
                    text::right(&shown, width)
                }
            });
            cells.flat_map(|cell| ["  ".to_owned(), cell]).collect()
        };
        let done = rows.iter().flatten().count();
        let remark = if done < rows.len() {
            format!("{done} of {} measured", rows.len())
        } else {
            text::counted(rows.len(), "release", "releases")
        };
        let heading = line(&|column| self.heads[column].clone());
        let title = format!("{}, measured, not judged", self.title);
        let mut lines = vec![
            rule(theme, &title, &remark, width, false),
            Line::styled(format!("  {}{heading}{more}", text::fit("release", longest)), theme.faint()),
        ];
        for (index, (name, cells)) in names.iter().zip(rows).enumerate().skip(first).take(height) {
            let style = if index == cursor { theme.selected() } else { theme.strong() };
            let figures = cells
                .as_ref()
                .map_or_else(|| "  …".to_owned(), |cells| line(&|column| cells[column].clone()));
            lines.push(Line::from(vec![
                Span::raw(if index == cursor { "▸ " } else { "  " }),
                Span::styled(text::fit(name, longest), style),
                Span::raw(figures),
            ]));
        }
        let body = Rect { y: area.y.saturating_add(2), height: area.height.saturating_sub(2), ..area };
        page.hits.note_rows(body, (first..names.len()).map(Target::Row));
        page.render_widget(Paragraph::new(lines), area);
    }
}
