//! The keys of older projects, as the keys of today: the one place that knows both.
//!
//! A project file is rewritten in memory before it is read, and on disk by `palmtop check --rewrite`. Comments and the order of
//! keys stay. A value that no older project could have is left for the reader, which refuses it.

use toml_edit::{ArrayOfTables, DocumentMut, InlineTable, Item, Key, TableLike, Value};

/// A line of a project file that has older keys, and the lines of today.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OlderLines {
    /// The number of the first line, from 1.
    pub line: usize,
    /// The lines of the file.
    pub written: Vec<String>,
    /// The lines that replace them.
    pub today: Vec<String>,
}

/// The text of a project in the keys of today; `None` if it has no older key, or is not TOML.
///
/// # Errors
/// A key of today beside the older one that it replaces.
pub(super) fn rewritten(text: &str) -> Result<Option<String>, String> {
    let Ok(mut document) = text.parse::<DocumentMut>() else { return Ok(None) };
    let mut is_changed = false;
    for part in ["private", "public"] {
        if let Some(table) = document.get_mut(part).and_then(Item::as_table_like_mut) {
            is_changed |= paths(part, table)?;
            let count = table.get_mut("count").and_then(Item::as_table_like_mut);
            is_changed |= count.is_some_and(number);
        }
    }
    for table in attributes(&mut document) {
        is_changed |= attribute(table)?;
    }
    Ok(is_changed.then(|| with_comments(text, &document.to_string())))
}

/// The new text with every comment of the old one, and with its ends of lines. The comment of a table that is now a value has no
/// line there, so it begins the file.
fn with_comments(text: &str, today: &str) -> String {
    let kept: Vec<&str> = today.lines().filter_map(comment).collect();
    let lost: Vec<&str> =
        text.lines().filter_map(comment).filter(|comment| !kept.contains(comment)).collect();
    let lost = lost.iter().fold(String::new(), |lines, comment| lines + comment + "\n");
    let today = lost + today;
    if text.contains("\r\n") { today.replace("\r\n", "\n").replace('\n', "\r\n") } else { today }
}

/// The comment of a line, from its `#` on. A `#` in a string is none.
fn comment(line: &str) -> Option<&str> {
    let mut quote = None;
    let mut escapes = false;
    for (index, character) in line.char_indices() {
        match (quote, character) {
            (None, '#') => return Some(line[index..].trim_end()),
            (None, '"' | '\'') => quote = Some(character),
            (Some('"'), '\\') if !escapes => {
                escapes = true;
                continue;
            }
            (Some(open), _) if character == open && !escapes => quote = None,
            _ => {}
        }
        escapes = false;
    }
    None
}

/// The attributes, whether they are `[[attribute]]` or a list on one line.
fn attributes(document: &mut DocumentMut) -> Vec<&mut dyn TableLike> {
    match document.get_mut("attribute") {
        Some(Item::ArrayOfTables(list)) => {
            ArrayOfTables::iter_mut(list).map(|table| table as &mut dyn TableLike).collect()
        }
        Some(Item::Value(Value::Array(list))) => {
            let tables = list.iter_mut().filter_map(Value::as_inline_table_mut);
            tables.map(|table: &mut InlineTable| table as &mut dyn TableLike).collect()
        }
        _ => Vec::new(),
    }
}

/// `paths` is `path` with a list.
fn paths(part: &str, table: &mut dyn TableLike) -> Result<bool, String> {
    if !table.contains_key("paths") {
        return Ok(false);
    }
    if table.contains_key("path") {
        return Err(format!("[{part}] has both `path` and `paths`, its older name; remove one"));
    }
    let mut entries = Entries::take(table);
    entries.rename("paths", "path", None);
    entries.put(table);
    Ok(true)
}

fn attribute(table: &mut dyn TableLike) -> Result<bool, String> {
    let name = text(table, "name").unwrap_or_default();
    let shape = shape(table).map_err(|detail| format!("`{name}`: {detail}"))?;
    let undecided = undecided(table).map_err(|detail| format!("`{name}`: {detail}"))?;
    let mut has_number = number(table);
    for part in ["public", "private"] {
        has_number |= table.get_mut(part).and_then(Item::as_table_like_mut).is_some_and(number);
    }
    Ok(shape | undecided | has_number | dates(table))
}

