//! What every type of hierarchy can say of values and labels.

use std::borrow::Cow;
use std::sync::Arc;

use chrono::NaiveDate;
use rust_decimal::Decimal;

use super::plain::{day, plain_decimal};
use super::span::Span;
use palmtop_core::model::chains::Chains;
use palmtop_core::model::size;
use palmtop_core::model::{Kind, Level, ModelError};
use palmtop_core::text::toml_string;

/// How a label follows from a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LevelRule {
    /// It is the value.
    Value,
    /// It is `*` for all.
    Top,
    /// The code with some of its characters hidden.
    Mask {
        /// How many characters a code has.
        length: usize,
        /// How many of them are hidden.
        hidden: usize,
        /// Whether these are the last ones; else the first.
        hides_end: bool,
        /// What stands in place of each.
        character: char,
    },
    /// Bands of whole numbers of one width, `10-19`: from `origin + n · width` to below the next.
    Band {
        /// The width, at least 1.
        width: i64,
        /// Where a band begins.
        origin: i64,
    },
    /// The month of a date, `2024-03`.
    Month,
    /// The quarter of a date, `2024-Q1`.
    Quarter,
    /// The year of a date, `2024`.
    Year,
    /// The decade of a date, `2020s`.
    Decade,
    /// A list: each value with its label.
    List(Vec<(String, String)>),
}

/// Why an attribute's values were taken for numbers, dates or categories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KindReason {
    /// The project says so.
    Project,
    /// The type of the hierarchy, such as `interval`, is for such values.
    Type,
    /// Every value of the file is a number, and those of each label are neighbours.
    Numbers,
    /// Not every value of the file is a plain number.
    NotNumbers,
    /// The values are numbers, but some label has numbers that are no neighbours: codes, of which a range would mean nothing.
    Codes,
}

impl KindReason {
    /// The reason in a few words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Project => "as the project says",
            Self::Type => "by the type of its hierarchy",
            Self::Numbers => "numbers, grouped with their neighbours",
            Self::NotNumbers => "not all values are plain numbers",
            Self::Codes => "numbers grouped with others than their neighbours: codes",
        }
    }
}

/// A value's place in the order of values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// Of who has no value: before all others.
    NoValue,
    Number(Decimal),
    Day(NaiveDate),
    Text(String),
    /// Positions of first appearance, from the top of the hierarchy down.
    Walk(Vec<usize>),
}

/// In which order a hierarchy gives all its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    File,
    Values(Kind),
}

/// How a type of hierarchy generalizes a value.
pub(super) trait HierarchyBuilder {
    /// What its values are unless the project says otherwise.
    fn kind(&self) -> Kind;
    /// Why that.
    fn reason(&self) -> KindReason {
        KindReason::Type
    }
    /// How many levels it has above level 0; [`read`] checks that they are possible before anything else is asked.
    fn height(&self) -> usize;
    /// Its coarsest level.
    fn top(&self) -> Level {
        Level(size::steps(self.height()))
    }
    /// The labels of a text of `level`, from that level to the top; `None` for a text that this level does not have.
    fn chain(&self, text: &str, level: Level) -> Option<Vec<Arc<str>>>;
    /// The label at a coarser level of a text of `level`.
    fn label(&self, text: &str, level: Level, above: Level) -> Option<Cow<'_, str>> {
        let label = self.chain(text, level)?.into_iter().nth(usize::from(above.0 - level.0))?;
        Some(Cow::Owned(label.to_string()))
    }
    /// Every text of a level, where the file lists them all; else the tables say what occurs.
    fn listed(&self, _level: Level) -> Option<Vec<String>> {
        None
    }
    /// Whether the file lists every value of level 0.
    fn is_listed(&self) -> bool {
        self.listed(Level(0)).is_some()
    }
    /// The [chains](Self::chain) of all that a level [lists](Self::listed), in the order of their [places](Self::place) as
    /// values of `kind`, or in the order of the file; `None` if they are to be asked for one by one.
    fn all(&self, _level: Level, _order: Order) -> Option<Result<Chains<'_>, ModelError>> {
        None
    }
    /// The finest values that the file itself names, where it names any: what its labels mean is checked over all of them.
    fn named_leaves(&self) -> Option<Vec<String>> {
        None
    }
    /// The label of its coarsest level.
    fn top_label(&self) -> Arc<str> {
        Arc::from("*")
    }
    /// What to do about a value that it cannot place, such as the line to write for it.
    fn remedy(&self, text: &str) -> String;
    /// What a label of ordered values holds, where it follows from a rule.
    fn span(&self, _text: &str, _level: Level) -> Option<Span> {
        None
    }
    /// How the labels of a level between the values and the top follow from the values, if a rule says so.
    fn rule(&self, _level: Level) -> Option<LevelRule> {
        None
    }
    /// The place of a text of `level` in the order of values of `kind`.
    fn place(&self, text: &str, level: Level, kind: Kind) -> Option<Place>;
}

/// The place of a text that stands for itself.
pub(super) fn own_place(text: &str, kind: Kind, category: Place) -> Option<Place> {
    match kind {
        Kind::Number => plain_decimal(text).map(Place::Number),
        Kind::Date => day(text).map(Place::Day),
        Kind::Category => Some(category),
    }
}

/// The rest of a remedy: what to write if a text means no value.
pub(super) fn declare_missing(text: &str) -> String {
    format!("write `missing = [{}]` under its [[attribute]] if that means no value", toml_string(text))
}
