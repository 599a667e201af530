//! Number hierarchies: bands of equal width, or cuts with labels.
//!
//! The values may have an open last band such as `>=90` and an open first band such as `<1`, which
//! the texts of the public table show. On each level, the band around an open band is open, too.

use std::sync::Arc;

use num_bigint::BigInt;
use num_integer::Integer;
use rust_decimal::Decimal;
use serde::Deserialize;
use toml::Spanned;

use super::builder::{HierarchyBuilder, LevelRule, Position};
use super::plain::plain_decimal;
use super::span::{Point, Span};
use crate::values::literal::{self, Literal};
use palmtop_core::model::hierarchy::reads_as_side;
use palmtop_core::model::{Kind, Level};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct IntervalFile {
    /// Already read; declared so that serde does not refuse the key as unknown.
    #[serde(rename = "type")]
    _type: String,
    widths: Option<Vec<Spanned<Literal>>>,
    origin: Option<Spanned<Literal>>,
    level: Option<Vec<WrittenCuts>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCuts {
    cuts: Vec<Spanned<Literal>>,
    labels: Option<Vec<String>>,
}

/// A level above the leaves.
enum Bands {
    /// Half-open intervals of equal width from an origin.
    Width { width: Decimal, origin: Decimal },
    /// Half-open intervals between ascending cuts, with the project's labels if it sets any.
    Cuts { cuts: Vec<Decimal>, labels: Option<Vec<String>> },
}

/// An interval hierarchy over the values of a public table.
pub(super) struct Intervals {
    bands: Vec<Bands>,
    /// Whether labels have the form `10-19`, because all numbers are integers from 0 on; if not,
    /// `[10, 20)`.
    is_integer: bool,
    /// The level of the public table.
    base: Level,
    open: Open,
}

/// The open bands among the values.
#[derive(Clone, Copy, Default)]
struct Open {
    /// All values below this number are one.
    first: Option<Decimal>,
    /// All values from this number on are one.
    last: Option<Decimal>,
}

impl Open {
    /// The widest open bands among some texts.
    fn of(texts: &[String]) -> Self {
        let bounds = |is_last: bool| {
            let bounds = texts.iter().filter_map(|text| open_bound(text));
            bounds.filter(move |(of_last, _)| *of_last == is_last).map(|(_, bound)| bound)
        };
        Self { first: bounds(false).max(), last: bounds(true).min() }
    }

    /// Whether a number is in an open band.
    fn has(&self, value: Decimal) -> bool {
        self.last.is_some_and(|last| value >= last) || self.first.is_some_and(|first| value < first)
    }
}

/// Whether an open band is the last one, and its bound: `>=90` or `<1`.
fn open_bound(text: &str) -> Option<(bool, Decimal)> {
    let is_last = text.starts_with(">=");
    let number = if is_last { &text[2..] } else { text.strip_prefix('<')? };
    let bound = plain_decimal(number)?;
    (plain(&scaled(bound)) == number).then_some((is_last, bound))
}

impl Intervals {
    /// Reads a file; `text` is its content, which has the digits of its numbers.
    pub(super) fn new(
        written: &IntervalFile,
        file: &str,
        public: &[String],
        base: Level,
    ) -> Result<Self, String> {
        let bands = match (&written.widths, &written.level) {
            (Some(widths), None) => widths_bands(widths, written.origin.as_ref(), file)?,
            (None, Some(_)) if written.origin.is_some() => {
                return Err("`origin` applies only to `widths`; remove it".to_owned());
            }
            (None, Some(levels)) => cuts_bands(levels, file)?,
            _ => {
                return Err("expected `widths = [5, 10]`, or a list of `[[level]]` with `cuts`".to_owned());
            }
        };
        let are_widths = matches!(bands[0], Bands::Width { .. });
        let open = if base == Level(0) || are_widths { Open::of(public) } else { Open::default() };
        let mut intervals = Self { bands, is_integer: true, base, open };
        intervals.check_open()?;
        intervals.is_integer = intervals.reads_integers(public, base);
        Ok(intervals)
    }

    /// Checks that no band ends inside an open band, and that no band is open on both sides.
    fn check_open(&self) -> Result<(), String> {
        for (level, bands) in (1..).zip(&self.bands) {
            match bands {
                Bands::Cuts { cuts, .. } => {
                    if let Some(cut) = cuts.iter().find(|cut| {
                        self.open.last.is_some_and(|last| **cut > last)
                            || self.open.first.is_some_and(|first| **cut < first)
                    }) {
                        return Err(format!(
                            "level {level}: cut {cut} is inside {}; remove the cut",
                            self.open_texts()
                        ));
                    }
                }
                Bands::Width { width, origin } => {
                    let (first, last) = self.open_ends(*width, *origin);
                    if first.zip(last).is_some_and(|(first, last)| first > last) {
                        return Err(format!(
                            "level {level}: width {width} is too wide beside {}; remove the width",
                            self.open_texts()
                        ));
                    }
                }
            }
        }
        Ok(())
    }

    /// The open bands of the values, for messages.
    fn open_texts(&self) -> String {
        let first = self.open.first.map(|first| format!("`<{}`", first.normalize()));
        let last = self.open.last.map(|last| format!("`>={}`", last.normalize()));
        let texts: Vec<String> = first.into_iter().chain(last).collect();
        format!("the open band {} of the public table", texts.join(" or "))
    }

    /// The end of the first band and the start of the last band, if they are open, scaled.
    fn open_ends(&self, width: Decimal, origin: Decimal) -> (Option<BigInt>, Option<BigInt>) {
        let first = self.open.first.map(|first| {
            let start = band_start(first, width, origin);
            if start == scaled(first) { start } else { start + scaled(width) }
        });
        (first, self.open.last.map(|last| band_start(last, width, origin)))
    }

    /// Whether all widths, origins and cuts are integers, and all occurring bands begin at 0 or
    /// above: then bands have the form `10-19`. If the public table holds bands, its texts decide.
    fn reads_integers(&self, public: &[String], base: Level) -> bool {
        let is_integer = |value: &Decimal| value.is_integer() && *value >= Decimal::ZERO;
        let are_ends_integer = self.bands.iter().all(|band| match band {
            Bands::Width { width, origin } => width.is_integer() && origin.is_integer(),
            Bands::Cuts { cuts, .. } => cuts.iter().all(is_integer),
        });
        if !are_ends_integer || usize::from(base.0) == self.height() {
            return are_ends_integer;
        }
        if base > Level(0) {
            return public.iter().all(|text| self.parse_label(text, base).is_some());
        }
        let number = |text: &String| plain_decimal(text).or_else(|| Some(open_bound(text)?.1));
        let values: Vec<Decimal> = public.iter().filter_map(number).collect();
        let begins_at_zero = |band: &Bands| match band {
            Bands::Width { width, origin } => {
                values.iter().all(|&value| band_start(value, *width, *origin) >= BigInt::ZERO)
            }
            Bands::Cuts { .. } => true,
        };
        values.iter().all(is_integer) && self.bands.iter().all(begins_at_zero)
    }

    /// The label of a number at a level above the leaves.
    fn label(&self, value: Decimal, level: Level) -> Option<String> {
        Some(match self.bands.get(usize::from(level.0).checked_sub(1)?) {
            None => "*".to_owned(),
            Some(Bands::Width { width, origin }) => {
                let low = band_start(value, *width, *origin);
                match self.open_ends(*width, *origin) {
                    (_, Some(last)) if low >= last => format!(">={}", plain(&last)),
                    (Some(first), _) if low < first => format!("<{}", plain(&first)),
                    _ => self.between(&low, &(&low + scaled(*width))),
                }
            }
            Some(Bands::Cuts { cuts, labels }) => {
                let index = cuts.partition_point(|cut| *cut <= value);
                match labels {
                    Some(labels) => labels[index].clone(),
                    None if index == 0 => format!("<{}", cuts[0].normalize()),
                    None if index == cuts.len() => format!(">={}", cuts[index - 1].normalize()),
                    None => self.between(&scaled(cuts[index - 1]), &scaled(cuts[index])),
                }
            }
        })
    }

    /// A half-open interval as text; its ends are [`scaled`].
    fn between(&self, low: &BigInt, high: &BigInt) -> String {
        if !self.is_integer {
            return format!("[{}, {})", plain(low), plain(high));
        }
        let last = high - scaled(Decimal::ONE);
        if last == *low { plain(low) } else { format!("{}-{}", plain(low), plain(&last)) }
    }

    /// A number in the band with this label.
    fn parse_label(&self, text: &str, level: Level) -> Option<Decimal> {
        let value = match self.bands.get(usize::from(level.0).checked_sub(1)?)? {
            Bands::Width { .. } if open_bound(text).is_some() => Self::number_of_open(text)?,
            Bands::Width { .. } => {
                let plain = text.strip_prefix('[').unwrap_or(text);
                let start =
                    plain.split_once(", ").or_else(|| plain.rsplit_once('-')).map_or(plain, |parts| parts.0);
                plain_decimal(start)?
            }
            Bands::Cuts { cuts, .. } => {
                let below = std::iter::once(cuts[0].checked_sub(Decimal::ONE)?);
                let mut starts = below.chain(cuts.iter().copied());
                starts.find(|&start| self.label(start, level).as_deref() == Some(text))?
            }
        };
        (self.label(value, level)? == text).then_some(value)
    }

    /// A number in the open band with this text.
    fn number_of_open(text: &str) -> Option<Decimal> {
        match open_bound(text)? {
            (true, last) => Some(last),
            (false, first) => first.checked_sub(Decimal::ONE),
        }
    }

    /// A number with this text at this level.
    fn value(&self, text: &str, level: Level) -> Option<Decimal> {
        if level > Level(0) {
            return self.parse_label(text, level);
        }
        match open_bound(text) {
            Some((true, last)) if self.open.last == Some(last) => Some(last),
            Some((false, first)) if self.open.first == Some(first) => Self::number_of_open(text),
            Some(_) => None,
            // Beside an open band, a number inside it would be a second value of the same people.
            None => plain_decimal(text).filter(|value| self.base > Level(0) || !self.open.has(*value)),
        }
    }
}

impl HierarchyBuilder for Intervals {
    fn rule(&self, level: Level) -> Option<LevelRule> {
        let integer = |number: &Decimal| number.is_integer().then(|| i64::try_from(*number).ok())?;
        match self.bands.get(usize::from(level.0).checked_sub(1)?)? {
            Bands::Width { width, origin } => {
                Some(LevelRule::Band { width: integer(width)?, origin: integer(origin)? })
            }
            Bands::Cuts { .. } => None,
        }
    }

    fn kind(&self) -> Kind {
        Kind::Number
    }

    fn height(&self) -> usize {
        self.bands.len() + 1
    }

    fn chain(&self, text: &str, level: Level) -> Option<Vec<Arc<str>>> {
        if level == self.top() {
            return (text == "*").then(|| vec![Arc::from("*")]);
        }
        let value = self.value(text, level)?;
        let above = (level.0 + 1..=self.top().0).map(|above| self.label(value, Level(above)).map(Arc::from));
        std::iter::once(Some(Arc::from(text))).chain(above).collect()
    }

    fn remedy(&self, text: &str) -> String {
        if plain_decimal(text).is_some_and(|value| self.open.has(value)) {
            let first = self.open.first.map(|first| format!("first = {}", first.normalize()));
            let last = self.open.last.map(|last| format!("last = {}", last.normalize()));
            let keys: Vec<String> = first.into_iter().chain(last).collect();
            return format!(
                "`{text}` is inside {}; if all numbers inside it are one value, write `number = {{ {} }}` under its \
                 [[attribute]]",
                self.open_texts(),
                keys.join(", ")
            );
        }
        format!(
            "its values are numbers, such as 39 or -0.5; correct the table, or {}",
            super::builder::declare_missing(text)
        )
    }

    fn span(&self, text: &str, level: Level) -> Option<Span> {
        let value = self.value(text, level)?;
        let point = |number: &Decimal| Point::Number(number.normalize());
        match self.bands.get(usize::from(level.0).checked_sub(1)?)? {
            Bands::Width { width, origin } => {
                let end = |scaled: &BigInt| plain_decimal(&plain(scaled)).as_ref().map(point);
                let low = band_start(value, *width, *origin);
                let high = &low + scaled(*width);
                match self.open_ends(*width, *origin) {
                    (_, Some(last)) if low >= last => Some(Span { low: Some(end(&last)?), high: None }),
                    (Some(first), _) if low < first => Some(Span { low: None, high: Some(end(&first)?) }),
                    _ => Some(Span { low: Some(end(&low)?), high: Some(end(&high)?) }),
                }
            }
            Bands::Cuts { cuts, .. } => {
                let index = cuts.partition_point(|cut| *cut <= value);
                let low = index.checked_sub(1).map(|before| point(&cuts[before]));
                Some(Span { low, high: cuts.get(index).map(point) })
            }
        }
    }

    fn position(&self, text: &str, level: Level, kind: Kind) -> Option<Position> {
        match kind {
            // A number is never a date.
            Kind::Date => None,
            Kind::Number | Kind::Category if level == self.top() => Some(Position::Walk(Vec::new())),
            Kind::Number | Kind::Category => self.value(text, level).map(Position::Number),
        }
    }
}

/// The most decimal places of a number.
const PLACES: u32 = 28;

/// A number in units of its last possible decimal place. Differences and multiples of such numbers
/// are exact; a decimal with limited digits would round them.
fn scaled(value: Decimal) -> BigInt {
    BigInt::from(value.mantissa()) * BigInt::from(10).pow(PLACES - value.scale())
}

/// A scaled number as a plain decimal without redundant zeros.
fn plain(scaled: &BigInt) -> String {
    let (integer, fraction) = scaled.magnitude().div_rem(&BigInt::from(10).pow(PLACES).into_parts().1);
    let sign = if scaled < &BigInt::ZERO { "-" } else { "" };
    let fraction = format!("{:0>width$}", fraction.to_string(), width = PLACES as usize);
    match fraction.trim_end_matches('0') {
        "" => format!("{sign}{integer}"),
        fraction => format!("{sign}{integer}.{fraction}"),
    }
}

/// The lower end of the band of a value, scaled.
fn band_start(value: Decimal, width: Decimal, origin: Decimal) -> BigInt {
    let (width, origin) = (scaled(width), scaled(origin));
    (scaled(value) - &origin).div_floor(&width) * width + origin
}

fn number(written: &Spanned<Literal>, file: &str) -> Result<Decimal, String> {
    let text = literal::digits(written, file);
    plain_decimal(text)
        .ok_or_else(|| format!("`{text}` is not a plain decimal number of at most 28 digits, such as 2.5"))
}

fn widths_bands(
    widths: &[Spanned<Literal>],
    origin: Option<&Spanned<Literal>>,
    file: &str,
) -> Result<Vec<Bands>, String> {
    let widths: Vec<Decimal> = widths.iter().map(|width| number(width, file)).collect::<Result<_, _>>()?;
    let origin = origin.map(|origin| number(origin, file)).transpose()?.unwrap_or(Decimal::ZERO);
    if widths.is_empty() {
        return Err("`widths` is empty; give at least one".to_owned());
    }
    if let Some(width) = widths.iter().find(|width| **width <= Decimal::ZERO) {
        return Err(format!("width {width} is not above 0"));
    }
    let fits =
        |finer: &Decimal, width: &Decimal| width > finer && scaled(*width).is_multiple_of(&scaled(*finer));
    if let Some((finer, width)) = widths.iter().zip(&widths[1..]).find(|(finer, width)| !fits(finer, width)) {
        return Err(format!(
            "width {width} is not a multiple of {finer} before it; the bands of each level must fit into those of the next"
        ));
    }
    Ok(widths.into_iter().map(|width| Bands::Width { width, origin }).collect())
}

fn cuts_bands(levels: &[WrittenCuts], file: &str) -> Result<Vec<Bands>, String> {
    let mut bands: Vec<Bands> = Vec::with_capacity(levels.len());
    if levels.is_empty() {
        return Err("there is no `[[level]]`; give at least one".to_owned());
    }
    for (number_of_level, level) in (1..).zip(levels) {
        let cuts: Vec<Decimal> = level.cuts.iter().map(|cut| number(cut, file)).collect::<Result<_, _>>()?;
        if cuts.is_empty() {
            return Err(format!(
                "level {number_of_level} has no cuts; remove it, palmtop adds `*` at the top"
            ));
        }
        if let Some((before, cut)) = cuts.iter().zip(&cuts[1..]).find(|(before, cut)| before >= cut) {
            return Err(format!("level {number_of_level}: cut {cut} does not come after {before}"));
        }
        if let Some(Bands::Cuts { cuts: finer, .. }) = bands.last()
            && let Some(cut) = cuts.iter().find(|cut| !finer.contains(cut))
        {
            return Err(format!(
                "level {number_of_level}: cut {cut} is not a cut of level {}; a coarser level keeps some of the finer \
                     cuts",
                number_of_level - 1
            ));
        }
        if let Some(labels) = &level.labels {
            if labels.len() != cuts.len() + 1 {
                return Err(format!(
                    "level {number_of_level} has {} labels for {} cuts; expected {}",
                    labels.len(),
                    cuts.len(),
                    cuts.len() + 1
                ));
            }
            if let Some(twice) =
                labels.iter().enumerate().find(|(index, label)| labels[..*index].contains(label))
            {
                return Err(format!("level {number_of_level}: label `{}` names two bands", twice.1));
            }
            if let Some(side) = labels.iter().find(|label| reads_as_side(label).is_some()) {
                return Err(format!(
                    "level {number_of_level}: label `{side}` reads as a range or a set; rename it"
                ));
            }
        }
        bands.push(Bands::Cuts { cuts, labels: level.labels.clone() });
    }
    Ok(bands)
}
