//! δ at hand: the two bounds, typed, and an advisor that finds them.

pub(crate) mod state;
pub(crate) mod update;
pub(crate) mod view;

#[cfg(test)]
pub(crate) mod tests;
