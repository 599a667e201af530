//! The cautions of a release in commands. They are printed on stderr and accepted with `--accept`.
//! An open severe caution stops an export.

use std::path::Path;

use palmtop::caution::{self, Acceptance, Caution, Facts, Key, ReleaseFile, RevealingColumns, Surroundings};
use palmtop::data::read::hash_file;
use palmtop::history::{self, Accepted, History};
use palmtop::model::SensitiveValues;
use palmtop::pipeline::{self, Analysis, CautionBasis, PipelineError, ReadRelease};
use palmtop::progress::unwatched;
use palmtop::release::{Origin, Release};
use palmtop::verify::Findings;

use palmtop_console::say;

/// The data that the cautions of all releases of a project need. T is read once for them.
#[derive(Debug)]
pub(super) struct Basis {
    project: caution::ProjectCautions,
    /// `None` if a person with several rows has several values.
    values: Option<SensitiveValues>,
}

#[derive(Clone, Debug)]
pub(super) struct Judged {
    pub(super) headline: String,
    pub(super) cautions: Vec<Caution>,
    /// The published columns whose disclosure the headline does not cover.
    pub(super) revealing: RevealingColumns,
}

/// The cautions of a written file, and the published columns that its headline does not cover.
#[derive(Clone, Debug)]
pub(super) struct OfFile {
    pub(super) cautions: Vec<Caution>,
    pub(super) revealing: RevealingColumns,
}

/// The reason why a caution stopped an export.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unanswered {
    /// Severe cautions that were not accepted.
    #[error("{}", text(.0))]
    Severe(Vec<Caution>),
    /// A note that the user answered with no.
    #[error("the answer to `{0}` was no, and nothing was written")]
    Declined(&'static str),
}

impl Basis {
    /// Reads the project's cautions, the earlier releases and the sensitive values.
    pub(super) fn of(analysis: &Analysis, release: ReleaseFile) -> Result<Self, PipelineError> {
        let surroundings = surroundings(analysis.path(), release);
        let project = caution::of_project(analysis, &mut unwatched)?.with_surroundings(&surroundings);
        let values = pipeline::risk::sensitive_values_if_single(analysis, &mut unwatched)?;
        Ok(Self { project, values })
    }

    /// The cautions of a release; `acceptances` are the accepted ones, with reasons.
    pub(super) fn judge(&self, analysis: &Analysis, release: &Release, acceptances: &[Acceptance]) -> Judged {
        let is_simulatable =
            matches!(&release.origin, Origin::Search(strategy, _) if strategy.family().is_simulatable());
        let searched = is_simulatable.then(|| release.made_under.delta());
        let classes = match &self.values {
            Some(values) => pipeline::risk::classes_with(analysis, values, release),
            None => pipeline::risk::classes_without_values(analysis.problem(), release),
        };
        let facts = Facts::of_release(analysis, release, &classes, &self.project);
        let facts = Facts { algorithm: release.knows_algorithm().into(), ..facts };
        Judged::of(&facts.with_questions(analysis.problem(), searched), &self.project, acceptances)
    }
}

/// The project's earlier releases and other sittings, without this release.
pub(super) fn surroundings(project: &Path, release: ReleaseFile) -> Surroundings {
    Surroundings::of(project, &history_of(project, "the cautions ignore earlier releases"), release)
}

/// The history of a project. What cannot be read of it is told with its consequence, and left out.
pub(super) fn history_of(project: &Path, consequence: &str) -> History {
    let history = history::of_project(project).unwrap_or_else(|error| {
        say::message(&format!("{}; {consequence}", palmtop::words::chain(&error)));
        History::default()
    });
    for untaken in history.untaken() {
        say::message(&format!("{}; {consequence}", untaken.why));
    }
    history
}

