//! The cautions: what has to be known before signing.

pub(crate) mod state;
pub(crate) mod view;

#[cfg(test)]
mod tests;
