//! Draws the values that their hierarchies lack.
//!
//! ```text
//!  values that no hierarchy has: 2 of 3 have a label
//!    value        people  attribute    in the label
//!  ▸ Kanada          120  nationality  ✓ N. America
//!    Bolivia           3  nationality  ? S. America
//!  Enter accept  a accept all proposed  c choose  w save, read again  ? help  Esc leave
//! ```

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Paragraph};

use super::state::{Row, UnplacedValues};
use crate::kit::layout::{cursor, first_row};
use crate::kit::page::Page;
use crate::kit::text;
use crate::kit::theme::Theme;

/// Draws the window over the screen.
pub(crate) fn render(page: &mut Page, area: Rect, window: &UnplacedValues) {
    let theme = page.theme;
    let width = usize::from(area.width);
    if window.helps {
        help(page, area, window);
        return;
    }
    let share =
        format!("{} of {} have a label", text::count(window.placed()), text::count(window.rows.len()));
    let title = format!(" values that no hierarchy has: {share}");
    let columns = Columns::of(window, width);
    let mut lines = vec![
        Line::styled(text::fit(&title, width), theme.strong()),
        Line::styled(heading(window, &columns), theme.faint()),
    ];
    let notice = match (&window.wrong, &window.said) {
        (Some(wrong), _) => (wrong.as_str(), theme.bad()),
        (None, said) => (said.as_deref().unwrap_or_default(), theme.strong()),
    };
    let notice: Vec<Line> = text::wrap(&text::safe(notice.0), width.saturating_sub(2))
        .into_iter()
        .map(|line| Line::styled(format!(" {line}"), notice.1))
        .collect();
    let foot = 2 + notice.len().max(1);
    let rows = usize::from(area.height).saturating_sub(2 + foot);
    let first = first_row(window.cursor, rows, window.rows.len());
    for (index, row) in window.rows.iter().enumerate().skip(first).take(rows) {
        lines.push(line(theme, window, row, index == window.cursor, &columns));
    }
    while lines.len() + foot < usize::from(area.height) {
        lines.push(Line::raw(""));
    }
    lines.push(Line::styled(text::fit(&format!(" {}", first_labels(window, width)), width), theme.faint()));
    let keys = " Enter accept  a accept all proposed  c choose  w save  ? help  Esc leave";
    lines.push(match (&window.input, &window.wrong) {
        (Some(input), _) => {
            let word = " in the label ";
            let typed = input.shown(width.saturating_sub(text::width(word) + 1), true);
            Line::from(vec![Span::styled(word, theme.accent()), Span::raw(typed)])
        }
        _ => Line::raw(text::fit(keys, width)),
    });
    lines.extend(notice);
    page.render_widget(Clear, area);
    page.render_widget(Paragraph::new(lines), area);
}

/// Draws what the keys do, and the row under the cursor in full.
fn help(page: &mut Page, area: Rect, window: &UnplacedValues) {
    let width = usize::from(area.width).saturating_sub(2);
    let mut paragraphs = vec![
        "These values of the tables are in no hierarchy. Choose for each the label that it belongs to, and save.".to_owned(),
        "Enter accepts the proposed label, or takes it back. a accepts every proposal; values without one stay open.".to_owned(),
        "c chooses another label: type its beginning. w saves new hierarchy files and reads the project again.".to_owned(),
        "Esc leaves without saving. A text that means no value belongs into `missing` of the project instead.".to_owned(),
        String::new(),
    ];
    if let Some(row) = window.rows.get(window.cursor) {
        let proposal = row.under.as_ref().or(row.value.nearest.as_ref());
        let proposal = proposal.map_or("no label is like it", |label| label.as_str());
        let attribute = &window.lists[row.list].attribute;
        paragraphs.push(format!("value: {}   attribute: {attribute}   label: {proposal}", row.value.text));
        paragraphs.push(String::new());
    }
    paragraphs.push(labels(window));
    paragraphs.push(String::new());
    paragraphs.push("Any key closes this help.".to_owned());
    let lines =
        paragraphs.iter().flat_map(|line| text::wrap(line, width)).map(|line| Line::raw(format!(" {line}")));
    page.render_widget(Clear, area);
    page.render_widget(Paragraph::new(lines.collect::<Vec<_>>()), area);
}

/// The widths of the columns.
struct Columns {
    value: usize,
    people: usize,
    attribute: usize,
    under: usize,
}

impl Columns {
    fn of(window: &UnplacedValues, width: usize) -> Self {
        let widest =
            |texts: &mut dyn Iterator<Item = usize>, least: usize| texts.max().unwrap_or(0).max(least);
        let values = &mut window.rows.iter().map(|row| text::width(&text::safe(&row.value.text)));
        let names = &mut window.lists.iter().map(|list| text::width(&text::safe(&list.attribute)));
        let value = widest(values, 5).min(width / 3);
        let attribute = widest(names, 9).min(width / 4);
        let people = 12;
        let under = width.saturating_sub(2 + value + people + 2 + attribute + 2);
        Self { value, people, attribute, under }
    }
}

fn heading(window: &UnplacedValues, columns: &Columns) -> String {
    let counted = if window.lists.iter().any(|list| list.counts_rows) { "rows" } else { "people" };
    format!(
        "  {}{}  {}  {}",
        text::fit("value", columns.value),
        text::right(counted, columns.people),
        text::fit("attribute", columns.attribute),
        text::fit("  in the label", columns.under)
    )
}

fn line(
    theme: Theme,
    window: &UnplacedValues,
    row: &Row,
    selected: bool,
    columns: &Columns,
) -> Line<'static> {
    let whose = if row.value.is_of_private { "of T" } else { "of P" };
    let people = format!("{} {whose}", text::count(row.value.people));
    let (under, style) = match (&row.under, &row.value.nearest) {
        (Some(under), _) => (format!("✓ {under}"), theme.good()),
        (None, Some(nearest)) => (format!("? {nearest}"), theme.warning()),
        (None, None) => ("? no label is like it".to_owned(), theme.bad()),
    };
    let start = format!(
        "{}{}  {}  ",
        text::fit(&row.value.text, columns.value),
        text::right(&people, columns.people),
        text::fit(&window.lists[row.list].attribute, columns.attribute)
    );
    let line_style = if selected { theme.selected() } else { ratatui::style::Style::new() };
    Line::from(vec![
        Span::raw(cursor(selected, true)),
        Span::styled(start, line_style),
        Span::styled(text::fit(&under, columns.under), style),
    ])
}

/// The first labels that the analyst can choose, and the number of the others.
fn first_labels(window: &UnplacedValues, width: usize) -> String {
    let labels: Vec<String> = window.labels().into_iter().map(text::safe).collect();
    let form = |shown: usize| match labels.len() - shown {
        0 => format!("labels: {}", labels.join(", ")),
        more => format!("labels: {} and {more} more, ? lists all", labels[..shown].join(", ")),
    };
    let fits = |shown: &usize| text::width(&form(*shown)) < width;
    (1..=labels.len()).rev().find(fits).map_or_else(|| format!("{} labels: ? lists all", labels.len()), form)
}

/// The labels that the analyst can choose.
fn labels(window: &UnplacedValues) -> String {
    format!("labels: {}", window.labels().join(", "))
}
