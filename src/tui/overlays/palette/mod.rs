//! The palette: every command by a few letters of its description, its name, or its key.

pub(crate) mod state;
pub(crate) mod update;
pub(crate) mod view;

#[cfg(test)]
mod tests;
