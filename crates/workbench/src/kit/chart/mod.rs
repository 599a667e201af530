//! Charts in a terminal: a measure over a sweep of δ, with a line for each strategy.
//!
//! Numbers and their axis enter, and cells of a buffer leave. The experiments of the paper draw with them too.

mod plot;
mod nine;

pub use self::nine::{draw_nine, nine_legend};
pub use self::plot::{Plot, draw_scale};
