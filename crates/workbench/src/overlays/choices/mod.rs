//! A few choices, of which one is taken.

pub(crate) mod state;
pub(crate) mod view;
