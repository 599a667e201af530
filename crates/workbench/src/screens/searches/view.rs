//! The searches: `best` and SPALM, MPALM's nine as a grid (a column per column rule, a row per
//! value rule).
//!
//! ```text
//!  best, SPALM        n next              p priority          b best
//!  ┌ best ─────────┐  ┌ n1 ───────────┐   ┌ p1 ───────────┐   ┌ b1 ───────────┐
//!  │ ✓ .054 1.9/3 t│  │ ⠹ 62 %        │   │               │   │               │
//!  └───────────────┘  └───────────────┘   └───────────────┘   └───────────────┘
//! ```

use palmtop_core::metrics::Readability;
use palmtop_core::model::{EmptyRegions, Presence};
use palmtop_search::{ColumnRule, Strategy, ValueRule};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::{Block, BorderType, Paragraph};

use super::state::{COLUMNS, Searches, cells};
use crate::kit::hits::Target;
use crate::kit::page::Page;
use crate::kit::rule::rule;
use crate::kit::theme::Theme;
use crate::kit::{bar, text};
use crate::shared::runs::{Outcome, Run};
use crate::shared::screen::Sight;
use crate::shared::view::Measured;

/// Draws the screen.
pub(crate) fn render(page: &mut Page, area: Rect, theme: Theme, sight: Sight<'_, Searches>) {
    let cell_height = match area.height {
        0..20 => 3,
        _ => 4,
    };
    let cells = cells();
    let height = cell_height * u16::try_from(cells.len()).unwrap_or(u16::MAX);
    let heading = u16::from(area.height > height);
    let is_folded = sight.screen.is_folded(sight.shared);
    let legend = u16::from(!is_folded && area.height > height + 1);
    let [heading, grid, legend, detail] = Layout::vertical([
        Constraint::Length(heading),
        Constraint::Length(height),
        Constraint::Length(legend),
        Constraint::Fill(1),
    ])
    .areas(area);
    let columns = |area: Rect| -> [Rect; COLUMNS] {
        Layout::horizontal([Constraint::Ratio(1, 4); COLUMNS]).spacing(1).areas(area)
    };
    let title_of = |rule: ColumnRule| format!("{}: {}", rule.letter(), rule.title());
    let rules = ColumnRule::ALL.map(|rule| if is_folded { String::new() } else { title_of(rule) });
    let first = if is_folded { "start here" } else { "palmtop's, and SPALM" };
    let titles = std::iter::once(first.to_owned()).chain(rules);
    for (area, title) in columns(heading).into_iter().zip(titles).filter(|(area, _)| area.height > 0) {
        let title = text::fit(&format!(" {title}"), usize::from(area.width));
        page.render_widget(Line::styled(title, theme.strong()), area);
    }
    let rows = Layout::vertical(vec![Constraint::Length(cell_height); cells.len()]).split(grid);
    for (&area, &strategies) in rows.iter().zip(&cells) {
        for (area, strategy) in columns(area).into_iter().zip(strategies) {
            if let Some(strategy) = strategy.filter(|strategy| sight.screen.is_shown(sight.shared, *strategy))
            {
                let number = Strategy::all().position(|known| known == strategy);
                page.hits.note(area, Target::Row(number.unwrap_or_default()));
                render_cell(page, area, theme, sight, strategy);
            }
        }
    }
    if is_folded {
        // At the right of the left column.
        let [_, _, left, right] = columns(grid);
        render_folded(page, left.union(right), theme, sight);
        render_detail(page, detail, theme, sight);
        return;
    }
    render_legend(page, legend, theme);
    render_detail(page, detail, theme, sight);
}

/// The strategies to start with, and the key that shows the others.
fn render_folded(page: &mut Page, area: Rect, theme: Theme, sight: Sight<'_, Searches>) {
    let more = sight.shared.key("searches.more");
    let others = Strategy::all().filter(|strategy| !strategy.info().is_shown_first).count();
    let sentence = match sight.shared.why_refused(Strategy::RECOMMENDED) {
        None => vec![
            "simulatable: recommended. δ holds even if an attacker knows the algorithm.".to_owned(),
            "best: the least loss that palmtop finds. Not audited.".to_owned(),
            "spalm: one level for each attribute.".to_owned(),
            "n2: regions, cut at the first split that keeps δ.".to_owned(),
            format!("{more} shows {others} more: the paper's other strategies."),
        ],
        Some(why) => vec![
            "spalm: one level for each attribute.".to_owned(),
            format!("simulatable, best and n2 do not run: {why}."),
        ],
    };
    let width = usize::from(area.width).saturating_sub(1);
    let mut lines = Vec::new();
    for sentence in sentence {
        lines.extend(
            text::wrap(&sentence, width)
                .into_iter()
                .map(|line| Line::styled(format!(" {line}"), theme.faint())),
        );
        lines.push(Line::default());
    }
    page.render_widget(Paragraph::new(lines), area);
}

