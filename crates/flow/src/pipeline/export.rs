//! Writes a release to a verified file.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::agreement;
use super::beside::BothRead;
use super::members::MemberColumns;
use super::pseudonyms::{PseudonymNote, Pseudonyms};
use super::published::Publisher;
use super::stage::{self, ExportObserver, ExportStage};
use super::{Analysis, PipelineError, ReadRelease};
use crate::project::{Attribute, PriorSource, PrivateSource, Project};
use palmtop_core::model::{Cuts, Delta, EmptyRegions, Level};
use palmtop_core::progress::{Meter, unwatched};
use palmtop_search::release::{Achieved, Claim, Release, Verification};
use palmtop_tables::encode::Readings;
use palmtop_tables::error::DataError;
use palmtop_tables::join::OutsiderRule;
use palmtop_tables::place::At;
use palmtop_tables::pseudonym::{PseudonymForm, PseudonymRule};
use palmtop_tables::read::{self, ReadFile, TableSpec};
use palmtop_tables::reading::{Form, Reading};
use palmtop_tables::trial;
use palmtop_tables::write::{Disk, Gate, Lines, RealDisk, ReleaseFormat, Ward, WriteError};
use palmtop_verify::{
    self as verify, AttributeSpec, Findings, HierarchySource, Limits, Notation, OtherDelta, PriorSpec,
    PseudonymSpec, ReleaseForm, Spelling, Strangers, TableSource, VerifySpec, Writing,
};

/// Options of writing a release.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExportOptions {
    /// Overwrite an existing file of the same name.
    pub force: bool,
    /// Write the release even if it does not satisfy the policy.
    pub allow_not_present: bool,
}

/// The file of a release, its options, and the earlier release that it must keep δ together with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target<'a> {
    pub(super) path: &'a Path,
    pub(super) options: ExportOptions,
    pub(super) beside: Option<&'a ReadRelease>,
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

/// Cells of a release that a spreadsheet may take for formulas. The release has these cells
/// unchanged, so its readers need a warning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Formulas {
    /// The number of these cells.
    pub cells: u64,
    /// The columns that have such cells, in T's order.
    pub columns: Vec<String>,
}

impl Formulas {
    /// A warning about these cells, which contains no value of a cell; `None` if there are none.
    pub fn warning(&self) -> Option<String> {
        let columns: Vec<String> = self.columns.iter().map(|column| format!("`{column}`")).collect();
        let columns = columns.join(", ");
        match self.cells {
            0 => None,
            1 => Some(format!(
                "1 cell begins as a formula does, in column {columns}; a spreadsheet may run it"
            )),
            cells => {
                Some(format!("{cells} cells begin as formulas do, in {columns}; a spreadsheet may run them"))
            }
        }
    }
}

/// A gate that protects the files of this project. It refuses to overwrite them, and refuses a new
/// file that would become a file of the tables.
pub fn gate(analysis: &Analysis) -> Gate {
    let inputs = analysis.inputs.iter().map(|input| input.path.as_path());
    let keys = super::pseudonyms::rules(analysis)
        .filter_map(|(_, rule)| rule.keyed())
        .map(|keyed| keyed.key.as_path());
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
    write_to(analysis, &mut RealDisk, release, target, options)
}

/// [`write`](fn@write) to a given disk, which may fail.
///
/// # Errors
/// As [`write`](fn@write).
pub fn write_to(
    analysis: &Analysis,
    disk: &mut dyn Disk,
    release: &Release,
    target: &Path,
    options: ExportOptions,
) -> Result<Written, PipelineError> {
    let target = Target { path: target, options, beside: None };
    write_claimed(analysis, &mut gate(analysis), disk, (release, &release.claim()), target, &mut unwatched)
        .map(|(written, _)| written)
}

/// [`write`](fn@write), which reports its progress to an observer. The observer can stop it.
///
/// Once the file has its name, the observer gets no more reports and cannot stop the export.
///
/// # Errors
/// As [`write`](fn@write); [`PipelineError::Cancelled`] if the observer stops the export.
pub fn write_watched(
    analysis: &Analysis,
    release: &Release,
    target: &Path,
    options: ExportOptions,
    observer: &mut ExportObserver,
) -> Result<Written, PipelineError> {
    write_through(analysis, &mut gate(analysis), release, target, options, observer)
}

