//! The hierarchies: the quasi-identifiers, and the labels of the chosen one with their people.
//!
//! ```text
//! ─ quasi-identifiers ───────────────────────────────────────────────────────────
//! ▸ nationality  category  ■■□ 2/3    2 labels of 7 leaves                             beside the tree from 120 columns on
//! ─ nationality ───────────────────────────── ◆ level 2: 2 labels with people ─
//!       label             level  leaves  private  public  presence
//! ▸   - *                     3       7        5       9      .556  ████████████
//!   ◆   + America             2       4        3       6      .500  ████████████
//! ```

use palmtop_core::model::{Counts, Hierarchy, Level};
use palmtop_release::history::RecodingRecipe;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::limit::Form;
use super::line::line;
use super::state::{HierarchyTree, label};
use super::tree::{Branch, LabelTree};
use crate::kit::hits::Target;
use crate::kit::layout::WIDE;
use crate::kit::layout::cursor;
use crate::kit::layout::first_row;
use crate::kit::page::Page;
use crate::kit::rule::rule;
use crate::kit::theme::Theme;
use crate::kit::{bar, text};
use crate::shared::screen::Sight;

/// From this width on, the attributes stand at the left of the tree. On a narrower screen they
/// stand above it, since labels would be cut.
const SIDE_BY_SIDE: u16 = 120;
/// The cursor, and the mark of the current level.
const MARKS: usize = 4;
/// The width of `presence`; other columns are at least as wide as their headings.
const PRESENCE: usize = 8;

/// Draws the screen.
pub(crate) fn render(page: &mut Page, area: Rect, theme: Theme, sight: Sight<'_, HierarchyTree>) {
    let [area, widest, foot] =
        Layout::vertical([Constraint::Fill(1), Constraint::Length(1), Constraint::Length(1)]).areas(area);
    let count = u16::try_from(sight.shared.problem.quasi().len()).unwrap_or(u16::MAX);
    let (list, tree) = if area.width >= SIDE_BY_SIDE {
        let list_width = if area.width >= WIDE { 60 } else { 40 };
        let [list, tree] =
            Layout::horizontal([Constraint::Length(list_width), Constraint::Fill(1)]).spacing(1).areas(area);
        (list, tree)
    } else {
        // The tree gets most of the room; the attributes scroll past the chosen one.
        let rows = count.min((area.height / 3).max(2));
        let [list, tree] = Layout::vertical([Constraint::Length(rows + 1), Constraint::Fill(1)]).areas(area);
        (list, tree)
    };
    render_attributes(page, list, theme, sight);
    render_tree(page, tree, theme, sight);
    page.render_widget(widest_row(theme, sight, usize::from(widest.width)), widest);
    page.render_widget(line(theme, sight, usize::from(foot.width)), foot);
}

