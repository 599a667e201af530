//! State that several screens read, and the trait of a screen. No module here knows a screen.

pub(crate) mod messages;
pub(crate) mod candidates;
pub(crate) mod existing;
pub(crate) mod cautions;
pub(crate) mod saver;
pub(crate) mod labels;
pub(crate) mod activity;
pub(crate) mod view;
pub(crate) mod runs;
pub(crate) mod bound;
pub(crate) mod classes;
pub(crate) mod stakes;
pub(crate) mod intent;
pub(crate) mod state;
mod restore;
mod searching;
mod arranging;
mod warning;
pub(crate) mod figures;
pub(crate) mod step;
pub(crate) mod screen;
pub(crate) mod window;
pub(crate) mod measured;
pub(crate) mod utility;
pub(crate) mod reporting;
