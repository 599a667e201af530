//! Date hierarchies: date, then months, quarters, years, decades.

use std::sync::Arc;

use chrono::{Datelike, Months, NaiveDate};
use serde::Deserialize;

use super::builder::{HierarchyBuilder, LevelRule, Position};
use super::plain::day;
use super::span::{Point, Span};
use palmtop_core::model::{Kind, Level};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DateFile {
    /// Already read; declared so that serde does not refuse the key as unknown.
    #[serde(rename = "type")]
    _type: String,
    levels: Vec<Unit>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
enum Unit {
    Month,
    Quarter,
    Year,
    Decade,
}

/// A date hierarchy; level 0 is the date.
pub(super) struct DateLevels {
    units: Vec<Unit>,
}

impl DateLevels {
    pub(super) fn new(written: DateFile) -> Result<Self, String> {
        let units = written.levels;
        if units.is_empty() {
            return Err("`levels` is empty; list one or more of month, quarter, year, decade".to_owned());
        }
        if let Some((before, unit)) = units.iter().zip(&units[1..]).find(|(before, unit)| before >= unit) {
            return Err(format!(
                "level `{}` is not coarser than `{}` before it; expected the order month, quarter, year, decade",
                unit.name(),
                before.name()
            ));
        }
        Ok(Self { units })
    }

    fn unit(&self, level: Level) -> Option<Unit> {
        self.units.get(usize::from(level.0).checked_sub(1)?).copied()
    }

    /// The first date with this text at this level.
    fn first_day(&self, text: &str, level: Level) -> Option<NaiveDate> {
        if level == Level(0) {
            return day(text);
        }
        let unit = self.unit(level)?;
        let (year, rest) = (text.get(..4)?, text.get(4..)?);
        let year: i32 =
            if year.bytes().all(|byte| byte.is_ascii_digit()) { year.parse().ok()? } else { return None };
        let month = match unit {
            Unit::Month => rest.strip_prefix('-')?.parse().ok()?,
            Unit::Quarter => 3 * rest.strip_prefix("-Q")?.parse::<u32>().ok()?.checked_sub(1)? + 1,
            Unit::Year | Unit::Decade => 1,
        };
        let day = NaiveDate::from_ymd_opt(year, month, 1)?;
        (unit.label(day) == text).then_some(day)
    }
}

/// The label of a day at the level with this name; `None` if no level has it.
pub(super) fn label_at(level: &str, day: NaiveDate) -> Option<String> {
    Unit::ALL.into_iter().find(|unit| unit.name() == level).map(|unit| unit.label(day))
}

impl Unit {
    /// All levels, finest first.
    const ALL: [Self; 4] = [Self::Month, Self::Quarter, Self::Year, Self::Decade];

    /// The name in a hierarchy file.
    fn name(self) -> &'static str {
        match self {
            Self::Month => "month",
            Self::Quarter => "quarter",
            Self::Year => "year",
            Self::Decade => "decade",
        }
    }

    fn months(self) -> Months {
        Months::new(match self {
            Self::Month => 1,
            Self::Quarter => 3,
            Self::Year => 12,
            Self::Decade => 120,
        })
    }

    fn label(self, day: NaiveDate) -> String {
        let year = day.year();
        match self {
            Self::Month => format!("{year:04}-{:02}", day.month()),
            Self::Quarter => format!("{year:04}-Q{}", day.month0() / 3 + 1),
            Self::Year => format!("{year:04}"),
            Self::Decade => format!("{:04}s", year - year.rem_euclid(10)),
        }
    }
}

impl HierarchyBuilder for DateLevels {
    fn rule(&self, level: Level) -> Option<LevelRule> {
        Some(match self.unit(level)? {
            Unit::Month => LevelRule::Month,
            Unit::Quarter => LevelRule::Quarter,
            Unit::Year => LevelRule::Year,
            Unit::Decade => LevelRule::Decade,
        })
    }

    fn kind(&self) -> Kind {
        Kind::Date
    }

    fn height(&self) -> usize {
        self.units.len() + 1
    }

    fn chain(&self, text: &str, level: Level) -> Option<Vec<Arc<str>>> {
        if level == self.top() {
            return (text == "*").then(|| vec![Arc::from("*")]);
        }
        let day = self.first_day(text, level)?;
        let above = self.units[usize::from(level.0)..].iter().map(|unit| Arc::from(unit.label(day)));
        Some(std::iter::once(Arc::from(text)).chain(above).chain([Arc::from("*")]).collect())
    }

    fn remedy(&self, text: &str) -> String {
        format!(
            "its values are existing dates written YYYY-MM-DD; correct the table, write `values` if it is another spelling, or {}",
            super::builder::declare_missing(text)
        )
    }

    fn span(&self, text: &str, level: Level) -> Option<Span> {
        let unit = self.unit(level)?;
        let first = self.first_day(text, level)?;
        let low = match unit {
            Unit::Decade => first.with_year(first.year() - first.year().rem_euclid(10))?,
            _ => first,
        };
        let high = low.checked_add_months(unit.months()).map(Point::Day);
        Some(Span { low: Some(Point::Day(low)), high })
    }

    fn position(&self, text: &str, level: Level, kind: Kind) -> Option<Position> {
        match kind {
            // A date is never a number.
            Kind::Number => None,
            Kind::Date | Kind::Category if level == self.top() => Some(Position::Walk(Vec::new())),
            Kind::Date | Kind::Category => self.first_day(text, level).map(Position::Day),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::shape::year_of_finer_date;

    /// Safe Harbor and the doubts about columns know every label that is finer than a year.
    #[test]
    fn labels_finer_than_a_year_are_known() {
        let day = NaiveDate::from_ymd_opt(1987, 11, 30).unwrap();
        for unit in Unit::ALL {
            let label = label_at(unit.name(), day).unwrap();
            let is_finer = unit.months() < Unit::Year.months();
            assert_eq!(year_of_finer_date(&label), is_finer.then_some("1987"), "{label}");
        }
    }
}
