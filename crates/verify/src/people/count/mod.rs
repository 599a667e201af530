//! Counts rows: distinct rows of texts, packed keys, and combinations of leaves with their numbers of people.
//!
//! Batches of a table enter; sorted combinations leave. Nothing here knows an attribute. Long work reports its progress and can
//! be stopped.

mod watch;
mod keys;
pub(crate) mod tally;
mod combinations;

pub(crate) use self::combinations::{Codes, Combination, Combinations, Gathered};
pub(crate) use self::keys::Fields;
pub(crate) use self::tally::{Counting, Tally, Texts, TooMany};
pub(crate) use self::watch::Rows;
pub(crate) use crate::problems::Stop;
