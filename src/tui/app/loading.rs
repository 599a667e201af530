//! What is seen until the project is loaded: the stage, how far it is, how long it has taken.
//!
//! ```text
//!  palmtop
//!
//!  loading clinic.toml
//!  reading the public table   ██████████░░░░░░░░░░  51 %   12.3 MB of 24.0 MB   1.2 s
//!
//!  q stops
//! ```

use palmtop::pipeline::LoadStage;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

use crate::tui::app::{App, Loading};
use crate::tui::kit::{bar, text};

/// Draws it.
pub(crate) fn render(frame: &mut Frame, area: Rect, app: &App, loading: &Loading) {
    let theme = app.settings.theme;
    let width = usize::from(area.width);
    let name = loading.path.display().to_string();
    let seconds = format!("{:.1} s", loading.started.elapsed().as_secs_f64());
    let mut lines = vec![
        Line::styled(" palmtop", theme.strong()),
        Line::raw(""),
        Line::raw(text::fit(&format!(" loading {name}"), width)),
        Line::raw(""),
    ];
    let Some(progress) = loading.progress else {
        lines.push(Line::raw(format!(" …   {seconds}")));
        frame.render_widget(Paragraph::new(lines), area);
        return;
    };
    let amount = match progress.stage {
        LoadStage::Public | LoadStage::Private => {
            format!("{} of {}", text::bytes(progress.done), text::bytes(progress.total))
        }
        _ if progress.total > 1 => {
            format!("{} of {}", text::count(progress.done), text::count(progress.total))
        }
        _ => String::new(),
    };
    for stage in LoadStage::ALL {
        let line = match stage.cmp(&progress.stage) {
            std::cmp::Ordering::Less => Line::styled(format!(" ✓ {stage}"), theme.good()),
            std::cmp::Ordering::Equal => {
                let share = bar::ratio(progress.done, progress.total);
                let drawn = bar::share(share, 20);
                Line::raw(text::fit(
                    &format!(" ▸ {:<27}{drawn}  {amount}   {seconds}", stage.to_string()),
                    width,
                ))
            }
            std::cmp::Ordering::Greater => Line::styled(format!("   {stage}"), theme.faint()),
        };
        lines.push(line);
    }
    lines.push(Line::raw(""));
    lines.push(Line::styled(" q stops", theme.faint()));
    frame.render_widget(Paragraph::new(lines), area);
}
