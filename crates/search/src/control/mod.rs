//! What every search has in common: its options and rules, its steps and its report, how often it
//! asks whether to continue, and work on all cores.
//!
//! A caller's options and its observer enter. Steps for the observer leave, and the report of why a
//! search ended.

pub(crate) mod pace;
pub(crate) mod budget;
pub(crate) mod report;
pub(crate) mod worker_pool;
