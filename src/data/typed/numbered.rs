//! Some rows of a column as its distinct texts and, of each row, the number of its text: what stands in a cell is looked up by its bits,
//! so that a row costs no text.

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
        let mut long: HashMap<&str, u128, FxBuildHasher> = HashMap::default();
        let mut places: HashMap<u128, u128, FxBuildHasher> = HashMap::default();
        let views = array.views().iter().enumerate().map(|(row, view)| {
            let bits = view.as_u128();
            if !is_valid(row) {
                None
            } else if view.is_inline() {
                Some(bits)
            } else {
                let first = || *long.entry(array.value(row)).or_insert(bits);
                Some(*places.entry(bits).or_insert_with(first))
            }
        });
        let (numbers, first) = numbered(views)?;
        let mut texts = MutablePlString::with_capacity(first.len());
        first.iter().for_each(|&row| texts.push(array.get(row)));
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
    let (numbers, first) = numbered(values.iter().map(|value| value.map(|&value| bits(value))))?;
    let distinct: PrimitiveArray<T> = first.iter().map(|&row| StaticArray::get(values, row)).collect();
    let texts = texts::of(column, &distinct.to(array.dtype().clone()))?;
    Ok(Numbered { texts, numbers })
}

/// The distinct values numbered as they appear: of each row its number, and of each number its first row.
fn numbered<V: Copy + Eq + std::hash::Hash>(
    values: impl Iterator<Item = Option<V>>,
) -> Result<(Vec<u32>, Vec<usize>), String> {
    let mut known: HashMap<Option<V>, u32, FxBuildHasher> = HashMap::default();
    let (mut numbers, mut first) = (Vec::with_capacity(values.size_hint().0), Vec::new());
    for (row, value) in values.enumerate() {
        let next = u32::try_from(first.len()).map_err(said)?;
        numbers.push(*known.entry(value).or_insert_with(|| {
            first.push(row);
            next
        }));
    }
    Ok((numbers, first))
}
