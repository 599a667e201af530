//! An error as fields, for a program that reads the messages as JSON.

use std::error::Error;

use palmtop_core::located::{Located, LocatedError, Place, Position};
use palmtop_proposal::{NoArx, NoProposal, ProposalError};
use palmtop_release::fetch::FetchError;
use palmtop_release::history::{HistoryError, ReplayError};
use palmtop_release::pipeline::PipelineError;
use palmtop_release::report::ReportError;
use palmtop_release::sql::SqlError;
use palmtop_tables::error::DataError;
use palmtop_tables::write::TargetError;
use palmtop_verify::{ProjectError, VerifyError};
use serde::Serialize;

/// Where an error is, and what was expected there. What the error does not name is absent.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Fault {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// A line of a text file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    /// A row of a table, from 1. The header does not count.
    #[serde(skip_serializing_if = "Option::is_none")]
    row: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remedy: Option<String>,
}

/// The positions of an error, one for each file, column and value that it names.
pub(crate) fn faults(error: &anyhow::Error) -> Vec<Fault> {
    error.chain().flat_map(places).map(Fault::from).collect()
}

/// The places of an error of one type; `None` for another type.
type PlacesOf = fn(&(dyn Error + 'static)) -> Option<Vec<Place>>;

/// The errors with places that a chain of causes may have. The chain hides their types, so each is
/// tried.
const LOCATED: [PlacesOf; 14] = [
    places_of::<LocatedError>,
    places_of::<DataError>,
    places_of::<TargetError>,
    places_of::<VerifyError>,
    places_of::<ProjectError>,
    places_of::<PipelineError>,
    places_of::<HistoryError>,
    places_of::<ReplayError>,
    places_of::<ReportError>,
    places_of::<SqlError>,
    places_of::<FetchError>,
    places_of::<NoArx>,
    places_of::<NoProposal>,
    places_of::<ProposalError>,
];

/// The places of an error, if it has this type.
fn places_of<E: Located + 'static>(cause: &(dyn Error + 'static)) -> Option<Vec<Place>> {
    cause.downcast_ref::<E>().map(Located::places)
}

/// The places of one error of a chain.
fn places(cause: &(dyn Error + 'static)) -> Vec<Place> {
    LOCATED.iter().find_map(|places_of| places_of(cause)).unwrap_or_default()
}

impl From<Place> for Fault {
    fn from(place: Place) -> Self {
        let Place { file, positions, value, problem, expected, remedy } = place;
        let file = file.map(|file| file.display().to_string());
        let mut fault = Self { file, value, problem, expected, remedy, ..Self::default() };
        for position in positions {
            match position {
                Position::Line(line) => fault.line = Some(line),
                Position::Row(row) => fault.row = Some(row),
                Position::Column(column) => fault.column = Some(column),
                Position::Character(_) | Position::Sheet(_) | Position::Cell(_) => {}
            }
        }
        fault
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;

    /// The Rust files below a folder, with their text.
    fn sources(folder: &Path, texts: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                sources(&path, texts);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                texts.push(fs::read_to_string(&path).unwrap());
            }
        }
    }

    /// The name that a text begins with.
    fn name(text: &str) -> &str {
        text.split(|character: char| !character.is_alphanumeric()).next().unwrap_or_default()
    }

    /// The texts between a word at the beginning of a line and the end of its item.
    fn items<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = &'a str> {
        text.split(word).skip(1).map(|rest| {
            let ends = [rest.find("\n}\n"), rest.find(");\n"), rest.find(";\n\n")];
            &rest[..ends.into_iter().flatten().min().unwrap_or(rest.len())]
        })
    }

    /// Every type that derives `Error`, without those that take a type: they never reach a chain.
    fn errors(texts: &[String]) -> BTreeMap<String, String> {
        let derived = texts.iter().flat_map(|text| items(text, "thiserror::Error)]\n"));
        let named = derived.filter_map(|item| {
            let after = ["enum ", "struct "].into_iter().find_map(|word| item.split_once(word))?.1;
            let name = name(after);
            (!after[name.len()..].starts_with('<')).then(|| (name.to_owned(), after.to_owned()))
        });
        named.collect()
    }

    #[test]
    fn every_error_with_a_file_tells_it() {
        let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let mut texts = Vec::new();
        for folder in ["crates", "src"] {
            sources(&root.join(folder), &mut texts);
        }
        let errors = errors(&texts);
        let list = items(include_str!("fault.rs"), "\nconst LOCATED").next().unwrap();
        let listed: BTreeSet<&str> = list.split("places_of::<").skip(1).map(name).collect();
        assert_eq!(listed.len(), LOCATED.len());
        let bodies: BTreeMap<&str, &str> = texts
            .iter()
            .flat_map(|text| items(text, "\nimpl Located for "))
            .map(|item| (name(item), item))
            .collect();
        assert_eq!(
            bodies.keys().copied().collect::<BTreeSet<_>>(),
            listed,
            "have `impl Located`; are in LOCATED"
        );
        for (error, body) in bodies {
            assert!(!body.contains(" _ =>") && !body.contains(" | _"), "{error} does not name each variant");
        }
        let is_located = |body: &str| {
            let words = body.lines().filter(|line| !line.trim_start().starts_with("//"));
            let mut words = words.flat_map(|line| line.split(|each: char| !each.is_alphanumeric()));
            words.any(|word| word == "PathBuf" || listed.contains(word))
        };
        let located = errors.iter().filter(|(_, body)| is_located(body)).map(|(name, _)| name.as_str());
        let derived: BTreeSet<&str> = located.collect();
        // `LocatedError` is an error without the derived implementation.
        let listed = listed.into_iter().filter(|name| *name != "LocatedError").collect();
        assert_eq!(derived, listed, "have a file, or an error with one; are in LOCATED");
    }

    #[test]
    fn errors_that_are_passed_on_keep_their_place() {
        let target = || TargetError::Exists { path: "p.csv".into() };
        let read = || LocatedError::new("x").in_file(Path::new("p.csv")).at_line(3);
        let replayed = ReplayError::Refused { step: 1, refused: Box::new(read().into()) };
        let recorded = PipelineError::Record(Box::new(HistoryError::from(read())));
        let errors: [anyhow::Error; 6] = [
            FetchError::Target(target()).into(),
            HistoryError::from(target()).into(),
            FetchError::Sql(DataError::from(read()).into()).into(),
            anyhow::Error::from(VerifyError::from(read())).context("the report"),
            ReportError::from(recorded).into(),
            replayed.into(),
        ];
        for error in errors {
            let faults = faults(&error);
            assert_eq!(faults.len(), 1, "{error}: {faults:?}");
            assert_eq!(faults[0].file.as_deref(), Some("p.csv"), "{error}: {faults:?}");
        }
    }
}
