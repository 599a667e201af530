//! What the screens that measure releases have in common: a row for each candidate, and the selected candidate in full.
//! The cursor, the job, the table and the copied figures are here; what is measured, and how one release is shown in full,
//! is the screen's.

use std::sync::Arc;

use palmtop_release::history::{Action, RecodingRecipe};
use palmtop_search::release::Release;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::activity::Activity;
use super::command_line;
use super::component::{Event, State};
use super::intent::{Change, Edit, Figures, Intent};
use super::measured::{self, Measurements, Table};
use super::screen::Scope;
use super::state::Shared;
use super::view::{Candidate, recipe_name};
use crate::kit::hits::Target;
use crate::kit::name::ScreenName;
use crate::kit::page::Page;
use crate::kit::slot::Task;
use crate::kit::theme::Theme;

/// Measures a release in a job.
pub(crate) type Measure<T> = Box<dyn Fn(&Release) -> Result<T, String> + Send>;

/// How measures are named and shown.
pub(crate) struct Style<T> {
    /// The screen of the list; its name is the title of the table.
    pub(crate) screen: ScreenName,
    /// The job that measures.
    pub(crate) task: Task,
    /// The name of the copied figures: `the risks`.
    pub(crate) figures: &'static str,
    /// A longer heading is cut in the table.
    pub(crate) longest_head: usize,
    /// The headings of the cells.
    pub(crate) heads: fn(&Shared) -> Vec<String>,
    /// The number of headings that the table shows; the copied figures have all of them.
    pub(crate) shown: fn(&Shared) -> usize,
    /// The cells under the headings.
    pub(crate) cells: fn(&T) -> Vec<String>,
}

/// Where and from what a release is drawn in full.
pub(crate) struct Drawing<'a> {
    pub(crate) theme: Theme,
    pub(crate) shared: &'a Shared,
    pub(crate) area: Rect,
}

/// The candidates with their measures.
pub(crate) struct CandidateList<T: 'static> {
    /// The selected recipe; the best candidate if it is not among the candidates.
    pointed: Option<RecodingRecipe>,
    measurements: Measurements<T>,
    style: &'static Style<T>,
}

