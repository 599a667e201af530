//! Who is a person, and whether T is part of P: identifiers that several rows have, rows of T outside P, columns that reveal others.
//!
//! A proposal and both tables enter, in a second pass over the rows; ambiguities and counts leave.

pub(crate) mod betrayals;
pub(crate) mod identified;
pub(crate) mod meeting;
pub(crate) mod persons;
