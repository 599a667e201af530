//! Pseudonyms in place of an identifier, recounted: those by a key are computed once more from T, so that they are compared
//! as any value that is published unchanged; of new ones nothing is known but what they must not be.
//!
//! A text of 26 letters is nobody's identifier by chance, so one that is an identifier is refused. Of few digits some are: a
//! pseudonym of digits may be another person's number. It is compared with what the key makes of T, class by class, and no
//! value is its own pseudonym.

mod hmac;
mod ff1;

use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};

use super::error::VerifyError;
use super::file;
use super::finding::{Finding, Problems};
use super::table::{Spot, Table};
use super::tally::Tally;

/// How the pseudonyms of an identifier are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PseudonymSpec {
    /// Anew for each export.
    New,
    /// By a key.
    Keyed {
        /// The file that holds the key.
        key: PathBuf,
        /// What they are for.
        domain: String,
        /// Whether they are digits, as many as the value has.
        are_digits: bool,
    },
}

/// A column of a release that has pseudonyms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pseudonymized {
    /// The column.
    pub column: String,
    /// How they are made: `new`, `keyed`, `keyed digits`.
    pub made: &'static str,
}

/// What is known of a column of pseudonyms before the release is read.
#[derive(Debug)]
pub(super) struct Pseudonyms {
    pub(super) column: String,
    pub(super) spec: PseudonymSpec,
    /// The identifier's values in T, and in P where it has the column.
    identifiers: FxHashSet<String>,
    /// What the key makes of T's; empty where there is none.
    keyed: FxHashSet<String>,
    /// As many digits as the values have, where pseudonyms keep that.
    digits: Option<usize>,
    /// Whether rows share them, where a person has several rows.
    pub(super) are_shared: bool,
}

impl Pseudonyms {
    /// Looks at the identifier in T, and in each column of P that has it: nobody may be without a value of his own, which rows share where
    /// a person has several.
    pub(super) fn read(
        (column, spec): (&str, &PseudonymSpec),
        are_shared: bool,
        tables: &[(&Table, usize)],
    ) -> Result<Self, VerifyError> {
        let are_digits = matches!(spec, PseudonymSpec::Keyed { are_digits: true, .. });
        let mut identifiers = FxHashSet::default();
        // Those of T, which is the last.
        let mut digits = None;
        for (table, place) in tables {
            digits = None;
            let mut own: FxHashSet<String> = FxHashSet::default();
            let refused = |spot: Spot, why: &'static str| VerifyError::NoPseudonym {
                path: table.file(spot).to_owned(),
                place: spot.place,
                column: table.columns[*place].clone(),
                why,
            };
            table.visit(&[*place], &mut |spot, texts| {
                let value = texts[0];
                if value.is_empty() {
                    return Err(refused(spot, "there is no identifier, and a pseudonym stands for one"));
                }
                if are_digits {
                    let length = value.len();
                    if !(6..=30).contains(&length) || !value.bytes().all(|byte| byte.is_ascii_digit()) {
                        return Err(refused(spot, "not 6 to 30 digits, which `form = \"digits\"` needs"));
                    }
                    if *digits.get_or_insert(length) != length {
                        return Err(refused(
                            spot,
                            "not as many digits as others have, which a pseudonym of digits would tell",
                        ));
                    }
                }
                if own.insert(value.to_owned()) || are_shared {
                    Ok(())
                } else {
                    Err(refused(spot, "the identifier occurs twice, which pseudonyms would tell"))
                }
            })?;
            identifiers.extend(own);
        }
        let column = column.to_owned();
        Ok(Self { column, spec: spec.clone(), identifiers, keyed: FxHashSet::default(), digits, are_shared })
    }

    /// Replaces T's identifiers, a column of its tally, by what the key makes of them.
    pub(super) fn apply(&mut self, private: &mut Tally, column: usize) -> Result<(), VerifyError> {
        let PseudonymSpec::Keyed { key: path, domain, are_digits } = &self.spec else { return Ok(()) };
        let key = read_key(path)?;
        let digits = Ff1Key::of(&key, domain);
        let made = |value: &str| {
            if *are_digits { digits.encrypt(value) } else { Some(letters(&key, domain, value)) }
        };
        let spelt = private.spell(column, |value| {
            made(value).filter(|made| made != value).ok_or_else(|| "another value than itself".to_owned())
        });
        spelt.map_err(|_| VerifyError::OwnPseudonym { column: self.column.clone() })?;
        self.keyed = private.distinct(column).into_iter().collect();
        Ok(())
    }

    /// Whether a text can be a pseudonym here; `seen` are those of the rows above.
    pub(super) fn check(
        &self,
        (line, text): (u64, &str),
        seen: &mut FxHashMap<String, u64>,
        problems: &mut Problems,
    ) {
        let (column, value) = (|| self.column.clone(), || text.to_owned());
        let expected = match self.digits {
            Some(digits) => {
                let is_one = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
                (!is_one).then(|| format!("{digits} digits"))
            }
            None => (!is_letters(text)).then(|| "26 of a to z and 2 to 7".to_owned()),
        };
        if self.digits.is_none() && self.identifiers.contains(text) {
            problems.push(Finding::RawIdentifier { line, column: column(), value: value() });
        } else if let Some(expected) = expected {
            problems.push(Finding::NoPseudonym { line, column: column(), value: value(), expected });
        } else if !self.keyed.is_empty() && !self.keyed.contains(text) {
            problems.push(Finding::ForeignPseudonym { line, column: column(), value: value() });
        }
        if let Some(first) = seen.insert(text.to_owned(), line).filter(|_| !self.are_shared) {
            problems.push(Finding::RepeatedPseudonym { line, column: column(), first });
        }
    }

    pub(super) fn told(&self) -> Pseudonymized {
        let made = match &self.spec {
            PseudonymSpec::New => "new",
            PseudonymSpec::Keyed { are_digits: false, .. } => "keyed",
            PseudonymSpec::Keyed { are_digits: true, .. } => "keyed digits",
        };
        Pseudonymized { column: self.column.clone(), made }
    }
}

