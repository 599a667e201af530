//! The classes, worst first.
//!
//! ```text
//! ─ classes ───────────────────────────────────── worst first · 12 ✗ of 341 ─
//!     age    zip    priv   pub  presence  0                        1
//! ▸ ▲ 30–39  130**    31    47     0.660  █████████████▓▓▓▓
//! ```

use palmtop::model::{Counts, Delta};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::workbench::{cursor, focused};
use crate::tui::app::{Pane, Session};
use crate::tui::theme::{Theme, mark};
use crate::tui::view::RankedClass;
use crate::tui::widgets::rule::rule;
use crate::tui::widgets::{bar, columns, text};

/// The cursor, the mark and a blank.
const MARKS: usize = 4;
/// `presence` in the heading.
const PRESENCE: usize = 8;

/// Draws the table.
pub(crate) fn render_table(frame: &mut Frame, area: Rect, theme: Theme, session: &Session) {
    if area.height == 0 {
        return;
    }
    let (width, view) = (usize::from(area.width), &session.view);
    let rows = usize::from(area.height).saturating_sub(2);
    let first = first_row(session.class_cursor, rows, view.classes.len());
    let shown = &view.classes[first..(first + rows).min(view.classes.len())];
    let broken = view.summary.violations();
    let remark = if broken == 0 {
        format!("worst first · {} classes, all ✓", text::count(view.classes.len() as u64))
    } else {
        let all = text::count(view.classes.len() as u64);
        format!("worst first · {} ✗ of {all}", text::count(broken as u64))
    };
    let focus = focused(session, Pane::Classes);
    let mut lines = vec![rule(theme, "classes", &remark, width, focus)];
    let names: Vec<&str> = session.problem.quasi().iter().map(|quasi| quasi.name.as_str()).collect();
    let columns = Columns::of(&names, shown, width);
    lines.push(header(theme, &names, &columns));
    for (row, class) in (first..).zip(shown) {
        let selected = row == session.class_cursor;
        lines.push(class_line(theme, class, session.problem.delta(), &columns, selected, focus));
    }
    frame.render_widget(Paragraph::new(lines), area);
}

/// How wide everything in the table is.
struct Columns {
    labels: Vec<usize>,
    /// The blanks after each label.
    gap: usize,
    private: usize,
    public: usize,
    bar: usize,
}

impl Columns {
    /// The labels get what they need as far as there is room; the bar gets what is left, and a little in any case.
    fn of(names: &[&str], shown: &[RankedClass], width: usize) -> Self {
        let widest = |count: fn(Counts) -> u64, least: usize| {
            let widths = shown.iter().map(|class| text::width(&text::count(count(class.class.counts))));
            widths.max().unwrap_or(0).max(least)
        };
        let private = widest(|counts| counts.private, "priv".len());
        let public = widest(|counts| counts.public, "pub".len());
        let wished: Vec<usize> = names
            .iter()
            .enumerate()
            .map(|(place, name)| {
                // A label may be a set of thousands of characters; more than this is cut anyway.
                let start = |class: &RankedClass| class.texts[place].chars().take(40).collect::<String>();
                let texts = shown.iter().map(|class| text::width(&text::safe(&start(class))));
                texts.chain([text::width(name)]).max().unwrap_or(0)
            })
            .collect();
        let (gap, bar) = match width {
            0..100 => (1, 8),
            100..120 => (1, 14),
            _ => (2, 24),
        };
        let gaps = gap * names.len();
        let room = width.saturating_sub(MARKS + private + 2 + public + 2 + PRESENCE + 2 + gaps);
        let labels = columns::fit(&wished, room.saturating_sub(bar), 2);
        let bar = room.saturating_sub(labels.iter().sum());
        Self { labels, gap, private, public, bar }
    }
}

/// The first row to show, so that the cursor is among them.
pub(crate) fn first_row(cursor: usize, rows: usize, count: usize) -> usize {
    let last_start = count.saturating_sub(rows);
    cursor.saturating_sub(rows.saturating_sub(1) / 2).min(last_start)
}

fn header(theme: Theme, names: &[&str], columns: &Columns) -> Line<'static> {
    let mut line = " ".repeat(MARKS);
    for (name, &width) in names.iter().zip(&columns.labels) {
        line.push_str(&text::fit(name, width + columns.gap - 1));
        line.push(' ');
    }
    let (private, public) = (text::right("priv", columns.private), text::right("pub", columns.public));
    line.push_str(&format!("{private}  {public}  presence"));
    if columns.bar > 2 {
        line.push_str(&format!("  0{}1", " ".repeat(columns.bar - 2)));
    }
    Line::styled(line, theme.faint())
}

fn class_line(
    theme: Theme,
    class: &RankedClass,
    delta: Delta,
    columns: &Columns,
    selected: bool,
    focused: bool,
) -> Line<'static> {
    let counts = class.class.counts;
    let mut labels = String::new();
    for (label, &width) in class.texts.iter().zip(&columns.labels) {
        labels.push_str(&text::fit(label, width));
        labels.push_str(&" ".repeat(columns.gap));
    }
    let numbers = format!(
        "{}  {}  {:>PRESENCE$.3}",
        text::right(&text::count(counts.private), columns.private),
        text::right(&text::count(counts.public), columns.public),
        counts.presence().to_f64()
    );
    let row = if selected && focused { theme.selected() } else { ratatui::style::Style::new() };
    Line::from(vec![
        Span::raw(cursor(selected, focused)),
        Span::styled(format!("{} ", mark(class.verdict)), theme.verdict(class.verdict)),
        Span::styled(format!("{labels}{numbers}"), row),
        Span::styled(
            format!("  {}", bar::presence(counts.presence(), delta, columns.bar)),
            theme.verdict(class.verdict),
        ),
    ])
}
