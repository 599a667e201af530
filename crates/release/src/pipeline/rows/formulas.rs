//! Cells of T that a spreadsheet may take for formulas.

use crate::pipeline::rows::members::MemberColumns;
use crate::pipeline::rows::of_release::{FormulaCount, Formulas, attribute_of, released_columns};
use crate::pipeline::{Analysis, PipelineError, rows::find};
use palmtop_core::progress::Meter;
use palmtop_tables::formula::is_formula;

/// The cells of T that a spreadsheet may take for formulas, in the columns that a release has. The
/// meter gets the bytes of T's file.
///
/// # Errors
/// A [`PipelineError`] if T cannot be read, differs from the loaded T, or the meter stops the work.
pub fn of_private(analysis: &Analysis, meter: &mut Meter) -> Result<Formulas, PipelineError> {
    let mut header = released_columns(analysis);
    header
        .retain(|column| attribute_of(analysis, column).is_some_and(|attribute| attribute.role.is_written()));
    let members = MemberColumns::new(analysis, header.iter().map(String::as_str));
    let mut count = FormulaCount::of(&header);
    find::visit_loaded(analysis, &analysis.private, &members.columns, meter, &mut |at, texts| {
        let cells = &texts[..header.len()];
        if cells.iter().any(|cell| is_formula(cell)) {
            let people = members.combination(at, texts)?.map_or(0, |(_, people)| people);
            count.add(cells, people);
        }
        Ok(())
    })?;
    Ok(count.of_columns(&header))
}
