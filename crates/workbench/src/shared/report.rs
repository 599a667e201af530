//! What a job reports to a window or a screen, behind one type.

use std::any::Any;

/// What a job of a window or of a screen reports, whatever its type is.
pub(crate) struct Report(Box<dyn Any + Send>);

impl Report {
    /// Wraps a message.
    pub(crate) fn new<M: Send + 'static>(message: M) -> Self {
        Self(Box::new(message))
    }

    /// Unwraps a message of this type.
    ///
    /// # Errors
    /// The report itself, if it holds a message of another type.
    pub(crate) fn open<M: 'static>(self) -> Result<M, Self> {
        self.0.downcast().map(|message| *message).map_err(Self)
    }

    /// Reads a message of this type without taking it.
    #[cfg(test)]
    pub(crate) fn peek<M: 'static>(&self) -> Option<&M> {
        self.0.downcast_ref()
    }

    /// [`peek`](Self::peek), to change the message.
    #[cfg(test)]
    pub(crate) fn peek_mut<M: 'static>(&mut self) -> Option<&mut M> {
        self.0.downcast_mut()
    }
}
