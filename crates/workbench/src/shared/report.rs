//! What a job reports to a component, behind one type.

use std::any::Any;

/// What a job of a component reports, whatever its type is, until the component takes it.
pub(crate) struct Report(Option<Box<dyn Any + Send>>);

impl Report {
    /// Wraps a message.
    pub(crate) fn new<M: Send + 'static>(message: M) -> Self {
        Self(Some(Box::new(message)))
    }

    /// Takes the message if it is of this type; a message of another type stays.
    pub(crate) fn take<M: 'static>(&mut self) -> Option<M> {
        match self.0.take()?.downcast() {
            Ok(message) => Some(*message),
            Err(other) => {
                self.0 = Some(other);
                None
            }
        }
    }

    /// Whether the message was taken.
    pub(crate) fn is_taken(&self) -> bool {
        self.0.is_none()
    }

    /// Reads a message of this type without taking it.
    #[cfg(test)]
    pub(crate) fn peek<M: 'static>(&self) -> Option<&M> {
        self.0.as_ref()?.downcast_ref()
    }

    /// [`peek`](Self::peek), to change the message.
    #[cfg(test)]
    pub(crate) fn peek_mut<M: 'static>(&mut self) -> Option<&mut M> {
        self.0.as_mut()?.downcast_mut()
    }
}
