//! The keys of a window or of its field, over it.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::kit::page::Page;
use crate::kit::{text, window};
use crate::shared::component::{Component, Context, Event};
use crate::shared::intent::Intent;

/// The keys of a field, and what they do.
pub(crate) const FIELD_KEYS: &[(&str, &str)] = &[
    ("letters", "go into the field, ? and q too"),
    ("Enter", "takes what is typed"),
    ("Esc", "goes back, or closes the dialog"),
    ("Tab", "the next field; in a path, the rest of a name"),
    ("← →", "move the cursor; ^A to the start, ^E to the end"),
    ("^U", "clears the field up to the cursor"),
    ("^C", "quits, after a question"),
];

/// The width of the keys.
const KEYS: usize = 13;

/// Keys, and what they do. Any key closes the list.
pub(crate) struct KeyHelp(pub(crate) &'static [(&'static str, &'static str)]);

impl Component for KeyHelp {
    fn handle(&mut self, _: &Context, event: Event) -> Result<Intent, String> {
        Ok(if let Event::Key(_) = event { Intent::Close } else { Intent::None })
    }

    fn draw(&self, page: &mut Page, area: Rect, _: &Context) {
        let theme = page.theme;
        let line = |(keys, does): &(&str, &str)| {
            Line::from(vec![
                Span::styled(format!(" {}", text::fit(keys, KEYS)), theme.accent().patch(theme.strong())),
                Span::raw((*does).to_owned()),
            ])
        };
        let lines = self.0.iter().map(line).collect();
        window::render(page, area, ("keys of a dialog", theme.strong()), lines, 0);
    }
}
