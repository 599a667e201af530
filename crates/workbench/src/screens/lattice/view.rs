//! The lattice: a row per height, the coarsest on top, less loss to the left.
//!
//! ```text
//!  240 nodes   age 0–4 · zip 0–5 · edu 0–3 · sex 0–1       │ this node            │  from 160 columns on: node,
//!  ✓ 120 pass  ✗ 120 fail   34 checked, 206 implied  ★ .316│ share by height      │  shares and frontier beside
//! ─ coarse ↑ ───────── a mark per node, less loss at left · ✓/n ─                       and below the map
//!   12           ○ ○ ○ ○                                  4
//! ▸ 11       ○ ● ◆ ○ ● ★ ○ · ·                            7
//! ─ fine ↓ ──────────────────────── height 11: node 3 of 9 ─
//!          age 2    zip 1    edu 2    sex 0
//!  coarser ○ +.066  ○ +.041  ○ +.101  ○ +.250
//!  finer   · −.038  · −.050  × −.024  the end
//!  ✗ breaks δ, counted   loss .274   341 classes …
//! ```

use palmtop_search::Strategy;
use palmtop_search::{LatticeSurvey, StopReason};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::fitting::{distinct, first_that_fits};
use super::map::LatticeMap;
use super::walk::{LatticeWalk, Survey};
use super::{panes as lattice_panes, rows as lattice_rows};
use crate::kit::layout::WIDE;
use crate::kit::page::Page;
use crate::kit::theme::Theme;
use crate::kit::{bar, text};
use crate::shared::runs::Outcome;
use crate::shared::screen::Sight;

/// The width of the panes at the right.
const RIGHT: u16 = 70;

/// Draws the screen.
pub(crate) fn render(page: &mut Page, area: Rect, theme: Theme, sight: Sight<'_, LatticeWalk>) {
    match sight.screen.map() {
        Some(map) if area.width >= WIDE => render_wide(page, area, theme, sight, map),
        Some(map) => render_narrow(page, area, theme, sight, map),
        None => render_unsurveyed(page, area, theme, sight),
    }
}

fn render_narrow(page: &mut Page, area: Rect, theme: Theme, sight: Sight<'_, LatticeWalk>, map: &LatticeMap) {
    let width = usize::from(area.width);
    let detail = lattice_panes::node_across(theme, sight, Some(map), width);
    let mut heading = vec![nodes_line(sight, width), verdicts_line(theme, map, width)];
    let mut below = detail;
    if area.height < 16 {
        heading.remove(0);
        below.truncate(4);
    }
    if area.height >= 16 {
        below.push(weakness(theme, sight, width));
        below.push(legend(theme, map, area.width));
    }
    let lines = |lines: &[Line]| Constraint::Length(u16::try_from(lines.len()).unwrap_or(u16::MAX));
    let [head, rows, foot] =
        Layout::vertical([lines(&heading), Constraint::Fill(1), lines(&below)]).areas(area);
    page.render_widget(Paragraph::new(heading), head);
    lattice_rows::render(page, rows, theme, sight, map);
    page.render_widget(Paragraph::new(below), foot);
}

