//! The meaning of texts: numbers, dates, codes, words for missing values, personal data.

pub mod literal;
pub mod look;
pub mod names;
pub mod formula;
pub mod telling;
pub mod shape;
pub mod personal;
pub mod reading;
pub mod order;
pub mod written;
pub mod same_number;
pub mod dates;
pub mod local;
pub mod likeness;
pub mod scaled;
pub(crate) mod guess;
