//! Pseudonyms: the texts that replace an identifier in a release.
//!
//! New pseudonyms are drawn for each export, and nothing from which they follow is kept. Keyed ones
//! follow from the value, a domain, and a key that only the project's owner has. So releases with
//! the same key and domain have the same pseudonyms. No pseudonym depends on the position of a row,
//! and no two values get the same one.

pub(crate) mod key;
mod keyed;
mod digits;
mod fresh;

use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};

pub use self::key::{Key, KeyError};

/// The project's rule for the pseudonyms of an identifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PseudonymRule {
    /// Drawn anew for each export.
    New,
    /// Computed with a key.
    Keyed(KeyedRule),
}

/// The settings of keyed pseudonyms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyedRule {
    /// The file of the key.
    pub key: PathBuf,
    /// The purpose of the pseudonyms: another domain gives other pseudonyms with the same key.
    pub domain: String,
    /// The form of the pseudonyms.
    pub form: PseudonymForm,
}

/// The form of a keyed pseudonym.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PseudonymForm {
    /// 26 letters a to z and digits 2 to 7: 128 bits of HMAC-SHA-256.
    Letters,
    /// As many digits as the value has (FF1, NIST SP 800-38G).
    Digits,
}

impl PseudonymRule {
    /// The word in reports: `new`, `keyed`, `keyed digits`.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Keyed(KeyedRule { form: PseudonymForm::Letters, .. }) => "keyed",
            Self::Keyed(KeyedRule { form: PseudonymForm::Digits, .. }) => "keyed digits",
        }
    }

    /// The key and the domain, if the rule has them.
    pub fn keyed(&self) -> Option<&KeyedRule> {
        match self {
            Self::New => None,
            Self::Keyed(keyed) => Some(keyed),
        }
    }

    /// Whether a pseudonym has the length of its value.
    pub fn keeps_length(&self) -> bool {
        self.keyed().is_some_and(|keyed| keyed.form == PseudonymForm::Digits)
    }
}

/// The reason why a value has no pseudonym. The message has the remedy, but never the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// The cell is blank.
    #[error("the cell is blank and cannot have a pseudonym; fill it in, or leave out `pseudonym`")]
    Blank,
    /// The value has other characters than digits, or too few or too many digits.
    #[error(
        "expected {least} to {most} digits only, for `form = \"digits\"`; leave out `form`",
        least = DIGITS.0,
        most = DIGITS.1
    )]
    NotDigits,
    /// The value has another length than the values before.
    #[error(
        "{found} digits, but {expected} in the rows before: the length of the pseudonym would single these people out; \
         pad with zeros, or leave out `form`"
    )]
    Length {
        /// The number of its digits.
        found: usize,
        /// The number of digits of the values before.
        expected: usize,
    },
    /// The pseudonym equals the value.
    #[error("its pseudonym would be the value itself; take another `domain`, or leave out `form`")]
    Itself,
    /// Another row got the same pseudonym.
    #[error("another row has the same pseudonym; give each person a distinct value, and export again")]
    Given,
    /// The operating system provides no random numbers.
    #[error("the operating system provides no random numbers for new pseudonyms; export again")]
    NoRandomness,
}

/// The fewest and the most digits for FF1: with fewer, an attacker could try all values (SP 800-38G
/// Rev. 1).
pub const DIGITS: (usize, usize) = (6, 30);

/// Gives the pseudonyms of one column in one export.
#[derive(Debug)]
pub struct Pseudonymizer {
    maker: Maker,
    /// The length of the values, if pseudonyms keep it and there was a value.
    length: Option<usize>,
    given: FxHashSet<String>,
    /// The pseudonym of each value, if several rows may share a value.
    shared: Option<FxHashMap<String, String>>,
}

#[derive(Debug)]
enum Maker {
    New(fresh::Fresh),
    Letters { key: Key, domain: String },
    Digits(Box<digits::Digits>),
}

impl Pseudonymizer {
    /// Prepares a rule; reads its key, which must be outside `folder`.
    ///
    /// # Errors
    /// [`KeyError`]
    pub fn new(rule: &PseudonymRule, folder: &Path) -> Result<Self, KeyError> {
        let maker = match rule {
            PseudonymRule::New => Maker::New(fresh::Fresh::default()),
            PseudonymRule::Keyed(KeyedRule { key, domain, form }) => {
                let key = Key::read(key, folder)?;
                match form {
                    PseudonymForm::Letters => Maker::Letters { key, domain: domain.clone() },
                    PseudonymForm::Digits => Maker::Digits(Box::new(digits::Digits::new(&key, domain))),
                }
            }
        };
        Ok(Self { maker, length: None, given: FxHashSet::default(), shared: None })
    }

