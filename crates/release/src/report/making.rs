//! Makes a report: the verifier recounts the release, the engine measures it, and the history is read.

use std::path::Path;

use super::Report;
use super::attackers::attackers;
use super::attributes::attributes;
use super::columns;
use super::coverage;
use super::criteria::criteria;
use super::disclosing::disclosures;
use super::error::ReportError;
use super::fidelity::FidelitySection;
use super::names::{from_project, project_name};
use super::origin::{self, Chosen, Run, SittingFound, delta_flags, file_name};
use super::presence::all_counts;
use super::readability::ReadabilitySection;
use super::sections::{
    AdviceSection, AttributeLoss, Bounds, CheckSection, DeltaSection, HistorySection, InputKind,
    InputSection, LeftOutSection, PeopleSection, PersonRowsSection, PresenceSection, PseudonymSection,
    ReleasedFile, UtilitySection, Verdict,
};
use super::together::together;
use crate::caution::{self, Circumstances, Facts, WrittenRelease};
use crate::codebook::Codebook;
use crate::history::{self, History, Moment, Stated};
use crate::pipeline::{self, Analysis, ReadRelease, Recounted};
use palmtop_core::located::LocatedError;
use palmtop_core::model::{Counts, Delta, Fraction, Presence, Problem, Role, Stakes, advise};
use palmtop_core::progress::unwatched;
use palmtop_core::shell::quoted;
use palmtop_project::PrivateSource;
use palmtop_search::release::{Achieved, Release};
use palmtop_tables::join::OutsiderRule;
use palmtop_tables::read::hash_file;
use palmtop_verify::{Findings, ReleaseForm};

/// The request for a report.
#[derive(Clone, Debug)]
pub struct ReportRequest<'a> {
    /// The project as the user named it, for the commands in the report.
    pub project: &'a str,
    /// The path of the written release.
    pub release: &'a Path,
    /// The δ under which the release is verified. The problem of the analysis may have a different δ.
    pub delta: Delta,
    /// The file of the history; `None` for the history of the project.
    pub history: Option<&'a Path>,
    /// A prior and an acceptable misuse, for the δ that they require.
    pub stakes: Option<&'a Stakes>,
    /// The time at which the report is made.
    pub at: Moment,
}

/// Where a report reads.
#[derive(Clone, Copy)]
struct Source<'a> {
    /// The file as it can be read now.
    file: &'a Path,
    history: &'a History,
    /// The name of the file of the history.
    name: &'a str,
}

/// The number of decimals if a fraction is also shown as a decimal.
const DECIMALS: u32 = 5;

impl Report {
    /// Makes the report of a written release. All figures are recounted from the raw tables as they are now.
    ///
    /// # Errors
    /// A [`ReportError`] if a file cannot be read, was changed meanwhile, or belongs to another release, or if the verifier and the
    /// engine disagree. A release that breaks the policy is not an error: the report then refuses it, with the reasons.
    pub fn of(analysis: &Analysis, request: &ReportRequest) -> Result<Self, ReportError> {
        let sha256 = hash_file(request.release)?;
        let recounted = Recounted::of(analysis, request.delta, request.release)?;
        Self::of_recounted(analysis, request, &recounted, &sha256)
    }

    /// Makes the report of a release that is already recounted, under the δ of the request. The hash is the hash of the file before the recount.
    ///
    /// # Errors
    /// As [`of`](Self::of).
    pub fn of_recounted(
        analysis: &Analysis,
        request: &ReportRequest,
        recounted: &Recounted,
        sha256: &str,
    ) -> Result<Self, ReportError> {
        let history_path = request.history.map_or_else(|| history::path_of(analysis.path()), Path::to_owned);
        let history = match request.history {
            Some(path) => history::read(path)?,
            None => history::of_project(analysis.path())?,
        };
        let source = Source { file: request.release, history: &history, name: &file_name(&history_path) };
        Self::of_source(analysis, request, source, recounted, sha256)
    }

