//! The table of classes, which two screens show: its state, how it is drawn, and the class under its cursor.

pub(crate) mod state;
pub(crate) mod table;
pub(crate) mod explained;
pub(crate) mod ask;
