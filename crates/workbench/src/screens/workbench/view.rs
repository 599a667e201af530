//! The workbench: presence histogram, classes worst first, the step table.
//!
//! ```text
//! │ histogram                       │ steps           │      below 160 columns one above the other, as they fit
//! │ classes, worst first            │ path            │
//! │ selected class                  │ searches        │
//! ```

use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::state::{Pane, Workbench};
use super::steps;
use crate::kit::layout::WIDE;
use crate::kit::page::Page;
use crate::kit::rule::rule;
use crate::kit::theme::Theme;
use crate::kit::{histogram, text};
use crate::shared::classes::{explained, table as classes};
use crate::shared::runs::Run;
use crate::shared::screen::Sight;
use crate::shared::state::Shared;
use crate::shared::view::recipe_name;
use palmtop_release::caution::Caution;
use palmtop_release::history::RecodingRecipe;
use palmtop_search::Strategy;

const RIGHT: u16 = 74;
/// From this height on the cautions have a line.
const LEAST_FOR_CAUTIONS: u16 = 9;

/// Draws the workbench.
pub(crate) fn render(page: &mut Page, mut area: Rect, sight: Sight<'_, Workbench>) {
    // No step and no search can help, so the analyst must know it.
    if let Some(why) = sight.shared.why_infeasible().filter(|_| area.height > 1) {
        let (key, width) = (sight.shared.key("policy"), usize::from(area.width));
        // The key that changes δ must be visible in any room.
        let brief = why.split(';').next().unwrap_or_default();
        let forms = [
            format!(" ✗ {why}: {key} changes δ"),
            format!(" ✗ {brief}: {key} changes δ"),
            format!(" ✗ no release can keep δ: {key} changes it"),
        ];
        let line = Line::styled(text::fit(&text::longest_that_fits(&forms, width), width), page.theme.bad());
        page.render_widget(line, Rect { height: 1, ..area });
        area = Rect { y: area.y + 1, height: area.height - 1, ..area };
    }
    if area.height > LEAST_FOR_CAUTIONS && is_raw(sight.shared) {
        let line = raw_line(page.theme, sight.shared, usize::from(area.width));
        page.render_widget(line, Rect { height: 1, ..area });
        area = Rect { y: area.y + 1, height: area.height - 1, ..area };
    }
    if area.height >= LEAST_FOR_CAUTIONS {
        let line = caution_line(page.theme, sight.shared, usize::from(area.width));
        page.render_widget(line, Rect { height: 1, ..area });
        area = Rect { y: area.y + 1, height: area.height - 1, ..area };
    }
    let attributes = u16::try_from(sight.shared.problem.quasi().len()).unwrap_or(u16::MAX);
    if area.width >= WIDE {
        let [left, right] =
            Layout::horizontal([Constraint::Fill(1), Constraint::Length(RIGHT)]).spacing(1).areas(area);
        let [chart, table, chosen] =
            Layout::vertical([Constraint::Length(9), Constraint::Fill(1), Constraint::Length(7)]).areas(left);
        let [step, path, runs] = Layout::vertical([
            Constraint::Length(attributes.saturating_add(4)),
            Constraint::Length(6),
            Constraint::Fill(1),
        ])
        .areas(right);
        render_histogram(page, chart, sight);
        classes::render_table(page, table, sight.shared, sight.screen.pane == Pane::Classes);
        explained::render(page, chosen, sight.shared);
        steps::render(page, step, sight);
        render_path(page, path, sight);
        render_runs(page, runs, sight);
        return;
    }
    let chart = match area.height {
        0..12 => 0,
        12..30 => 5,
        _ => 7,
    };
    let chosen = if area.height >= 26 { 6 } else { 0 };
    let half = area.height.saturating_sub(chart + chosen).div_ceil(2);
    let steps_height = attributes.saturating_add(2).min(half + 1);
    let [chart, table, chosen, step] = Layout::vertical([
        Constraint::Length(chart),
        Constraint::Fill(1),
        Constraint::Length(chosen),
        Constraint::Length(steps_height),
    ])
    .areas(area);
    // If both do not fit, the focus on the classes shows the class under the cursor.
    if chosen.height == 0 && sight.screen.pane == Pane::Classes {
        explained::render(page, chart, sight.shared);
    } else {
        render_histogram(page, chart, sight);
    }
    classes::render_table(page, table, sight.shared, sight.screen.pane == Pane::Classes);
    explained::render(page, chosen, sight.shared);
    steps::render(page, step, sight);
}

/// Whether the current recipe is the table as it was read: no attribute is generalized.
fn is_raw(shared: &Shared) -> bool {
    let RecodingRecipe::Node(node) = shared.recipe() else { return false };
    node.iter().zip(shared.problem.quasi()).all(|(level, quasi)| *level == quasi.hierarchy.base())
}

/// Says that the verdict is about the raw table, and how to go on.
fn raw_line(theme: Theme, shared: &Shared, width: usize) -> Line<'static> {
    let (searches, coarser) = (shared.key("releases"), shared.key("workbench.coarser"));
    let start = " Raw table: nothing is generalized yet.";
    let forms = [
        format!(
            "{start} {searches} searches for a release; {coarser} generalizes the selected attribute by a level."
        ),
        format!("{start} {searches} searches, {coarser} goes a level up."),
        start.to_owned(),
    ];
    Line::styled(text::fit(&text::longest_that_fits(&forms, width), width), theme.strong())
}

