//! The workbench by key macros.

mod broken_jobs;
mod screens;
mod sizes;
mod windows;
