//! What a text of a release denotes: the leaves of a label, of a range `[low, high]`, or of a set `{a, b}`.

use std::collections::BTreeMap;

use crate::data::hierarchies::Domain;
use crate::model::{Code, Hierarchy, Level};

/// Leaves, as runs of neighbouring codes, ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Leaves(Vec<(Code, Code)>);

impl Leaves {
    fn from_ascending(codes: impl Iterator<Item = Code>) -> Self {
        let mut runs: Vec<(Code, Code)> = Vec::new();
        for code in codes {
            match runs.last_mut() {
                Some((_, last)) if code - *last == 1 => *last = code,
                _ => runs.push((code, code)),
            }
        }
        Self(runs)
    }

    pub(super) fn codes(&self) -> impl Iterator<Item = Code> {
        self.0.iter().flat_map(|&(first, last)| first..=last)
    }
}

/// The texts that a quasi-identifier's column may hold.
pub(super) struct Vocabulary<'a> {
    domain: &'a Domain,
    labels: BTreeMap<&'a str, (Level, u32)>,
}

impl<'a> Vocabulary<'a> {
    pub(super) fn new(domain: &'a Domain) -> Self {
        let mut labels = BTreeMap::new();
        for level in domain.hierarchy.levels() {
            for (label, text) in (0..).zip(domain.hierarchy.labels(level)) {
                // A hierarchy gives a text that stands at two levels the same leaves at both.
                labels.entry(text.as_str()).or_insert((level, label));
            }
        }
        Self { domain, labels }
    }

    fn hierarchy(&self) -> &'a Hierarchy {
        &self.domain.hierarchy
    }

    /// The leaves that a text denotes, or what was expected instead.
    pub(super) fn leaves(&self, text: &str) -> Result<Leaves, String> {
        let hierarchy = self.hierarchy();
        if let Some(&(level, label)) = self.labels.get(text) {
            let labels = (0..).zip(hierarchy.labels_of(level));
            return Ok(Leaves::from_ascending(
                labels.filter(|(_, of_leaf)| **of_leaf == label).map(|(code, _)| code),
            ));
        }
        if let Some(inner) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            return if hierarchy.kind().is_ordered() {
                self.range(inner)
            } else {
                Err("a range is for numbers and dates; expected a label, or a set `{a, b}`".to_owned())
            };
        }
        if let Some(inner) = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
            return if hierarchy.kind().is_ordered() {
                Err("a set is for categories; expected a label, or a range `[low, high]`".to_owned())
            } else {
                self.set(inner)
            };
        }
        let base = hierarchy.base();
        if self.domain.code(text).is_some() {
            return Err(format!(
                "finer than level {base}, which the public table holds; expected a label of it"
            ));
        }
        Err(format!("expected a label of its hierarchy, of level {base} or above, a range or a set"))
    }

    /// `low, high`, both leaves and both included. A leaf may itself hold `, `, so every way to split is tried.
    fn range(&self, inner: &str) -> Result<Leaves, String> {
        let leaf = |text: &str| self.hierarchy().code(text);
        let ends = inner.match_indices(", ").filter_map(|(place, comma)| {
            Some((leaf(&inner[..place])?, leaf(&inner[place + comma.len()..])?))
        });
        match ends.collect::<Vec<_>>().as_slice() {
            [(low, high)] if low <= high => Ok(Leaves(vec![(*low, *high)])),
            [_] => Err("its ends are the wrong way round; expected `[low, high]`".to_owned()),
            [] => Err("expected `[low, high]` with both ends values of the hierarchy".to_owned()),
            [_, _, ..] => Err("it can be read in two ways; rename values that hold a comma".to_owned()),
        }
    }

    /// `a, b`, leaves in the order of the hierarchy, as JSON strings where a plain one could be misread.
    fn set(&self, inner: &str) -> Result<Leaves, String> {
        let mut codes: Vec<Code> = Vec::new();
        let mut rest = Some(inner);
        while let Some(text) = rest {
            let (member, after) = first_member(text)?;
            let code = self.hierarchy().code(&member);
            codes.push(code.ok_or_else(|| format!("its member `{member}` is no value of the hierarchy"))?);
            rest = match after {
                "" => None,
                _ => Some(after.strip_prefix(", ").ok_or("expected `, ` between the members of a set")?),
            };
        }
        if codes.is_sorted_by(|left, right| left < right) {
            Ok(Leaves::from_ascending(codes.into_iter()))
        } else {
            Err("expected each member of a set once, in the order of the hierarchy".to_owned())
        }
    }
}