/// [`export_watched`](write_watched) through a gate that guards more than the files of the project,
/// for example the files that the same run wrote. The gate should come from [`gate`].
///
/// # Errors
/// As [`export_watched`](write_watched).
pub fn write_through(
    analysis: &Analysis,
    gate: &mut Gate,
    release: &Release,
    target: &Path,
    options: ExportOptions,
    observer: &mut ExportObserver,
) -> Result<Written, PipelineError> {
    let target = Target { path: target, options, beside: None };
    write_claimed(analysis, gate, &mut RealDisk, (release, &release.claim()), target, observer)
        .map(|(written, _)| written)
}

/// Writes a release to a disk through a gate. The verification must confirm each claim. If the
/// target names an earlier release, the verification reads both releases together. The result of
/// this joint reading is returned too.
pub(super) fn write_claimed(
    analysis: &Analysis,
    gate: &mut Gate,
    disk: &mut dyn Disk,
    (release, claim): (&Release, &Claim),
    Target { path: target, options, beside }: Target,
    observer: &mut ExportObserver,
) -> Result<(Written, Option<BothRead>), PipelineError> {
    let started = Instant::now();
    gate.check(target, options.force)?;
    if !claim.is_present && !options.allow_not_present {
        let (achieved, delta) = (claim.achieved, claim.delta);
        let broken = claim.standings.iter().filter(|own| !own.is_delta() && !own.holds).cloned();
        let broken = broken.collect();
        return Err(PipelineError::NotPresent { achieved, delta, broken });
    }
    let sizes: u64 = analysis.inputs.iter().map(|input| stage::size_of(&input.path)).sum();
    let mut pseudonyms = stage::metered(observer, ExportStage::Checking, sizes, |meter| {
        check_inputs(analysis, meter)?;
        Pseudonyms::prepare(analysis, &mut |_| meter(sizes))
    })?;
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
    let mut both = None;
    let check = |unnamed: &Path| {
        let started = Instant::now();
        let mut observer = observer.borrow_mut();
        stage::tell(*observer, ExportStage::Writing, bytes, bytes)?;
        let verification = stage::metered(*observer, ExportStage::Verifying, raw_rows(analysis), |meter| {
            let verification = check_written(analysis, claim, (unnamed, target), options, meter)?;
            if let Some(beside) = beside {
                both = Some(super::beside::check(analysis, beside, unnamed, target, meter)?);
            }
            Ok(verification)
        });
        verifying = started.elapsed();
        verification
    };
    let verification = gate.write(disk, target, options.force, fill, check).map_err(|error| match error {
        WriteError::Target(error) => error.into(),
        WriteError::Disk(error) => error.into(),
        WriteError::Refused(error) => error,
    })?;
    let bytes = if ReleaseFormat::of(target) == ReleaseFormat::Csv { bytes } else { stage::size_of(target) };
    let written = Written {
        path: target.to_owned(),
        rows: lines.rows(),
        bytes,
        verification,
        formulas,
        pseudonyms: super::pseudonyms::notes(analysis),
        writing: started.elapsed().saturating_sub(verifying),
        verifying,
    };
    Ok((written, both))
}

/// Verifies a written release against the raw tables and the hierarchies.
///
/// # Errors
/// [`PipelineError::Verify`] if an input cannot be read. Faults of the release are findings.
pub fn verify(analysis: &Analysis, delta: Delta, written: &Path) -> Result<Findings, PipelineError> {
    trial::check_release(written)?;
    Ok(verify::verify(&verify_spec(&analysis.project, delta)?, written)?)
}

/// Verifies a file that has no name yet, in the format of the target's name.
fn check_written(
    analysis: &Analysis,
    claim: &Claim,
    (temporary, target): (&Path, &Path),
    options: ExportOptions,
    meter: &mut Meter,
) -> Result<Verification, PipelineError> {
    let spec = verify_spec(&analysis.project, claim.delta)?;
    let findings = verify::verify_as(&spec, temporary, ReleaseForm::of(target), meter)?;
    if !findings.is_faithful() {
        let problems: Vec<String> = findings.problems.iter().map(ToString::to_string).collect();
        return Err(PipelineError::Unfaithful(problems.join("; ")));
    }
    let achieved = Achieved { min: findings.achieved_min, max: findings.achieved_max };
    if !findings.is_present() && !options.allow_not_present {
        let (delta, broken) = (claim.delta, agreement::broken(&findings.criteria));
        return Err(PipelineError::NotPresent { achieved, delta, broken });
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
            "{} members withdrawn instead of {}",
            findings.withdrawn, claim.withdrawn
        )));
    }
    agreement::check(&claim.standings, &findings.criteria).map_err(PipelineError::Unfaithful)?;
    let Findings { rows, classes, unmatched, withdrawn, .. } = findings;
    Ok(Verification { achieved, rows, classes, unmatched, withdrawn })
}

