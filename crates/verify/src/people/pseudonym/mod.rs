//! Checks the pseudonyms that replace an identifier.
//!
//! Pseudonyms made by a key are computed again from T and compared like a column that is published unchanged. New pseudonyms
//! are checked for their form, for repetition and against the identifiers.
//!
//! A pseudonym of 26 characters equals no identifier by chance, so one that equals an identifier is refused. A pseudonym of
//! digits may equal the number of another person. It is compared with the pseudonyms of T in each class, and no value may be its
//! own pseudonym.

mod hmac;
mod ff1;

use std::io;
use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};

use super::count::Tally;
use crate::problems::{Cell, Finding, FindingKind, Problems, VerifyError};
use crate::read::text::file;
use crate::read::{Location, Table};
use palmtop_terms::LocatedError;
use palmtop_terms::words::plural;

/// The method that makes the pseudonyms of an identifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PseudonymSpec {
    /// New random pseudonyms for each export.
    New,
    /// Pseudonyms computed from the identifiers with a key.
    Keyed {
        /// The file with the key.
        key: PathBuf,
        /// The purpose, which is part of the computation: other domains give other pseudonyms.
        domain: String,
        /// Whether a pseudonym has digits only, as many as its identifier.
        are_digits: bool,
    },
}

/// A column of a release with pseudonyms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pseudonymized {
    /// The name of the column.
    pub column: String,
    /// The method: `new`, `keyed` or `keyed digits`.
    pub made: &'static str,
}

/// The expected content of a column of pseudonyms.
#[derive(Debug)]
pub(crate) struct Pseudonyms {
    pub(crate) column: String,
    pub(crate) spec: PseudonymSpec,
    /// The identifiers in T, and in P if P has the column.
    identifiers: FxHashSet<String>,
    /// The pseudonyms that the key makes of T's identifiers. Empty without a key.
    keyed: FxHashSet<String>,
    /// The number of digits, if pseudonyms are digits.
    digits: Option<usize>,
    /// Whether the rows of a person share a pseudonym.
    pub(crate) are_shared: bool,
}

impl Pseudonyms {
    /// Reads the identifiers of P and T, and checks them: no identifier is empty, and none occurs twice in a table unless rows of
    /// a person share it. `tables` are the columns to read; the last is T's.
    pub(crate) fn read(
        column: &str,
        spec: &PseudonymSpec,
        are_shared: bool,
        tables: &[(&Table, usize)],
    ) -> Result<Self, VerifyError> {
        let are_digits = matches!(spec, PseudonymSpec::Keyed { are_digits: true, .. });
        let mut identifiers = FxHashSet::default();
        // After the loop: the number of digits in T.
        let mut digits = None;
        for (table, column) in tables {
            digits = None;
            let mut known: FxHashSet<String> = FxHashSet::default();
            let refused = |location: Location, why: &str| {
                let remedy = "remove `pseudonym`, or give every person an identifier of the same form";
                table.error_at(location, &table.columns[*column], why).remedy(remedy).into()
            };
            table.visit(&[*column], &mut |location, texts| {
                let value = texts[0];
                if value.is_empty() {
                    return Err(refused(location, "there is no identifier, so no pseudonym can be made"));
                }
                if are_digits {
                    let length = value.len();
                    if !(6..=30).contains(&length) || !value.bytes().all(|byte| byte.is_ascii_digit()) {
                        return Err(refused(location, "the identifier does not have 6 to 30 digits, as `form = \"digits\"` requires"));
                    }
                    if *digits.get_or_insert(length) != length {
                        return Err(refused(
                            location,
                            "the identifier differs in its number of digits, which the pseudonym would reveal",
                        ));
                    }
                }
                if known.insert(value.to_owned()) || are_shared {
                    Ok(())
                } else {
                    Err(refused(location, "the identifier occurs twice, which the pseudonyms would reveal"))
                }
            })?;
            identifiers.extend(known);
        }
        let column = column.to_owned();
        Ok(Self { column, spec: spec.clone(), identifiers, keyed: FxHashSet::default(), digits, are_shared })
    }

