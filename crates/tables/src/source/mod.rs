//! Files of a table: their names, how their bytes are packed and encoded, which form a CSV file must have (`form`), and which
//! rows a project leaves out (`rows`).

pub mod position;
pub(super) mod encoding;
pub(crate) mod watch;
pub mod input;
pub(super) mod packing;
pub(super) mod file_id;
pub mod pattern;
pub mod identity;
pub(super) mod rows;
pub(super) mod spec;
pub(super) mod stamp;
pub mod form;
