//! What every screen has: the title, the verdict, the footer and the status.
//!
//! ```text
//!  clinic   T 800   P 20,000   δ up to 10 %   node 3,2,2,0,0,0                loss .274
//!  ✗ 12 of 341 classes fail: 255 of 800 members are in them                         ! 2
//!  …
//!  next: 3, then r, runs the searches                              saved clinic · step 3
//!  1 Data  [2 Classes]  3 Releases  4 δ  5 Files   h finer  l coarser  Tab pane      ? :
//! ```

use palmtop_core::model::Problem;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::state::{App, Phase, Ready};
use super::tabs;
use crate::kit::keymap::Keymap;
use crate::kit::name::ScreenName;
use crate::kit::page::Page;
use crate::kit::text;
use crate::kit::theme::Theme;
use crate::shared::state::Shared;
use crate::shared::view::View;
use palmtop_release::caution::{self, Caution};
use palmtop_release::history::Action;

/// What the app knows while it draws a frame.
pub(crate) struct Surroundings<'a> {
    pub(crate) keymap: &'a Keymap,
    /// What just happened, or why a command could not run.
    pub(crate) status: &'a str,
    /// How many keys wait for a count; it replaces the status.
    pub(crate) waiting: Option<String>,
    /// Whether a window or a question takes the keys.
    pub(crate) is_covered: bool,
}

/// Draws the title, the verdict, the footer and the status; returns the area between them.
pub(crate) fn render(page: &mut Page, surroundings: &Surroundings, ready: &Ready) -> Rect {
    let shared = &ready.shared;
    let areas = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Fill(1),
        Constraint::Length(1),
        Constraint::Length(1),
    ]);
    let [title, verdict, body, status, last] = areas.areas(page.area());
    let theme = page.theme;
    page.render_widget(title_line(theme, shared, usize::from(title.width)), title);
    page.render_widget(verdict_line(theme, ready, usize::from(verdict.width)), verdict);
    page.render_widget(status_line(theme, surroundings, ready, usize::from(status.width)), status);
    tabs::render(page, last, surroundings.keymap, shared.open, true);
    body
}

/// δ and the other criteria of the policy, as they were typed.
fn policy_text(problem: &Problem) -> String {
    let (delta, criteria) = (problem.delta(), problem.policy().criteria());
    let bounds = format!("δ {}", text::delta(delta));
    let bounds = if criteria.is_empty() { bounds } else { format!("{bounds}, {}", criteria.short()) };
    let suppression = problem.policy().suppression();
    if suppression.is_none() { bounds } else { format!("{bounds}, withdrawn ≤ {suppression}") }
}

fn title_line(theme: Theme, shared: &Shared, width: usize) -> Line<'static> {
    let loss = shared.current_view().map(|view| text::loss(view.release().metrics.loss.mean()));
    let loss = loss.map(|loss| format!(" loss {loss} ")).unwrap_or_default();
    let name = text::safe(shared.analysis.name());
    // How many members are left out of T, or added to P, because P lacks them. They are never cut.
    let (notes, total) = (shared.analysis.notes(), shared.problem.total());
    let mut private = format!("T {}", text::count(total.private));
    if notes.dropped() > 0 {
        private += &format!(" of {}", text::count(total.private + notes.dropped()));
    }
    let mut public = format!("P {}", text::count(total.public));
    if notes.added() > 0 {
        public += &format!(" with {} of T", text::count(notes.added()));
    }
    let rest =
        format!("   {private}   {public}   {}   {}", policy_text(&shared.problem), shared.recipe_name());
    let room = width.saturating_sub(text::width(&loss) + 1);
    let name = text::fit(&name, room.saturating_sub(text::width(&rest)).max(8).min(text::width(&name)));
    Line::from(vec![
        Span::styled(text::fit(&format!(" {name}{rest}"), room + 1), theme.strong()),
        Span::raw(loss),
    ])
}

