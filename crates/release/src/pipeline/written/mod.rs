//! A written release, read again.
//!
//! A file enters, with the project that it belongs to. The verifier's findings leave, the classes and the recoding of the file, and
//! what several files reveal together.

pub(in crate::pipeline) mod agreement;
pub(in crate::pipeline) mod spec;
pub(in crate::pipeline) mod by_itself;
pub(in crate::pipeline) mod caution_basis;
pub mod reading;
pub mod recovered;
pub mod together;
pub mod earlier_release;
