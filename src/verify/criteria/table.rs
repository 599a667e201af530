//! What stands behind a key of `[policy]` that is a table on one line, and the numbers in it.

use num_bigint::BigUint;

/// The entries of the table that a text is; `None` where it is none, or has a key that is not among these.
pub(super) fn entries(text: &str, keys: &[&str]) -> Option<toml::Table> {
    let parsed: toml::Table = format!("criterion = {text}").parse().ok()?;
    match parsed.get("criterion") {
        Some(toml::Value::Table(own))
            if parsed.len() == 1 && own.keys().all(|key| keys.contains(&key.as_str())) =>
        {
            Some(own.clone())
        }
        _ => None,
    }
}

/// A ratio of whole numbers, the second not 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Number {
    pub(super) above: BigUint,
    pub(super) below: BigUint,
}

impl Number {
    /// A number that is written as one or as a text: `3`, `2.5`, `"5/2"`, `"20%"`.
    pub(super) fn of(value: &toml::Value) -> Option<Self> {
        match value {
            toml::Value::Integer(number) => Self::read(&number.to_string()),
            toml::Value::Float(number) => Self::read(&number.to_string()),
            toml::Value::String(text) => Self::read(text.trim()),
            _ => None,
        }
    }

    fn read(text: &str) -> Option<Self> {
        if let Some(part) = text.strip_suffix('%') {
            let Self { above, below } = Self::decimal(part.trim_end())?;
            return Some(Self { above, below: below * 100_u32 });
        }
        match text.split_once('/') {
            Some((above, below)) => {
                let (above, below) = (whole(above.trim())?, whole(below.trim())?);
                (below != BigUint::ZERO).then_some(Self { above, below })
            }
            None => Self::decimal(text),
        }
    }

    fn decimal(text: &str) -> Option<Self> {
        let (before, behind) = text.split_once('.').unwrap_or((text, ""));
        if text.ends_with('.') {
            return None;
        }
        let places = u32::try_from(behind.len()).ok()?;
        Some(Self { above: whole(&format!("{before}{behind}"))?, below: BigUint::from(10_u8).pow(places) })
    }

    /// Whether it is at least another.
    pub(super) fn is_at_least(&self, above: u64, below: u64) -> bool {
        &self.above * below >= &self.below * above
    }
}

fn whole(digits: &str) -> Option<BigUint> {
    let is_plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_plain { digits.parse().ok() } else { None }
}
