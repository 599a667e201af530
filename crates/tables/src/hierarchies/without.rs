//! A leaf for missing values, in any type of hierarchy.
//!
//! This leaf has its own label at each level below the top; at the top it is `*` like all values.
//! If the file's top has another name, such as `Europe`, that label means the values of the file,
//! and a level `*` is added above it. In the order of values the leaf comes first. So a part of
//! numbers or dates either excludes it and is a range, or begins with it and is written as a set of
//! it and a range: `{unknown, [18, 40]}`. No other label or side has this form, so its meaning is
//! exact.

use std::sync::Arc;

use super::builder::{HierarchyBuilder, KindReason, Order, Position};
use super::span::Span;
use palmtop_core::model::chains::Chains;
use palmtop_core::model::{Kind, Level, ModelError};

/// A hierarchy with a leaf for missing values.
pub(super) struct WithoutValue {
    inner: Box<dyn HierarchyBuilder>,
    label: Arc<str>,
    /// Whether a value of P is missing, or will be; if not, there is no such leaf.
    occurs: bool,
    /// Whether the file's top has another name than `*`.
    is_named: bool,
}

/// The label of everyone at the top, including people with a missing value.
const EVERYBODY: &str = "*";

impl WithoutValue {
    /// Adds the leaf.
    ///
    /// # Errors
    /// The reason, if the label is already a value or a label.
    pub(super) fn new(inner: Box<dyn HierarchyBuilder>, label: &str, occurs: bool) -> Result<Self, String> {
        // If the file lists no values, any text is a value. But no text equal to this label is ever
        // read as a value.
        let first = u8::from(!inner.is_listed());
        if let Some(level) = (first..=inner.top().0).find(|&level| inner.chain(label, Level(level)).is_some())
        {
            return Err(format!(
                "the label for missing values, `{label}`, is already a label of level {level}; choose another one, such as \
                 `missing_label = \"(none)\"`"
            ));
        }
        let is_named = &*inner.top_label() != EVERYBODY;
        if is_named && label == EVERYBODY {
            return Err(format!(
                "the label for missing values, `{label}`, is also the label of the top that is added above `{}`; choose another \
                 one, such as `missing_label = \"(none)\"`",
                inner.top_label()
            ));
        }
        Ok(Self { inner, label: Arc::from(label), occurs, is_named })
    }

    /// Whether a level `*` is added above the file's top.
    fn is_raised(&self) -> bool {
        self.occurs && self.is_named
    }

    /// Checks that missing values have a level above the one that P holds.
    ///
    /// # Errors
    /// The reason: P holds `*`, or `*` one level up would mean missing values there and everyone at
    /// the top.
    pub(super) fn check_position(&self, base: Level, at_top: bool, is_of_public: bool) -> Result<(), String> {
        let (label, top) = (&self.label, self.top());
        if is_of_public && base == top {
            return Err(format!(
                "the public table holds level {base}, which is `{}` for everyone, and cannot have missing values; leave out \
                 `missing`",
                self.top_label()
            ));
        }
        if at_top && top.0 - base.0 > 1 {
            return Err(format!(
                "missing_at = \"top\" would write `{top}` for missing values at level {next} and for everyone at level {last}; one \
                 text with two meanings would let a person match two rows: leave `missing_at` out, and missing values are \
                 `{label}` below the top",
                top = self.top_label(),
                next = base.0 + 1,
                last = top,
            ));
        }
        Ok(())
    }
}

impl HierarchyBuilder for WithoutValue {
    fn kind(&self) -> Kind {
        self.inner.kind()
    }

    fn reason(&self) -> KindReason {
        self.inner.reason()
    }

    fn height(&self) -> usize {
        self.inner.height() + usize::from(self.is_raised())
    }

    fn chain(&self, text: &str, level: Level) -> Option<Vec<Arc<str>>> {
        let top = || Arc::from(EVERYBODY);
        if text == &*self.label {
            let below = usize::from(self.top().0.checked_sub(level.0)?);
            let labels = std::iter::repeat_n(&self.label, below).cloned();
            // Below a named top, P has nobody with a missing value.
            return (below > 0 || self.is_named).then(|| labels.chain([top()]).collect());
        }
        if !self.is_raised() {
            return self.inner.chain(text, level);
        }
        if level == self.top() {
            return (text == EVERYBODY).then(|| vec![top()]);
        }
        let mut chain = self.inner.chain(text, level)?;
        chain.push(top());
        Some(chain)
    }

    fn listed(&self, level: Level) -> Option<Vec<String>> {
        let mut listed = self.inner.listed(level)?;
        if self.occurs && level < self.top() {
            listed.push(self.label.to_string());
        }
        Some(listed)
    }

    fn all(&self, level: Level, order: Order) -> Option<Result<Chains<'_>, ModelError>> {
        let all = self.inner.all(level, order)?;
        Some(all.map(|mut chains| {
            if self.is_raised() {
                chains.add_top(EVERYBODY);
            }
            // The file itself does not name this leaf.
            if self.occurs && level < self.top() && order != Order::File {
                chains.add_first(&self.label);
            }
            chains
        }))
    }

    fn named_leaves(&self) -> Option<Vec<String>> {
        self.inner.named_leaves()
    }

    fn top_label(&self) -> Arc<str> {
        if self.is_raised() { Arc::from(EVERYBODY) } else { self.inner.top_label() }
    }

    fn remedy(&self, text: &str) -> String {
        self.inner.remedy(text)
    }

    fn span(&self, text: &str, level: Level) -> Option<Span> {
        self.inner.span(text, level)
    }

    fn position(&self, text: &str, level: Level, kind: Kind) -> Option<Position> {
        if text == &*self.label { Some(Position::NoValue) } else { self.inner.position(text, level, kind) }
    }
}
