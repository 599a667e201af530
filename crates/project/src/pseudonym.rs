//! The key `pseudonym` of an identifier: the rule that replaces its values.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::keys::{Key, Keyed};
use crate::{keys, values};

use palmtop_tables::pseudonym::{KeyedRule, PseudonymForm, PseudonymRule};

/// The key as it is written in the project file.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "expected \"new\", or { key = \"../keys/study.key\", domain = \"what they are for\" } and perhaps form = \"digits\""
)]
pub(super) enum WrittenPseudonym {
    Word(String),
    Keyed(WrittenKeyed),
}

keys! {
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenKeyed {
    /// The file of the key.
    key: PathBuf,
    /// What the pseudonyms are for, so that other data get others.
    domain: String,
    /// `"letters"` (the default) or `"digits"`.
    form: Option<WrittenForm>,
}
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum WrittenForm {
    Letters,
    Digits,
}

values!(WrittenForm);

/// A pseudonym is a word, or a table with these keys.
impl Keyed for WrittenPseudonym {
    fn keys() -> Vec<Key> {
        WrittenKeyed::keys()
    }
}

/// The greatest number of bytes of a domain.
const LONGEST_DOMAIN: usize = 200;

impl WrittenPseudonym {
    /// Checks the rule. The path of its key is relative to `folder`.
    ///
    /// # Errors
    /// A description of the problem, with the remedy.
    pub(super) fn settle(self, folder: &Path) -> Result<PseudonymRule, String> {
        let WrittenKeyed { key, domain, form } = match self {
            Self::Word(word) if word == "new" => return Ok(PseudonymRule::New),
            Self::Word(word) => {
                return Err(format!(
                    "`pseudonym = {word:?}`: expected \"new\", or {{ key = …, domain = … }}"
                ));
            }
            Self::Keyed(keyed) => keyed,
        };
        if domain.is_empty() || domain.len() > LONGEST_DOMAIN || domain.chars().any(char::is_control) {
            return Err(format!(
                "`domain` of `pseudonym` is {domain:?}, expected a text of 1 to {LONGEST_DOMAIN} bytes without control \
                 characters; name the purpose of the pseudonyms: releases with the same key and domain have the same pseudonyms"
            ));
        }
        let form = match form {
            None | Some(WrittenForm::Letters) => PseudonymForm::Letters,
            Some(WrittenForm::Digits) => PseudonymForm::Digits,
        };
        Ok(PseudonymRule::Keyed(KeyedRule { key: folder.join(key), domain, form }))
    }
}
