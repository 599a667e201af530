//! A leaf for who has no value, in any type of hierarchy.
//!
//! It has a label of its own at each level below the top, where it is `*` as everybody is. If the file's top has a name, such as
//! `Europe`, that label means the values that the file lists, and a level `*` is added above it. In the order of values it stands
//! before all others, so that a part of numbers or dates either leaves it out and is a range, or begins with it and is written
//! as the set of it and a range: `{unknown, [18, 40]}`. No label and no other side reads so, and it says exactly who is meant.

use std::sync::Arc;

use super::builder::{HierarchyBuilder, KindReason, Order, Place};
use super::span::Span;
use palmtop_core::model::chains::Chains;
use palmtop_core::model::{Kind, Level, ModelError};

/// A hierarchy with a leaf for who has no value.
pub(super) struct WithoutValue {
    inner: Box<dyn HierarchyBuilder>,
    label: Arc<str>,
    /// Whether somebody of P has none, or will have none: else there is no such leaf.
    occurs: bool,
    /// Whether the file's top has another name than `*`.
    is_named: bool,
}

/// What everybody is, people without a value among them.
const EVERYBODY: &str = "*";

impl WithoutValue {
    /// Adds the leaf.
    ///
    /// # Errors
    /// What is wrong, where its label is a value or a label already.
    pub(super) fn new(inner: Box<dyn HierarchyBuilder>, label: &str, occurs: bool) -> Result<Self, String> {
        // Where the file lists no values, any text is one; but none that is called so is ever read as a value.
        let first = u8::from(!inner.is_listed());
        if let Some(level) = (first..=inner.top().0).find(|&level| inner.chain(label, Level(level)).is_some())
        {
            return Err(format!(
                "`{label}` is what no value is called, and a label of its level {level}; call it otherwise, such as \
                 `missing_label = \"(none)\"`"
            ));
        }
        let is_named = &*inner.top_label() != EVERYBODY;
        if is_named && label == EVERYBODY {
            return Err(format!(
                "`{label}` is what no value is called, and what everybody is at the top, which is added above `{}`; call it \
                 otherwise, such as `missing_label = \"(none)\"`",
                inner.top_label()
            ));
        }
        Ok(Self { inner, label: Arc::from(label), occurs, is_named })
    }

    /// Whether a level `*` is added.
    fn is_raised(&self) -> bool {
        self.occurs && self.is_named
    }

    /// Checks that there is a place for it above the level that P holds.
    ///
    /// # Errors
    /// What is wrong: P holds `*`, or `*` one level up would stand for nobody else there and for everybody at the top.
    pub(super) fn check_place(&self, base: Level, at_top: bool, is_of_public: bool) -> Result<(), String> {
        let (label, top) = (&self.label, self.top());
        if is_of_public && base == top {
            return Err(format!(
                "the public table holds level {base}, which is `{}` for everybody, and yet people without a value; leave out \
                 `missing`",
                self.top_label()
            ));
        }
        if at_top && top.0 - base.0 > 1 {
            return Err(format!(
                "missing_at = \"top\" would write `{top}` for who has no value at level {next}, where it is nobody else, and for \
                 everybody at level {last}; a text has one meaning, or people could match two rows: leave `missing_at` out, \
                 and they are `{label}` below the top",
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
            let own = std::iter::repeat_n(&self.label, below).cloned();
            // Under a named top, who has no value is nobody that P may have.
            return (below > 0 || self.is_named).then(|| own.chain([top()]).collect());
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
            // The file itself does not name it.
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

    fn place(&self, text: &str, level: Level, kind: Kind) -> Option<Place> {
        if text == &*self.label { Some(Place::NoValue) } else { self.inner.place(text, level, kind) }
    }
}
