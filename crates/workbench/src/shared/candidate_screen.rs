//! The screens that measure releases: a row for each candidate, and the selected candidate in full.
//!
//! A screen of this kind implements [`Measuring`]; the cursor, the job, the table and the copied figures are here.

use std::sync::Arc;

use palmtop_release::history::{Action, RecodingRecipe};
use palmtop_search::release::Release;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::activity::Activity;
use super::command_line;
use super::intent::{Change, Edit, Figures, Intent};
use super::measured::{self, Measurements, Table};
use super::screen::{Scope, Screen, Taking};
use super::state::Shared;
use super::view::{Candidate, recipe_name};
use crate::kit::command::{Movement, Row};
use crate::kit::hits::Target;
use crate::kit::link::Link;
use crate::kit::name::ScreenName;
use crate::kit::page::Page;
use crate::kit::slot::Task;
use crate::kit::theme::Theme;

/// Measures a release in a job.
pub(crate) type Measure<T> = Box<dyn Fn(&Release) -> Result<T, String> + Send>;

/// What a screen measures of each release, how it shows a measure, and its own commands.
pub(crate) trait Measuring: Default + 'static {
    type Command: Copy + 'static;
    /// The measure of one release.
    type Measure: Send + 'static;

    /// See [`Screen`] for these four.
    const SHOW: Row<()>;
    const ROWS: &'static [Row<Self::Command>];
    const PURPOSE: &'static str;
    const LEGEND: &'static [&'static str];
    /// The job that measures.
    const TASK: Task;
    /// The name of the copied figures: `the risks`.
    const FIGURES: &'static str;
    /// A longer heading is cut in the table.
    const LONGEST_HEAD: usize = usize::MAX;

    /// The function that measures a release of the open project.
    fn measure(&mut self, shared: &Shared) -> Measure<Self::Measure>;

    /// Runs a command; returns whether the selected release is to be opened on the workbench.
    fn act(&mut self, shared: &Shared, command: Self::Command) -> bool;

    /// The headings of the cells.
    fn heads(shared: &Shared) -> Vec<String>;

    /// The number of headings that the table shows; the copied figures have all of them.
    fn shown(_shared: &Shared) -> usize {
        usize::MAX
    }

    /// The cells under the headings.
    fn cells(measure: &Self::Measure) -> Vec<String>;

    /// One release in full, which has this name.
    fn in_full(&self, drawing: &Drawing, name: &str, measure: &Self::Measure) -> Vec<Line<'static>>;
}

/// Where and from what a release is drawn in full.
pub(crate) struct Drawing<'a> {
    pub(crate) theme: Theme,
    pub(crate) shared: &'a Shared,
    pub(crate) area: Rect,
}

/// The state of the screen.
pub(crate) struct CandidateScreen<K: Measuring> {
    /// The selected recipe; the best candidate if it is not among the candidates.
    pointed: Option<RecodingRecipe>,
    measurements: Measurements<K::Measure>,
    kind: K,
}

impl<K: Measuring> CandidateScreen<K> {
    /// The candidates, and the index of the selected one.
    fn candidates(&self, shared: &Shared) -> Result<(Vec<Candidate>, usize), String> {
        measured::candidates(shared, self.pointed.as_ref())
    }

    /// Measures the candidates without a measure.
    fn ask(&mut self, link: &Link<measured::Message<K::Measure>>, shared: &Shared) {
        let Ok((candidates, pointed)) = self.candidates(shared) else { return };
        let measure = self.kind.measure(shared);
        self.measurements.ask(link, |answer| answer, (&candidates, pointed), measure);
    }
}

impl<K: Measuring> Screen for CandidateScreen<K> {
    type Command = K::Command;
    type Message = measured::Message<K::Measure>;

