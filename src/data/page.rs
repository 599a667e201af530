//! A page of a table: some of its rows as they stand in the file, and no more of it read than they need.

use polars::prelude::*;

use super::encode::is_member_row;
use super::error::DataError;
use super::read::{Table, texts};

impl Table {
    /// At most `rows` rows from `offset` on, every column as text, in the file's order.
    ///
    /// With `member`, only the rows where that column is true are there, and counted.
    ///
    /// # Errors
    /// A [`DataError`] where the table cannot be read, or has other columns than it had when it was opened.
    pub fn page(
        &self,
        member: Option<&str>,
        offset: u64,
        rows: usize,
    ) -> Result<Vec<Vec<String>>, DataError> {
        let mut scan = self.scan_all()?;
        if let Some(member) = member {
            scan = scan.filter(is_member_row(col(member).cast(DataType::String)));
        }
        let offset = i64::try_from(offset).unwrap_or(i64::MAX);
        let length = IdxSize::try_from(rows).unwrap_or(IdxSize::MAX);
        let slice = scan.slice(offset, length).select([all().as_expr().cast(DataType::String)]);
        let frame = self.collect(slice)?;
        if frame.width() != self.columns().len() {
            return Err(DataError::Changed { path: self.path().to_owned() });
        }
        let mut page = vec![Vec::with_capacity(frame.width()); frame.height()];
        for column in frame.columns() {
            let column = texts(column).map_err(|error| self.polars_error(&error))?;
            for (row, text) in page.iter_mut().zip(column) {
                row.push(text);
            }
        }
        Ok(page)
    }
}
