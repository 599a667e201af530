//! Builds a hierarchy from the values of a column: bands of numbers, masks of codes, levels of
//! dates, and value → `*` for everything else.
//!
//! The functions depend on values alone. The result is written as a hierarchy file in TOML, which
//! contains no value.

use rust_decimal::Decimal;

use crate::values::literal::toml_string;

use super::date::label_at;
use super::plain::{day, is_unpadded, plain_decimal};

/// The kind of values that a hierarchy is built for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// Plain decimal numbers.
    Number,
    /// Dates, such as `2024-01-05`.
    Date,
    /// Codes of equal length, whose characters are masked one by one.
    Code,
    /// Anything else.
    Category,
}

impl ValueKind {
    /// The word on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Date => "date",
            Self::Code => "code",
            Self::Category => "category",
        }
    }

    /// Detects the kind: dates if all are dates, codes if all are digits of equal length and some
    /// begin with 0, numbers if all are plain numbers without leading zeros.
    pub fn of<'a>(values: &(impl Iterator<Item = &'a str> + Clone)) -> Self {
        let all = |is: fn(&str) -> bool| values.clone().next().is_some() && values.clone().all(is);
        if all(|text| day(text).is_some()) {
            Self::Date
        } else if all(|text| plain_decimal(text).is_some() && is_unpadded(text)) {
            Self::Number
        } else if all(is_digits) && length(values.clone()).is_some() {
            Self::Code
        } else {
            Self::Category
        }
    }
}

/// A hierarchy built from the data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recipe {
    /// Half-open bands from 0; each width is a multiple of the previous one.
    Bands(Vec<Decimal>),
    /// Bands between cuts, with the labels of the first level. Each coarser level keeps every second cut.
    Cuts {
        /// Ascending.
        cuts: Vec<Decimal>,
        /// One more than cuts.
        labels: Vec<String>,
    },
    /// Codes with this number of characters.
    Mask(usize),
    /// The same; a character is shown as one of five before it is masked.
    Fives(usize),
    /// Some of month, quarter, year, decade.
    Days(Vec<&'static str>),
    /// Value → `*`.
    Flat,
}

/// The reason why no such hierarchy can be built, in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct CannotBuild(String);

impl CannotBuild {
    fn not_of_kind(value: &str, kind: &str, remedy: &str) -> Self {
        Self(format!("`{value}` is not a {kind}; {remedy}"))
    }

    /// The requested number of levels is not possible.
    fn levels(asked: usize, why: &str) -> Self {
        Self(format!("cannot build {asked} levels between the value and `*`: {why}"))
    }
}

/// The default number of widths of bands.
const WIDTHS: usize = 3;

/// The levels that a built hierarchy of dates may have, finest first; `date.rs` defines what they are.
const UNITS: [&str; 4] = ["month", "quarter", "year", "decade"];

impl Recipe {
    /// Whether there are labels between a value and `*`.
    pub fn has_labels(&self) -> bool {
        match self {
            Self::Bands(bands) => !bands.is_empty(),
            Self::Mask(characters) => *characters > 1,
            Self::Fives(_) | Self::Cuts { .. } => true,
            Self::Days(units) => !units.is_empty(),
            Self::Flat => false,
        }
    }

