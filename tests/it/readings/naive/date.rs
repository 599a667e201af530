//! Days, and the months, quarters, years and decades that contain them.

/// The unit of a level of a date hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Unit {
    Day,
    Month,
    Quarter,
    Year,
    Decade,
}

/// The first day of a day, month, quarter, year or decade: year, month, day.
pub(super) type Day = (u32, u32, u32);

impl Unit {
    pub(super) fn of_word(word: &str) -> Option<Self> {
        match word {
            "month" => Some(Self::Month),
            "quarter" => Some(Self::Quarter),
            "year" => Some(Self::Year),
            "decade" => Some(Self::Decade),
            _ => None,
        }
    }

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Month => "month",
            Self::Quarter => "quarter",
            Self::Year => "year",
            Self::Decade => "decade",
        }
    }

    /// Reads a text of this unit as its first day.
    pub(super) fn read(self, text: &str) -> Option<Day> {
        match self {
            Self::Day => {
                let shape: Vec<&str> = text.split('-').collect();
                let [year, month, day] = shape[..] else { return None };
                let (year, month, day) = (digits(year, 4)?, digits(month, 2)?, digits(day, 2)?);
                let exists = (1..=12).contains(&month) && (1..=days_in(year, month)).contains(&day);
                exists.then_some((year, month, day))
            }
            Self::Month => {
                let (year, month) = text.split_once('-')?;
                let (year, month) = (digits(year, 4)?, digits(month, 2)?);
                (1..=12).contains(&month).then_some((year, month, 1))
            }
            Self::Quarter => {
                let (year, quarter) = text.split_once("-Q")?;
                let (year, quarter) = (digits(year, 4)?, digits(quarter, 1)?);
                (1..=4).contains(&quarter).then(|| (year, quarter * 3 - 2, 1))
            }
            Self::Year => Some((digits(text, 4)?, 1, 1)),
            Self::Decade => {
                let year = digits(text.strip_suffix('s')?, 4)?;
                (year % 10 == 0).then_some((year, 1, 1))
            }
        }
    }

    /// Writes the unit that contains this day.
    pub(super) fn write(self, (year, month, day): Day) -> String {
        match self {
            Self::Day => format!("{year:04}-{month:02}-{day:02}"),
            Self::Month => format!("{year:04}-{month:02}"),
            Self::Quarter => format!("{year:04}-Q{}", month.div_ceil(3)),
            Self::Year => format!("{year:04}"),
            Self::Decade => format!("{:04}s", year / 10 * 10),
        }
    }
}

fn digits(text: &str, count: usize) -> Option<u32> {
    let fits = text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    if fits { text.parse().ok() } else { None }
}

pub(super) fn days_in(year: u32, month: u32) -> u32 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}
