//! A table of as many rows as asked for, as Parquet: six quasi-identifiers, and about half as many combinations as rows.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use polars_arrow::array::{Array, DictionaryArray, PrimitiveArray, Utf8ViewArray};
use polars_arrow::datatypes::{ArrowDataType, ArrowSchema, Field, IntegerType};
use polars_arrow::record_batch::RecordBatchT;
use polars_parquet::write as parquet;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The columns and how many values each has: 1,280,000,000 combinations in all.
pub(crate) const COLUMNS: [(&str, u32); 6] =
    [("age", 100), ("place", 200), ("sex", 2), ("education", 16), ("occupation", 50), ("nationality", 40)];

/// The rows of a row group, as many writers make them.
const GROUP: usize = 1 << 20;

/// One row of T for so many of P.
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

/// The first rows of the table of so many.
fn table(path: &Path, of: u64, rows: u64, seed: u64) {
    let text = |name: &str| Field::new(name.into(), ArrowDataType::Utf8View, false);
    let age = Field::new("age".into(), ArrowDataType::Int32, false);
    let schema: ArrowSchema =
        std::iter::once(age).chain(COLUMNS[1..].iter().map(|(name, _)| text(name))).collect();
    let options = parquet::WriteOptions {
        statistics: parquet::StatisticsOptions::empty(),
        version: parquet::Version::V1,
        compression: parquet::CompressionOptions::Snappy,
        data_page_size: None,
    };
    let types: Vec<_> =
        schema.iter_values().map(|field| parquet::to_parquet_type(field).expect("a type")).collect();
    let mut encodings = vec![vec![parquet::Encoding::RleDictionary]; COLUMNS.len()];
    encodings[0] = vec![parquet::Encoding::Plain];
    let file = std::io::BufWriter::new(File::create(path).expect("a file"));
    let mut writer = parquet::FileWriter::try_new(file, schema.clone(), options).expect("a writer");
    let (schema, mut draws) = (Arc::new(schema), ChaCha8Rng::seed_from_u64(seed));
    let all: u64 = COLUMNS.iter().map(|&(_, values)| u64::from(values)).product();
    // So many combinations, drawn as often as there are rows, leave half as many different ones as rows.
    let pool = (of * 63 / 100).clamp(1, all);
    let mut left = rows;
    while left > 0 {
        let here = usize::try_from(left).unwrap_or(GROUP).min(GROUP);
        left -= here as u64;
        let mut numbers = vec![Vec::with_capacity(here); COLUMNS.len()];
        for _ in 0..here {
            // Prime to the number of combinations, so that each of the pool is another.
            let mut combination = draws.random_range(0..pool) * 2_654_435_761 % all;
            for (numbers, &(_, values)) in numbers.iter_mut().zip(&COLUMNS) {
                numbers.push(u32::try_from(combination % u64::from(values)).expect("a small number"));
                combination /= u64::from(values);
            }
        }
        let arrays =
            numbers.into_iter().zip(&COLUMNS).map(|(numbers, &(name, values))| array(name, values, numbers));
        let batch = RecordBatchT::try_new(here, Arc::clone(&schema), arrays.collect());
        let batch = batch.unwrap_or_else(|error| panic!("{error}"));
        let group = parquet::row_group_iter(batch, encodings.clone().into(), types.clone(), options);
        writer.write(here as u64, group).expect("a row group");
    }
    writer.end(Some(Vec::new())).expect("a footer");
}

fn array(name: &str, values: u32, numbers: Vec<u32>) -> Box<dyn Array> {
    if name == "age" {
        let ages = numbers.into_iter().map(|age| i32::try_from(age).expect("an age")).collect();
        return Box::new(PrimitiveArray::<i32>::from_vec(ages));
    }
    let texts: Vec<String> = (0..values).map(|number| format!("{name} {number}")).collect();
    let kind = ArrowDataType::Dictionary(IntegerType::UInt32, Box::new(ArrowDataType::Utf8View), false);
    let texts = Utf8ViewArray::from_slice_values(&texts).boxed();
    Box::new(
        DictionaryArray::<u32>::try_new(kind, PrimitiveArray::from_vec(numbers), texts)
            .expect("a dictionary"),
    )
}