/// Hashes every input file again, and refuses if a file differs from the loaded one.
///
/// # Errors
/// [`PipelineError::InputChanged`] with the first file that changed or is missing.
pub fn check_unchanged(analysis: &Analysis) -> Result<(), PipelineError> {
    check_inputs(analysis, &mut unwatched)
}

/// The columns of a release of this T, in T's order.
pub fn released_columns(analysis: &Analysis) -> Vec<String> {
    analysis.private.columns().iter().filter(|column| is_released(analysis, column)).cloned().collect()
}

/// The columns of T that belong to no attribute. No release has them. The list is empty if T is
/// part of P, because its other columns are P's.
pub fn unlisted_columns(analysis: &Analysis) -> Vec<String> {
    if analysis.project.member_column().is_some() {
        return Vec::new();
    }
    let is_unlisted = |column: &&String| attribute_of(analysis, column).is_none();
    analysis.private.columns().iter().filter(is_unlisted).cloned().collect()
}

/// Whether a release has a column of T: unchanged, generalized or as pseudonyms.
fn is_released(analysis: &Analysis, column: &str) -> bool {
    let attribute = attribute_of(analysis, column);
    attribute.is_some_and(|attribute| attribute.role.is_written() || attribute.pseudonym.is_some())
}

/// Refuses if an input file differs from the loaded one.
fn check_inputs(analysis: &Analysis, meter: &mut Meter) -> Result<(), PipelineError> {
    let mut before = 0;
    for input in &analysis.inputs {
        if read::hash_watched(&input.path, &mut |done| meter(before + done))? != input.sha256 {
            return Err(PipelineError::InputChanged { path: input.path.clone() });
        }
        before += stage::size_of(&input.path);
    }
    Ok(())
}

/// The number of rows in the file that has T. If T is part of P, this is P's file.
fn private_table_rows(analysis: &Analysis) -> u64 {
    if analysis.project.member_column().is_some() { analysis.public_rows } else { analysis.private_rows }
}

/// The number of rows of all raw tables: P's file, and T's file if T is separate.
pub(super) fn raw_rows(analysis: &Analysis) -> u64 {
    let own = if analysis.project.member_column().is_some() { 0 } else { analysis.private_rows };
    analysis.public_rows + own
}

/// The rows of a release as they will be written. Its pseudonyms are final or placeholders for
/// display. The meter gets the number of processed rows of T's file.
pub(super) fn release_rows(
    analysis: &Analysis,
    release: &Release,
    pseudonyms: &mut Pseudonyms,
    meter: &mut Meter,
) -> Result<ReleaseRows, PipelineError> {
    let header = released_columns(analysis);
    let members = MemberColumns::new(analysis, header.iter().map(String::as_str));
    let wanted = members.columns.clone();
    let pseudonym_places: Vec<usize> = super::pseudonyms::rules(analysis)
        .map(|(attribute, _)| members.position(analysis.project.private_column(attribute)))
        .collect::<Result<_, _>>()?;
    let is_kept = |place: &usize| !members.quasi_places.contains(place) && !pseudonym_places.contains(place);
    let kept = (0..header.len()).filter(is_kept);
    let mut maker = RowMaker {
        analysis,
        release,
        labels: release.classes.of_rows().iter().map(|class| class.texts(&analysis.problem)).collect(),
        kept: kept.map(|place| (place, super::published::publisher(analysis, &header[place]))).collect(),
        members,
        pseudonym_places,
        pseudonyms,
        lines: Lines::begin(&header),
        formulas: FormulaCount::of(&header),
        row: 0,
        withdrawn: 0,
        header: &header,
    };
    let mut refusal = None;
    let files = analysis.private.visit(&wanted, &mut unwatched, &mut |at, texts| {
        // The reader of tables accepts only `DataError`, so the closure keeps the error in
        // `refusal`.
        maker.add(at, texts, meter).map_err(|error| {
            refusal = Some(error);
            DataError::Cancelled
        })
    });
    if let Some(refusal) = refusal {
        return Err(refusal);
    }
    for ReadFile { path, sha256, .. } in files? {
        if analysis.inputs.iter().any(|input| input.path == path && input.sha256 != sha256) {
            return Err(PipelineError::InputChanged { path });
        }
    }
    let path = analysis.private.path();
    let is_whole = maker.lines.rows() + maker.withdrawn == analysis.problem.histogram().total().private;
    if !is_whole || maker.withdrawn != release.withdrawn() {
        return Err(DataError::changed(path).into());
    }
    let (lines, formulas) = (maker.lines.sorted(), maker.formulas.told(&header));
    Ok(ReleaseRows { header, lines, formulas })
}

