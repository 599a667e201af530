//! The rows of a release, made from the rows of T.

use std::collections::BTreeSet;

use crate::pipeline::read::published_columns::Publisher;
use crate::pipeline::rows::members::MemberColumns;
use crate::pipeline::rows::pseudonyms;
use crate::pipeline::rows::pseudonyms::Pseudonyms;
use crate::pipeline::rows::published;
use crate::pipeline::{Analysis, PipelineError};
use palmtop_core::progress::{Meter, unwatched};
use palmtop_project::Attribute;
use palmtop_search::release::Release;
use palmtop_tables::error::DataError;
use palmtop_tables::formula::is_formula;
use palmtop_tables::position::At;
use palmtop_tables::read::ReadFile;
use palmtop_tables::write::Lines;

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

/// The number of rows in the file that has T. If T is part of P, this is P's file.
pub(in crate::pipeline) fn private_table_rows(analysis: &Analysis) -> u64 {
    if analysis.project.member_column().is_some() { analysis.public_rows } else { analysis.private_rows }
}

/// The number of rows of all raw tables: P's file, and T's file if T is separate.
pub(in crate::pipeline) fn raw_rows(analysis: &Analysis) -> u64 {
    let private = if analysis.project.member_column().is_some() { 0 } else { analysis.private_rows };
    analysis.public_rows + private
}

/// The rows of a release as they will be written. Its pseudonyms are final or placeholders for
/// display. The meter gets the number of processed rows of T's file.
pub(in crate::pipeline) fn release_rows(
    analysis: &Analysis,
    release: &Release,
    pseudonyms: &mut Pseudonyms,
    meter: &mut Meter,
) -> Result<ReleaseRows, PipelineError> {
    let header = released_columns(analysis);
    let members = MemberColumns::new(analysis, header.iter().map(String::as_str));
    let wanted = members.columns.clone();
    let pseudonym_positions: Vec<usize> = pseudonyms::rules(analysis)
        .map(|(attribute, _)| members.position(analysis.project.private_column(attribute)))
        .collect::<Result<_, _>>()?;
    let is_kept = |position: &usize| {
        !members.quasi_positions.contains(position) && !pseudonym_positions.contains(position)
    };
    let kept = (0..header.len()).filter(is_kept);
    let labels = |attribute: usize| {
        let hierarchy = analysis.problem.hierarchy(attribute);
        release.classes.of_rows().labels(attribute).texts(hierarchy)
    };
    let mut maker = RowMaker {
        analysis,
        release,
        labels: (0..analysis.problem.quasi().len()).map(labels).collect(),
        kept: kept.map(|position| (position, published::publisher(analysis, &header[position]))).collect(),
        members,
        pseudonym_positions,
        pseudonyms,
        lines: Lines::begin(&header),
        formulas: FormulaCount::of(&header),
        row: 0,
        withdrawn: 0,
        header: &header,
    };
    let add = &mut |at, texts: &[&str]| maker.add(at, texts, meter);
    for ReadFile { path, sha256, .. } in analysis.private.try_visit(&wanted, &mut unwatched, add)? {
        if analysis.inputs.iter().any(|input| input.path == path && input.sha256 != sha256) {
            return Err(PipelineError::InputChanged { path });
        }
    }
    let path = analysis.private.path();
    let has_all = maker.lines.rows() + maker.withdrawn == analysis.problem.histogram().total().private;
    if !has_all || maker.withdrawn != release.withdrawn() {
        return Err(DataError::changed(path).into());
    }
    let (lines, formulas) = (maker.lines.sorted(), maker.formulas.of_columns(&header));
    Ok(ReleaseRows { header, lines, formulas })
}

/// The attribute of a column of T.
pub(in crate::pipeline) fn attribute_of<'a>(analysis: &'a Analysis, column: &str) -> Option<&'a Attribute> {
    analysis.project.attributes.iter().find(|attribute| analysis.project.private_column(attribute) == column)
}

