//! The hierarchies at hand: those in a folder of the analyst, and those of palmtop. The name of a hierarchy, or the values that
//! it lists, show the attribute that it fits.

use std::path::{Path, PathBuf};

use crate::hierarchies::carried::CARRIED;
use crate::hierarchies::hierarchy_source::{HierarchySource, ImportedHierarchy};
use crate::words;
use palmtop_core::model::{Hierarchy, Kind, Level};
use palmtop_tables::error::DataError;
use palmtop_tables::hierarchies::build::ValueKind;
use palmtop_tables::hierarchies::outline::Outline;
use palmtop_tables::hierarchies::{self, HierarchySpec, Values};
use palmtop_tables::refused::Held;
use palmtop_tables::write::is_same_file;

/// A hierarchy file that may fit an attribute.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The source of the hierarchy.
    pub source: HierarchySource,
    /// The name of the file; its ending shows the format.
    pub name: PathBuf,
    bytes: Vec<u8>,
    /// The coarsest level of the hierarchy.
    top: Level,
    /// The number of listed values; `None` if the hierarchy has rules.
    leaves: Option<usize>,
}

/// The hierarchies at hand: those of the analyst, then those of palmtop.
#[derive(Clone, Debug, Default)]
pub struct AtHand {
    /// The readable hierarchies, sorted by name within their folder.
    pub candidates: Vec<Candidate>,
    /// The files of the folder that are not hierarchies, each with the reason.
    pub refused: Vec<(PathBuf, String)>,
}

/// The reason for the choice of a hierarchy.
pub(crate) struct Fitting<'a> {
    pub(crate) candidate: &'a Candidate,
    pub(crate) reason: String,
}

impl AtHand {
    /// Finds the hierarchies of a folder and those of palmtop.
    ///
    /// # Errors
    /// A [`DataError`] if the folder cannot be read. A file that is not a hierarchy is listed, and is not an error.
    pub fn read(folder: Option<&Path>) -> Result<Self, DataError> {
        let mut found = Self::default();
        if let Some(folder) = folder {
            let failed = || DataError::io("read folder", folder);
            let entries = std::fs::read_dir(folder).map_err(failed())?;
            let mut paths: Vec<PathBuf> = entries
                .map(|entry| entry.map(|entry| entry.path()))
                .collect::<Result<_, _>>()
                .map_err(failed())?;
            paths.sort();
            let is_named = |path: &PathBuf| {
                path.extension().is_some_and(|ending| {
                    ending.eq_ignore_ascii_case("csv") || ending.eq_ignore_ascii_case("toml")
                })
            };
            for path in paths.into_iter().filter(is_named) {
                let bytes = hierarchies::read_file(&path);
                found.add(HierarchySource::File(path.clone()), path, bytes);
            }
        }
        for (name, content) in CARRIED {
            let path = PathBuf::from(name);
            found.add(HierarchySource::Carried(name), path, Ok(content.as_bytes().to_vec()));
        }
        Ok(found)
    }

