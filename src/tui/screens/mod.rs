//! One pure draw function a screen.

mod frame;
mod workbench;
mod classes;
mod explained;
mod steps;
mod lattice;
mod lattice_rows;
mod lattice_panes;
mod searches;
mod compare;
mod comparison;
mod trade_off;
mod hierarchies;
mod tables;
mod delta;
mod history;
mod palette;
mod prompt;
mod export;
mod help;
mod loading;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::widgets::Paragraph;

use super::app::{App, Overlay, Phase, ScreenName};
use super::widgets::text;

/// The least that the layouts are made for; below it, a plain message.
const LEAST: (u16, u16) = (60, 16);
/// From this width on there is room for two columns of panes.
pub(crate) const WIDE: u16 = 160;
/// From this width on there is room for more than the least.
pub(crate) const MIDDLE: u16 = 100;

/// Draws the whole state.
pub(crate) fn render(frame: &mut Frame, app: &App) {
    let area = frame.area();
    match &app.phase {
        Phase::Loading(loading) => loading::render(frame, area, app, loading),
        Phase::Failed(failure) => frame.render_widget(Paragraph::new(text::safe(failure)), area),
        Phase::Ready(session) => {
            session.hits.clear();
            let is_too_small = area.width < LEAST.0 || area.height < LEAST.1;
            app.is_too_small.set(is_too_small);
            if is_too_small {
                frame::render_too_small(frame, app, session, LEAST);
                return;
            }
            let theme = app.settings.theme;
            let body = frame::render(frame, app, session);
            match session.screen {
                ScreenName::Workbench => workbench::render(frame, body, theme, session),
                ScreenName::Classes => classes::render(frame, body, theme, session),
                ScreenName::Lattice => lattice::render(frame, body, theme, session),
                ScreenName::Searches => searches::render(frame, body, theme, session),
                ScreenName::Compare => compare::render(frame, body, theme, session),
                ScreenName::TradeOff => trade_off::render(frame, body, theme, session),
                ScreenName::Hierarchies => hierarchies::render(frame, body, theme, session),
                ScreenName::Tables => tables::render(frame, body, theme, session),
            }
            // What opens over the screen leaves the verdict in sight.
            let over = Rect { y: area.y + 2, height: area.height - 2, ..area };
            if app.overlay.is_some() {
                // What lies behind cannot be clicked.
                session.hits.clear();
            }
            match &app.overlay {
                Some(Overlay::Export(dialog)) => export::render(frame, over, theme, session, dialog),
                Some(Overlay::Help(row)) => help::render(frame, over, app, session.screen, *row),
                Some(Overlay::Palette(palette)) => palette::render(frame, over, app, session, palette),
                Some(Overlay::Delta(dialog)) => delta::render(frame, over, theme, session, dialog),
                Some(Overlay::History(cursor)) => history::render(frame, over, theme, session, *cursor),
                Some(Overlay::Prompt(prompt)) => prompt::render(frame, area, theme, prompt),
                None => {}
            }
            if app.asks_to_quit {
                frame::render_question(frame, area, app);
            }
        }
    }
}
