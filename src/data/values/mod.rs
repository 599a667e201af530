//! Texts and what they may mean: numbers, dates, codes, words for no value, traits of persons.

pub mod literal;
pub(crate) mod telling;
pub(crate) mod shape;
pub(crate) mod personal;
pub mod reading;
pub mod written;
pub mod likeness;
pub(crate) mod guess;
