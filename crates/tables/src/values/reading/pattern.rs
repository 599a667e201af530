//! The parts of a pattern of dates.

/// A part of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Literal(char),
    /// A number of the date or the time: `%Y %y %m %d %H %I %M %S`.
    Number(char),
    /// The name of a month.
    Name,
    /// `AM` or `PM`.
    Half,
    /// The fraction of a second, if there is one.
    Fraction,
    Zone,
}

/// The parts of a pattern, for messages.
const PARTS: &str = "%Y %y %m %b %B %d %H %I %p %M %S %.f %z %%";

/// Splits a pattern into its parts. Digits are allowed only in a zone at the end, such as `+09:00`.
pub(super) fn parts(pattern: &str) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    let mut characters = pattern.char_indices();
    while let Some((start, character)) = characters.next() {
        parts.push(match character {
            '%' => match characters.next() {
                Some((_, '%')) => Part::Literal('%'),
                Some((_, 'b' | 'B')) => Part::Name,
                Some((_, 'p')) => Part::Half,
                Some((_, 'z')) => Part::Zone,
                Some((_, '.')) if characters.next().is_some_and(|(_, c)| c == 'f') => Part::Fraction,
                Some((_, letter)) if "YymdHIMS".contains(letter) => Part::Number(letter),
                Some((_, letter)) => return Err(format!("`%{letter}` is not among {PARTS}")),
                None => return Err("it ends in `%`".to_owned()),
            },
            '+' | '-' if parts.contains(&Part::Number('M')) && zone(&pattern[start..]) == Some("") => {
                parts.extend(pattern[start..].chars().map(Part::Literal));
                return Ok(parts);
            }
            digit if digit.is_ascii_digit() => {
                return Err(format!("the digit `{digit}` cannot be part of a pattern"));
            }
            character => Part::Literal(character),
        });
    }
    Ok(parts)
}

/// Checks that a pattern defines one day and no part twice.
pub(super) fn check(parts: &[Part]) -> Result<(), &'static str> {
    let count = |wanted: &[Part]| parts.iter().filter(|part| wanted.contains(part)).count();
    let number = Part::Number;
    for (wanted, problem) in [
        (&[number('Y'), number('y')][..], "the year (%Y or %y) must occur once"),
        (&[number('m'), Part::Name], "the month (%m, %b or %B) must occur once"),
        (&[number('d')], "the day (%d) must occur once"),
    ] {
        if count(wanted) != 1 {
            return Err(problem);
        }
    }
    let hours = count(&[number('H'), number('I')]);
    let [minutes, seconds] = ['M', 'S'].map(|letter| count(&[number(letter)]));
    let [halves, fractions, zones] = [Part::Half, Part::Fraction, Part::Zone].map(|part| count(&[part]));
    if [hours, seconds, fractions, zones].iter().any(|count| *count > 1) {
        return Err("a part of the time occurs twice");
    }
    if hours != minutes || seconds > minutes || zones > minutes {
        return Err("a time needs hours and minutes; seconds and a zone are optional");
    }
    if halves != count(&[number('I')]) {
        return Err("%I and %p belong together");
    }
    let is_after_seconds = parts.windows(2).any(|pair| pair == [number('S'), Part::Fraction]);
    if fractions > usize::from(is_after_seconds) {
        return Err("%.f follows %S");
    }
    Ok(())
}

/// The number of parts before the blank or `T` that precedes the time, if the time follows the date.
pub(super) fn date_parts(parts: &[Part]) -> Option<usize> {
    let is_time = |part: &Part| {
        matches!(part, Part::Number('H' | 'I' | 'M' | 'S') | Part::Half | Part::Fraction | Part::Zone)
    };
    let first = parts.iter().position(is_time)?;
    let is_date = |part: &Part| matches!(part, Part::Number('Y' | 'y' | 'm' | 'd') | Part::Name);
    let has_separator = matches!(parts.get(first.checked_sub(1)?), Some(Part::Literal(' ' | 'T')));
    (has_separator && !parts[first..].iter().any(is_date)).then(|| first - 1)
}

/// A number of `width` digits at the start of a text, and the rest. A leading zero of two digits may
/// lack if no other digit is beside it.
pub(super) fn number(text: &str, width: usize, is_joined: bool) -> Option<(u32, &str)> {
    let digits = text.bytes().take(width).take_while(u8::is_ascii_digit).count();
    let is_short = width == 2 && digits == 1 && !is_joined;
    if digits != width && !is_short {
        return None;
    }
    let (number, rest) = text.split_at(digits);
    Some((number.parse().ok()?, rest))
}

/// The text after a zone: `Z`, `+09:00`, `+0900` or `+09`.
pub(super) fn zone(text: &str) -> Option<&str> {
    if let Some(rest) = text.strip_prefix('Z') {
        return Some(rest);
    }
    let (hours, rest) = number(text.strip_prefix(['+', '-'])?, 2, true)?;
    let (minutes, rest) = match rest.strip_prefix(':') {
        Some(rest) => number(rest, 2, true)?,
        None => number(rest, 2, true).unwrap_or((0, rest)),
    };
    (hours < 24 && minutes < 60).then_some(rest)
}
