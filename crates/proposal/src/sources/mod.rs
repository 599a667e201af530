//! What is proposed for: two tables, or a project of ARX, opened and surveyed by one pass.
//!
//! Paths enter; surveys, and what another program declared, leave.

pub(crate) mod arx;
pub(crate) mod declared;
pub(crate) mod fitted;
pub(crate) mod listed;
pub(crate) mod named;
pub(crate) mod no_arx;
pub(crate) mod opened;
pub(crate) mod survey;
