//! Some rows of a column as its distinct texts and, of each row, the number of its text: what stands in a cell is looked up by its bits,
//! so that a row costs no text.

use std::hash::Hash;

use hashbrown::HashMap;
use polars_arrow::array::{Array, MutablePlString, PrimitiveArray, StaticArray, Utf8ViewArray};
use polars_arrow::compute::concatenate::concatenate;
use polars_arrow::datatypes::ArrowDataType;
use polars_arrow::types::NativeType;
use rustc_hash::FxBuildHasher;

use super::lots::said;
use super::texts;

/// Some rows of a column. Two numbers may have one text.
#[derive(Clone, Debug)]
pub(in super::super) struct Numbered {
    texts: Utf8ViewArray,
    /// Of each row the number of its text.
    pub(in super::super) numbers: Vec<u32>,
}

impl Numbered {
    /// The texts of the parts of a column, one behind the other.
    ///
    /// # Errors
    /// Where a value has no text.
    pub(super) fn of(column: &str, parts: &[Box<dyn Array>]) -> Result<Self, String> {
        let parts: Vec<&dyn Array> = parts.iter().map(|part| &**part).collect();
        match parts[..] {
            [part] => Self::of_array(column, part),
            _ => Self::of_array(column, &*concatenate(&parts).map_err(said)?),
        }
    }

    fn of_array(column: &str, array: &dyn Array) -> Result<Self, String> {
        use ArrowDataType as T;
        match array.dtype() {
            T::Int8 => by_value::<i8>(column, array, i128::from),
            T::Int16 => by_value::<i16>(column, array, i128::from),
            T::Int32 | T::Date32 => by_value::<i32>(column, array, i128::from),
            T::Int64 | T::Timestamp(..) => by_value::<i64>(column, array, i128::from),
            T::UInt8 => by_value::<u8>(column, array, i128::from),
            T::UInt16 => by_value::<u16>(column, array, i128::from),
            T::UInt32 => by_value::<u32>(column, array, i128::from),
            T::UInt64 => by_value::<u64>(column, array, i128::from),
            T::Float32 => by_value::<f32>(column, array, |value| value.to_bits().into()),
            T::Float64 => by_value::<f64>(column, array, |value| value.to_bits().into()),
            _ => Self::by_view(&texts::of(column, array)?),
        }
    }

    /// By the bits of the views of texts: a short text is all in them; a longer one, which may lie in several places, is looked up once
    /// for each.
    fn by_view(array: &Utf8ViewArray) -> Result<Self, String> {
        let is_valid = |row: usize| array.validity().is_none_or(|valid| valid.get_bit(row));
        let views = array.views().iter().enumerate();
        let views = views.map(|(row, view)| is_valid(row).then(|| view.as_u128()));
        let mut long: HashMap<&str, u128, FxBuildHasher> = HashMap::default();
        let (numbers, first) = numbered(
            views,
            |bits| low(bits) ^ low(bits >> 64),
            |row, bits| {
                if array.views()[row].is_inline() {
                    bits
                } else {
                    *long.entry(array.value(row)).or_insert(bits)
                }
            },
        )?;
        let mut texts = MutablePlString::with_capacity(first.len());
        for &row in &first {
            texts.push(array.get(row));
        }
        Ok(Self { texts: texts.freeze(), numbers })
    }

    /// The text of a number; none is blank.
    pub(in super::super) fn text(&self, number: u32) -> &str {
        self.texts.get(number as usize).unwrap_or_default()
    }

    /// The texts by their numbers.
    pub(in super::super) fn texts(&self) -> impl ExactSizeIterator<Item = &str> {
        self.texts.iter().map(Option::unwrap_or_default)
    }
}

/// By the bits of values, of which each distinct one is written as text once.
fn by_value<T: NativeType>(
    column: &str,
    array: &dyn Array,
    bits: impl Fn(T) -> i128,
) -> Result<Numbered, String> {
    let wrong = || format!("column `{column}` has other values than its type says");
    let values = array.as_any().downcast_ref::<PrimitiveArray<T>>().ok_or_else(wrong)?;
    let values_of_rows = values.iter().map(|value| value.map(|&value| bits(value)));
    let (numbers, first) = numbered(values_of_rows, |bits| low(bits.cast_unsigned()), |_, bits| bits)?;
    let distinct: PrimitiveArray<T> = first.iter().map(|&row| StaticArray::get(values, row)).collect();
    let texts = texts::of(column, &distinct.to(array.dtype().clone()))?;
    Ok(Numbered { texts, numbers })
}

/// The lower half of its bits.
#[expect(clippy::cast_possible_truncation, reason = "the lower half is what is asked for")]
fn low(bits: u128) -> u64 {
    bits as u64
}

/// How many values are found again at once, as a power of two.
const RECENT: u32 = 12;

/// The place of some bits among what is found again at once.
fn slot(bits: u64) -> usize {
    (bits.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - RECENT)) as usize
}

/// The distinct values numbered as they appear: of each row its number, and of each number its first row. Values that `same` makes one
/// are one; it is asked of a row and its value, but not of every row. `spread` is of values that are often found again.
fn numbered<V: Copy + Eq + Hash>(
    values: impl Iterator<Item = Option<V>>,
    spread: impl Fn(V) -> u64,
    mut same: impl FnMut(usize, V) -> V,
) -> Result<(Vec<u32>, Vec<usize>), String> {
    // Most columns have few values: each has a place of its own here, which takes no more than a look.
    let mut recent: Vec<Option<(V, u32)>> = vec![None; 1 << RECENT];
    let place = |value: V| slot(spread(value));
    let mut known: HashMap<Option<V>, u32, FxBuildHasher> = HashMap::default();
    let (mut numbers, mut first) = (Vec::with_capacity(values.size_hint().0), Vec::new());
    for (row, value) in values.enumerate() {
        if let Some(value) = value
            && let Some((found, number)) = recent[place(value)]
            && found == value
        {
            numbers.push(number);
            continue;
        }
        let next = u32::try_from(first.len()).map_err(said)?;
        let number = *known.entry(value.map(|value| same(row, value))).or_insert_with(|| {
            first.push(row);
            next
        });
        if let Some(value) = value {
            recent[place(value)] = Some((value, number));
        }
        numbers.push(number);
    }
    Ok((numbers, first))
}
