//! The pseudonyms of an export: which columns have some, and what P must be so that they tell nothing.

use rustc_hash::FxHashMap;

use super::{Analysis, PipelineError};
use crate::project::Attribute;
use palmtop_core::progress::{Meter, unwatched};
use palmtop_tables::error::DataError;
use palmtop_tables::pseudonym::{PseudonymRule, Pseudonymizer, Unfit, check_length};

/// What stands for a pseudonym where a release is shown and not written.
pub const PSEUDONYM_SHOWN: &str = "(pseudonym)";

/// A column of a release that has pseudonyms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PseudonymNote {
    /// The column.
    pub column: String,
    /// How they are made: `new`, `keyed`, `keyed digits`.
    pub made: &'static str,
    /// What they are for, where they are keyed.
    pub domain: Option<String>,
    /// Whether all rows of a person have one.
    pub is_entity: bool,
}

impl PseudonymNote {
    /// What the analyst should know of them once they are written.
    pub fn warning(&self) -> String {
        let Self { column, made, domain, is_entity } = self;
        match domain {
            Some(domain) if *is_entity => format!(
                "column `{column}` has pseudonyms ({made}, domain `{domain}`): whoever has the key finds the people, and the same \
                 pseudonym in another release links its rows and their classes; nothing here judges what they tell together"
            ),
            None => format!(
                "column `{column}` has new pseudonyms: no key of them is kept, and another export has others"
            ),
            Some(domain) => format!(
                "column `{column}` has pseudonyms ({made}, domain `{domain}`): whoever has the key finds the people, and the same \
                 pseudonym in another release links its rows and their classes; `compose` and --beside count that"
            ),
        }
    }
}

/// Gives the pseudonyms of one export, or shows that there will be some.
#[derive(Debug)]
pub(super) struct Pseudonyms {
    /// One for each attribute that has pseudonyms, in project order; `None` where they are only shown.
    columns: Option<Vec<Pseudonymizer>>,
}

impl Pseudonyms {
    /// Shows a text in their place.
    pub(super) fn shown() -> Self {
        Self { columns: None }
    }

    /// Reads the keys, and P where it has an identifier that gets pseudonyms.
    pub(super) fn prepare(analysis: &Analysis, meter: &mut Meter) -> Result<Self, PipelineError> {
        let folder = analysis.project.path.parent().unwrap_or_else(|| std::path::Path::new(""));
        let mut columns = Vec::new();
        for (attribute, rule) in rules(analysis) {
            let column = analysis.project.private_column(attribute).to_owned();
            let own = Pseudonymizer::new(rule, folder);
            let own = own.map_err(|error| PipelineError::Key { column, error })?;
            columns.push(if attribute.is_entity { own.sharing() } else { own });
            check_public(analysis, attribute, rule, meter)?;
        }
        Ok(Self { columns: Some(columns) })
    }

    /// The pseudonyms of a row's identifiers; an error with the number of one that gets none.
    pub(super) fn give(&mut self, values: &[&str]) -> Result<Vec<String>, (usize, Unfit)> {
        let Some(columns) = &mut self.columns else {
            return Ok(vec![PSEUDONYM_SHOWN.to_owned(); values.len()]);
        };
        let each = columns.iter_mut().zip(values).enumerate();
        each.map(|(nth, (column, value))| column.give(value).map_err(|unfit| (nth, unfit))).collect()
    }
}

/// The columns of a release that have pseudonyms, in project order.
pub fn notes(analysis: &Analysis) -> Vec<PseudonymNote> {
    let note = |(attribute, rule): (&Attribute, &PseudonymRule)| PseudonymNote {
        column: analysis.project.private_column(attribute).to_owned(),
        made: rule.as_str(),
        domain: rule.keyed().map(|keyed| keyed.domain.clone()),
        is_entity: attribute.is_entity,
    };
    rules(analysis).map(note).collect()
}

/// Whether an export could give pseudonyms: every key is one, and they would tell nothing to who knows P.
///
/// # Errors
/// [`PipelineError::Key`], [`PipelineError::Pseudonym`]
pub fn check(analysis: &Analysis) -> Result<(), PipelineError> {
    Pseudonyms::prepare(analysis, &mut unwatched).map(drop)
}

/// The identifiers that have pseudonyms, in project order.
pub(super) fn rules(analysis: &Analysis) -> impl Iterator<Item = (&Attribute, &PseudonymRule)> {
    analysis.project.attributes.iter().filter_map(|own| Some((own, own.pseudonym.as_ref()?)))
}

/// Where P has the identifier, everybody in it has a value of his own, and of the same length where pseudonyms keep it:
/// else they would tell who knows P who is not whom. What tells whose rows are one person's may repeat: that is counted.
fn check_public(
    analysis: &Analysis,
    attribute: &Attribute,
    rule: &PseudonymRule,
    meter: &mut Meter,
) -> Result<(), PipelineError> {
    if attribute.is_entity && !rule.keeps_length() {
        // Whoever counted people has read it.
        return Ok(());
    }
    let mut names = vec![&attribute.name, &attribute.public_column, &attribute.private_column];
    names.sort_unstable();
    names.dedup();
    for column in names.into_iter().filter(|column| analysis.public.has(column)) {
        let refused = |path: &std::path::Path, row, why: String| PipelineError::Pseudonym {
            path: path.to_owned(),
            row,
            column: column.clone(),
            why,
        };
        let remedy = "leave out `pseudonym`, or the column from the public table";
        if analysis.project.public.count.is_some() {
            let why = format!(
                "the public table has this identifier, and a row of it may stand for several people, who would share a \
                 pseudonym; {remedy}"
            );
            return Err(refused(analysis.public.path(), None, why));
        }
        let mut seen: FxHashMap<String, u64> = FxHashMap::default();
        let (mut length, mut refusal) = (None, None);
        let read = analysis.public.visit(&[column], meter, &mut |at, texts| {
            let value = texts[0];
            let why = if value.is_empty() {
                Some(format!("there is no value, so that nobody's pseudonym is this person's; {remedy}"))
            } else if let Some(first) = seen.insert(value.to_owned(), at.row).filter(|_| !attribute.is_entity) {
                Some(format!(
                    "the value stands in row {first}, too, so that pseudonyms would tell who is not whom; {remedy}"
                ))
            } else if rule.keeps_length() {
                check_length(value, &mut length).err().map(|unfit| unfit.to_string())
            } else {
                None
            };
            let Some(why) = why else { return Ok(()) };
            refusal = Some(refused(analysis.public.file_of(at), Some(at.row), why));
            // A reader of tables knows only its own errors.
            Err(DataError::Cancelled)
        });
        if let Some(refusal) = refusal {
            return Err(refusal);
        }
        read?;
    }
    Ok(())
}
