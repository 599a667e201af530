//! The changes of a hierarchy, with undo and redo.

use super::{Change, EditError, Editable, Edited};

/// A hierarchy and its changes. A change that was undone can be redone until a new one is made.
#[derive(Clone, Debug)]
pub struct History {
    first: Editable,
    done: Vec<(Change, Edited)>,
    current: usize,
}

impl History {
    /// An unchanged hierarchy.
    pub fn new(first: Editable) -> Self {
        Self { first, done: Vec::new(), current: 0 }
    }

    /// The hierarchy as it is now.
    pub fn now(&self) -> &Editable {
        match self.current.checked_sub(1) {
            None => &self.first,
            Some(last) => &self.done[last].1.hierarchy,
        }
    }

    /// The hierarchy as read.
    pub fn first(&self) -> &Editable {
        &self.first
    }

    /// The number of changes in effect.
    pub fn changes(&self) -> usize {
        self.current
    }

    /// Whether the hierarchy differs from the one read.
    pub fn is_changed(&self) -> bool {
        *self.now() != self.first
    }

    /// Makes a change, and returns the other changes that were necessary. Undone changes are
    /// forgotten.
    ///
    /// # Errors
    /// An [`EditError`]; then nothing changes.
    pub fn apply(&mut self, change: Change) -> Result<&[String], EditError> {
        let edited = self.now().apply(&change)?;
        self.done.truncate(self.current);
        self.done.push((change, edited));
        self.current += 1;
        Ok(&self.done[self.current - 1].1.followed)
    }

    /// Undoes the last change and returns it; `None` if there is none.
    pub fn undo(&mut self) -> Option<&Change> {
        self.current = self.current.checked_sub(1)?;
        Some(&self.done[self.current].0)
    }

    /// Redoes the change that was undone last and returns it; `None` if there is none.
    pub fn redo(&mut self) -> Option<&Change> {
        let (change, _) = self.done.get(self.current)?;
        self.current += 1;
        Some(change)
    }
}
