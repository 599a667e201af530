//! The cautions of a release in commands. They are printed on stderr and accepted with `--accept`.
//! An open severe caution stops an export.

use std::path::Path;

use palmtop::caution::{self, Acceptance, Caution, Circumstances, Judged, NextRelease, WrittenRelease};
use palmtop::data::read::hash_file;
use palmtop::history::{self, History};
use palmtop::pipeline::{Analysis, CautionBasis, PipelineError, ReadRelease};
use palmtop::progress::unwatched;
use palmtop::release::Release;
use palmtop::verify::Findings;

use palmtop_console::say;

/// The data that the cautions of all releases of a project need. T is read once for them.
#[derive(Debug)]
pub(super) struct Basis {
    basis: caution::Basis,
    history: History,
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
    /// Reads the project's cautions, its history and the sensitive values.
    pub(super) fn of(analysis: &Analysis) -> Result<Self, PipelineError> {
        let history = history_of(analysis.path(), IGNORED);
        Ok(Self { basis: caution::Basis::of(analysis, &mut unwatched)?, history })
    }

    /// The cautions of a release; `acceptances` are the accepted ones, with reasons.
    pub(super) fn judge(
        &self,
        analysis: &Analysis,
        (release, next): (&Release, &NextRelease),
        acceptances: &[Acceptance],
    ) -> Judged {
        let known = Circumstances::of_next(analysis, &self.history, next).with_accepted(acceptances);
        self.basis.judge(analysis, release, &known)
    }
}

/// What follows if the history cannot be read.
pub(super) const IGNORED: &str = "the cautions ignore earlier releases";

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

/// The cautions of a written file that follow from its rows, the tables and the history. `read` is the recount's reading of a
/// faithful file.
pub(super) fn of_file(
    basis: CautionBasis,
    (path, findings): (&Path, &Findings),
    read: Option<&ReadRelease>,
) -> anyhow::Result<Judged> {
    let sha256 = hash_file(path)?;
    let history = history_of(basis.path(), IGNORED);
    let file = WrittenRelease { file: path, sha256: &sha256, delta: findings.delta, found: None };
    let known = Circumstances::of_file(basis, &history, file);
    Ok(caution::of_file(basis, findings, read, &known)?)
}

/// Refuses an export if a severe caution is open.
pub(super) fn check(judged: &Judged) -> Result<(), Unanswered> {
    let open: Vec<Caution> = judged.cautions.iter().filter(|caution| caution.is_open()).cloned().collect();
    if open.is_empty() { Ok(()) } else { Err(Unanswered::Severe(open)) }
}

/// Prints the notes that need an answer, and asks for it if the command runs on a terminal.
pub(super) fn ask(judged: &Judged) -> anyhow::Result<()> {
    for caution in judged.cautions.iter().filter(|caution| caution.is_question()) {
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

/// Prints the cautions that [`ask`] did not print before the release was written.
pub(super) fn say_others(judged: &Judged) {
    say::cautions(judged.cautions.iter().filter(|caution| !caution.is_question()));
}

fn text(open: &[Caution]) -> String {
    let each = open.iter().map(|caution| {
        let name = palmtop::shell::quoted(&format!("{}=REASON", caution.name()));
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
