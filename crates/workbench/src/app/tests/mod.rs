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
mod words;
mod writing;

use crate::app::registry;

/// The keys that open each screen, as they are typed.
fn opening_keys() -> impl Iterator<Item = String> {
    let opening = registry::table().iter().filter(|binding| binding.opens.is_some());
    opening.map(|binding| format!(":{}<Enter>", binding.id))
}
