//! A measure over a sweep of δ, with a line for each strategy: what its chart shows, and the chart as SVG.
//!
//! A sweep and its numbers enter; an axis, labels and a drawing leave. The workbench draws the same in a terminal.
//! Charts do not know who made their numbers.

mod subject;
mod loss;
mod sweep;
mod numbers;
mod drawn;

pub use drawn::{Drawn, title};
pub use loss::{LOSS_AXIS, loss, loss_axis};
pub use numbers::{Numbers, spans};
pub use subject::Subject;
pub use sweep::{Bound, Sweep, label};
