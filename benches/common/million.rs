//! A table of any number of rows, as Parquet: six quasi-identifiers, and about half as many
//! combinations as rows.

use std::fs::{self, File};
use std::path::Path;

use polars::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The columns with their numbers of values: 1,280,000,000 combinations in all.
pub(crate) const COLUMNS: [(&str, u32); 6] =
    [("age", 100), ("place", 200), ("sex", 2), ("education", 16), ("occupation", 50), ("nationality", 40)];

/// The rows of a row group, the usual number of many writers.
const GROUP: usize = 1 << 20;

/// T has one row for this many rows of P.
const SHARE: u64 = 1000;

/// Writes P, T (the first rows of P), the hierarchies and the project `project.toml` into a folder.
pub(crate) fn write(folder: &Path, rows: u64, seed: u64) {
    table(&folder.join("public.parquet"), rows, rows, seed);
    table(&folder.join("private.parquet"), rows, (rows / SHARE).max(1), seed);
    let mut project =
        "[private]\npath = \"private.parquet\"\n[public]\npath = \"public.parquet\"\n[delta]\nmax = \"0.1\"\n".to_owned();
    for (name, _) in COLUMNS {
        let hierarchy =
            if name == "age" { "type = \"interval\"\nwidths = [5, 10, 20]\n" } else { "type = \"flat\"\n" };
        fs::write(folder.join(format!("{name}.toml")), hierarchy).expect("a hierarchy");
        project +=
            &format!("[[attribute]]\nname = \"{name}\"\nrole = \"quasi\"\nhierarchy = \"{name}.toml\"\n");
    }
    fs::write(folder.join("project.toml"), project).expect("a project");
}

/// The first `rows` rows of the table of `of` rows.
fn table(path: &Path, of: u64, rows: u64, seed: u64) {
    let text = |name: &str| Field::new(name.into(), DataType::String);
    let age = Field::new("age".into(), DataType::Int32);
    let schema: Schema =
        std::iter::once(age).chain(COLUMNS[1..].iter().map(|(name, _)| text(name))).collect();
    let file = std::io::BufWriter::new(File::create(path).expect("a file"));
    let writer = ParquetWriter::new(file)
        .with_compression(ParquetCompression::Snappy)
        .with_statistics(StatisticsOptions::empty());
    let mut writer = writer.batched(&schema).expect("a writer");
    let mut draws = ChaCha8Rng::seed_from_u64(seed);
    let all: u64 = COLUMNS.iter().map(|&(_, values)| u64::from(values)).product();
    // If this many combinations are drawn once for each row, the distinct ones are half as many as
    // the rows.
    let pool = (of * 63 / 100).clamp(1, all);
    let mut left = rows;
    while left > 0 {
        let here = usize::try_from(left).unwrap_or(GROUP).min(GROUP);
        left -= here as u64;
        let mut numbers = vec![Vec::with_capacity(here); COLUMNS.len()];
        for _ in 0..here {
            // The factor is coprime to the number of combinations, so the combinations of the pool
            // are distinct.
            let mut combination = draws.random_range(0..pool) * 2_654_435_761 % all;
            for (numbers, &(_, values)) in numbers.iter_mut().zip(&COLUMNS) {
                numbers.push(u32::try_from(combination % u64::from(values)).expect("a small number"));
                combination /= u64::from(values);
            }
        }
        let columns = numbers.into_iter().zip(&COLUMNS);
        let columns = columns.map(|(numbers, &(name, values))| column(name, values, &numbers));
        let group = DataFrame::new(here, columns.collect()).expect("a frame");
        writer.write_batch(&group).expect("a row group");
    }
    writer.finish().expect("a footer");
}

fn column(name: &str, values: u32, numbers: &[u32]) -> Column {
    if name == "age" {
        let ages: Vec<i32> = numbers.iter().map(|&age| i32::try_from(age).expect("an age")).collect();
        return Column::new(name.into(), ages);
    }
    let texts: Vec<String> = (0..values).map(|number| format!("{name} {number}")).collect();
    let texts = Column::new(name.into(), texts);
    texts.take_slice(numbers).expect("a text for each number")
}
