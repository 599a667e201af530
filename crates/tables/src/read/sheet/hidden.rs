//! The rows that a workbook hides, for instance by a filter. `calamine` does not tell them.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Cursor, Read};

use zip::ZipArchive;

use crate::source::spec::Format;

/// The most unpacked bytes of a part that are read.
const MOST_CONTENT: u64 = 2 << 30;

/// The hidden rows of a sheet, from 0; none for a format that is not read for them (.xls).
pub(super) fn rows(format: Format, bytes: &[u8], sheet: &str) -> Result<BTreeSet<u32>, String> {
    match format {
        Format::Xlsx => of_xlsx(bytes, sheet),
        _ => Ok(BTreeSet::new()),
    }
}

fn of_xlsx(bytes: &[u8], sheet: &str) -> Result<BTreeSet<u32>, String> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| error.to_string())?;
    let (mut id, mut target, mut hidden) = (None, None, BTreeSet::new());
    each_tag(&mut archive, "xl/workbook.xml", &mut |name, tag| {
        if name == "sheet" && attribute(tag, "name").as_deref() == Some(sheet) {
            id = attribute(tag, "id");
        }
    })?;
    each_tag(&mut archive, "xl/_rels/workbook.xml.rels", &mut |name, tag| {
        if name == "Relationship" && id.is_some() && attribute(tag, "Id") == id {
            target = attribute(tag, "Target");
        }
    })?;
    let Some(target) = target else { return Ok(hidden) };
    let path = target.strip_prefix('/').map_or_else(|| format!("xl/{target}"), ToOwned::to_owned);
    let mut next = 0;
    each_tag(&mut archive, &path, &mut |name, tag| {
        if name == "row" {
            let number = attribute(tag, "r").and_then(|number| number.parse::<u32>().ok());
            let row = number.and_then(|number| number.checked_sub(1)).unwrap_or(next);
            if matches!(attribute(tag, "hidden").as_deref(), Some("1" | "true")) {
                hidden.insert(row);
            }
            next = row.saturating_add(1);
        }
    })?;
    Ok(hidden)
}

/// Shows the name of each opening tag of a part, without its prefix, and the tag.
fn each_tag(
    archive: &mut ZipArchive<Cursor<&[u8]>>,
    part: &str,
    show: &mut dyn FnMut(&str, &str),
) -> Result<(), String> {
    let Ok(file) = archive.by_name(part) else { return Ok(()) };
    let mut file = BufReader::with_capacity(1 << 16, file.take(MOST_CONTENT));
    let mut piece = Vec::new();
    while file.read_until(b'>', &mut piece).map_err(|error| error.to_string())? > 0 {
        let start = piece.iter().rposition(|&byte| byte == b'<').map_or(piece.len(), |start| start + 1);
        if let Ok(tag) = std::str::from_utf8(&piece[start..]) {
            let name = tag.split([' ', '\n', '\r', '\t', '>', '/']).next().unwrap_or_default();
            show(name.rsplit(':').next().unwrap_or_default(), tag);
        }
        piece.clear();
    }
    Ok(())
}

/// The value of an attribute, by its name without a prefix.
fn attribute(tag: &str, name: &str) -> Option<String> {
    let mut rest = tag;
    loop {
        let (before, after) = rest.split_once('=')?;
        let found = before.trim_end().rsplit([' ', '\n', '\r', '\t', ':']).next().unwrap_or_default();
        let after = after.trim_start();
        let quote = after.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        let (value, next) = after[1..].split_once(quote)?;
        if found == name {
            let escapes = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
            return Some(escapes.iter().fold(value.to_owned(), |text, (from, to)| text.replace(from, to)));
        }
        rest = next;
    }
}
