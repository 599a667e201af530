//! Reads Parquet and Arrow IPC files with a library (polars).
//!
//! The library receives a private copy of the bytes and decodes only the needed columns. Only types whose values have a
//! unique text are accepted. A panic of the library becomes an error.

mod cell;

use std::io::Cursor;
use std::iter;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use polars::prelude::*;

pub(crate) use self::cell::{date, instant};
use super::batch::{Batch, BatchVisitor, Cells};
use super::guard::{broken, caught};
use super::position::Visitor;
use crate::problems::Stop;
use crate::problems::VerifyError;
use palmtop_terms::LocatedError;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TypedFormat {
    Parquet,
    Ipc,
}

impl TypedFormat {
    /// The name of the format in a trial.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Ipc => "arrow",
        }
    }
}

/// The bytes of a file and its metadata.
#[derive(Debug)]
pub(crate) struct Typed {
    format: TypedFormat,
    bytes: Vec<u8>,
    schema: Arc<ArrowSchema>,
    /// The number of rows in the metadata of a Parquet file.
    claimed: Option<usize>,
}

impl Typed {
    pub(crate) fn of(path: &Path, format: TypedFormat, bytes: Vec<u8>) -> Result<Self, VerifyError> {
        let (schema, claimed) = caught(path, || {
            let cursor = Cursor::new(bytes.as_slice());
            match format {
                TypedFormat::Parquet => {
                    let mut reader = ParquetReader::new(cursor);
                    let schema = reader.schema().map_err(text)?;
                    let metadata = reader.get_metadata().map_err(text)?;
                    let rows: Option<usize> = metadata
                        .row_groups
                        .iter()
                        .try_fold(0_usize, |rows, group| rows.checked_add(group.num_rows()));
                    if rows != Some(metadata.num_rows) {
                        return Err("its number of rows differs from its metadata; save it again".to_owned());
                    }
                    Ok((schema, rows))
                }
                TypedFormat::Ipc => Ok((IpcReader::new(cursor).schema().map_err(text)?, None)),
            }
        })?;
        Ok(Self { format, bytes, schema, claimed })
    }

    fn fields(&self) -> impl Iterator<Item = &ArrowField> {
        self.schema.iter_values()
    }

    pub(crate) fn columns(&self) -> Vec<String> {
        self.fields().map(|field| field.name.to_string()).collect()
    }

    /// The first column whose type differs from the text type of releases. Other surplus content is found by the comparison
    /// of bytes.
    pub(crate) fn foreign_column(&self) -> Option<String> {
        let expected = match self.format {
            TypedFormat::Parquet => ArrowDataType::Utf8View,
            TypedFormat::Ipc => ArrowDataType::LargeUtf8,
        };
        let column = self.fields().position(|field| field.dtype != expected)?;
        Some(format!("column {} does not have the text type of releases", column + 1))
    }

    /// Calls `show` with the texts of some columns, row by row. A missing value is the empty text.
    pub(crate) fn visit(&self, path: &Path, columns: &[&str], show: &mut Visitor) -> Result<(), VerifyError> {
        self.visit_batches(path, columns, &Stop::default(), &mut |batches| {
            batches.iter().try_for_each(|batch| {
                (0..batch.len())
                    .try_for_each(|row| show(batch.position(row), &batch.texts(row, 0..columns.len())))
            })
        })
    }

    /// The columns whose values have texts.
    pub(crate) fn readable_columns(&self) -> Vec<String> {
        let readable = self.fields().filter(|field| has_text(&field.dtype));
        readable.map(|field| field.name.to_string()).collect()
    }

    /// Whether a column may have identifiers: texts or numbers, no days.
    pub(crate) fn may_identify(&self, column: &str) -> bool {
        self.fields().any(|field| {
            let is_time = matches!(field.dtype, ArrowDataType::Date32 | ArrowDataType::Timestamp(..));
            field.name == column && has_text(&field.dtype) && !is_time
        })
    }

