//! The panes around the map of the lattice: the node under the cursor with its neighbours, the
//! frontier, and the share of nodes that keep δ at each height.

use std::cmp::Ordering;

use palmtop_core::model::{Node, Problem};
use palmtop_search::NodeState;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::fitting::{distinct, first_that_fits};
use super::map::{LatticeMap, NodeFigures};
use super::rows::state_mark;
use super::walk::LatticeWalk;
use crate::kit::hits::Target;
use crate::kit::layout::first_row;
use crate::kit::page::Page;
use crate::kit::rule::rule;
use crate::kit::theme::Theme;
use crate::kit::{bar, text};
use crate::shared::screen::Sight;

/// The width of the words before the neighbours.
const WORDS: usize = 9;
/// A neighbour with its change of loss: `○ +.066`.
const STEP: usize = 7;

/// The node under the cursor, a column per quasi-identifier: levels, coarser, finer, verdict,
/// difference to ◆.
pub(crate) fn node_across(
    theme: Theme,
    sight: Sight<'_, LatticeWalk>,
    map: Option<&LatticeMap>,
    width: usize,
) -> Vec<Line<'static>> {
    let (node, quasi) = (&sight.screen.cursor, sight.shared.problem.quasi());
    let cell = (width.saturating_sub(WORDS) / quasi.len().max(1)).min(18);
    let mut levels = vec![Span::raw(" ".repeat(WORDS))];
    let digits = node.levels().iter().map(|level| text::width(&level.to_string())).max().unwrap_or(0);
    let names = distinct(quasi.iter().map(|quasi| quasi.name.as_str()), cell.saturating_sub(digits + 2));
    for (name, level) in names.iter().zip(node.levels()) {
        levels.push(Span::styled(text::fit(&format!("{name} {level}"), cell), theme.strong()));
    }
    let mut lines = vec![Line::from(levels)];
    if let Some(map) = map {
        let position = map.position(node);
        for (which, word) in ["coarser", "finer"].into_iter().enumerate() {
            let mut spans = vec![Span::styled(text::fit(&format!(" {word}"), WORDS), theme.faint())];
            for attribute in 0..quasi.len() {
                let neighbour = map.neighbours(position, attribute)[which];
                spans.extend(step(theme, map, position, neighbour, cell));
            }
            lines.push(Line::from(spans));
        }
    }
    lines.push(verdict_line(theme, sight, map, width));
    lines.push(standing(sight, map, width));
    lines
}

/// The node under the cursor, a line per quasi-identifier.
pub(crate) fn node_down(
    theme: Theme,
    sight: Sight<'_, LatticeWalk>,
    map: &LatticeMap,
    width: usize,
) -> Vec<Line<'static>> {
    let (node, quasi) = (&sight.screen.cursor, sight.shared.problem.quasi());
    let position = map.position(node);
    let remark = format!("{} go there", sight.shared.key("lattice.open"));
    let mut lines = vec![rule(theme, &format!("node {node}"), &remark, width, false)];
    let most = quasi.iter().map(|quasi| quasi.hierarchy.levels().count() - 1).max().unwrap_or(0).min(8);
    let (gauge, labels, cell) = (most + 6, 8, 13);
    let names = width.saturating_sub(1 + gauge + labels + 2 + 2 * cell);
    lines.push(Line::styled(
        format!(
            " {} {} {}  {}{}",
            text::fit("attribute", names - 1),
            text::fit("level", gauge),
            text::right("labels", labels - 1),
            text::fit("coarser →", cell),
            text::fit("finer ←", cell)
        ),
        theme.faint(),
    ));
    for (attribute, (quasi, level)) in quasi.iter().zip(node.levels()).enumerate() {
        let (base, top) = (quasi.hierarchy.base().0, quasi.hierarchy.top().0);
        let all = usize::from(top - base);
        let boxes = if all <= 8 { bar::level(usize::from(level.0 - base), all) } else { String::new() };
        let count = map.labels(&sight.shared.problem, node, attribute) as u64;
        let mut spans = vec![
            Span::styled(format!(" {} ", text::fit(&quasi.name, names - 1)), theme.strong()),
            Span::raw(text::fit(&format!("{} {level}/{top}", text::fit(&boxes, most)), gauge)),
            Span::styled(format!(" {}  ", text::right(&text::count(count), labels - 1)), theme.faint()),
        ];
        for neighbour in map.neighbours(position, attribute) {
            spans.extend(step(theme, map, position, neighbour, cell));
        }
        lines.push(Line::from(spans));
    }
    lines.push(Line::raw(""));
    let (state, figures) = (map.state(position), sight.screen.figures(node));
    lines.push(Line::from(vec![
        verdict(theme, sight, Some(state), figures),
        Span::raw(loss(Some(map), sight)),
    ]));
    lines.push(first_that_fits([vec![Span::raw(" "), Span::raw(classes(sight, figures))]], width));
    lines.push(Line::raw(format!(" {}", presence(sight, figures))));
    lines.push(standing(sight, Some(map), width));
    lines.push(Line::raw(""));
    lines
}

