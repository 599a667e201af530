//! A notice: a text that is too long for the status line.

pub(crate) mod view;

use crossterm::event::KeyCode;
use ratatui::layout::Rect;

use crate::kit::page::Page;
use crate::kit::scroll::Scroll;
use crate::shared::component::{Component, Context, Event};
use crate::shared::intent::Intent;

/// The open notice.
pub(crate) struct Notice {
    title: String,
    pub(crate) text: String,
    scroll: Scroll,
}

impl Notice {
    /// A notice, shown from its first row.
    pub(crate) fn new(title: String, text: String) -> Self {
        Self { title, text, scroll: Scroll::default() }
    }
}

impl Component for Notice {
    /// A key that does not scroll closes the notice. Over a project, the key of a command also runs that command: the
    /// analyst has read the notice and goes on working.
    fn handle(&mut self, context: &Context, event: Event) -> Result<Intent, String> {
        let Event::Key(key) = event else { return Ok(Intent::None) };
        if self.scroll.key(key) {
            return Ok(Intent::None);
        }
        let is_answer = matches!(key.code, KeyCode::Enter | KeyCode::Esc | KeyCode::Char(' '));
        let command = context.command_of(key).filter(|(_, binding)| binding.id != "close");
        if context.shared.is_some() && command.is_some() && !is_answer {
            return Ok(Intent::Many(vec![Intent::Close, Intent::PassKey(key)]));
        }
        Ok(Intent::Close)
    }

    fn draw(&self, page: &mut Page, area: Rect, _: &Context) {
        view::render(page, area, (&self.title, &self.text), self.scroll.row);
    }
}