/// How many cautions wait for the analyst.
fn cautions_mark(theme: Theme, shared: &Shared) -> Span<'static> {
    let key = shared.key("cautions");
    match shared.cautions_here() {
        None => Span::styled(format!("{key} … "), theme.faint()),
        Some(Err(_)) => Span::styled(format!("{key} ✗ "), theme.bad()),
        Some(Ok(shown)) => {
            let style = if shown.cautions.iter().any(Caution::is_open) {
                theme.bad()
            } else if shown.cautions.is_empty() && shown.headline.is_some() {
                theme.faint()
            } else {
                theme.warning()
            };
            // A release's own are counted once it keeps δ.
            let more = if shown.headline.is_none() { "+" } else { "" };
            Span::styled(format!("{key} {}{more} ", shown.cautions.len()), style)
        }
    }
}

fn verdict_line(theme: Theme, ready: &Ready, width: usize) -> Line<'static> {
    let shared = &ready.shared;
    let Some(view) = shared.current_view() else {
        if let Some(why) = &shared.missing {
            let sentence = format!(" ? {} is not counted: {}", shared.recipe_name(), text::safe(why));
            return Line::styled(text::fit(&sentence, width), theme.bad());
        }
        let sentence = format!(" … counting {}", shared.recipe_name());
        return Line::styled(text::fit(&sentence, width), theme.warning());
    };
    let mark = cautions_mark(theme, shared);
    let room = width.saturating_sub(text::width(&mark.content) + 1);
    // A screen with several verdicts names its recipe.
    let whose = if ready.screens.get(shared.open).0.shows_others {
        format!(" {}:", shared.recipe_name())
    } else {
        String::new()
    };
    let (style, forms) = verdict(view, shared.problem.total().private);
    let forms: Vec<String> = forms.into_iter().map(|form| format!("{whose} {form}")).collect();
    let sentence = text::longest_that_fits(&forms, room);
    let style = if style { theme.good() } else { theme.bad() };
    Line::from(vec![Span::styled(text::fit(&sentence, room + 1), style), mark])
}

/// Whether a release keeps its policy, and the sentence that says so, in shorter and shorter forms. No rounded figure
/// promises more than the exact one.
fn verdict(view: &View, people: u64) -> (bool, Vec<String>) {
    let (summary, release) = (view.summary, view.release());
    let classes = text::counted(summary.classes, "class", "classes");
    let keep = if summary.classes == 1 { "keeps" } else { "keep" };
    if summary.violations() == 0 {
        let (min, max) = (caution::at_least(release.achieved.min), caution::at_most(release.achieved.max));
        let withdrawn = match release.withdrawn() {
            0 => String::new(),
            withdrawn => format!("; {} withdrawn", text::counted(withdrawn, "member", "members")),
        };
        return (
            true,
            vec![
                format!("✓ {classes} {keep} δ: presence {min} to {max}{withdrawn}"),
                format!("✓ {classes} {keep} δ: {min} to {max}{withdrawn}"),
                format!("✓ δ: {min} to {max}{withdrawn}"),
                "✓ δ".to_owned(),
            ],
        );
    }
    let broken = text::count(summary.violations());
    let exposed = format!("{} of {} members are in them", text::count(summary.exposed), text::count(people));
    let over = match (summary.over, summary.under) {
        (0, 0) => String::new(),
        (over, 0) => format!("  ▲{}", text::count(over)),
        (over, under) => format!("  ▲{} ▼{}", text::count(over), text::count(under)),
    };
    let criteria = match summary.breaking {
        0 => String::new(),
        breaking => format!("  ✗{} {}", text::count(breaking), release.policy.criteria().short()),
    };
    let start = format!("✗ {broken} of {classes} fail");
    (
        false,
        vec![
            format!("{start}: {exposed}{over}{criteria}"),
            format!("{start}: {exposed}{criteria}"),
            format!("{start}{over}{criteria}"),
            start,
        ],
    )
}

