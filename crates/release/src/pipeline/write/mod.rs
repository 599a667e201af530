//! Writes a release.
//!
//! A loaded project and a release enter. A file leaves that was recounted before it had its name; for frames in memory, a frame.

pub mod export;
pub mod beside;
pub(in crate::pipeline) mod frames;