/// A neighbour: its mark, and the change of loss of the step.
fn step(
    theme: Theme,
    map: &LatticeMap,
    position: usize,
    neighbour: Option<usize>,
    cell: usize,
) -> Vec<Span<'static>> {
    let Some(neighbour) = neighbour else {
        return vec![Span::styled(text::fit("–", cell), theme.faint())];
    };
    let (mark, style) = state_mark(theme, map.state(neighbour));
    let change = text::change(map.loss(neighbour) - map.loss(position));
    let change = match cell.cmp(&STEP) {
        Ordering::Greater => format!(" {change}"),
        Ordering::Equal => change,
        Ordering::Less => String::new(),
    };
    vec![Span::styled(mark, style), Span::raw(text::fit(&change, cell.saturating_sub(1)))]
}

/// Verdict, loss and figures in one line, as far as they fit.
fn verdict_line(
    theme: Theme,
    sight: Sight<'_, LatticeWalk>,
    map: Option<&LatticeMap>,
    width: usize,
) -> Line<'static> {
    let node = &sight.screen.cursor;
    let figures = sight.screen.figures(node);
    let state = map.map(|map| map.state(map.position(node)));
    let verdict = verdict(theme, sight, state, figures);
    let (loss, classes) = (loss(map, sight), format!("   {}", classes(sight, figures)));
    let presence = format!("   {}", presence(sight, figures));
    let brief = figures.map_or_else(
        || format!("   {}", sight.screen.stand_in()),
        |figures| {
            let classes = text::counted(figures.classes, "class", "classes");
            format!("   {classes} ▲{} ▼{}", text::count(figures.over), text::count(figures.under))
        },
    );
    let forms: [Vec<String>; 4] = [
        vec![loss.clone(), classes.clone(), presence],
        vec![loss.clone(), classes],
        vec![loss.clone(), brief],
        vec![loss],
    ];
    let with_verdict =
        |form: Vec<String>| std::iter::once(verdict.clone()).chain(form.into_iter().map(Span::raw)).collect();
    first_that_fits(forms.map(with_verdict), width)
}

/// Whether the node keeps δ, or the complete policy if it has more criteria, and how that is known.
fn verdict(
    theme: Theme,
    sight: Sight<'_, LatticeWalk>,
    state: Option<NodeState>,
    figures: Option<&NodeFigures>,
) -> Span<'static> {
    let what = if sight.shared.problem.policy().criteria().is_empty() { "δ" } else { "the policy" };
    let (keeps, how) = match (state, figures) {
        (Some(NodeState::PresentImplied), _) => (true, "implied"),
        (Some(NodeState::FailsImplied), _) => (false, "implied"),
        (Some(NodeState::PresentChecked), _) => (true, "checked"),
        (Some(NodeState::FailsChecked), _) => (false, "checked"),
        (_, Some(figures)) => (figures.violations() == 0, "checked now"),
        (_, None) => return Span::styled(" ? open", theme.warning()),
    };
    let word = if keeps { "✓ keeps" } else { "✗ breaks" };
    Span::styled(format!(" {word} {what}, {how}"), theme.kept(keeps))
}

