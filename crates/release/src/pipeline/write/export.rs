//! Writes a release to a verified file.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::pipeline::read::stage::{self, ExportObserver, ExportStage};
use crate::pipeline::rows::of_release::{Formulas, ReleaseRows, private_table_rows, raw_rows, release_rows};
use crate::pipeline::rows::pseudonyms;
use crate::pipeline::rows::pseudonyms::{GivenPseudonym, PseudonymNote, Pseudonyms};
use crate::pipeline::written::agreement;
use crate::pipeline::written::earlier_release;
use crate::pipeline::written::earlier_release::BothRead;
use crate::pipeline::written::spec::verify_spec;
use crate::pipeline::{Analysis, PipelineError, ReadRelease, Recounted};
use palmtop_core::model::Delta;
use palmtop_core::progress::{Meter, unwatched};
use palmtop_core::words::plural;
use palmtop_project::PrivateSource;
use palmtop_search::release::{Achieved, Claim, Release, Verification};
use palmtop_tables::read;
use palmtop_tables::trial;
use palmtop_tables::write::{Disk, Gate, RealDisk, ReleaseFormat, Ward};
use palmtop_verify::{self as verify, Findings, ReleaseForm};

/// Options of writing a release.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExportOptions {
    /// Overwrite an existing file of the same name.
    pub force: bool,
    /// Write the release even if it does not satisfy the policy.
    pub allow_not_present: bool,
}

/// A release to write: its file, and how to write it.
#[derive(Clone, Copy, Debug)]
pub struct Export<'a> {
    /// The release. The verification of the file must confirm its claims.
    pub release: &'a Release,
    /// The path of the file. Its ending decides the format.
    pub target: &'a Path,
    /// The options of writing.
    pub options: ExportOptions,
    /// An earlier release. Both releases are composed before the file gets its name: every person must
    /// stay within δ for an attacker who has both.
    pub earlier: Option<&'a ReadRelease>,
}

/// A release on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The path of the file.
    pub path: PathBuf,
    /// The number of rows, without the header.
    pub rows: u64,
    /// The size of the file in bytes.
    pub bytes: u64,
    /// The result of the verification.
    pub verification: Verification,
    /// The cells that a spreadsheet would compute instead of showing them.
    pub formulas: Formulas,
    /// The columns that have pseudonyms.
    pub pseudonyms: Vec<PseudonymNote>,
    /// The time to check the inputs, make the rows, write them to the disk and name the file.
    pub writing: Duration,
    /// The time of the verification.
    pub verifying: Duration,
}

/// A gate that protects the files of this project. It refuses to overwrite them, and refuses a new
/// file that would become a file of the tables.
pub fn gate(analysis: &Analysis) -> Gate {
    let inputs = analysis.inputs.iter().map(|input| input.path.as_path());
    let keys =
        pseudonyms::rules(analysis).filter_map(|(_, rule)| rule.keyed()).map(|keyed| keyed.key.as_path());
    let mut gate = Gate::guarding(Ward::Input, inputs.chain(keys));
    let private = match &analysis.project.private {
        PrivateSource::Table(table) => Some(table),
        PrivateSource::Member(_) => None,
    };
    let tables = std::iter::once(&analysis.project.public.table).chain(private);
    tables.filter_map(|table| table.pattern.clone()).for_each(|pattern| gate.guard_pattern(pattern));
    gate
}

/// Writes a release.
///
/// The file has no name until it is synced and verified against the raw tables.
///
/// # Errors
/// Any [`PipelineError`]. After each error the target is unchanged.
pub fn write(
    analysis: &Analysis,
    release: &Release,
    target: &Path,
    options: ExportOptions,
) -> Result<Written, PipelineError> {
    let export = Export { release, target, options, earlier: None };
    let written = write_through(analysis, export, &mut gate(analysis), &mut RealDisk, &mut unwatched);
    written.map(|(written, _)| written)
}

