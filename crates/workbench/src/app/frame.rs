//! What every screen has: the title, the verdict, the footer and the status.
//!
//! ```text
//!  A town and its clinic   δ 0 to 1/10   node 3,2,2                           ? help
//!  ✗ FAILS  12 of 341 classes  ▲9 over  ▼3 under   255 private people (2.5 %)  loss .274
//!  …
//!  h ← finer  l → coarser  u undo  s strategies  c compare  e export  ? help  q Esc close
//!  2 searches running
//! ```

use palmtop_core::model::{Presence, Problem};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::commands::{Command as All, WindowName};
use super::registry::{self, Command};
use super::state::{App, Phase, Ready};
use super::tabs;
use crate::kit::command::Binding;
use crate::kit::keymap::Keymap;
use crate::kit::name::ScreenName;
use crate::kit::page::Page;
use crate::kit::text;
use crate::kit::theme::Theme;
use crate::shared::state::Shared;

/// What the app knows while it draws a frame.
pub(crate) struct Surroundings<'a> {
    pub(crate) keymap: &'a Keymap,
    /// What just happened, or why a command could not run.
    pub(crate) status: &'a str,
    /// How many keys wait for a count; it replaces the status.
    pub(crate) waiting: Option<String>,
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
    let [title, verdict, body, footer, status] = areas.areas(page.area());
    let theme = page.theme;
    page.render_widget(title_line(theme, shared, usize::from(title.width)), title);
    page.render_widget(verdict_line(theme, ready, usize::from(verdict.width)), verdict);
    let keymap = surroundings.keymap;
    page.render_widget(footer_line(theme, keymap, shared.open, usize::from(footer.width)), footer);
    page.render_widget(status_line(theme, surroundings, ready, usize::from(status.width)), status);
    body
}

/// δ and the other criteria of the policy; `write` writes a bound.
fn delta_text(problem: &Problem, write: fn(Presence) -> String) -> String {
    let (delta, criteria) = (problem.delta(), problem.policy().criteria());
    let bounds = format!("δ {} to {}", write(delta.min()), write(delta.max()));
    let bounds = if criteria.is_empty() { bounds } else { format!("{bounds}, {}", criteria.short()) };
    let suppression = problem.policy().suppression();
    if suppression.is_none() { bounds } else { format!("{bounds}, withdrawn ≤ {suppression}") }
}

fn title_line(theme: Theme, shared: &Shared, width: usize) -> Line<'static> {
    let help = format!("{} help ", shared.key("help"));
    let help = help.as_str();
    let name = text::safe(shared.analysis.name());
    // How many members are left out of T, or added to P, because P lacks them.
    let count = |sign, people: u64| {
        if people == 0 { String::new() } else { format!(" {sign}{}", text::count(people)) }
    };
    let (analysis, notes) = (&shared.analysis, shared.analysis.notes());
    let private = format!("{}{}", analysis.private_name(), count("−", notes.dropped()));
    let public = format!("{}{}", analysis.public_name(), count("+", notes.added()));
    let tables = format!("{private} ⊂ {public}");
    let (delta, view) = (delta_text(&shared.problem, text::presence), shared.recipe_name());
    let full = format!(" {name}   {}   {delta}   {view}", text::safe(&tables));
    let room = width.saturating_sub(text::width(help) + 1);
    let shown = if text::width(&full) <= room {
        full
    } else {
        let delta = delta_text(&shared.problem, text::short_presence);
        // The numbers of members left out or added are never cut.
        let rest = format!("{}{}   {delta}   {view}", count("−", notes.dropped()), count("+", notes.added()));
        let name_room = room.saturating_sub(text::width(&rest) + 1);
        format!(" {}{rest}", text::fit(&name, name_room.min(text::width(&name))))
    };
    Line::from(vec![
        Span::styled(text::fit(&shown, room + 1), theme.strong()),
        Span::styled(text::fit(help, width.saturating_sub(room + 1)), theme.faint()),
    ])
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
    let (summary, release) = (view.summary, view.release());
    let people = shared.problem.total().private;
    let loss = format!("loss {} ", text::loss(release.metrics.loss.mean()));
    let classes = text::counted(summary.classes, "class", "classes");
    // A screen with several verdicts names its recipe.
    let whose = if ready.screens.get(shared.open).0.shows_others { " workbench" } else { "" };
    let (style, sentence) = if summary.violations() == 0 {
        let (min, max) = (release.achieved.min, release.achieved.max);
        let start = match release.withdrawn() {
            0 => format!("{whose} ✓ δ-PRESENT   all {classes}"),
            withdrawn => {
                let members = text::counted(withdrawn, "member", "members");
                format!("{whose} ✓ δ-PRESENT   all {classes}, {members} withdrawn")
            }
        };
        let forms = [
            format!("{start}   presence {} to {}", text::presence(min), text::presence(max)),
            format!("{start}   presence {min} to {max}"),
            format!("{start}   presence {:.4} to {:.4}", min.to_f64(), max.to_f64()),
            start,
        ];
        (theme.good(), text::longest_that_fits(&forms, width.saturating_sub(text::width(&loss) + 1)))
    } else {
        let exposed = text::count(summary.exposed);
        let percent = text::percent(summary.exposed, people);
        let broken = text::count(summary.violations());
        let (over, under) = (text::count(summary.over), text::count(summary.under));
        let mut start = format!("{whose} ✗ FAILS  {broken} of {classes}");
        if summary.breaking > 0 {
            start.push_str(&format!(
                "  ✗{} {}",
                text::count(summary.breaking),
                release.policy.criteria().short()
            ));
        }
        let forms = [
            format!("{start}  ▲{over} over  ▼{under} under   {exposed} members of T ({percent} %)"),
            format!("{start}  ▲{over} over  ▼{under} under  {exposed} members ({percent} %)"),
            format!("{start}  ▲{over} ▼{under}  {exposed} members ({percent} %)"),
            format!("{start}  ▲{over} ▼{under}"),
            start,
        ];
        let room = width.saturating_sub(text::width(&loss) + 1);
        (theme.bad(), text::longest_that_fits(&forms, room))
    };
    let room = width.saturating_sub(text::width(&loss));
    Line::from(vec![Span::styled(text::fit(&sentence, room), style), Span::raw(loss)])
}

