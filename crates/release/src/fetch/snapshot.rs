//! The snapshot of a histogram: texts and whole numbers, sorted by the texts.

use polars::prelude::*;

use super::FetchError;

/// The number of rows that are sorted and encoded at once.
const GROUP: usize = 1 << 20;

/// A histogram in a form that does not depend on the database.
pub(super) struct Snapshot {
    texts: Vec<StringChunked>,
    count: String,
    counts: Vec<u64>,
    /// The order of the rows.
    order: Vec<IdxSize>,
    /// The number of people in all rows.
    pub(super) people: u64,
}

impl Snapshot {
    /// Converts a result, which must have the columns `names`, in this order, and then the count.
    ///
    /// # Errors
    /// A [`FetchError`] if the columns are different, a value has no text, or a count is not a number of people.
    pub(super) fn of(frame: DataFrame, names: &[String], count: &str) -> Result<Self, FetchError> {
        let mut columns = frame.columns().to_vec();
        drop(frame);
        if columns.len() != names.len() + 1 {
            let detail = format!("it has {} columns instead of {}", columns.len(), names.len() + 1);
            return Err(wrong(detail));
        }
        let counted = columns.pop().ok_or_else(|| wrong("it has no columns"))?;
        let counts = people(&counted, count)?;
        drop(counted);
        let total = counts.iter().try_fold(0_u64, |sum, &people| sum.checked_add(people));
        let people = total.ok_or_else(|| FetchError::People {
            column: count.to_owned(),
            value: "more people than can be counted".to_owned(),
        })?;
        let mut texts = Vec::with_capacity(names.len());
        // Each column of values is dropped after its conversion to texts.
        for (column, name) in columns.into_iter().zip(names) {
            texts.push(palmtop_tables::texts_of(&column).map_err(wrong)?.with_name(name.as_str().into()));
        }
        let mut order: Vec<IdxSize> = (0..).take(counts.len()).collect();
        order.sort_unstable_by(|&left, &right| {
            let key = |row: IdxSize| texts.iter().map(move |texts| texts.get(row as usize));
            key(left).cmp(key(right)).then_with(|| counts[left as usize].cmp(&counts[right as usize]))
        });
        Ok(Self { texts, count: count.to_owned(), counts, order, people })
    }

    /// The number of combinations.
    pub(super) fn combinations(&self) -> u64 {
        self.order.len() as u64
    }

    /// The bytes of the Parquet file. They depend only on the rows.
    ///
    /// # Errors
    /// A [`FetchError`] with the message of Polars.
    pub(super) fn parquet(&self) -> Result<Vec<u8>, FetchError> {
        let failed = |error: PolarsError| super::database("write the snapshot", error);
        let mut schema: Schema =
            self.texts.iter().map(|texts| Field::new(texts.name().clone(), DataType::String)).collect();
        schema.insert(self.count.as_str().into(), DataType::UInt64);
        let mut bytes = Vec::new();
        let writer = ParquetWriter::new(&mut bytes)
            .with_compression(ParquetCompression::Zstd(None))
            .with_statistics(StatisticsOptions::empty())
            .with_row_group_size(Some(GROUP));
        let mut writer = writer.batched(&schema).map_err(failed)?;
        for rows in self.order.chunks(GROUP) {
            let mut columns = Vec::with_capacity(schema.len());
            for texts in &self.texts {
                columns.push(texts.clone().into_column().take_slice(rows).map_err(failed)?);
            }
            let counts: Vec<u64> = rows.iter().map(|&row| self.counts[row as usize]).collect();
            columns.push(Column::new(self.count.as_str().into(), counts));
            let mut group = DataFrame::new(rows.len(), columns).map_err(failed)?;
            group.rechunk_mut();
            writer.write_batch(&group).map_err(failed)?;
        }
        writer.finish().map_err(failed)?;
        Ok(bytes)
    }
}

fn wrong(detail: impl std::fmt::Display) -> FetchError {
    super::database("read the result", detail)
}

/// The counts as whole numbers, for every numeric type of a database.
pub(super) fn people(column: &Column, name: &str) -> Result<Vec<u64>, FetchError> {
    let texts = palmtop_tables::texts_of(column).map_err(wrong)?;
    let number = |text: Option<&str>| {
        let text = text.unwrap_or("no value");
        // A database may return sums as decimals, such as `12.0`.
        let integer = text.split_once('.').map_or(text, |(integer, rest)| {
            if rest.bytes().all(|byte| byte == b'0') { integer } else { text }
        });
        integer.parse().map_err(|_| FetchError::People { column: name.to_owned(), value: text.to_owned() })
    };
    texts.iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(jobs: &[Option<&str>], counts: &[&str]) -> Result<Snapshot, FetchError> {
        let columns = vec![Column::new("x".into(), jobs), Column::new("y".into(), counts)];
        Snapshot::of(DataFrame::new(jobs.len(), columns).unwrap(), &["people".to_owned()], "n")
    }

    // holds: Snapshots are whole
    #[test]
    fn equal_rows_give_a_snapshot_of_equal_bytes() {
        let one = snapshot(&[Some("b"), None, Some(""), Some("a")], &["1", "2.0", "3", "4"]).unwrap();
        let other = snapshot(&[Some(""), Some("a"), Some("b"), None], &["3", "4", "1.00", "2"]).unwrap();
        assert_eq!((one.people, one.combinations()), (10, 4));
        assert_eq!(one.parquet().unwrap(), other.parquet().unwrap());
        let read = ParquetReader::new(std::io::Cursor::new(one.parquet().unwrap())).finish().unwrap();
        let jobs: Vec<Option<&str>> = read.column("people").unwrap().str().unwrap().iter().collect();
        assert_eq!(jobs, [None, Some(""), Some("a"), Some("b")]);
        let counts: Vec<u64> = read.column("n").unwrap().u64().unwrap().into_no_null_iter().collect();
        assert_eq!(counts, [2, 3, 4, 1]);
    }

    #[test]
    fn what_is_no_number_of_people_is_refused() {
        for text in ["-1", "1.5", "x", ""] {
            let error = snapshot(&[Some("a")], &[text]).map(|snapshot| snapshot.people).unwrap_err();
            assert!(error.to_string().contains("not a number of people"), "{error}");
        }
        let many = u64::MAX.to_string();
        assert!(snapshot(&[Some("a"), Some("b")], &[&many, "1"]).is_err());
    }
}