/// [`write`](fn@write) through a gate, to a disk, with an observer.
///
/// The gate should come from [`gate`]; it may guard more files, such as those that the same run
/// wrote. The observer gets the progress and can stop the export. Once the file has its name, the
/// observer gets no more reports. With an earlier release, the result has both releases as they were
/// read, and their composition.
///
/// # Errors
/// As [`write`](fn@write); [`PipelineError::Cancelled`] if the observer stops the export;
/// [`PipelineError::NotPresentTogether`] if a person leaves δ together with the earlier release.
pub fn write_through(
    analysis: &Analysis,
    export: Export,
    gate: &mut Gate,
    disk: &mut dyn Disk,
    observer: &mut ExportObserver,
) -> Result<(Written, Option<BothRead>), PipelineError> {
    let exported = write_recorded(analysis, export, (gate, disk), Besides::default(), observer)?;
    Ok((exported.written, exported.both))
}

/// Takes note of a verified file that has no name yet, with its number of rows. An error stops the export.
pub(crate) type Recorder<'a> = dyn FnMut(&Path, u64) -> Result<(), PipelineError> + 'a;

/// What happens besides writing and verifying.
#[derive(Default)]
pub(crate) struct Besides<'a> {
    /// Runs before the file has its name.
    pub(crate) record: Option<&'a mut Recorder<'a>>,
    /// Whether reports and a list of pseudonyms follow.
    pub(crate) is_for_package: bool,
}

/// A release on disk, with what its verification read.
pub(crate) struct Exported {
    pub(crate) written: Written,
    /// Both releases, if there is an earlier one.
    pub(crate) both: Option<BothRead>,
    /// The recount, for a package.
    pub(crate) recounted: Option<Recounted>,
    /// The keyed pseudonyms, for a package.
    pub(crate) given: Vec<GivenPseudonym>,
}

/// [`write_through`] with what happens besides.
pub(crate) fn write_recorded(
    analysis: &Analysis,
    Export { release, target, options, earlier }: Export,
    (gate, disk): (&mut Gate, &mut dyn Disk),
    Besides { record, is_for_package }: Besides,
    observer: &mut ExportObserver,
) -> Result<Exported, PipelineError> {
    let claim = &release.claim();
    let started = Instant::now();
    gate.check(target, options.force)?;
    if !claim.is_present && !options.allow_not_present {
        let (achieved, bounds) = (claim.achieved, claim.bounds);
        let broken =
            claim.standings.iter().filter(|standing| !standing.is_delta() && !standing.holds).cloned();
        let broken = broken.collect();
        return Err(PipelineError::NotPresent { achieved, bounds, broken });
    }
    let sizes: u64 = analysis.inputs.iter().map(|input| stage::size_of(&input.path)).sum();
    let mut pseudonyms = stage::metered(observer, ExportStage::Checking, sizes, |meter| {
        check_inputs(analysis, meter)?;
        Pseudonyms::prepare(analysis, &mut |_| meter(sizes))
    })?;
    if is_for_package {
        pseudonyms.keep_list(analysis);
    }
    let rows = private_table_rows(analysis);
    let (lines, formulas) = stage::metered(observer, ExportStage::Reading, rows, |meter| {
        let ReleaseRows { lines, formulas, .. } = release_rows(analysis, release, &mut pseudonyms, meter)?;
        Ok((lines, formulas))
    })?;
    let bytes = lines.bytes();
    stage::tell(observer, ExportStage::Writing, 0, bytes)?;
    // The functions `fill` and `check` both report to the observer, one after the other.
    let observer = RefCell::new(observer);
    let fill = |out: &mut dyn std::io::Write| {
        let mut observer = observer.borrow_mut();
        lines.write_as(ReleaseFormat::of(target), out, &mut |done| {
            stage::tell(*observer, ExportStage::Writing, done, bytes)
                .map_or(ControlFlow::Break(()), ControlFlow::Continue)
        })
    };
    let mut verifying = Duration::ZERO;
    let (mut both, mut recounted) = (None, None);
    let check = |unnamed: &Path| {
        let started = Instant::now();
        let mut observer = observer.borrow_mut();
        stage::tell(*observer, ExportStage::Writing, bytes, bytes)?;
        let verification = stage::metered(*observer, ExportStage::Verifying, raw_rows(analysis), |meter| {
            let spec = verify_spec(&analysis.project, claim.bounds.delta())?;
            let findings = if is_for_package {
                let found = Recounted::of_spec(analysis, &spec, (unnamed, target), meter)?;
                &recounted.insert(found).findings
            } else {
                &verify::verify_as(&spec, unnamed, ReleaseForm::of(target), meter)?
            };
            let verification = check_findings(findings, claim, options)?;
            if let Some(earlier) = earlier {
                both = Some(earlier_release::check(analysis, earlier, unnamed, target, meter)?);
            }
            Ok(verification)
        });
        verifying = started.elapsed();
        let verification = verification?;
        record.map_or(Ok(()), |record| record(unnamed, lines.rows()))?;
        Ok::<_, PipelineError>(verification)
    };
    let verification = gate.write(disk, target, options.force, fill, check)?;
    let bytes = if ReleaseFormat::of(target) == ReleaseFormat::Csv { bytes } else { stage::size_of(target) };
    let written = Written {
        path: target.to_owned(),
        rows: lines.rows(),
        bytes,
        verification,
        formulas,
        pseudonyms: pseudonyms::notes(analysis),
        writing: started.elapsed().saturating_sub(verifying),
        verifying,
    };
    Ok(Exported { written, both, recounted, given: pseudonyms.into_list() })
}