/// The first member of a set's inside, and what comes after it.
fn first_member(text: &str) -> Result<(String, &str), String> {
    if text.starts_with('"') {
        let mut strings = serde_json::Deserializer::from_str(text).into_iter::<String>();
        return match strings.next() {
            Some(Ok(member)) => Ok((member, &text[strings.byte_offset()..])),
            _ => Err("expected a JSON string after the quote in a set".to_owned()),
        };
    }
    let (member, after) = text.split_at(text.find(',').unwrap_or(text.len()));
    if member.contains(['{', '}', '"', '\\']) || member.trim() != member {
        return Err(format!("expected its member `{member}` as a JSON string"));
    }
    Ok((member.to_owned(), after))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::data::hierarchies::{HierarchySpec, Values, read};
    use crate::model::Kind;

    fn domain(file: &str, kind: Option<Kind>, base: u8, private: &[&str]) -> Domain {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("h.csv");
        fs::write(&path, file).unwrap();
        let private: Vec<String> = private.iter().map(|&text| text.to_owned()).collect();
        let values = |texts| Values { table: &path, column: "x", texts };
        let spec = HierarchySpec { path: path.clone(), kind, base: Level(base) };
        read(&spec, values(&[]), values(&private)).unwrap()
    }

    /// The codes that a text denotes, or the beginning of the refusal.
    fn read_text(domain: &Domain, text: &str) -> Result<Vec<Code>, String> {
        Vocabulary::new(domain).leaves(text).map(|leaves| leaves.codes().collect())
    }

    #[test]
    fn numbers_are_labels_or_ranges() {
        let domain = domain("1;low;*\n2;low;*\n10;high;*\n", None, 0, &[]);
        for (text, codes) in [
            ("2", vec![1]),
            ("low", vec![0, 1]),
            ("*", vec![0, 1, 2]),
            ("[2, 10]", vec![1, 2]),
            ("[2, 2]", vec![1]),
        ] {
            assert_eq!(read_text(&domain, text), Ok(codes), "{text}");
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
            assert!(read_text(&domain, text).is_err(), "{text}");
        }
    }

    #[test]
    fn categories_are_labels_or_sets_with_quoted_members() {
        let file = "a;x;*\n\"b, c\";x;*\n\"{d\";y;*\n\" e\";y;*\n\"f\"\"\\\";y;*\n\"\";y;*\n";
        let domain = domain(file, None, 0, &[]);
        for (text, codes) in [
            ("b, c", vec![1]),
            ("x", vec![0, 1]),
            (r#"{a, "b, c"}"#, vec![0, 1]),
            (r#"{"b, c", "{d"}"#, vec![1, 2]),
            (r#"{a, " e"}"#, vec![0, 3]),
            (r#"{"f\"\\", }"#, vec![4, 5]),
            (r#"{a, "f\u0022\\"}"#, vec![0, 4]),
            ("{}", vec![5]),
            ("", vec![5]),
        ] {
            assert_eq!(read_text(&domain, text), Ok(codes), "{text}");
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
            "{x}",
            "{a, z}",
            "{{d}",
        ] {
            assert!(read_text(&domain, text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_value_below_the_public_level_is_refused_as_finer() {
        let domain = domain("1;1-2;*\n2;1-2;*\n3;3-4;*\n4;3-4;*\n", None, 1, &["1", "4"]);
        assert_eq!(read_text(&domain, "3-4"), Ok(vec![1]));
        assert_eq!(read_text(&domain, "[1-2, 3-4]"), Ok(vec![0, 1]));
        assert!(read_text(&domain, "4").unwrap_err().starts_with("finer than level 1"));
        assert!(read_text(&domain, "2").unwrap_err().starts_with("expected a label"));
    }

    #[test]
    fn every_split_of_a_range_is_tried_and_two_readings_are_refused() {
        let domain = domain("1;a\n2;a, b\n3;b, c\n4;c\n", None, 1, &[]);
        assert_eq!(read_text(&domain, "[a, b, b, c]"), Ok(vec![1, 2]));
        assert_eq!(read_text(&domain, "[a, c]"), Ok(vec![0, 1, 2, 3]));
        assert!(read_text(&domain, "[a, b, c]").unwrap_err().contains("two ways"));
    }
}
