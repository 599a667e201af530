//! The workbench: presence histogram, classes worst first, the step table.
//!
//! ```text
//! │ histogram                       │ steps           │      below 160 columns: histogram, steps, classes, one above
//! │ classes, worst first            │ path            │      the other
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
use crate::kit::{histogram, text};
use crate::shared::classes::{explained, table as classes};
use crate::shared::runs::Run;
use crate::shared::screen::Sight;
use crate::shared::view::short_name;
use palmtop_search::Strategy;

const RIGHT: u16 = 74;
/// The rows of classes that stay in sight beside the steps.
const CLASSES: u16 = 6;
/// From this width on, the class under the cursor is explained beside the classes.
const BESIDE: u16 = 120;
/// The width of that explanation.
const EXPLAINED: u16 = 50;

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
        0..14 => 0,
        14..28 => 4,
        _ => 7,
    };
    let is_beside = area.width >= BESIDE;
    let below = if area.height >= 28 && !is_beside { 6 } else { 0 };
    // The classes stay in sight; the step table scrolls.
    let most = area.height.saturating_sub(chart + below + 2 + CLASSES).max(area.height / 3);
    let [chart, step, table, chosen] = Layout::vertical([
        Constraint::Length(chart),
        Constraint::Length(attributes.saturating_add(2).min(most)),
        Constraint::Fill(1),
        Constraint::Length(below),
    ])
    .areas(area);
    let (table, chosen) = if is_beside {
        let columns = [Constraint::Fill(1), Constraint::Length(EXPLAINED)];
        let [table, chosen] = Layout::horizontal(columns).spacing(1).areas(table);
        (table, chosen)
    } else {
        (table, chosen)
    };
    // If both do not fit, the focus on the classes shows the class under the cursor.
    if chosen.height == 0 && sight.screen.pane == Pane::Classes {
        explained::render(page, chart, sight.shared);
    } else {
        render_histogram(page, chart, sight);
    }
    steps::render(page, step, sight);
    classes::render_table(page, table, sight.shared, sight.screen.pane == Pane::Classes);
    explained::render(page, chosen, sight.shared);
}

fn render_histogram(page: &mut Page, area: Rect, sight: Sight<'_, Workbench>) {
    let theme = page.theme;
    if area.height < 3 {
        return;
    }
    let width = usize::from(area.width);
    let mut lines = vec![rule(theme, "people of P by presence", "┴ δ", width, false)];
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
    let name = |step: &palmtop_release::history::Step| short_name(&step.recoding, step.delta);
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
