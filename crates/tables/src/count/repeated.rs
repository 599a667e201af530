//! Whether a table has every row several times: the same file, joined to itself.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use num_integer::Integer;

use crate::error::DataError;
use crate::read::Table;
use palmtop_core::progress::Meter;

/// With fewer distinct rows, all may occur several times by chance.
const LEAST: usize = 10;

impl Table {
    /// How many times each distinct row occurs, at least and in multiples of that; `None` if that is once, or the table has few distinct
    /// rows. Rows are the texts of all readable columns, known by 64 bits of a hash. O(rows), and memory for each distinct row.
    ///
    /// # Errors
    /// A [`DataError`] if the table cannot be read; [`DataError::Cancelled`] if the meter says stop.
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
