//! The release under the cursor, in full: what its strategy is, how far its search is, or its figures in the chosen set.

use palmtop_core::model::{EmptyRegions, Presence};
use palmtop_search::Strategy;
use palmtop_search::release::Achieved;
use ratatui::style::Style;
use ratatui::text::Line;

use super::set::ColumnSet;
use super::state::Releases;
use super::{risk, utility};
use crate::kit::rule::rule;
use crate::kit::theme::Theme;
use crate::kit::{histogram, text};
use crate::shared::runs::{Outcome, Run};
use crate::shared::screen::Sight;
use crate::shared::state::Shared;
use crate::shared::view::Candidate;

/// The lines of the pane by loss, with its histogram.
pub(super) const BY_LOSS: u16 = 3 + HISTOGRAM + 1;
/// The lines of the histogram, with its heading.
const HISTOGRAM: u16 = 8;

/// The lines of the pane.
pub(super) fn lines(
    theme: Theme,
    sight: Sight<'_, Releases>,
    here: Option<&Candidate>,
    (width, height): (usize, usize),
) -> Vec<Line<'static>> {
    if height == 0 {
        return Vec::new();
    }
    let (shared, screen) = (sight.shared, sight.screen);
    let left = height - 1;
    let running = screen.strategy().and_then(|strategy| of_running(shared, strategy));
    let mut lines = match (here, screen.strategy()) {
        (Some(candidate), _) => {
            let measured = of_set(theme, sight, candidate, (width, left));
            let running = running.map(|line| Line::styled(text::fit(&line, width), theme.strong()));
            running.into_iter().chain(measured).collect()
        }
        (None, Some(strategy)) => of_strategy(theme, shared, strategy, running.as_deref(), width),
        (None, None) => vec![Line::styled(" it is no longer pinned", theme.faint())],
    };
    lines.insert(0, rule(theme, &screen.name(shared), &remark(shared, screen.strategy()), width, false));
    lines.truncate(height);
    lines
}

/// Why the search of a strategy ended, and how long it took.
fn remark(shared: &Shared, strategy: Option<Strategy>) -> String {
    let Some(outcome) = strategy.and_then(|strategy| shared.outcome(strategy)) else { return String::new() };
    let report = outcome.report;
    let nodes = report.nodes.map(|nodes| format!(" · {} nodes", text::count(nodes)));
    let rounds = report.rounds.map(|rounds| format!(" · {rounds} rounds from seed 0"));
    let proven =
        report.lower.map(|lower| format!(" · no node below {}", text::loss((lower * 1e3).floor() / 1e3)));
    let facts = [nodes, rounds, proven].into_iter().flatten().collect::<String>();
    format!("{} · {:.2} s{facts}", outcome.end(), outcome.seconds)
}

/// How far a search is, with the loss that an export would have if it stopped now.
fn of_running(shared: &Shared, strategy: Strategy) -> Option<String> {
    let Run::Running { step, started, .. } = shared.run(strategy)? else { return None };
    let best = step.as_ref().and_then(|step| step.stage.best);
    let best = best.map(|best| format!("   loss {} if it stops now", text::loss(best)));
    let stop = shared.key("releases.stop");
    let elapsed = started.elapsed().as_secs_f64();
    Some(format!(" running{}   {stop} stops it   {elapsed:.1} s", best.unwrap_or_default()))
}

/// What a strategy without a release is, and why it has none.
fn of_strategy(
    theme: Theme,
    shared: &Shared,
    strategy: Strategy,
    running: Option<&str>,
    width: usize,
) -> Vec<Line<'static>> {
    let room = width.saturating_sub(2);
    let plain = |sentence: &str, style: Style| -> Vec<Line<'static>> {
        let wrapped = text::wrap(sentence, room).into_iter();
        wrapped.map(|line| Line::styled(format!(" {line}"), style)).collect()
    };
    let run = shared.key("releases.run");
    let mut lines = match shared.run(strategy) {
        None if shared.why_refused(strategy).is_some() => Vec::new(),
        None if shared.found_before(strategy).is_some() => {
            plain(&format!("found in an earlier session: {run} makes it again"), theme.strong())
        }
        None => plain(&format!("next: {run} runs it"), theme.strong()),
        Some(Run::Waiting) => plain("it waits until another search has ended", theme.strong()),
        Some(Run::Running { .. }) => plain(running.unwrap_or_default().trim_start(), theme.strong()),
        Some(Run::Broken(why)) => plain(&format!("✗ {why}; {run} runs it again"), theme.bad()),
        Some(Run::Done(outcome)) => plain(&why_none(shared, outcome), theme.bad()),
    };
    lines.extend(plain(&description(shared, strategy), theme.faint()));
    lines
}

/// Why no release was found, with the deciding numbers.
fn why_none(shared: &Shared, outcome: &Outcome) -> String {
    shared.why_infeasible().unwrap_or_else(|| {
        if outcome.was_stopped() {
            return format!("{} before it had a release", outcome.end());
        }
        let total = shared.problem.total();
        let share = format!("|T|/|P| is {}/{}", text::count(total.private), text::count(total.public));
        format!("no release of this kind keeps δ, though {share} lies within it")
    })
}

