//! The names and versions of the driver and the database.

use adbc_core::options::InfoCode;
use adbc_core::sync::Connection as _;
use adbc_driver_manager::ManagedConnection;
use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch};

/// The names and versions of the driver and the database, as far as they are known.
pub(super) fn info(connection: &ManagedConnection) -> (String, String) {
    let text = |code: InfoCode| -> String {
        let codes = std::collections::HashSet::from([code]);
        let Ok(reader) = connection.get_info(Some(codes)) else { return String::new() };
        let found = reader.flatten().find_map(|batch| first_text(&batch));
        found.unwrap_or_default()
    };
    let both =
        |name: InfoCode, version: InfoCode| format!("{} {}", text(name), text(version)).trim().to_owned();
    (both(InfoCode::DriverName, InfoCode::DriverVersion), both(InfoCode::VendorName, InfoCode::VendorVersion))
}

/// The first text in a driver's information, which is a union of texts and numbers.
fn first_text(batch: &RecordBatch) -> Option<String> {
    let values = batch.column_by_name("info_value")?.as_any().downcast_ref::<arrow_array::UnionArray>()?;
    if values.is_empty() {
        return None;
    }
    let value = values.value(0);
    value.as_string_opt::<i32>().filter(|texts| !texts.is_empty()).map(|texts| texts.value(0).to_owned())
}
