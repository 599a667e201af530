//! What is measured of a release: a line for each measure, a column for each release.

use palmtop::columns::{Table, Value};
use serde_json::Value as Json;

use palmtop_console::output;

/// A measured release: its measures, details and JSON.
pub(super) trait MeasuredRelease {
    /// Its name: a node, a strategy or a file.
    fn name(&self) -> &str;

    /// Its measures. All releases have the same.
    fn measures(&self) -> Vec<(String, Value)>;

    /// Whether the table for people has a measure. It has a line if one release wants it.
    fn is_listed(&self, _measure: &str, _value: &Value) -> bool {
        true
    }

    /// The details below the table for people.
    fn details(&self) -> String;

    /// The release as JSON.
    fn object(&self) -> Json;
}

/// The table of the listed measures, then the details of each release.
pub(super) fn text<R: MeasuredRelease>(releases: &[&R]) -> String {
    let names = releases.iter().map(|release| release.name().to_owned()).collect();
    let measures = releases.iter().map(|release| Some(release.measures())).collect();
    let mut table = table_of(names, vec![measures]);
    table.rows.retain(|row| {
        let name = row[0].to_cell();
        releases.iter().zip(&row[1..]).any(|(release, value)| release.is_listed(&name, value))
    });
    releases.iter().fold(output::to_table(&table), |text, release| text + &release.details())
}

/// The measures of a release; `None` if they are unknown.
pub(super) type Measures = Option<Vec<(String, Value)>>;

/// A line for each measure of each part, and a column for each release.
pub(super) fn table_of(names: Vec<String>, parts: Vec<Vec<Measures>>) -> Table {
    let rows = parts.into_iter().flat_map(|releases| {
        let known = releases.iter().flatten().next().cloned().unwrap_or_default();
        let row = |(index, (name, _)): (usize, (String, Value))| {
            let value = |release: &Measures| {
                release.as_ref().map_or(Value::None, |measures| measures[index].1.clone())
            };
            std::iter::once(Value::Text(name)).chain(releases.iter().map(value)).collect::<Vec<_>>()
        };
        known.into_iter().enumerate().map(row).collect::<Vec<_>>()
    });
    let rows: Vec<Vec<Value>> = rows.collect();
    let first = Table::of_texts(["measure"], rows.iter().map(|row| [row[0].clone()]));
    names
        .into_iter()
        .enumerate()
        .fold(first, |table, (index, name)| table.with(name, rows.iter().map(|row| row[index + 1].clone())))
}

/// The releases as JSON.
pub(super) fn objects<R: MeasuredRelease>(releases: &[&R]) -> Json {
    releases.iter().map(|release| release.object()).collect()
}