/// `cuts`, `uncut` and `keep` are `shape`.
fn shape(table: &mut dyn TableLike) -> Result<bool, String> {
    let older: Vec<&str> =
        ["cuts", "uncut", "keep"].into_iter().filter(|key| table.contains_key(key)).collect();
    let Some(first) = older.first() else { return Ok(false) };
    if table.contains_key("shape") {
        return Err(format!("`shape` has replaced `{first}`; remove `{first}`"));
    }
    let flag = |key: &str| table.get(key).map(toml_edit::Item::as_bool);
    let (cuts, uncut, keep) = (text(table, "cuts"), flag("uncut"), flag("keep"));
    let is_known = cuts.as_deref().is_none_or(|cuts| ["values", "labels"].contains(&cuts));
    if !is_known || table.contains_key("cuts") != cuts.is_some() || [uncut, keep].contains(&Some(None)) {
        return Ok(false);
    }
    let is = |flag: Option<Option<bool>>| flag == Some(Some(true));
    let today = match cuts.as_deref() {
        Some(_) if is(uncut) => return Err("`uncut` and `cuts` exclude each other; remove one".to_owned()),
        // One level has one value in a region, so that nothing else could be cut.
        _ if is(keep) => Some("kept"),
        _ if is(uncut) => Some("whole"),
        Some("labels") => Some("labels"),
        Some(_) => Some("any"),
        None => None,
    };
    let mut entries = Entries::take(table);
    // The key that decides keeps its line; the others are removed.
    let decides = match today {
        Some("kept") => "keep",
        Some("whole") => "uncut",
        _ => "cuts",
    };
    for key in older {
        match today.filter(|_| key == decides) {
            Some(today) => entries.rename(key, "shape", Some(today.into())),
            None => entries.remove(key),
        }
    }
    entries.put(table);
    Ok(true)
}

/// `undecided = true` is `role = "undecided"`.
fn undecided(table: &mut dyn TableLike) -> Result<bool, String> {
    let Some(item) = table.get("undecided") else { return Ok(false) };
    let (Some(is_undecided), Some(role)) = (item.as_bool(), text(table, "role")) else { return Ok(false) };
    match role.as_str() {
        "undecided" => {
            return Err("`role = \"undecided\"` has replaced `undecided`; remove `undecided`".to_owned());
        }
        "sensitive" | "insensitive" => {}
        _ => return Ok(false),
    }
    let mut entries = Entries::take(table);
    entries.remove("undecided");
    if is_undecided {
        entries.rename("role", "role", Some("undecided".into()));
    }
    entries.put(table);
    Ok(true)
}

/// `number = { decimal = ",", thousands = "." }` is the example `1.234,5`.
fn number(table: &mut dyn TableLike) -> bool {
    let Some(written) = table.get("number").and_then(Item::as_table_like) else { return false };
    let is_older = written.contains_key("decimal") || written.contains_key("thousands");
    if !is_older || written.contains_key("like") {
        return false;
    }
    let known = ["decimal", "thousands", "first", "last"];
    let mark = |key: &str, other: &str| match written.get(key) {
        None => Some(other.to_owned()),
        Some(item) => item.as_str().filter(|mark| mark.chars().count() == 1).map(str::to_owned),
    };
    let (Some(decimal), Some(thousands)) = (mark("decimal", "."), mark("thousands", "")) else {
        return false;
    };
    if written.iter().any(|(key, _)| !known.contains(&key)) {
        return false;
    }
    let example = format!("1{thousands}234{decimal}5");
    let open: Vec<(&str, Value)> = ["first", "last"]
        .into_iter()
        .filter_map(|key| Some((key, written.get(key)?.as_value()?.clone())))
        .collect();
    let today = if open.is_empty() {
        Value::from(example)
    } else {
        let mut today = InlineTable::new();
        today.insert("like", example.into());
        for (key, value) in open {
            today.insert(key, value.decorated("", ""));
        }
        Value::from(fitted(today))
    };
    let mut entries = Entries::take(table);
    entries.rename("number", "number", Some(today));
    entries.put(table);
    true
}

/// An inline table with blanks between its keys.
fn fitted(mut table: InlineTable) -> InlineTable {
    table.fmt();
    table
}