    /// Removes these files, because a table is not a hierarchy.
    pub(crate) fn leave_out<'a>(&mut self, tables: impl Iterator<Item = &'a Path>) {
        let tables: Vec<&Path> = tables.collect();
        self.candidates.retain(|candidate| match &candidate.source {
            HierarchySource::File(path) => !tables.iter().any(|table| is_same_file(path, table)),
            HierarchySource::Carried(_)
            | HierarchySource::Ready(_)
            | HierarchySource::Built(_)
            | HierarchySource::Imported(_) => true,
        });
    }

    /// Adds a hierarchy of a project of another program for an attribute, before all others.
    ///
    /// # Errors
    /// A [`DataError`] if it is not a hierarchy.
    pub(crate) fn add_imported(&mut self, imported: ImportedHierarchy) -> Result<(), DataError> {
        let name = PathBuf::from("imported.csv");
        let bytes = imported.text.as_bytes().to_vec();
        let Outline { top, leaves, .. } = Outline::of_bytes(&name, &bytes)?;
        let source = HierarchySource::Imported(imported);
        self.candidates.insert(0, Candidate { source, name, bytes, top, leaves });
        Ok(())
    }

    fn add(&mut self, source: HierarchySource, name: PathBuf, bytes: Result<Vec<u8>, DataError>) {
        let read = bytes.and_then(|bytes| Ok((Outline::of_bytes(&name, &bytes)?, bytes)));
        match read {
            Ok((outline, bytes)) => {
                self.candidates.push(Candidate {
                    source,
                    name,
                    bytes,
                    top: outline.top,
                    leaves: outline.leaves,
                });
            }
            Err(error) => self.refused.push((name, error.to_string())),
        }
    }

    /// Whether a hierarchy at hand has labels between a value and `*`.
    pub(crate) fn has_labels(&self, source: &HierarchySource) -> bool {
        let found = self.candidates.iter().find(|candidate| candidate.source == *source);
        matches!(source, HierarchySource::Ready(_)) || found.is_some_and(|candidate| candidate.top > Level(1))
    }

    /// The hierarchy of a source over some sorted values; `None` if it is not at hand or lacks a value.
    pub(crate) fn hierarchy(
        &self,
        source: &HierarchySource,
        kind: ValueKind,
        values: &[String],
    ) -> Option<Hierarchy> {
        if let HierarchySource::Ready(ready) = source {
            return hierarchy_of(Path::new("ready.toml"), ready.text.as_bytes(), kind, values);
        }
        let found = self.candidates.iter().find(|candidate| candidate.source == *source);
        found?.over(kind, values)
    }

    /// Finds the hierarchy for P's values, which are sorted: one with the attribute's name that has all values, else, for categories,
    /// one that lists all values and the fewest others.
    pub(crate) fn fitting(&self, attribute: &str, kind: ValueKind, values: &[String]) -> Option<Fitting<'_>> {
        let fits = |candidate: &&Candidate| candidate.takes(kind, values);
        let named = self.candidates.iter().filter(|candidate| candidate.is_named(attribute)).find(fits);
        if let Some(candidate) = named {
            return Some(Fitting {
                candidate,
                reason: "found by its name; it has all values of P".to_owned(),
            });
        }
        let lists = |candidate: &&Candidate| candidate.leaves.is_some_and(|leaves| leaves >= values.len());
        let is_telling = kind == ValueKind::Category && values.len() > 1;
        let by_values = self.candidates.iter().filter(|_| is_telling).filter(lists).filter(fits);
        let candidate = by_values.min_by_key(|candidate| candidate.leaves)?;
        let leaves = candidate.leaves.unwrap_or_default();
        Some(Fitting {
            candidate,
            reason: format!(
                "found by its values; it has all {} values of P, and {leaves} in total",
                values.len()
            ),
        })
    }
}

impl Candidate {
    /// Whether the file name ends in the words of the attribute's name: `adult_hierarchy_marital-status.csv`, `marital_status.toml`.
    fn is_named(&self, attribute: &str) -> bool {
        let stem = self.name.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let (name_words, wanted) = (words::words(&stem), words::words(attribute));
        !matches!(self.source, HierarchySource::Imported(_))
            && !wanted.is_empty()
            && (name_words.ends_with(&wanted) || words::plain(&stem) == words::plain(attribute))
    }

    /// Whether the hierarchy may be for an attribute with this number of values: it is the analyst's, it lists values, or its name fits.
    /// Age bands accept all numbers, so they fit only by name.
    pub(crate) fn may_suit(&self, attribute: &str, values: usize) -> bool {
        let is_listed = self.leaves.is_some_and(|leaves| leaves >= values);
        let is_analysts = matches!(self.source, HierarchySource::File(_)) && self.leaves.is_none();
        is_listed || is_analysts || (self.leaves.is_none() && self.is_about(attribute))
    }

