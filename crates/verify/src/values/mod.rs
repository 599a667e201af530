//! Texts become values: numbers, days, counts, ratios and the notations of the project.
//!
//! A cell or a number of the project file enters. Its value leaves, exact, or `None` if the text has none; which text that was
//! and where it stands is known to the caller.

pub(crate) mod value;
mod date;
mod spelling;
mod ratio;

pub use self::date::DateNotation;
pub(crate) use self::ratio::Ratio;
pub(crate) use self::spelling::plain_number;
pub use self::spelling::{Notation, Spelling, TableNotation};
pub(crate) use self::value::{DateForm, Day, Number, days_of};
