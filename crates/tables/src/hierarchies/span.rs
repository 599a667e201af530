//! Ranges of ordered values.

use std::fmt;

use chrono::NaiveDate;
use rust_decimal::Decimal;

use super::plain::{first_day, plain_decimal};
use palmtop_core::model::Kind;

/// A number or a date at which a border can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Point {
    /// A number.
    Number(Decimal),
    /// A day.
    Day(NaiveDate),
}

impl Point {
    /// The point of a text: a plain decimal, or the first day of a date, a month or a year.
    pub fn parse(kind: Kind, text: &str) -> Option<Self> {
        match kind {
            Kind::Number => plain_decimal(text).map(|number| Self::Number(number.normalize())),
            Kind::Date => first_day(text).map(Self::Day),
            Kind::Category => None,
        }
    }

    /// Whether the point can be counted: a date or an integer.
    pub(super) fn is_integer(self) -> bool {
        match self {
            Self::Number(number) => number.is_integer(),
            Self::Day(_) => true,
        }
    }

    /// The next point that can be counted.
    pub(super) fn next(self) -> Option<Self> {
        match self {
            Self::Number(number) => number.checked_add(Decimal::ONE).map(Self::Number),
            Self::Day(day) => day.succ_opt().map(Self::Day),
        }
    }

    /// The previous point that can be counted.
    fn before(self) -> Option<Self> {
        match self {
            Self::Number(number) => number.checked_sub(Decimal::ONE).map(Self::Number),
            Self::Day(day) => day.pred_opt().map(Self::Day),
        }
    }

    fn is_below_zero(self) -> bool {
        matches!(self, Self::Number(number) if number < Decimal::ZERO)
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.normalize().fmt(f),
            Self::Day(day) => day.fmt(f),
        }
    }
}

/// All values from a point up to, but not including, another one; a missing end is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The first point in the range.
    pub low: Option<Point>,
    /// The first point after the range.
    pub high: Option<Point>,
}

impl Span {
    /// Whether a border is inside the range.
    pub(super) fn is_cut_by(&self, border: &Point) -> bool {
        self.low.is_none_or(|low| low < *border) && self.high.is_none_or(|high| *border < high)
    }

    /// From the start of this range to the end of another one.
    pub(super) fn to(self, other: Self) -> Self {
        Self { low: self.low, high: other.high }
    }

    /// The name of a band: as in a hierarchy of type `interval`; a band of dates by its first and
    /// last date. `is_integer` is true if all values can be counted.
    pub(super) fn label(&self, is_integer: bool) -> String {
        let (low, high) = match (self.low, self.high) {
            (None, None) => return "*".to_owned(),
            (None, Some(high)) => return format!("<{high}"),
            (Some(low), None) => return format!(">={low}"),
            (Some(low), Some(high)) => (low, high),
        };
        let is_counted = is_integer && low.is_integer() && high.is_integer() && !low.is_below_zero();
        match high.before().filter(|_| is_counted) {
            Some(last) if last == low => low.to_string(),
            Some(last) if matches!(low, Point::Day(_)) => format!("{low} to {last}"),
            Some(last) => format!("{low}-{last}"),
            None => format!("[{low}, {high})"),
        }
    }
}
