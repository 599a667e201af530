//! The key `levels` of an attribute: `"1-3"`, `"2"`, `"1-"`, `"-3"`.

use serde::Deserialize;

use palmtop_core::model::{Level, Levels};

/// The levels of such a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct WrittenLevels(pub(super) Levels);

impl TryFrom<String> for WrittenLevels {
    type Error = String;

    /// Reads one level, or two levels with a hyphen between them. One of the two may be missing.
    fn try_from(text: String) -> Result<Self, String> {
        let wrong = |why: &str| {
            format!(
                "invalid `levels` {text:?}: {why}expected the finest and the coarsest level that may be published, such as \"1-3\", \"1-\", \
                 \"-3\", or one level, such as \"2\""
            )
        };
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let level = |text: &str| match text.parse::<u8>() {
            _ if text.is_empty() => Ok(None),
            Ok(level) if is_number(text) => Ok(Some(Level(level))),
            _ => Err(wrong("")),
        };
        let levels = match text.split_once('-') {
            None => {
                let only = level(&text)?;
                Levels { finest: only, coarsest: only }
            }
            Some((finest, coarsest)) => Levels { finest: level(finest)?, coarsest: level(coarsest)? },
        };
        match (levels.finest, levels.coarsest) {
            (None, None) => Err(wrong("")),
            (Some(finest), Some(coarsest)) if finest > coarsest => {
                Err(wrong("the first is the coarser one; "))
            }
            _ => Ok(Self(levels)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_one_number_or_an_open_range() {
        for (text, finest, coarsest) in [
            ("2", Some(2), Some(2)),
            ("1-3", Some(1), Some(3)),
            ("1-", Some(1), None),
            ("-3", None, Some(3)),
            ("0-0", Some(0), Some(0)),
        ] {
            let WrittenLevels(read) = text.to_owned().try_into().unwrap();
            assert_eq!((read.finest, read.coarsest), (finest.map(Level), coarsest.map(Level)), "{text}");
        }
        for text in ["", "-", "3-1", "a", "1-b", "1-2-3", "+1", " 1", "1 - 3", "256"] {
            let error = WrittenLevels::try_from(text.to_owned()).unwrap_err();
            assert!(error.contains("expected the finest and the coarsest level"), "{error}");
        }
    }
}