impl<T: Send + 'static> CandidateList<T> {
    /// A list that measures nothing before its screen is open.
    pub(crate) fn new(style: &'static Style<T>) -> Self {
        Self { pointed: None, measurements: Measurements::new(style.task), style }
    }

    /// The candidates, and the index of the selected one.
    fn candidates(&self, shared: &Shared) -> Result<(Vec<Candidate>, usize), String> {
        measured::candidates(shared, self.pointed.as_ref())
    }

    /// Handles what is no command of the screen. `measure` makes the function that measures a release of the open project.
    ///
    /// # Errors
    /// There is no candidate yet.
    pub(crate) fn handle(
        &mut self,
        scope: &Scope<measured::Message<T>>,
        event: Event,
        measure: impl FnOnce(&Shared) -> Measure<T>,
    ) -> Result<Intent, String> {
        let shared = scope.shared;
        match event {
            Event::Move(movement) => {
                let (candidates, mut selected) = self.candidates(shared)?;
                movement.shift(&mut selected, candidates.len());
                self.pointed = Some(candidates[selected].recipe.clone());
            }
            Event::Click(Target::Row(row)) => {
                self.pointed = shared.candidates().get(row).map(|candidate| candidate.recipe.clone());
            }
            Event::Report(report) => {
                let failure = report.take().and_then(|message| self.measurements.take(message));
                return Ok(failure.map_or(Intent::None, Intent::Say));
            }
            Event::Changed(change) if self.is_asked(shared, change) => {
                if let Ok((candidates, pointed)) = self.candidates(shared) {
                    let measure = measure(shared);
                    self.measurements.ask(&scope.link, |answer| answer, (&candidates, pointed), measure);
                }
            }
            _ => {}
        }
        Ok(Intent::None)
    }

    /// Whether a change asks for measures: only the open screen needs them.
    fn is_asked(&self, shared: &Shared, change: Change) -> bool {
        match change {
            Change::Shown(name) => name == self.style.screen,
            Change::View | Change::Candidates => shared.open == self.style.screen,
            _ => false,
        }
    }

    /// Opens the selected release on the workbench.
    ///
    /// # Errors
    /// There is no candidate yet.
    pub(crate) fn open(&self, shared: &Shared) -> Result<Intent, String> {
        let (mut candidates, selected) = self.candidates(shared)?;
        let recipe = candidates.swap_remove(selected).recipe;
        let go = Intent::Edit(Edit::Go { recipe, how: Action::Comparison });
        Ok(Intent::Many(vec![go, Intent::Show(ScreenName::WORKBENCH)]))
    }

    /// Draws the list; `in_full` shows one release, which has this name.
    pub(crate) fn draw(
        &self,
        page: &mut Page,
        area: Rect,
        shared: &Shared,
        in_full: &dyn Fn(&Drawing, &str, &T) -> Vec<Line<'static>>,
    ) {
        let theme = page.theme;
        let mut heads = (self.style.heads)(shared);
        heads.truncate((self.style.shown)(shared));
        let table = Table {
            title: self.style.screen.0,
            heads: &heads,
            longest_head: self.style.longest_head,
            cells: &self.style.cells,
            in_full: &|name, measure, area| in_full(&Drawing { theme, shared, area }, name, measure),
        };
        table.render(page, (area, theme), (shared, &self.measurements), self.candidates(shared));
    }

    /// What is measured at this moment.
    pub(crate) fn state(&self) -> State<'_> {
        State {
            activity: Activity::counting(self.measurements.is_open()),
            progress: self.measurements.progress(self.style.screen),
            ..State::default()
        }
    }

    /// The command that prints the list.
    pub(crate) fn command_line(&self, shared: &Shared) -> (&'static str, String) {
        let candidates = shared.candidates();
        let measured: String = candidates
            .iter()
            .filter_map(|candidate| match &candidate.recipe {
                RecodingRecipe::Node(_) => Some(format!(" {}", candidate.recipe)),
                // A search that was stopped, or one under another δ, has no name on a command line.
                RecodingRecipe::Search(search) if search.complete && search.delta == shared.delta() => {
                    Some(format!(" {}", search.strategy))
                }
                RecodingRecipe::Search(_) => None,
            })
            .collect();
        let delta = command_line::delta_options(&shared.analysis, shared.delta());
        ("compare", format!("{measured} --show {}{delta}", self.style.screen.0))
    }

    /// The selected release, judged by the current δ.
    ///
    /// # Errors
    /// There is no candidate yet.
    pub(crate) fn chosen(&self, shared: &Shared) -> Result<(RecodingRecipe, Arc<Release>), String> {
        let (mut candidates, selected) = self.candidates(shared)?;
        let chosen = candidates.swap_remove(selected);
        let release = shared.judged(&chosen.measured.release);
        Ok((chosen.recipe, release))
    }

    /// All figures as a Markdown table.
    ///
    /// # Errors
    /// There is no candidate yet, or one is not measured.
    pub(crate) fn figures(&self, shared: &Shared) -> Result<Figures, String> {
        let (candidates, _) = self.candidates(shared)?;
        let heads = (self.style.heads)(shared);
        let rule = "---:|".repeat(heads.len());
        let mut lines = vec![format!("| release | {} |", heads.join(" | ")), format!("|---|{rule}")];
        for candidate in &candidates {
            let name = recipe_name(&candidate.recipe, shared.delta());
            let measured = self.measurements.of(candidate).ok_or("not measured yet")?;
            let measure = measured.as_ref().map_err(Clone::clone)?;
            lines.push(format!("| {name} | {} |", (self.style.cells)(measure).join(" | ")));
        }
        Ok(Figures { what: self.style.figures, content: format!("{}\n", lines.join("\n")) })
    }
}