/// The attribute of a column of T.
pub(super) fn attribute_of<'a>(analysis: &'a Analysis, column: &str) -> Option<&'a Attribute> {
    analysis.project.attributes.iter().find(|attribute| analysis.project.private_column(attribute) == column)
}

/// A release as it will be written.
pub(super) struct ReleaseRows {
    pub(super) header: Vec<String>,
    pub(super) lines: Lines,
    pub(super) formulas: Formulas,
}

/// Makes the rows of a release from the rows of T's file.
struct RowMaker<'a> {
    analysis: &'a Analysis,
    release: &'a Release,
    /// The labels of the quasi-identifiers, for each class of rows.
    labels: Vec<Vec<String>>,
    header: &'a [String],
    members: MemberColumns<'a>,
    /// The columns that only T has: the position in a row of T's file as it is read, and how the
    /// column is published.
    kept: Vec<(usize, Publisher<'a>)>,
    pseudonym_places: Vec<usize>,
    pseudonyms: &'a mut Pseudonyms,
    lines: Lines,
    formulas: FormulaCount,
    /// The number of processed rows of T's file.
    row: u64,
    /// The number of withdrawn members.
    withdrawn: u64,
}

impl RowMaker<'_> {
    /// The number of rows between two reports to the meter.
    const STRIDE: u64 = 1 << 14;

    /// Adds a row of T's file. Reports to the meter every `STRIDE` rows.
    fn add(&mut self, at: At, texts: &[&str], meter: &mut Meter) -> Result<(), PipelineError> {
        if self.row.is_multiple_of(Self::STRIDE) && meter(self.row).is_break() {
            return Err(PipelineError::Cancelled);
        }
        self.row += 1;
        let Some((combination, people)) = self.members.combination(at, texts)? else { return Ok(()) };
        let classes = self.release.classes.of_rows();
        let class = classes.class_of[combination];
        if classes.pool() == Some(class) {
            self.withdrawn += people;
            return Ok(());
        }
        let class = class as usize;
        let identifiers: Vec<&str> = self.pseudonym_places.iter().map(|&place| texts[place]).collect();
        let given = self.pseudonyms.give(&identifiers).map_err(|(nth, unfit)| PipelineError::Pseudonym {
            path: self.analysis.private.file_of(at).to_owned(),
            row: Some(at.row),
            column: self.header[self.pseudonym_places[nth]].clone(),
            why: unfit.to_string(),
        })?;
        let mut fields = texts[..self.header.len()].to_vec();
        for (pseudonym, &place) in given.iter().zip(&self.pseudonym_places) {
            fields[place] = pseudonym;
        }
        for (label, &place) in self.labels[class].iter().zip(&self.members.quasi_places) {
            fields[place] = label;
        }
        let path = || self.analysis.private.file_of(at).to_owned();
        for &(position, publisher) in &self.kept {
            let published = publisher.text(fields[position]);
            fields[position] = published.ok_or_else(|| DataError::changed(&path()))?;
            if is_row_in_disguise(fields[position], fields.len()) {
                let column = self.header[position].clone();
                return Err(PipelineError::RowInDisguise { path: path(), row: at.row, column });
            }
        }
        self.lines.push(&fields, people)?;
        self.formulas.add(&fields, people);
        Ok(())
    }
}

