//! The nouns of δ-presence: what every other crate talks about. It opens no file, reads no clock and knows no terminal.

pub mod text;
pub mod model;
pub mod metrics;

pub use palmtop_terms::progress;
