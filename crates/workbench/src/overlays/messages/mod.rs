//! The last messages of the status line, each of them whole.

pub(crate) mod state;
pub(crate) mod view;

#[cfg(test)]
mod tests;
