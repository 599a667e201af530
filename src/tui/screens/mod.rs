//! One pure draw function a screen.

mod frame;
mod workbench;
mod classes;
mod selected;
mod steps;
mod strategies;
mod compare;
mod comparison;
mod difference;
mod export;
mod help;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

use super::app::{App, Overlay, Phase, ScreenName};
use super::widgets::text;

/// Draws the whole state.
pub(crate) fn render(frame: &mut Frame, app: &App) {
    let area = frame.area();
    match &app.phase {
        Phase::Loading(path) => {
            let name = text::safe(&path.display().to_string());
            let lines = vec![Line::raw(" palmtop"), Line::raw(""), Line::raw(format!(" loading {name} …"))];
            frame.render_widget(Paragraph::new(lines), area);
        }
        Phase::Failed(failure) => frame.render_widget(Paragraph::new(text::safe(failure)), area),
        Phase::Ready(session) => {
            let body = frame::render(frame, app, session);
            match session.screen {
                ScreenName::Workbench => workbench::render(frame, body, app.theme, session),
                ScreenName::Strategies => strategies::render(frame, body, app.theme, session),
                ScreenName::Compare => compare::render(frame, body, app.theme, session),
            }
            // What opens over the screen leaves the verdict in sight, unless there is no room at all.
            let top = if area.height >= 12 { 2 } else { 0 };
            let over = Rect { y: area.y + top, height: area.height - top, ..area };
            match &app.overlay {
                Some(Overlay::Export(dialog)) => export::render(frame, over, app.theme, session, dialog),
                Some(Overlay::Help) => help::render(frame, over, app.theme),
                None => {}
            }
            if app.asks_to_quit {
                frame::render_question(frame, area, app);
            }
        }
    }
}
