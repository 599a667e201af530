//! Two files of raw tables in a folder of their own, and what palmtop asks about them.
#![allow(dead_code, reason = "each part uses a part of it")]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use super::clean::{Kind, Table};
use crate::support::{Done, palmtop};

/// The files of P and T.
pub(crate) struct Pair {
    folder: TempDir,
    /// The name of P's file.
    pub(crate) public: String,
    /// The name of T's file.
    pub(crate) private: String,
    /// The roles of the columns that only T has, as options of `init`.
    roles: Vec<String>,
}

/// A question of `init`.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) attribute: Option<String>,
    /// What is asked, and what to do if the proposed answer is wrong.
    pub(crate) text: String,
}

/// What a command asks.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) status: i32,
    /// The questions of `init`, without that for δ, which every table has.
    pub(crate) questions: Vec<Question>,
    /// The cautions, as texts.
    pub(crate) cautions: Vec<String>,
    /// The error that ended the command; empty if there is none.
    pub(crate) refusal: String,
}

impl Asked {
    fn of(done: &Done) -> Self {
        let lines = done.err.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let lines: Vec<Value> = lines.collect();
        let texts = |kind: &'static str| {
            let of_kind = lines.iter().filter(move |line| line["kind"] == kind);
            of_kind.map(|line| line["text"].as_str().unwrap_or_default().to_owned())
        };
        let questions = lines.iter().filter(|line| line["kind"] == "question").map(|line| Question {
            attribute: line["attribute"].as_str().map(ToOwned::to_owned),
            text: [&line["text"], &line["remedy"]].map(|text| text.as_str().unwrap_or_default()).join("; "),
        });
        Self {
            status: done.status,
            questions: questions.filter(|question| !is_usual(question)).collect(),
            cautions: texts("caution").collect(),
            refusal: texts("error").collect::<Vec<_>>().join("\n"),
        }
    }

    /// Whether nothing was asked and nothing refused.
    pub(crate) fn is_nothing(&self) -> bool {
        self.questions.is_empty() && self.refusal.is_empty()
    }

    /// Whether one question, or the refusal, has all of these texts.
    pub(crate) fn names(&self, texts: &[&str]) -> bool {
        let mut said = self.questions.iter().map(|question| &question.text).chain([&self.refusal]);
        said.any(|said| texts.iter().all(|text| said.contains(text)))
    }
}

/// Whether every table is asked this.
fn is_usual(question: &Question) -> bool {
    question.attribute.is_none() && question.text.contains("δmax")
}

impl Pair {
    /// Writes the files. Columns that only T has get their roles, so that `init` does not ask for them.
    pub(crate) fn new(public: Vec<u8>, private: Vec<u8>, ending: &str, columns: &Table) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let [public_name, private_name] = ["public", "private"].map(|name| format!("{name}.{ending}"));
        fs::write(folder.path().join(&public_name), public).unwrap();
        fs::write(folder.path().join(&private_name), private).unwrap();
        let role = |kind| match kind {
            Kind::Identifier => Some("identifier"),
            Kind::Sensitive => Some("sensitive"),
            _ => None,
        };
        let roles = columns.columns.iter().filter_map(|column| Some((column, role(column.kind)?)));
        let roles = roles.flat_map(|(column, role)| ["--role".to_owned(), format!("{}={role}", column.name)]);
        Self { roles: roles.collect(), folder, public: public_name, private: private_name }
    }

    /// The folder of the files.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The project that [`init`](Self::init) writes.
    pub(crate) fn project(&self) -> PathBuf {
        self.folder().join("project.toml")
    }

    /// Runs `init --yes`, with more options; it also runs `check` on the project.
    pub(crate) fn init(&self, more: &[&str]) -> Asked {
        let tables = ["--public", &self.public, "--private", &self.private];
        let rest = ["--yes", "--force", "-o", "project.toml"];
        let roles: Vec<&str> = self.roles.iter().map(String::as_str).collect();
        self.run(&[&["init"], &tables[..], &rest[..], &roles[..], more].concat())
    }

    /// Runs a command in the folder.
    pub(crate) fn run(&self, arguments: &[&str]) -> Asked {
        Asked::of(&palmtop(self.folder(), [arguments, &["--messages", "json"]].concat()))
    }

    /// Replaces a text of the project, which has it.
    #[track_caller]
    pub(crate) fn edit(&self, from: &str, to: &str) {
        crate::support::edit(&self.project(), from, to);
    }
}
