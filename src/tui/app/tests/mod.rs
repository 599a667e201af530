//! The workbench by key macros.

mod broken_jobs;
mod reload;
mod screens;
mod sizes;
mod windows;
