//! The cautions of a recounted release, without a second pass over P.
//!
//! The verifier has counted P, and `reading` maps its combinations to codes of the engine. This is
//! enough for every caution that depends on quasi-identifiers only. Cautions about other columns of
//! P need another pass.

use std::path::Path;
use std::time::Instant;

use crate::pipeline::loading::problem_of;
use crate::pipeline::read::notes::RepeatsNote;
use crate::pipeline::read::tables::Tables;
use crate::pipeline::written::by_itself::verify_by_itself;
use crate::pipeline::written::caution_basis::RecountedProject;
use crate::pipeline::written::reading;
use crate::pipeline::{Analysis, Notes, Overrides, PipelineError, Reduction};
use palmtop_core::model::{Code, Counts, Histogram};
use palmtop_core::progress::unwatched;
use palmtop_project::Project;
use palmtop_tables::encode::Encoder;
use palmtop_tables::read::hash_file;
use palmtop_tables::tally::Tally;
use palmtop_verify::{self as verify, Findings, Matched};

/// A recount of a written release.
#[derive(Clone, Debug)]
pub struct Recount {
    /// The findings of the verifier.
    pub findings: Findings,
    /// The release as it was read. It is `None` if:
    ///
    /// - a part of the release cannot be read, or
    /// - a person matches two rows.
    pub matched: Option<Matched>,
    /// The SHA-256 of the release, in hexadecimal, computed before the release was read.
    pub sha256: String,
    /// The SHA-256 of the files of P that were opened in a trial.
    tried: Vec<String>,
}

/// [`verify_file`](crate::pipeline::verify_file), together with the release as the same recount read it.
///
/// [`reading::read_matched`](crate::pipeline::written::reading::read_matched) and [`Recount::project`] use the
/// result.
///
/// # Errors
/// As [`verify_file`](crate::pipeline::verify_file).
pub fn recount_file(project: &Path, overrides: &Overrides, written: &Path) -> Result<Recount, PipelineError> {
    let sha256 = hash_file(written)?;
    let (found, tried) = verify_by_itself(project, overrides, written, verify::verify_and_match)?;
    let (findings, matched) = found;
    Ok(Recount { findings, matched, sha256, tried })
}

impl Recount {
    /// Reads a project and T, and takes P from the recount.
    ///
    /// The result is `None` in these cases, and [`Analysis::load`] has to read P:
    ///
    /// - The release is not faithful or was not read.
    /// - The project has a member column or several rows per person.
    /// - Members were dropped from T or added to P.
    /// - A caution may need columns of P that are not quasi-identifiers.
    /// - The verifier and the engine read the tables differently.
    ///
    /// # Errors
    /// As [`Analysis::load`].
    pub fn project(
        &self,
        path: &Path,
        overrides: &Overrides,
    ) -> Result<Option<RecountedProject>, PipelineError> {
        let started = Instant::now();
        let Some(matched) = self.matched.as_ref().filter(|matched| matched.findings.is_faithful()) else {
            return Ok(None);
        };
        let project = Project::read(path)?;
        let is_plain = project.member().is_none() && project.entity().is_none();
        if !is_plain || (matched.findings.dropped, matched.findings.added) != (0, 0) {
            return Ok(None);
        }
        let delta = project.delta(overrides.delta_min, overrides.delta_max)?;
        let tables = Tables::open_tried(&project, &self.tried, &mut unwatched)?;
        tables.check_roles()?;
        if looks_at_spare_columns(&project, &tables, matched) {
            return Ok(None);
        }
        let private = tables.members(&mut unwatched)?;
        let of_public = matched.denoted.iter().map(|texts| sorted(texts.occurring.clone()));
        let public_values: Vec<Vec<String>> = of_public.collect();
        let private_values: Vec<Vec<String>> =
            (0..public_values.len()).map(|quasi| private.distinct(quasi)).collect();
        let domains = tables.domains(&public_values, &private_values, &mut unwatched)?;
        let published_columns = tables.published(Some(&private), &mut unwatched)?;
        let readings = project.quasi().map(|(attribute, _)| attribute.readings.clone()).collect();
        let encoder = Encoder::new(&domains, &private_values, readings);
        let Some(histogram) = histogram_of(&encoder, matched, &private)? else { return Ok(None) };
        let doubled = tables.repetition(&histogram, None, &mut unwatched)?;
        let mut notes = Notes::of(&tables, (Vec::new(), &private), &domains, None);
        notes.doubled = doubled;
        notes.repeats = project.one_row().map(|_| RepeatsNote {
            public: (matched.findings.public, matched.findings.repeats.0),
            private: (matched.findings.private, matched.findings.repeats.1),
        });
        let problem = problem_of(&project, domains, histogram, delta)?;
        let inputs = tables.inputs(&[], Some(&private))?;
        let Tables { public, private: private_table, .. } = tables;
        Ok(Some(RecountedProject(Analysis {
            project,
            problem,
            inputs,
            encoder,
            published_columns,
            public,
            private: private_table,
            public_rows: matched.findings.public,
            private_rows: private.rows,
            notes,
            reduction: Reduction::Nothing,
            load_seconds: started.elapsed().as_secs_f64(),
            frames: None,
        })))
    }
}

