//! Charts as SVG: each a file of its own that refers to nothing outside, says in words what it shows, and reads on light and on dark.
//!
//! It knows numbers and names, and not where they come from.

mod axis;
mod frame;
mod histogram;
mod bars;

pub use axis::Axis;
pub use bars::{Bar, bars};
pub use histogram::{Column, Histogram, histogram};

use maud::html;

/// A drawing of another's with a title and a role, for who does not see it: both stand at its beginning.
pub fn titled(drawing: &str, title: &str) -> String {
    let Some((before, after)) = drawing.split_once('>') else { return drawing.to_owned() };
    let title = html! { title { (title) } }.into_string();
    format!("{} role=\"img\">{}{after}", before.trim_end(), palmtop_core::text::escape(&title))
}
