//! Charts for the terminal: a measure over a sweep of δ, with a line for each strategy.

mod subject;
mod loss;
mod sweep;
mod plot;
mod nine;
mod drawn;

pub use drawn::{Drawn, title};
pub use loss::{LOSS_AXIS, loss, loss_axis};
pub use nine::{draw_nine, nine_legend};
pub use palmtop_flow::svg::Axis;
pub use plot::{Numbers, Plot, draw_scale, spans};
pub use subject::Subject;
pub use sweep::{Bound, Sweep, label};
