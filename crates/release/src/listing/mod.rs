//! Lists of a release's classes: columns, filters and orders.

pub mod column;
pub mod ranking;
pub mod filter;
pub mod order;
mod cover;
mod name;

pub use column::{Cell, CellKind, Column, Figure};
pub use filter::{Filter, FilterError};
pub use name::NameError;
pub use order::{Key, Order};
pub use ranking::{Ranking, Summary};