/// What leads on from here, until a release was written: the first minutes need no manual.
fn next_line(shared: &Shared) -> Option<String> {
    if shared.log.steps().iter().any(|step| step.action == Action::Exported) {
        return None;
    }
    let key = |id| shared.key(id);
    if shared.why_infeasible().is_some() {
        return Some(format!("next: no release can keep this δ; {} changes it", key("delta")));
    }
    if shared.runs.unfinished() > 0 {
        return None;
    }
    if shared.open == ScreenName::RELEASES {
        let [run, open, export] = ["releases.run", "releases.open", "export"].map(key);
        return Some(match shared.best_found() {
            None => format!("next: {run} runs the search under the cursor"),
            Some(_) => format!("next: {open} opens the release under the cursor, {export} writes it"),
        });
    }
    let view = shared.current_view()?;
    if view.summary.violations() == 0 {
        return Some(format!("next: {} writes this release", key("export")));
    }
    Some(match shared.best_found() {
        Some(_) => format!("next: {} shows what the searches found", key("tab.releases")),
        None => format!("next: {}, then {}, runs the searches", key("tab.releases"), key("releases.run")),
    })
}

fn status_line(theme: Theme, surroundings: &Surroundings, ready: &Ready, width: usize) -> Line<'static> {
    let shared = &ready.shared;
    let running = shared.runs.unfinished();
    let mut right = String::new();
    if running > 0 {
        right = format!("{} to go · ", text::counted(running, "search", "searches"));
        if let Some((strategy, percent)) = shared.runs.furthest() {
            right = format!("{strategy} {percent} % · {right}");
        }
    }
    for progress in ready.screens.all().map(|screen| screen.state().progress) {
        if !progress.is_empty() {
            right = format!("{right}{progress} · ");
        }
    }
    let saved = shared.saver.path().map(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        format!("saved {} · ", text::safe(&name))
    });
    let step = format!("step {} of {} ", shared.log.current(), shared.log.steps().len() - 1);
    right = format!("{right}{}{step}", saved.as_deref().unwrap_or_default());
    let room = width.saturating_sub(text::width(&right));
    // A message to the analyst comes before what leads on.
    let message = surroundings.waiting.as_deref().unwrap_or(surroundings.status);
    // What leads on is about the screen, whose keys do nothing below a window.
    let leads_on = message.is_empty() && !surroundings.is_covered;
    let next = if leads_on { next_line(shared) } else { None };
    let message = next.as_deref().unwrap_or(message);
    if text::width(message) + 2 > room {
        return Line::styled(status_message(message, surroundings.keymap, width), theme.warning());
    }
    let style = if next.is_some() { theme.accent() } else { theme.warning() };
    Line::from(vec![
        Span::styled(text::fit(&format!(" {message}"), room), style),
        Span::styled(right, theme.faint()),
    ])
}

/// A message for the status line. If it is cut, the key that shows the rest follows.
pub(super) fn status_message(message: &str, keymap: &Keymap, width: usize) -> String {
    let message = format!(" {message}");
    if text::width(&message) <= width {
        return text::fit(&message, width);
    }
    let hint = format!(" {} shows all", keymap.hint("messages"));
    format!("{}{hint}", text::fit(&message, width.saturating_sub(text::width(&hint))))
}

/// Draws what fits if there is no room for a screen: the verdict of a project, and what to do.
pub(super) fn render_too_small(page: &mut Page, app: &App, least: (u16, u16)) {
    let area = page.area();
    let width = usize::from(area.width);
    let needs = format!("palmtop needs {} x {}; this is {} x {}", least.0, least.1, area.width, area.height);
    let question = app.windows.question().map(|question| question.brief(&app.settings.keymap));
    let mut lines = match &app.phase {
        Phase::Ready(ready) => vec![verdict_line(app.settings.theme, ready, width)],
        _ => Vec::new(),
    };
    let wrapped = [needs].into_iter().chain(question).flat_map(|text| text::wrap(&text, width.max(1)));
    lines.extend(wrapped.map(Line::raw));
    page.render_widget(Paragraph::new(lines), area);
}