    /// Calls `show` with some columns, many rows at once.
    pub(crate) fn visit_batches(
        &self,
        path: &Path,
        columns: &[&str],
        stop: &Stop,
        show: &mut BatchVisitor,
    ) -> Result<(), VerifyError> {
        let mut wanted = Vec::new();
        for field in self.fields().filter(|field| columns.contains(&field.name.as_str())) {
            if !has_text(&field.dtype) {
                let problem = format!("values of type {} cannot be read", type_name(&field.dtype));
                return Err(LocatedError::new(problem)
                    .in_file(path)
                    .at_column(field.name.as_str())
                    .remedy("save the column as text, whole numbers or dates")
                    .into());
            }
            wanted.push(field.name.to_string());
        }
        // One column may have two parts.
        let part_of = |column: &&str| wanted.iter().position(|name| name == column);
        let parts: Vec<usize> = columns.iter().filter_map(part_of).collect();
        if wanted.is_empty() || parts.len() != columns.len() {
            return Err(broken(path, "no expected column was found; save it again"));
        }
        self.visit_parts(path, &wanted, &parts, stop, &mut |batches, _| show(batches))
    }

    /// Calls `show` with all of these columns, many rows at once. Only some of them are parts of the batches and must have
    /// texts; another one without texts has no cells, and `show` is told so.
    pub(crate) fn visit_parts(
        &self,
        path: &Path,
        columns: &[String],
        parts: &[usize],
        stop: &Stop,
        show: &mut PartsVisitor,
    ) -> Result<(), VerifyError> {
        let (mut first_row, mut are_complete) = (1, true);
        self.visit_waves(path, columns, &cell::read, stop, &mut |wave| {
            let (mut batches, mut failed) = (Vec::with_capacity(wave.len()), Ok(()));
            for slice in wave {
                let mut cells: Vec<Cells> = Vec::with_capacity(columns.len());
                for (nth, made) in slice.made.into_iter().enumerate() {
                    let made = made.and_then(|made| made.ok_or_else(|| unreadable(path, &columns[nth])));
                    match made {
                        Ok(made) => cells.push(made),
                        Err(error) if parts.contains(&nth) => failed = failed.and(Err(error)),
                        Err(_) => {
                            are_complete = false;
                            cells.push(Cells::default());
                        }
                    }
                }
                if failed.is_err() {
                    break;
                }
                batches.push(Batch::of(cells, parts, slice.rows, first_row));
                first_row += slice.rows as u64;
            }
            show(&mut batches, are_complete)?;
            failed
        })
    }

    /// Applies `of` to some columns on all threads, and calls `show` with the results of many rows at once, in the order of the
    /// file.
    pub(crate) fn visit_waves<T: Send>(
        &self,
        path: &Path,
        columns: &[String],
        of: &(dyn Fn(&Series) -> T + Sync),
        stop: &Stop,
        show: &mut WaveVisitor<T>,
    ) -> Result<(), VerifyError> {
        match self.claimed {
            Some(claimed) => self.visit_parquet(path, columns, claimed, of, stop, show),
            None => self.visit_ipc(path, columns, of, stop, show),
        }
    }

    /// Decodes each column separately, so that the library keeps few columns in memory.
    fn visit_parquet<T: Send>(
        &self,
        path: &Path,
        columns: &[String],
        claimed: usize,
        of: &(dyn Fn(&Series) -> T + Sync),
        stop: &Stop,
        show: &mut WaveVisitor<T>,
    ) -> Result<(), VerifyError> {
        let metadata = caught(path, || {
            ParquetReader::new(Cursor::new(self.bytes.as_slice())).get_metadata().cloned().map_err(text)
        })?;
        let mut rows_of_groups = Vec::with_capacity(metadata.row_groups.len());
        for group in &metadata.row_groups {
            rows_of_groups.push(group.num_rows());
        }
        let column = |(start, height): (usize, usize), name: &String| {
            caught(path, || {
                let mut reader = ParquetReader::new(Cursor::new(self.bytes.as_slice()))
                    .with_columns(Some(vec![name.clone()]))
                    .with_slice(Some((start, height)))
                    // Any other way decodes the dictionaries of all row groups before the slice, too.
                    .read_parallel(ParallelStrategy::RowGroups);
                reader.set_metadata(Arc::clone(&metadata));
                let frame = reader.finish().map_err(text)?;
                let column = frame.column(name).map_err(text)?;
                if column.len() != height || start + height > claimed {
                    return Err("its number of rows differs from its metadata; save it again".to_owned());
                }
                Ok(of(column.as_materialized_series()))
            })
        };
        waves(&slices(&rows_of_groups, LEAST, MOST), columns, &column, stop, show)
    }

