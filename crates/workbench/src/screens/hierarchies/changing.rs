//! The edits of a hierarchy on the screen: marks, changes, undo, saving.

use std::collections::BTreeSet;
use std::path::Path;

use palmtop_core::model::Level;
use palmtop_release::pipeline;
use palmtop_tables::hierarchies::edit::Change;

use super::asking::{Asked, in_folder};
use super::commands::Command;
use super::editing::{Editing, Marks};
use super::limit::{Form, read_limit};
use super::state::{HierarchyTree, is_in, label};
use crate::kit::text;
use crate::kit::words::chain;
use crate::shared::intent::{Errand, Intent};
use crate::shared::screen::Scope;
use crate::shared::state::Shared;

impl HierarchyTree {
    /// Carries out a command of editing.
    pub(super) fn edit(&mut self, scope: &Scope<super::Message>, command: Command) -> Result<Intent, String> {
        let shared = scope.shared;
        let (level, label) = self.under_cursor(shared).ok_or("there is no label")?;
        let change = match command {
            Command::Mark => {
                let hierarchy = self.editing_of(shared)?.now();
                hierarchy.check_can_change(&label).map_err(|error| error.to_string())?;
                let level = hierarchy.lowest_level(level, &label);
                self.marks.toggle(level, &label);
                return Ok(Intent::None);
            }
            Command::MarkFound => return self.mark_found(shared, level, &label),
            Command::Group | Command::Move => {
                let (level, labels) = if self.marks.labels.is_empty() {
                    (level, vec![label])
                } else {
                    (self.marks.level, self.marks.labels.iter().cloned().collect())
                };
                let asked = match command {
                    Command::Group => Asked::Group { level, labels },
                    _ => Asked::Move { level, labels },
                };
                return self.ask(shared, asked);
            }
            Command::Rename => return self.ask(shared, Asked::Rename { level, label }),
            Command::Borders => {
                let hierarchy = self.editing_of(shared)?.now();
                if !hierarchy.is_banded() {
                    let message =
                        "borders are for bands of numbers or dates; mark labels with Space, then group them";
                    return Err(message.to_owned());
                }
                let (base, top) = (hierarchy.base().0, hierarchy.top().0);
                let level = Level(level.0.clamp((base + 1).min(top), (top - 1).max(base + 1)));
                return self.ask(shared, Asked::Borders { level });
            }
            Command::Limit => {
                self.can_change_project(shared)?;
                let now = Form::of(&shared.problem, self.attribute).typed();
                return self.ask(shared, Asked::Limit { now });
            }
            Command::File => {
                self.can_change_project(shared)?;
                return self.ask(shared, Asked::File);
            }
            Command::Save => return self.ask_for_name(shared),
            Command::Split => Change::Split { level, label: label.clone() },
            Command::Insert => Change::Insert { above: level },
            _ => Change::Remove { level },
        };
        self.make(scope, change, Some((level, label)))
    }

    /// Takes a typed line.
    pub(super) fn answered(&mut self, scope: &Scope<super::Message>, typed: &str) -> Result<Intent, String> {
        let Some(asked) = self.asked.clone() else { return Ok(Intent::None) };
        if let Asked::Save { folder } = &asked {
            return self.save(scope.shared, &in_folder(folder, typed));
        }
        match asked {
            Asked::Limit { .. } => return self.save_limit(scope.shared, typed),
            Asked::File => return self.choose_file(scope.shared, typed),
            _ => {}
        }
        let editing = self.editing_of(scope.shared)?;
        let change = asked.change(editing.now(), typed)?;
        let lands = asked.lands_on(typed).or_else(|| self.under_cursor(scope.shared));
        change.map_or(Ok(Intent::None), |change| self.make(scope, change, lands))
    }

    /// Shows the effect of borders while they are typed.
    pub(super) fn drafted_borders(&mut self, scope: &Scope<super::Message>, typed: &str) {
        let Some(asked) = self.asked.clone() else { return };
        if matches!(asked, Asked::Limit { .. }) {
            return self.draft_limit(scope.shared, typed);
        }
        let Ok(editing) = self.editing_of(scope.shared) else { return };
        let change = asked.change(editing.now(), typed);
        editing.draft(scope.shared, change.and_then(|change| change.ok_or_else(String::new)));
        editing.count(&scope.link, scope.shared);
        let unfolded = match asked {
            Asked::Borders { level } => level,
            _ => Level(0),
        };
        self.grow(scope.shared, Some(unfolded), None);
    }

