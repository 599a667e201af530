//! Every step so far, to go back to any.

pub(crate) mod state;
pub(crate) mod view;

#[cfg(test)]
mod tests;
