//! Converts the values of a column to texts, with the standard library only.

use std::collections::hash_map::Entry;
use std::fmt::{Display, LowerExp, Write};
use std::hash::Hash;
use std::str::FromStr;

use polars::prelude::*;
use rustc_hash::FxHashMap;

use crate::read::batch::Cells;

/// The values of a column as texts. A missing value is the empty text. `None` if a value has no text.
pub(super) fn read(column: &Series) -> Option<Cells> {
    match column.dtype() {
        DataType::Null => {
            let mut cells = Cells::default();
            (0..column.len()).for_each(|_| cells.push(""));
            Some(cells)
        }
        DataType::Boolean => each(column.bool().ok()?.iter(), |flag| flag, plain),
        DataType::String => Some(texts(column.str().ok()?)),
        DataType::Int8 => integers(column.i8().ok()?.iter()),
        DataType::Int16 => integers(column.i16().ok()?.iter()),
        DataType::Int32 => integers(column.i32().ok()?.iter()),
        DataType::Int64 => integers(column.i64().ok()?.iter()),
        DataType::UInt8 => integers(column.u8().ok()?.iter()),
        DataType::UInt16 => integers(column.u16().ok()?.iter()),
        DataType::UInt32 => integers(column.u32().ok()?.iter()),
        DataType::UInt64 => integers(column.u64().ok()?.iter()),
        DataType::Float32 => each(column.f32().ok()?.iter(), f32::to_bits, real),
        DataType::Float64 => each(column.f64().ok()?.iter(), f64::to_bits, real),
        DataType::Date => {
            let days = column.date().ok()?.physical().iter();
            each(days, |days| days, |days, text| date(i64::from(days), text))
        }
        DataType::Datetime(unit, zone) => {
            let zone = match zone {
                None => None,
                Some(zone) => Some(Zone::of(zone)?),
            };
            let (per_second, places) = match unit {
                TimeUnit::Milliseconds => (1_000, 3),
                TimeUnit::Microseconds => (1_000_000, 6),
                TimeUnit::Nanoseconds => (1_000_000_000, 9),
            };
            let moments = column.datetime().ok()?.physical().iter();
            each(
                moments,
                |moment| moment,
                move |moment, text| match &zone {
                    None => instant(moment, per_second, places, text),
                    Some(zone) => zone.instant(moment, per_second, places, text),
                },
            )
        }
        // 10^38 is the largest power of ten that fits into 128 bits.
        &DataType::Decimal(digits, places) if places <= digits && digits <= 38 => {
            let units = column.decimal().ok()?.physical().iter();
            each(units, |units| units, move |units, text| decimal(units, places, text))
        }
        // The column stores keys; the library looks up their texts.
        DataType::Categorical(..) | DataType::Enum(..) => {
            Some(texts(column.cast(&DataType::String).ok()?.str().ok()?))
        }
        _ => None,
    }
}

/// Writes the text of each distinct value once. Values are equal if their keys are equal.
fn each<T: Copy, K: Eq + Hash>(
    values: impl Iterator<Item = Option<T>>,
    key: impl Fn(T) -> K,
    write: impl Fn(T, &mut String) -> Option<()>,
) -> Option<Cells> {
    let (mut cells, mut text) = (Cells::default(), String::new());
    let mut known: FxHashMap<Option<K>, u32> = FxHashMap::default();
    for value in values {
        if cells.are_different() {
            text.clear();
            value.map_or(Some(()), |value| write(value, &mut text))?;
            cells.push(&text);
            continue;
        }
        let number = match known.entry(value.map(&key)) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                text.clear();
                value.map_or(Some(()), |value| write(value, &mut text))?;
                *new.insert(cells.number(&text))
            }
        };
        cells.push_number(number);
    }
    Some(cells)
}

fn integers<T: Copy + Eq + Hash + Display>(values: impl Iterator<Item = Option<T>>) -> Option<Cells> {
    each(values, |value| value, plain)
}

/// The number of texts that are found by their views, as a power of two.
const RECENT: u32 = 10;

/// Equal views of an array have equal texts: a view is a short text, or the place of a longer one. So a text that occurs often
/// is looked up once in a while only.
fn texts(values: &StringChunked) -> Cells {
    let mut cells = Cells::default();
    for array in values.downcast_iter() {
        let mut recent: Vec<(u128, u32)> = vec![(u128::MAX, 0); 1 << RECENT];
        for (text, view) in array.iter().zip(array.views().iter()) {
            let view = text.map_or(0, |_| view.as_u128());
            let halves = view ^ (view >> 64).rotate_left(32);
            let low = u64::from_le_bytes(*halves.to_le_bytes().first_chunk().unwrap_or(&[0; 8]));
            let slot = low.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - RECENT);
            let known = &mut recent[slot as usize];
            if known.0 != view {
                *known = (view, cells.number(text.unwrap_or_default()));
            }
            cells.push_number(known.1);
        }
    }
    cells
}

fn plain<T: Display>(value: T, text: &mut String) -> Option<()> {
    write!(text, "{value}").ok()
}

/// The most digits of a number with a decimal point.
const POINTED: usize = 28;

