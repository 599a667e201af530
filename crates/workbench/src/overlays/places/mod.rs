//! Values that have no place in their hierarchies: gathered, each with the nearest label.

pub(crate) mod state;
pub(crate) mod view;

#[cfg(test)]
mod tests;