    /// Makes the report of a recounted release whose file does not have its path yet, but this one. `history` has its entry.
    ///
    /// # Errors
    /// As [`of`](Self::of).
    pub(crate) fn of_staged(
        analysis: &Analysis,
        request: &ReportRequest,
        (file, recounted): (&Path, &Recounted),
        history: &History,
    ) -> Result<Self, ReportError> {
        let sha256 = hash_file(file)?;
        let source = Source { file, history, name: &file_name(&history::path_of(analysis.path())) };
        Self::of_source(analysis, request, source, recounted, &sha256)
    }

    fn of_source(
        analysis: &Analysis,
        request: &ReportRequest,
        Source { file, history, name: source }: Source,
        Recounted { findings, read }: &Recounted,
        sha256: &str,
    ) -> Result<Self, ReportError> {
        let read = read.as_ref();
        let problem = analysis.problem().with_delta(request.delta);
        // A file that is not a faithful release is not measured.
        let faithful = read.filter(|_| findings.is_faithful());
        let recovered = faithful.and_then(|read| pipeline::recovered::of_file(&problem, read));
        recovered.iter().try_for_each(|release| check_agreement((release, request.release), findings))?;
        history.check_taken()?;
        let name = history::name_from_project(analysis.path(), request.release).ok();
        let entry = history.find(sha256, name.as_deref());
        let run = entry.map(|entry| Run { source, entry });
        let node = recovered.as_ref().and_then(|release| release.recoding.node());
        let sitting = origin::sitting((history, source), entry, analysis, &problem, (faithful, node));
        let chosen = chosen(analysis, &problem, faithful, run, sitting.as_ref());
        let verified = findings.is_faithful() && findings.is_present();
        let step = sitting.as_ref().map(|found| (found.index, &found.recoding));
        let written = WrittenRelease { file: request.release, sha256, delta: findings.delta, found: step };
        let known = Circumstances::of_file(analysis, history, written).with_stakes(request.stakes);
        let delta = delta_section(analysis, findings, request, known.stated.clone())?;
        let classes =
            faithful.map(|read| pipeline::risk::classes_of_file_if_single(analysis, read)).transpose()?;
        let project_cautions = caution::of_project(analysis, &mut unwatched)?;
        let facts = Facts::of_file(analysis, findings, faithful.zip(classes.as_ref()), &project_cautions)
            .with_questions(&problem, chosen.exact());
        let facts = Facts { algorithm: (&chosen).into(), is_recorded: true, ..facts };
        let cautions = caution::judge(&facts, &project_cautions, &known).cautions;
        let project_delta = project_delta(analysis);
        let together = together(analysis, &problem, (history, entry, name.as_deref()), faithful);
        let section = sitting.map(|found| HistorySection { seen: known.seen, ..found.section });
        let released = released_file(analysis, request, findings, sha256.to_owned());
        let names: (&str, &str) = (&project_name(request.project), &from_project(analysis, request.release));
        let conclusion = conclusion(verified, &facts);
        let report = Self {
            document: Self::DOCUMENT.to_owned(),
            form: Self::FORM,
            palmtop: env!("CARGO_PKG_VERSION").to_owned(),
            made_at: request.at.to_string(),
            project: analysis.name().to_owned(),
            verdict: Verdict { verified, conclusion, reasons: reasons(findings), cautions },
            stated: (&analysis.project().stated).into(),
            release: released.clone(),
            made_by: run.map(|run| run.made_by(analysis, names, project_delta)),
            tells_more: facts.revealing.columns.clone(),
            inputs: inputs(analysis),
            people: people(analysis, findings),
            adversaries: attackers(findings, &facts, &chosen, together.as_ref()),
            together,
            delta,
            presence: faithful.map(|read| PresenceSection::of(all_counts(read, findings), findings.delta)),
            criteria: criteria(findings),
            disclosures: faithful.zip(classes.as_ref()).and_then(|(read, classes)| {
                disclosures((read, classes), findings, &facts, &analysis.project().stated)
            }),
            utility: recovered.as_ref().map(|release| utility(&problem, release)),
            readability: faithful.map(|read| ReadabilitySection::of(&problem, &read.readability(&problem))),
            fidelity: faithful.map(|read| FidelitySection::of(analysis, read)).transpose()?,
            attributes: attributes(analysis, &problem, read),
            columns: faithful
                .map_or_else(Vec::new, |read| columns::columns(analysis, read, &released.columns)),
            code_list: faithful.map(|read| Codebook::of_file(analysis, read)).transpose()?,
            left_out: left_out(analysis),
            history: section,
            not_covered: coverage::not_covered(
                chosen.exact().is_some(),
                !pipeline::pseudonyms::notes(analysis).is_empty(),
                analysis.entity().is_some(),
            ),
            check: check(request, project_delta, names),
        };
        check_unchanged(analysis, file, sha256)?;
        Ok(report)
    }
}