fn render_legend(page: &mut Page, area: Rect, theme: Theme) {
    let rules = ValueRule::ALL.map(|rule| format!("  {} {}", rule.digit(), rule.title())).concat();
    let sentence = text::fit(&format!(" where to cut:{rules}"), usize::from(area.width));
    page.render_widget(Line::styled(sentence, theme.faint()), area);
}

fn render_cell(page: &mut Page, area: Rect, theme: Theme, sight: Sight<'_, Searches>, strategy: Strategy) {
    let selected = sight.screen.cell == strategy;
    let border = if selected { BorderType::Double } else { BorderType::Plain };
    let style = if selected { theme.strong() } else { theme.faint() };
    let cursor = if selected { "▸ " } else { "" };
    let refused = sight.shared.why_refused(strategy);
    let is_recommended = strategy == Strategy::RECOMMENDED && refused.is_none();
    let recommended = if is_recommended { " ◈" } else { "" };
    let block = Block::bordered()
        .border_type(border)
        .border_style(style)
        .title(format!(" {cursor}{strategy}{recommended} "));
    let inner = usize::from(area.width.saturating_sub(2));
    let lines = match sight.shared.run(strategy) {
        None if refused.is_some() => vec![Line::styled(text::fit(" cannot run", inner), theme.faint())],
        None => {
            let sentence = match sight.shared.found_before(strategy) {
                Some(_) => format!(" found before: {}", sight.shared.key("searches.run")),
                None => " not run".to_owned(),
            };
            vec![Line::styled(text::fit(&sentence, inner), theme.faint())]
        }
        Some(Run::Waiting) => vec![Line::raw(text::fit(" waiting", inner))],
        Some(Run::Broken(reason)) => {
            vec![Line::styled(text::fit(&format!(" ✗ {reason}"), inner), theme.bad())]
        }
        Some(Run::Running { step, started, .. }) => {
            let elapsed = started.elapsed().as_secs_f64();
            let share = match step {
                // The strategy has no end, so the bar shows its time.
                Some(step) if step.stage.rounds.is_some() => {
                    elapsed / sight.shared.runs.budget.limit.as_secs_f64()
                }
                Some(step) => bar::ratio(step.done, step.total),
                None => 0.0,
            };
            let best = step.and_then(|step| step.stage.best).map(|best| {
                let is_least = best <= least_loss(sight);
                let star = if is_least { " ★" } else { "" };
                format!("  {}{star}", text::loss(best))
            });
            let note = best.unwrap_or_default();
            vec![
                Line::raw(text::fit(&format!(" {elapsed:.1} s{note}"), inner)),
                Line::raw(format!(" {}", bar::progress(share, inner.saturating_sub(2)))),
            ]
        }
        Some(Run::Done(outcome)) => done_lines(theme, sight, outcome, inner),
    };
    page.render_widget(Paragraph::new(lines).block(block), area);
}

/// The least loss of the releases that keep δ, with that of running searches.
fn least_loss(sight: Sight<'_, Searches>) -> f64 {
    let found = sight.shared.best_found().and_then(Outcome::loss);
    let so_far = sight.shared.best_on_its_way().map(|(_, loss)| loss);
    found.into_iter().chain(so_far).fold(f64::INFINITY, f64::min)
}

fn done_lines(
    theme: Theme,
    sight: Sight<'_, Searches>,
    outcome: &Outcome,
    width: usize,
) -> Vec<Line<'static>> {
    let Some(Measured { release, .. }) = &outcome.measured else {
        return vec![Line::styled(
            text::fit(&format!(" ✗ {}", outcome.report.stop.as_str()), width),
            theme.bad(),
        )];
    };
    let loss = release.metrics.loss.mean();
    let best = least_loss(sight);
    let seconds = format!("{:.2} s", outcome.seconds);
    let below = if outcome.was_stopped() && outcome.report.rounds.is_none() {
        " stopped early".to_owned()
    } else {
        let room = width.saturating_sub(text::width(&seconds) + 3);
        format!(" {} {seconds}", bar::share(loss, room))
    };
    let star = if loss <= best { " ★" } else { "" };
    let (sign, style) = if release.is_present() { ("✓", theme.good()) } else { ("✗", theme.bad()) };
    let loss = text::loss(loss);
    let [long, middle, short, shortest] = terms_forms(&release.metrics.readability);
    let forms = [
        format!(" {sign} loss {loss}{star}   {long}"),
        format!(" {sign} loss {loss}{star}  {middle}"),
        format!(" {sign} loss {loss}{star} {short}"),
        format!(" {sign} {loss}{star} {short}"),
        format!(" {sign} {loss}{star} {shortest}"),
        format!(" {sign} {loss}{star}"),
    ];
    vec![
        Line::styled(text::fit(&text::longest_that_fits(&forms, width), width), style),
        Line::styled(text::fit(&below, width), theme.faint()),
    ]
}

