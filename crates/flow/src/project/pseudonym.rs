//! The key `pseudonym` of an identifier: what a release has in its place.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use palmtop_tables::pseudonym::{KeyedRule, PseudonymForm, PseudonymRule};

/// The key as it stands in the project file.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "expected \"new\", or { key = \"../keys/study.key\", domain = \"what they are for\" } and perhaps form = \"digits\""
)]
pub(super) enum WrittenPseudonym {
    Word(String),
    Keyed(WrittenKeyed),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenKeyed {
    key: PathBuf,
    domain: String,
    form: Option<WrittenForm>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum WrittenForm {
    Letters,
    Digits,
}

/// The most bytes of a domain.
const LONGEST_DOMAIN: usize = 200;

impl WrittenPseudonym {
    /// The rule, its key relative to a folder.
    ///
    /// # Errors
    /// What is wrong with it, and what to do.
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
                 characters; say what the pseudonyms are for: releases with the same key and domain have the same"
            ));
        }
        let form = match form {
            None | Some(WrittenForm::Letters) => PseudonymForm::Letters,
            Some(WrittenForm::Digits) => PseudonymForm::Digits,
        };
        Ok(PseudonymRule::Keyed(KeyedRule { key: folder.join(key), domain, form }))
    }
}
