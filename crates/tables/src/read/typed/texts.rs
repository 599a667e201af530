//! The text of each value of a column, by type.
//!
//! Polars writes numbers, booleans and texts; this module writes dates, times and decimals.

use std::borrow::Cow;
use std::fmt::Write;

use chrono::{DateTime, NaiveDate};
use polars::prelude::*;

use super::super::guard::detail;
use super::zone::Zone;

/// The most digits that a decimal has.
const MOST_DIGITS: usize = 38;

/// Checks whether a type can be read as text; the error is the name of the type.
pub(super) fn readable(kind: &ArrowDataType) -> Result<(), String> {
    use ArrowDataType as T;
    match kind {
        T::Utf8 | T::LargeUtf8 | T::Utf8View | T::Boolean | T::Null | T::Date32 | T::Timestamp(_, None) => {
            Ok(())
        }
        number if is_number(number) => Ok(()),
        T::Dictionary(_, values, _) if matches!(**values, T::Utf8 | T::LargeUtf8 | T::Utf8View) => Ok(()),
        T::Timestamp(_, Some(zone)) if Zone::of(zone).is_some() => Ok(()),
        T::Timestamp(_, Some(zone)) => Err(format!("a timestamp in the unknown time zone {zone}")),
        other => Err(format!("{other:?}")),
    }
}

/// Whether a type has numbers.
pub(super) fn is_number(kind: &ArrowDataType) -> bool {
    use ArrowDataType as T;
    matches!(
        kind,
        T::Int8
            | T::Int16
            | T::Int32
            | T::Int64
            | T::UInt8
            | T::UInt16
            | T::UInt32
            | T::UInt64
            | T::Float32
            | T::Float64
            | T::Decimal(..)
    )
}

/// The texts of a column; a missing value is null.
///
/// # Errors
/// If a value has no text.
pub(crate) fn of(column: &Column) -> Result<StringChunked, String> {
    use DataType as T;
    let name = column.name();
    let series = column.as_materialized_series();
    let written = match series.dtype() {
        T::String => Some(series.str().map_err(detail)?.clone()),
        T::Null => Some(StringChunked::full_null(name.clone(), series.len())),
        T::Date => written(series.date().map_err(detail)?.physical(), day),
        &T::Datetime(unit, None) => {
            let moments = series.datetime().map_err(detail)?.physical();
            written(moments, |moment, text| time(moment, unit, None, text))
        }
        &T::Datetime(unit, Some(ref zone)) => {
            let zone = Zone::of(zone).ok_or_else(|| format!("column `{name}` has an unknown time zone"))?;
            let moments = series.datetime().map_err(detail)?.physical();
            written(moments, |moment, text| time(moment, unit, Some(zone), text))
        }
        &T::Decimal(digits, scale) if digits <= MOST_DIGITS && scale <= digits => {
            let units = series.decimal().map_err(detail)?.physical();
            written(units, |units, text| decimal(units, scale, text))
        }
        T::Decimal(..) => return Err(format!("column `{name}` has decimals with too many digits")),
        T::Float32 | T::Float64 => {
            let texts = series.cast(&T::String).map_err(detail)?;
            let texts = texts.str().map_err(detail)?;
            Some(texts.apply(|text| text.map(plain_float)))
        }
        _ => Some(series.cast(&T::String).map_err(detail)?.str().map_err(detail)?.clone()),
    };
    written.ok_or_else(|| {
        format!("column `{name}` has a value that cannot be text, such as a date out of range")
    })
}

/// The texts that `write` appends for the values of a column; `None` if it fails for one.
fn written<T: PolarsNumericType>(
    values: &ChunkedArray<T>,
    write: impl Fn(T::Native, &mut String) -> Option<()>,
) -> Option<StringChunked> {
    let mut texts = StringChunkedBuilder::new(values.name().clone(), values.len());
    let mut text = String::new();
    for value in values.downcast_iter().flat_map(|chunk| chunk.iter()) {
        match value {
            Some(&value) => {
                text.clear();
                write(value, &mut text)?;
                texts.append_value(&text);
            }
            None => texts.append_null(),
        }
    }
    Some(texts.finish())
}