/// Checks that the inputs and the release did not change while they were read.
fn check_unchanged(analysis: &Analysis, file: &Path, sha256: &str) -> Result<(), ReportError> {
    pipeline::export::check_unchanged(analysis)?;
    if hash_file(file)? != sha256 {
        let name = file.display();
        let changed = format!("{name} was changed while it was verified, so there is no verdict");
        return Err(LocatedError::new(changed).remedy("run the command again").into());
    }
    Ok(())
}

/// Checks that the engine, which recovers the recoding from the rows, has the same result as the verifier.
fn check_agreement((release, file): (&Release, &Path), findings: &Findings) -> Result<(), LocatedError> {
    let disagreement = |detail: String| {
        LocatedError::new(format!("the verifier and the engine disagree on {}: {detail}", file.display()))
            .remedy("do not release the file, and report this as a bug")
    };
    let achieved = Achieved { min: findings.achieved_min, max: findings.achieved_max };
    if achieved != release.achieved {
        let of_engine = release.achieved;
        return Err(disagreement(format!(
            "the verifier found presence {} to {}, the engine {} to {}",
            achieved.min, achieved.max, of_engine.min, of_engine.max
        )));
    }
    // Only the verifier checks limits: a search does not publish labels outside them.
    let kept = findings.keeps_delta() && findings.criteria.iter().all(|outcome| outcome.holds);
    let withdrawn_too_many = findings.withdrawn > findings.withdrawn_at_most;
    if !withdrawn_too_many && release.is_present() != kept {
        return Err(disagreement(format!(
            "the policy {} for the verifier, but not for the engine",
            if kept { "is satisfied" } else { "is broken" }
        )));
    }
    if findings.withdrawn != release.withdrawn() {
        return Err(disagreement(format!(
            "the verifier found {} withdrawn members, the engine {}",
            findings.withdrawn,
            release.withdrawn()
        )));
    }
    Ok(())
}

fn chosen(
    analysis: &Analysis,
    problem: &Problem,
    read: Option<&ReadRelease>,
    run: Option<Run>,
    sitting: Option<&SittingFound>,
) -> Chosen {
    let Some(read) = read else { return Chosen::Unknown };
    if let Some(searched) = sitting.and_then(|found| found.exact) {
        return Chosen::Exact(searched);
    }
    run.map_or(Chosen::Unknown, |run| run.chosen(analysis, problem, read))
}

/// The reasons for a refusal, without any value of a table.
fn reasons(findings: &Findings) -> Vec<String> {
    let mut reasons: Vec<String> = Vec::new();
    if !findings.is_faithful() {
        reasons.push("the file is not a faithful release of the private table".to_owned());
    }
    reasons.extend(findings.problems.iter().map(ToString::to_string));
    if !findings.keeps_delta() {
        reasons.push(format!(
            "presence is {} to {}, but δ permits {} to {}{}",
            findings.achieved_min,
            findings.achieved_max,
            findings.delta.min(),
            findings.delta.max(),
            if findings.forbids_empty { ", and every individual in P must match a row" } else { "" }
        ));
    }
    for outcome in findings.criteria.iter().filter(|outcome| !outcome.holds) {
        let required = outcome.required.as_deref().unwrap_or_default();
        let achieved = outcome.achieved.as_deref().unwrap_or("an unknown value");
        reasons.push(format!("{} = {required} is required, but {achieved} is achieved", outcome.criterion));
    }
    if findings.beyond_limits > 0 {
        reasons.push(format!(
            "{} published labels are outside the limits of their quasi-identifiers",
            findings.beyond_limits
        ));
    }
    reasons
}

