//! Texts and what they may mean: numbers, dates, codes, words for no value, traits of persons.

pub mod literal;
pub mod telling;
pub mod shape;
pub mod personal;
pub mod reading;
pub mod written;
pub mod likeness;
pub(crate) mod guess;