    /// Drops the typed text.
    pub(super) fn not_wanted(&mut self, scope: &Scope<super::Message>) {
        self.asked = None;
        if let Some(editing) = &mut self.editing {
            editing.drop_draft();
            editing.count(&scope.link, scope.shared);
        }
        self.grow(scope.shared, None, None);
    }

    fn ask(&mut self, shared: &Shared, asked: Asked) -> Result<Intent, String> {
        let editing = self.editing_of(shared)?;
        let question = asked.question(editing.now());
        self.asked = Some(asked);
        Ok(Intent::Ask(question))
    }

    /// Makes a change, shows it, and starts to count its effect.
    fn make(
        &mut self,
        scope: &Scope<super::Message>,
        change: Change,
        lands: Option<(Level, String)>,
    ) -> Result<Intent, String> {
        let editing = self.editing_of(scope.shared)?;
        let levels = editing.now().top();
        let bands = match &change {
            Change::Borders { level, .. } => Some(*level),
            _ => None,
        };
        let message = editing.apply(scope.shared, change)?;
        let is_higher = editing.now().top() > levels;
        editing.drop_draft();
        editing.count(&scope.link, scope.shared);
        self.marks = Marks::default();
        let here = self.level(scope.shared, self.attribute);
        let unfolded = match (bands, &lands) {
            (Some(level), _) => level,
            (None, Some((level, _))) => Level(level.0.saturating_sub(u8::from(is_higher))).min(here),
            (None, None) => here,
        };
        self.grow(scope.shared, Some(unfolded), lands);
        Ok(Intent::Say(message))
    }

    /// Takes the last change back, or makes it again.
    pub(super) fn step_changes(
        &mut self,
        scope: &Scope<super::Message>,
        forward: bool,
    ) -> Result<Intent, String> {
        // The tree still shows the hierarchy before the change.
        let here = self.under_cursor(scope.shared);
        let editing = self.editing.as_mut().filter(|editing| editing.attribute == self.attribute);
        let message =
            editing.and_then(|editing| editing.step(scope.shared, forward)).ok_or("there is no change")?;
        let editing = self.editing.as_mut().ok_or("there is no change")?;
        editing.count(&scope.link, scope.shared);
        self.marks = Marks::default();
        self.grow(scope.shared, None, here);
        Ok(Intent::Say(message))
    }

    /// Whether a line of the project can be changed, which is then read again.
    fn can_change_project(&self, shared: &Shared) -> Result<(), String> {
        if self.editing.as_ref().is_some_and(|editing| editing.history.is_changed()) {
            let (save, back) = (shared.key("hierarchies.save"), shared.key("undo"));
            return Err(format!(
                "this is written into the project, which is read again; save your changes first ({save}), or take \
                 them back ({back})"
            ));
        }
        if shared.runs.unfinished() > 0 {
            let stop = shared.key("releases.stop-all");
            return Err(format!("searches run under the project of now; stop them first ({stop})"));
        }
        Ok(())
    }

    /// Marks the labels of a level that were found and that an edit may change.
    fn mark_found(&mut self, shared: &Shared, level: Level, label: &str) -> Result<Intent, String> {
        let find = shared.key("hierarchies.find");
        let wanted = self.search.clone().ok_or_else(|| format!("find labels first ({find})"))?;
        let hierarchy = self.editing_of(shared)?.now();
        hierarchy.check_can_change(label).map_err(|error| error.to_string())?;
        let lowest = hierarchy.lowest_level(level, label);
        let is_one = |found: &&&str| {
            is_in(found, &wanted)
                && hierarchy.check_can_change(found).is_ok()
                && hierarchy.lowest_level(level, found) == lowest
        };
        let labels: BTreeSet<String> =
            hierarchy.labels(level).iter().filter(is_one).map(|found| (*found).to_owned()).collect();
        let message = format!("{} marked at level {lowest}", text::count(labels.len() as u64));
        self.marks = Marks { level: lowest, labels };
        Ok(Intent::Say(message))
    }

