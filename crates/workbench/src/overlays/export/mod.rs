//! The export dialog: what will be written where, and what the analyst has to say before it is.

pub(crate) mod counting;
pub(crate) mod question;
pub(crate) mod state;
pub(crate) mod update;
pub(crate) mod view;

#[cfg(test)]
mod tests;
