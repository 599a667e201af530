//! Loads a project, and draws the stages, the progress and the time until it is loaded.
//!
//! ```text
//!  palmtop
//!
//!  loading clinic.toml
//!  reading the public table   ██████████░░░░░░░░░░  51 %   12.3 MB of 24.0 MB   1.2 s
//!
//!  q stops
//! ```

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use palmtop_core::progress::Progress;
use palmtop_project::compatibility::{Command, Feature};
use palmtop_release::pipeline::{self, Analysis, LoadStage, Overrides, PipelineError, Unplaced};
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

use crate::kit::link::Link;
use crate::kit::page::Page;
use crate::kit::slot::{Answer, Slot, Task};
use crate::kit::theme::Theme;
use crate::kit::words::chain;
use crate::kit::{bar, text};

/// A report of the loading job.
pub(crate) enum Loaded {
    Progress(Progress<LoadStage>),
    /// The end; a failure without a text means that the user stopped it.
    Ended(Result<Arc<Analysis>, Failure>),
}

/// A project that cannot be read.
pub(crate) struct Failure {
    pub(crate) path: PathBuf,
    /// The reason; empty if the user stopped it.
    pub(crate) text: String,
    /// The values that their hierarchies lack, if that is the reason.
    pub(crate) unplaced: Vec<Unplaced>,
}

/// A project that is being read.
pub(crate) struct Loading {
    path: PathBuf,
    pub(crate) started: Instant,
    progress: Option<Progress<LoadStage>>,
    pub(crate) slot: Slot<Loaded>,
}

impl Loading {
    /// Begins to read a project.
    pub(crate) fn start(link: &Link<Answer<Loaded>>, path: PathBuf, overrides: Overrides) -> Self {
        let mut slot = Slot::new(Task { kind: "load", doing: "loading the project" });
        let project = path.clone();
        slot.ask(
            link,
            |answer| answer,
            move |job| {
                let mut last_stage = None;
                let asked = [Feature::Command(Command::Workbench)];
                let loaded = Analysis::load_for(&project, &overrides, &asked, &mut |progress| {
                    // Each stage is reported once, and progress within a stage at intervals.
                    if last_stage.replace(progress.stage) == Some(progress.stage) {
                        job.tell(Loaded::Progress(progress));
                    } else {
                        job.part(Loaded::Progress(progress));
                    }
                    job.go_on()
                });
                Some(Loaded::Ended(match loaded {
                    Ok(analysis) => Ok(Arc::new(analysis)),
                    Err(PipelineError::Cancelled) => {
                        Err(Failure { path: project, text: String::new(), unplaced: Vec::new() })
                    }
                    Err(error) => {
                        let text = chain(&error);
                        let lacks = matches!(&error, PipelineError::Data(error) if error.is_lacking());
                        // If these values cannot be gathered, the first error is the one to show.
                        let found = lacks.then(|| pipeline::unplaced(&project, &mut |_| job.go_on()).ok());
                        let unplaced = found.flatten().unwrap_or_default();
                        Err(Failure { path: project, text, unplaced })
                    }
                }))
            },
        );
        Self { path, started: Instant::now(), progress: None, slot }
    }

    /// Stops reading.
    pub(crate) fn stop(&self) {
        self.slot.stop();
    }

    /// Handles a report; returns the end or the failure.
    pub(crate) fn take(&mut self, answer: Answer<Loaded>) -> Option<Result<Arc<Analysis>, Failure>> {
        match self.slot.take(answer)? {
            Ok(Loaded::Progress(progress)) => {
                self.progress = Some(progress);
                None
            }
            Ok(Loaded::Ended(ended)) => Some(ended),
            Err(_) => {
                let text = self.slot.failure().unwrap_or_default().to_owned();
                Some(Err(Failure { path: self.path.clone(), text, unplaced: Vec::new() }))
            }
        }
    }
}

/// Draws the stages and the progress, and how many keys wait for the project.
pub(crate) fn render(page: &mut Page, area: Rect, loading: &Loading, waiting: usize) {
    let theme = page.theme;
    let width = usize::from(area.width);
    let name = loading.path.display().to_string();
    let seconds = format!("{:.1} s", loading.started.elapsed().as_secs_f64());
    let mut lines = vec![
        Line::styled(" palmtop", theme.strong()),
        Line::raw(""),
        Line::raw(text::fit(&format!(" loading {name}"), width)),
        Line::raw(""),
    ];
    let Some(progress) = loading.progress else {
        lines.push(Line::raw(format!(" …   {seconds}")));
        lines.extend((waiting > 0).then(|| hint(theme, waiting)));
        page.render_widget(Paragraph::new(lines), area);
        return;
    };
    let amount = match progress.stage {
        LoadStage::Public | LoadStage::Private => {
            format!("{} of {}", text::bytes(progress.done), text::bytes(progress.total))
        }
        _ if progress.total > 1 => {
            format!("{} of {}", text::count(progress.done), text::count(progress.total))
        }
        _ => String::new(),
    };
    for stage in LoadStage::ALL {
        let line = match stage.cmp(&progress.stage) {
            std::cmp::Ordering::Less => Line::styled(format!(" ✓ {stage}"), theme.good()),
            std::cmp::Ordering::Equal => {
                let share = bar::ratio(progress.done, progress.total);
                let drawn = bar::progress(share, 20);
                Line::raw(text::fit(
                    &format!(" ▸ {:<27}{drawn}  {amount}   {seconds}", stage.to_string()),
                    width,
                ))
            }
            std::cmp::Ordering::Greater => Line::styled(format!("   {stage}"), theme.faint()),
        };
        lines.push(line);
    }
    lines.push(Line::raw(""));
    lines.push(hint(theme, waiting));
    page.render_widget(Paragraph::new(lines), area);
}

/// How many keys wait, and how to stop.
fn hint(theme: Theme, waiting: usize) -> Line<'static> {
    let keys = text::counted(waiting, "key waits", "keys wait");
    let hint =
        if waiting == 0 { " q stops".to_owned() } else { format!(" {keys} for the project   q stops") };
    Line::styled(hint, theme.faint())
}