    /// Builds a hierarchy over values of a kind, with `levels` levels between the value and `*`. By
    /// default the number of levels is chosen to suit the values.
    ///
    /// # Errors
    /// [`CannotBuild`] if a value is of another kind, or the number of levels is not possible.
    pub fn build<'a>(
        values: impl Iterator<Item = &'a str> + Clone,
        kind: ValueKind,
        levels: Option<usize>,
    ) -> Result<Self, CannotBuild> {
        if values.clone().next().is_none() {
            let problem = "there are no values to build a hierarchy from";
            return Err(CannotBuild(problem.to_owned()));
        }
        match kind {
            ValueKind::Number => bands(values, levels),
            ValueKind::Date => days(values, levels),
            ValueKind::Code => mask(&values, levels),
            ValueKind::Category => {
                exactly(levels, 0, "values without an order go to `*` at once", Self::Flat)
            }
        }
    }

    /// The hierarchy as a TOML file.
    pub fn to_toml(&self) -> String {
        match self {
            Self::Bands(widths) => {
                let widths: Vec<String> = widths.iter().map(ToString::to_string).collect();
                format!("type = \"interval\"\nwidths = [{}]\n", widths.join(", "))
            }
            Self::Cuts { cuts, labels } => {
                let labels: Vec<String> = labels.iter().map(|label| toml_string(label)).collect();
                let mut text = "type = \"interval\"\n".to_owned();
                let mut cuts = cuts.clone();
                for level in 0.. {
                    let written: Vec<String> = cuts.iter().map(ToString::to_string).collect();
                    text.push_str(&format!("[[level]]\ncuts = [{}]\n", written.join(", ")));
                    if level == 0 {
                        text.push_str(&format!("labels = [{}]\n", labels.join(", ")));
                    }
                    if cuts.len() < 4 {
                        break;
                    }
                    cuts = cuts.into_iter().step_by(2).collect();
                }
                text
            }
            Self::Mask(length) => format!("type = \"mask\"\nlength = {length}\n"),
            Self::Fives(length) => format!("type = \"mask\"\nlength = {length}\nfives = true\n"),
            Self::Days(units) => {
                let units: Vec<String> = units.iter().map(|unit| format!("\"{unit}\"")).collect();
                format!("type = \"date\"\nlevels = [{}]\n", units.join(", "))
            }
            Self::Flat => "type = \"flat\"\n".to_owned(),
        }
    }

    /// The generalization in the fewest words.
    pub fn brief(&self) -> String {
        match self {
            Self::Bands(widths) => {
                let widths: Vec<String> = widths.iter().map(ToString::to_string).collect();
                format!("bands {}", widths.join(" "))
            }
            Self::Cuts { cuts, .. } => format!("{} bands", cuts.len() + 1),
            Self::Mask(length) => format!("mask of {length}"),
            Self::Fives(length) => format!("mask of {length} by fives"),
            Self::Days(units) => units.join(" "),
            Self::Flat => "all or *".to_owned(),
        }
    }

    /// The generalization in a few words.
    pub fn describe(&self) -> String {
        match self {
            Self::Bands(widths) => {
                let widths: Vec<String> = widths.iter().map(ToString::to_string).collect();
                format!("bands of {}, then *", widths.join(", "))
            }
            Self::Cuts { cuts, .. } => format!("{} bands as P has them, wider bands, then *", cuts.len() + 1),
            Self::Mask(length) => format!("{length} characters, masked one by one from the right"),
            Self::Fives(length) => {
                format!("{length} characters, from the right each one of five, such as [0-4], then masked")
            }
            Self::Days(units) => format!("{}, then *", units.join(", ")),
            Self::Flat => "the value, then *".to_owned(),
        }
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The length of all values in characters, if they have the same.
fn length<'a>(mut values: impl Iterator<Item = &'a str>) -> Option<usize> {
    let first = values.next()?.chars().count();
    values.all(|text| text.chars().count() == first).then_some(first)
}

/// A recipe with only one possible number of levels.
fn exactly(asked: Option<usize>, has: usize, why: &str, recipe: Recipe) -> Result<Recipe, CannotBuild> {
    match asked {
        Some(asked) if asked != has => Err(CannotBuild::levels(asked, &format!("there are {has}; {why}"))),
        _ => Ok(recipe),
    }
}

fn bands<'a>(values: impl Iterator<Item = &'a str>, levels: Option<usize>) -> Result<Recipe, CannotBuild> {
    let number = |text: &str| {
        let remedy = "write plain decimals, or choose another --kind";
        let bound = text.strip_prefix(">=").or_else(|| text.strip_prefix('<')).unwrap_or(text);
        plain_decimal(bound).ok_or_else(|| CannotBuild::not_of_kind(text, ValueKind::Number.as_str(), remedy))
    };
    let numbers: Vec<Decimal> = values.map(number).collect::<Result<_, _>>()?;
    let widths = changing(round_widths(&numbers), &numbers);
    let possible = widths.len();
    match levels {
        Some(asked) if asked > possible => {
            let why = format!("these numbers allow at most {possible} levels of round bands that nest");
            Err(CannotBuild::levels(asked, &why))
        }
        Some(0) => Ok(Recipe::Flat),
        None if possible == 0 => Ok(Recipe::Flat),
        _ => {
            let kept = levels.unwrap_or(WIDTHS).min(possible);
            Ok(Recipe::Bands(widths[possible - kept..].to_vec()))
        }
    }
}

