//! The different texts of a column.

use std::collections::BTreeSet;

/// The distinct texts of one table that are values, as they are spelled.
pub(crate) type Texts<'a> = BTreeSet<&'a str>;
