//! Numbers that a column writes in several ways, such as `250` and `250.0`. They may be one value or several codes, so the project
//! has to say which.

use std::collections::{BTreeMap, BTreeSet};

use crate::problems::VerifyError;
use crate::read::{Location, Table};
use crate::values::{Spelling, TableNotation, plain_number};
use palmtop_terms::words::short;

/// A column of a table, and how its texts are read.
pub(crate) struct Column<'a> {
    pub(crate) table: &'a Table,
    pub(crate) index: usize,
    pub(crate) notation: &'a TableNotation,
    /// The values, after reading.
    pub(crate) values: &'a [String],
}

/// Checks that no two values of the columns are the same number.
///
/// # Errors
/// The first two such values, with their positions.
pub(crate) fn check(attribute: &str, spelling: &Spelling, columns: &[Column]) -> Result<(), VerifyError> {
    let values = || columns.iter().flat_map(|column| column.values);
    // Fast path: most columns have no number with a redundant sign or zero.
    let may_be_odd = |text: &str| text.starts_with(['+', '-', '0', '\u{2212}']) || text.contains('.');
    let is_odd = |text: &String| may_be_odd(text) && plain_number(text).is_some_and(|number| number != *text);
    if !values().any(is_odd) {
        return Ok(());
    }
    let mut by_number: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for value in values() {
        if let Some(number) = plain_number(value) {
            by_number.entry(number).or_default().insert(value);
        }
    }
    let Some(same) = by_number.into_values().find(|values| values.len() > 1) else { return Ok(()) };
    let mut found: BTreeMap<&str, (Location, &Column)> = BTreeMap::new();
    for column in columns {
        column.table.visit(&[column.index], &mut |location, texts| {
            if let Ok(value) = spelling.value(column.notation, texts[0])
                && let Some(value) = same.get(value.as_str())
            {
                found.entry(value).or_insert((location, column));
            }
            Ok(())
        })?;
    }
    let named = found.iter().map(|(value, (location, column))| {
        let file = column.table.file(*location).display();
        format!("`{}` ({file}, {})", short(value), location.position)
    });
    let named: Vec<String> = named.collect();
    let Some((location, column)) = found.into_values().next() else { return Ok(()) };
    let name = &column.table.columns[column.index];
    let problem = format!("{} are the same number: codes or numbers?", named.join(" and "));
    Err(column
        .table
        .error_at(location, name, &problem)
        .remedy(format!(
            "write `kind = \"category\"` under [[attribute]] `{attribute}` if they are codes, or \
             `number = \"1234.5\"` if they are numbers"
        ))
        .into())
}
