//! The palette: every command by the words of its name and its description.

pub(crate) mod state;
pub(crate) mod update;
pub(crate) mod view;

#[cfg(test)]
mod tests;