/// Whether a caution may depend on columns of P that the project does not use.
///
/// The cautions compare published columns with these columns, and T's identifiers with P's. If nearly every
/// combination stands in one row of P, such a column may also be a count that the project does not name. Several
/// texts may denote one value, so a few combinations may stand in several rows.
fn looks_at_spare_columns(project: &Project, tables: &Tables, matched: &Matched) -> bool {
    let is_published = || project.attributes.iter().any(|attribute| attribute.role.is_kept());
    let combinations = matched.combinations.len() as u64;
    let is_aggregated =
        || project.count_column().is_none() && combinations + combinations / 64 >= matched.findings.public;
    tables.spare_columns().next().is_some() && (is_published() || is_aggregated())
}

/// The histogram of the combinations that the verifier counted, with the members of T as the engine
/// reads them. `None` if the two readings differ.
fn histogram_of(
    encoder: &Encoder,
    matched: &Matched,
    private: &Tally,
) -> Result<Option<Histogram>, PipelineError> {
    let Some(codes_of) = reading::codes_of(encoder, &matched.denoted) else {
        return Ok(None);
    };
    let combinations = &matched.combinations;
    let columns: Vec<Vec<Code>> =
        codes_of.iter().enumerate().map(|(nth, codes)| combinations.column(nth, codes)).collect();
    let mut counts = Vec::with_capacity(combinations.len());
    counts.extend(combinations.iter().map(|combination| Counts::new(combination.people, 0)));
    let histogram = Histogram::new(columns, counts)?;
    let mut members: Vec<(usize, u64)> = Vec::new();
    let mut is_known = true;
    private.visit(|numbers, people| {
        let codes = numbers.iter().enumerate();
        let codes = codes.map(|(nth, &number)| encoder.code(nth, &private.texts(nth)[number as usize]));
        let codes: Option<Vec<Code>> = codes.collect();
        match codes.and_then(|codes| histogram.find(&codes)) {
            Some(index) => members.push((index, people.public)),
            None => is_known = false,
        }
    });
    if !is_known {
        return Ok(None);
    }
    // Several texts may denote one value.
    members.sort_unstable();
    members.dedup_by(|later, first| {
        let is_same = later.0 == first.0;
        first.1 += if is_same { later.1 } else { 0 };
        is_same
    });
    let total: u64 = members.iter().map(|(_, people)| people).sum();
    if total != matched.findings.private {
        return Ok(None);
    }
    Ok(Some(histogram.with_members(members)?))
}

fn sorted(mut texts: Vec<String>) -> Vec<String> {
    texts.sort_unstable();
    texts
}
