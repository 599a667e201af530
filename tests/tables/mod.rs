//! Writes columns of any type as a Parquet or Arrow IPC file, as its ending says.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use polars_arrow::array::{Array, PrimitiveArray, Utf8ViewArray};
use polars_arrow::datatypes::{ArrowDataType, ArrowSchema, Field};
use polars_arrow::io::ipc::write as ipc;
use polars_arrow::record_batch::RecordBatchT;
use polars_arrow::types::NativeType;
use polars_parquet::write as parquet;

pub(crate) type Column = Box<dyn Array>;

/// Texts, some of which may be missing.
pub(crate) fn texts<T: AsRef<str>>(texts: impl IntoIterator<Item = Option<T>>) -> Column {
    let texts: Vec<Option<T>> = texts.into_iter().collect();
    Box::new(Utf8ViewArray::from_slice(texts))
}

/// Numbers, or what numbers stand for in a type.
pub(crate) fn numbers<T: NativeType>(
    kind: ArrowDataType,
    numbers: impl IntoIterator<Item = Option<T>>,
) -> Column {
    let numbers: Vec<Option<T>> = numbers.into_iter().collect();
    Box::new(PrimitiveArray::from(numbers).to(kind))
}

/// Writes columns of one length, in row groups or batches of at most so many rows.
pub(crate) fn write(path: &Path, columns: &[(&str, Column)], most: usize) {
    let field = |(name, column): &(&str, Column)| Field::new((*name).into(), column.dtype().clone(), true);
    let schema: ArrowSchema = columns.iter().map(field).map(|field| (field.name.clone(), field)).collect();
    let schema = Arc::new(schema);
    let height = columns[0].1.len();
    let batches: Vec<_> = (0..height)
        .step_by(most)
        .map(|from| {
            let rows = most.min(height - from);
            let parts = columns.iter().map(|(_, column)| column.sliced(from, rows)).collect();
            RecordBatchT::new(rows, Arc::clone(&schema), parts)
        })
        .collect();
    let file = File::create(path).unwrap();
    if path.extension().is_some_and(|extension| extension == "parquet") {
        let options = parquet::WriteOptions {
            statistics: parquet::StatisticsOptions::default(),
            version: parquet::Version::V1,
            compression: parquet::CompressionOptions::Snappy,
            data_page_size: None,
        };
        let heights: Vec<usize> = batches.iter().map(RecordBatchT::len).collect();
        // A list has its encoding for its leaves.
        let encodings = vec![vec![parquet::Encoding::Plain]; columns.len()].into();
        let batches = batches.into_iter().map(Ok);
        let groups = parquet::RowGroupIterator::try_new(batches, &schema, options, encodings).unwrap();
        let mut writer = parquet::FileWriter::try_new(file, (*schema).clone(), options).unwrap();
        for (group, rows) in groups.zip(heights) {
            writer.write(rows as u64, group.unwrap()).unwrap();
        }
        writer.end(None).unwrap();
    } else {
        let options = ipc::WriteOptions { compression: None };
        let mut writer = ipc::FileWriter::try_new(file, schema, None, options).unwrap();
        for batch in &batches {
            writer.write(batch, None).unwrap();
        }
        writer.finish().unwrap();
    }
}
