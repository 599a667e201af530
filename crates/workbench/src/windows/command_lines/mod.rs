//! The list of command lines that do what the workbench did. The analyst copies one, all, or writes all to a file.

pub(crate) mod view;

#[cfg(test)]
mod tests;

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::Rect;

use crate::kit::command::Movement;
use crate::kit::hits::Target;
use crate::kit::page::Page;
use crate::shared::component::{Component, Context, Event};
use crate::shared::intent::{Errand, Figures, Intent};

/// The open list.
pub(crate) struct CommandList {
    /// The index of a line.
    pub(crate) cursor: usize,
}

impl CommandList {
    /// Handles a key.
    fn press(&mut self, context: &Context, key: KeyEvent) -> Intent {
        let lines = context.shared.map_or(&[][..], |shared| shared.commands.lines());
        if let Some(movement) = Movement::in_list(key.code) {
            movement.shift(&mut self.cursor, lines.len());
            return Intent::None;
        }
        let figures = |what, lines: &[String]| Figures { what, content: format!("{}\n", lines.join("\n")) };
        let errand = match key.code {
            KeyCode::Char('y') | KeyCode::Enter => {
                let Some(line) = lines.get(self.cursor) else { return Intent::None };
                Errand::Copy(figures("the command", std::slice::from_ref(line)))
            }
            KeyCode::Char('a') => Errand::Copy(figures("the commands", lines)),
            KeyCode::Char('Y') => Errand::CopyToFile(figures("the commands", lines)),
            _ => return Intent::Close,
        };
        Intent::Errand(errand)
    }
}

impl Component for CommandList {
    /// A click on a line moves the cursor to it.
    fn handle(&mut self, context: &Context, event: Event) -> Result<Intent, String> {
        match event {
            Event::Key(key) => return Ok(self.press(context, key)),
            Event::Click(Target::Row(row)) => self.cursor = row,
            _ => {}
        }
        Ok(Intent::None)
    }

    fn draw(&self, page: &mut Page, area: Rect, context: &Context) {
        if let Some(shared) = context.shared {
            view::render(page, area, shared.commands.lines(), self.cursor);
        }
    }
}
