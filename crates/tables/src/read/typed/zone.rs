//! The time zone of a column of timestamps. A file stores moments of UTC; their texts are local, so
//! that a zone moves no date to another day.

use std::fmt::Write;

use chrono::{NaiveDateTime, Offset, TimeDelta, TimeZone};
use chrono_tz::Tz;

/// A time zone.
#[derive(Clone, Copy, Debug)]
pub(super) enum Zone {
    /// A number of minutes east of UTC.
    Fixed(i32),
    Named(Tz),
}

impl Zone {
    /// Finds a zone by the name that a file has for it.
    pub(super) fn of(name: &str) -> Option<Self> {
        if ["UTC", "utc", "Z", "00:00"].contains(&name) {
            return Some(Self::Fixed(0));
        }
        let Some(digits) = name.strip_prefix(['+', '-']) else { return name.parse().ok().map(Self::Named) };
        let (hours, minutes) = digits.split_once(':').or_else(|| digits.split_at_checked(2))?;
        let number = |text: &str| {
            let is_number = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse::<i32>().ok().filter(|_| is_number)
        };
        let minutes = if minutes.is_empty() { 0 } else { number(minutes).filter(|minutes| *minutes < 60)? };
        let minutes = number(hours).filter(|hours| *hours < 24)? * 60 + minutes;
        Some(Self::Fixed(if name.starts_with('-') { -minutes } else { minutes }))
    }

    /// The local time of a moment, and the text of the zone.
    pub(super) fn local(self, moment: NaiveDateTime) -> Option<(NaiveDateTime, String)> {
        let (seconds, name) = match self {
            Self::Fixed(minutes) => (minutes * 60, ""),
            Self::Named(zone) => {
                (zone.offset_from_utc_datetime(&moment).fix().local_minus_utc(), zone.name())
            }
        };
        let local = moment.checked_add_signed(TimeDelta::seconds(seconds.into()))?;
        let mut text = String::new();
        let minutes = seconds.abs() / 60;
        let sign = if seconds < 0 { '-' } else { '+' };
        if matches!(self, Self::Fixed(0)) {
            text.push('Z');
        } else if name.is_empty() || name.contains(|character: char| character.is_ascii_digit()) {
            write!(text, "{sign}{:02}:{:02}", minutes / 60, minutes % 60).ok()?;
        } else {
            write!(text, " {name}").ok()?;
        }
        Some((local, text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_has_its_local_day() {
        let moment = chrono::DateTime::from_timestamp(-452_768_400, 0).unwrap().naive_utc();
        for (name, text) in [
            ("UTC", "1955-08-27 15:00:00Z"),
            ("+09:00", "1955-08-28 00:00:00+09:00"),
            ("-0330", "1955-08-27 11:30:00-03:30"),
            ("Asia/Tokyo", "1955-08-28 00:00:00 Asia/Tokyo"),
            ("Europe/Berlin", "1955-08-27 16:00:00 Europe/Berlin"),
            ("Etc/GMT-9", "1955-08-28 00:00:00+09:00"),
        ] {
            let (local, zone) = Zone::of(name).unwrap().local(moment).unwrap();
            assert_eq!(format!("{}{zone}", local.format("%Y-%m-%d %H:%M:%S")), text);
        }
        for name in ["Mars/Base", "+9", "+09:60", "europe/berlin"] {
            assert!(Zone::of(name).is_none(), "{name}");
        }
    }
}