/// The mean and the largest number of terms in a cell, from the longest form to the shortest.
fn terms_forms(readability: &Readability) -> [String; 4] {
    let Readability { terms, most_terms, .. } = *readability;
    let hard = if Readability::is_hard(terms) { ", hard to read" } else { "" };
    [
        format!("terms per cell {terms:.1}, at most {most_terms}{hard}"),
        format!("terms {terms:.1}/{most_terms}"),
        format!("{terms:.1}/{most_terms} t"),
        format!("{terms:.1} t"),
    ]
}

fn render_detail(page: &mut Page, area: Rect, theme: Theme, sight: Sight<'_, Searches>) {
    if area.height == 0 {
        return;
    }
    let width = usize::from(area.width);
    let strategy = sight.screen.cell;
    let marks = match sight.shared.why_refused(Strategy::RECOMMENDED) {
        None => "◈ recommended  ★ least loss so far",
        Some(_) => "★ least loss so far",
    };
    let mut lines = vec![rule(theme, &strategy.to_string(), marks, width, false)];
    let described = text::wrap(&description(sight, strategy), width.saturating_sub(2));
    let outcome = sight.shared.outcome(strategy);
    // In little room, the result is more important.
    if outcome.is_none() || area.height > 5 {
        lines.extend(described.into_iter().map(|line| Line::styled(format!(" {line}"), theme.faint())));
    }
    if let Some(outcome) = outcome {
        let report = outcome.report;
        let nodes = report.nodes.map(|nodes| {
            let (checked, implied) = (report.checked.unwrap_or(0), report.implied.unwrap_or(0));
            format!("   {nodes} nodes: {checked} checked, {implied} implied")
        });
        let seconds = outcome.seconds;
        let rounds = report.rounds.map(|rounds| format!("   {rounds} rounds from seed 0"));
        let facts = [nodes, rounds].into_iter().flatten().collect::<String>();
        let stop = format!(" stopped: {}   {seconds:.3} s{facts}", report.stop.as_str());
        lines.push(Line::raw(text::fit(&stop, width)));
        if let Some(Measured { release, .. }) = &outcome.measured {
            let metrics = &release.metrics;
            let start = format!(
                " presence {} to {}   {}, {} released   average {:.1}",
                release.achieved.min,
                release.achieved.max,
                text::counted(release.classes.len(), "class", "classes"),
                text::count(release.released_classes()),
                metrics.average_class_size
            );
            let start = match release.withdrawn() {
                0 => start,
                withdrawn => format!("{start}   {} withdrawn", text::count(withdrawn)),
            };
            let [long, short, ..] = terms_forms(&metrics.readability);
            let full = format!("{start}   {long}   discernibility {}", text::count(metrics.discernibility));
            let forms = [full, format!("{start}   {long}"), format!("{start}   {short}"), start];
            let numbers = text::longest_that_fits(&forms, width);
            lines.push(Line::raw(text::fit(&numbers, width)));
        } else {
            lines.push(Line::styled(text::fit(&format!(" {}", why_none(sight)), width), theme.bad()));
        }
    }
    let info = strategy.info();
    if info.family.finds_regions() {
        let sentence = format!(" regions without members: {}", empty_regions(sight));
        lines.push(Line::styled(text::fit(&sentence, width), theme.faint()));
    }
    page.render_widget(Paragraph::new(lines), area);
}

/// Why no release was found, with the deciding numbers.
fn why_none(sight: Sight<'_, Searches>) -> String {
    sight.shared.why_infeasible().unwrap_or_else(|| {
        let total = sight.shared.problem.total();
        let share = format!("|T|/|P| is {}/{}", text::count(total.private), text::count(total.public));
        format!("no release of this kind keeps δ, though {share} lies within it")
    })
}

fn empty_regions(sight: Sight<'_, Searches>) -> &'static str {
    match sight.shared.problem.empty_regions() {
        _ if sight.shared.problem.delta().min() > Presence::ZERO => "none, since δmin is above 0",
        EmptyRegions::Allow => "allowed, as in the paper",
        EmptyRegions::Forbid => "forbidden by the project",
    }
}

/// The description of a strategy; for one without an end, also the time when it stops.
fn description(sight: Sight<'_, Searches>, strategy: Strategy) -> String {
    let info = strategy.info();
    if let Some(why) = sight.shared.why_refused(strategy) {
        return format!("{}; it cannot run: {why}", info.title);
    }
    if !info.family.draws() {
        return info.title.to_owned();
    }
    let [stop, sets] = ["searches.stop", "searches.seconds"].map(|id| sight.shared.key(id));
    let budget = sight.shared.runs.budget;
    let rounds = budget.rounds.map_or_else(String::new, |rounds| format!(", {rounds} rounds at most"));
    format!(
        "for {} seconds{rounds} or until {stop}, from seed 0 ({sets} sets the seconds): {}",
        budget.limit.as_secs(),
        info.title
    )
}
