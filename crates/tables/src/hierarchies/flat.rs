//! Flat hierarchies: value, then `*`.

use std::sync::Arc;

use serde::Deserialize;

use super::builder::{HierarchyBuilder, KindReason, Position, position_of_text};
use super::plain::is_unpadded;
use super::plain::plain_decimal;
use palmtop_core::model::{Kind, Level};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FlatFile {
    /// Already read; declared so that serde does not refuse the key as unknown.
    #[serde(rename = "type")]
    _type: String,
}

/// A flat hierarchy over the values of a public table.
pub(super) struct Flat {
    reason: KindReason,
}

impl Flat {
    /// The values are numbers if all of P's values are numbers without leading zeros, as in a CSV
    /// hierarchy.
    pub(super) fn new(_: &FlatFile, public: &[String], base: Level) -> Self {
        let is_number = |text: &String| is_unpadded(text) && plain_decimal(text).is_some();
        let are_numbers = base == Level(0) && public.iter().all(is_number);
        Self { reason: if are_numbers { KindReason::Numbers } else { KindReason::NotNumbers } }
    }
}

impl HierarchyBuilder for Flat {
    fn kind(&self) -> Kind {
        if self.reason == KindReason::Numbers { Kind::Number } else { Kind::Category }
    }

    fn reason(&self) -> KindReason {
        self.reason
    }

    fn height(&self) -> usize {
        1
    }

    fn chain(&self, text: &str, level: Level) -> Option<Vec<Arc<str>>> {
        let star = || Arc::from("*");
        if level == self.top() {
            return (text == "*").then(|| vec![star()]);
        }
        Some(vec![Arc::from(text), star()])
    }

    fn remedy(&self, _text: &str) -> String {
        "its level 1 is `*` alone; correct the table, or `public_level`".to_owned()
    }

    fn position(&self, text: &str, level: Level, kind: Kind) -> Option<Position> {
        if level == self.top() {
            return Some(Position::Walk(Vec::new()));
        }
        position_of_text(text, kind, Position::Text(text.to_owned()))
    }
}
