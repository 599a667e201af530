//! Reads the project again after an edit, or reads another one. The present project stays open until the new one is read,
//! and also if the new one cannot be read.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use palmtop_core::model::Delta;
use palmtop_release::history::Sitting;
use palmtop_release::pipeline::{Analysis, Overrides};

use super::loading::{Failure, Loaded, Loading};
use super::message::Message;
use super::reading::{Reading, Target};
use super::registry::Screens;
use super::state::{App, Phase, Ready};
use crate::kit::name::ScreenName;
use crate::kit::slot::Answer;
use crate::kit::terminal::Keeper;
use crate::kit::text;
use crate::screens::hierarchies::state::HierarchyTree;
use crate::screens::policy::state::PolicyScreen;
use crate::shared::intent::{Intent, Manner, Question};
use crate::shared::saver::Saver;
use crate::shared::state::Shared;
use crate::windows::notice::Notice;
use crate::windows::unplaced::state::UnplacedValues;

/// The line for the path of another project.
pub(super) const OPEN: &str = "app.open";

impl App {
    /// Reads the project again.
    pub(super) fn reload(&mut self) {
        let Phase::Ready(ready) = &self.phase else { return };
        let path = ready.shared.analysis.path().to_owned();
        self.status = format!("reading {} again …", path.display());
        self.read(path, self.opening.overrides, Target::Same { done: None });
    }

    /// Reads the project again after the workbench has written it.
    pub(super) fn reload_saved(&mut self, done: String) {
        self.close_windows();
        if let Phase::Failed { project, .. } = &self.phase {
            let path = project.clone();
            let link = self.link.map(Message::Loading);
            self.opening.banner = Some(done);
            self.phase = Phase::Loading(Loading::start(&link, path, self.opening.overrides));
            return;
        }
        let Phase::Ready(ready) = &self.phase else { return };
        let path = ready.shared.analysis.path().to_owned();
        self.status = format!("{done}; reading it again …");
        self.read(path, self.opening.overrides, Target::Same { done: Some(done) });
    }

    /// Asks for the path of another project.
    pub(super) fn project_to_open() -> Intent {
        let hint = "the path of a project file; this project stays open until the other one is read";
        let (manner, text) = (Manner::Path, String::new());
        Intent::Ask(Question { id: OPEN, manner, word: "open", hint, text })
    }

    /// Reads another project.
    ///
    /// # Errors
    /// The file does not exist.
    pub(super) fn open_project(&mut self, typed: &str) -> Result<(), String> {
        let name = typed.trim().to_owned();
        let path = PathBuf::from(&name);
        if !path.is_file() {
            return Err(format!("there is no file {name}"));
        }
        self.status = format!("reading {name} …");
        self.read(path.clone(), Overrides::default(), Target::Other { name, path });
        Ok(())
    }

    fn read(&mut self, path: PathBuf, overrides: Overrides, target: Target) {
        let loading = Loading::start(&self.link.map(Message::Loading), path, overrides);
        self.reading = Some(Reading { loading, target });
    }

    /// Stops reading; the present project stays.
    pub(super) fn stop_reading(&mut self) {
        if let Some(reading) = self.reading.take() {
            reading.loading.stop();
        }
        "stopped: the project is the one that was read before".clone_into(&mut self.status);
    }

    /// Handles a report of reading.
    pub(super) fn take_reading(&mut self, answer: Answer<Loaded>) {
        let Some(reading) = &mut self.reading else { return };
        let Some(loaded) = reading.loading.take(answer) else { return };
        let Some(Reading { target, .. }) = self.reading.take() else { return };
        let unfinished = self.windows.unfinished();
        match (loaded, target) {
            (Err(failure), Target::Same { .. }) if !failure.unplaced.is_empty() && unfinished.is_none() => {
                "all is as it was read before".clone_into(&mut self.status);
                self.open_window(Box::new(UnplacedValues::new(failure.path, failure.unplaced)));
            }
            (Err(Failure { text, .. }), target) => {
                let (title, status) = match target {
                    Target::Same { .. } => ("the project cannot be read", "all is as it was read before"),
                    Target::Other { .. } => ("it cannot be opened", "the project is the one from before"),
                };
                status.clone_into(&mut self.status);
                if unfinished.is_none() {
                    self.open_window(Box::new(Notice::new(title.to_owned(), text)));
                }
            }
            (Ok(_), _) if unfinished.is_some() => {
                self.status = format!("{}: read it again afterwards", unfinished.unwrap_or_default());
            }
            (Ok(analysis), Target::Same { done }) => self.replace_same(analysis, done),
            (Ok(analysis), Target::Other { name, path }) => self.replace_by_other(analysis, name, &path),
        }
    }