/// `date` and `pivot` are one key, for both tables or for one.
fn dates(table: &mut dyn TableLike) -> bool {
    let (date, pivot) = (text(table, "date"), year(table));
    let mut is_changed = false;
    let mut uses_pivot = false;
    for part in ["public", "private"] {
        let Some(own) = table.get_mut(part).and_then(Item::as_table_like_mut) else { continue };
        let (own_date, own_pivot) = (text(own, "date"), year(own));
        let pattern = own_date.clone().or(date.clone().filter(|_| own_pivot.is_some()));
        let (Some(pattern), Some(from)) = (pattern.filter(|text| is_short(text)), own_pivot.or(pivot)) else {
            continue;
        };
        uses_pivot |= own_pivot.is_none();
        let mut entries = Entries::take(own);
        if own_date.is_some() {
            entries.remove("pivot");
            entries.rename("date", "date", Some(short_date(&pattern, from)));
        } else {
            entries.rename("pivot", "date", Some(short_date(&pattern, from)));
        }
        entries.put(own);
        is_changed = true;
    }
    let Some(from) = pivot else { return is_changed };
    let short = date.filter(|text| is_short(text));
    if short.is_none() && !uses_pivot {
        return is_changed;
    }
    let mut entries = Entries::take(table);
    entries.remove("pivot");
    if let Some(pattern) = short {
        entries.rename("date", "date", Some(short_date(&pattern, from)));
    }
    entries.put(table);
    true
}

fn short_date(pattern: &str, from: i64) -> Value {
    let mut date = InlineTable::new();
    date.insert("like", pattern.into());
    date.insert("from", from.into());
    Value::from(fitted(date))
}

/// Whether a pattern of dates has years of two digits.
fn is_short(pattern: &str) -> bool {
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        if character == '%' && characters.next() == Some('y') {
            return true;
        }
    }
    false
}

fn text(table: &dyn TableLike, key: &str) -> Option<String> {
    table.get(key).and_then(Item::as_str).map(str::to_owned)
}

fn year(table: &dyn TableLike) -> Option<i64> {
    table.get("pivot").and_then(Item::as_integer)
}

/// The keys of a table in their order. They are taken out to be changed, and put back.
struct Entries(Vec<(Key, Item)>);

impl Entries {
    fn take(table: &mut dyn TableLike) -> Self {
        let keys: Vec<Key> = table.iter().filter_map(|(key, _)| table.key(key).cloned()).collect();
        let entries = keys.into_iter().filter_map(|key| {
            let item = table.get(key.get())?.clone();
            Some((key, item))
        });
        Self(entries.collect())
    }

    fn put(self, table: &mut dyn TableLike) {
        table.clear();
        for (key, item) in self.0 {
            table.entry_format(&key).or_insert(item);
        }
    }

    /// Gives a key another name and, if there is one, another value in its line.
    fn rename(&mut self, from: &str, to: &str, today: Option<Value>) {
        let Some((key, item)) = self.0.iter_mut().find(|(key, _)| key.get() == from) else { return };
        if from != to {
            let mut renamed = Key::new(to);
            renamed.leaf_decor_mut().clone_from(key.leaf_decor());
            renamed.dotted_decor_mut().clone_from(key.dotted_decor());
            *key = renamed;
        }
        if let Some(mut today) = today {
            if let Some(value) = item.as_value() {
                today.decor_mut().clone_from(value.decor());
            }
            *item = Item::Value(today);
        }
    }

    /// Removes a key. Its comments go to the first key of the table, whose lines they follow.
    fn remove(&mut self, name: &str) {
        let Some(at) = self.0.iter().position(|(key, _)| key.get() == name) else { return };
        let (key, item) = self.0.remove(at);
        let before = key.leaf_decor().prefix().and_then(|prefix| prefix.as_str()).unwrap_or_default();
        let behind =
            item.as_value().and_then(|value| value.decor().suffix()).and_then(|suffix| suffix.as_str());
        let comments = before.lines().chain(behind.unwrap_or_default().lines());
        let comments: Vec<&str> = comments.map(str::trim).filter(|line| line.starts_with('#')).collect();
        if comments.is_empty() {
            return;
        }
        if let Some((first, _)) = self.0.first_mut() {
            let own = first.leaf_decor().prefix().and_then(|prefix| prefix.as_str()).unwrap_or_default();
            let prefix = format!("{}\n{own}", comments.join("\n"));
            first.leaf_decor_mut().set_prefix(prefix);
        }
    }
}

