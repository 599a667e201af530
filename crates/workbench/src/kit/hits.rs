//! The areas that a frame has drawn, so that a click finds its target.

use ratatui::layout::{Position, Rect};

/// A target of a click.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A row of the list that the keys move in.
    Row(usize),
    /// A row of the second list, if a screen has two.
    Other(usize),
    /// A column: of a candidate, a cell, or an attribute.
    Column(usize),
    /// A command, by its row in the table of commands.
    Command(usize),
}

/// Facts about a drawn frame that later keys and clicks need: the targets, and the limits of
/// scrolling.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hits {
    areas: Vec<(Rect, Target)>,
    /// The last column that scrolling may put first.
    pub(crate) last_column: usize,
    /// The last row that scrolling may put first, in a text longer than its pane.
    pub(crate) last_row: usize,
}

impl Hits {
    /// Forgets the targets behind a window.
    pub(crate) fn clear(&mut self) {
        self.areas.clear();
    }

    /// Notes the area of a target.
    pub(crate) fn note(&mut self, area: Rect, target: Target) {
        self.areas.push((area, target));
    }

    /// Notes the targets of rows, one below the other, from the top of the area.
    pub(crate) fn note_rows(&mut self, area: Rect, rows: impl Iterator<Item = Target>) {
        for (offset, target) in (0..area.height).zip(rows) {
            self.note(Rect { y: area.y + offset, height: 1, ..area }, target);
        }
    }

    /// The areas of the rows of lists and tables.
    #[cfg(test)]
    pub(crate) fn rows(&self) -> impl Iterator<Item = Rect> {
        let is_row = |target: &Target| matches!(target, Target::Row(_) | Target::Other(_));
        self.areas.iter().filter(move |(_, target)| is_row(target)).map(|(area, _)| *area)
    }

    /// The target at a position; the one drawn last is on top.
    pub(crate) fn at(&self, column: u16, row: u16) -> Option<Target> {
        let here = Position::new(column, row);
        self.areas.iter().rev().find(|(area, _)| area.contains(here)).map(|(_, target)| *target)
    }
}