    fn visit_ipc<T: Send>(
        &self,
        path: &Path,
        columns: &[String],
        of: &(dyn Fn(&Series) -> T + Sync),
        stop: &Stop,
        show: &mut WaveVisitor<T>,
    ) -> Result<(), VerifyError> {
        let frame = caught(path, || {
            let reader = IpcReader::new(Cursor::new(self.bytes.as_slice()));
            reader.with_columns(Some(columns.to_vec())).set_rechunk(false).finish().map_err(text)
        })?;
        // A column of nulls needs no bytes for its rows, so a small file could claim any number of them.
        let is_blank = frame.columns().iter().all(|column| column.dtype() == &DataType::Null);
        if is_blank && frame.height() / 64 > self.bytes.len() {
            return Err(broken(path, "it has fewer rows than its metadata; save it again"));
        }
        let column = |(start, height): (usize, usize), name: &String| {
            caught(path, || {
                let column = frame.column(name).map_err(text)?;
                if column.len() != frame.height() {
                    return Err("its columns have different lengths; save it again".to_owned());
                }
                let start = i64::try_from(start).map_err(text)?;
                Ok(of(&column.as_materialized_series().slice(start, height)))
            })
        };
        waves(&slices(&[frame.height()], LEAST, LEAST), columns, &column, stop, show)
    }
}

/// Some rows of a file, with what was made of each of some columns.
pub(crate) struct Slice<T> {
    pub(crate) rows: usize,
    pub(crate) made: Vec<Result<T, VerifyError>>,
}

/// Receives several slices, in the order of the file.
type WaveVisitor<'a, T> = dyn FnMut(Vec<Slice<T>>) -> Result<(), VerifyError> + 'a;

/// Receives batches of columns, and whether all columns have cells.
type PartsVisitor<'a> = dyn FnMut(&mut [Batch], bool) -> Result<(), VerifyError> + 'a;

/// Row groups are decoded together up to this many rows.
const LEAST: usize = 1 << 17;
/// Larger row groups are divided. The parts of one share pages, which are decompressed for each part.
const MOST: usize = 1 << 20;
/// The number of cells that a thread decodes before the rows are counted.
const CELLS: usize = 1 << 21;

/// Makes something of one column of a slice, given as its first row and its length.
type Make<'a, T> = dyn Fn((usize, usize), &String) -> Result<T, VerifyError> + Sync + 'a;

/// Makes each column of each slice on some thread, and shows as many slices at once as keep all threads busy.
fn waves<T: Send>(
    slices: &[(usize, usize)],
    columns: &[String],
    make: &Make<T>,
    stop: &Stop,
    show: &mut WaveVisitor<T>,
) -> Result<(), VerifyError> {
    let width = columns.len();
    let at_once = CELLS * rayon::current_num_threads() / width.max(1);
    let mut rest = slices;
    while !rest.is_empty() {
        let mut rows = 0;
        let more = rest.iter().position(|(_, height)| {
            rows += height;
            rows > at_once
        });
        let wave;
        (wave, rest) = rest.split_at(more.unwrap_or(rest.len()).max(1));
        let task = |task: usize| {
            if stop.is_wanted() {
                Err(VerifyError::Cancelled)
            } else {
                make(wave[task / width], &columns[task % width])
            }
        };
        let columns_of = on_threads(wave.len() * width, &task);
        if stop.is_wanted() {
            return Err(VerifyError::Cancelled);
        }
        let mut all = columns_of.into_iter();
        let slice = |&(_, rows): &(usize, usize)| Slice { rows, made: all.by_ref().take(width).collect() };
        show(wave.iter().map(slice).collect())?;
    }
    Ok(())
}

/// The results of so many tasks, in their order, from threads of this function alone: a thread of a pool that waits for the
/// library's pool begins another task on the same stack, and so on until the stack is full.
fn on_threads<T: Send>(tasks: usize, task: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let work = || {
        let following = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|nth| *nth < tasks);
        iter::from_fn(following).map(|nth| (nth, task(nth))).collect::<Vec<_>>()
    };
    let mut made: Vec<(usize, T)> = thread::scope(|scope| {
        let threads = rayon::current_num_threads().min(tasks);
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)))
            .collect()
    });
    made.sort_unstable_by_key(|(nth, _)| *nth);
    made.into_iter().map(|(_, made)| made).collect()
}

