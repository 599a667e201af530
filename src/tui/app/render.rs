//! One pure draw function a screen.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::widgets::Paragraph;

use crate::tui::app::{App, Overlay, Phase};
use crate::tui::kit::name::ScreenName;
use crate::tui::kit::text;
use crate::tui::{overlays, screens};

/// The least that the layouts are made for; below it, a plain message.
const LEAST: (u16, u16) = (60, 16);

/// Draws the whole state.
pub(crate) fn render(frame: &mut Frame, app: &App) {
    let area = frame.area();
    match &app.phase {
        Phase::Loading(loading) => super::loading::render(frame, area, app, loading),
        Phase::Failed(failure) => frame.render_widget(Paragraph::new(text::safe(failure)), area),
        Phase::Ready(session) => {
            session.hits.clear();
            let is_too_small = area.width < LEAST.0 || area.height < LEAST.1;
            app.is_too_small.set(is_too_small);
            if is_too_small {
                super::frame::render_too_small(frame, app, session, LEAST);
                return;
            }
            let theme = app.settings.theme;
            let body = super::frame::render(frame, app, session);
            match session.screen {
                ScreenName::Workbench => screens::workbench::view::render(frame, body, theme, session),
                ScreenName::Classes => screens::classes::view::render(frame, body, theme, session),
                ScreenName::Lattice => screens::lattice::view::render(frame, body, theme, session),
                ScreenName::Searches => screens::searches::view::render(frame, body, theme, session),
                ScreenName::Compare => screens::compare::view::render(frame, body, theme, session),
                ScreenName::TradeOff => screens::trade_off::view::render(frame, body, theme, session),
                ScreenName::Hierarchies => screens::hierarchies::view::render(frame, body, theme, session),
                ScreenName::Tables => screens::tables::view::render(frame, body, theme, session),
            }
            // What opens over the screen leaves the verdict in sight.
            let over = Rect { y: area.y + 2, height: area.height - 2, ..area };
            if app.overlay.is_some() {
                // What lies behind cannot be clicked.
                session.hits.clear();
            }
            match &app.overlay {
                Some(Overlay::Export(dialog)) => {
                    overlays::export::view::render(frame, over, theme, session, dialog)
                }
                Some(Overlay::Help(row)) => overlays::help::render(frame, over, app, session.screen, *row),
                Some(Overlay::Palette(palette)) => {
                    overlays::palette::view::render(frame, over, app, session, palette)
                }
                Some(Overlay::Delta(dialog)) => {
                    overlays::delta::view::render(frame, over, theme, session, dialog)
                }
                Some(Overlay::History(cursor)) => {
                    overlays::history::render(frame, over, theme, session, *cursor)
                }
                Some(Overlay::Prompt(prompt)) => overlays::prompt::view::render(frame, area, theme, prompt),
                None => {}
            }
            if app.asks_to_quit {
                super::frame::render_question(frame, area, app);
            }
        }
    }
}
