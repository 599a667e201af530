//! The glossary: what the words and marks mean.

pub(crate) mod state;
pub(crate) mod terms;
pub(crate) mod view;

#[cfg(test)]
mod tests;