/// The lines in which two texts differ, each group with what replaces it.
pub(super) fn changed_lines(text: &str, today: &str) -> Vec<OlderLines> {
    let (written, today): (Vec<&str>, Vec<&str>) = (text.lines().collect(), today.lines().collect());
    let common = common_lines(&written, &today);
    let mut groups = Vec::new();
    let (mut line, mut other) = (0, 0);
    for (next, next_other) in common.into_iter().chain([(written.len(), today.len())]) {
        if line < next || other < next_other {
            let lines = |lines: &[&str]| lines.iter().map(|&line| line.to_owned()).collect();
            groups.push(OlderLines {
                line: line + 1,
                written: lines(&written[line..next]),
                today: lines(&today[other..next_other]),
            });
        }
        (line, other) = (next + 1, next_other + 1);
    }
    groups
}

/// The positions of the longest common subsequence. A rewritten file differs in few lines, so the lines before and behind them
/// are skipped.
fn common_lines(left: &[&str], right: &[&str]) -> Vec<(usize, usize)> {
    let before = left.iter().zip(right).take_while(|(left, right)| left == right).count();
    let rest = left[before..].iter().rev().zip(right[before..].iter().rev());
    let behind = rest.take_while(|(left, right)| left == right).count();
    let (inner, other) = (&left[before..left.len() - behind], &right[before..right.len() - behind]);
    let width = other.len() + 1;
    // The length of the longest common subsequence of the lines from each pair of positions on.
    let mut lengths = vec![0_u32; (inner.len() + 1) * width];
    for at in (0..inner.len()).rev() {
        for to in (0..other.len()).rev() {
            lengths[at * width + to] = if inner[at] == other[to] {
                lengths[(at + 1) * width + to + 1] + 1
            } else {
                lengths[(at + 1) * width + to].max(lengths[at * width + to + 1])
            };
        }
    }
    let mut common: Vec<(usize, usize)> = (0..before).map(|at| (at, at)).collect();
    let (mut at, mut to) = (0, 0);
    while at < inner.len() && to < other.len() {
        if inner[at] == other[to] {
            common.push((before + at, before + to));
            (at, to) = (at + 1, to + 1);
        } else if lengths[(at + 1) * width + to] >= lengths[at * width + to + 1] {
            at += 1;
        } else {
            to += 1;
        }
    }
    common.extend((1..=behind).rev().map(|back| (left.len() - back, right.len() - back)));
    common
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of an attribute of an older project, and those of today.
    const LINES: &[(&str, &str)] = &[
        ("cuts = \"labels\" # short", "shape = \"labels\" # short"),
        ("cuts = \"values\"", "shape = \"any\""),
        ("uncut = true", "shape = \"whole\""),
        ("uncut = false\ncuts = \"labels\"", "shape = \"labels\""),
        ("keep = true\nuncut = true", "shape = \"kept\""),
        ("keep = false", ""),
        ("number = { decimal = \",\" }", "number = \"1234,5\""),
        ("number = { thousands = \" \" } # blanks", "number = \"1 234.5\" # blanks"),
        (
            "number = { decimal = \",\", thousands = \".\", first = 1, last = \"90\" }",
            "number = { like = \"1.234,5\", first = 1, last = \"90\" }",
        ),
        ("public.number = { decimal = \",\" }", "public.number = \"1234,5\""),
        ("[attribute.private]\nnumber = { decimal = \",\" }", "[attribute.private]\nnumber = \"1234,5\""),
        ("number.decimal = \",\"", "number = \"1234,5\""),
        ("date = \"%d.%m.%y\"\npivot = 1926", "date = { like = \"%d.%m.%y\", from = 1926 }"),
        (
            "date = \"%d.%m.%y\"\npivot = 1926\n[attribute.public]\npivot = 1950\n[attribute.private]\ndate = \"%y%m%d\"",
            "date = { like = \"%d.%m.%y\", from = 1926 }\n[attribute.public]\ndate = { like = \"%d.%m.%y\", from = 1950 }\n\
             [attribute.private]\ndate = { like = \"%y%m%d\", from = 1926 }",
        ),
        ("pivot = 1926\nprivate.date = \"%y%m%d\"", "private.date = { like = \"%y%m%d\", from = 1926 }"),
    ];

    const HEAD: &str = "# é\n[[attribute]]\nname = \"a\"\nrole = \"quasi\"\nhierarchy = \"h.csv\"\n";
    const REST: &str = "\n# next\n[[attribute]] # b\nname = 'b'\nrole = \"quasi\"\n";

    #[test]
    fn older_lines_become_those_of_today() {
        for (older, expected) in LINES {
            let line = |lines: &str| if lines.is_empty() { String::new() } else { format!("{lines}\n") };
            let (text, expected) =
                (format!("{HEAD}{}{REST}", line(older)), format!("{HEAD}{}{REST}", line(expected)));
            assert_eq!(rewritten(&text).unwrap().as_deref(), Some(expected.as_str()), "{older}");
            assert_eq!(rewritten(&expected), Ok(None), "{older}");
        }
    }

    #[test]
    fn undecided_roles_keep_their_comments() {
        let text = "# top\n[[attribute]]\nname = \"a\"\nrole = \"sensitive\" # why\n# Nobody decided.\nundecided = true # ask\npublish = 1\n";
        let today = "# top\n[[attribute]]\n# Nobody decided.\n# ask\nname = \"a\"\nrole = \"undecided\" # why\npublish = 1\n";
        assert_eq!(rewritten(text).unwrap().as_deref(), Some(today));
        let inline = "attribute = [{ name = \"a\", role = \"insensitive\", undecided = true }, { name = \"b\", keep = true }]\n";
        let today =
            "attribute = [{ name = \"a\", role = \"undecided\"}, { name = \"b\", shape = \"kept\" }]\n";
        assert_eq!(rewritten(inline).unwrap().as_deref(), Some(today));
        let tables = "[public]\npaths = [\n  \"a.csv\", # one\n  \"b.csv\",\n]\ncount = { column = \"n\", number = { thousands = \",\" } }\n";
        let today = "[public]\npath = [\n  \"a.csv\", # one\n  \"b.csv\",\n]\ncount = { column = \"n\", number = \"1,234.5\" }\n";
        assert_eq!(rewritten(tables).unwrap().as_deref(), Some(today));
    }

    #[test]
    fn a_key_beside_its_older_one_is_refused() {
        for (lines, name) in [
            ("shape = \"any\"\nkeep = true", "remove `keep`"),
            ("uncut = true\ncuts = \"labels\"", "`uncut` and `cuts` exclude"),
        ] {
            assert!(rewritten(&format!("{HEAD}{lines}\n")).unwrap_err().contains(name), "{lines}");
        }
        let role = "[[attribute]]\nname = \"a\"\nrole = \"undecided\"\nundecided = true\n";
        assert!(rewritten(role).unwrap_err().starts_with("`a`: `role = \"undecided\"` has replaced"));
        assert!(
            rewritten("[public]\npath = \"a\"\npaths = [\"b\"]\n").unwrap_err().contains("[public] has both")
        );
        // Values that no older project had stay, and the reader refuses them.
        for lines in
            ["cuts = 3", "uncut = \"yes\"", "undecided = true", "pivot = 1926", "number = { decimal = 3 }"]
        {
            assert_eq!(rewritten(&format!("{HEAD}{lines}\n")), Ok(None), "{lines}");
        }
        assert_eq!(rewritten("[["), Ok(None));
    }

    #[test]
    fn changed_lines_are_those_that_differ() {
        let group = |line, written: &[&str], today: &[&str]| OlderLines {
            line,
            written: written.iter().map(|&line| line.to_owned()).collect(),
            today: today.iter().map(|&line| line.to_owned()).collect(),
        };
        assert_eq!(changed_lines("a\nb\nc\n", "a\nb\nc\n"), []);
        assert_eq!(
            changed_lines("a\nb\nc\nd\n", "a\nB\nc\n"),
            [group(2, &["b"], &["B"]), group(4, &["d"], &[])]
        );
        assert_eq!(
            changed_lines("a\nc\nb\n", "x\na\nc\nd\n"),
            [group(1, &[], &["x"]), group(3, &["b"], &["d"])]
        );
    }
}
