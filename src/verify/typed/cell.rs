//! The text of a value, by its type and by its row; written with nothing but the standard library.

use std::fmt::{Display, LowerExp, Write};
use std::ops::RangeInclusive;
use std::str::FromStr;

use polars_arrow::array::{
    Array, BooleanArray, DictionaryArray, DictionaryKey, PrimitiveArray, Utf8Array, Utf8ViewArray,
};
use polars_arrow::datatypes::{ArrowDataType, IntegerType, TimeUnit};
use polars_arrow::types::NativeType;

/// Appends the text of the value in a row, nothing where it is missing; `None` where it has no text.
pub(super) type Cell<'a> = Box<dyn Fn(usize, &mut String) -> Option<()> + 'a>;

/// How the values of a column are written; `None` where they have no text.
pub(super) fn of(column: &dyn Array) -> Option<Cell<'_>> {
    match column.dtype() {
        ArrowDataType::Null => Some(Box::new(|_, _| Some(()))),
        ArrowDataType::Boolean => {
            let flags = column.as_any().downcast_ref::<BooleanArray>()?;
            Some(present(column, |row, text| {
                text.push_str(if flags.value(row) { "true" } else { "false" });
                Some(())
            }))
        }
        ArrowDataType::Utf8 => {
            let texts = column.as_any().downcast_ref::<Utf8Array<i32>>()?;
            Some(present(column, |row, text| plain(texts.value(row), text)))
        }
        ArrowDataType::LargeUtf8 => {
            let texts = column.as_any().downcast_ref::<Utf8Array<i64>>()?;
            Some(present(column, |row, text| plain(texts.value(row), text)))
        }
        ArrowDataType::Utf8View => {
            let texts = column.as_any().downcast_ref::<Utf8ViewArray>()?;
            Some(present(column, |row, text| plain(texts.value(row), text)))
        }
        ArrowDataType::Int8 => values(column, plain::<i8>),
        ArrowDataType::Int16 => values(column, plain::<i16>),
        ArrowDataType::Int32 => values(column, plain::<i32>),
        ArrowDataType::Int64 => values(column, plain::<i64>),
        ArrowDataType::UInt8 => values(column, plain::<u8>),
        ArrowDataType::UInt16 => values(column, plain::<u16>),
        ArrowDataType::UInt32 => values(column, plain::<u32>),
        ArrowDataType::UInt64 => values(column, plain::<u64>),
        ArrowDataType::Float32 => values(column, |value: f32, text| real(value, -6..=12, text)),
        ArrowDataType::Float64 => values(column, |value: f64, text| real(value, -5..=15, text)),
        ArrowDataType::Date32 => values(column, |days: i32, text| date(i64::from(days), text)),
        ArrowDataType::Timestamp(unit, None) => {
            let (per_second, places) = match unit {
                TimeUnit::Second => (1, 3),
                TimeUnit::Millisecond => (1_000, 3),
                TimeUnit::Microsecond => (1_000_000, 6),
                TimeUnit::Nanosecond => (1_000_000_000, 9),
            };
            values(column, move |moment: i64, text| instant(moment, per_second, places, text))
        }
        // Ten to the power of 38 is the last that fits.
        &ArrowDataType::Decimal(digits, places) if places <= digits && digits <= 38 => {
            values(column, move |units: i128, text| decimal(units, places, text))
        }
        ArrowDataType::Dictionary(keys, ..) => match keys {
            IntegerType::Int8 => entries::<i8>(column),
            IntegerType::Int16 => entries::<i16>(column),
            IntegerType::Int32 => entries::<i32>(column),
            IntegerType::Int64 => entries::<i64>(column),
            IntegerType::UInt8 => entries::<u8>(column),
            IntegerType::UInt16 => entries::<u16>(column),
            IntegerType::UInt32 => entries::<u32>(column),
            IntegerType::UInt64 => entries::<u64>(column),
            _ => None,
        },
        _ => None,
    }
}

fn present<'a>(column: &'a dyn Array, write: impl Fn(usize, &mut String) -> Option<()> + 'a) -> Cell<'a> {
    Box::new(move |row, text| if column.is_null(row) { Some(()) } else { write(row, text) })
}

