//! Random ways to write dates.

use super::texts::quoted;
use crate::support::dice::Dice;

/// A pattern with its pivot.
#[derive(Clone, Debug)]
pub(crate) struct DateForm {
    pattern: &'static str,
    pivot: Option<u32>,
    /// Whether it is written with the keys of older projects.
    is_older: bool,
}

const PATTERNS: [&str; 20] = [
    "%d.%m.%Y",
    "%m/%d/%Y",
    "%Y%m%d",
    "%Y/%m/%d %H:%M",
    "%Y-%m-%d %H:%M:%S%.f",
    "%Y-%m-%dT%H:%M:%S%z",
    "%Y-%m-%dT%H:%M:%S%.f+09:00",
    "%Y-%m-%dT%H:%M:%SZ",
    "%m/%d/%Y %I:%M:%S %p",
    "%d-%b-%Y",
    "%d. %B %Y",
    "%d%b%Y",
    "%B %d, %Y",
    "%d de %B de %Y",
    "%Y年%m月%d日",
    "%d.%b.%Y",
    "%d.%m.%y",
    "%m/%d/%y %H:%M",
    "%d-%b-%y",
    "%y%m%d",
];

/// Names of each month, in several languages.
const MONTHS: [&[&str]; 12] = [
    &["January", "Januar", "janvier", "enero", "JAN", "ene."],
    &["February", "février", "FÉVR.", "Feb", "febrero"],
    &["March", "März", "MRZ", "mars", "Mar."],
    &["April", "avril", "abr", "APR"],
    &["May", "Mai", "mayo", "MAI"],
    &["June", "Juni", "juin", "JUN"],
    &["July", "juil.", "Juli", "julio"],
    &["August", "AOÛT", "ago", "Aug."],
    &["September", "Sept.", "septiembre", "SEP"],
    &["October", "Okt", "octubre", "OCT"],
    &["November", "NOV", "noviembre"],
    &["December", "Dezember", "décembre", "dic."],
];

impl DateForm {
    pub(crate) fn any(dice: &mut Dice) -> Self {
        let pattern = *dice.pick(&PATTERNS);
        let pivots =
            [Some(1926), Some(1926), Some(1950), Some(1970), Some(2019), Some(1000), Some(9901), None];
        let pivot = if pattern.contains("%y") { *dice.pick(&pivots) } else { None };
        let pivot = if dice.percent(2) { Some(1950) } else { pivot };
        Self { pattern, pivot, is_older: pattern.len().is_multiple_of(5) }
    }

    /// The keys of the project.
    pub(crate) fn keys(&self) -> String {
        let pattern = quoted(self.pattern);
        match self.pivot {
            None => format!("date = {pattern}\n"),
            // One in five is written as older projects write it.
            Some(pivot) if self.is_older => format!("date = {pattern}\npivot = {pivot}\n"),
            Some(pivot) => format!("date = {{ like = {pattern}, from = {pivot} }}\n"),
        }
    }

    /// A date `2024-01-05` in this form, in one of the ways that the pattern permits; other texts
    /// stay as they are.
    pub(crate) fn write(&self, dice: &mut Dice, day: &str) -> String {
        let numbers: Option<Vec<usize>> = day.split('-').map(|part| part.parse().ok()).collect();
        let Some([year, month, date]) = numbers.as_deref() else { return day.to_owned() };
        let is_short = !self.pattern.contains("%Y%m")
            && !self.pattern.contains("%y%m")
            && !self.pattern.contains("%d%b")
            && dice.percent(40);
        let two = |number: usize| if is_short { number.to_string() } else { format!("{number:02}") };
        let mut pattern = self.pattern;
        if let Some(time) = pattern.find(" %H").or(pattern.find("T%H")).filter(|_| dice.percent(20)) {
            pattern = &pattern[..time];
        }
        let name = MONTHS.get(month.wrapping_sub(1)).map_or("Smarch", |names| *dice.pick(names));
        // A point would be the literal of the pattern.
        let name = if pattern.contains("%b.") { name.trim_end_matches('.') } else { name };
        let hour = dice.below(24);
        pattern
            .replace("%.f", dice.pick::<&str>(&["", ".0", ".000000", ",5"]))
            .replace("%z", dice.pick::<&str>(&["Z", "+09:00", "-1130", "+00"]))
            .replace("%Y", &format!("{year:04}"))
            .replace("%y", &format!("{:02}", year % 100))
            .replace("%m", &two(*month))
            .replace("%d", &two(*date))
            .replace("%b", name)
            .replace("%B", name)
            .replace("%H", &format!("{hour:02}"))
            .replace("%I", &format!("{:02}", hour % 12 + 1))
            .replace("%p", dice.pick::<&str>(&["AM", "pm"]))
            .replace("%M", &format!("{:02}", dice.below(60)))
            .replace("%S", &format!("{:02}", dice.below(60)))
    }
}
