//! Charts drawn in a terminal: a measure over a sweep of δ, a series a strategy.

mod measure;
mod sweep;
mod axis;
mod plot;
mod nine;

pub(crate) use axis::axis_of;
pub(crate) use measure::{Measure, duration, loss, short};
pub(crate) use nine::{draw_nine, nine_legend};
pub(crate) use palmtop::svg::Axis;
pub(crate) use plot::{Numbers, Plot, draw_scale, spans};
pub(crate) use sweep::{Bound, Sweep, label};
