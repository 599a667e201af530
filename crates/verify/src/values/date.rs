//! Reads dates by a pattern of the project, as `docs/tables-and-values.md` defines it.

use jiff::civil;

/// How the dates of a column are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DateNotation {
    /// The pattern, such as `%d.%m.%Y`.
    pub pattern: String,
    /// The first year of the hundred that `%y` means.
    pub pivot: Option<u16>,
}

/// What the parts of a pattern found in a text.
#[derive(Clone, Copy, Default)]
struct Fields {
    year: i16,
    month: i8,
    day: i8,
    hour: i8,
    is_afternoon: bool,
}

/// The beginnings of names from which a month follows, and the rests that make them a name.
const MONTHS: [&[(&str, &str)]; 12] = [
    &[("jan", ",uary,uar,v,vier"), ("jän", ",ner"), ("jaenner", ""), ("ene", ",ro")],
    &[("feb", ",ruary,ruar,rero,r"), ("fév", ",rier,r"), ("fev", ",rier,r")],
    &[("mar", ",ch,s,zo"), ("mär", ",z"), ("maerz", ""), ("mrz", "")],
    &[("apr", ",il"), ("avr", ",il"), ("abr", ",il")],
    &[("may", ",o"), ("mai", "")],
    &[("jun", ",e,i,io"), ("juin", "")],
    &[("jul", ",y,i,io"), ("juil", ",let")],
    &[("aug", ",ust"), ("aoû", ",t"), ("aou", ",t"), ("ago", ",sto")],
    &[("sep", ",tember,tembre,tiembre,t"), ("set", ",iembre")],
    &[("oct", ",ober,obre,ubre"), ("okt", ",ober")],
    &[("nov", ",ember,embre,iembre")],
    &[("dec", ",ember,embre"), ("dez", ",ember"), ("déc", ",embre"), ("dic", ",iembre")],
];

impl DateNotation {
    /// Checks the pattern.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn check(&self) -> Result<(), String> {
        let wrong = |what: &str| Err(format!("`date = {:?}`: {what}", self.pattern));
        let Some(tokens) = tokens(&self.pattern) else {
            return wrong("it has an unknown part, or a digit that is not of a zone at the end");
        };
        let times =
            |of: &str| tokens.iter().filter(|(is_part, token)| *is_part && of.contains(*token)).count();
        if [times("Yy"), times("mb"), times("d")] != [1, 1, 1] {
            return wrong("year, month and day must occur once");
        }
        let [clock, minutes, seconds] = [times("HI"), times("M"), times("S")];
        let [halves, fractions, zones] = [times("p"), times("f"), times("z")];
        if clock > 1 || minutes != clock || seconds > clock || zones > clock || times("I") != halves {
            return wrong(
                "a time has hours and minutes once, and with them perhaps seconds, %p of %I, and a zone",
            );
        }
        let is_second = |pair: &[(bool, char)]| pair == [(true, 'S'), (true, 'f')];
        if fractions > 1 || (fractions == 1 && !tokens.windows(2).any(is_second)) {
            return wrong("%.f follows %S");
        }
        match self.pivot {
            None if times("y") > 0 => wrong(
                "years of two digits need the first year of the hundred that they mean, such as `from = 1930`",
            ),
            Some(..1000 | 9901..) => wrong("the first of the hundred years is a year from 1000 to 9900"),
            _ => Ok(()),
        }
    }

    /// Whether years have two digits.
    pub(crate) fn has_short_years(&self) -> bool {
        tokens(&self.pattern).is_some_and(|tokens| tokens.contains(&(true, 'y')))
    }

    /// The day of a text in the form `2024-01-05`.
    pub(crate) fn day(&self, text: &str) -> Option<String> {
        let tokens = tokens(&self.pattern)?;
        let text: Vec<char> = text.chars().collect();
        let day = self.day_by(&text, &tokens);
        // The time may lack, with the blank or `T` before it.
        let day = day.or_else(|| self.day_by(&text, &tokens[..time_start(&tokens)?]));
        day.map(|day| format!("{:04}-{:02}-{:02}", day.year(), day.month(), day.day()))
    }

    fn day_by(&self, text: &[char], tokens: &[(bool, char)]) -> Option<civil::Date> {
        let mut fields = Fields::default();
        let mut at = 0;
        for (index, &(is_part, token)) in tokens.iter().enumerate() {
            if !is_part {
                (text.get(at) == Some(&token)).then(|| at += 1)?;
                continue;
            }
            match token {
                'Y' => fields.year = take(text, &mut at, 4)?,
                'y' => {
                    let (short, pivot) = (short(text, &mut at)?, i16::try_from(self.pivot?).ok()?);
                    let hundred = pivot - pivot % 100;
                    let is_next = short < pivot % 100;
                    fields.year = hundred + short + if is_next { 100 } else { 0 };
                }
                'm' => fields.month = small(short(text, &mut at)?)?,
                'd' => fields.day = small(short(text, &mut at)?)?,
                'b' => {
                    fields.month = month(text, &mut at)?;
                    let is_written = tokens.get(index + 1) == Some(&(false, '.'));
                    at += usize::from(!is_written && text.get(at) == Some(&'.'));
                }
                'H' => fields.hour = small(short(text, &mut at)?)?,
                'I' => {
                    fields.hour = small(short(text, &mut at)?)?;
                    if !(1..=12).contains(&fields.hour) {
                        return None;
                    }
                    fields.hour %= 12;
                }
                'M' | 'S' => drop(Some(short(text, &mut at)?).filter(|unit| *unit < 60)?),
                'p' => {
                    let half: String = text.get(at..at + 2)?.iter().collect();
                    fields.is_afternoon = half.eq_ignore_ascii_case("pm");
                    (fields.is_afternoon || half.eq_ignore_ascii_case("am")).then(|| at += 2)?;
                }
                'f' => fraction(text, &mut at)?,
                _ => zone(text, &mut at)?,
            }
        }
        let hour = fields.hour + if fields.is_afternoon { 12 } else { 0 };
        let is_read = at == text.len() && hour < 24;
        is_read.then(|| civil::Date::new(fields.year, fields.month, fields.day).ok()).flatten()
    }
}

