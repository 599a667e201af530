//! Writes two tables with typical errors:
//!
//! `cargo run --example dirty -- FOLDER`.
//!
//! The register (P) and the patients (T) differ in many ways. All people in them are invented, and
//! one seed gives the same bytes on every machine. This command lists the errors:
//!
//! `palmtop init --public register.csv --private patients.csv --yes`

mod registry;

use std::env;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

fn main() -> Result<()> {
    let mut arguments = env::args_os().skip(1);
    let (Some(folder), None) = (arguments.next().map(PathBuf::from), arguments.next()) else {
        bail!("expected one argument, the folder to write register.csv and patients.csv into");
    };
    registry::write(&folder).with_context(|| format!("cannot write the tables into {}", folder.display()))
}
