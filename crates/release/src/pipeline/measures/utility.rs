//! The utility of releases, in rows: T, a workload of queries over it, and releases and written files in the
//! types of the utility measures.

use std::collections::HashMap;

use crate::pipeline::measures::risk;
use crate::pipeline::{Analysis, PipelineError, ReadRelease};
use palmtop_core::model::{SensitiveValues, size};
use palmtop_core::progress::{Meter, unwatched};
use palmtop_measure::utility::{
    OriginalTable, PublishedLabel, PublishedRow, PublishedTable, Utility, Workload,
};
use palmtop_search::release::Release;
use palmtop_verify::DenotedTexts;

/// The basis of the utility measures: the rows of T with their sensitive values, and a workload over
/// T.
#[derive(Clone, Debug)]
pub struct UtilityBasis {
    values: SensitiveValues,
    workload: Workload,
}

impl UtilityBasis {
    /// The queries by which releases are measured.
    pub fn workload(&self) -> &Workload {
        &self.workload
    }

    /// T as the workload sees it.
    pub fn original(&self) -> &OriginalTable {
        self.workload.original()
    }
}

/// T with a workload of `queries` queries, drawn from `seed`. T is read again if it has sensitive
/// attributes and the problem does not have their values yet.
///
/// # Errors
/// A [`PipelineError`] if T cannot be read or differs from the loaded T, or if `queries` is 0 or
/// too large.
pub fn basis(analysis: &Analysis, seed: u64, queries: u64) -> Result<UtilityBasis, PipelineError> {
    basis_watched(analysis, seed, queries, &mut unwatched)
}

/// [`utility_basis`](basis), which reports the number of rows of T that were read to a meter.
///
/// # Errors
/// As [`utility_basis`](basis); [`PipelineError::Cancelled`] if the meter stops the reading.
pub fn basis_watched(
    analysis: &Analysis,
    seed: u64,
    queries: u64,
    meter: &mut Meter,
) -> Result<UtilityBasis, PipelineError> {
    // If people have several rows, the problem has the values of people, and each row counts here.
    let of_rows = analysis.problem.sensitive().filter(|_| analysis.problem.people().is_none());
    let values = match of_rows {
        Some(known) => known.clone(),
        None if analysis.sensitive().is_empty() => SensitiveValues::new(Vec::new(), Vec::new()),
        None => risk::sensitive_values_of_rows(analysis, meter)?,
    };
    let workload = Workload::draw(OriginalTable::of(&analysis.problem, &values), seed, queries)?;
    Ok(UtilityBasis { values, workload })
}

/// The table that a release of this problem publishes.
pub fn published(analysis: &Analysis, basis: &UtilityBasis, release: &Release) -> PublishedTable {
    PublishedTable::of(basis.original(), &analysis.problem, &release.classes, &basis.values)
}

/// The utility of a release of this problem, with at most `worst` of the classes that lose most.
pub fn of_release(analysis: &Analysis, basis: &UtilityBasis, release: &Release, worst: usize) -> Utility {
    Utility::of(&basis.workload, &published(analysis, basis, release), worst)
}

/// The utility of a written release, measured against the present T. The denotations of its texts
/// come from the verifier.
///
/// # Errors
/// - [`PipelineError::InputChanged`] if the release was read with other hierarchies than the loaded
///   ones.
/// - [`PipelineError::Located`] if the release was read without a sensitive column.
pub fn of_file(
    analysis: &Analysis,
    basis: &UtilityBasis,
    read: &ReadRelease,
    worst: usize,
) -> Result<Utility, PipelineError> {
    let original = basis.original();
    let mut labels = Vec::new();
    let mut numbers: Vec<HashMap<&str, u32>> = Vec::new();
    for (denoted, attribute) in read.denoted.iter().zip(original.attributes()) {
        let known: HashMap<&str, u32> = attribute.values.iter().map(String::as_str).zip(0..).collect();
        let index_of = |text: &String| known.get(text.as_str()).copied();
        let indices: Option<Vec<u32>> = denoted.occurring.iter().map(index_of).collect();
        let indices = indices.filter(|indices| indices.len() == known.len());
        let indices = indices.ok_or_else(|| PipelineError::changed(analysis.public.path()))?;
        labels.push(read_labels(denoted, &indices));
        numbers.push(denoted.texts.keys().map(String::as_str).zip(0..).collect());
    }
    let sensitive = risk::sensitive_columns(analysis).map(|(_, column)| read.position(column));
    let sensitive: Vec<usize> = sensitive.collect::<Result<_, _>>()?;
    let rows = read.classes.iter().map(|class| PublishedRow {
        labels: class.texts.iter().zip(&numbers).map(|(text, known)| known[text.as_str()]).collect(),
        rows: class.rows,
        values: sensitive
            .iter()
            .map(|&index| class.kept.iter().map(|(texts, rows)| (texts[index].clone(), *rows)).collect())
            .collect(),
    });
    let published = PublishedTable::of_rows(original, labels, &rows.collect::<Vec<_>>());
    Ok(Utility::of(&basis.workload, &published, worst))
}

/// The labels of a quasi-identifier in the order of their texts. `indices` has the engine's index of
/// each leaf that the verifier counts.
fn read_labels(denoted: &DenotedTexts, indices: &[u32]) -> Vec<PublishedLabel> {
    let label = |(text, denoted_text): (&String, &palmtop_verify::DenotedText)| {
        let leaves = denoted_text.runs.iter().flat_map(|&(begin, end)| &indices[begin..end]);
        let mut leaves: Vec<u32> = leaves.copied().collect();
        leaves.sort_unstable();
        let is_next = |left: &u32, right: &u32| left + 1 == *right;
        let runs = leaves.chunk_by(is_next).map(|run| (run[0], run[0] + size::number(run.len())));
        PublishedLabel::new(text.clone(), runs.collect(), denoted_text.leaves, denoted.leaves)
    };
    denoted.texts.iter().map(label).collect()
}
