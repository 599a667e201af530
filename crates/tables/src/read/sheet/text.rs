//! The one text of a cell.

use calamine::Data;
use chrono::{NaiveDate, NaiveTime};

/// The text of a cell: a whole number without a point, a day as `YYYY-MM-DD`, a moment to the millisecond.
///
/// # Errors
/// The reason why the cell has no text, and the remedy.
pub(super) fn of(value: &Data) -> Result<String, String> {
    Ok(match value {
        Data::Empty => String::new(),
        Data::String(text) => text.clone(),
        Data::Int(number) => number.to_string(),
        // The shortest exact digits without an exponent; negative zero becomes zero.
        Data::Float(number) if number.is_finite() => (number + 0.0).to_string(),
        Data::Float(_) => return Err("the cell is not a number; correct it".to_owned()),
        Data::Bool(flag) => flag.to_string(),
        Data::DateTime(moment) if moment.is_duration() => return Err(duration()),
        Data::DateTime(moment) => {
            // Day 0 represents a time of day; the library truncates dates out of range.
            if !(1.0..2_950_000.0).contains(&moment.as_f64()) {
                return Err("the cell has a time of day, or a date out of range; write it as text".to_owned());
            }
            let (year, month, day, hour, minute, second, milli) = moment.to_ymd_hms_milli();
            let date = NaiveDate::from_ymd_opt(year.into(), month.into(), day.into());
            let time = NaiveTime::from_hms_milli_opt(hour.into(), minute.into(), second.into(), milli.into());
            // The 29th of February 1900 exists only in spreadsheets.
            written(date.zip(time))
                .ok_or_else(|| "the cell has a date that does not exist; correct it".to_owned())?
        }
        Data::DateTimeIso(text) => {
            let (date, time) = text.split_once('T').unwrap_or((text, "00:00:00"));
            let date = NaiveDate::parse_from_str(date, "%Y-%m-%d").ok().filter(|_| date.len() == 10);
            let is_exact = time.len() <= 12;
            let time = NaiveTime::parse_from_str(time, "%H:%M:%S%.f").ok().filter(|_| is_exact);
            written(date.zip(time))
                .ok_or_else(|| format!("`{text}` is not a date or a time stamp; write it as text"))?
        }
        Data::DurationIso(_) => return Err(duration()),
        Data::Error(error) => return Err(format!("the cell has an error ({error}); correct it")),
    })
}

/// The text of a cell; that of an error is its name, such as `#N/A`.
pub(super) fn shown(value: &Data) -> String {
    match value {
        Data::Error(error) => error.to_string(),
        value => of(value).unwrap_or_default(),
    }
}

fn duration() -> String {
    "the cell has a duration or a time of day; write it as text".to_owned()
}

/// A date and time; only the date if the time is midnight.
fn written(moment: Option<(NaiveDate, NaiveTime)>) -> Option<String> {
    let (date, time) = moment?;
    let date = date.format("%Y-%m-%d");
    let is_day = time == NaiveTime::MIN;
    Some(if is_day { date.to_string() } else { format!("{date} {}", time.format("%H:%M:%S%.3f")) })
}
