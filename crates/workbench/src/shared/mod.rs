//! State that several screens read, and the trait of screens and windows. No module here knows a screen.

pub(crate) mod messages;
pub(crate) mod candidates;
pub(crate) mod existing;
pub(crate) mod caution_lines;
pub(crate) mod cautions;
pub(crate) mod saver;
pub(crate) mod labels;
pub(crate) mod activity;
pub(crate) mod view;
pub(crate) mod runs;
pub(crate) mod command_line;
pub(crate) mod bound;
pub(crate) mod classes;
pub(crate) mod intent;
pub(crate) mod state;
mod restore;
mod searching;
mod arranging;
mod warning;
pub(crate) mod figures;
pub(crate) mod step;
pub(crate) mod report;
pub(crate) mod component;
pub(crate) mod screen;
pub(crate) mod measured;
pub(crate) mod utility;
pub(crate) mod reporting;
