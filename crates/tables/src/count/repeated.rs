//! Whether a table contains each row several times: a file joined with itself.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use num_integer::Integer;

use crate::error::DataError;
use crate::read::Table;
use palmtop_core::progress::Meter;

/// With fewer distinct rows, all of them may be repeated by chance.
const LEAST: usize = 10;

impl Table {
    /// The number of times that each distinct row occurs at least, if all occur in multiples of it.
    /// `None` if it is one, or if the table has few distinct rows. Rows are the texts of all
    /// readable columns, compared by 64-bit hashes. O(rows), and memory for each distinct row.
    ///
    /// # Errors
    /// A [`DataError`] if the table cannot be read; [`DataError::Cancelled`] if the meter asks to
    /// stop.
    pub fn repetition(&self, meter: &mut Meter) -> Result<Option<u64>, DataError> {
        let columns: Vec<&str> =
            self.columns().iter().map(String::as_str).filter(|column| self.is_readable(column)).collect();
        let hasher = RandomState::new();
        let mut counts: HashMap<u64, u64> = HashMap::new();
        self.visit(&columns, meter, &mut |_, texts| {
            *counts.entry(hasher.hash_one(texts)).or_default() += 1;
            Ok(())
        })?;
        let times = counts.values().fold(0, |times: u64, count| times.gcd(count));
        Ok((times > 1 && counts.len() >= LEAST).then_some(times))
    }
}