    /// Replaces T's identifiers, a column of its tally, by the pseudonyms that the key makes.
    pub(crate) fn apply(&mut self, private: &mut Tally, column: usize) -> Result<(), VerifyError> {
        let PseudonymSpec::Keyed { key: path, domain, are_digits } = &self.spec else { return Ok(()) };
        let key = read_key(path)?;
        let digits = Ff1Key::of(&key, domain);
        let made = |value: &str| {
            if *are_digits { digits.encrypt(value) } else { Some(letters(&key, domain, value)) }
        };
        let spelt = private.spell(column, |value| {
            made(value)
                .filter(|made| made != value)
                .ok_or_else(|| "a value other than the identifier".to_owned())
        });
        spelt.map_err(|_| {
            let same = LocatedError::new("the key maps some value to itself").at_column(&self.column);
            same.remedy("use another `domain`")
        })?;
        self.keyed = private.distinct(column).into_iter().collect();
        Ok(())
    }

    /// Checks that a text can be a pseudonym of this column. `seen` contains the pseudonyms of the rows above with their lines.
    pub(crate) fn check(
        &self,
        line: u64,
        text: &str,
        seen: &mut FxHashMap<String, u64>,
        problems: &mut Problems,
    ) {
        let cell = Cell { line, column: &self.column, text };
        let expected = match self.digits {
            Some(digits) => {
                let is_one = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
                (!is_one).then(|| format!("{digits} digits"))
            }
            None => (!is_letters(text)).then(|| "26 characters from a to z and 2 to 7".to_owned()),
        };
        if self.digits.is_none() && self.identifiers.contains(text) {
            let problem = "an identifier, expected a pseudonym";
            problems.push(Finding::in_cell(FindingKind::RawIdentifier, cell, problem));
        } else if let Some(expected) = expected {
            let problem = format!("not a pseudonym, expected {expected}");
            problems.push(Finding::in_cell(FindingKind::NoPseudonym, cell, problem));
        } else if !self.keyed.is_empty() && !self.keyed.contains(text) {
            let problem = "the key makes this pseudonym of no identifier in T";
            problems.push(Finding::in_cell(FindingKind::ForeignPseudonym, cell, problem));
        }
        if let Some(first) = seen.insert(text.to_owned(), line).filter(|_| !self.are_shared) {
            let problem =
                format!("the same pseudonym as in line {first}, expected a different one in each row");
            problems.push(Finding::in_column(FindingKind::RepeatedPseudonym, line, &self.column, problem));
        }
    }

    /// The column and its method, for the findings.
    pub(crate) fn describe(&self) -> Pseudonymized {
        let made = match &self.spec {
            PseudonymSpec::New => "new",
            PseudonymSpec::Keyed { are_digits: false, .. } => "keyed",
            PseudonymSpec::Keyed { are_digits: true, .. } => "keyed digits",
        };
        Pseudonymized { column: self.column.clone(), made }
    }
}

/// The characters of a pseudonym, five bits each.
const LETTERS: &str = "abcdefghijklmnopqrstuvwxyz234567";

/// Whether a text encodes 128 bits with five bits per character. The last character has three bits; its low two are 0.
fn is_letters(text: &str) -> bool {
    let has_three_bits = |last: char| LETTERS.find(last).is_some_and(|bits| bits % 4 == 0);
    text.len() == 26
        && text.chars().all(|character| LETTERS.contains(character))
        && text.chars().last().is_some_and(has_three_bits)
}

/// The first 128 bits of an HMAC, five bits per character.
fn letters(key: &[u8], domain: &str, value: &str) -> String {
    let message = ["palmtop pseudonym 1", domain, value].join("\0");
    let mac = hmac::hmac_sha256(key, message.as_bytes());
    let bit = |index: usize| (index < 128) && mac[index / 8] >> (7 - index % 8) & 1 == 1;
    let character = |nth: usize| {
        let number = (0..5).fold(0, |number, offset| 2 * number + usize::from(bit(5 * nth + offset)));
        char::from(LETTERS.as_bytes()[number])
    };
    (0..26).map(character).collect()
}

/// The key and the tweak for pseudonyms of digits.
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

/// The bytes of a key file.
fn read_key(path: &Path) -> Result<Vec<u8>, VerifyError> {
    let bytes = file::read(path, 4096).map_err(|error| match error {
        VerifyError::Located(error) if error.cause::<io::Error>().is_some() => error
            .in_named("cannot read key", path)
            .remedy("put the key that made the pseudonyms there")
            .into(),
        error => error,
    })?;
    if bytes.len() < 32 {
        return Err(LocatedError::new(format!("the key has {}", plural(bytes.len() as u64, "byte")))
            .in_named("key", path)
            .expected("at least 32")
            .remedy("name the key that made the pseudonyms")
            .into());
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
