//! What was done to a hierarchy, one change after the other, and the way back.

use super::{Change, EditError, Editable, Edited};

/// A hierarchy with its changes; those that were undone can be done again until another one is made.
#[derive(Clone, Debug)]
pub struct History {
    first: Editable,
    done: Vec<(Change, Edited)>,
    current: usize,
}

impl History {
    /// A hierarchy that nobody has changed yet.
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

    /// The hierarchy as it was read.
    pub fn first(&self) -> &Editable {
        &self.first
    }

    /// How many changes lead to it.
    pub fn changes(&self) -> usize {
        self.current
    }

    /// Whether it is another one than was read.
    pub fn is_changed(&self) -> bool {
        *self.now() != self.first
    }

    /// Makes a change; answers what had to follow. What was undone is forgotten.
    ///
    /// # Errors
    /// An [`EditError`]: then nothing has changed.
    pub fn apply(&mut self, change: Change) -> Result<&[String], EditError> {
        let edited = self.now().apply(&change)?;
        self.done.truncate(self.current);
        self.done.push((change, edited));
        self.current += 1;
        Ok(&self.done[self.current - 1].1.followed)
    }

    /// Takes the last change back, and answers which it was; `None` where there is none.
    pub fn undo(&mut self) -> Option<&Change> {
        self.current = self.current.checked_sub(1)?;
        Some(&self.done[self.current].0)
    }

    /// Makes the change again that was taken back last, and answers which it was; `None` where there is none.
    pub fn redo(&mut self) -> Option<&Change> {
        let (change, _) = self.done.get(self.current)?;
        self.current += 1;
        Some(change)
    }
}
