//! Makes a release of tables that are frames in memory: `cargo run --example frames`.

use std::path::Path;

use palmtop::pipeline::{Analysis, FrameSettings};
use palmtop::progress::unwatched;
use palmtop::search::{Config, Strategy};
use polars::prelude::*;

/// The settings of an analysis: the content of a project file without its tables.
const SETTINGS: &str = r#"
delta = { max = "1/2" }
[[attribute]]
name = "age"
role = "quasi"
hierarchy = "age.toml"
[[attribute]]
name = "diagnosis"
role = "sensitive"
"#;

fn main() -> anyhow::Result<()> {
    // P, which is public, and T, the patients. The frames may come from a database, a notebook or a
    // file.
    let public = df!("age" => [31, 32, 33, 34, 41, 42, 43, 44])?;
    let private = df!("age" => [32, 33, 41], "diagnosis" => ["flu", "gout", "flu"])?;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("hierarchies");
    let analysis =
        Analysis::of_frames(&public, &private, &FrameSettings { text: SETTINGS, folder: &folder })?;

    let found = analysis.search(analysis.problem(), Strategy::Best, &Config::default(), &mut unwatched);
    let Some(release) = found.release else { anyhow::bail!("no release keeps δ") };
    let (rows, verification) = analysis.release_frame(&release)?;
    let classes = analysis.classes_frame(&release)?;
    println(&format!(
        "{} rows in {} classes, verified: presence at most {}",
        rows.height(),
        classes.height(),
        verification.achieved.max
    ));
    for row in 0..rows.height() {
        let cells =
            rows.columns().iter().map(|column| column.str().map(|texts| texts.get(row).unwrap_or_default()));
        println(&cells.collect::<PolarsResult<Vec<_>>>()?.join(" | "));
    }
    Ok(())
}

#[expect(clippy::print_stdout, reason = "what an example is for")]
fn println(line: &str) {
    println!("{line}");
}