/// A release as it will be written.
pub(in crate::pipeline) struct ReleaseRows {
    pub(in crate::pipeline) header: Vec<String>,
    pub(in crate::pipeline) lines: Lines,
    pub(in crate::pipeline) formulas: Formulas,
}

/// Makes the rows of a release from the rows of T's file.
struct RowMaker<'a> {
    analysis: &'a Analysis,
    release: &'a Release,
    /// For each quasi-identifier, the texts of its distinct labels.
    labels: Vec<Vec<String>>,
    header: &'a [String],
    members: MemberColumns<'a>,
    /// The columns that only T has: the position in a row of T's file as it is read, and how the
    /// column is published.
    kept: Vec<(usize, Publisher<'a>)>,
    pseudonym_positions: Vec<usize>,
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
        let identifiers: Vec<&str> =
            self.pseudonym_positions.iter().map(|&position| texts[position]).collect();
        let private = &self.analysis.private;
        let given = self.pseudonyms.give(&identifiers).map_err(|(nth, unfit)| {
            private.refused(at, &self.header[self.pseudonym_positions[nth]], unfit.to_string())
        })?;
        let mut fields = texts[..self.header.len()].to_vec();
        for (pseudonym, &position) in given.iter().zip(&self.pseudonym_positions) {
            fields[position] = pseudonym;
        }
        for ((attribute, labels), &position) in
            self.labels.iter().enumerate().zip(&self.members.quasi_positions)
        {
            let label = classes.labels(attribute).label_of()[class as usize];
            fields[position] = &labels[label as usize];
        }
        for &(position, publisher) in &self.kept {
            let published = publisher.text(fields[position]);
            fields[position] = published.ok_or_else(|| DataError::changed(private.file_of(at)))?;
            if is_row_in_disguise(fields[position], fields.len()) {
                let problem = "the value has a line that reads as a row of the release";
                let remedy = "remove the line break, or drop the column";
                return Err(private.refused(at, &self.header[position], problem).remedy(remedy).into());
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
pub(in crate::pipeline) struct FormulaCount {
    cells: u64,
    /// The positions of the columns that have such cells.
    columns: BTreeSet<usize>,
}

impl FormulaCount {
    /// Starts with the header, because a column's name is a cell too.
    pub(in crate::pipeline) fn of(header: &[String]) -> Self {
        let mut count = Self { cells: 0, columns: BTreeSet::new() };
        let names: Vec<&str> = header.iter().map(String::as_str).collect();
        count.add(&names, 1);
        count
    }

    /// Adds a row that occurs `count` times.
    pub(in crate::pipeline) fn add(&mut self, fields: &[&str], count: u64) {
        for (position, _) in fields.iter().enumerate().filter(|(_, field)| is_formula(field)) {
            self.cells = self.cells.saturating_add(count);
            self.columns.insert(position);
        }
    }

    pub(in crate::pipeline) fn of_columns(self, header: &[String]) -> Formulas {
        let columns = self.columns.into_iter().map(|position| header[position].clone());
        Formulas { cells: self.cells, columns: columns.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_holding_a_whole_row_is_recognised() {
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
    fn formula_cells_are_counted_without_showing_values() {
        let header: Vec<String> = ["age", "=note"].map(ToOwned::to_owned).to_vec();
        let mut count = FormulaCount::of(&header);
        count.add(&["-5", "=cmd()"], 3);
        count.add(&["<40", "plain"], 9);
        let found = count.of_columns(&header);
        assert_eq!((found.cells, found.columns.as_slice()), (4, &["=note".to_owned()][..]));
        let warning = found.warning().unwrap();
        assert!(
            warning.starts_with("4 cells begin as formulas do, in `=note`") && !warning.contains("cmd"),
            "{warning}"
        );
        assert_eq!(Formulas::default().warning(), None);
    }
}