fn render_wide(page: &mut Page, area: Rect, theme: Theme, sight: Sight<'_, LatticeWalk>, map: &LatticeMap) {
    let width = usize::from(area.width);
    let [head, body] = Layout::vertical([Constraint::Length(2), Constraint::Fill(1)]).areas(area);
    let heading = vec![nodes_line(sight, width), verdicts_line(theme, map, width)];
    page.render_widget(Paragraph::new(heading), head);
    let [left, right] =
        Layout::horizontal([Constraint::Fill(1), Constraint::Length(RIGHT)]).spacing(1).areas(body);
    let legend = vec![weakness(theme, sight, usize::from(left.width)), legend(theme, map, left.width)];
    let marks_height = u16::try_from(legend.len()).unwrap_or(u16::MAX);
    let wanted = u16::try_from(map.heights() + lattice_rows::OTHERS).unwrap_or(u16::MAX);
    let [rows, frontier, marks] = Layout::vertical([
        Constraint::Length(wanted.min(left.height.saturating_sub(marks_height))),
        Constraint::Fill(1),
        Constraint::Length(marks_height),
    ])
    .areas(left);
    lattice_rows::render(page, rows, theme, sight, map);
    // The complete map has priority. The frontier needs at least a heading and two nodes.
    if frontier.height >= 4 {
        lattice_panes::render_frontier(page, frontier, theme, sight, map);
    }
    page.render_widget(Paragraph::new(legend), marks);
    let node = lattice_panes::node_down(theme, sight, map, usize::from(RIGHT));
    let node_height = u16::try_from(node.len()).unwrap_or(u16::MAX);
    let [upper, lower] =
        Layout::vertical([Constraint::Length(node_height), Constraint::Fill(1)]).areas(right);
    page.render_widget(Paragraph::new(node), upper);
    lattice_panes::render_shares(page, lower, theme, sight, map);
}

/// The screen before the survey ends.
fn render_unsurveyed(page: &mut Page, area: Rect, theme: Theme, sight: Sight<'_, LatticeWalk>) {
    let width = usize::from(area.width);
    let mut lines = vec![nodes_line(sight, width), Line::raw("")];
    let paragraph = |sentence: &str| {
        text::wrap(sentence, width.saturating_sub(2)).into_iter().map(|line| Line::raw(format!(" {line}")))
    };
    match &sight.screen.survey {
        Survey::Running { started, step } => {
            let seconds = started.elapsed().as_secs_f64();
            let stops = if sight.screen.surveys.is_stopping() {
                "stopping".to_owned()
            } else {
                format!("{} stops it", sight.shared.key("lattice.stop"))
            };
            let (done, total) =
                step.map_or((0, sight.shared.problem.lattice().len()), |step| (step.done, step.total));
            let (all, counted) = (text::count(total), text::count(done));
            lines.push(Line::styled(
                text::fit(
                    &format!(" checking the nodes: {counted} of {all} decided   {seconds:.1} s   {stops}"),
                    width,
                ),
                theme.warning(),
            ));
            lines.push(Line::raw(format!(
                " {}",
                bar::progress(bar::ratio(done, total), width.saturating_sub(2))
            )));
        }
        Survey::TooLarge => {
            let limit = text::count(LatticeSurvey::LIMIT);
            let (workbench, find) = (sight.shared.key("workbench"), sight.shared.key("lattice.find"));
            lines.extend(paragraph(&format!(
                "The lattice has too many nodes to check and draw; the limit is {limit}. The workbench ({workbench}) \
                 can step through them, and {find} goes to a node by its levels."
            )));
        }
        Survey::Broken => {
            lines.extend(paragraph("Checking the nodes failed. Open this screen again to start over."));
        }
        Survey::Unasked | Survey::Ended(_) => {}
    }
    lines.push(Line::raw(""));
    lines.extend(lattice_panes::node_across(theme, sight, None, width));
    page.render_widget(Paragraph::new(lines), area);
}

