//! Dates as tables write them: the grammar of patterns in `docs/tables-and-values.md`.

use super::date::{Day, Unit};
use super::{Refusal, refuse};

/// A pattern and its pivot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    parts: Vec<String>,
    pivot: Option<u32>,
}

/// The names of the months, as the page lists them.
const MONTHS: [&str; 12] = [
    "january januar jänner jaenner janvier enero jan jän janv ene",
    "february februar février fevrier febrero feb febr fév fev févr fevr",
    "march märz maerz mars marzo mar mär mrz",
    "april avril abril apr avr abr",
    "may mai mayo",
    "june juni juin junio jun",
    "july juli juillet julio jul juil",
    "august août aout agosto aug aoû aou ago",
    "september septembre septiembre setiembre sep sept set",
    "october oktober octobre octubre oct okt",
    "november novembre noviembre nov",
    "december dezember décembre decembre diciembre dec dez déc dic",
];

/// The parts, and the time among them.
const PARTS: &str = "%Y %y %m %d %b %B %H %I %p %M %S %.f %z %%";
const TIME: &str = "%H %I %p %M %S %.f %z";

impl Pattern {
    /// Reads a pattern with its pivot.
    pub(super) fn read(text: &str, pivot: Option<u32>) -> Result<Self, Refusal> {
        let mut parts: Vec<String> = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let known = PARTS.split(' ').find(|part| rest.starts_with(part));
            if rest.starts_with('%') && known.is_none() {
                return refuse(format!("{text:?} has an unknown part"));
            }
            let has_time = parts.iter().any(|part| part == "%M");
            if has_time && rest.len() > 1 && is_zone(rest) {
                parts.extend(rest.chars().map(String::from));
                break;
            }
            let part = known.map_or_else(|| rest.chars().take(1).collect(), str::to_owned);
            if part.chars().all(|character| character.is_ascii_digit()) {
                return refuse(format!("{text:?} has a digit"));
            }
            rest = &rest[part.len()..];
            parts.push(part);
        }
        let count = |some: &str| parts.iter().filter(|part| some.split(' ').any(|one| one == *part)).count();
        let is_day = count("%Y %y") == 1 && count("%m %b %B") == 1 && count("%d") == 1;
        let hours = count("%H %I");
        let is_clock = hours <= 1 && count("%M") == hours && count("%S") <= hours && count("%z") <= hours;
        let is_half = count("%p") == count("%I");
        let follows = parts.windows(2).filter(|pair| pair[0] == "%S" && pair[1] == "%.f").count();
        let has_pivot = count("%y") == 0 || pivot.is_some();
        let is_year = pivot.is_none_or(|year| (1000..=9900).contains(&year));
        if !(is_day && is_clock && is_half && has_pivot && is_year && follows == count("%.f")) {
            return refuse(format!("{text:?} is no pattern of dates"));
        }
        Ok(Self { parts, pivot })
    }

    pub(super) fn has_short_years(&self) -> bool {
        self.parts.iter().any(|part| part == "%y")
    }

    /// The day of a text.
    pub(super) fn day(&self, text: &str) -> Result<String, Refusal> {
        let is_time = |part: &String| TIME.split(' ').any(|time| time == part);
        let first = self.parts.iter().position(is_time).unwrap_or(0);
        let is_last =
            self.parts[first..].iter().all(|part| is_time(part) || !part.starts_with('%') || part == "%%");
        let mut found = self.match_parts(&self.parts, text, false, (0, 0, 0));
        if found.is_none() && first > 0 && is_last && ["T", " "].contains(&self.parts[first - 1].as_str()) {
            found = self.match_parts(&self.parts[..first - 1], text, false, (0, 0, 0));
        }
        let written = found.map(|day| Unit::Day.write(day)).filter(|day| Unit::Day.read(day).is_some());
        written.ok_or_else(|| Refusal(format!("{text:?} is no date")))
    }

    /// Matches the rest of a text with the rest of the parts. Each part tries every beginning of the
    /// text. `after_digit` is true if a digit precedes the text.
    fn match_parts(&self, parts: &[String], text: &str, after_digit: bool, day: Day) -> Option<Day> {
        let Some(part) = parts.first() else { return text.is_empty().then_some(day) };
        let is_digit = |character: char| character.is_ascii_digit();
        for end in text.char_indices().map(|(end, _)| end).chain([text.len()]) {
            let (begin, rest) = text.split_at(end);
            let Some(day) = self.value(part, begin, rest, day) else { continue };
            // A number of one digit has no other digit beside it.
            let is_short = part.starts_with('%') && begin.len() == 1 && begin.starts_with(is_digit);
            if is_short && (after_digit || rest.starts_with(is_digit)) {
                continue;
            }
            // The point of an abbreviation.
            let is_name = ["%b", "%B"].contains(&part.as_str());
            let has_point = parts.get(1).is_some_and(|part| part == ".");
            let point = rest.strip_prefix('.').filter(|_| is_name && !has_point);
            let after_digit = if begin.is_empty() { after_digit } else { begin.ends_with(is_digit) };
            if let Some(found) = self.match_parts(&parts[1..], point.unwrap_or(rest), after_digit, day) {
                return Some(found);
            }
        }
        None
    }

    /// The day after a part has this text; `None` if the part cannot be written so.
    fn value(&self, part: &str, text: &str, rest: &str, (year, month, day): Day) -> Option<Day> {
        let number = || {
            let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse::<u32>().ok().filter(|_| is_number)
        };
        let short = || number().filter(|_| text.len() <= 2);
        let same = (year, month, day);
        match part {
            "%Y" => number().filter(|_| text.len() == 4).map(|year| (year, month, day)),
            "%y" => {
                let (short, pivot) = (short()?, self.pivot?);
                (pivot..pivot + 100).find(|year| year % 100 == short).map(|year| (year, month, day))
            }
            "%m" => short().map(|month| (year, month, day)),
            "%d" => short().map(|day| (year, month, day)),
            "%b" | "%B" if !rest.starts_with(char::is_alphabetic) => {
                let name = text.to_lowercase();
                let is_name = |names: &&str| names.split(' ').any(|known| known == name);
                let index = MONTHS.iter().position(is_name)?;
                Some((year, u32::try_from(index).ok()? + 1, day))
            }
            "%H" => short().filter(|hour| *hour < 24).map(|_| same),
            "%I" => short().filter(|hour| (1..=12).contains(hour)).map(|_| same),
            "%M" | "%S" => short().filter(|unit| *unit < 60).map(|_| same),
            "%p" => ["am", "pm"].contains(&text.to_ascii_lowercase().as_str()).then_some(same),
            "%.f" => {
                let digits = text.strip_prefix(['.', ',']);
                let is_fraction = digits.is_some_and(|digits| {
                    (1..=9).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
                });
                let is_whole = !rest.starts_with(|character: char| character.is_ascii_digit());
                (text.is_empty() && !rest.starts_with(['.', ',']) || is_fraction && is_whole).then_some(same)
            }
            "%z" => is_zone(text).then_some(same),
            "%%" => (text == "%").then_some(same),
            literal => (text == literal).then_some(same),
        }
    }
}

/// `Z`, `+09:00`, `+0900` or `+09`.
fn is_zone(text: &str) -> bool {
    let Some(digits) = text.strip_prefix(['+', '-']) else { return text == "Z" };
    let pairs: Vec<&str> = match digits.split_once(':') {
        Some((hours, minutes)) => vec![hours, minutes],
        None if digits.len() == 4 && digits.is_ascii() => vec![&digits[..2], &digits[2..]],
        None => vec![digits],
    };
    let below = |pair: &str, most: u32| {
        pair.len() == 2
            && pair.bytes().all(|byte| byte.is_ascii_digit())
            && pair.parse::<u32>().is_ok_and(|number| number < most)
    };
    below(pairs[0], 24) && pairs.get(1).is_none_or(|minutes| below(minutes, 60))
}
