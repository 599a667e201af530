//! The values that their hierarchies lack, and the label that each of them gets.

use std::path::PathBuf;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use palmtop_release::pipeline::{self, Unplaced, UnplacedValue};

use crate::kit::command::Movement;
use crate::kit::input::Input;
use crate::kit::text;
use crate::kit::words::chain;
use crate::shared::intent::{Errand, Intent};

/// A value, and the label that it gets.
pub(crate) struct Row {
    /// The index of its attribute in `lists`.
    pub(crate) list: usize,
    pub(crate) value: UnplacedValue,
    /// The label that the analyst accepted or chose.
    pub(crate) under: Option<String>,
}

/// The window.
pub(crate) struct UnplacedValues {
    project: PathBuf,
    pub(crate) lists: Vec<Unplaced>,
    pub(crate) rows: Vec<Row>,
    pub(crate) cursor: usize,
    /// The label, while the analyst types it.
    pub(crate) input: Option<Input>,
    /// What is wrong.
    pub(crate) wrong: Option<String>,
    /// What the last key did, if the list does not show it.
    pub(crate) said: Option<String>,
    /// Whether the help is shown.
    pub(crate) helps: bool,
    /// Whether Esc was pressed while chosen labels are not saved.
    is_leaving: bool,
}

impl UnplacedValues {
    /// The values that the hierarchies of a project lack.
    pub(crate) fn new(project: PathBuf, lists: Vec<Unplaced>) -> Self {
        let row = |list: usize| move |value: &UnplacedValue| Row { list, value: value.clone(), under: None };
        let rows = lists.iter().enumerate();
        let rows = rows.flat_map(|(list, unplaced)| unplaced.values.iter().map(row(list))).collect();
        Self {
            project,
            lists,
            rows,
            cursor: 0,
            input: None,
            wrong: None,
            said: None,
            helps: false,
            is_leaving: false,
        }
    }

    /// How many values have a label now.
    pub(crate) fn placed(&self) -> usize {
        self.rows.iter().filter(|row| row.under.is_some()).count()
    }

    /// Handles a key.
    pub(super) fn press(&mut self, key: KeyEvent) -> Intent {
        (self.wrong, self.said) = (None, None);
        let was_leaving = std::mem::take(&mut self.is_leaving);
        if std::mem::take(&mut self.helps) {
            return Intent::None;
        }
        if self.input.is_some() {
            self.typed(key);
            return Intent::None;
        }
        if let Some(movement) = Movement::in_list(key.code) {
            movement.shift(&mut self.cursor, self.rows.len());
            return Intent::None;
        }
        match key.code {
            KeyCode::Enter | KeyCode::Char(' ') => self.accept(),
            KeyCode::Char('a') => self.accept_all(),
            KeyCode::Char('c') => {
                let under = self.rows.get(self.cursor).and_then(|row| row.under.clone());
                self.input = Some(Input::new(under.unwrap_or_default()));
            }
            KeyCode::Char('w' | 'S') => return self.save(),
            KeyCode::Char('?') => self.helps = true,
            KeyCode::Char('q') => self.wrong = Some("q does nothing here: Esc leaves".to_owned()),
            KeyCode::Esc if self.placed() > 0 && !was_leaving => {
                self.is_leaving = true;
                let placed = self.placed();
                self.wrong =
                    Some(format!("{placed} chosen and not saved: w saves, Esc again leaves without"));
            }
            KeyCode::Esc => return Intent::Close,
            _ => {}
        }
        Intent::None
    }

    /// Accepts the proposed label of the value under the cursor, or takes the label back; then goes to the next value.
    fn accept(&mut self) {
        let count = self.rows.len();
        let Some(row) = self.rows.get_mut(self.cursor) else { return };
        if row.under.take().is_none() {
            let Some(nearest) = &row.value.nearest else {
                self.wrong = Some("no label is like it: c chooses one".to_owned());
                return;
            };
            row.under = Some(nearest.clone());
        }
        Movement::Down.shift(&mut self.cursor, count);
    }

