//! Pseudonyms: what a release has in place of an identifier.
//!
//! New ones are drawn for each export and nothing is kept that they follow from; keyed ones follow from the value, a key that
//! only the project's owner has, and a domain, so that releases of one key and domain have the same. No pseudonym follows
//! from where a row stands, and none is given to two values.

mod key;
mod keyed;
mod digits;
mod fresh;

use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};

pub use self::key::{Key, KeyError};

/// How the pseudonyms of an identifier are made, as the project says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PseudonymRule {
    /// Drawn anew for each export.
    New,
    /// By a key.
    Keyed(KeyedRule),
}

/// How the pseudonyms of an identifier follow from its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyedRule {
    /// The file that holds the key.
    pub key: PathBuf,
    /// What they are for: another domain gives other pseudonyms by the same key.
    pub domain: String,
    /// Their form.
    pub form: PseudonymForm,
}

/// The form of a keyed pseudonym.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PseudonymForm {
    /// 26 of the letters a to z and the digits 2 to 7: 128 bits (HMAC-SHA-256, cut off).
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

    /// What is said of the key and the domain, where there are any.
    pub fn keyed(&self) -> Option<&KeyedRule> {
        match self {
            Self::New => None,
            Self::Keyed(keyed) => Some(keyed),
        }
    }

    /// Whether pseudonyms have the lengths of their values.
    pub fn keeps_length(&self) -> bool {
        self.keyed().is_some_and(|keyed| keyed.form == PseudonymForm::Digits)
    }
}

/// Why a value gets no pseudonym; its text says what to do, and no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// There is no value.
    #[error("there is no value, and a pseudonym stands for one; fill it in, or leave out `pseudonym`")]
    Blank,
    /// The value is none of digits alone, of which there are enough and not too many.
    #[error(
        "expected {least} to {most} digits and nothing else, for `form = \"digits\"`; leave out `form`",
        least = DIGITS.0,
        most = DIGITS.1
    )]
    NotDigits,
    /// It has another length than those before.
    #[error(
        "{found} digits, but {expected} in the rows before: a pseudonym of as many digits would tell these people from \
         others; fill up with zeros, or leave out `form`"
    )]
    Length {
        /// Its digits.
        found: usize,
        /// Theirs.
        expected: usize,
    },
    /// The pseudonym is the value.
    #[error("its pseudonym would be the value itself; take another `domain`, or leave out `form`")]
    Itself,
    /// The pseudonym was given before.
    #[error(
        "its pseudonym was given to another row; give each person a value of their own, and export again"
    )]
    Given,
    /// The operating system gives no random numbers.
    #[error("the operating system gives no random numbers for new pseudonyms; export again")]
    NoRandomness,
}

/// The least and the most digits that FF1 takes here: with fewer, all values could be tried (SP 800-38G Rev. 1).
pub const DIGITS: (usize, usize) = (6, 30);

/// Gives pseudonyms for one column of one export.
#[derive(Debug)]
pub struct Pseudonymizer {
    maker: Maker,
    /// The length of the values, where pseudonyms keep it and there was one.
    length: Option<usize>,
    given: FxHashSet<String>,
    /// What each value has got, where several rows may have a value.
    shared: Option<FxHashMap<String, String>>,
}

#[derive(Debug)]
enum Maker {
    New(fresh::Fresh),
    Letters { key: Key, domain: String },
    Digits(Box<digits::Digits>),
}

impl Pseudonymizer {
    /// By a rule; a key is read, and must lie outside `folder`.
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

    /// The same for values of which each may stand in several rows: these get one pseudonym.
    #[must_use]
    pub fn sharing(self) -> Self {
        Self { shared: Some(FxHashMap::default()), ..self }
    }

    /// The pseudonym of a value; of one that nobody had before, unless rows [share](Self::sharing) values.
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

/// Whether a value is of digits, as many as those before.
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
    fn rows_that_share_a_value_share_its_pseudonym_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let own = || Pseudonymizer::new(&PseudonymRule::New, folder.path()).unwrap();
        let mut shared = own().sharing();
        let mut give = |value: &str| shared.give(value).unwrap();
        let (first, other, again) = (give("a"), give("b"), give("a"));
        assert!(first == again && first != other);
        assert_eq!(shared.give(""), Err(Unfit::Blank));
        let mut apart = own();
        assert_ne!(apart.give("a").unwrap(), apart.give("a").unwrap());
    }

    #[test]
    fn new_pseudonyms_are_others_each_time_and_follow_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let draw = || {
            let mut own = Pseudonymizer::new(&PseudonymRule::New, folder.path()).unwrap();
            (0..1000).map(|value| own.give(&value.to_string()).unwrap()).collect::<Vec<_>>()
        };
        let (one, other) = (draw(), draw());
        assert!(one.iter().all(|own| own.len() == 26 && !other.contains(own)));
        let distinct: FxHashSet<&String> = one.iter().collect();
        assert_eq!(distinct.len(), 1000);
        // In the order of their values about half of all neighbours are in order: 1000 draws stray 20 from that at most rarely.
        let ascending = one.windows(2).filter(|pair| pair[0] < pair[1]).count();
        assert!((400..600).contains(&ascending), "{ascending}");
    }

    #[test]
    fn what_gets_no_pseudonym_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let mut own = Pseudonymizer::new(&PseudonymRule::New, folder.path()).unwrap();
        assert_eq!(own.give(""), Err(Unfit::Blank));
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
            "expected 6 to 30 digits and nothing else, for `form = \"digits\"`; leave out `form`"
        );
        assert_eq!(
            Unfit::Length { found: 6, expected: 7 }.to_string(),
            "6 digits, but 7 in the rows before: a pseudonym of as many digits would tell these people from others; fill up \
             with zeros, or leave out `form`"
        );
    }
}
