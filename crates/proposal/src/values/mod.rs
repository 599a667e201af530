//! What the texts of a column are: their kind over both tables, the form of numbers, dates and bands, and what is missing.
//!
//! Columns of both surveys and the decisions enter; readings and ambiguities leave. No table is opened here.

pub(crate) mod alone;
pub(crate) mod bands;
pub(crate) mod dates;
pub(crate) mod dirt;
pub(crate) mod labels;
pub(crate) mod numbers;
pub(crate) mod open_bands;
pub(crate) mod reading;
pub(crate) mod spelling;
pub(crate) mod spreadsheet;
pub(crate) mod texts;
