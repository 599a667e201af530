//! The terms of δ-presence that the searches, the tables and the verifier share.
//!
//! `palmtop-verify` depends on this crate and on no other crate of palmtop. This crate therefore has definitions only:
//! presence and its comparison with δ, roles, kinds, levels, the types of progress and
//! cancellation, and the form of an error message.

pub mod error;
pub mod presence;
pub mod delta;
pub mod fraction;
pub mod role;
pub mod level;
pub mod progress;
pub mod words;
pub mod located;
pub mod message_page;
#[cfg(test)]
mod messages;

pub use delta::{Delta, PresenceBounds, Verdict};
pub use error::TermError;
pub use fraction::Fraction;
pub use level::{Kind, Level};
pub use located::LocatedError;
pub use presence::{Counts, Presence};
pub use role::Role;
