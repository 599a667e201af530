//! Writes two tables as people send them: `cargo run --example dirty -- FOLDER`.
//!
//! The register (P) and the patients (T) disagree in every way that tables do. Everybody in them is invented, and the same
//! seed writes the same bytes on every machine. `palmtop init --public register.csv --private patients.csv --yes` names
//! what is wrong with them.

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