/// The number of nodes, and the levels of each quasi-identifier.
fn nodes_line(sight: Sight<'_, LatticeWalk>, width: usize) -> Line<'static> {
    let nodes = format!(" {} nodes  ", sight.shared.problem.lattice().len_text(text::count));
    let quasi = sight.shared.problem.quasi();
    let levels = |names: usize| {
        let names = distinct(quasi.iter().map(|quasi| quasi.name.as_str()), names);
        let problem = &sight.shared.problem;
        let each = names
            .into_iter()
            .enumerate()
            .map(|(index, name)| format!("{name} {}–{}", problem.finest(index), problem.coarsest(index)));
        format!("{nodes} {}", each.collect::<Vec<_>>().join(" · "))
    };
    let coarsest = format!("{nodes} coarsest {}", sight.shared.problem.lattice().top());
    let forms = [levels(usize::MAX), levels(8), levels(4), coarsest];
    Line::raw(text::fit(&text::longest_that_fits(&forms, width), width))
}

/// The result of the survey.
fn verdicts_line(theme: Theme, map: &LatticeMap, width: usize) -> Line<'static> {
    let all = 0..map.len();
    let (pass, open) = (map.passing(all.clone()), map.open(all));
    let mut verdicts = vec![
        Span::styled(format!(" ✓ {} keep δ", text::count(pass)), theme.good()),
        Span::styled(format!("  ✗ {} break it", text::count(map.len() - pass - open)), theme.bad()),
    ];
    if open > 0 {
        verdicts.push(Span::styled(format!("  ? {} open", text::count(open)), theme.warning()));
    }
    let known = if map.is_complete() { "best" } else { "best known" };
    let best = match map.optimum() {
        Some(position) => format!("★ {known} {}", text::loss(map.loss(position))),
        None if map.stop == StopReason::Infeasible => "no node can keep δ".to_owned(),
        None => "★ none".to_owned(),
    };
    let best = vec![Span::raw("   "), Span::styled(best, theme.strong())];
    let how = format!("   {} checked, {} implied", text::count(map.checked), text::count(map.implied));
    let frontier = if map.is_complete() {
        format!("   {} on the frontier", text::count(map.frontier_len()))
    } else {
        String::new()
    };
    let faint = |sentence: String| Span::styled(sentence, theme.faint());
    let forms = [
        [verdicts.clone(), vec![faint(how.clone())], best.clone(), vec![faint(frontier)]].concat(),
        [verdicts.clone(), vec![faint(how)], best.clone()].concat(),
        [verdicts, best].concat(),
    ];
    first_that_fits(forms, width)
}

/// The note that regions lose less than nodes, with the keys that find them.
fn weakness(theme: Theme, sight: Sight<'_, LatticeWalk>, width: usize) -> Line<'static> {
    let [searches, run, best] = ["releases", "releases.run", "releases.best"].map(|id| sight.shared.key(id));
    let found = sight.shared.best_found().filter(|found| found.search.node.is_none()).and_then(Outcome::loss);
    let brief =
        found.map_or_else(|| " lose less".to_owned(), |loss| format!(": {} so far", text::loss(loss)));
    let found = found.map(|loss| format!(", {} so far", text::loss(loss))).unwrap_or_default();
    let forms = [
        format!(
            " Nodes are the weak method (full-domain: one level per column for everybody). Regions lose less{found}: {searches}, then \
             {run} runs simulatable, which is recommended ({best}: best, not audited)."
        ),
        format!(
            " Nodes are the weak method. Regions lose less{found}: {searches}, {run}: simulatable (recommended)"
        ),
        format!(" Nodes are the weak method. Regions{brief}; {searches}, {run}: simulatable, recommended"),
    ];
    let of_people =
        [format!(" Only nodes keep the rows of a person together: {searches}, {run}: spalm, the best node")];
    let forms =
        if sight.shared.why_refused(Strategy::RECOMMENDED).is_none() { &forms[..] } else { &of_people[..] };
    Line::styled(text::fit(&text::longest_that_fits(forms, width), width), theme.warning())
}

/// The meaning of the marks, as far as it fits.
fn legend(theme: Theme, map: &LatticeMap, width: u16) -> Line<'static> {
    let width = usize::from(width);
    let marks = if lattice_rows::is_folded(map, width) {
        " ▁▅█ share that keeps δ  · none  ┤ its least loss"
    } else {
        " ● ○ keep δ  × · break it (● × checked)"
    };
    let open = if map.is_complete() { "" } else { "  ? open" };
    let forms =
        ["  ★ best  ◆ the workbench now  ◇ before", "  ★ best  ◆ workbench  ◇ before", "  ★ best  ◆ now", ""];
    let forms = forms.map(|others| format!("{marks}{open}{others}"));
    Line::styled(text::fit(&text::longest_that_fits(&forms, width), width), theme.faint())
}