    /// Accepts every proposed label. The cursor goes to the first value that is left.
    fn accept_all(&mut self) {
        let before = self.placed();
        for row in self.rows.iter_mut().filter(|row| row.under.is_none()) {
            row.under.clone_from(&row.value.nearest);
        }
        let accepted = self.placed() - before;
        let left = self.rows.len() - self.placed();
        if let Some(first) = self.rows.iter().position(|row| row.under.is_none()) {
            self.cursor = first;
        }
        let next = if left == 0 {
            "every value has a label now: w saves".to_owned()
        } else {
            let values = text::counted(left, "value has", "values have");
            format!("{values} no proposal: c chooses a label")
        };
        self.said = Some(format!("{} accepted; {next}", text::counted(accepted, "proposal", "proposals")));
    }

    /// Handles a key while a label is typed.
    fn typed(&mut self, key: KeyEvent) {
        let Some(input) = &mut self.input else { return };
        match key.code {
            KeyCode::Esc => self.input = None,
            KeyCode::Char(character) if !key.modifiers.contains(KeyModifiers::CONTROL) => {
                input.insert(character);
            }
            KeyCode::Enter => {
                let typed = input.text().trim().to_owned();
                match self.label_like(&typed) {
                    Ok(label) => {
                        self.input = None;
                        if let Some(row) = self.rows.get_mut(self.cursor) {
                            row.under = Some(label);
                        }
                    }
                    Err(wrong) => self.wrong = Some(wrong),
                }
            }
            _ => input.edit(key),
        }
    }

    /// The labels that the value under the cursor can get.
    pub(crate) fn labels(&self) -> Vec<&str> {
        let Some(row) = self.rows.get(self.cursor) else { return Vec::new() };
        let hierarchy = &self.lists[row.list].editable;
        hierarchy.labels(hierarchy.level_of_places(row.value.is_finer))
    }

    /// The label that equals a text, or the only one that begins with it in upper or lower case.
    fn label_like(&self, typed: &str) -> Result<String, String> {
        let labels = self.labels();
        if labels.contains(&typed) {
            return Ok(typed.to_owned());
        }
        let wanted = typed.to_lowercase();
        let begins = |label: &&&str| !wanted.is_empty() && label.to_lowercase().starts_with(&wanted);
        match labels.iter().filter(begins).collect::<Vec<_>>().as_slice() {
            [only] => Ok((**only).to_owned()),
            [] => Err(format!("no label begins with `{typed}`")),
            [first, second, ..] => Err(format!("`{first}` and `{second}` both begin with `{typed}`")),
        }
    }

    /// Saves the hierarchies, once all values have a label.
    fn save(&mut self) -> Intent {
        let open = self.rows.len() - self.placed();
        if open > 0 {
            self.wrong =
                Some(format!("{open} of them have no label yet: a accepts what is proposed, c chooses"));
            return Intent::None;
        }
        match self.saved() {
            Ok(sentence) => Intent::Errand(Errand::Reread(sentence)),
            Err(wrong) => {
                self.wrong = Some(wrong);
                Intent::None
            }
        }
    }

    fn saved(&self) -> Result<String, String> {
        let mut mended = Vec::new();
        for (list, unplaced) in self.lists.iter().enumerate() {
            let rows = self.rows.iter().filter(|row| row.list == list);
            let labelled: Vec<(UnplacedValue, String)> =
                rows.filter_map(|row| Some((row.value.clone(), row.under.clone()?))).collect();
            let hierarchy =
                unplaced.placed(&labelled).map_err(|error| format!("{}: {error}", unplaced.attribute))?;
            mended.push((unplaced, hierarchy));
        }
        let done = pipeline::mend(&self.project, &mended).map_err(|error| chain(&error))?;
        let names: Vec<String> = done.iter().map(|mended| mended.saved.named.clone()).collect();
        Ok(format!("saved {}, and the project names what is new", names.join(", ")))
    }
}