    /// Writes another file for the hierarchy into the project, which is then read again.
    fn choose_file(&mut self, shared: &Shared, typed: &str) -> Result<Intent, String> {
        let named = pipeline::hierarchies::choose(&shared.analysis, self.attribute, Path::new(typed.trim()));
        let named = named.map_err(|error| chain(&error))?;
        (self.editing, self.asked) = (None, None);
        Ok(Intent::Errand(Errand::Reread(format!("the project uses {named}"))))
    }

    /// Shows the widest cell under a limit while it is typed.
    fn draft_limit(&mut self, shared: &Shared, typed: &str) {
        let (problem, attribute) = (&shared.problem, self.attribute);
        let cell = match read_limit(problem, attribute, typed) {
            Ok(limit) => Form::under(problem, attribute, limit).widest_cell(problem, attribute),
            Err(wrong) => format!("✗ {wrong}"),
        };
        if let Some(widest) = self.widest.get_mut(attribute) {
            *widest = cell;
        }
    }

    /// Writes the limit into the project, which is then read again.
    fn save_limit(&mut self, shared: &Shared, typed: &str) -> Result<Intent, String> {
        let limit = read_limit(&shared.problem, self.attribute, typed)?;
        pipeline::limit_line::save(&shared.analysis, self.attribute, limit).map_err(|error| chain(&error))?;
        let name = &shared.problem.quasi()[self.attribute].name;
        let line = limit.key().map_or_else(|| "no limit".to_owned(), |key| format!("`{key}`"));
        self.editing = None;
        self.asked = None;
        Ok(Intent::Errand(Errand::Reread(format!("{name}: {line} is in the project"))))
    }

    fn ask_for_name(&mut self, shared: &Shared) -> Result<Intent, String> {
        let unchanged = "this hierarchy has no changes";
        let editing =
            self.editing.as_ref().filter(|editing| editing.attribute == self.attribute).ok_or(unchanged)?;
        if !editing.history.is_changed() {
            return Err(unchanged.to_owned());
        }
        if shared.runs.unfinished() > 0 {
            let stop = shared.key("releases.stop-all");
            return Err(format!("searches use the old hierarchies; stop them first ({stop})"));
        }
        let file = pipeline::hierarchies::file(&shared.analysis, editing.attribute, editing.now());
        let (_, path) = file.map_err(|error| chain(&error))?;
        let folder = path.parent().unwrap_or_else(|| Path::new("")).to_owned();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let asked = Asked::Save { folder };
        let mut question = asked.question(editing.now());
        question.text = name;
        self.asked = Some(asked);
        Ok(Intent::Ask(question))
    }

    /// Saves the hierarchy and writes its file into the project, which is then read again.
    fn save(&mut self, shared: &Shared, target: &Path) -> Result<Intent, String> {
        let Some(editing) = &self.editing else { return Ok(Intent::None) };
        let (attribute, kept) = (editing.attribute, palmtop_release::history::kept(shared.analysis.path()));
        let saved = pipeline::hierarchies::save(&shared.analysis, attribute, editing.now(), target, &kept);
        let saved = saved.map_err(|error| chain(&error))?;
        let message = format!("saved {}; the project uses it", saved.named);
        self.editing = None;
        self.asked = None;
        self.grow(shared, None, None);
        Ok(Intent::Errand(Errand::Reread(message)))
    }

    /// The editing of the chosen attribute's hierarchy; it begins on the first edit.
    fn editing_of(&mut self, shared: &Shared) -> Result<&mut Editing, String> {
        let attribute = self.attribute;
        if let Some(editing) = self.editing.as_ref().filter(|editing| editing.attribute != attribute) {
            if editing.history.is_changed() {
                let name = &shared.problem.quasi()[editing.attribute].name;
                let (save, back) = (shared.key("hierarchies.save"), shared.key("undo"));
                return Err(format!(
                    "{name} has unsaved changes: on its screen, {save} saves them, {back} takes them back"
                ));
            }
            self.editing = None;
        }
        if self.editing.is_none() {
            self.editing = Some(Editing::begin(shared, attribute)?);
        }
        self.editing.as_mut().ok_or_else(String::new)
    }

    /// The label under the cursor, and its level.
    pub(super) fn under_cursor(&self, shared: &Shared) -> Option<(Level, String)> {
        let tree = self.tree()?;
        let branch = tree.row(tree.cursor())?;
        let hierarchy = self.problem(shared).hierarchy(self.attribute);
        Some((branch.level, label(hierarchy, branch).to_owned()))
    }
}
