//! Charts as SVG. Each chart is one file that loads no other file, describes itself in words, and has a light and a dark theme.
//!
//! The module gets numbers and names, and does not know their source.

mod axis;
mod frame;
mod histogram;
mod bars;
mod lines;

pub use axis::Axis;
pub use bars::{Bar, bars};

pub use histogram::{Column, Histogram, histogram};
pub use lines::{Line, Lines, Look, Mark, lines};
