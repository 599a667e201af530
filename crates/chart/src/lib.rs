//! Charts for the terminal: a measure over a sweep of δ, with a series for each strategy.

mod measure;
mod sweep;
mod axis;
mod plot;
mod nine;
mod drawn;

pub use axis::axis_of;
pub use drawn::{Drawn, title};
pub use measure::{Measure, duration, loss, short};
pub use nine::{draw_nine, nine_legend};
pub use palmtop_flow::svg::Axis;
pub use plot::{Numbers, Plot, draw_scale, spans};
pub use sweep::{Bound, Sweep, label};
