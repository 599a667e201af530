//! The leaves that a published text denotes: those of a label, of a range `[low, high]`, or of a set `{a, b}`.

use super::hierarchy::Hierarchy;
use super::leaves::{Leaf, Leaves};

/// The leaves that a published text denotes.
///
/// # Errors
/// The text that was expected, without any value.
pub(super) fn leaves(hierarchy: &Hierarchy, text: &str) -> Result<Leaves, String> {
    if let Some(leaves) = hierarchy.label(text) {
        return Ok(leaves.into_owned());
    }
    let is_ordered = hierarchy.kind.is_ordered();
    if let Some(inner) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        if is_ordered {
            return range(hierarchy, inner);
        }
        return Err("only numbers and dates have ranges; expected a label, or a set `{a, b}`".to_owned());
    }
    if let Some(inner) = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        if let (true, Some(missing)) = (is_ordered, hierarchy.missing) {
            return with_missing(hierarchy, missing, inner);
        }
        if is_ordered {
            return Err("only categories have sets; expected a label, or a range `[low, high]`".to_owned());
        }
        return set(hierarchy, inner);
    }
    let base = hierarchy.base;
    if hierarchy.is_finer(text) {
        return Err(format!(
            "finer than level {base}, the level of the public table; expected a label of level {base} or above"
        ));
    }
    Err(format!("expected a label of its hierarchy, of level {base} or above, a range or a set"))
}

/// The inside of `{unknown, 5}` or `{unknown, [5, 9]}`: the label of missing values, and one value or a range.
fn with_missing(hierarchy: &Hierarchy, missing: Leaf, inner: &str) -> Result<Leaves, String> {
    let expected = || "expected the label of missing values, then `, `, then a value or a range".to_owned();
    let rest = inner.strip_prefix(&member(hierarchy.text(missing))).and_then(|rest| rest.strip_prefix(", "));
    let rest = rest.ok_or_else(expected)?;
    let values = match rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(inner) => match range(hierarchy, inner)?.runs().collect::<Vec<_>>().as_slice() {
            // A range of one value is written as the value.
            [(low, high)] if low < high => *low..=*high,
            _ => return Err(expected()),
        },
        None => match hierarchy.leaf(rest) {
            Some(leaf) if leaf != missing => leaf..=leaf,
            _ => return Err(expected()),
        },
    };
    Ok(Leaves::from_ascending(std::iter::once(missing).chain(values)))
}

/// The inside of `[low, high]`, both leaves and both included. A leaf may contain `, `, so every split is tried.
fn range(hierarchy: &Hierarchy, inner: &str) -> Result<Leaves, String> {
    let ends = inner.match_indices(", ").filter_map(|(position, comma)| {
        let end = |text| hierarchy.leaf(text).filter(|leaf| Some(*leaf) != hierarchy.missing);
        Some((end(&inner[..position])?, end(&inner[position + comma.len()..])?))
    });
    match ends.collect::<Vec<_>>().as_slice() {
        [(low, high)] if low <= high => Ok(Leaves::of_run(*low, *high)),
        [_] => Err("the ends of its range are reversed; expected `[low, high]`".to_owned()),
        [] => Err("expected `[low, high]` with two values of the hierarchy".to_owned()),
        [_, _, ..] => Err("its range can be read in two ways; rename values that contain a comma".to_owned()),
    }
}

/// The inside of `{a, b}`: leaves in the order of the hierarchy, as JSON strings if the plain text could be misread.
fn set(hierarchy: &Hierarchy, inner: &str) -> Result<Leaves, String> {
    let mut leaves: Vec<Leaf> = Vec::new();
    let mut rest = Some(inner);
    while let Some(text) = rest {
        let (member, after) = first_member(text)?;
        let leaf = hierarchy.leaf(&member).ok_or("a member of its set is not a value of the hierarchy")?;
        leaves.push(leaf);
        rest = match after {
            "" => None,
            _ => Some(after.strip_prefix(", ").ok_or("expected `, ` between the members of a set")?),
        };
    }
    if !leaves.is_sorted_by(|left, right| left < right) {
        return Err("expected each member of a set once, in the order of the hierarchy".to_owned());
    }
    // Each set has one text. A second text for it could mark a person.
    let written: Vec<String> = leaves.iter().map(|&leaf| member(hierarchy.text(leaf))).collect();
    if written.join(", ") != inner {
        return Err(
            "expected JSON strings only for members that need them, with only the escapes that they need"
                .to_owned(),
        );
    }
    Ok(Leaves::from_ascending(leaves))
}

