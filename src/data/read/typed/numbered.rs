//! Some rows of a column as its distinct texts and, for each row, the number of its text. Equal values are found by their bits, so that
//! a row costs no text.

use std::hash::Hash;

use hashbrown::HashMap;
use polars::prelude::*;
use rustc_hash::FxBuildHasher;

use super::super::guard::detail;
use super::texts;

/// Some rows of a column. Two numbers may have one text.
#[derive(Clone, Debug)]
pub(crate) struct Numbered {
    texts: StringChunked,
    /// For each row the number of its text.
    pub(crate) numbers: Vec<u32>,
}

impl Numbered {
    /// The rows of a column.
    ///
    /// # Errors
    /// If a value has no text.
    pub(crate) fn of(column: &Column) -> Result<Self, String> {
        use DataType as T;
        let series = column.as_materialized_series();
        let bits = series.to_physical_repr();
        match series.dtype() {
            T::Int8 => by_value(series, bits.i8().map_err(detail)?, i128::from),
            T::Int16 => by_value(series, bits.i16().map_err(detail)?, i128::from),
            T::Int32 | T::Date => by_value(series, bits.i32().map_err(detail)?, i128::from),
            T::Int64 | T::Datetime(..) => by_value(series, bits.i64().map_err(detail)?, i128::from),
            T::UInt8 => by_value(series, bits.u8().map_err(detail)?, i128::from),
            T::UInt16 => by_value(series, bits.u16().map_err(detail)?, i128::from),
            T::UInt32 => by_value(series, bits.u32().map_err(detail)?, i128::from),
            T::UInt64 => by_value(series, bits.u64().map_err(detail)?, i128::from),
            T::Float32 => by_value(series, bits.f32().map_err(detail)?, |value| value.to_bits().into()),
            T::Float64 => by_value(series, bits.f64().map_err(detail)?, |value| value.to_bits().into()),
            _ => Self::by_view(&texts::of(column)?),
        }
    }

    /// By the bits of the views of texts: a short text is all in them; a longer one, which may lie in several buffers, is looked up once
    /// for each.
    fn by_view(texts: &StringChunked) -> Result<Self, String> {
        let mut long: HashMap<&str, u128, FxBuildHasher> = HashMap::default();
        // `texts` has one chunk, so two rows with the same view have the same text.
        let Some(chunk) = texts.downcast_iter().next() else {
            return Err("a column without a chunk".to_owned());
        };
        let cells = texts.iter().zip(chunk.views().iter());
        let views = cells.map(|(text, view)| text.map(|_| view.as_u128()));
        let (numbers, first) = numbered(
            views,
            |bits| low(bits) ^ low(bits >> 64),
            |row, bits| {
                if chunk.views()[row].is_inline() {
                    bits
                } else {
                    *long.entry(chunk.value(row)).or_insert(bits)
                }
            },
        )?;
        let mut distinct = StringChunkedBuilder::new(PlSmallStr::EMPTY, first.len());
        for &row in &first {
            distinct.append_option(texts.get(row as usize));
        }
        Ok(Self { texts: distinct.finish(), numbers })
    }

    /// The text of a number; a missing value has the empty text.
    pub(crate) fn text(&self, number: u32) -> &str {
        self.texts.get(number as usize).unwrap_or_default()
    }

    /// The texts by their numbers.
    pub(crate) fn texts(&self) -> impl ExactSizeIterator<Item = &str> {
        self.texts.iter().map(Option::unwrap_or_default)
    }
}

/// By the bits of values, of which each distinct one is written as text once.
fn by_value<T: PolarsNumericType>(
    series: &Series,
    values: &ChunkedArray<T>,
    bits: impl Fn(T::Native) -> i128,
) -> Result<Numbered, String> {
    let cells = values.downcast_iter().flat_map(|chunk| chunk.iter());
    let cells = cells.map(|value| value.map(|&value| bits(value).cast_unsigned()));
    let (numbers, first) = numbered(cells, low, |_, bits| bits)?;
    let distinct = series.take_slice(&first).map_err(detail)?;
    Ok(Numbered { texts: texts::of(&distinct.into_column())?, numbers })
}

/// The lower half of its bits.
#[expect(clippy::cast_possible_truncation, reason = "the lower half is what is asked for")]
fn low(bits: u128) -> u64 {
    bits as u64
}

/// How many values are found again at once, as a power of two.
const RECENT: u32 = 12;

/// The index of some bits in the table of recent values.
fn slot(bits: u64) -> usize {
    (bits.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - RECENT)) as usize
}

/// The distinct values numbered as they appear: for each row its number, and for each number its first row. Values that `same` makes one
/// are one; it is asked of a row and its value, but not of every row. `spread` is of values that are often found again.
fn numbered<V: Copy + Eq + Hash>(
    values: impl Iterator<Item = Option<V>>,
    spread: impl Fn(V) -> u64,
    mut same: impl FnMut(usize, V) -> V,
) -> Result<(Vec<u32>, Vec<IdxSize>), String> {
    // Most columns have few values: each has a slot of its own here, which takes no more than a look.
    let mut recent: Vec<Option<(V, u32)>> = vec![None; 1 << RECENT];
    let index = |value: V| slot(spread(value));
    let mut known: HashMap<Option<V>, u32, FxBuildHasher> = HashMap::default();
    let (mut numbers, mut first) = (Vec::with_capacity(values.size_hint().0), Vec::<usize>::new());
    for (row, value) in values.enumerate() {
        if let Some(value) = value
            && let Some((found, number)) = recent[index(value)]
            && found == value
        {
            numbers.push(number);
            continue;
        }
        let next = u32::try_from(first.len()).map_err(detail)?;
        let number = *known.entry(value.map(|value| same(row, value))).or_insert_with(|| {
            first.push(row);
            next
        });
        if let Some(value) = value {
            recent[index(value)] = Some((value, number));
        }
        numbers.push(number);
    }
    let first = first.into_iter().map(IdxSize::try_from).collect::<Result<_, _>>().map_err(detail)?;
    Ok((numbers, first))
}
