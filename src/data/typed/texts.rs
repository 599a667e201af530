//! The text of every value of a column, by its type.
//!
//! Numbers, flags and texts are written by Polars; days, times and decimals here.

use std::fmt::Write;

use chrono::{DateTime, NaiveDate};
use polars_arrow::array::{
    Array, DictionaryArray, DictionaryKey, MutablePlString, PrimitiveArray, Utf8ViewArray,
};
use polars_arrow::compute::concatenate::concatenate;
use polars_arrow::datatypes::{ArrowDataType, IntegerType, TimeUnit};
use polars_arrow::types::NativeType;
use polars_compute::cast::cast_default;

use super::lots::said;

/// The most digits that a decimal has.
const MOST_DIGITS: usize = 38;

/// The texts of the parts of a column, one behind the other.
pub(super) fn of_all(column: &str, parts: &[Box<dyn Array>]) -> Result<Utf8ViewArray, String> {
    if let [part] = parts {
        return of(column, &**part);
    }
    let texts = parts.iter().map(|part| of(column, &**part)).collect::<Result<Vec<_>, _>>()?;
    let texts: Vec<&dyn Array> = texts.iter().map(|texts| texts as &dyn Array).collect();
    viewed(&*concatenate(&texts).map_err(said)?)
}

/// The texts of a column; what is missing has none.
///
/// # Errors
/// Where a value has no text.
pub(super) fn of(column: &str, array: &dyn Array) -> Result<Utf8ViewArray, String> {
    use ArrowDataType as T;
    let written = match array.dtype() {
        T::Null => Some(Utf8ViewArray::new_null(T::Utf8View, array.len())),
        T::Date32 => written(array, day),
        &T::Timestamp(unit, None) => written(array, |moment: i64, text| time(moment, unit, text)),
        &T::Decimal(precision, scale) if precision <= MOST_DIGITS && scale <= precision => {
            written(array, |units: i128, text| decimal(units, scale, text))
        }
        T::Decimal(..) => return Err(format!("column `{column}` has decimals of too many digits")),
        T::Dictionary(key, ..) => match key {
            IntegerType::Int8 => looked_up::<i8>(array)?,
            IntegerType::Int16 => looked_up::<i16>(array)?,
            IntegerType::Int32 => looked_up::<i32>(array)?,
            IntegerType::Int64 => looked_up::<i64>(array)?,
            IntegerType::UInt8 => looked_up::<u8>(array)?,
            IntegerType::UInt16 => looked_up::<u16>(array)?,
            IntegerType::UInt32 => looked_up::<u32>(array)?,
            IntegerType::UInt64 => looked_up::<u64>(array)?,
            _ => None,
        },
        _ => Some(viewed(&*cast_default(array, &T::Utf8View).map_err(said)?)?),
    };
    written.ok_or_else(|| format!("column `{column}` holds a value that has no text, such as a date far off"))
}

fn viewed(texts: &dyn Array) -> Result<Utf8ViewArray, String> {
    let texts = texts.as_any().downcast_ref::<Utf8ViewArray>().cloned();
    texts.ok_or_else(|| "its texts are none".to_owned())
}

/// The texts that `write` appends for the values of a column; `None` where it does so for one.
fn written<T: NativeType>(
    array: &dyn Array,
    write: impl Fn(T, &mut String) -> Option<()>,
) -> Option<Utf8ViewArray> {
    let array = array.as_any().downcast_ref::<PrimitiveArray<T>>()?;
    let mut texts = MutablePlString::with_capacity(array.len());
    let mut text = String::new();
    for value in array {
        match value {
            Some(&value) => {
                text.clear();
                write(value, &mut text)?;
                texts.push_value(&text);
            }
            None => texts.push_null(),
        }
    }
    Some(texts.freeze())
}

/// The texts that the keys of a column stand for.
fn looked_up<K: DictionaryKey>(array: &dyn Array) -> Result<Option<Utf8ViewArray>, String> {
    let Some(array) = array.as_any().downcast_ref::<DictionaryArray<K>>() else { return Ok(None) };
    let values = viewed(&*cast_default(&**array.values(), &ArrowDataType::Utf8View).map_err(said)?)?;
    let mut texts = MutablePlString::with_capacity(array.len());
    for key in array.keys_iter() {
        if key.is_some_and(|key| key >= values.len()) {
            return Ok(None);
        }
        texts.push(key.and_then(|key| values.get(key)));
    }
    Ok(Some(texts.freeze()))
}

/// A day, in days since 1970.
fn day(days: i32, text: &mut String) -> Option<()> {
    const BEFORE_1970: i32 = 719_163;
    let day = NaiveDate::from_num_days_from_ce_opt(days.checked_add(BEFORE_1970)?)?;
    write!(text, "{}", day.format("%Y-%m-%d")).ok()
}

/// A moment since 1970 in no time zone, to as many places as its unit has; seconds to those of milliseconds.
fn time(moment: i64, unit: TimeUnit, text: &mut String) -> Option<()> {
    let (time, form) = match unit {
        TimeUnit::Second => (DateTime::from_timestamp_secs(moment)?, "%Y-%m-%d %H:%M:%S%.3f"),
        TimeUnit::Millisecond => (DateTime::from_timestamp_millis(moment)?, "%Y-%m-%d %H:%M:%S%.3f"),
        TimeUnit::Microsecond => (DateTime::from_timestamp_micros(moment)?, "%Y-%m-%d %H:%M:%S%.6f"),
        TimeUnit::Nanosecond => (DateTime::from_timestamp_nanos(moment), "%Y-%m-%d %H:%M:%S%.9f"),
    };
    write!(text, "{}", time.naive_utc().format(form)).ok()
}

/// A decimal, in units of its last place.
fn decimal(units: i128, scale: usize, text: &mut String) -> Option<()> {
    let digits = format!("{:0>width$}", units.unsigned_abs(), width = scale + 1);
    let (whole, fraction) = digits.split_at(digits.len() - scale);
    let sign = if units < 0 { "-" } else { "" };
    let point = if scale > 0 { "." } else { "" };
    write!(text, "{sign}{whole}{point}{fraction}").ok()
}