/// The description of a strategy; for one without an end, also the time when it stops.
fn description(shared: &Shared, strategy: Strategy) -> String {
    let info = strategy.info();
    if let Some(why) = shared.why_refused(strategy) {
        return format!("{}; it cannot run: {why}", info.title);
    }
    let empty = if info.family.finds_regions() { empty_regions(shared) } else { String::new() };
    if !info.family.draws() {
        return format!("{}{empty}", info.title);
    }
    let [stop, sets] = ["releases.stop", "releases.seconds"].map(|id| shared.key(id));
    let budget = shared.runs.budget;
    let rounds = budget.rounds.map_or_else(String::new, |rounds| format!(", {rounds} rounds at most"));
    let seconds = budget.limit.as_secs();
    format!(
        "for {seconds} seconds{rounds} or until {stop}, from seed 0 ({sets} sets the seconds): {}",
        info.title
    )
}

/// Whether regions without members may be published, if that is not the paper's rule.
fn empty_regions(shared: &Shared) -> String {
    match shared.problem.empty_regions() {
        _ if shared.problem.delta().min() > Presence::ZERO => "; no region without members".to_owned(),
        EmptyRegions::Allow => String::new(),
        EmptyRegions::Forbid => "; the project forbids regions without members".to_owned(),
    }
}

/// The figures of a release in the chosen set.
fn of_set(
    theme: Theme,
    sight: Sight<'_, Releases>,
    candidate: &Candidate,
    size: (usize, usize),
) -> Vec<Line<'static>> {
    let (shared, screen) = (sight.shared, sight.screen);
    let failed = |why: &str| {
        let wrapped = text::wrap(&format!("not measured: {why}"), size.0.saturating_sub(2));
        wrapped.into_iter().map(|line| Line::styled(format!(" {line}"), theme.bad())).collect()
    };
    let waiting = |failure: Option<&str>| {
        failure.map_or_else(|| vec![Line::styled(" measuring …", theme.faint())], failed)
    };
    match screen.set {
        ColumnSet::Loss => of_loss(theme, sight, candidate, size),
        ColumnSet::Risk => match screen.risks.of(candidate) {
            Some(Ok((risk, worst))) => risk::in_full(theme, shared, size, (risk, worst)),
            Some(Err(why)) => failed(why),
            None => waiting(screen.risks.failure()),
        },
        ColumnSet::Utility => match screen.utilities.of(candidate) {
            Some(Ok(utility)) => utility::in_full(theme, size, utility),
            Some(Err(why)) => failed(why),
            None => waiting(screen.utilities.failure()),
        },
    }
}

/// What a release is, and what tells its loss from another one's.
fn of_loss(
    theme: Theme,
    Sight { shared, screen }: Sight<'_, Releases>,
    candidate: &Candidate,
    (width, height): (usize, usize),
) -> Vec<Line<'static>> {
    let release = &candidate.measured.release;
    let metrics = &release.metrics;
    let verdict = match candidate.measured.broken(shared.problem.policy()) {
        0 => "✓ keeps δ".to_owned(),
        broken => format!(
            "✗ {} of {} fail",
            text::count(broken),
            text::counted(release.classes.len(), "class", "classes")
        ),
    };
    let withdrawn = match release.withdrawn() {
        0 => String::new(),
        withdrawn => format!("   {} withdrawn", text::count(withdrawn)),
    };
    let readability = &metrics.readability;
    let facts = [
        format!("{verdict}{withdrawn}"),
        format!("loss {}", text::loss(metrics.loss.mean())),
        format!("presence {}", presence(release.achieved, screen.has_more)),
        format!(
            "{} of {} have members",
            text::count(release.released_classes()),
            text::counted(release.classes.len(), "class", "classes"),
        ),
        format!("{:.1} members a class", metrics.average_class_size),
        format!("{:.1} terms a cell, at most {}", readability.terms, readability.most_terms),
        format!("discernibility {}", text::count(metrics.discernibility)),
    ];
    let mut lines: Vec<Line> = packed(&facts, width).into_iter().map(Line::raw).collect();
    let rows = height.saturating_sub(lines.len() + 2).min(usize::from(HISTOGRAM));
    if rows >= 3 {
        lines.push(rule(theme, "people of P by presence", "", width, false));
        let people = candidate.measured.people();
        let total = shared.problem.total().public;
        let drawn = histogram::lines(people, total, shared.problem.delta(), width, rows - 2);
        lines.extend(drawn.into_iter().map(Line::raw));
    }
    lines
}

/// The bounds of presence in per cent, and exactly if they are wanted so.
fn presence(achieved: Achieved, is_exact: bool) -> String {
    let percent = text::span(achieved.min, achieved.max);
    if is_exact { format!("{percent}, exactly {} to {}", achieved.min, achieved.max) } else { percent }
}

/// Facts side by side, as many in a line as fit in full.
fn packed(facts: &[String], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for fact in facts {
        match lines.last_mut() {
            Some(line) if text::width(line) + 3 + text::width(fact) <= width => {
                line.push_str("   ");
                line.push_str(fact);
            }
            _ => lines.push(text::fit(&format!(" {fact}"), width.min(text::width(fact) + 1))),
        }
    }
    lines
}