/// The letters and digits of a pseudonym, each of five bits.
const LETTERS: &str = "abcdefghijklmnopqrstuvwxyz234567";

/// Whether a text is 128 bits, five a character; the last has three, and two that are nothing.
fn is_letters(text: &str) -> bool {
    let is_whole = |last: char| LETTERS.find(last).is_some_and(|bits| bits % 4 == 0);
    text.len() == 26
        && text.chars().all(|own| LETTERS.contains(own))
        && text.chars().last().is_some_and(is_whole)
}

/// The first 128 bits of an HMAC, five a character.
fn letters(key: &[u8], domain: &str, value: &str) -> String {
    let message = ["palmtop pseudonym 1", domain, value].join("\0");
    let mac = hmac::hmac_sha256(key, message.as_bytes());
    let bits = |place: usize| (place < 128) && mac[place / 8] >> (7 - place % 8) & 1 == 1;
    let character = |nth: usize| {
        let number = (0..5).fold(0, |number, bit| 2 * number + usize::from(bits(5 * nth + bit)));
        char::from(LETTERS.as_bytes()[number])
    };
    (0..26).map(character).collect()
}

/// What digits are encrypted with.
struct Ff1Key {
    key: [u8; 32],
    tweak: Vec<u8>,
}

impl Ff1Key {
    fn of(key: &[u8], domain: &str) -> Self {
        Self { key: hmac::hmac_sha256(key, b"palmtop digits 1"), tweak: domain.as_bytes().to_vec() }
    }

    fn encrypt(&self, digits: &str) -> Option<String> {
        ff1::encrypt(&self.key, &self.tweak, digits)
    }
}

/// The bytes of a key, as they stand in its file.
fn read_key(path: &Path) -> Result<Vec<u8>, VerifyError> {
    let bytes = file::read(path, 4096).map_err(|source| match source {
        VerifyError::Io { path, source } => VerifyError::NoKey { path, source },
        other => other,
    })?;
    if bytes.len() < 32 {
        return Err(VerifyError::ShortKey { path: path.to_owned(), bytes: bytes.len() });
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pseudonyms_are_what_others_compute_for_them() {
        let key: Vec<u8> = (0..32).collect();
        let made = letters(&key, "chest clinic", "C-0001");
        assert_eq!(made, "izouf6hzu3ph7lzeedci47oj7m");
        assert!(is_letters(&made));
        for odd in [
            "",
            "izouf6hzu3ph7lzeedci47oj7",
            "izouf6hzu3ph7lzeedci47oj7n",
            "Izouf6hzu3ph7lzeedci47oj7m",
            "C-0001",
        ] {
            assert!(!is_letters(odd), "{odd}");
        }
    }
}