fn released_file(
    analysis: &Analysis,
    request: &ReportRequest,
    findings: &Findings,
    sha256: String,
) -> ReleasedFile {
    let format = match ReleaseForm::of(request.release) {
        ReleaseForm::Csv => "CSV",
        ReleaseForm::Parquet => "Parquet",
        ReleaseForm::Arrow => "Arrow",
    };
    let of_csv = |text: &str| (format == "CSV").then(|| text.to_owned());
    ReleasedFile {
        file: file_name(request.release),
        format: format.to_owned(),
        encoding: of_csv("UTF-8"),
        separator: of_csv(","),
        sha256,
        rows: findings.rows,
        columns: if findings.is_faithful() { pipeline::rows::released_columns(analysis) } else { Vec::new() },
    }
}

fn inputs(analysis: &Analysis) -> Vec<InputSection> {
    let project = analysis.project();
    let (public, private): (&[_], &[_]) = match &project.private {
        PrivateSource::Table(table) => (&project.public.table.paths, &table.paths),
        PrivateSource::Member(_) => (&project.public.table.paths, &[]),
    };
    let kind = |path: &Path, is_table: bool| match () {
        () if path == project.path => InputKind::Project,
        () if is_table && project.member_column().is_some() => InputKind::Both,
        () if is_table && private.iter().any(|known| known == path) => InputKind::Private,
        () if is_table && public.iter().any(|known| known == path) => InputKind::Public,
        () => InputKind::Hierarchy,
    };
    let section = |input: &pipeline::InputFile| InputSection {
        kind: kind(&input.path, input.rows.is_some()),
        path: from_project(analysis, &input.path),
        sha256: input.sha256.clone(),
        rows: input.rows,
        left_out: input.left_out,
        modified: origin::modified(&input.path),
    };
    analysis.inputs().iter().map(section).collect()
}

/// The conclusion: what δ means for one person, with the figures of the release.
fn conclusion(verified: bool, facts: &Facts) -> String {
    match facts.presences {
        Some(_) if verified => facts.headline(),
        _ => "This file did not pass verification, so δ promises nothing for it.".to_owned(),
    }
}

fn people(analysis: &Analysis, findings: &Findings) -> PeopleSection {
    let rows = analysis.problem().people().and_then(|_| {
        let entity = analysis.project().entity()?;
        Some(PersonRowsSection {
            entity: entity.name.clone(),
            public: findings.public_rows?,
            private: analysis.problem().histogram().total().private,
        })
    });
    PeopleSection {
        rows,
        count_column: analysis.project().count_column().map(ToOwned::to_owned),
        count_texts: analysis.count_texts(),
        public: findings.public,
        private: findings.private,
        dropped: findings.dropped,
        added: findings.added,
        public_repeats: findings.repeats.0,
        private_repeats: findings.repeats.1,
        unmatched: findings.unmatched,
        withdrawn: findings.withdrawn,
        withdrawn_at_most: findings.withdrawn_at_most,
    }
}

/// The δ of the project file; `None` if the file has none.
fn project_delta(analysis: &Analysis) -> Option<Delta> {
    analysis.project().delta(None, None).ok()
}