fn values<T: NativeType>(
    column: &dyn Array,
    write: impl Fn(T, &mut String) -> Option<()> + 'static,
) -> Option<Cell<'_>> {
    let numbers = column.as_any().downcast_ref::<PrimitiveArray<T>>()?;
    Some(present(column, move |row, text| write(numbers.value(row), text)))
}

/// The values that a column's keys name.
fn entries<K: DictionaryKey>(column: &dyn Array) -> Option<Cell<'_>> {
    let keys = column.as_any().downcast_ref::<DictionaryArray<K>>()?;
    let named = of(&**keys.values())?;
    Some(present(column, move |row, text| {
        let key = keys.key_value(row);
        if key < keys.values().len() { named(key, text) } else { None }
    }))
}

fn plain<T: Display>(value: T, text: &mut String) -> Option<()> {
    write!(text, "{value}").ok()
}

/// The shortest digits that stand for a number and no other; with a point, if its first digit has one of these powers of
/// ten, and with the power behind them, if not.
fn real<T: Copy + LowerExp + FromStr + PartialEq>(
    value: T,
    pointed: RangeInclusive<i32>,
    text: &mut String,
) -> Option<()> {
    let shortest = format!("{value:e}");
    // Of two that are as short and as near, the even one: rounding to so many digits finds it.
    let places =
        shortest.find('e').map_or(0, |end| shortest[..end].trim_start_matches('-').len().saturating_sub(2));
    let rounded = format!("{value:.places$e}");
    let scientific = if rounded.parse().is_ok_and(|read: T| read == value) { rounded } else { shortest };
    let Some((digits, power)) = scientific.split_once('e') else {
        return plain(scientific, text);
    };
    let power: i32 = power.parse().ok()?;
    if !pointed.contains(&power) {
        return write!(text, "{digits}e{power:+}").ok();
    }
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |digits| ("-", digits));
    let digits: String = digits.chars().filter(|&digit| digit != '.').collect();
    text.push_str(sign);
    if power < 0 {
        let zeros = usize::try_from(-power - 1).ok()?;
        return write!(text, "0.{}{digits}", "0".repeat(zeros)).ok();
    }
    let before = usize::try_from(power).ok()? + 1;
    let digits = format!("{digits:0<width$}", width = before + 1);
    write!(text, "{}.{}", &digits[..before], &digits[before..]).ok()
}

/// A number of units that are ten to the power of minus `places`.
fn decimal(units: i128, places: usize, text: &mut String) -> Option<()> {
    let one = 10_u128.pow(u32::try_from(places).ok()?);
    let (whole, rest) = (units.unsigned_abs() / one, units.unsigned_abs() % one);
    if units.is_negative() {
        text.push('-');
    }
    if places == 0 { write!(text, "{whole}").ok() } else { write!(text, "{whole}.{rest:0places$}").ok() }
}

/// The day so many days after the first of 1970, of years that have at most six digits.
pub(in super::super) fn date(days: i64, text: &mut String) -> Option<()> {
    // A cycle of 400 years has 146097 days; years begin with March here, so that a leap day is the last.
    let days = days + 719_468;
    let (cycle, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = 400 * cycle + year + next;
    match year {
        0..=9_999 => write!(text, "{year:04}-{month:02}-{day:02}").ok(),
        -262_143..=262_142 => write!(text, "{year:+05}-{month:02}-{day:02}").ok(),
        _ => None,
    }
}

/// The moment so many fractions of a second after the beginning of 1970.
pub(in super::super) fn instant(
    moment: i64,
    per_second: i64,
    places: usize,
    text: &mut String,
) -> Option<()> {
    let (seconds, fraction) = (moment.div_euclid(per_second), moment.rem_euclid(per_second));
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    date(days, text)?;
    let (hour, minute) = (second / 3_600, second / 60 % 60);
    write!(text, " {hour:02}:{minute:02}:{:02}.{fraction:0places$}", second % 60).ok()
}
