//! The first rows of a release that keeps the policy, as its recipient reads them. Sensitive columns are left out: their
//! values are those of T.

use std::sync::Arc;

use palmtop_core::model::Role;
use palmtop_release::pipeline::{self, PageColumn};
use ratatui::text::Line;

use crate::kit::rule::rule;
use crate::kit::text;
use crate::kit::theme::Theme;
use crate::kit::words::chain;
use crate::shared::measured::Measure;
use crate::shared::state::Shared;

/// The number of rows that are read: more than a screen has.
const ROWS: usize = 80;
/// The blanks between two columns.
const GAP: usize = 2;

/// Rows of a release, without its sensitive columns.
pub(crate) struct Published {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
    /// The number of all rows.
    total: u64,
    /// The columns that are left out.
    hidden: Vec<String>,
}

/// The function that reads the rows of a release.
pub(super) fn read(shared: &Shared) -> Measure<Published> {
    let analysis = Arc::clone(&shared.analysis);
    Box::new(move |release| {
        let page = pipeline::page::of_release(&analysis, release, 0, ROWS).map_err(|error| chain(&error))?;
        let is_open = |column: &PageColumn| matches!(column.role, Some(Role::Quasi | Role::Insensitive));
        let open: Vec<bool> = page.columns.iter().map(is_open).collect();
        let kept =
            |row: Vec<String>| row.into_iter().zip(&open).filter(|(_, open)| **open).map(|(text, _)| text);
        let names: Vec<String> = page.columns.into_iter().map(|column| column.name).collect();
        let hidden = names.iter().zip(&open).filter(|(_, open)| !**open).map(|(name, _)| name.clone());
        Ok(Published {
            hidden: hidden.collect(),
            columns: kept(names).collect(),
            rows: page.rows.into_iter().map(|row| kept(row).collect()).collect(),
            total: page.total,
        })
    })
}

/// The lines of the pane.
pub(super) fn lines(
    theme: Theme,
    name: &str,
    read: Option<&Result<Published, String>>,
    (width, height): (usize, usize),
) -> Vec<Line<'static>> {
    let heading = format!("rows of {name}, as a recipient reads them");
    let (remark, sentence) = match read {
        None => (String::new(), "reading …".to_owned()),
        Some(Err(why)) => (String::new(), format!("not read: {why}")),
        Some(Ok(rows)) => {
            let total = text::counted(rows.total, "row", "rows");
            let hidden = if rows.hidden.is_empty() {
                String::new()
            } else {
                format!(", {} not shown", rows.hidden.join(", "))
            };
            (format!("{total}{hidden}"), String::new())
        }
    };
    let mut lines = vec![rule(theme, &heading, &remark, width, false)];
    let Some(Ok(rows)) = read else {
        lines.push(Line::styled(text::fit_words(&sentence, width), theme.faint()));
        return lines;
    };
    let shown = &rows.rows[..rows.rows.len().min(height.saturating_sub(2))];
    let widths = widths(&rows.columns, shown, width.saturating_sub(1));
    let line = |cells: &[String]| {
        let cells = cells.iter().zip(&widths).map(|(cell, width)| text::fit(cell, *width));
        format!(" {}", cells.collect::<Vec<_>>().join(&" ".repeat(GAP)))
    };
    lines.push(Line::styled(line(&rows.columns), theme.faint()));
    lines.extend(shown.iter().map(|row| Line::raw(line(row))));
    lines.truncate(height);
    lines
}

/// The widths of the columns. If they do not fit, the widest ones are cut.
fn widths(names: &[String], rows: &[Vec<String>], room: usize) -> Vec<usize> {
    let widest = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).chain([&names[column]]);
        cells.map(|cell| text::width(cell)).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..names.len()).map(widest).collect();
    let room = room.saturating_sub(GAP * names.len().saturating_sub(1));
    let cut = |most: usize| widths.iter().map(move |width| (*width).min(most));
    let most = (1..=room).rev().find(|most| cut(*most).sum::<usize>() <= room).unwrap_or(1);
    cut(most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_widest_columns_are_cut() {
        let texts = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let (names, rows) = (texts(["zip", "sex", "job"]), vec![texts(["089**", "male", "a long label"])]);
        assert_eq!(widths(&names, &rows, 80), [5, 4, 12]);
        assert_eq!(widths(&names, &rows, 20), [5, 4, 7]);
        assert_eq!(widths(&names, &rows, 10), [2, 2, 2]);
    }
}