fn delta_section(
    analysis: &Analysis,
    findings: &Findings,
    request: &ReportRequest,
    stated: Option<Stated>,
) -> Result<DeltaSection, ReportError> {
    let delta = findings.delta;
    let source = match project_delta(analysis) {
        Some(in_file) if in_file == delta => "the project file".to_owned(),
        Some(in_file) => {
            format!("chosen for this release; the project file has {} to {}", in_file.min(), in_file.max())
        }
        None => "chosen for this release; the project file has no δ".to_owned(),
    };
    let share = Counts::new(findings.public, findings.private).presence();
    let achieved = Delta::new(findings.achieved_min, findings.achieved_max);
    let (reason, grounds) = stated.map_or((None, None), |stated| (stated.reason, stated.grounds));
    // What the history has is not asked for: if no δ follows from it, there is no advice.
    let recorded =
        grounds.and_then(|grounds| grounds.stakes().ok()).filter(|stakes| advise(share, stakes).is_ok());
    let advice = request.stakes.or(recorded.as_ref()).map(|stakes| -> Result<AdviceSection, ReportError> {
        let advised = advise(share, stakes)?.delta();
        Ok(AdviceSection {
            prior: stakes.prior.to_string(),
            cost: stakes.cost.to_string(),
            misuse: stakes.misuse.to_string(),
            misuse_down: stakes.misuse_down.as_ref().map(ToString::to_string),
            delta: advised.into(),
            kept: delta.is_within(advised),
            achieved_within: achieved.as_ref().is_ok_and(|achieved| achieved.is_within(advised)),
        })
    });
    let (min, max) = delta.decimals();
    let decimal = |presence: Presence| Fraction::from(presence);
    Ok(DeltaSection {
        enforced: delta.into(),
        enforced_decimal: Bounds { min, max },
        source,
        looser_than: analysis.project().looser(delta).map(Bounds::from),
        share: share.to_string(),
        achieved: Bounds { min: findings.achieved_min.to_string(), max: findings.achieved_max.to_string() },
        achieved_decimal: Bounds {
            min: decimal(findings.achieved_min).decimal_down(DECIMALS),
            max: decimal(findings.achieved_max).decimal_up(DECIMALS),
        },
        advice: advice.transpose()?,
        reason: reason.map(|reason| reason.to_string()),
    })
}

fn utility(problem: &Problem, release: &Release) -> UtilitySection {
    let metrics = &release.metrics;
    let losses = std::iter::zip(metrics.loss.by_attribute(), metrics.occurring_loss.by_attribute());
    let attributes = problem.quasi().iter().zip(losses).map(|(quasi, (&loss, &loss_occurring))| {
        AttributeLoss { attribute: quasi.name.clone(), loss, loss_occurring }
    });
    UtilitySection {
        recoding: release.recoding.node().map_or_else(|| "regions".to_owned(), |node| format!("node {node}")),
        loss: metrics.loss.mean(),
        loss_geometric: metrics.loss.geometric(),
        loss_occurring: metrics.occurring_loss.mean(),
        discernibility: metrics.discernibility,
        average_class_size: metrics.average_class_size,
        precision: metrics.precision,
        attributes: attributes.collect(),
    }
}

fn left_out(analysis: &Analysis) -> LeftOutSection {
    let project = analysis.project();
    let pseudonyms = pipeline::pseudonyms::notes(analysis).into_iter();
    LeftOutSection {
        identifiers: analysis.identifiers(),
        withheld: analysis.attributes_of(Role::Withheld),
        pseudonyms: pseudonyms
            .map(|note| PseudonymSection { column: note.column, made: note.made.to_owned() })
            .collect(),
        unlisted: pipeline::rows::unlisted_columns(analysis),
        not_in_public: match project.outsiders {
            OutsiderRule::Refuse => "error",
            OutsiderRule::Drop => "drop",
            OutsiderRule::Add => "add",
        }
        .to_owned(),
        suppress_at_most: project.suppress_at_most.clone(),
    }
}

fn check(
    request: &ReportRequest,
    project_delta: Option<Delta>,
    (project, release): (&str, &str),
) -> CheckSection {
    let (project, release, delta) =
        (quoted(project), quoted(release), delta_flags(request.delta, project_delta));
    CheckSection { command: format!("palmtop verify {project} {release}{delta}") }
}
