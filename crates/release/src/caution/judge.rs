//! The cautions of a release: one computation for the next release and for a written file. The window of an export,
//! `anonymize`, `compare`, `verify` and the report all call it.

use super::release::of_release;
use super::{
    AlgorithmKnowledge, Caution, Circumstances, Facts, Key, ProjectCautions, RevealingColumns, of_project,
};
use crate::history::Accepted;
use crate::pipeline::{self, Analysis, PipelineError};
use palmtop_core::model::SensitiveValues;
use palmtop_core::progress::{Meter, unwatched};
use palmtop_search::release::{KnowsAlgorithm, Release};

/// The keys in which the lists of one release may differ, and why. In all other keys the window of an export, `anonymize`,
/// `compare`, `verify` and the report have the same cautions with the same figures.
pub const LISTS_DIFFER: [(Key, &str); 5] = [
    (Key::Registered, "Only a written file has an entry in the history."),
    (
        Key::EarlierRelease,
        "A file with the name of the release is replaced, so it is no other release. `compare` and the window, before the \
         name is typed, do not know the name.",
    ),
    (
        Key::OtherSession,
        "A release of a sitting has only the other sittings beside it; that of a command has all.",
    ),
    (
        Key::KnowsAlgorithm,
        "A report makes the search again, and says of an audit that it is as recorded. `verify` does neither, and says nothing.",
    ),
    (
        Key::SaysNothing,
        "`verify` does not make the search again, so it does not know the first questions that failed.",
    ),
];

/// A judged release.
#[derive(Clone, Debug)]
pub struct Judged {
    /// What δ means for one person.
    pub headline: String,
    /// The cautions, the severe ones first.
    pub cautions: Vec<Caution>,
    /// The published columns whose disclosure the headline does not cover.
    pub revealing: RevealingColumns,
}

/// Judges a release by its facts, its project and its circumstances.
pub fn judge(facts: &Facts, project: &ProjectCautions, known: &Circumstances) -> Judged {
    let of_project = &project.list;
    let project = project.clone().with_surroundings(&known.surroundings);
    let mut cautions = of_release(facts, &project);
    cautions.extend(known.cautions(facts));
    super::sort(&mut cautions);
    known.accept(&mut cautions, of_project);
    Judged { headline: facts.headline(), cautions, revealing: facts.revealing.clone() }
}

impl Judged {
    /// The accepted cautions, for the entry in the history.
    pub fn accepted(&self) -> Vec<Accepted> {
        let accepted = self.cautions.iter().filter_map(|caution| {
            let (key, subject) = (caution.key.as_str().to_owned(), caution.subject.clone());
            let reason = caution.accepted.clone()?;
            Some(Accepted { key, subject, reason, fact: Some(caution.fact()) })
        });
        accepted.collect()
    }
}

/// What the cautions of all releases of a project that are not written yet are found from. T is read once for them.
#[derive(Clone, Debug)]
pub struct Basis {
    /// The cautions that every release of the project has.
    pub project: ProjectCautions,
    /// `None` if a person with several rows has several values.
    values: Option<SensitiveValues>,
}

impl Basis {
    /// Reads the cautions of the project and the sensitive values.
    ///
    /// # Errors
    /// As [`of_project`].
    pub fn of(analysis: &Analysis, meter: &mut Meter) -> Result<Self, PipelineError> {
        let project = of_project(analysis, meter)?;
        let values = pipeline::risk::sensitive_values_if_single(analysis, meter)?;
        Ok(Self { project, values })
    }

    /// The facts of a release. If `simulatable` made it and a column has no information, its search is made again.
    pub fn facts(&self, analysis: &Analysis, release: &Release) -> Facts {
        let classes = match &self.values {
            Some(values) => pipeline::risk::classes_with(analysis, values, release),
            None => pipeline::risk::classes_without_values(analysis.problem(), release),
        };
        let is_exact = release.knows_algorithm() == KnowsAlgorithm::Exact;
        let searched = is_exact.then(|| release.made_under.delta());
        Facts::of_release(analysis, release, &classes, &self.project)
            .with_questions(analysis.problem(), searched)
    }

    /// Judges a release that is not written yet.
    pub fn judge(&self, analysis: &Analysis, release: &Release, known: &Circumstances) -> Judged {
        judge(&self.facts(analysis, release), &self.project, known)
    }
}

/// Judges a written file by the recount of its rows. `read` is the recount's reading of a faithful file. Nobody makes its search
/// again, so nothing is said of an attacker who knows it.
///
/// # Errors
/// A [`PipelineError`] if T cannot be read again.
pub fn of_file<'a>(
    basis: impl Into<pipeline::CautionBasis<'a>>,
    findings: &palmtop_verify::Findings,
    read: Option<&pipeline::ReadRelease>,
    known: &Circumstances,
) -> Result<Judged, PipelineError> {
    let basis = basis.into();
    let project = of_project(basis, &mut unwatched)?;
    let risk = read.map(|read| pipeline::risk::classes_of_file_if_single(basis, read)).transpose()?;
    let facts = Facts::of_file(basis, findings, read.zip(risk.as_ref()), &project);
    let facts = Facts { algorithm: AlgorithmKnowledge::NotAsked, ..facts };
    Ok(judge(&facts, &project, known))
}