fn footer_line(theme: Theme, keymap: &Keymap, screen: ScreenName, width: usize) -> Line<'static> {
    let mut spans = Vec::new();
    let mut used = 0;
    // Every footer has the keys of the searches, the export and the palette.
    let wanted =
        |(_, binding): &(usize, &Binding)| !binding.short.is_empty() && binding.opens != Some(screen);
    let last = |(index, _): &(usize, &Binding)| {
        matches!(
            registry::command(*index),
            Command::All(
                All::Show(ScreenName::RELEASES) | All::Window(WindowName::Export | WindowName::Palette)
            )
        )
    };
    let lines: Vec<_> = keymap.on_screen(screen).filter(wanted).collect();
    let needed =
        |line: &(usize, &Binding)| text::width(&keymap.first(line.0)) + text::width(line.1.short) + 3;
    let kept: usize = lines.iter().filter(|line| last(line)).map(needed).sum();
    let first = lines.iter().filter(|line| !last(line)).take_while(|line| {
        used += needed(line);
        used + kept <= width
    });
    for (index, binding) in first.chain(lines.iter().filter(|line| last(line))) {
        spans.push(Span::styled(format!(" {}", keymap.first(*index)), theme.accent().patch(theme.strong())));
        spans.push(Span::styled(format!(" {} ", binding.short), theme.faint()));
    }
    Line::from(spans)
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
    let jobs = right.clone();
    let saved = shared.saver.path().map(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        format!("saved {} · ", text::safe(&name))
    });
    let step = format!("step {} of {} ", shared.log.current(), shared.log.steps().len() - 1);
    right = format!("{jobs}{}{step}", saved.as_deref().unwrap_or_default());
    let room = width.saturating_sub(text::width(&right));
    // A message to the analyst comes before the progress.
    let status = surroundings.waiting.as_deref().unwrap_or(surroundings.status);
    if status.is_empty() {
        // The file and the step give way to the names of the tabs, and those to running jobs.
        let short = if saved.is_some() { "saved " } else { "" };
        let forms = [right.clone(), format!("{jobs}{short}"), jobs.clone()];
        let keymap = surroundings.keymap;
        let room = width.saturating_sub(tabs::named_width(keymap));
        let right = forms.into_iter().find(|form| text::width(form) <= room).unwrap_or(jobs);
        let mut line =
            Line::from(tabs::tabs(theme, keymap, shared.open, width - text::width(&right).min(width)));
        if !line.spans.is_empty() {
            line.push_span(" ".repeat(width.saturating_sub(line.width() + text::width(&right))));
            line.push_span(Span::styled(right, theme.faint()));
            return line;
        }
    }
    if text::width(status) + 2 > room {
        return Line::styled(status_message(status, surroundings.keymap, width), theme.warning());
    }
    Line::from(vec![
        Span::styled(text::fit(&format!(" {status}"), room), theme.warning()),
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
