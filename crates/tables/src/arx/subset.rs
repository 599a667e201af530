//! The research subset of an ARX project, from the serialized configuration `input/config.dat`.

use super::java::{self, Value};
use super::object::Node;

/// Reads the rows of the research subset: for each row of the table, whether it belongs to the
/// subset. `None` if the project has no subset.
///
/// # Errors
/// What is wrong with the stream, or with the number of rows.
pub(super) fn read(bytes: &[u8], rows: usize) -> Result<Option<Vec<bool>>, String> {
    let stream = java::read(bytes).map_err(|error| error.to_string())?;
    let root = Node::root(&stream);
    if root.short_class() != "ModelConfiguration" {
        return Err(format!("it has `{}`; expected `ModelConfiguration`", root.class()));
    }
    if root.field("researchSubset") == Some(Value::Null) {
        return Ok(None);
    }
    let subset = root.node("researchSubset").filter(|subset| subset.short_class() == "RowSet");
    let subset = subset.ok_or("it lacks `researchSubset`, a `RowSet`, which ARX writes")?;
    let number = |name| {
        let number = subset.whole(name).and_then(|number| usize::try_from(number).ok());
        number.ok_or_else(|| format!("the research subset lacks `{name}`, which ARX writes"))
    };
    let (length, size) = (number("length")?, number("size")?);
    let words = subset.node("array").and_then(Node::as_longs);
    let words = words.ok_or("the research subset lacks `array`, which ARX writes")?;
    if length != rows || words.len() != rows.div_ceil(64) {
        return Err(format!("the research subset is of {length} rows, but the table has {rows}"));
    }
    let is_member = |row: usize| words[row >> 6] >> (row & 63) & 1 == 1;
    let members: Vec<bool> = (0..rows).map(is_member).collect();
    let count = members.iter().filter(|is_member| **is_member).count();
    let bits: u32 = words.iter().map(|word| word.count_ones()).sum();
    if count != size || bits as usize != size {
        return Err(format!("the research subset has {bits} rows, and states {size}"));
    }
    // ARX has no subset if it has every row or none.
    Ok((0 < count && count < rows).then_some(members))
}