/// The shortest digits that identify a number among those of its type. With a decimal point if it has at most 28 digits so, else
/// with an exponent. Zero has no sign.
fn real<T: Copy + LowerExp + FromStr + PartialEq>(value: T, text: &mut String) -> Option<()> {
    let shortest = format!("{value:e}");
    // Of two equally short and equally near texts the even one is right: rounding to that many digits finds it.
    let places =
        shortest.find('e').map_or(0, |end| shortest[..end].trim_start_matches('-').len().saturating_sub(2));
    let rounded = format!("{value:.places$e}");
    let scientific = if rounded.parse().is_ok_and(|read: T| read == value) { rounded } else { shortest };
    let Some((digits, power)) = scientific.split_once('e') else {
        return plain(scientific, text);
    };
    let power: i32 = power.parse().ok()?;
    let (sign, bare) = digits.strip_prefix('-').map_or(("", digits), |digits| ("-", digits));
    let bare: String = bare.chars().filter(|&digit| digit != '.').collect();
    let distance = usize::try_from(power.unsigned_abs()).ok()?;
    // Zeros before the digits, or up to the point and one place behind it.
    let count = if power < 0 { distance + bare.len() } else { bare.len().max(distance + 2) };
    if count > POINTED {
        return write!(text, "{digits}e{power:+}").ok();
    }
    let digits = bare;
    text.push_str(if digits == "0" { "" } else { sign });
    if power < 0 {
        let zeros = usize::try_from(-power - 1).ok()?;
        return write!(text, "0.{}{digits}", "0".repeat(zeros)).ok();
    }
    let before = usize::try_from(power).ok()? + 1;
    let digits = format!("{digits:0<width$}", width = before + 1);
    write!(text, "{}.{}", &digits[..before], &digits[before..]).ok()
}

/// The number `units` · 10^-`places`.
fn decimal(units: i128, places: usize, text: &mut String) -> Option<()> {
    let one = 10_u128.pow(u32::try_from(places).ok()?);
    let (integer, rest) = (units.unsigned_abs() / one, units.unsigned_abs() % one);
    if units.is_negative() {
        text.push('-');
    }
    if places == 0 { write!(text, "{integer}").ok() } else { write!(text, "{integer}.{rest:0places$}").ok() }
}

/// The day `days` days after 1 January 1970; `None` for years of more than six digits.
pub(crate) fn date(days: i64, text: &mut String) -> Option<()> {
    // A cycle of 400 years has 146097 days. Years begin in March here, so that a leap day is the last day of its year.
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

/// The moment `moment` / `per_second` seconds after the beginning of 1970, with `places` decimal places.
pub(crate) fn instant(moment: i64, per_second: i64, places: usize, text: &mut String) -> Option<()> {
    let (seconds, fraction) = (moment.div_euclid(per_second), moment.rem_euclid(per_second));
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    date(days, text)?;
    let (hour, minute) = (second / 3_600, second / 60 % 60);
    write!(text, " {hour:02}:{minute:02}:{:02}.{fraction:0places$}", second % 60).ok()
}

/// The zone of a column of moments. A text has the local time, and the zone as the file writes it.
pub(super) enum Zone {
    /// Minutes east of UTC.
    Fixed(i64),
    Named(jiff::tz::TimeZone, String),
}

impl Zone {
    /// The zone with this name; `None` if there is none.
    pub(super) fn of(name: &str) -> Option<Self> {
        if matches!(name, "UTC" | "utc" | "Z" | "00:00") {
            return Some(Self::Fixed(0));
        }
        let bytes: Vec<u8> = name.bytes().filter(|byte| *byte != b':').collect();
        let has_colon = name.as_bytes().get(3) == Some(&b':') && name.len() == 6;
        if let [sign @ (b'+' | b'-'), digits @ ..] = bytes.as_slice() {
            let is_written = bytes.len() == name.len() || has_colon;
            let is_number = matches!(digits.len(), 2 | 4) && digits.iter().all(u8::is_ascii_digit);
            let pair = |from: usize| {
                let digit = |index: usize| i64::from(digits.get(index).map_or(0, |byte| byte - b'0'));
                10 * digit(from) + digit(from + 1)
            };
            (is_written && is_number).then_some(())?;
            let (hours, minutes) = (pair(0), pair(2));
            (hours < 24 && minutes < 60).then_some(())?;
            let all = 60 * hours + minutes;
            Some(Self::Fixed(if *sign == b'-' { -all } else { all }))
        } else {
            let zone = jiff::tz::TimeZoneDatabase::bundled().get(name).ok()?;
            (zone.iana_name() == Some(name)).then(|| Self::Named(zone, name.to_owned()))
        }
    }

    fn instant(&self, moment: i64, per_second: i64, places: usize, text: &mut String) -> Option<()> {
        let seconds = match self {
            Self::Fixed(minutes) => 60 * minutes,
            Self::Named(zone, _) => {
                let moment = jiff::Timestamp::from_second(moment.div_euclid(per_second)).ok()?;
                i64::from(zone.to_offset(moment).seconds())
            }
        };
        instant(moment.checked_add(seconds * per_second)?, per_second, places, text)?;
        let (sign, minutes) = (if seconds < 0 { '-' } else { '+' }, seconds.abs() / 60);
        match self {
            Self::Fixed(0) => write!(text, "Z").ok(),
            Self::Named(_, name) if name.bytes().all(|byte| !byte.is_ascii_digit()) => {
                write!(text, " {name}").ok()
            }
            _ => write!(text, "{sign}{:02}:{:02}", minutes / 60, minutes % 60).ok(),
        }
    }
}
