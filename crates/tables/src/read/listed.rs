//! A table in memory, which becomes a CSV file.

use std::collections::HashMap;
use std::path::Path;

use csv::{StringRecord, Writer};

use crate::error::DataError;
use crate::source::spec::TableSpec;

/// A table in memory.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The file that the table becomes, and its format.
    pub files: TableSpec,
    /// The names of the columns.
    pub columns: Vec<String>,
    rows: Vec<StringRecord>,
}

/// Receives the texts of a row.
pub type ShowRow<'a> = dyn FnMut(&[&str]) -> Result<(), DataError> + 'a;

impl Listed {
    /// A table that becomes a CSV file with commas at a path.
    pub fn new(path: &Path, columns: Vec<String>, rows: Vec<StringRecord>) -> Self {
        let files = TableSpec { separator: Some(b','), ..TableSpec::of(path.to_owned()) };
        Self { files, columns, rows }
    }

    /// The number of rows.
    pub fn row_count(&self) -> usize {
        self.rows.len()
    }

    /// The table as the bytes of its file.
    ///
    /// # Errors
    /// The error of the writer.
    pub fn to_csv(&self) -> Result<Vec<u8>, csv::Error> {
        let mut writer = Writer::from_writer(Vec::new());
        writer.write_record(&self.columns)?;
        for row in &self.rows {
            writer.write_record(row)?;
        }
        writer.into_inner().map_err(|error| error.into_error().into())
    }

    /// Shows some columns of each row. A column that the table lacks has empty texts.
    ///
    /// # Errors
    /// Those of `show`.
    pub fn visit(&self, names: &[&str], show: &mut ShowRow) -> Result<(), DataError> {
        let columns = self.columns.iter().map(String::as_str);
        let numbers: HashMap<&str, usize> = columns.zip(0..).collect();
        let indices: Vec<Option<usize>> = names.iter().map(|name| numbers.get(name).copied()).collect();
        for row in &self.rows {
            let texts =
                indices.iter().map(|index| index.and_then(|index| row.get(index)).unwrap_or_default());
            show(&texts.collect::<Vec<_>>())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::Table;

    #[test]
    fn listed_table_reads_the_same_from_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        let rows = [["a,b", "\"q\"", ""], ["x\ny", " b ", "süß;"]];
        let rows: Vec<StringRecord> = rows.into_iter().map(|row| row.into_iter().collect()).collect();
        let names = ["one;two|", "b", "c"];
        let listed = Listed::new(&path, names.map(ToOwned::to_owned).to_vec(), rows.clone());
        std::fs::write(&path, listed.to_csv().unwrap()).unwrap();
        let table = Table::open(&listed.files).unwrap();
        let (mut of_file, mut of_memory) = (Vec::new(), Vec::new());
        let mut meter = |_| std::ops::ControlFlow::Continue(());
        let row = |texts: &[&str]| texts.iter().copied().collect::<StringRecord>();
        table
            .visit(&names, &mut meter, &mut |_, texts| {
                of_file.push(row(texts));
                Ok(())
            })
            .unwrap();
        listed
            .visit(&names, &mut |texts| {
                of_memory.push(row(texts));
                Ok(())
            })
            .unwrap();
        assert_eq!((of_file, of_memory), (rows.clone(), rows));
    }
}
