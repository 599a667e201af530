//! The app: it owns the shared state, the screens and the windows, and it alone changes what they share.

pub(crate) mod opening;
pub(crate) mod commands;
pub(crate) mod registry;
pub(crate) mod settings;
pub(crate) mod source;
pub(crate) mod loading;
pub(crate) mod reading;
pub(crate) mod reload;
pub(crate) mod message;
mod tabs;
pub(crate) mod windows;
pub(crate) mod state;
mod project;
pub(crate) mod apply;
mod questions;
pub(crate) mod keys;
mod held;
pub(crate) mod begin;
pub(crate) mod proposing;
mod before;
pub(crate) mod copy;
pub(crate) mod frame;
pub(crate) mod draw;
pub(crate) mod bench_frame;
pub(crate) mod writing;

#[cfg(test)]
mod tests;
