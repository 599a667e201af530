//! Converts the batches of a driver to frames, value by value, so that no code here is unsafe.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrowPrimitiveType};
use arrow_schema::{DataType as ArrowType, Field as ArrowField, TimeUnit as ArrowUnit};
use polars::prelude::*;

use super::FetchError;

/// Converts a column of a batch to Polars. Removes the padding of texts with a fixed length.
pub(super) fn column(field: &ArrowField, values: &dyn Array) -> Result<Column, FetchError> {
    let name: PlSmallStr = field.name().as_str().into();
    let other = || FetchError::Type { column: field.name().clone(), kind: field.data_type().to_string() };
    // The driver returns money in hundredths, as whole numbers.
    if postgresql_type(field) == Some("money") {
        return Err(FetchError::Type { column: field.name().clone(), kind: "money".to_owned() });
    }
    let series = match field.data_type() {
        ArrowType::Null => Series::full_null(name, values.len(), &DataType::Null),
        ArrowType::Boolean => Series::new(name, values.as_boolean().iter().collect::<Vec<_>>()),
        ArrowType::Int8 => numbers::<Int8Type, _>(name, values, i32::from),
        ArrowType::Int16 => numbers::<Int16Type, _>(name, values, i32::from),
        ArrowType::Int32 => numbers::<Int32Type, _>(name, values, |value| value),
        ArrowType::Int64 => numbers::<Int64Type, _>(name, values, |value| value),
        ArrowType::UInt8 => numbers::<UInt8Type, _>(name, values, u32::from),
        ArrowType::UInt16 => numbers::<UInt16Type, _>(name, values, u32::from),
        ArrowType::UInt32 => numbers::<UInt32Type, _>(name, values, |value| value),
        ArrowType::UInt64 => numbers::<UInt64Type, _>(name, values, |value| value),
        ArrowType::Float32 => numbers::<Float32Type, _>(name, values, |value| value),
        ArrowType::Float64 => numbers::<Float64Type, _>(name, values, |value| value),
        ArrowType::Date32 => {
            cast(&numbers::<Date32Type, _>(name, values, |days| days), &DataType::Date).ok_or_else(other)?
        }
        ArrowType::Timestamp(unit, zone) => {
            let moments = match unit {
                ArrowUnit::Second => {
                    numbers::<TimestampSecondType, _>(name, values, |moment| moment.saturating_mul(1_000))
                }
                ArrowUnit::Millisecond => {
                    numbers::<TimestampMillisecondType, _>(name, values, |moment| moment)
                }
                ArrowUnit::Microsecond => {
                    numbers::<TimestampMicrosecondType, _>(name, values, |moment| moment)
                }
                ArrowUnit::Nanosecond => numbers::<TimestampNanosecondType, _>(name, values, |moment| moment),
            };
            let unit = match unit {
                ArrowUnit::Second | ArrowUnit::Millisecond => TimeUnit::Milliseconds,
                ArrowUnit::Microsecond => TimeUnit::Microseconds,
                ArrowUnit::Nanosecond => TimeUnit::Nanoseconds,
            };
            let moments = cast(&moments, &DataType::Datetime(unit, None)).ok_or_else(other)?;
            // A time with a zone is stored in UTC, whichever zone a client would show.
            return if zone.is_some() {
                in_utc(moments).ok_or_else(other)
            } else {
                Ok(moments.into_column())
            };
        }
        &ArrowType::Decimal128(digits, scale) => {
            let (digits, scale) = (usize::from(digits), usize::try_from(scale).map_err(|_| other())?);
            let units: Int128Chunked = values.as_primitive::<Decimal128Type>().iter().collect();
            units.with_name(name).into_decimal_unchecked(digits, scale).into_series()
        }
        ArrowType::Utf8 => texts(field, name, values.as_string::<i32>().iter()),
        ArrowType::LargeUtf8 => texts(field, name, values.as_string::<i64>().iter()),
        ArrowType::Utf8View => texts(field, name, values.as_string_view().iter()),
        ArrowType::Dictionary(..) => return enumeration(field, values).ok_or_else(other),
        _ => return Err(other()),
    };
    Ok(series.into_column())
}

/// The name of the type in `PostgreSQL`, from its driver.
fn postgresql_type(field: &ArrowField) -> Option<&str> {
    field.metadata().get("POSTGRESQL:type").map(String::as_str)
}

fn numbers<A: ArrowPrimitiveType, T>(
    name: PlSmallStr,
    values: &dyn Array,
    number: impl Fn(A::Native) -> T,
) -> Series
where
    Series: NamedFrom<Vec<Option<T>>, [Option<T>]>,
{
    let numbers = values.as_primitive::<A>().iter().map(|value| value.map(&number));
    Series::new(name, numbers.collect::<Vec<Option<T>>>())
}

/// The texts of an enumeration; `None` if its values are not texts.
fn enumeration(field: &ArrowField, values: &dyn Array) -> Option<Column> {
    let coded = values.as_any_dictionary_opt()?;
    let texts = Arc::clone(coded.values());
    let texts: Vec<Option<&str>> = match texts.data_type() {
        ArrowType::Utf8 => texts.as_string::<i32>().iter().collect(),
        ArrowType::LargeUtf8 => texts.as_string::<i64>().iter().collect(),
        ArrowType::Utf8View => texts.as_string_view().iter().collect(),
        _ => return None,
    };
    let positions = if texts.is_empty() { vec![0; values.len()] } else { coded.normalized_keys() };
    let text = |(row, position): (usize, usize)| {
        if values.is_null(row) { None } else { texts.get(position).copied().flatten() }
    };
    let named: PlSmallStr = field.name().as_str().into();
    Some(Column::new(named, positions.into_iter().enumerate().map(text).collect::<Vec<_>>()))
}

fn cast(series: &Series, kind: &DataType) -> Option<Series> {
    series.cast(kind).ok()
}

fn texts<'a>(field: &ArrowField, name: PlSmallStr, texts: impl Iterator<Item = Option<&'a str>>) -> Series {
    let is_padded = postgresql_type(field) == Some("bpchar");
    let text = |text: &'a str| if is_padded { text.trim_end_matches(' ') } else { text };
    Series::new(name, texts.map(|value| value.map(text)).collect::<Vec<_>>())
}

/// Times as texts with their zone.
fn in_utc(moments: Series) -> Option<Column> {
    let column = moments.into_column();
    let texts = palmtop_tables::texts_of(&column).ok()?;
    let texts: StringChunked = texts.iter().map(|text| text.map(|text| format!("{text}Z"))).collect();
    Some(texts.with_name(column.name().clone()).into_column())
}
