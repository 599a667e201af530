//! The workbench by key macros.

mod broken_jobs;
mod decisions;
mod people;
mod pictures;
mod reload;
mod screens;
mod sizes;
mod typed_ahead;
mod windows;
mod writing;

use crate::app::registry;

/// The key that opens each screen, as it is typed.
fn opening_keys() -> impl Iterator<Item = &'static str> {
    registry::table().iter().filter(|binding| binding.opens.is_some()).map(|binding| binding.keys[0])
}
