//! The help.

pub(crate) mod state;
pub(crate) mod view;

#[cfg(test)]
mod tests;
