//! What several screens read.

pub(crate) mod saver;
pub(crate) mod view;
pub(crate) mod runs;
pub(crate) mod bound;
pub(crate) mod classes;
