//! The whole state as a frame. Nothing is changed by drawing; what was drawn where is handed back.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::widgets::Paragraph;

use super::overlay::Overlay;
use super::state::{App, Phase, Ready, Seen};
use super::{frame, loading, proposing_view};
use crate::kit::page::Page;
use crate::kit::text;
use crate::overlays;

/// The least that the layouts are made for; below it, a plain message.
const LEAST: (u16, u16) = (60, 16);

fn is_below_least(area: Rect) -> bool {
    area.width < LEAST.0 || area.height < LEAST.1
}

impl App {
    /// Draws the whole state.
    pub(crate) fn draw(&self, frame: &mut Frame) -> Seen {
        let mut page = Page::new(frame, self.settings.theme);
        let area = page.area();
        let mut is_too_small = self.seen.is_too_small;
        match &self.phase {
            Phase::Loading(loading) => loading::render(&mut page, area, loading),
            Phase::Failed(failure) => page.render_widget(Paragraph::new(text::safe(failure)), area),
            Phase::Mending(places) => overlays::places::view::render(&mut page, area, places),
            Phase::Proposing(screen) => {
                is_too_small = is_below_least(area);
                if is_too_small {
                    frame::render_too_small(&mut page, self, None, LEAST);
                } else {
                    proposing_view::render(&mut page, area, self, screen);
                }
            }
            Phase::Ready(ready) => {
                is_too_small = is_below_least(area);
                if is_too_small {
                    frame::render_too_small(&mut page, self, Some(ready), LEAST);
                } else {
                    self.draw_ready(&mut page, area, ready);
                }
            }
        }
        Seen { hits: page.hits, is_too_small }
    }

    fn draw_ready(&self, page: &mut Page, area: Rect, ready: &Ready) {
        let (shared, keymap) = (&ready.shared, &self.settings.keymap);
        let screen = ready.screens.get(shared.open);
        let body = frame::render(page, self, ready);
        screen.draw(page, body, shared);
        // What opens over the screen leaves the verdict in sight.
        let over = Rect { y: area.y + 2, height: area.height - 2, ..area };
        if self.overlay.is_some() {
            // What lies behind cannot be clicked.
            page.hits.clear();
        }
        match &self.overlay {
            Some(Overlay::Export(dialog)) => overlays::export::view::render(page, over, shared, dialog),
            Some(Overlay::Audit(window)) => overlays::audit::view::render(page, over, window),
            Some(Overlay::Help(help)) => {
                let of = (shared.open, screen.legend());
                overlays::help::view::render(page, over, keymap, of, help.scroll.row);
            }
            Some(Overlay::Glossary(glossary)) => overlays::glossary::view::render(page, over, glossary),
            Some(Overlay::Palette(palette)) => {
                overlays::palette::view::render(page, over, keymap, palette, |place| self.why_not(place));
            }
            Some(Overlay::Cautions(own)) => overlays::cautions::view::render(page, over, shared, own),
            Some(Overlay::Messages(own)) => {
                overlays::messages::view::render(page, over, &self.messages, own);
            }
            Some(Overlay::Notice(notice)) => overlays::notice::view::render(page, over, notice),
            Some(Overlay::Places(places)) => overlays::places::view::render(page, area, places),
            Some(Overlay::Delta(dialog)) => overlays::delta::view::render(page, over, shared, dialog),
            Some(Overlay::History(history)) => {
                overlays::history::view::render(page, over, shared, history.cursor);
            }
            Some(Overlay::Prompt(prompt)) => overlays::prompt::view::render(page, area, prompt),
            Some(Overlay::Choices(choices)) => overlays::choices::view::render(page, over, choices),
            None => {}
        }
        if self.is_field_help_open {
            overlays::help::view::render_fields(page, over);
        }
        if let Some(asked) = self.asked {
            frame::render_question(page, area, self, asked);
        }
    }
}
