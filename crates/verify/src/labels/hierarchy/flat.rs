//! Flat hierarchies with two levels: the values, and `*`.

use super::built::{Key, LabelRule};
use super::settings::Settings;
use crate::problems::VerifyError;
use crate::values::{Day, Number};
use palmtop_terms::Kind;

/// A flat hierarchy.
pub(super) struct Flat {
    kind: Kind,
}

/// Reads a flat hierarchy. Its kind is number if all values of P at level 0 are numbers without leading zeros.
pub(super) fn read(settings: &Settings, public: &[String], base: u8) -> Result<Flat, VerifyError> {
    settings.only(&["type"])?;
    let odd = public.iter().find(|text| Number::is_padded(text) || Number::read(text).is_none());
    let kind = if base > 0 || odd.is_some() { Kind::Category } else { Kind::Number };
    Ok(Flat { kind })
}

impl LabelRule for Flat {
    fn kind(&self) -> Kind {
        self.kind
    }

    fn top(&self) -> u8 {
        1
    }

    fn generalize(&self, text: &str, from: u8, to: u8) -> Option<String> {
        match (from, to) {
            (0, 0) => Some(text.to_owned()),
            (0, _) => Some("*".to_owned()),
            _ => (text == "*").then(|| text.to_owned()),
        }
    }

    fn key(&self, text: &str, level: u8, kind: Kind) -> Option<Key> {
        match kind {
            _ if level > 0 => Some(Key::Top),
            Kind::Number => Number::read(text).map(Key::Number),
            Kind::Date => Day::read(text).map(Key::Day),
            Kind::Category => Some(Key::Text(text.to_owned())),
        }
    }
}
