//! The classes, worst first, and what the selected one says of itself.
//!
//! ```text
//! ─ classes ───────────────────────────────────── worst first · 12 ✗ of 341 ─
//!     age    zip    priv   pub  presence  0                        1
//! ▸ ▲ 30–39  130**    31    47     0.660  █████████████▓▓▓▓
//! ```

use palmtop::model::{Counts, Delta, Verdict};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::workbench::focused;
use crate::tui::app::{Pane, Session};
use crate::tui::theme::{Theme, mark};
use crate::tui::view::RankedClass;
use crate::tui::widgets::rule::rule;
use crate::tui::widgets::{bar, columns, text};

/// The columns of the counts and the presence with the blanks between.
const NUMBERS: usize = 8 + 9 + 9;
/// The cursor, the mark and a blank.
const MARKS: usize = 4;

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
    let widths = label_widths(&names, shown, width);
    let bar_room =
        width.saturating_sub(MARKS + widths.iter().map(|width| width + 2).sum::<usize>() + NUMBERS + 2);
    lines.push(header(theme, &names, &widths, bar_room));
    for (row, class) in (first..).zip(shown) {
        let selected = row == session.class_cursor;
        lines.push(class_line(theme, class, session.problem.delta(), &widths, bar_room, selected, focus));
    }
    frame.render_widget(Paragraph::new(lines), area);
}

/// The first row to show, so that the cursor is among them.
pub(crate) fn first_row(cursor: usize, rows: usize, count: usize) -> usize {
    let last_start = count.saturating_sub(rows);
    cursor.saturating_sub(rows.saturating_sub(1) / 2).min(last_start)
}

fn label_widths(names: &[&str], shown: &[RankedClass], width: usize) -> Vec<usize> {
    let wished: Vec<usize> = names
        .iter()
        .enumerate()
        .map(|(place, name)| {
            // A label may be a set of thousands of characters; more than this is cut anyway.
            let texts = shown
                .iter()
                .map(|class| text::width(&class.texts[place].chars().take(40).collect::<String>()));
            texts.chain([text::width(name)]).max().unwrap_or(0)
        })
        .collect();
    let bar = if width >= 100 { 24 } else { 12 };
    let room = width.saturating_sub(MARKS + NUMBERS + 2 + bar + 2 * names.len());
    columns::fit(&wished, room, 2)
}

fn header(theme: Theme, names: &[&str], widths: &[usize], bar: usize) -> Line<'static> {
    let mut line = " ".repeat(MARKS);
    for (name, &width) in names.iter().zip(widths) {
        line.push_str(&text::fit(name, width));
        line.push_str("  ");
    }
    line.push_str(&format!("{:>6}  {:>7}  presence", "priv", "pub"));
    if bar > 2 {
        line.push_str(&format!("  0{}1", " ".repeat(bar - 2)));
    }
    Line::styled(line, theme.faint())
}

fn class_line(
    theme: Theme,
    class: &RankedClass,
    delta: Delta,
    widths: &[usize],
    bar: usize,
    selected: bool,
    focused: bool,
) -> Line<'static> {
    let counts = class.class.counts;
    let mut labels = String::new();
    for (label, &width) in class.texts.iter().zip(widths) {
        labels.push_str(&text::fit(label, width));
        labels.push_str("  ");
    }
    let numbers = format!(
        "{}  {}  {:>8.3}",
        text::right(&text::count(counts.private), 6),
        text::right(&text::count(counts.public), 7),
        counts.presence().to_f64()
    );
    let cursor = if selected { "▸ " } else { "  " };
    let row = if selected && focused { theme.selected() } else { ratatui::style::Style::new() };
    Line::from(vec![
        Span::raw(cursor),
        Span::styled(format!("{} ", mark(class.verdict)), theme.verdict(class.verdict)),
        Span::styled(format!("{labels}{numbers}"), row),
        Span::styled(
            format!("  {}", bar::presence(counts.presence(), delta, bar)),
            theme.verdict(class.verdict),
        ),
    ])
}

/// What the class under the cursor says of itself: its people, how far it is out, what would mend it.
pub(crate) fn render_selected(frame: &mut Frame, area: Rect, theme: Theme, session: &Session) {
    if area.height == 0 {
        return;
    }
    let width = usize::from(area.width);
    let mut lines = vec![rule(theme, "selected class", "Tab, then j and k", width, false)];
    if let Some(class) = session.view.classes.get(session.class_cursor) {
        let counts = class.class.counts;
        lines.push(Line::styled(text::fit(&format!(" {}", class.texts.join(" · ")), width), theme.strong()));
        let who = format!(
            " {} of {} public people are private   presence {} = {:.4}",
            text::count(counts.private),
            text::count(counts.public),
            counts.presence(),
            counts.presence().to_f64()
        );
        lines.push(Line::raw(text::fit(&who, width)));
        let said = explanation(counts, class.verdict, session.problem.delta());
        lines.push(Line::styled(text::fit(&format!(" {said}"), width), theme.verdict(class.verdict)));
        let mends = mending_steps(session);
        lines.push(Line::raw(text::fit(&format!(" {mends}"), width)));
    }
    frame.render_widget(Paragraph::new(lines), area);
}

/// How far a class is out, in people.
fn explanation(counts: Counts, verdict: Verdict, delta: Delta) -> String {
    let (private, public) = (u128::from(counts.private), u128::from(counts.public));
    let (bound, needed, whom) = match verdict {
        Verdict::Ok => return "it keeps δ".to_owned(),
        Verdict::Over => {
            // The fewest more public people, none of them private, that bring private/public down to δmax.
            let max = delta.max();
            if max.numerator() == 0 {
                return "it is over δmax 0: nobody private may be in any class".to_owned();
            }
            let wanted = (private * u128::from(max.denominator())).div_ceil(u128::from(max.numerator()));
            (format!("over δmax {max}"), wanted - public, "public people who are not private")
        }
        Verdict::Under => {
            // The fewest more people, all of them private, that bring private/public up to δmin.
            let min = delta.min();
            let (above, below) = (u128::from(min.numerator()), u128::from(min.denominator()));
            let lacking = above * public - private * below;
            (
                format!("under δmin {min}"),
                lacking.div_ceil((below - above).max(1)),
                "people who are all private",
            )
        }
    };
    format!("it is {bound}: it would keep δ together with {needed} more {whom}")
}

/// Which single steps leave no class broken.
fn mending_steps(session: &Session) -> String {
    use crate::tui::neighbours::Cell;
    if session.view.summary.violations() == 0 {
        return String::new();
    }
    let mends =
        |place: &usize| matches!(session.steps.cells(*place)[0], Cell::Counted(step) if step.violations == 0);
    let names: Vec<&str> = (0..session.problem.quasi().len())
        .filter(mends)
        .map(|place| session.problem.quasi()[place].name.as_str())
        .collect();
    if names.is_empty() {
        "no single step coarser mends every class".to_owned()
    } else {
        format!("one step coarser mends every class: {}", names.join(", "))
    }
}
