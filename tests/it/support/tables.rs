//! Writes columns of any type as a Parquet or Arrow IPC file, depending on the extension.

use std::fs::File;
use std::path::Path;

use polars::prelude::*;

pub(crate) type Column = Series;

/// A column of texts, some of which may be missing.
pub(crate) fn texts<T: AsRef<str>>(texts: impl IntoIterator<Item = Option<T>>) -> Column {
    let texts: Vec<Option<String>> =
        texts.into_iter().map(|text| text.map(|text| text.as_ref().to_owned())).collect();
    Series::new(PlSmallStr::EMPTY, texts)
}

/// A column of this type from numbers, or from the numbers that represent its values.
pub(crate) fn numbers<T>(kind: &DataType, numbers: impl IntoIterator<Item = Option<T>>) -> Column
where
    Series: NamedFrom<Vec<Option<T>>, [Option<T>]>,
{
    let numbers: Vec<Option<T>> = numbers.into_iter().collect();
    Series::new(PlSmallStr::EMPTY, numbers).cast(kind).unwrap()
}

/// Writes columns of equal length, in row groups or batches of at most `most` rows.
pub(crate) fn write(path: &Path, columns: &[(&str, Column)], most: usize) {
    let named = columns.iter().map(|(name, column)| column.clone().with_name((*name).into()).into_column());
    let frame = DataFrame::new(columns[0].1.len(), named.collect()).unwrap();
    let parts = (0..frame.height()).step_by(most).map(|from| frame.slice(i64::try_from(from).unwrap(), most));
    let file = File::create(path).unwrap();
    if path.extension().is_some_and(|extension| extension == "parquet") {
        let writer = ParquetWriter::new(file).with_compression(ParquetCompression::Snappy);
        let mut writer = writer.batched(frame.schema()).unwrap();
        parts.for_each(|part| writer.write_batch(&part).unwrap());
        writer.finish().unwrap();
    } else {
        // A chunk becomes a batch.
        let mut chunked = frame.clear();
        parts.for_each(|part| _ = chunked.vstack_mut(&part).unwrap());
        IpcWriter::new(file).finish(&mut chunked).unwrap();
    }
}