    /// Opens the project as it is now. If the lattice is unchanged, the analyst keeps the current recipe and the steps.
    fn replace_same(&mut self, analysis: Arc<Analysis>, done: Option<String>) {
        let Phase::Ready(ready) = &self.phase else { return };
        let before = &ready.shared;
        let changed = before.log.changed_inputs(&analysis);
        let differences = differences(&before.analysis, &analysis);
        if changed.is_empty() && differences.is_empty() {
            "nothing has changed since it was read".clone_into(&mut self.status);
            return;
        }
        let keeps_recipe = shape(&before.analysis) == shape(&analysis);
        let mut parts: Vec<String> = changed
            .iter()
            .map(|path| path.file_name().unwrap_or_default().to_string_lossy().into_owned())
            .collect();
        parts.extend(differences);
        let outcome =
            if keeps_recipe { "all is counted anew" } else { "the lattice is another: it begins anew" };
        let status = match done {
            Some(done) => format!("{done}; {outcome}"),
            None => format!("changed: {}; {outcome}", parts.join(", ")),
        };
        // If the sitting has no step yet, a new one begins under the δ that the project has now.
        let log = (keeps_recipe && before.log.is_begun()).then(|| before.log.clone());
        let status = format!("{status}{}", dropped(before));
        let stated = before.log.clone();
        let is_other_delta = before.analysis.problem().delta() != analysis.problem().delta();
        let delta = (is_other_delta && log.is_some()).then(|| analysis.problem().delta());
        let open = before.open;
        let attribute = ready.screens.of::<HierarchyTree>().map_or(0, |tree| tree.attribute);
        let was_saved = before.saver.path().is_some();
        let typed =
            ready.screens.of::<PolicyScreen>().map(|policy| (policy.draft.clone(), policy.taken.clone()));
        self.replace(analysis, log, delta);
        let status = format!("{status}{}", self.goes_on_in(was_saved));
        if let Phase::Ready(ready) = &mut self.phase {
            ready.shared.log.state_again(&stated);
            if let (Some(policy), Some(typed)) = (ready.screens.of_mut::<PolicyScreen>(), typed) {
                policy.go_on_with(typed, &ready.shared);
            }
            let last = ready.shared.problem.quasi().len() - 1;
            if let Some(tree) = ready.screens.of_mut::<HierarchyTree>() {
                tree.attribute = attribute.min(last);
            }
        }
        self.show(open);
        self.status = status;
    }

    /// The new sitting and the reason for it; empty if nothing was saved.
    fn goes_on_in(&self, was_saved: bool) -> String {
        let Phase::Ready(ready) = &self.phase else { return String::new() };
        ready.shared.saver.flush();
        let now = ready.shared.saver.index().filter(|_| was_saved);
        now.map_or_else(String::new, |index| {
            format!("; it goes on as sitting {}, because its inputs are other ones now", index + 1)
        })
    }

    fn replace_by_other(&mut self, analysis: Arc<Analysis>, name: String, path: &Path) {
        self.opening.home = Some(path.to_owned());
        self.opening.overrides = Overrides::default();
        self.opening.command_name = name;
        let remark = self.opening.find_sitting().map_or_else(String::new, |problem| format!("; {problem}"));
        let Phase::Ready(ready) = &self.phase else { return };
        let dropped = dropped(&ready.shared);
        let opened = format!("opened {}{remark}{dropped}", analysis.name());
        self.close_windows();
        self.status.clear();
        self.begin(analysis);
        self.show(ScreenName::WORKBENCH);
        let goes_on = std::mem::take(&mut self.status);
        self.status = if goes_on.is_empty() { opened } else { format!("{opened}; {goes_on}") };
    }

    /// Replaces the open analysis, and stops what runs for it.
    pub(super) fn replace(&mut self, analysis: Arc<Analysis>, log: Option<Sitting>, delta: Option<Delta>) {
        self.close_windows();
        let Phase::Ready(_) = &self.phase else { return };
        let (budget, commands) = self.leave_project();
        let saver = self.opening.home.as_ref().map_or_else(Saver::default, |project| {
            Saver::start(project, None, self.link.map(Message::Status))
        });
        let log = log.map(|log| log.on(&analysis));
        let keymap = Arc::new(self.settings.keymap.clone());
        let link = self.link.map(Message::Shared);
        let mut shared = Shared::new(link, analysis, log, saver, keymap, commands);
        shared.runs.budget = budget.unwrap_or(shared.runs.budget);
        let screens = Screens::new(&shared);
        let mut ready = Box::new(Ready { shared, screens, left: Vec::new() });
        let mut news = vec![ready.shared.begin()];
        news.extend(delta.map(|delta| ready.shared.take_delta_of_file(delta)));
        self.phase = Phase::Ready(ready);
        for news in news {
            self.tell(news);
        }
    }
}

/// How many running searches are dropped, as the end of a sentence; empty if none runs.
fn dropped(before: &Shared) -> String {
    match before.runs.unfinished() {
        0 => String::new(),
        count => format!("; {} dropped", text::counted(count, "search is", "searches are")),
    }
}

/// What the meaning of a recipe depends on: the quasi-identifiers and their levels.
fn shape(analysis: &Analysis) -> Vec<(String, u8, u8)> {
    let problem = analysis.problem();
    let quasi = problem.quasi().iter().enumerate();
    quasi
        .map(|(index, attribute)| {
            (attribute.name.clone(), problem.finest(index).0, problem.coarsest(index).0)
        })
        .collect()
}

/// The differences between two readings of a project, in words.
fn differences(before: &Analysis, now: &Analysis) -> Vec<String> {
    let (old, new) = (before.problem(), now.problem());
    let mut changes = Vec::new();
    if old.delta() != new.delta() {
        changes.push(format!("δ {}", text::delta(new.delta())));
    }
    if old.policy().criteria() != new.policy().criteria() {
        changes.push(format!("policy {}", new.policy().criteria()));
    }
    let people = |analysis: &Analysis| analysis.problem().total();
    if people(before) != people(now) {
        let total = people(now);
        changes.push(format!("now |T| {} and |P| {}", total.private, total.public));
    }
    if shape(before) != shape(now) {
        let names: Vec<&str> = new.quasi().iter().map(|attribute| attribute.name.as_str()).collect();
        changes.push(format!("quasi-identifiers {}", names.join(", ")));
    }
    changes
}