/// A date, in days since 1970.
fn day(days: i32, text: &mut String) -> Option<()> {
    const BEFORE_1970: i32 = 719_163;
    let day = NaiveDate::from_num_days_from_ce_opt(days.checked_add(BEFORE_1970)?)?;
    write!(text, "{}", day.format("%Y-%m-%d")).ok()
}

/// A time stamp since 1970 with the decimal places of its unit. With a zone it is the local time, and
/// the zone follows.
fn time(moment: i64, unit: TimeUnit, zone: Option<Zone>, text: &mut String) -> Option<()> {
    let (time, form) = match unit {
        TimeUnit::Milliseconds => (DateTime::from_timestamp_millis(moment)?, "%Y-%m-%d %H:%M:%S%.3f"),
        TimeUnit::Microseconds => (DateTime::from_timestamp_micros(moment)?, "%Y-%m-%d %H:%M:%S%.6f"),
        TimeUnit::Nanoseconds => (DateTime::from_timestamp_nanos(moment), "%Y-%m-%d %H:%M:%S%.9f"),
    };
    let (local, zone) = match zone {
        None => (time.naive_utc(), String::new()),
        Some(zone) => zone.local(time.naive_utc())?,
    };
    write!(text, "{}{zone}", local.format(form)).ok()
}

/// The most digits of a number in plain form.
const PLAIN_DIGITS: usize = 28;

/// A float without an exponent, if it has at most 28 digits so. Zero has no sign.
fn plain_float(text: &str) -> Cow<'_, str> {
    if text == "-0.0" {
        return Cow::Borrowed("0.0");
    }
    expanded(text).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// `1.5e+16` as `15000000000000000.0`.
fn expanded(text: &str) -> Option<String> {
    let (mantissa, power) = text.split_once('e')?;
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |mantissa| ("-", mantissa));
    let (first, rest) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{first}{}", rest.trim_end_matches('0'));
    let power: i32 = power.parse().ok()?;
    let (integer, fraction) = match usize::try_from(power) {
        Ok(power) if power <= PLAIN_DIGITS => {
            let padded = format!("{digits:0<width$}", width = power + 2);
            let (integer, fraction) = padded.split_at(power + 1);
            (integer.to_owned(), fraction.to_owned())
        }
        Ok(_) => return None,
        Err(_) => {
            let zeros = usize::try_from(power.checked_neg()?).ok()?.checked_sub(1)?;
            ("0".to_owned(), format!("{}{digits}", "0".repeat(zeros.min(PLAIN_DIGITS))))
        }
    };
    (integer.len() + fraction.len() <= PLAIN_DIGITS).then(|| format!("{sign}{integer}.{fraction}"))
}

/// A decimal, in units of its last digit.
fn decimal(units: i128, scale: usize, text: &mut String) -> Option<()> {
    let digits = format!("{:0>width$}", units.unsigned_abs(), width = scale + 1);
    let (integer, fraction) = digits.split_at(digits.len() - scale);
    let sign = if units < 0 { "-" } else { "" };
    let point = if scale > 0 { "." } else { "" };
    write!(text, "{sign}{integer}{point}{fraction}").ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_have_no_exponent_and_zero_no_sign() {
        for (text, plain) in [
            ("1e+16", "10000000000000000.0"),
            ("1.5e16", "15000000000000000.0"),
            ("-1.25e-7", "-0.000000125"),
            ("-0.0", "0.0"),
            ("39.5", "39.5"),
            ("1e+27", "1e+27"),
            ("1e+26", "100000000000000000000000000.0"),
            ("1e-28", "1e-28"),
            ("inf", "inf"),
        ] {
            assert_eq!(plain_float(text), plain, "{text}");
        }
    }
}