    const SHOW: Row<()> = K::SHOW;
    const ROWS: &'static [Row<K::Command>] = K::ROWS;
    const PURPOSE: &'static str = K::PURPOSE;
    const LEGEND: &'static [&'static str] = K::LEGEND;
    const SHOWS_OTHERS: bool = true;

    fn new(_: &Shared) -> Self {
        Self { pointed: None, measurements: Measurements::new(K::TASK), kind: K::default() }
    }

    fn why_not_taken(&self, shared: &Shared, _: Taking) -> Option<String> {
        self.chosen(shared).err()
    }

    fn act(&mut self, scope: &Scope<Self::Message>, command: K::Command) -> Result<Intent, String> {
        let (mut candidates, selected) = self.candidates(scope.shared)?;
        if !self.kind.act(scope.shared, command) {
            return Ok(Intent::None);
        }
        let recipe = candidates.swap_remove(selected).recipe;
        let go = Intent::Edit(Edit::Go { recipe, how: Action::Comparison });
        Ok(Intent::Many(vec![go, Intent::Show(ScreenName::WORKBENCH)]))
    }

    fn go(&mut self, scope: &Scope<Self::Message>, movement: Movement) -> Result<Intent, String> {
        let (candidates, mut selected) = self.candidates(scope.shared)?;
        movement.shift(&mut selected, candidates.len());
        self.pointed = Some(candidates[selected].recipe.clone());
        Ok(Intent::None)
    }

    fn update(&mut self, _: &Scope<Self::Message>, message: Self::Message) -> Intent {
        self.measurements.take(message).map_or(Intent::None, Intent::Say)
    }

    fn changed(&mut self, scope: &Scope<Self::Message>, change: Change) -> Intent {
        let asks = match change {
            Change::Shown(name) => name == Self::NAME,
            Change::View | Change::Candidates => scope.shared.open == Self::NAME,
            _ => false,
        };
        if asks {
            self.ask(scope.link, scope.shared);
        }
        Intent::None
    }

    fn click(&mut self, scope: &Scope<Self::Message>, target: Target) -> Intent {
        if let Target::Row(row) = target {
            self.pointed = scope.shared.candidates().get(row).map(|candidate| candidate.recipe.clone());
        }
        Intent::None
    }

    fn draw(&self, page: &mut Page, area: Rect, shared: &Shared) {
        let theme = page.theme;
        let mut heads = K::heads(shared);
        heads.truncate(K::shown(shared));
        let table = Table {
            title: K::SHOW.id,
            heads: &heads,
            longest_head: K::LONGEST_HEAD,
            cells: &K::cells,
            in_full: &|name, measure, area| {
                self.kind.in_full(&Drawing { theme, shared, area }, name, measure)
            },
        };
        table.render(page, (area, theme), (shared, &self.measurements), self.candidates(shared));
    }

    fn activity(&self) -> Activity {
        Activity::counting(self.measurements.is_open())
    }

    fn command(&self, shared: &Shared) -> Option<(&'static str, String)> {
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
        Some(("compare", format!("{measured} --show {}{delta}", Self::NAME.0)))
    }

    fn progress(&self) -> String {
        self.measurements.progress(Self::NAME)
    }

    fn chosen(&self, shared: &Shared) -> Result<(RecodingRecipe, Arc<Release>), String> {
        let (mut candidates, selected) = self.candidates(shared)?;
        let chosen = candidates.swap_remove(selected);
        let release = shared.judged(&chosen.measured.release);
        Ok((chosen.recipe, release))
    }

    /// All figures as a Markdown table.
    fn figures(&self, shared: &Shared) -> Result<Figures, String> {
        let (candidates, _) = self.candidates(shared)?;
        let heads = K::heads(shared);
        let rule = "---:|".repeat(heads.len());
        let mut lines = vec![format!("| release | {} |", heads.join(" | ")), format!("|---|{rule}")];
        for candidate in &candidates {
            let name = recipe_name(&candidate.recipe, shared.delta());
            let measured = self.measurements.of(candidate).ok_or("not measured yet")?;
            let measure = measured.as_ref().map_err(Clone::clone)?;
            lines.push(format!("| {name} | {} |", K::cells(measure).join(" | ")));
        }
        Ok(Figures { what: K::FIGURES, content: format!("{}\n", lines.join("\n")) })
    }
}
