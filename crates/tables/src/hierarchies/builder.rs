//! The interface of all types of hierarchy: their values and labels.

use std::borrow::Cow;
use std::sync::Arc;

use chrono::NaiveDate;
use rust_decimal::Decimal;

use super::plain::{day, plain_decimal};
use super::span::Span;
use crate::values::literal::toml_string;
use palmtop_core::model::chains::Chains;
use palmtop_core::model::size;
use palmtop_core::model::{Kind, Level, ModelError};

/// How a label is computed from a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LevelRule {
    /// The value itself.
    Value,
    /// `*` for all values.
    Top,
    /// A code with some characters hidden.
    Mask {
        /// The number of characters of a code.
        length: usize,
        /// The number of hidden characters.
        hidden: usize,
        /// Whether the last characters are hidden; if not, the first.
        hides_end: bool,
        /// The character that replaces each hidden one.
        character: char,
    },
    /// Bands of integers of equal width, such as `10-19`: from `origin + n · width` to below the
    /// next one.
    Band {
        /// The width, at least 1.
        width: i64,
        /// The start of one band.
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

/// The reason why values are read as numbers, dates or categories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KindReason {
    /// The project sets the kind.
    Project,
    /// The type of the hierarchy, such as `interval`, has values of this kind.
    Type,
    /// All values of the file are numbers, and those of each label are neighbours.
    Numbers,
    /// Some value of the file is not a plain number.
    NotNumbers,
    /// The values are numbers, but some label joins numbers that are not neighbours: codes, for
    /// which a range has no meaning.
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
            Self::Codes => "codes: numbers that are not grouped with their neighbours",
        }
    }
}

/// The position of a value in the order of values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Position {
    /// A missing value: before all others.
    NoValue,
    Number(Decimal),
    Day(NaiveDate),
    Text(String),
    /// Positions of first appearance, from the top of the hierarchy down.
    Walk(Vec<usize>),
}

/// The order in which a hierarchy returns its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    File,
    Values(Kind),
}

/// How a type of hierarchy generalizes a value.
pub(super) trait HierarchyBuilder {
    /// The kind of its values, unless the project sets another one.
    fn kind(&self) -> Kind;
    /// The reason for this kind.
    fn reason(&self) -> KindReason {
        KindReason::Type
    }
    /// The number of levels above level 0; [`read`] checks the limit before it calls anything else.
    fn height(&self) -> usize;
    /// Its coarsest level.
    fn top(&self) -> Level {
        Level(size::steps(self.height()))
    }
    /// The labels of a text of `level`, from that level to the top; `None` if the level has no such
    /// text.
    fn chain(&self, text: &str, level: Level) -> Option<Vec<Arc<str>>>;
    /// The label at a coarser level of a text of `level`.
    fn label(&self, text: &str, level: Level, above: Level) -> Option<Cow<'_, str>> {
        let label = self.chain(text, level)?.into_iter().nth(usize::from(above.0 - level.0))?;
        Some(Cow::Owned(label.to_string()))
    }
    /// Every text of a level, if the file lists them; if not, the tables determine the texts.
    fn listed(&self, _level: Level) -> Option<Vec<String>> {
        None
    }
    /// Whether the file lists every value of level 0.
    fn is_listed(&self) -> bool {
        self.listed(Level(0)).is_some()
    }
    /// The [chains](Self::chain) of all texts that a level [lists](Self::listed), sorted by their
    /// [positions](Self::position) as values of `kind`, or in the order of the file. `None` if the
    /// caller must ask for each.
    fn all(&self, _level: Level, _order: Order) -> Option<Result<Chains<'_>, ModelError>> {
        None
    }
    /// The finest values that the file names, if it names any: its labels are checked over all of
    /// them.
    fn named_leaves(&self) -> Option<Vec<String>> {
        None
    }
    /// The label of its coarsest level.
    fn top_label(&self) -> Arc<str> {
        Arc::from("*")
    }
    /// The advice for a value that it does not have, such as the line to write.
    fn remedy(&self, text: &str) -> String;
    /// The range of values of an ordered label, if a rule determines it.
    fn span(&self, _text: &str, _level: Level) -> Option<Span> {
        None
    }
    /// The rule for the labels of a level between values and top, if there is one.
    fn rule(&self, _level: Level) -> Option<LevelRule> {
        None
    }
    /// The position of a text of `level` in the order of values of `kind`.
    fn position(&self, text: &str, level: Level, kind: Kind) -> Option<Position>;
}

/// The position of a text that is its own value.
pub(super) fn position_of_text(text: &str, kind: Kind, category: Position) -> Option<Position> {
    match kind {
        Kind::Number => plain_decimal(text).map(Position::Number),
        Kind::Date => day(text).map(Position::Day),
        Kind::Category => Some(category),
    }
}

/// The end of the advice: what to write if the text means a missing value.
pub(super) fn declare_missing(text: &str) -> String {
    format!("write `missing = [{}]` under its [[attribute]] if that means a missing value", toml_string(text))
}
