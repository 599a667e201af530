//! A column as its distinct texts, and for each row the number of its text. Equal values are found
//! by their bits, so most rows need no text.

use std::hash::Hash;

use hashbrown::HashMap;
use polars::prelude::*;
use rustc_hash::FxBuildHasher;

use super::super::guard::detail;
use super::texts;

/// Some rows of a column. Two numbers may have the same text.
#[derive(Clone, Debug)]
pub(crate) struct Numbered {
    texts: StringChunked,
    /// The number of each row's text.
    pub(crate) numbers: Vec<u32>,
    /// The first row with each number.
    pub(crate) first: Vec<IdxSize>,
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

    /// Uses the bits of text views: a short text is entirely in its view. A longer one is looked up
    /// once for each view, which is its position in the buffers of its chunk.
    fn by_view(texts: &StringChunked) -> Result<Self, String> {
        let mut long: HashMap<&str, u128, FxBuildHasher> = HashMap::default();
        let mut numbering = Numbering::new(texts.len(), |bits: u128| low(bits) ^ low(bits >> 64));
        for chunk in texts.downcast_iter() {
            numbering.forget_recent();
            let cells = chunk.iter().zip(chunk.views().iter());
            let views = cells.map(|(text, view)| text.map(|_| view.as_u128()));
            numbering.add(views, |row, bits| {
                if chunk.views()[row].is_inline() {
                    return bits;
                }
                let next = long_text(long.len());
                *long.entry(chunk.value(row)).or_insert(next)
            })?;
        }
        let (numbers, first) = numbering.finish()?;
        let mut distinct = StringChunkedBuilder::new(PlSmallStr::EMPTY, first.len());
        for &row in &first {
            distinct.append_option(texts.get(row as usize));
        }
        Ok(Self { texts: distinct.finish(), numbers, first })
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

/// Uses the bits of values; each distinct value is written as text once.
fn by_value<T: PolarsNumericType>(
    series: &Series,
    values: &ChunkedArray<T>,
    bits: impl Fn(T::Native) -> i128,
) -> Result<Numbered, String> {
    let cells = values.downcast_iter().flat_map(|chunk| chunk.iter());
    let cells = cells.map(|value| value.map(|&value| bits(value).cast_unsigned()));
    let mut numbering = Numbering::new(values.len(), low);
    numbering.add(cells, |_, bits| bits)?;
    let (numbers, first) = numbering.finish()?;
    let distinct = series.take_slice(&first).map_err(detail)?;
    Ok(Numbered { texts: texts::of(&distinct.into_column())?, numbers, first })
}

/// The key of the nth longer text. It cannot equal the view of a short text, whose first 32 bits
/// are its length.
fn long_text(nth: usize) -> u128 {
    u128::from(u32::MAX) | (nth as u128) << u32::BITS
}

/// The lower half of the bits.
#[expect(clippy::cast_possible_truncation, reason = "the lower half is what is asked for")]
fn low(bits: u128) -> u64 {
    bits as u64
}

/// The number of recent values found without hashing, as a power of two.
const RECENT: u32 = 12;

/// The index of some bits in the table of recent values.
fn slot(bits: u64) -> usize {
    (bits.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - RECENT)) as usize
}

/// The distinct values of a column, numbered as they appear.
struct Numbering<V, S> {
    /// The bits of a value that choose its slot among the recent ones.
    spread: S,
    /// The most recent values, in slots. Most columns have few values, which need no hashing.
    recent: Vec<Option<(V, u32)>>,
    known: HashMap<Option<V>, u32, FxBuildHasher>,
    /// The number of each row's value.
    numbers: Vec<u32>,
    /// The first row with each number.
    first: Vec<usize>,
}

impl<V: Copy + Eq + Hash, S: Fn(V) -> u64> Numbering<V, S> {
    fn new(rows: usize, spread: S) -> Self {
        Self {
            spread,
            recent: vec![None; 1 << RECENT],
            known: HashMap::default(),
            numbers: Vec::with_capacity(rows),
            first: Vec::new(),
        }
    }

    /// Clears the recent values: the next rows may have different values with equal bits.
    fn forget_recent(&mut self) {
        if !self.numbers.is_empty() {
            self.recent.fill(None);
        }
    }

    /// Numbers the values of more rows. Values that `same` joins are one value; it is called for
    /// one of these rows and its value, but not for every row.
    fn add(
        &mut self,
        values: impl Iterator<Item = Option<V>>,
        mut same: impl FnMut(usize, V) -> V,
    ) -> Result<(), String> {
        let before = self.numbers.len();
        for (row, value) in values.enumerate() {
            let index = value.map(|value| slot((self.spread)(value)));
            if let Some(index) = index
                && let Some((found, number)) = self.recent[index]
                && Some(found) == value
            {
                self.numbers.push(number);
                continue;
            }
            let next = u32::try_from(self.first.len()).map_err(detail)?;
            let first = &mut self.first;
            let number = *self.known.entry(value.map(|value| same(row, value))).or_insert_with(|| {
                first.push(before + row);
                next
            });
            if let (Some(index), Some(value)) = (index, value) {
                self.recent[index] = Some((value, number));
            }
            self.numbers.push(number);
        }
        Ok(())
    }

    /// The number of each row, and the first row of each number.
    fn finish(self) -> Result<(Vec<u32>, Vec<IdxSize>), String> {
        let first = self.first.into_iter().map(IdxSize::try_from).collect::<Result<_, _>>();
        Ok((self.numbers, first.map_err(detail)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Long texts at the same position of two chunks have the same view.
    #[test]
    fn texts_of_several_chunks_are_told_apart() {
        let texts =
            |texts: &[Option<&str>]| StringChunked::from_iter_options("text".into(), texts.iter().copied());
        let mut column = texts(&[Some("a text too long for a view, 1"), Some("short"), None]);
        column.append(&texts(&[Some("a text too long for a view, 2"), None, Some("short")])).unwrap();
        column.append(&texts(&[Some("a text too long for a view, 1"), Some("")])).unwrap();
        assert_eq!(column.chunks().len(), 3);
        let numbered = Numbered::of(&column.clone().into_column()).unwrap();
        let found: Vec<&str> = numbered.numbers.iter().map(|&number| numbered.text(number)).collect();
        let expected: Vec<&str> = column.iter().map(Option::unwrap_or_default).collect();
        assert_eq!(found, expected);
        assert_eq!(numbered.texts().len(), 5);
    }
}
