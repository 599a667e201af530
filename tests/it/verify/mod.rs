//! Written releases, good and bad, and the findings of the independent verifier.

mod examples;
mod rejects;
mod threads;
mod matched;
mod inputs;
mod forms;
mod twin;
mod withdrawn;

use std::fs;
use std::path::PathBuf;

use palmtop::model::{Delta, Level, Role};
use palmtop::verify::{
    AttributeSpec, CountSource, Finding, Findings, HierarchySource, Limits, NotInPublic, PrivateSource,
    Spelling, TableSource, VerifyError, VerifySpec, verify,
};
use tempfile::TempDir;

/// A temporary folder with the tables, the hierarchies and a release.
struct Workspace {
    folder: TempDir,
    spec: VerifySpec,
}

/// An attribute. A quasi-identifier has the name and content of its hierarchy file.
struct Attribute(&'static str, Role, Option<(&'static str, &'static str)>);

/// The column `people`, which gives the number of people of a row.
fn people() -> CountSource {
    CountSource::of("people")
}

fn quasi(name: &'static str, file: &'static str, content: &'static str) -> Attribute {
    Attribute(name, Role::Quasi, Some((file, content)))
}

fn other(name: &'static str, role: Role) -> Attribute {
    Attribute(name, role, None)
}

fn delta(min: &str, max: &str) -> Delta {
    Delta::new(min.parse().unwrap(), max.parse().unwrap()).unwrap()
}

impl Workspace {
    /// A project with these tables as CSV text. Each blank becomes a comma, so that a test is
    /// easier to read.
    fn new(public: &str, private: &str, (min, max): (&str, &str), attributes: &[Attribute]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let source = |name: &str| TableSource::of(folder.path().join(name));
        let attributes = attributes.iter().map(|Attribute(name, role, file)| AttributeSpec {
            name: (*name).to_owned(),
            role: *role,
            public_column: (*name).to_owned(),
            private_column: (*name).to_owned(),
            hierarchy: file.map(|(file, content)| {
                let path = folder.path().join(file);
                fs::write(&path, content).unwrap();
                HierarchySource { path, kind: None, public_level: Level(0) }
            }),
            publish: Level(0),
            limits: Limits::default(),
            is_entity: false,
            repeated: palmtop::verify::Repeated::Unsaid,
            pseudonym: None,
            spelling: Spelling::default(),
        });
        let spec = VerifySpec {
            project: None,
            public: source("public.csv"),
            count: None,
            person: None,
            missing: Vec::new(),
            private: PrivateSource::Table(source("private.csv")),
            attributes: attributes.collect(),
            unlisted_dropped: false,
            not_in_public: NotInPublic::Refuse,
            delta: delta(min, max),
            forbids_empty: false,
            policy: Vec::new(),
            suppress_at_most: None,
        };
        let workspace = Self { folder, spec };
        workspace.write("public.csv", public);
        workspace.write("private.csv", private);
        workspace
    }

    /// Enforces k.
    fn with_k(mut self, k: &str) -> Self {
        self.spec.policy = vec![("k".to_owned(), k.to_owned())];
        self
    }

    /// Allows this share of T's members to be withdrawn.
    fn with_suppression(mut self, share: &str) -> Self {
        self.spec.suppress_at_most = Some(share.to_owned());
        self
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, content: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, content).unwrap();
        path
    }

    fn try_verify(&self, release: &str) -> Result<Findings, VerifyError> {
        verify(&self.spec, &self.write("release.csv", release))
    }

    fn verify(&self, release: &str) -> Findings {
        self.try_verify(release).unwrap()
    }

    /// The findings on a release, one a line.
    fn problems(&self, release: &str) -> String {
        texts(&self.verify(release).problems).join("\n")
    }

    /// Why the verifier refuses the project, without the name of the folder.
    fn refusal(&self) -> String {
        let error = self.try_verify("age\n").unwrap_err();
        error.to_string().replace(&format!("{}/", self.folder.path().display()), "")
    }
}

/// The full findings: the part for stdout, then a bar and the values for stderr.
fn texts(problems: &[Finding]) -> Vec<String> {
    let text = |problem: &Finding| match problem.details() {
        Some(details) => format!("{problem} | {details}"),
        None => problem.to_string(),
    };
    problems.iter().map(text).collect()
}

/// `least..greatest` of a faithful release.
fn achieved(findings: &Findings) -> String {
    assert!(findings.is_faithful(), "{:#?}", findings.problems);
    format!("{}..{}", findings.achieved_min, findings.achieved_max)
}

/// A CSV file: a header and sorted rows.
fn csv<R: AsRef<str>>(header: &str, rows: impl IntoIterator<Item = R>) -> String {
    let mut rows: Vec<String> = rows.into_iter().map(|row| format!("{}\n", row.as_ref())).collect();
    rows.sort();
    format!("{header}\n{}", rows.concat())
}
