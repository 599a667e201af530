//! Dates in tables, described by a pattern such as `%d.%m.%Y`.

use chrono::format::{Item, Parsed, StrftimeItems, parse};
use chrono::{NaiveDate, NaiveTime, Timelike};

use palmtop_core::text::toml_string;

/// The form of dates: a chrono pattern with only the parts of a date and of a time without time
/// zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DateForm {
    pattern: String,
    has_time: bool,
}

impl DateForm {
    /// Checks a pattern.
    ///
    /// # Errors
    /// The reason, if the pattern has other parts than `%Y %y %m %b %B %d %H %M %S %%`, or does not
    /// define one day.
    pub fn new(pattern: &str) -> Result<Self, String> {
        let wrong = |detail: String| {
            format!(
                "`date = {pattern:?}`: {detail}; expected a pattern such as \"%d.%m.%Y\" or \"%Y-%m-%d %H:%M:%S\""
            )
        };
        let mut parts = Vec::new();
        let mut characters = pattern.chars();
        while let Some(character) = characters.next() {
            if character == '%' {
                match characters.next() {
                    Some('%') => {}
                    Some(part) if "YymbBdHMS".contains(part) => parts.push(part),
                    Some(part) => {
                        return Err(wrong(format!("`%{part}` is not among %Y %y %m %b %B %d %H %M %S")));
                    }
                    None => return Err(wrong("it ends in `%`".to_owned())),
                }
            } else if character.is_ascii_digit() {
                return Err(wrong(format!("the digit `{character}` cannot be part of a pattern")));
            }
        }
        let count = |some: &str| parts.iter().filter(|part| some.contains(**part)).count();
        for (some, what) in
            [("Yy", "the year (%Y or %y)"), ("mbB", "the month (%m, %b or %B)"), ("d", "the day (%d)")]
        {
            if count(some) != 1 {
                return Err(wrong(format!("{what} must occur once")));
            }
        }
        if ["H", "M", "S"].iter().any(|part| count(part) > 1) {
            return Err(wrong("a part of the time occurs twice".to_owned()));
        }
        let (hours, minutes, seconds) = (count("H"), count("M"), count("S"));
        if hours != minutes || seconds > minutes {
            return Err(wrong("a time needs hours and minutes; seconds are optional".to_owned()));
        }
        Ok(Self { pattern: pattern.to_owned(), has_time: hours > 0 })
    }

    /// The day of a text, `2024-01-05`. A number of two digits may omit a leading zero if no digit
    /// is next to it.
    pub fn read(&self, text: &str) -> Option<String> {
        let mut parsed = Parsed::new();
        parse(&mut parsed, text, self.items()).ok()?;
        let day = parsed.to_naive_date().ok()?;
        let time = if self.has_time { parsed.to_naive_time().ok()? } else { NaiveTime::MIN };
        // A leap second cannot be represented.
        if time.nanosecond() >= 1_000_000_000 {
            return None;
        }
        let written = day.and_time(time).format_with_items(self.items()).to_string();
        is_same(text, &written).then(|| format(day))
    }

    /// The pattern.
    pub fn pattern(&self) -> &str {
        &self.pattern
    }

    fn items(&self) -> impl Iterator<Item = Item<'_>> + Clone {
        StrftimeItems::new(&self.pattern)
    }

    /// The expected form, with an example.
    pub(super) fn expected(&self) -> String {
        let example = NaiveDate::from_ymd_opt(2024, 3, 31).and_then(|day| day.and_hms_opt(7, 30, 0));
        let example = example.map(|moment| moment.format_with_items(self.items()).to_string());
        format!("a date written {:?}, such as {}", self.pattern, example.unwrap_or_default())
    }

    /// The line of a project that sets this form.
    pub(crate) fn key(&self) -> String {
        format!("date = {}", toml_string(&self.pattern))
    }
}

fn format(day: NaiveDate) -> String {
    day.format("%Y-%m-%d").to_string()
}

/// Whether two texts are equal except for a leading zero of a single digit and the case of letters.
/// chrono itself accepts more, such as spaces and years of two digits for `%Y`.
fn is_same(text: &str, written: &str) -> bool {
    let (mut text, mut written) = (text, written);
    loop {
        let (given, theirs) = (digits(text), digits(written));
        let is_short = theirs.len() == 2 && theirs.strip_prefix('0') == Some(given);
        if given != theirs && !is_short {
            return false;
        }
        (text, written) = (&text[given.len()..], &written[theirs.len()..]);
        match (text.chars().next(), written.chars().next()) {
            (None, None) => return true,
            (Some(left), Some(right)) if left.eq_ignore_ascii_case(&right) => {
                (text, written) = (&text[left.len_utf8()..], &written[right.len_utf8()..]);
            }
            _ => return false,
        }
    }
}

/// The leading digits.
fn digits(text: &str) -> &str {
    let end = text.find(|character: char| !character.is_ascii_digit());
    &text[..end.unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_has_one_text_whatever_way_it_is_written() {
        for (pattern, text, day) in [
            ("%d.%m.%Y", "31.03.2024", Some("2024-03-31")),
            ("%d.%m.%Y", "1.3.2024", Some("2024-03-01")),
            ("%d.%m.%Y", "1.3.24", None),
            ("%d.%m.%Y", " 1.3.2024", None),
            ("%d.%m.%Y", "31.03.2024 ", None),
            ("%d.%m.%Y", "30.02.2024", None),
            ("%d.%m.%Y", "001.3.2024", None),
            ("%d.%m.%Y", "1.3.+2024", None),
            ("%d/%m/%y", "31/03/24", Some("2024-03-31")),
            ("%d/%m/%y", "31/03/70", Some("1970-03-31")),
            ("%d/%m/%y", "31/03/2024", None),
            ("%Y%m%d", "20240331", Some("2024-03-31")),
            ("%d %b %Y", "5 mar 2024", Some("2024-03-05")),
            ("%d %b %Y", "5 March 2024", None),
            ("%d %B %Y", "05 MARCH 2024", Some("2024-03-05")),
            ("%Y-%m-%d %H:%M:%S", "2024-03-31 07:30:00", Some("2024-03-31")),
            ("%Y-%m-%d %H:%M:%S", "2024-03-31 07:30:60", None),
            ("%Y-%m-%d %H:%M:%S", "2024-03-31 24:00:00", None),
            ("%Y-%m-%d %H:%M", "2024-03-31 7:30", Some("2024-03-31")),
        ] {
            assert_eq!(DateForm::new(pattern).unwrap().read(text).as_deref(), day, "{pattern} {text}");
        }
    }

    #[test]
    fn a_pattern_names_one_day() {
        for pattern in
            ["", "%d.%m", "%d.%m.%Y %Y", "%d.%m.%Y%", "%e.%m.%Y", "%d.%m.%Y %H", "%d.%m.2%Y", "%d.%m.%Y %S"]
        {
            assert!(DateForm::new(pattern).is_err(), "{pattern}");
        }
    }
}
