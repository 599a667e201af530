//! Date hierarchies: days, then some of months, quarters, years and decades.

use super::built::{Key, LabelRule};
use super::settings::Settings;
use crate::problems::VerifyError;
use crate::values::Day;
use palmtop_terms::Kind;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Span {
    Day,
    Month,
    Quarter,
    Year,
    Decade,
    /// All time.
    Any,
}

impl Span {
    /// The label of the span that contains a day.
    fn label(self, Day { year, month, date }: Day) -> String {
        match self {
            Self::Day => format!("{year:04}-{month:02}-{date:02}"),
            Self::Month => format!("{year:04}-{month:02}"),
            Self::Quarter => format!("{year:04}-Q{}", month.div_ceil(3)),
            Self::Year => format!("{year:04}"),
            Self::Decade => format!("{:04}s", year / 10 * 10),
            Self::Any => "*".to_owned(),
        }
    }

    /// The first day of the span with this label.
    fn first_day(self, label: &str) -> Option<Day> {
        let first = match self {
            Self::Day => Day::read(label),
            Self::Month => Day::read(&format!("{label}-01")),
            Self::Quarter => {
                let (year, quarter) = label.split_once("-Q")?;
                let month = match quarter {
                    "1" => "01",
                    "2" => "04",
                    "3" => "07",
                    "4" => "10",
                    _ => return None,
                };
                Day::read(&format!("{year}-{month}-01"))
            }
            Self::Year => Day::read(&format!("{label}-01-01")),
            Self::Decade => Day::read(&format!("{}-01-01", label.strip_suffix('s')?)),
            Self::Any => Day::read("0000-01-01"),
        };
        first.filter(|&day| self.label(day) == label)
    }
}

/// A date hierarchy; level 0 is the day.
pub(super) struct Calendar {
    spans: Vec<Span>,
    /// The level of `*`.
    top: u8,
}

pub(super) fn read(settings: &Settings) -> Result<Calendar, VerifyError> {
    settings.only(&["type", "levels"])?;
    let levels = settings.get("levels").ok_or_else(|| {
        settings.wrong(None, "`levels` is missing; give some of month, quarter, year, decade".to_owned())
    })?;
    let (mut spans, mut top) = (vec![Span::Day], 1);
    for level in settings.list(levels, "levels")? {
        let name = settings.text_in(level, "levels")?;
        let span = match name {
            "month" => Span::Month,
            "quarter" => Span::Quarter,
            "year" => Span::Year,
            "decade" => Span::Decade,
            _ => {
                let detail = format!("level `{name}` is unknown; expected month, quarter, year or decade");
                return Err(settings.wrong(Some(level.span()), detail));
            }
        };
        if spans.last().is_some_and(|previous| *previous >= span) {
            let detail = format!(
                "level `{name}` is not coarser than the previous level; expected the order month, quarter, year, decade"
            );
            return Err(settings.wrong(Some(level.span()), detail));
        }
        spans.push(span);
        top += 1;
    }
    if spans.len() == 1 {
        let detail = "`levels` is empty; give some of month, quarter, year, decade".to_owned();
        return Err(settings.wrong(Some(levels.span()), detail));
    }
    spans.push(Span::Any);
    Ok(Calendar { spans, top })
}

impl Calendar {
    fn span(&self, level: u8) -> Option<Span> {
        self.spans.get(usize::from(level)).copied()
    }
}

impl LabelRule for Calendar {
    fn kind(&self) -> Kind {
        Kind::Date
    }

    fn top(&self) -> u8 {
        self.top
    }

    fn generalize(&self, text: &str, from: u8, to: u8) -> Option<String> {
        let day = self.span(from)?.first_day(text)?;
        Some(self.span(to)?.label(day))
    }

    fn key(&self, text: &str, level: u8, kind: Kind) -> Option<Key> {
        match kind {
            Kind::Number => None,
            Kind::Date | Kind::Category => self.span(level)?.first_day(text).map(Key::Day),
        }
    }
}
