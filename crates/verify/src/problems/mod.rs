//! What can be wrong: an error stops the verification, a finding is of the release.
//!
//! Every other room states here what it met and where. What leaves is a [`VerifyError`], or the list of [`Finding`]s in the
//! result, of which each kind shows only its first ones.

mod stop;
mod error;
pub(crate) mod finding;

pub use self::error::VerifyError;
pub(crate) use self::finding::{Cell, Problems};
pub use self::finding::{Finding, FindingKind};
pub(crate) use self::stop::Stop;
