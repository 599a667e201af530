//! A line that is typed at the foot of the screen.

pub(crate) mod state;
pub(crate) mod view;

#[cfg(test)]
mod tests;