/// The widths that have an effect: a level joins at least one in twenty of the bands below it.
fn changing(widths: Vec<Decimal>, numbers: &[Decimal]) -> Vec<Decimal> {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let mut below = sorted.len();
    let mut kept = Vec::new();
    for width in widths {
        let mut bands: Vec<Option<Decimal>> =
            sorted.iter().map(|number| Some(number.checked_div(width)?.floor())).collect();
        bands.dedup();
        if changes(below, bands.len()) {
            below = bands.len();
            kept.push(width);
        }
    }
    kept
}

/// Whether a level has fewer classes than the one below: by one in twenty, and at least by one.
fn changes(below: usize, now: usize) -> bool {
    below.saturating_sub(now) >= (below / 20).max(1)
}

/// Widths of 1, 2 or 5 times a power of ten that nest over some numbers, finest first. The coarsest
/// gives at least three bands, or two if no width gives three. Each finer width is the greatest one
/// that divides it. The finest is above one unit of the numbers' last digit.
fn round_widths(numbers: &[Decimal]) -> Vec<Decimal> {
    let (Some(&least), Some(&most)) = (numbers.iter().min(), numbers.iter().max()) else { return Vec::new() };
    let decimals = numbers.iter().map(|number| number.normalize().scale()).max().unwrap_or_default();
    let grain = Decimal::new(1, decimals);
    let Some(span) = most.checked_sub(least) else { return Vec::new() };
    let series = series(grain, span);
    let count = |width: Decimal| {
        let band = |number: Decimal| number.checked_div(width).map(|ratio| ratio.floor());
        Some(band(most)?.checked_sub(band(least)?)? + Decimal::ONE)
    };
    let cuts_in = |bands: u32| {
        series.iter().rev().find(|width| count(**width).is_some_and(|found| found >= Decimal::from(bands)))
    };
    let Some(&coarsest) = cuts_in(3).or_else(|| cuts_in(2)) else { return Vec::new() };
    let mut widths = vec![coarsest];
    while let Some(&finer) = series.iter().rev().find(|&&width| {
        let coarser = widths[widths.len() - 1];
        width < coarser && coarser.checked_rem(width) == Some(Decimal::ZERO)
    }) {
        widths.push(finer);
    }
    widths.reverse();
    widths
}

/// The numbers 1, 2 and 5 times powers of ten above `grain` (such a number itself) and at most
/// `span`, ascending.
fn series(grain: Decimal, span: Decimal) -> Vec<Decimal> {
    let mut series = Vec::new();
    let mut power = grain;
    while power <= span {
        for times in [1, 2, 5] {
            match power.checked_mul(Decimal::from(times)) {
                Some(width) if width > grain && width <= span => series.push(width.normalize()),
                _ => {}
            }
        }
        let Some(next) = power.checked_mul(Decimal::TEN) else { break };
        power = next;
    }
    series
}

fn days<'a>(values: impl Iterator<Item = &'a str>, levels: Option<usize>) -> Result<Recipe, CannotBuild> {
    let date = |text: &str| {
        let remedy = "write existing dates as YYYY-MM-DD, or choose another --kind";
        day(text).ok_or_else(|| CannotBuild::not_of_kind(text, ValueKind::Date.as_str(), remedy))
    };
    let mut days = values.map(date).collect::<Result<Vec<_>, _>>()?;
    days.sort_unstable();
    let year = |day: &chrono::NaiveDate| chrono::Datelike::year(day);
    let years = days.last().map_or(0, year) - days.first().map_or(0, year);
    let units: &[&str] = match levels {
        None if years < 1 => &UNITS[..2],
        None | Some(3) if years < 10 => &UNITS[..3],
        None | Some(4) => &UNITS,
        Some(1) => &["year"],
        Some(2) => &["month", "year"],
        Some(3) => &["month", "year", "decade"],
        Some(0) => return Ok(Recipe::Flat),
        Some(asked) => {
            return Err(CannotBuild::levels(asked, "dates have months, quarters, years and decades"));
        }
    };
    // Units that have no effect are left out unless they were requested: dates that are all the
    // first of a month need no months.
    let units = if levels.is_none() { changing_units(units, &days) } else { units.to_vec() };
    Ok(if units.is_empty() { Recipe::Flat } else { Recipe::Days(units) })
}

