//! Writes the synthetic town and its chest clinic:
//!
//! `cargo run --example make_clinic -- sample-data/clinic`.
//!
//! All people in it are invented. One seed gives the same bytes on every machine. A test compares
//! the committed files with the result.

mod clinic;

use std::env;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

fn main() -> Result<()> {
    let mut arguments = env::args_os().skip(1);
    let (Some(folder), None) = (arguments.next().map(PathBuf::from), arguments.next()) else {
        bail!("expected one argument, the folder to write public.csv and private.csv into");
    };
    clinic::write(&folder).with_context(|| format!("cannot write the sample into {}", folder.display()))
}
