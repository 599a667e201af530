//! The workbench by key macros, and its screens as snapshots.

mod harness;
mod walk;
mod broken_jobs;
mod searches;
mod export;
mod lattice;
mod trade_off;
mod hierarchies;
mod tables;
mod screens;
mod sizes;
