//! Charts as SVG: each a file of its own that refers to nothing outside, says in words what it shows, and reads on light and on dark.
//!
//! It knows numbers and names, and not where they come from.

mod axis;
mod frame;
mod histogram;
mod bars;
mod lines;

pub use axis::Axis;
pub use bars::{Bar, bars};

pub use histogram::{Column, Histogram, histogram};
pub use lines::{Line, Lines, Look, Mark, lines};