/// The first member of a set's inside, and the rest of the text.
fn first_member(text: &str) -> Result<(String, &str), String> {
    if text.starts_with('"') {
        let mut strings = serde_json::Deserializer::from_str(text).into_iter::<String>();
        return match strings.next() {
            Some(Ok(member)) => Ok((member, &text[strings.byte_offset()..])),
            _ => Err("expected a JSON string after the quote in a set".to_owned()),
        };
    }
    let (member, after) = text.split_at(text.find(',').unwrap_or(text.len()));
    if needs_string(member) {
        return Err("expected a member of its set as a JSON string".to_owned());
    }
    Ok((member.to_owned(), after))
}

/// A leaf as a member of a set.
fn member(leaf: &str) -> String {
    if !needs_string(leaf) {
        return leaf.to_owned();
    }
    let mut quoted = String::from("\"");
    for character in leaf.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\0'..='\u{1f}' => quoted.push_str(&format!("\\u{:04x}", u32::from(character))),
            _ => quoted.push(character),
        }
    }
    quoted + "\""
}

fn needs_string(leaf: &str) -> bool {
    leaf.contains([',', '{', '}', '"', '\\']) || leaf.trim() != leaf
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::hierarchy::{ColumnValues, HierarchySource, ValueRules};
    use palmtop_terms::Level;

    fn hierarchy(file: &str, base: u8, private: &[&str]) -> Hierarchy {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("h.csv");
        fs::write(&path, file).unwrap();
        let private: Vec<String> = private.iter().map(|&text| text.to_owned()).collect();
        let values = |texts| ColumnValues { table: &path, column: "x", texts };
        let source = HierarchySource { path: path.clone(), kind: None, public_level: Level(base) };
        Hierarchy::read(&source, &ValueRules::default(), values(&[]), values(&private)).unwrap()
    }

    #[test]
    fn people_without_a_value_stand_in_no_range_and_beside_one_in_a_set() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("h.csv");
        fs::write(&path, "1;low;*\n2;low;*\n10;high;*\n").unwrap();
        let public = ["1", "none, here"].map(ToOwned::to_owned);
        let values = |texts| ColumnValues { table: &path, column: "x", texts };
        let source = HierarchySource { path: path.clone(), kind: None, public_level: Level(0) };
        let rules = ValueRules { missing_label: Some("none, here"), ..ValueRules::default() };
        let hierarchy = Hierarchy::read(&source, &rules, values(&public), values(&[])).unwrap();
        for (text, codes) in [
            ("none, here", vec![0]),
            ("low", vec![1, 2]),
            ("[1, 10]", vec![1, 2, 3]),
            (r#"{"none, here", 2}"#, vec![0, 2]),
            (r#"{"none, here", [1, 2]}"#, vec![0, 1, 2]),
            (r#"{"none, here", [2, 10]}"#, vec![0, 2, 3]),
            ("*", vec![0, 1, 2, 3]),
        ] {
            assert_eq!(read_text(&hierarchy, text), Ok(codes), "{text}");
        }
        for text in [
            "[none, here, 2]",
            "{none, here, 2}",
            r#"{"none, here", [2, 2]}"#,
            r#"{"none, here", [2, 1]}"#,
            r#"{"none, here", 1, 2}"#,
            r#"{"none, here", low}"#,
            r#"{"none, here"}"#,
            r#"{2, "none, here"}"#,
            r#"{"none, here",2}"#,
            r#"{"none, here", "none, here"}"#,
            "{1, 2}",
        ] {
            assert!(read_text(&hierarchy, text).is_err(), "{text}");
        }
    }

    /// The codes that a text denotes, or the beginning of the refusal.
    fn read_text(hierarchy: &Hierarchy, text: &str) -> Result<Vec<Leaf>, String> {
        leaves(hierarchy, text).map(|leaves| leaves.iter().collect())
    }

    #[test]
    fn numbers_are_labels_or_ranges() {
        let hierarchy = hierarchy("1;low;*\n2;low;*\n10;high;*\n", 0, &[]);
        for (text, codes) in [
            ("2", vec![1]),
            ("low", vec![0, 1]),
            ("*", vec![0, 1, 2]),
            ("[2, 10]", vec![1, 2]),
            ("[2, 2]", vec![1]),
        ] {
            assert_eq!(read_text(&hierarchy, text), Ok(codes), "{text}");
        }
        for text in [
            "",
            "3",
            " 2",
            "02",
            "[1, 3]",
            "[1,2]",
            "[2, 1]",
            "[low, 10]",
            "[1]",
            "[]",
            "{1, 2}",
            "[1, 2",
            "1, 2",
        ] {
            assert!(read_text(&hierarchy, text).is_err(), "{text}");
        }
    }

    #[test]
    fn categories_are_labels_or_sets_with_quoted_members() {
        let file = "a;x;*\n\"b, c\";x;*\n\"{d\";y;*\n\" e\";y;*\n\"f\"\"\\\";y;*\n\"\";y;*\n";
        let hierarchy = hierarchy(file, 0, &[]);
        for (text, codes) in [
            ("b, c", vec![1]),
            ("x", vec![0, 1]),
            (r#"{a, "b, c"}"#, vec![0, 1]),
            (r#"{"b, c", "{d"}"#, vec![1, 2]),
            (r#"{a, " e"}"#, vec![0, 3]),
            (r#"{"f\"\\", }"#, vec![4, 5]),
            ("{}", vec![5]),
            ("", vec![5]),
        ] {
            assert_eq!(read_text(&hierarchy, text), Ok(codes), "{text}");
        }
        for text in [
            "[a, b, c]",
            "{a, b, c}",
            "{a,a}",
            "{a, a}",
            r#"{"b, c", a}"#,
            "{a,  e}",
            r#"{a, "b, c}"#,
            r#"{a, "b, c" }"#,
            r#"{"a" "b, c"}"#,
            r#"{"a", d}"#,
            r#"{a, "f\u0022\\"}"#,
            "{x}",
            "{a, z}",
            "{{d}",
        ] {
            assert!(read_text(&hierarchy, text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_value_below_the_public_level_is_refused_as_finer() {
        let hierarchy = hierarchy("1;1-2;*\n2;1-2;*\n3;3-4;*\n4;3-4;*\n", 1, &["1", "4"]);
        assert_eq!(read_text(&hierarchy, "3-4"), Ok(vec![1]));
        assert_eq!(read_text(&hierarchy, "[1-2, 3-4]"), Ok(vec![0, 1]));
        assert!(read_text(&hierarchy, "4").unwrap_err().starts_with("finer than level 1"));
        assert!(read_text(&hierarchy, "2").unwrap_err().starts_with("expected a label"));
    }

    #[test]
    fn every_split_of_a_range_is_tried_and_two_readings_are_refused() {
        let hierarchy = hierarchy("1;a\n2;a, b\n3;b, c\n4;c\n", 1, &[]);
        assert_eq!(read_text(&hierarchy, "[a, b, b, c]"), Ok(vec![1, 2]));
        assert_eq!(read_text(&hierarchy, "[a, c]"), Ok(vec![0, 1, 2, 3]));
        assert!(read_text(&hierarchy, "[a, b, c]").unwrap_err().contains("two ways"));
    }
}
