//! Where the last frame drew what, so that a click finds it.

use std::cell::RefCell;

use ratatui::layout::{Position, Rect};

use crate::tui::app::session::Pane;

/// Something that can be clicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A row of the list that the keys move in on this screen.
    Row(usize),
    /// A row of a pane of the workbench.
    PaneRow(Pane, usize),
    /// A column of what is shown: a candidate, a cell, a place of a row.
    Column(usize),
}

/// The areas of one frame. Drawing notes them although it changes nothing else: what a click means depends on what was seen.
#[derive(Debug, Default)]
pub(crate) struct Hits(RefCell<Vec<(Rect, Target)>>);

impl Hits {
    /// Forgets the frame before.
    pub(crate) fn clear(&self) {
        self.0.borrow_mut().clear();
    }

    /// Notes that a target was drawn here.
    pub(crate) fn note(&self, area: Rect, target: Target) {
        self.0.borrow_mut().push((area, target));
    }

    /// Notes rows drawn one below the other, from `first` on.
    pub(crate) fn note_rows(&self, area: Rect, rows: impl Iterator<Item = Target>) {
        for (offset, target) in (0..area.height).zip(rows) {
            self.note(Rect { y: area.y + offset, height: 1, ..area }, target);
        }
    }

    /// What was drawn at a place; what was drawn last lies on top.
    pub(crate) fn at(&self, column: u16, row: u16) -> Option<Target> {
        let here = Position::new(column, row);
        self.0.borrow().iter().rev().find(|(area, _)| area.contains(here)).map(|(_, target)| *target)
    }
}