/// Verifies a written release against the raw tables and the hierarchies.
///
/// # Errors
/// [`PipelineError::Verify`] if an input cannot be read. Faults of the release are findings.
pub fn verify(analysis: &Analysis, delta: Delta, written: &Path) -> Result<Findings, PipelineError> {
    trial::check_release(written)?;
    Ok(verify::verify(&verify_spec(&analysis.project, delta)?, written)?)
}

/// Compares the findings of a written file with what the release claims.
fn check_findings(
    findings: &Findings,
    claim: &Claim,
    options: ExportOptions,
) -> Result<Verification, PipelineError> {
    if !findings.is_faithful() {
        let problems: Vec<String> = findings.problems.iter().map(ToString::to_string).collect();
        return Err(PipelineError::Unfaithful(problems.join("; ")));
    }
    let achieved = Achieved { min: findings.achieved_min, max: findings.achieved_max };
    if !findings.is_present() && !options.allow_not_present {
        let (bounds, broken) = (claim.bounds, agreement::broken(&findings.criteria));
        return Err(PipelineError::NotPresent { achieved, bounds, broken });
    }
    if achieved != claim.achieved {
        let (found, expected) = (achieved, claim.achieved);
        return Err(PipelineError::Unfaithful(format!(
            "presence {} to {} instead of {} to {}",
            found.min, found.max, expected.min, expected.max
        )));
    }
    if findings.withdrawn != claim.withdrawn {
        return Err(PipelineError::Unfaithful(format!(
            "{} withdrawn instead of {}",
            plural(findings.withdrawn, "member"),
            claim.withdrawn
        )));
    }
    agreement::check(&claim.standings, &findings.criteria).map_err(PipelineError::Unfaithful)?;
    let &Findings { rows, classes, unmatched, withdrawn, .. } = findings;
    Ok(Verification { achieved, rows, classes, unmatched, withdrawn })
}

/// Hashes every input file again, and refuses if a file differs from the loaded one.
///
/// # Errors
/// [`PipelineError::InputChanged`] with the first file that changed or is missing.
pub fn check_unchanged(analysis: &Analysis) -> Result<(), PipelineError> {
    check_inputs(analysis, &mut unwatched)
}

/// Refuses if an input file differs from the loaded one.
fn check_inputs(analysis: &Analysis, meter: &mut Meter) -> Result<(), PipelineError> {
    let mut before = 0;
    for input in &analysis.inputs {
        if read::hash_watched(&input.path, &mut |done| meter(before + done))? != input.sha256 {
            return Err(PipelineError::changed(&input.path));
        }
        before += stage::size_of(&input.path);
    }
    Ok(())
}
