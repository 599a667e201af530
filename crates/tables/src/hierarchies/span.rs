//! Parts of ordered values: from a number or a day on, up to another one.

use std::fmt;

use chrono::NaiveDate;
use rust_decimal::Decimal;

use super::plain::{first_day, plain_decimal};
use palmtop_core::model::Kind;

/// A number or a day, where a border can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Point {
    /// A number.
    Number(Decimal),
    /// A day.
    Day(NaiveDate),
}

impl Point {
    /// The point of a text: a plain decimal, or a day, a month or a year by its first day.
    pub fn parse(kind: Kind, text: &str) -> Option<Self> {
        match kind {
            Kind::Number => plain_decimal(text).map(|number| Self::Number(number.normalize())),
            Kind::Date => first_day(text).map(Self::Day),
            Kind::Category => None,
        }
    }

    /// Whether it is one of the points that can be counted: a day, or a whole number.
    pub(super) fn is_whole(self) -> bool {
        match self {
            Self::Number(number) => number.is_integer(),
            Self::Day(_) => true,
        }
    }

    /// The next one of those that can be counted.
    pub(super) fn next(self) -> Option<Self> {
        match self {
            Self::Number(number) => number.checked_add(Decimal::ONE).map(Self::Number),
            Self::Day(day) => day.succ_opt().map(Self::Day),
        }
    }

    /// The one before.
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

/// All values from a point on, up to another one that is not in it; without an end where one is missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The first point.
    pub low: Option<Point>,
    /// The first point beyond.
    pub high: Option<Point>,
}

impl Span {
    /// Whether a border lies inside.
    pub(super) fn is_cut_by(&self, border: &Point) -> bool {
        self.low.is_none_or(|low| low < *border) && self.high.is_none_or(|high| *border < high)
    }

    /// From the beginning of one to the end of another.
    pub(super) fn to(self, other: Self) -> Self {
        Self { low: self.low, high: other.high }
    }

    /// What a band is called: as a hierarchy of type `interval` calls it, a band of days by its first and last day. `whole`
    /// says that all values can be counted.
    pub(super) fn label(&self, whole: bool) -> String {
        let (low, high) = match (self.low, self.high) {
            (None, None) => return "*".to_owned(),
            (None, Some(high)) => return format!("<{high}"),
            (Some(low), None) => return format!(">={low}"),
            (Some(low), Some(high)) => (low, high),
        };
        let is_counted = whole && low.is_whole() && high.is_whole() && !low.is_below_zero();
        match high.before().filter(|_| is_counted) {
            Some(last) if last == low => low.to_string(),
            Some(last) if matches!(low, Point::Day(_)) => format!("{low} to {last}"),
            Some(last) => format!("{low}-{last}"),
            None => format!("[{low}, {high})"),
        }
    }
}
