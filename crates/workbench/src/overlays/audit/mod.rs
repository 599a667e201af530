//! What a release tells who knows palmtop: the audit of what an export would write.

pub(crate) mod state;
pub(crate) mod view;

#[cfg(test)]
mod tests;