/// A row with the most terms that the limits permit, the chosen attribute first.
fn widest_row(theme: Theme, sight: Sight<'_, HierarchyTree>, width: usize) -> Line<'static> {
    let quasi = sight.shared.problem.quasi();
    let chosen = sight.screen.attribute;
    let order = (0..quasi.len()).map(|step| (chosen + step) % quasi.len());
    let cells = order.filter_map(|index| {
        let cell = sight.screen.widest.get(index)?;
        // A longer text would be cut anyway.
        let start: String = cell.chars().take(width).collect();
        Some(format!("{} {}", text::safe(&quasi[index].name), text::safe(&start)))
    });
    let cells: Vec<String> = cells.collect();
    Line::styled(text::fit(&format!("   widest row: {}", cells.join(" · ")), width), theme.faint())
}

/// The quasi-identifiers, with a mark at the chosen one.
fn render_attributes(page: &mut Page, area: Rect, theme: Theme, sight: Sight<'_, HierarchyTree>) {
    let width = usize::from(area.width);
    let quasi = sight.shared.problem.quasi();
    let rows = usize::from(area.height).saturating_sub(1);
    let chosen = sight.screen.attribute;
    let first = first_row(chosen, rows, quasi.len());
    let mut remark = format!("{} next", sight.shared.key("hierarchies.next"));
    if rows < quasi.len() {
        remark = format!("{} of {} · {remark}", chosen + 1, quasi.len());
    }
    // A release by region has no levels; these are the levels of the last node.
    if matches!(sight.shared.recipe(), RecodingRecipe::Search(search) if search.node.is_none()) {
        remark = format!("levels of node {} · {remark}", sight.shared.ground.node);
    }
    let mut lines = vec![rule(theme, "quasi-identifiers", &remark, width, false)];
    let columns = AttributeColumns::of(sight, width);
    for index in first..(first + rows).min(quasi.len()) {
        lines.push(attribute_line(theme, sight, index, &columns));
    }
    let body = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
    page.hits.note_rows(body, (first..quasi.len()).map(Target::Column));
    page.render_widget(Paragraph::new(lines), area);
}

/// The widths of the columns of attributes; a column without room is left out.
struct AttributeColumns {
    name: usize,
    kind: usize,
    boxes: bool,
    level: usize,
    labels: usize,
}

impl AttributeColumns {
    fn of(sight: Sight<'_, HierarchyTree>, width: usize) -> Self {
        let quasi = sight.screen.problem(sight.shared).quasi();
        let tops = quasi.iter().map(|quasi| usize::from(quasi.hierarchy.top().0 - quasi.hierarchy.base().0));
        let boxes = tops.max().unwrap_or(0).min(8);
        let names = quasi.iter().map(|quasi| text::width(&text::safe(&quasi.name))).max().unwrap_or(0);
        let room = width.saturating_sub(2);
        let level = boxes + 6;
        let name = names.min(room.saturating_sub(level + 11).max(6));
        let rest = room.saturating_sub(name + 1 + level);
        let kind = if rest >= 32 { 10 } else { 0 };
        Self { name, kind, boxes: boxes > 0, level, labels: rest - kind }
    }
}

fn attribute_line(
    theme: Theme,
    sight: Sight<'_, HierarchyTree>,
    index: usize,
    columns: &AttributeColumns,
) -> Line<'static> {
    let quasi = &sight.screen.problem(sight.shared).quasi()[index];
    let hierarchy = &quasi.hierarchy;
    let level = sight.screen.level(sight.shared, index);
    let (base, top) = (hierarchy.base(), hierarchy.top());
    let all = usize::from(top.0 - base.0);
    let boxes = if columns.boxes && all <= 8 {
        format!("{} ", bar::level(usize::from(level.0 - base.0), all))
    } else {
        String::new()
    };
    let occurring = sight.screen.occurring(sight.screen.problem(sight.shared), index, level);
    let labels = text::counted(occurring, "label", "labels");
    let leaves = text::count(hierarchy.leaf_count());
    let limit = Form::of(&sight.shared.problem, index).words();
    let forms = [
        format!("{labels}, {leaves} leaves, {limit}"),
        format!("{labels}, {limit}"),
        limit,
        text::count(occurring),
    ];
    let shown = text::longest_that_fits(&forms, columns.labels);
    let selected = index == sight.screen.attribute;
    let style = if selected { theme.selected() } else { theme.strong() };
    Line::from(vec![
        Span::raw(cursor(selected, true)),
        Span::styled(text::fit(&quasi.name, columns.name), style),
        Span::styled(text::fit(&format!(" {}", hierarchy.kind().as_str()), columns.kind), theme.faint()),
        Span::raw(format!(" {}", text::fit(&format!("{boxes}{level}/{top}"), columns.level))),
        Span::raw(text::fit(&shown, columns.labels)),
    ])
}

