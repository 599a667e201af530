//! Which rows of a workbook are hidden. The library that decodes the cells does not say it, so the parts of the file are read.

use std::collections::BTreeSet;
use std::io::{Cursor, Read};

use zip::ZipArchive;

/// The hidden rows of a sheet, from 1.
pub(crate) fn hidden(ending: &str, bytes: &[u8], sheet: &str) -> Result<BTreeSet<u64>, String> {
    if ending != "xlsx" {
        return Ok(BTreeSet::new());
    }
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| error.to_string())?;
    let mut part = |name: &str| -> Result<String, String> {
        let mut text = Vec::new();
        if let Ok(file) = archive.by_name(name) {
            file.take(2 << 30).read_to_end(&mut text).map_err(|error| error.to_string())?;
        }
        Ok(String::from_utf8_lossy(&text).into_owned())
    };
    let book = part("xl/workbook.xml")?;
    let id = tags(&book, "sheet").find(|tag| value(tag, "name").is_some_and(|name| plain(name) == sheet));
    let Some(id) = id.and_then(|tag| value(tag, "id")) else { return Ok(BTreeSet::new()) };
    let links = part("xl/_rels/workbook.xml.rels")?;
    let link = tags(&links, "Relationship").find(|tag| value(tag, "Id") == Some(id));
    let Some(target) = link.and_then(|tag| value(tag, "Target")) else { return Ok(BTreeSet::new()) };
    let path = target.strip_prefix('/').map_or_else(|| format!("xl/{target}"), str::to_owned);
    let (content, mut number, mut found) = (part(&path)?, 0, BTreeSet::new());
    for tag in tags(&content, "row") {
        number = value(tag, "r").and_then(|row| row.parse().ok()).unwrap_or(number + 1);
        if value(tag, "hidden").is_some_and(|flag| flag == "1" || flag == "true") {
            found.insert(number);
        }
    }
    Ok(found)
}

/// The opening tags with a name, whatever its prefix.
fn tags<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    text.split('<').skip(1).filter_map(move |part| {
        let tag = part.split('>').next()?;
        let end =
            tag.find(|character: char| character.is_whitespace() || character == '/').unwrap_or(tag.len());
        let full = &tag[..end];
        (full == name || full.strip_suffix(name).is_some_and(|prefix| prefix.ends_with(':'))).then_some(tag)
    })
}

/// The value of an attribute of a tag, whatever the prefix of its name.
fn value<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    for quote in ['"', '\''] {
        let wanted = format!("{name}={quote}");
        for (at, _) in tag.match_indices(&wanted) {
            if tag[..at].ends_with(|before: char| before.is_whitespace() || before == ':') {
                return tag[at + wanted.len()..].split(quote).next();
            }
        }
    }
    None
}

fn plain(text: &str) -> String {
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&apos;", "'")
        .replace("&amp;", "&")
}