fn loss(map: Option<&LatticeMap>, sight: Sight<'_, LatticeWalk>) -> String {
    let node = &sight.screen.cursor;
    let known = map.map(|map| map.loss(map.position(node)));
    let loss = known.or(sight.screen.figures(node).map(|figures| figures.loss));
    format!("   loss {}", loss.map_or_else(|| sight.screen.stand_in().to_owned(), text::loss))
}

fn classes(sight: Sight<'_, LatticeWalk>, figures: Option<&NodeFigures>) -> String {
    let Some(figures) = figures else {
        return format!("{} classes", sight.screen.stand_in());
    };
    let all = text::counted(figures.classes, "class", "classes");
    if figures.violations() == 0 {
        return format!("{all}, all keep it");
    }
    let people = sight.shared.problem.total().private;
    let percent = text::percent(figures.exposed, people);
    let (over, under) = (text::count(figures.over), text::count(figures.under));
    let mut line = format!("{all}  ▲{over} over  ▼{under} under");
    if figures.breaking > 0 {
        let (breaking, criteria) =
            (text::count(figures.breaking), sight.shared.problem.policy().criteria().short());
        line.push_str(&format!("  ✗{breaking} {criteria}"));
    }
    format!("{line}   {} private ({percent} %)", text::count(figures.exposed))
}

fn presence(sight: Sight<'_, LatticeWalk>, figures: Option<&NodeFigures>) -> String {
    let range = |figures: &NodeFigures| format!("presence {}", text::span(figures.least, figures.greatest));
    figures.map_or_else(|| format!("presence {}", sight.screen.stand_in()), range)
}