/// The number of cautions, the key that lists them, and, if room is left, what δ promises a person.
fn caution_line(theme: Theme, shared: &Shared, width: usize) -> Line<'static> {
    let key = shared.key("cautions");
    let (sentence, style) = match shared.cautions_here() {
        None => (" … counting the cautions".to_owned(), theme.faint()),
        Some(Err(_)) => (format!(" ✗ the cautions cannot be counted: {key} says why"), theme.bad()),
        Some(Ok(shown)) => {
            let style = if shown.cautions.iter().any(Caution::is_open) {
                theme.bad()
            } else if shown.cautions.is_empty() {
                theme.faint()
            } else {
                theme.warning()
            };
            let lists = format!(" {}: {key} lists them", shown.summary());
            let sentence = match &shown.headline {
                Some(headline) => text::longest_that_fits(&[format!("{lists}   {headline}"), lists], width),
                None => format!("{lists} (of the project only)"),
            };
            (sentence, style)
        }
    };
    Line::styled(text::fit(&sentence, width), style)
}

fn render_histogram(page: &mut Page, area: Rect, sight: Sight<'_, Workbench>) {
    let theme = page.theme;
    if area.height < 3 {
        return;
    }
    let width = usize::from(area.width);
    let heading = "individuals in P by the presence of their class";
    let forms = ["√ scale: half the height is a quarter of the people", "√ scale"].map(ToOwned::to_owned);
    let remark = text::longest_that_fits(&forms, width.saturating_sub(text::width(heading) + 7));
    let mut lines = vec![rule(theme, heading, &remark, width, false)];
    let Some(view) = &sight.shared.view else { return };
    let height = usize::from(area.height) - 3;
    let people = sight.shared.problem.total().public;
    let drawn = histogram::lines(view.measured.people(), people, view.delta, width, height);
    lines.extend(drawn.into_iter().map(Line::raw));
    page.render_widget(Paragraph::new(lines), area);
}

/// The steps before the current recipe.
fn render_path(page: &mut Page, area: Rect, sight: Sight<'_, Workbench>) {
    let theme = page.theme;
    let width = usize::from(area.width);
    let (steps, current) = (sight.shared.log.steps(), sight.shared.log.current());
    let name = |step: &palmtop_release::history::Step| {
        recipe_name(&step.recoding, step.delta).trim_start_matches("node ").to_owned()
    };
    let before: Vec<String> = steps[..current].iter().rev().take(12).rev().map(name).collect();
    let after: Vec<String> = steps[current + 1..].iter().take(3).map(name).collect();
    let mut path = before.join(" → ");
    if !before.is_empty() {
        path.push_str(" → ");
    }
    path.push_str(&format!("● {}", name(&steps[current])));
    if !after.is_empty() {
        path.push_str(&format!("   (undone: {})", after.join(" → ")));
    }
    let keys = ["undo", "redo", "history"].map(|id| sight.shared.key(id));
    let remark = format!("{} undo · {} redo · {} any step", keys[0], keys[1], keys[2]);
    let mut lines = vec![rule(theme, "path", &remark, width, false)];
    lines.push(Line::raw(String::new()));
    let paragraph = Paragraph::new(lines);
    page.render_widget(paragraph, area);
    let below = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
    page.render_widget(
        Paragraph::new(format!(" {path}")).wrap(ratatui::widgets::Wrap { trim: false }),
        below,
    );
}

/// The searches under the current δ.
fn render_runs(page: &mut Page, area: Rect, sight: Sight<'_, Workbench>) {
    let theme = page.theme;
    let width = usize::from(area.width);
    let searches = sight.shared.key("releases");
    let remark = format!("{searches} runs and compares them");
    let mut lines = vec![rule(theme, "searches under this δ", &remark, width, false)];
    let runs: Vec<(Strategy, &Run)> =
        Strategy::all().filter_map(|strategy| Some((strategy, sight.shared.run(strategy)?))).collect();
    if runs.is_empty() {
        let which = if sight.shared.accepts_regions() {
            "simulatable, best, SPALM and MPALM's nine"
        } else {
            "SPALM"
        };
        let sentence = format!(" none yet: {searches} opens {which}");
        lines.push(Line::styled(sentence, theme.faint()));
    }
    for (strategy, run) in runs {
        let sentence = match run {
            Run::Waiting => "waiting".to_owned(),
            Run::Running { started, .. } => format!("running {:.1} s", started.elapsed().as_secs_f64()),
            Run::Broken(text) => format!("✗ {text}"),
            Run::Done(outcome) => match &outcome.measured {
                None => format!("✗ none ({})", outcome.report.stop.as_str()),
                Some(measured) => format!(
                    "✓ loss {}   {} released   {}{:.2} s",
                    text::loss(measured.release.metrics.loss.mean()),
                    text::counted(measured.release.released_classes(), "class", "classes"),
                    match measured.release.withdrawn() {
                        0 => String::new(),
                        withdrawn => format!("{} withdrawn   ", text::count(withdrawn)),
                    },
                    outcome.seconds
                ),
            },
        };
        lines.push(Line::from(vec![
            Span::styled(format!(" {strategy:<10} "), theme.strong()),
            Span::raw(sentence),
        ]));
    }
    page.render_widget(Paragraph::new(lines), area);
}