    /// Whether the file name begins or ends in the words of the attribute's name, or in words with the same meaning.
    fn is_about(&self, attribute: &str) -> bool {
        let stem = self.name.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let (name_words, wanted) = (words::words(&stem), words::words(attribute));
        let begins = |word: &String| words::mean_the_same(word, attribute);
        self.is_named(attribute)
            || (!wanted.is_empty() && name_words.starts_with(&wanted))
            || name_words.first().is_some_and(begins)
            || name_words.last().is_some_and(|word| wanted.contains(word))
    }

    /// Whether the hierarchy has all these values.
    pub(crate) fn takes(&self, kind: ValueKind, values: &[String]) -> bool {
        self.over(kind, values).is_some()
    }

    /// The hierarchy over these values; `None` if it lacks one of them.
    fn over(&self, kind: ValueKind, values: &[String]) -> Option<Hierarchy> {
        hierarchy_of(&self.name, &self.bytes, kind, values)
    }
}

/// The hierarchy of a file over some sorted values; the name only determines the format. `None` if it lacks a value.
pub(crate) fn hierarchy_of(
    name: &Path,
    bytes: &[u8],
    kind: ValueKind,
    values: &[String],
) -> Option<Hierarchy> {
    let spec = HierarchySpec::of(name.to_owned(), Some(model_kind(kind)), Level(0));
    let values = Values { held: Held::plain(Path::new(""), ""), texts: values };
    hierarchies::of_bytes(&spec, bytes, values, values).ok().map(|domain| domain.hierarchy)
}

/// The kind of such values in a project file.
pub(crate) fn model_kind(kind: ValueKind) -> Kind {
    match kind {
        ValueKind::Number => Kind::Number,
        ValueKind::Date => Kind::Date,
        ValueKind::Code | ValueKind::Category => Kind::Category,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(values: &[&str]) -> Vec<String> {
        values.iter().map(|&value| value.to_owned()).collect()
    }

    #[test]
    fn hierarchies_are_found_by_name_and_by_values() {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in [
            ("adult_hierarchy_marital-status.csv", "single;*\nmarried;*\n"),
            ("wage.csv", "1;*\n2;*\n"),
            ("wide.csv", "red;*\ngreen;*\nblue;*\ngrey;*\n"),
            ("narrow.csv", "red;*\ngreen;*\nblue;*\n"),
            ("broken.csv", "a;x;*\na;y;*\n"),
            ("notes.md", "no hierarchy"),
        ] {
            std::fs::write(folder.path().join(name), content).unwrap();
        }
        let at_hand = AtHand::read(Some(folder.path())).unwrap();
        assert_eq!(at_hand.refused.len(), 1, "{:?}", at_hand.refused);
        let found = |attribute, kind, values: &[&str]| {
            let found = at_hand.fitting(attribute, kind, &owned(values));
            found.map(|found| found.candidate.name.file_name().unwrap().to_string_lossy().into_owned())
        };
        let category = ValueKind::Category;
        assert_eq!(
            found("MaritalStatus", category, &["single"]).as_deref(),
            Some("adult_hierarchy_marital-status.csv")
        );
        assert_eq!(found("age", ValueKind::Number, &["1", "2"]).as_deref(), Some("age.toml"));
        assert_eq!(found("hours", ValueKind::Number, &["1", "2"]), None);
        assert_eq!(found("colour", category, &["red", "blue"]).as_deref(), Some("narrow.csv"));
        assert_eq!(found("gender", category, &["female", "male"]).as_deref(), Some("sex.csv"));
        assert_eq!(found("sex", category, &["Female", "Male"]), None);
        assert_eq!(found("zip", ValueKind::Code, &["08913"]).as_deref(), Some("zip.toml"));
        assert_eq!(found("zip", ValueKind::Code, &["0891"]), None);
    }

    #[test]
    fn every_carried_hierarchy_can_be_read() {
        let at_hand = AtHand::read(None).unwrap();
        assert_eq!((at_hand.candidates.len(), at_hand.refused.len()), (CARRIED.len(), 0));
    }
}