    /// Allows several rows with the same value; they get the same pseudonym.
    #[must_use]
    pub fn sharing(self) -> Self {
        Self { shared: Some(FxHashMap::default()), ..self }
    }

    /// The pseudonym of a value. The value must be new, unless rows [share](Self::sharing) values.
    ///
    /// # Errors
    /// [`Unfit`]
    pub fn give(&mut self, value: &str) -> Result<String, Unfit> {
        if let Some(known) = self.shared.as_ref().and_then(|shared| shared.get(value)) {
            return Ok(known.clone());
        }
        let made = self.make(value)?;
        if let Some(shared) = &mut self.shared {
            shared.insert(value.to_owned(), made.clone());
        }
        Ok(made)
    }

    fn make(&mut self, value: &str) -> Result<String, Unfit> {
        if value.is_empty() {
            return Err(Unfit::Blank);
        }
        let made = match &mut self.maker {
            Maker::New(fresh) => fresh.draw().ok_or(Unfit::NoRandomness)?,
            Maker::Letters { key, domain } => keyed::letters(key, domain, value),
            Maker::Digits(digits) => {
                check_length(value, &mut self.length)?;
                digits.encrypt(value).ok_or(Unfit::NotDigits)?
            }
        };
        if made == value {
            return Err(Unfit::Itself);
        }
        if self.given.insert(made.clone()) { Ok(made) } else { Err(Unfit::Given) }
    }
}

/// Checks that a value has only digits, and as many as the values before.
///
/// # Errors
/// [`Unfit`]
pub fn check_length(value: &str, length: &mut Option<usize>) -> Result<(), Unfit> {
    let is_possible = (DIGITS.0..=DIGITS.1).contains(&value.len());
    if !is_possible || !value.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Unfit::NotDigits);
    }
    let (found, expected) = (value.len(), *length.get_or_insert(value.len()));
    if found == expected { Ok(()) } else { Err(Unfit::Length { found, expected }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_a_pseudonym_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let new = || Pseudonymizer::new(&PseudonymRule::New, folder.path()).unwrap();
        let mut shared = new().sharing();
        let mut give = |value: &str| shared.give(value).unwrap();
        let (first, other, again) = (give("a"), give("b"), give("a"));
        assert!(first == again && first != other);
        assert_eq!(shared.give(""), Err(Unfit::Blank));
        let mut apart = new();
        assert_ne!(apart.give("a").unwrap(), apart.give("a").unwrap());
    }

    #[test]
    fn new_pseudonyms_differ_each_time_and_follow_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let draw = || {
            let mut pseudonyms = Pseudonymizer::new(&PseudonymRule::New, folder.path()).unwrap();
            (0..1000).map(|value| pseudonyms.give(&value.to_string()).unwrap()).collect::<Vec<_>>()
        };
        let (one, other) = (draw(), draw());
        assert!(one.iter().all(|text| text.len() == 26 && !other.contains(text)));
        let distinct: FxHashSet<&String> = one.iter().collect();
        assert_eq!(distinct.len(), 1000);
        // If pseudonyms followed the order of values, nearly all neighbours would be ascending;
        // random ones are within 20 of half of 1000.
        let ascending = one.windows(2).filter(|pair| pair[0] < pair[1]).count();
        assert!((400..600).contains(&ascending), "{ascending}");
    }

    #[test]
    fn what_gets_no_pseudonym_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let mut pseudonyms = Pseudonymizer::new(&PseudonymRule::New, folder.path()).unwrap();
        assert_eq!(pseudonyms.give(""), Err(Unfit::Blank));
        let mut length = None;
        for (value, expected) in [
            ("12345", Err(Unfit::NotDigits)),
            ("1234567", Ok(())),
            ("123456", Err(Unfit::Length { found: 6, expected: 7 })),
            ("12345x7", Err(Unfit::NotDigits)),
            ("٣٣٣٣٣٣٣", Err(Unfit::NotDigits)),
            ("0000000", Ok(())),
        ] {
            assert_eq!(check_length(value, &mut length), expected, "{value}");
        }
        assert_eq!(check_length(&"1".repeat(31), &mut None), Err(Unfit::NotDigits));
        assert_eq!(
            Unfit::NotDigits.to_string(),
            "expected 6 to 30 digits only, for `form = \"digits\"`; leave out `form`"
        );
        assert_eq!(
            Unfit::Length { found: 6, expected: 7 }.to_string(),
            "6 digits, but 7 in the rows before: the length of the pseudonym would single these people out; \
             pad with zeros, or leave out `form`"
        );
    }
}