/// The unfolded labels of the chosen attribute.
fn render_tree(page: &mut Page, area: Rect, theme: Theme, sight: Sight<'_, HierarchyTree>) {
    let Some(tree) = sight.screen.tree().filter(|_| area.height > 0) else { return };
    let width = usize::from(area.width);
    let attribute = sight.screen.attribute;
    let quasi = &sight.screen.problem(sight.shared).quasi()[attribute];
    let hierarchy = &quasi.hierarchy;
    let now = sight.screen.level(sight.shared, attribute);
    let rows = usize::from(area.height).saturating_sub(2);
    let first = first_row(tree.cursor(), rows, tree.row_count());
    let heads = if sight.shared.problem.people().is_some() { OF_ROWS } else { OF_PEOPLE };
    let columns = Columns::of(
        (tree, heads, sight.screen.shows_members),
        hierarchy,
        first..(first + rows).min(tree.row_count()),
        width,
    );
    let mut lines = vec![
        rule(theme, &text::safe(&quasi.name), &remark(sight, attribute, now, width), width, true),
        header(theme, &columns),
    ];
    for row in first..(first + rows).min(tree.row_count()) {
        let Some(branch) = tree.row(row) else { break };
        let is_marked = sight.screen.marks.has(label(hierarchy, branch));
        lines.push(label_line(
            theme,
            (tree, hierarchy),
            branch,
            now,
            &columns,
            (row == tree.cursor(), is_marked),
        ));
    }
    let body = Rect { y: area.y + 2, height: area.height.saturating_sub(2), ..area };
    page.hits.note_rows(body, (first..tree.row_count()).map(Target::Row));
    page.render_widget(Paragraph::new(lines), area);
}

/// The current level, and the part of the hierarchy that P does not have.
fn remark(sight: Sight<'_, HierarchyTree>, attribute: usize, now: Level, width: usize) -> String {
    let problem = sight.screen.problem(sight.shared);
    let hierarchy = problem.hierarchy(attribute);
    let labels = sight.screen.occurring(problem, attribute, now);
    let leaves = sight.screen.occurring(problem, attribute, hierarchy.base());
    let level = format!("◆ level {now} of {}", hierarchy.top());
    let counted = match labels {
        1 => format!("{level}: 1 label"),
        labels => format!("{level}: {} labels", text::count(labels)),
    };
    let in_p = format!("{} of {} leaves in P", text::count(leaves), text::count(hierarchy.leaf_count()));
    let name = text::width(&text::safe(&sight.shared.problem.quasi()[attribute].name));
    text::longest_that_fits(&[format!("{counted} · {in_p}"), counted, level], width.saturating_sub(name + 8))
}

/// The headings of the counts if each row is a person.
const OF_PEOPLE: [&str; 3] = ["T", "P", "presence"];
/// The headings of the counts if people have several rows: a label belongs to a row.
const OF_ROWS: [&str; 3] = ["T rows", "P rows", "T/P"];