/// The units that have an effect on some sorted dates.
fn changing_units(units: &[&'static str], days: &[chrono::NaiveDate]) -> Vec<&'static str> {
    let count = |unit: &str| {
        let mut all: Vec<Option<String>> = days.iter().map(|day| label_at(unit, *day)).collect();
        all.dedup();
        all.len()
    };
    let mut distinct = days.to_vec();
    distinct.dedup();
    let mut below = distinct.len();
    let mut kept = Vec::new();
    for &unit in units {
        let now = count(unit);
        if changes(below, now) {
            below = now;
            kept.push(unit);
        }
    }
    kept
}

fn mask<'a>(
    values: &(impl Iterator<Item = &'a str> + Clone),
    levels: Option<usize>,
) -> Result<Recipe, CannotBuild> {
    let not_a_code = |text, remedy| CannotBuild::not_of_kind(text, "code of one length without `*`", remedy);
    if let Some(starred) = values.clone().find(|text| text.contains('*')) {
        return Err(not_a_code(starred, "use --kind category, or write the hierarchy by hand"));
    }
    let width = values.clone().map(|text| text.chars().count()).max().unwrap_or(0);
    if let Some(short) = values.clone().find(|text| text.chars().count() != width) {
        return Err(not_a_code(
            short,
            "complete the codes (did a spreadsheet drop leading zeros?), or use --kind category",
        ));
    }
    // Of single characters, `[0-4]` would read as a range.
    let has_fives = (2..=100).contains(&width) && is_wide(values);
    match width {
        0 | 201.. => Err(not_a_code(values.clone().next().unwrap_or_default(), "use --kind category")),
        // With as many levels as a plain mask has, it is one.
        _ if has_fives && levels != Some(width - 1) => exactly(
            levels,
            width * 2 - 1,
            "a mask has a level of fives and a level without each character, except the last",
            Recipe::Fives(width),
        ),
        1 => exactly(levels, 0, "one character goes to `*` at once", Recipe::Mask(1)),
        _ => exactly(
            levels,
            width - 1,
            "a mask has one level for each character except the last",
            Recipe::Mask(width),
        ),
    }
}

/// The number of labels directly below a label from which fives are worth their levels: of up to six, three
/// terms describe any set.
const WIDE: usize = 7;

/// Whether some masked code has many codes directly below it.
fn is_wide<'a>(values: &(impl Iterator<Item = &'a str> + Clone)) -> bool {
    let mut beginnings: Vec<&str> = values.clone().collect();
    loop {
        beginnings.sort_unstable();
        beginnings.dedup();
        let shorter = |text: &'a str| text.char_indices().next_back().map_or("", |(start, _)| &text[..start]);
        let mut above: Vec<&str> = beginnings.iter().map(|text| shorter(text)).collect();
        if above.chunk_by(|left, right| left == right).any(|same| same.len() >= WIDE) {
            return true;
        }
        if above.first().is_none_or(|text| text.is_empty()) {
            return false;
        }
        above.dedup();
        beginnings = above;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built(kind: ValueKind, values: &[&str], levels: Option<usize>) -> Result<String, String> {
        let recipe = Recipe::build(values.iter().copied(), kind, levels);
        recipe.map(|recipe| recipe.describe()).map_err(|error| error.to_string())
    }

    #[test]
    fn values_are_taken_for_what_they_look_like() {
        for (values, kind) in [
            (&["39", "-0.5"][..], ValueKind::Number),
            (&["2024-01-05", "1999-12-31"], ValueKind::Date),
            (&["2024-01-05", "2023-02-29"], ValueKind::Category),
            (&["08913", "10207"], ValueKind::Code),
            (&["8913", "08913"], ValueKind::Category),
            (&["10207", "10208"], ValueKind::Number),
            (&["a"], ValueKind::Category),
            (&[], ValueKind::Category),
        ] {
            assert_eq!(ValueKind::of(&values.iter().copied()), kind, "{values:?}");
        }
    }

    #[test]
    fn bands_have_round_nested_borders_over_the_range() {
        let steps = |from: i64, to: i64, step: usize| -> Vec<String> {
            (from..=to).step_by(step).map(|number| number.to_string()).collect()
        };
        let fractions: Vec<String> =
            (50..=225).map(|number| format!("{}.{:02}", number / 100, number % 100)).collect();
        let texts = |values: &[String], levels| {
            built(ValueKind::Number, &values.iter().map(String::as_str).collect::<Vec<_>>(), levels)
        };
        // Incomes in steps of 1000: the first band joins several of them (N20), and a few other
        // values do not change this.
        let odd: Vec<String> = steps(0, 199_000, 1_000).into_iter().chain(["12500".to_owned()]).collect();
        for (values, expected) in [
            (steps(17, 90, 1), "bands of 5, 10, 20, then *"),
            (steps(0, 199, 1), "bands of 5, 10, 50, then *"),
            (fractions, "bands of 0.1, 0.5, 1, then *"),
            (steps(0, 199_000, 1_000), "bands of 5000, 10000, 50000, then *"),
            (odd, "bands of 5000, 10000, 50000, then *"),
            (steps(-40, 40, 1), "bands of 5, 10, 20, then *"),
            (steps(1, 5, 1), "bands of 2, then *"),
            (steps(1, 2, 1), "the value, then *"),
            (vec!["7".to_owned(), "7".to_owned()], "the value, then *"),
            (vec!["0".to_owned(), "9999999999999999999999999999".to_owned()], "the value, then *"),
        ] {
            assert_eq!(texts(&values, None).as_deref(), Ok(expected), "{values:?}");
        }
        let numbers = steps(0, 199, 1);
        assert_eq!(texts(&numbers, Some(1)).as_deref(), Ok("bands of 50, then *"));
        let error = texts(&numbers, Some(9)).unwrap_err();
        assert!(error.contains("at most 3"), "{error}");
        assert!(built(ValueKind::Number, &["1", "1,5"], None).unwrap_err().contains("`1,5` is not a number"));
    }

    #[test]
    fn codes_with_many_siblings_are_masked_by_fives() {
        let codes =
            |digits: &[&str]| -> Vec<String> { digits.iter().map(|digit| format!("0{digit}1")).collect() };
        let of = |digits: &[&str], levels| {
            let codes = codes(digits);
            built(ValueKind::Code, &codes.iter().map(String::as_str).collect::<Vec<_>>(), levels)
        };
        let (few, many) = (["0", "1", "2", "3", "4", "9"], ["0", "1", "2", "3", "4", "8", "9"]);
        let (plain, fives) = (
            "3 characters, masked one by one from the right",
            "3 characters, from the right each one of five, such as [0-4], then masked",
        );
        assert_eq!(of(&few, None).as_deref(), Ok(plain));
        assert_eq!(of(&many, None).as_deref(), Ok(fives));
        assert_eq!(of(&many, Some(2)).as_deref(), Ok(plain));
        assert_eq!(of(&many, Some(5)).as_deref(), Ok(fives));
        assert!(of(&many, Some(3)).unwrap_err().contains("there are 5"));
    }

    #[test]
    fn dates_have_levels_for_their_span() {
        for (values, levels, expected) in [
            (&["2024-01-05", "2024-01-06", "2024-03-31"][..], None, "month, quarter, then *"),
            (
                &["2021-01-05", "2021-01-06", "2021-02-01", "2021-12-01", "2024-12-31"],
                None,
                "month, quarter, year, then *",
            ),
            (
                &["1930-01-05", "1930-01-06", "1930-02-01", "1930-12-01", "1931-12-01", "2024-12-31"],
                None,
                "month, quarter, year, decade, then *",
            ),
            // Dates that are all the first of a year need no months and no quarters.
            (&["1930-01-01", "1931-01-01", "2024-01-01"], None, "decade, then *"),
            (&["1930-01-01", "2024-01-01"], None, "the value, then *"),
            (&["1930-01-05", "2024-12-31"], Some(3), "month, year, decade, then *"),
        ] {
            assert_eq!(built(ValueKind::Date, values, levels).as_deref(), Ok(expected), "{values:?}");
        }
        assert!(built(ValueKind::Date, &["2024-01-05"], Some(5)).is_err());
        assert!(built(ValueKind::Date, &["5.1.2024"], None).unwrap_err().contains("YYYY-MM-DD"));
    }

    #[test]
    fn equal_length_codes_are_masked_other_values_flat() {
        assert_eq!(
            built(ValueKind::Code, &["08913", "10207"], None).as_deref(),
            Ok("5 characters, masked one by one from the right")
        );
        assert!(built(ValueKind::Code, &["08913", "8913"], None).unwrap_err().contains("`8913`"));
        assert!(built(ValueKind::Code, &["0891*"], None).is_err());
        assert!(built(ValueKind::Code, &["089"], Some(1)).unwrap_err().contains("there are 2"));
        assert_eq!(built(ValueKind::Category, &["a", "bc"], None).as_deref(), Ok("the value, then *"));
        assert_eq!(
            built(ValueKind::Category, &[], None),
            Err("there are no values to build a hierarchy from".to_owned())
        );
    }
}