/// Whether an unchanged value contains a line that looks like a row of the release. A program that
/// reads the file line by line would count a person who does not exist.
fn is_row_in_disguise(value: &str, columns: usize) -> bool {
    let is_break = |character: char| matches!(character, '\n' | '\r');
    value.contains(is_break) && value.split(is_break).any(|line| line.split(',').count() == columns)
}

/// Counts the cells that a spreadsheet takes for formulas.
struct FormulaCount {
    cells: u64,
    /// The positions of the columns that have such cells.
    columns: BTreeSet<usize>,
}

impl FormulaCount {
    /// Starts with the header, because a column's name is a cell too.
    fn of(header: &[String]) -> Self {
        let mut own = Self { cells: 0, columns: BTreeSet::new() };
        let names: Vec<&str> = header.iter().map(String::as_str).collect();
        own.add(&names, 1);
        own
    }

    /// Adds a row that occurs `count` times.
    fn add(&mut self, fields: &[&str], count: u64) {
        for (place, _) in fields.iter().enumerate().filter(|(_, field)| is_formula(field)) {
            self.cells = self.cells.saturating_add(count);
            self.columns.insert(place);
        }
    }

    fn told(self, header: &[String]) -> Formulas {
        let columns = self.columns.into_iter().map(|place| header[place].clone());
        Formulas { cells: self.cells, columns: columns.collect() }
    }
}

/// Whether a spreadsheet may take a text for a formula: it starts like a formula and is not a
/// number.
fn is_formula(text: &str) -> bool {
    let Some(rest) = text.strip_prefix(['=', '+', '-', '@', '\t', '\r']) else { return false };
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = rest.split_once('.').unwrap_or((rest, "0"));
    !(text.starts_with(['+', '-']) && is_digits(whole) && is_digits(fraction))
}

/// The project as it was loaded, for the verifier.
///
/// The verifier reads the project file again with a separate reader. Both readings must be equal.
pub(super) fn verify_spec(project: &Project, delta: Delta) -> Result<VerifySpec, PipelineError> {
    let loaded = loaded_spec(project, delta);
    let other = OtherDelta { min: Some(delta.min()), max: Some(delta.max()) };
    let read = VerifySpec::of_project(&project.path, other);
    match read.map(|read| loaded.first_difference(&read)) {
        Ok(None) => Ok(loaded),
        Ok(Some(part)) => Err(PipelineError::TwoReadings { path: project.path.clone(), part }),
        Err(error) => Err(PipelineError::SecondReading(error)),
    }
}

/// The loaded project in the types of the verifier.
fn loaded_spec(project: &Project, delta: Delta) -> VerifySpec {
    let attribute = |attribute: &Attribute| AttributeSpec {
        name: attribute.name.clone(),
        role: attribute.role,
        public_column: attribute.public_column.clone(),
        private_column: project.private_column(attribute).to_owned(),
        hierarchy: match (&attribute.hierarchy, &attribute.value_tree) {
            (Some(file), _) => Some(HierarchySource {
                path: file.path.clone(),
                kind: file.kind,
                public_level: file.public_level,
            }),
            (None, tree) => {
                tree.clone().map(|path| HierarchySource { path, kind: None, public_level: Level(0) })
            }
        },
        limits: Limits {
            finest: attribute.levels.finest,
            coarsest: attribute.levels.coarsest,
            labels: attribute.cuts == Cuts::Labels
                || attribute
                    .hierarchy
                    .as_ref()
                    .is_some_and(|file| attribute.levels.finest > Some(file.public_level)),
        },
        publish: attribute.publish,
        is_entity: attribute.is_entity,
        repeats: attribute.repeats,
        pseudonym: attribute.pseudonym.as_ref().map(pseudonym_spec),
        spelling: spelling(&attribute.readings),
    };
    VerifySpec {
        project: Some(project.path.clone()),
        public: table_source(&project.public.table),
        count: project
            .public
            .count
            .as_ref()
            .map(|count| verify::CountSource { column: count.column.clone(), texts: count.texts.clone() }),
        private: match &project.private {
            PrivateSource::Table(table) => verify::PrivateSource::Table(table_source(table)),
            PrivateSource::Member(member) => {
                verify::PrivateSource::Member { column: member.column.clone(), is: member.is.clone() }
            }
        },
        attributes: project.attributes.iter().map(attribute).collect(),
        unlisted_dropped: project.drop_unlisted,
        strangers: match project.outsiders {
            OutsiderRule::Refuse => Strangers::Refuse,
            OutsiderRule::Drop => Strangers::Drop,
            OutsiderRule::Add => Strangers::Add,
        },
        delta,
        forbids_empty: project.empty_regions == EmptyRegions::Forbid,
        policy: project.policy.clone(),
        suppress_at_most: project.suppress_at_most.clone(),
        prior: project
            .prior
            .as_ref()
            .map(|prior| PriorSpec { source: prior_source(prior), is_judged: false }),
    }
}