/// The cautions of a written file that follow from its rows, the tables and the history. Cautions
/// that depend on the search are left out: `knows_algorithm`, and the questions that `simulatable`
/// asked. `read` is the recount's reading of a faithful file.
pub(super) fn of_file(
    basis: CautionBasis,
    (path, findings): (&Path, &Findings),
    read: Option<&ReadRelease>,
) -> anyhow::Result<OfFile> {
    let sha256 = hash_file(path)?;
    let history = history_of(basis.path(), "the cautions ignore earlier releases");
    let file = ReleaseFile { file: Some(path), sha256: Some(&sha256), sitting: None };
    let surroundings = Surroundings::of(basis.path(), &history, file);
    let project = caution::of_project(basis, &mut unwatched)?
        .with_surroundings(&surroundings)
        .with_registered(basis, &history, &sha256);
    let risk = read.map(|read| pipeline::risk::classes_of_file_if_single(basis, read)).transpose()?;
    let facts = Facts::of_file(basis, findings, read.zip(risk.as_ref()), &project);
    let mut cautions = caution::of_release(&facts, &project);
    cautions.retain(|caution| caution.key != Key::KnowsAlgorithm);
    caution::accept(&mut cautions, &registered(&history, &sha256));
    Ok(OfFile { cautions, revealing: facts.revealing })
}

/// The acceptances that the history has for a release.
fn registered(history: &History, sha256: &str) -> Vec<Acceptance> {
    let accepted = history.find(sha256, None).into_iter().flat_map(|entry| &entry.accepted);
    accepted.filter_map(Acceptance::of_history).collect()
}

impl Judged {
    fn of(facts: &Facts, project: &caution::ProjectCautions, acceptances: &[Acceptance]) -> Self {
        let mut cautions = caution::of_release(facts, project);
        caution::accept(&mut cautions, acceptances);
        Self { headline: facts.headline(), cautions, revealing: facts.revealing.clone() }
    }

    /// The accepted cautions for the entry in the history.
    pub(super) fn accepted(&self) -> Vec<Accepted> {
        let accepted = self.cautions.iter().filter_map(|caution| {
            let (key, subject) = (caution.key.as_str().to_owned(), caution.subject.clone());
            Some(Accepted { key, subject, reason: caution.accepted.clone()? })
        });
        accepted.collect()
    }

    /// Refuses an export if a severe caution is open.
    pub(super) fn check(&self) -> Result<(), Unanswered> {
        let open: Vec<Caution> = self.cautions.iter().filter(|caution| caution.is_open()).cloned().collect();
        if open.is_empty() { Ok(()) } else { Err(Unanswered::Severe(open)) }
    }

    /// Prints the notes that need an answer, and asks for it if the command runs on a terminal.
    pub(super) fn ask(&self) -> anyhow::Result<()> {
        for caution in self.cautions.iter().filter(|caution| caution.is_question()) {
            say::caution(caution);
            if !say::is_answered() {
                continue;
            }
            let answer = say::line_of("Write the release anyway? [y/N] ")?;
            if !matches!(answer.as_str(), "y" | "Y" | "yes") {
                return Err(Unanswered::Declined(caution.key.as_str()).into());
            }
        }
        Ok(())
    }

    /// Prints the cautions that [`ask`](Self::ask) did not print before the release was written.
    pub(super) fn say_others(&self) {
        self.cautions.iter().filter(|caution| !caution.is_question()).for_each(say::caution);
    }
}

fn text(open: &[Caution]) -> String {
    let each = open.iter().map(|caution| {
        let name = palmtop::text::quoted(&format!("{}=REASON", caution.name()));
        format!("caution {}: {caution} To write the release anyway, give --accept {name}", caution.name())
    });
    let is_vague =
        |(caution, other): (&Caution, &Caution)| caution.key == other.key && caution.subject != other.subject;
    let vague = open.iter().zip(&open[1..]).find(|two| is_vague(*two));
    let vague = vague.map_or_else(String::new, |(caution, _)| {
        format!("\n`--accept {}=REASON` does not say which column is meant: name each", caution.key.as_str())
    });
    format!(
        "a severe caution is not answered, and nothing was written:\n{}\nREASON is a sentence, and the report quotes it{vague}",
        each.collect::<Vec<_>>().join("\n")
    )
}