/// The slices of rows that are decoded at once, each as its first row and its length: whole row groups, several up to `least`
/// rows, and parts of one with more than `most`.
fn slices(groups: &[usize], least: usize, most: usize) -> Vec<(usize, usize)> {
    let (mut slices, mut first) = (Vec::<(usize, usize)>::new(), 0);
    for &group in groups {
        match slices.last_mut() {
            Some((_, rows)) if *rows + group <= least => *rows += group,
            _ => {
                let parts = (0..group).step_by(most);
                slices.extend(parts.map(|start| (first + start, most.min(group - start))));
            }
        }
        first += group;
    }
    slices
}

fn unreadable(path: &Path, column: &str) -> VerifyError {
    let detail =
        format!("column `{column}` has a value without a text form, such as a date out of range; correct it");
    broken(path, &detail)
}

/// Whether each value of a type has a unique text.
fn has_text(dtype: &ArrowDataType) -> bool {
    match dtype {
        ArrowDataType::Null
        | ArrowDataType::Boolean
        | ArrowDataType::Int8
        | ArrowDataType::Int16
        | ArrowDataType::Int32
        | ArrowDataType::Int64
        | ArrowDataType::UInt8
        | ArrowDataType::UInt16
        | ArrowDataType::UInt32
        | ArrowDataType::UInt64
        | ArrowDataType::Float32
        | ArrowDataType::Float64
        | ArrowDataType::Utf8
        | ArrowDataType::LargeUtf8
        | ArrowDataType::Utf8View
        | ArrowDataType::Date32
        | ArrowDataType::Timestamp(_, None)
        | ArrowDataType::Decimal(..) => true,
        ArrowDataType::Timestamp(_, Some(zone)) => cell::Zone::of(zone).is_some(),
        ArrowDataType::Dictionary(_, values, _) => {
            matches!(**values, ArrowDataType::Utf8 | ArrowDataType::LargeUtf8 | ArrowDataType::Utf8View)
        }
        _ => false,
    }
}

/// The name of a type without its inner fields.
fn type_name(dtype: &ArrowDataType) -> String {
    let name = format!("{dtype:?}");
    let end = name.find("Field {").unwrap_or(name.len());
    name[..end].trim_end_matches(['(', '[']).to_owned()
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::time::Duration;

    use super::*;

    #[test]
    fn only_large_row_groups_are_divided() {
        let of = |groups: &[usize]| slices(groups, 10, 10);
        assert_eq!(of(&[]), []);
        assert_eq!(of(&[10, 3, 4, 4, 0, 25, 5]), [(0, 10), (10, 7), (17, 4), (21, 10), (31, 10), (41, 10)]);
        assert_eq!(of(&[0, 7, 9]), [(0, 7), (7, 9)]);
        assert_eq!(slices(&[3, 2, 12, 25], 5, 20), [(0, 5), (5, 12), (17, 20), (37, 5)]);
    }

    #[test]
    fn task_is_not_begun_within_another() {
        thread_local! {
            static IS_BUSY: Cell<bool> = const { Cell::new(false) };
        }
        let library = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let task = |nth: usize| {
            assert!(!IS_BUSY.replace(true), "it begins within another");
            library.install(|| thread::sleep(Duration::from_millis(1)));
            IS_BUSY.set(false);
            nth
        };
        let ours = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        for tasks in [0, 1, 40] {
            assert_eq!(ours.install(|| on_threads(tasks, &task)), (0..tasks).collect::<Vec<_>>());
        }
    }

    /// The reader of the engine is tested with the same list.
    #[test]
    fn every_type_reads_as_its_listed_texts() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
        let listed = std::fs::read_to_string(root.join("tests/typed/texts.tsv")).unwrap();
        let mut read = 0;
        for line in listed.lines().filter(|line| !line.starts_with('#')) {
            let [file, column, texts] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
            let (folder, format) = match file.rsplit('.').next() {
                Some("parquet") => ("parquet", TypedFormat::Parquet),
                _ => ("arrow", TypedFormat::Ipc),
            };
            let path = root.join("fuzz/seeds").join(folder).join(file);
            let found = Typed::of(&path, format, std::fs::read(&path).unwrap()).and_then(|typed| {
                let mut found = Vec::new();
                typed.visit(&path, &[column], &mut |_, row| {
                    found.push(row[0].to_owned());
                    Ok(())
                })?;
                Ok(found)
            });
            match found {
                Ok(found) => {
                    assert_eq!(found, serde_json::from_str::<Vec<String>>(texts).unwrap(), "{file} {column}");
                }
                Err(error) => assert_eq!(texts, "refused", "{error}"),
            }
            read += 1;
        }
        assert!(read > 700, "{read}");
    }
}