/// The rank of the node: on the frontier, the best, and its difference to the node of the
/// workbench.
fn standing(sight: Sight<'_, LatticeWalk>, map: Option<&LatticeMap>, width: usize) -> Line<'static> {
    let (node, here) = (&sight.screen.cursor, &sight.shared.ground.node);
    let rank = match map.map(|map| (map, map.position(node))) {
        Some((map, position)) if map.optimum() == Some(position) && map.is_complete() => " ★ the best node  ",
        Some((map, position)) if map.optimum() == Some(position) => " ★ the best known  ",
        Some((map, position)) if map.frontier_rank(position).is_ok() && map.is_complete() => {
            " on the frontier  "
        }
        _ => "",
    };
    if node == here {
        return Line::raw(format!("{rank} ◆ the node of the workbench"));
    }
    let loss = map.map(|map| text::change(map.loss(map.position(node)) - map.loss(map.position(here))));
    let loss = loss.map(|change| format!(" {change}")).unwrap_or_default();
    let differing = node.levels().iter().zip(here.levels()).filter(|(one, other)| one != other).count();
    let at = |names| steps(&sight.shared.problem, here, node, names);
    let forms = [at(10), at(4), format!("{differing} attributes at another level")];
    let forms = forms.map(|form| vec![Span::raw(format!("{rank}{loss} from ◆: {form}"))]);
    first_that_fits(forms, width)
}

/// The levels that differ between two nodes: `zip 0→4  edu 2→1`.
fn steps(problem: &Problem, from: &Node, to: &Node, names: usize) -> String {
    let names = distinct(problem.quasi().iter().map(|quasi| quasi.name.as_str()), names);
    let each = names.iter().zip(from.levels().iter().zip(to.levels()));
    let steps =
        each.filter(|(_, (from, to))| from != to).map(|(name, (from, to))| format!("{name} {from}→{to}"));
    steps.collect::<Vec<_>>().join("  ")
}

/// Draws the frontier by loss, around the cursor.
pub(crate) fn render_frontier(
    page: &mut Page,
    area: Rect,
    theme: Theme,
    sight: Sight<'_, LatticeWalk>,
    map: &LatticeMap,
) {
    let width = usize::from(area.width);
    let rows = usize::from(area.height).saturating_sub(2);
    let cursor = map.frontier_rank(map.position(&sight.screen.cursor));
    let (Ok(rank) | Err(rank)) = cursor;
    let first = first_row(rank.min(map.frontier_len().saturating_sub(1)), rows, map.frontier_len());
    let remark = format!(
        "{} goes to the next of {}",
        sight.shared.key("lattice.frontier"),
        text::count(map.frontier_len())
    );
    let heading = if map.is_complete() {
        "frontier: they keep δ; no finer node keeps it"
    } else {
        "they keep δ; no finer node is known to"
    };
    let nodes = text::width(&map.lattice().top().to_string()).max(4);
    let mut lines = vec![rule(theme, heading, &remark, width, false)];
    lines.push(Line::styled(
        format!("     {} {:>6}   from ◆", text::fit("node", nodes), "loss"),
        theme.faint(),
    ));
    if map.frontier_len() == 0 {
        lines.push(Line::styled("     no node is known to keep δ", theme.faint()));
    }
    for (nth, position) in map.frontier().enumerate().skip(first).take(rows) {
        let node = map.node(position);
        let star = if map.optimum() == Some(position) { "★" } else { " " };
        let (from, loss) = (&sight.shared.ground.node, text::loss(map.loss(position)));
        let room = width.saturating_sub(5 + nodes + 10);
        let steps = if node == *from {
            "◆".to_owned()
        } else {
            text::longest_that_fits(
                &[10, 4].map(|names| steps(&sight.shared.problem, from, &node, names)),
                room,
            )
        };
        let (mark, style) = state_mark(theme, map.state(position));
        let name = text::fit(&node.to_string(), nodes);
        let is_pointed = cursor == Ok(nth);
        lines.push(Line::from(vec![
            Span::raw(if is_pointed { "▸" } else { " " }),
            Span::styled(star, theme.good()),
            Span::styled(format!(" {mark} "), style),
            if is_pointed { Span::styled(name, theme.selected()) } else { Span::raw(name) },
            Span::raw(format!(" {loss:>6}   ")),
            Span::raw(text::fit(&steps, room)),
        ]));
    }
    let body = Rect { y: area.y + 2, height: area.height.saturating_sub(2), ..area };
    page.hits.note_rows(body, map.frontier().skip(first).map(Target::Column));
    page.render_widget(Paragraph::new(lines), area);
}

/// Draws the share of nodes that keep δ at each height, around the cursor.
pub(crate) fn render_shares(
    page: &mut Page,
    area: Rect,
    theme: Theme,
    sight: Sight<'_, LatticeWalk>,
    map: &LatticeMap,
) {
    let width = usize::from(area.width);
    let rows = usize::from(area.height).saturating_sub(1);
    let cursor_row = map.row_of(map.position(&sight.screen.cursor));
    let complete = "share of nodes that keep δ, by height";
    let heading = if map.is_complete() { complete } else { "share of nodes known to keep δ, by height" };
    let from_top = |row: usize| map.heights() - 1 - row;
    let first = first_row(from_top(cursor_row), rows, map.heights());
    let mut lines = vec![rule(theme, heading, "", width, false)];
    for row in (first..map.heights()).take(rows).map(from_top) {
        let (passing, all) = (map.passing(map.row(row)) as u64, map.row(row).len() as u64);
        let share = bar::ratio(passing, all);
        let room = width.saturating_sub(5 + 8);
        lines.push(Line::from(vec![
            Span::raw(if row == cursor_row { "▸" } else { " " }),
            Span::styled(format!("{:>3} ", map.height(row)), theme.faint()),
            Span::styled(text::fit(&"█".repeat(bar::scale(share, room)), room), theme.good()),
            Span::raw(format!(" {:>5.1} %", 100.0 * share)),
        ]));
    }
    page.render_widget(Paragraph::new(lines), area);
}