/// How the verifier recomputes pseudonyms.
fn pseudonym_spec(rule: &PseudonymRule) -> PseudonymSpec {
    match rule {
        PseudonymRule::New => PseudonymSpec::New,
        PseudonymRule::Keyed(keyed) => PseudonymSpec::Keyed {
            key: keyed.key.clone(),
            domain: keyed.domain.clone(),
            are_digits: keyed.form == PseudonymForm::Digits,
        },
    }
}

fn prior_source(prior: &PriorSource) -> verify::PriorSource {
    match prior {
        PriorSource::Column(column) => verify::PriorSource::Column(column.clone()),
        PriorSource::Rates(path) => verify::PriorSource::Rates(TableSource::of(path.clone())),
    }
}

/// How the verifier reads the texts of a quasi-identifier.
fn spelling(readings: &Readings) -> Spelling {
    let writing = |reading: &Reading| Writing {
        trim: reading.trim,
        values: reading.values.clone(),
        missing: reading.missing.clone(),
        notation: match &reading.form {
            Form::Text => Notation::Text,
            Form::Number(form) => Notation::Number { decimal: form.decimal(), thousands: form.thousands() },
            Form::Date(form) => Notation::Date(form.pattern().to_owned()),
        },
    };
    Spelling {
        public: writing(&readings.public),
        private: writing(&readings.private),
        missing_label: readings.public.missing_label.clone(),
        missing_at_top: readings.missing_at_top,
    }
}

/// The files of a table and their format, for the verifier.
fn table_source(table: &TableSpec) -> TableSource {
    TableSource {
        paths: table.paths.clone(),
        separator: table.separator,
        quote: table.quote.mark(),
        encoding: table.encoding.map(|encoding| encoding.as_str().to_owned()),
        sheet: table.sheet.clone(),
        header_row: table.header_row.unwrap_or(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_a_value_with_as_many_fields_as_a_row_is_a_row_in_disguise() {
        for (value, columns, is_one) in [
            ("30,flu", 2, false),
            ("a\n30,flu", 2, true),
            ("30,flu\na", 2, true),
            ("a\r\n30,flu\r\n", 2, true),
            ("a\r30,flu", 2, true),
            ("a\n30,flu", 3, false),
            ("a\n30,\"x,y\"", 3, true),
            ("a\nb\nc", 2, false),
            ("a\n", 1, true),
            ("", 1, false),
        ] {
            assert_eq!(is_row_in_disguise(value, columns), is_one, "{value:?} of {columns}");
        }
    }

    #[test]
    fn formulas_are_told_from_numbers() {
        for text in [
            "=1+1", "+x", "-x", "@SUM(A1)", "\tx", "\r", "-", "+", "-1-1", "-1.", "+.5", "=5", "-1e5",
            "-10--1",
        ] {
            assert!(is_formula(text), "{text:?}");
        }
        for text in ["", "x", "-5", "+5", "-0.5", "+49.25", "1-2", " =1", "[-10, 0)", "*"] {
            assert!(!is_formula(text), "{text:?}");
        }
    }

    #[test]
    fn formulas_are_counted_by_cell_and_said_without_a_value() {
        let header: Vec<String> = ["age", "=note"].map(ToOwned::to_owned).to_vec();
        let mut count = FormulaCount::of(&header);
        count.add(&["-5", "=cmd()"], 3);
        count.add(&["<40", "plain"], 9);
        let told = count.told(&header);
        assert_eq!((told.cells, told.columns.as_slice()), (4, &["=note".to_owned()][..]));
        let said = told.warning().unwrap();
        assert!(
            said.starts_with("4 cells begin as formulas do, in `=note`") && !said.contains("cmd"),
            "{said}"
        );
        assert_eq!(Formulas::default().warning(), None);
    }
}
