//! The verdict on a release: its classes, their presence, the other criteria, the limits, and what of T is not in it.
//!
//! The written file enters, with the [`People`](crate::people::People) that were counted without it. [`Findings`] leave, or the
//! [`Matched`] release for those who measure it further. Nothing here reads a raw table.

mod suppression;
mod criteria;
mod rules;
mod read_column;
mod seen;
mod classes;
pub(crate) mod in_people;
mod findings;
mod matched;

pub(crate) use self::classes::Classes;
pub use self::classes::ReleasedRow;
pub use self::criteria::Outcome;
pub use self::findings::{ATTACKER, Findings, attacker};
pub(crate) use self::matched::matched;
pub use self::matched::{
    DenotedText, DenotedTexts, Matched, MatchedCombination, MatchedCombinations, ReleasedPerson,
};
pub(crate) use self::rules::Rules;
pub(crate) use self::suppression::Allowed;