/// The headings and the widths of the columns of the tree.
struct Columns {
    /// Of the counts in T and in P, and of their ratio.
    heads: [&'static str; 3],
    label: usize,
    /// 0 if the column has no room.
    level: usize,
    leaves: usize,
    /// 0 if the members of T are hidden.
    private: usize,
    public: usize,
    bar: usize,
}

impl Columns {
    /// The numbers and the labels get the width that they need, the bar the rest, and always a
    /// minimum.
    fn of(
        (tree, heads, members): (&LabelTree, [&'static str; 3], bool),
        hierarchy: &Hierarchy,
        shown: std::ops::Range<usize>,
        width: usize,
    ) -> Self {
        // The figures of the top label are the largest.
        let top = tree.top().map(|top| (top.counts, top.leaves)).unwrap_or_default();
        let wide = |count: u64, heading: &str| text::width(&text::count(count)).max(heading.len()).max(3) + 2;
        let (private, public) = (wide(top.0.private, heads[0]), wide(top.0.public, heads[1]));
        let (private, presence) = if members { (private, PRESENCE + 2) } else { (0, 0) };
        let leaves = wide(u64::from(top.1), "leaves");
        let level = if width >= 72 { 7 } else { 0 };
        let room = width.saturating_sub(MARKS + level + leaves + private + public + presence);
        let bar = match width {
            0..72 => 0,
            72..100 => 10,
            _ => 20,
        };
        let wished = shown.filter_map(|row| tree.row(row)).map(|branch| {
            // A label may have thousands of characters; a longer text would be cut anyway.
            let start: String = label(hierarchy, branch).chars().take(80).collect();
            indent(hierarchy, branch) + text::width(&text::safe(&start))
        });
        let least = room.saturating_sub(bar).min(24);
        let label = wished.max().unwrap_or(0).clamp(least, room.saturating_sub(bar));
        let bar = if bar == 0 { 0 } else { room.saturating_sub(label + 2).min(60) };
        Self { heads, label, level, leaves, private, public, bar }
    }
}

/// The columns before a label: two per level above it, and two for the mark of folding.
fn indent(hierarchy: &Hierarchy, branch: &Branch) -> usize {
    2 * usize::from(hierarchy.top().0 - branch.level.0) + 2
}

fn header(theme: Theme, columns: &Columns) -> Line<'static> {
    let mut line = format!("{}{}", " ".repeat(MARKS), text::fit("  label", columns.label));
    if columns.level > 0 {
        line.push_str(&text::right("level", columns.level));
    }
    line.push_str(&text::right("leaves", columns.leaves));
    let [private, public, ratio] = columns.heads;
    if columns.private > 0 {
        line.push_str(&text::right(private, columns.private));
    }
    line.push_str(&text::right(public, columns.public));
    if columns.private > 0 {
        line.push_str(&text::right(ratio, PRESENCE + 2));
    }
    let heading = ["  P, against the most at its level", "  P, of its level", "  of level"];
    let fitting = heading.iter().find(|heading| heading.len() <= columns.bar + 2);
    line.push_str(fitting.unwrap_or(&""));
    Line::styled(line, theme.faint())
}

fn label_line(
    theme: Theme,
    (tree, hierarchy): (&LabelTree, &Hierarchy),
    branch: &Branch,
    now: Level,
    columns: &Columns,
    (selected, marked): (bool, bool),
) -> Line<'static> {
    let Counts { public, private } = branch.counts;
    let is_now = branch.level == now;
    let fold = match (tree.is_leaf(branch), tree.is_folded(branch)) {
        (true, _) => ' ',
        (false, true) => '+',
        (false, false) => '-',
    };
    let indent = indent(hierarchy, branch).min(columns.label.saturating_sub(6)).max(2);
    let name = text::fit(label(hierarchy, branch), columns.label.saturating_sub(indent));
    let presence =
        if public == 0 { "–".to_owned() } else { format!("{:.3}", branch.counts.presence().to_f64()) };
    let mut numbers = String::new();
    if columns.level > 0 {
        numbers.push_str(&text::right(&branch.level.to_string(), columns.level));
    }
    numbers.push_str(&text::right(&text::count(u64::from(branch.leaves)), columns.leaves));
    if columns.private > 0 {
        numbers.push_str(&text::right(&text::count(private), columns.private));
    }
    numbers.push_str(&text::right(&text::count(public), columns.public));
    if columns.private > 0 {
        numbers.push_str(&text::right(&presence, PRESENCE + 2));
    }
    let mut style = match (public, is_now) {
        (0, _) => theme.faint(),
        (_, true) => theme.strong(),
        _ => Style::new(),
    };
    if selected {
        style = style.patch(theme.selected());
    }
    let mark = match (marked, is_now) {
        (true, _) => "● ",
        (false, true) => "◆ ",
        (false, false) => "  ",
    };
    let drawn = format!("{}{fold} {name}{numbers}", " ".repeat(indent - 2));
    let share = bar::scale(bar::ratio(public, tree.most(branch.level)), columns.bar);
    // Even the smallest share is visible.
    let share = if public > 0 && share == 0 { "▏".to_owned() } else { "█".repeat(share) };
    let share = if columns.bar == 0 { String::new() } else { format!("  {share}") };
    Line::from(vec![
        Span::raw(cursor(selected, true)),
        Span::styled(mark, if marked { theme.warning() } else { theme.accent() }),
        Span::styled(drawn, style),
        Span::styled(share, if is_now { theme.accent() } else { theme.faint() }),
    ])
}