/// The parts and the single characters of a pattern. `%B` is `%b`, and `%.f` is the part `f`.
fn tokens(pattern: &str) -> Option<Vec<(bool, char)>> {
    let mut tokens = Vec::new();
    let mut rest = pattern;
    while let Some(first) = rest.chars().next() {
        if first != '%' {
            let is_zone = |sign: char| {
                let text: Vec<char> = rest.chars().collect();
                let mut at = 0;
                "+-".contains(sign) && zone(&text, &mut at).is_some() && at == text.len()
            };
            let has_time = tokens.contains(&(true, 'M'));
            if has_time && is_zone(first) {
                tokens.extend(rest.chars().map(|character| (false, character)));
                return Some(tokens);
            }
            if first.is_ascii_digit() {
                return None;
            }
            tokens.push((false, first));
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let (token, length) = match rest[1..].chars().next()? {
            '%' => ((false, '%'), 2),
            '.' if rest.starts_with("%.f") => ((true, 'f'), 3),
            'B' => ((true, 'b'), 2),
            part if "YymbdHIpMSz".contains(part) => ((true, part), 2),
            _ => return None,
        };
        tokens.push(token);
        rest = &rest[length..];
    }
    Some(tokens)
}

/// The position of the blank or `T` before the time, if the whole time follows the date.
fn time_start(tokens: &[(bool, char)]) -> Option<usize> {
    let first = tokens.iter().position(|&(is_part, part)| is_part && "HIMSpfz".contains(part))?;
    let last = tokens.iter().rposition(|&(is_part, part)| is_part && "Yymbd".contains(part))?;
    let before = first.checked_sub(1).filter(|_| last < first)?;
    [(false, ' '), (false, 'T')].contains(&tokens[before]).then_some(before)
}

fn small(number: i16) -> Option<i8> {
    i8::try_from(number).ok()
}

/// A number of this many digits.
fn take(text: &[char], at: &mut usize, count: usize) -> Option<i16> {
    let digits = text.get(*at..*at + count)?;
    let number = digits
        .iter()
        .try_fold(0_i16, |sum, digit| Some(sum * 10 + i16::try_from(digit.to_digit(10)?).ok()?))?;
    *at += count;
    Some(number)
}

/// A number of two digits, or of one digit that has no other digit beside it.
fn short(text: &[char], at: &mut usize) -> Option<i16> {
    let follows_digit = at.checked_sub(1).is_some_and(|before| text[before].is_ascii_digit());
    take(text, at, 2).or_else(|| if follows_digit { None } else { take(text, at, 1) })
}

/// A month by the letters at this position.
fn month(text: &[char], at: &mut usize) -> Option<i8> {
    let letters = text.get(*at..)?.iter().take_while(|character| character.is_alphabetic());
    let name: String = letters.clone().flat_map(|letter| letter.to_lowercase()).collect();
    let is_name = |(start, ends): &(&str, &str)| {
        name.strip_prefix(start).is_some_and(|rest| ends.split(',').any(|end| end == rest))
    };
    let (number, _) = (1..).zip(MONTHS).find(|(_, names)| names.iter().any(is_name))?;
    *at += letters.count();
    Some(number)
}

/// A point or a comma and up to nine digits, or nothing.
fn fraction(text: &[char], at: &mut usize) -> Option<()> {
    if !matches!(text.get(*at), Some('.' | ',')) {
        return Some(());
    }
    let digits = text[*at + 1..].iter().take_while(|character| character.is_ascii_digit()).count();
    *at += digits + 1;
    (1..=9).contains(&digits).then_some(())
}

/// `Z`, `+09:00`, `+0900` or `+09`.
fn zone(text: &[char], at: &mut usize) -> Option<()> {
    let sign = text.get(*at)?;
    *at += 1;
    match sign {
        'Z' => Some(()),
        '+' | '-' => {
            let hours = take(text, at, 2)?;
            let has_colon = text.get(*at) == Some(&':');
            *at += usize::from(has_colon);
            let minutes = match take(text, at, 2) {
                None if has_colon => return None,
                minutes => minutes.unwrap_or(0),
            };
            (hours < 24 && minutes < 60).then_some(())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(pattern: &str, text: &str) -> Option<String> {
        let notation = DateNotation { pattern: pattern.to_owned(), pivot: Some(1926) };
        notation.check().unwrap();
        notation.day(text)
    }

    #[test]
    fn dates_have_one_text() {
        for (pattern, text, value) in [
            ("%d.%m.%Y", "1.3.2024", Some("2024-03-01")),
            ("%d.%m.%Y", "31.03.24", None),
            ("%d.%m.%Y", "30.02.2024", None),
            ("%d.%m.%Y", "001.3.2024", None),
            ("%Y%m%d", "20240331", Some("2024-03-31")),
            ("%Y%m%d", "2024331", None),
            ("%d %b %y", "5 MAR 70", Some("1970-03-05")),
            ("%d %b %y", "5 march 25", Some("2025-03-05")),
            ("%d %b %y", "5 march 26", Some("1926-03-05")),
            ("%B %d, %Y", "march 05, 2024", Some("2024-03-05")),
            ("%d %b %Y", "28 Févr. 1955", Some("1955-02-28")),
            ("%d %b %Y", "28 AOÛT 1955", Some("1955-08-28")),
            ("%d.%b.%Y", "28.Mrz.1955", Some("1955-03-28")),
            ("%d de %b de %Y", "28 de Septiembre de 1955", Some("1955-09-28")),
            ("%d%b%Y", "28AUG1955", Some("1955-08-28")),
            ("%d %b %Y", "28 Augu 1955", None),
            ("%Y年%m月%d日", "1955年08月28日", Some("1955-08-28")),
            ("%Y-%m-%dT%H:%M", "2024-03-31T7:30", Some("2024-03-31")),
            ("%Y-%m-%dT%H:%M", "2024-03-31", Some("2024-03-31")),
            ("%Y-%m-%dT%H:%M", "2024-03-31T", None),
            ("%Y-%m-%dT%H:%M", "2024-03-31T24:30", None),
            ("%m/%d/%Y %I:%M %p", "8/28/1955 12:00 am", Some("1955-08-28")),
            ("%m/%d/%Y %I:%M %p", "8/28/1955 0:00 am", None),
            ("%Y-%m-%d %H:%M:%S%.f", "1955-08-28 00:00:00.000000", Some("1955-08-28")),
            ("%Y-%m-%d %H:%M:%S%.f", "1955-08-28 00:00:00.", None),
            ("%Y-%m-%d %H:%M:%S%.f%z", "1955-08-28 23:59:59.5-11:00", Some("1955-08-28")),
            ("%Y-%m-%d %H:%M:%S%z", "1955-08-28 00:00:00+00", Some("1955-08-28")),
            ("%Y-%m-%dT%H:%M:%S+09:00", "1955-08-28T00:00:00+09:00", Some("1955-08-28")),
            ("%Y-%m-%dT%H:%M:%S+09:00", "1955-08-28T00:00:00+08:00", None),
        ] {
            assert_eq!(day(pattern, text).as_deref(), value, "{pattern} {text}");
        }
    }

    #[test]
    fn a_pattern_names_one_day() {
        for pattern in [
            "%d.%m",
            "%d.%m.%Y %H",
            "%d.%m.2%Y",
            "%d.%m.%Y %I:%M",
            "%d.%m.%Y%z",
            "%e.%m.%Y",
            "%d.%m.%Y %H:%M%.f",
        ] {
            assert!(DateNotation { pattern: pattern.to_owned(), pivot: None }.check().is_err(), "{pattern}");
        }
        let short = DateNotation { pattern: "%d.%m.%y".to_owned(), pivot: None };
        assert!(short.check().unwrap_err().contains("from = 1930"));
    }
}
