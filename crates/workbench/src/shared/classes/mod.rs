//! The table of classes, which two screens show: its state, its drawing, and the class under its
//! cursor.

pub(crate) mod state;
pub(crate) mod table;
pub(crate) mod explained;
pub(crate) mod ask;
