//! What every screen has: the title, the verdict line that never leaves, the footer, the status.
//!
//! ```text
//!  A town and its clinic   δ 0 to 1/10   node 3,2,2                           ? help
//!  ✗ FAILS  12 of 341 classes  ▲9 over  ▼3 under   255 private people (2.5 %)  loss .274
//!  …
//!  h ← finer  l → coarser  u undo  s strategies  c compare  e export  ? help  q Esc close
//!  2 searches running
//! ```

use palmtop::model::Problem;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph};

use crate::tui::app::{App, ScreenName, Session};
use crate::tui::keys::{self, Place};
use crate::tui::theme::Theme;
use crate::tui::widgets::text;

/// Draws the title, the verdict, the footer and the status; returns what is left between them.
pub(crate) fn render(frame: &mut Frame, app: &App, session: &Session) -> Rect {
    let areas = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Fill(1),
        Constraint::Length(1),
        Constraint::Length(1),
    ]);
    let [title, verdict, body, footer, status] = areas.areas(frame.area());
    frame.render_widget(title_line(app.theme, session, usize::from(title.width)), title);
    frame.render_widget(verdict_line(app.theme, session, usize::from(verdict.width)), verdict);
    frame.render_widget(footer_line(app.theme, session.screen, usize::from(footer.width)), footer);
    frame.render_widget(status_line(app, session, usize::from(status.width)), status);
    body
}

/// δ, as it is written.
pub(crate) fn delta_text(problem: &Problem) -> String {
    format!("δ {} to {}", problem.delta().min(), problem.delta().max())
}

fn title_line(theme: Theme, session: &Session, width: usize) -> Line<'static> {
    let help = "? help ";
    let name = text::safe(session.analysis.name());
    let tables = format!("{} ⊂ {}", session.analysis.private_name(), session.analysis.public_name());
    let (delta, view) = (delta_text(&session.problem), session.view.name());
    let full = format!(" {name}   {}   {delta}   {view}", text::safe(&tables));
    let room = width.saturating_sub(text::width(help) + 1);
    let shown = if text::width(&full) <= room {
        full
    } else {
        let rest = format!("   {delta}   {view}");
        let name_room = room.saturating_sub(text::width(&rest) + 1);
        format!(" {}{rest}", text::fit(&name, name_room.min(text::width(&name))))
    };
    Line::from(vec![
        Span::styled(text::fit(&shown, room + 1), theme.strong()),
        Span::styled(text::fit(help, width.saturating_sub(room + 1)), theme.faint()),
    ])
}

fn verdict_line(theme: Theme, session: &Session, width: usize) -> Line<'static> {
    let (summary, release) = (session.view.summary, &session.view.release);
    let people = session.problem.histogram().total().private;
    let loss = format!("loss {} ", text::loss(release.metrics.loss.mean()));
    let classes = text::count(summary.classes as u64);
    let (style, said) = if summary.violations() == 0 {
        let (min, max) = (release.achieved.min, release.achieved.max);
        (theme.good(), format!(" ✓ δ-PRESENT   all {classes} classes   presence {min} to {max}"))
    } else {
        let exposed = text::count(summary.exposed);
        let percent = percent(summary.exposed, people);
        let broken = text::count(summary.violations() as u64);
        let (over, under) = (text::count(summary.over as u64), text::count(summary.under as u64));
        let start = format!(" ✗ FAILS  {broken} of {classes} classes");
        let forms = [
            format!("{start}  ▲{over} over  ▼{under} under   {exposed} private people ({percent} %)"),
            format!("{start}  ▲{over} over  ▼{under} under  {exposed} private ({percent} %)"),
            format!("{start}  ▲{over} ▼{under}  {exposed} private ({percent} %)"),
            format!("{start}  ▲{over} ▼{under}  {exposed} priv"),
        ];
        let room = width.saturating_sub(text::width(&loss) + 1);
        (theme.bad(), text::longest_that_fits(&forms, room))
    };
    let room = width.saturating_sub(text::width(&loss));
    Line::from(vec![Span::styled(text::fit(&said, room), style), Span::raw(loss)])
}

#[expect(clippy::cast_precision_loss, reason = "a percentage to show")]
fn percent(part: u64, whole: u64) -> String {
    format!("{:.1}", 100.0 * part as f64 / whole.max(1) as f64)
}

fn footer_line(theme: Theme, screen: ScreenName, width: usize) -> Line<'static> {
    let place = match screen {
        ScreenName::Workbench => Place::Workbench,
        ScreenName::Strategies => Place::Strategies,
        ScreenName::Compare => Place::Compare,
    };
    let mut spans = Vec::new();
    let mut used = 0;
    for binding in
        keys::at(place).chain(keys::at(Place::Anywhere)).filter(|binding| !binding.short.is_empty())
    {
        let key = binding.written.split(' ').next().unwrap_or_default();
        let needed = text::width(key) + text::width(binding.short) + 3;
        if used + needed > width {
            break;
        }
        used += needed;
        spans.push(Span::styled(format!(" {key}"), theme.strong()));
        spans.push(Span::styled(format!(" {} ", binding.short), theme.faint()));
    }
    Line::from(spans)
}

fn status_line(app: &App, session: &Session, width: usize) -> Line<'static> {
    let running = session.runs.unfinished();
    let (counted, all) = session.steps.progress();
    let mut right = String::new();
    if running > 0 {
        right = format!("{running} searches to go · ");
    }
    if counted < all {
        right = format!("{right}neighbours {counted} of {all} · ");
    }
    right = format!("{right}undo {} ", session.undo.len());
    let room = width.saturating_sub(text::width(&right));
    Line::from(vec![
        Span::styled(text::fit(&format!(" {}", app.status), room), app.theme.warning()),
        Span::styled(right, app.theme.faint()),
    ])
}

/// Really quit?
pub(crate) fn render_question(frame: &mut Frame, area: Rect, app: &App) {
    let said = if app.is_exporting() {
        [" Quit palmtop? A release is being written; it would", " not be. y quits, any other key stays."]
    } else {
        [" Quit palmtop? What was exported stays.", " y quits, any other key stays."]
    };
    let area = centred(area, 54, 4);
    frame.render_widget(Clear, area);
    let block = Block::bordered().border_style(app.theme.strong());
    frame.render_widget(Paragraph::new(said.map(Line::raw).to_vec()).block(block), area);
}

/// A rectangle in the middle, no larger than there is room.
pub(crate) fn centred(area: Rect, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(area.width), height.min(area.height));
    Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height }
}
