//! Where a frame drew what, so that a click finds it.

use ratatui::layout::{Position, Rect};

/// Something that can be clicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A row of the list that the keys move in.
    Row(usize),
    /// A row of the second list, where there are two.
    Other(usize),
    /// A column of what is shown: a candidate, a cell, a place of a row.
    Column(usize),
}

/// What a frame has to tell whoever acts on it next: what was drawn where, and how far it can be scrolled.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hits {
    areas: Vec<(Rect, Target)>,
    /// The farthest column with which it makes sense to begin.
    pub(crate) last_column: usize,
    /// The farthest row with which it makes sense to begin, of a text that is longer than its pane.
    pub(crate) last_row: usize,
}

impl Hits {
    /// Forgets what lies behind a window.
    pub(crate) fn clear(&mut self) {
        self.areas.clear();
    }

    /// Notes that a target was drawn here.
    pub(crate) fn note(&mut self, area: Rect, target: Target) {
        self.areas.push((area, target));
    }

    /// Notes rows drawn one below the other, from `first` on.
    pub(crate) fn note_rows(&mut self, area: Rect, rows: impl Iterator<Item = Target>) {
        for (offset, target) in (0..area.height).zip(rows) {
            self.note(Rect { y: area.y + offset, height: 1, ..area }, target);
        }
    }

    /// What was drawn at a place; what was drawn last lies on top.
    pub(crate) fn at(&self, column: u16, row: u16) -> Option<Target> {
        let here = Position::new(column, row);
        self.areas.iter().rev().find(|(area, _)| area.contains(here)).map(|(_, target)| *target)
    }
}
