//! The tests of the whole program, in one program: `cargo test --test it cli::` runs those of one file.
#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up should stop")]

mod support;

mod adult;
mod advise;
mod architecture;
mod arx;
mod best;
mod betrayal;
mod betrayal_projects;
mod book;
mod cautions;
mod classes;
mod cli;
mod codebook;
mod compatibility;
mod compose;
mod console;
mod databases;
mod entities;
mod entity_cautions;
mod estimate;
mod export;
mod formats;
mod frames;
mod from_folder;
mod hostile;
mod identity;
mod init;
mod invariants;
mod limits;
mod listing;
mod messages;
mod net;
mod pages;
mod paper;
mod prior;
mod project_keys;
mod properties;
mod prose;
mod pseudonyms;
mod published;
mod raw;
mod reading;
mod readings;
mod reduced;
mod history;
mod regroup;
mod report;
mod report_page;
mod risk;
mod roundtrip;
mod samples;
mod search_options;
mod sensitive;
mod signals;
mod suppression;
mod terminal;
mod utility;
mod values;
mod verify;
mod watched;
mod wide;

#[path = "../../fuzz/mod.rs"]
mod fuzz;
