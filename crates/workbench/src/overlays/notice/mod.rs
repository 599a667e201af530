//! Something that is too long for the status line.

pub(crate) mod state;
pub(crate) mod view;
