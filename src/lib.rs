//! palmtop's engine: δ-presence from two tables to a verified release.

pub mod model;
pub mod metrics;
pub mod search;
pub mod release;
pub mod data;
pub mod verify;
pub mod project;
pub mod pipeline;
