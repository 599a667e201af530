//! The pseudonyms of an export: their columns, and the requirements on P that keep them from
//! revealing identities.

use rustc_hash::FxHashMap;

use crate::pipeline::{Analysis, PipelineError};
use palmtop_core::located::LocatedError;
use palmtop_core::progress::{Meter, unwatched};
use palmtop_project::Attribute;
use palmtop_tables::pseudonym::{KeyError, PseudonymRule, Pseudonymizer, Unfit, check_length};

/// The placeholder for a pseudonym if a release is shown but not written.
pub const PSEUDONYM_SHOWN: &str = "(pseudonym)";

/// A column of a release that has pseudonyms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PseudonymNote {
    /// The column of T.
    pub column: String,
    /// The kind of pseudonyms: `new`, `keyed` or `keyed digits`.
    pub made: &'static str,
    /// The domain of keyed pseudonyms; `None` for new ones.
    pub domain: Option<String>,
    /// Whether all rows of a person share a pseudonym.
    pub is_entity: bool,
}

impl PseudonymNote {
    /// A warning for the analyst about the written pseudonyms.
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

/// A keyed pseudonym that an export gave. New pseudonyms are drawn, and no list of them is kept.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GivenPseudonym {
    /// The column of T.
    pub column: String,
    /// The identifier of the person.
    pub identifier: String,
    /// The pseudonym in the release.
    pub pseudonym: String,
}

/// Gives the pseudonyms of one export, or placeholders for display.
#[derive(Debug)]
pub(in crate::pipeline) struct Pseudonyms {
    /// One entry for each attribute with pseudonyms, in project order; `None` for placeholders.
    columns: Option<Vec<Pseudonymizer>>,
    /// What was given in the columns with keyed pseudonyms, which have a name here; empty unless a list is kept.
    given: Vec<(Option<String>, FxHashMap<String, String>)>,
}

impl Pseudonyms {
    /// Gives placeholders.
    pub(in crate::pipeline) fn shown() -> Self {
        Self { columns: None, given: Vec::new() }
    }

    /// Reads the keys. Also reads P if it has an identifier that gets pseudonyms.
    pub(in crate::pipeline) fn prepare(
        analysis: &Analysis,
        meter: &mut Meter,
    ) -> Result<Self, PipelineError> {
        let folder = analysis.project.path.parent().unwrap_or_else(|| std::path::Path::new(""));
        let mut columns = Vec::new();
        for (attribute, rule) in rules(analysis) {
            let column = analysis.project.private_column(attribute);
            let invalid = |error: KeyError| LocatedError::new(error.to_string()).at_column(column);
            let pseudonymizer = Pseudonymizer::new(rule, folder).map_err(invalid)?;
            columns.push(if attribute.is_entity { pseudonymizer.sharing() } else { pseudonymizer });
            check_public(analysis, attribute, rule, meter)?;
        }
        Ok(Self { columns: Some(columns), given: Vec::new() })
    }

    /// Keeps a list of the keyed pseudonyms from now on.
    pub(in crate::pipeline) fn keep_list(&mut self, analysis: &Analysis) {
        let name = |(attribute, rule): (&Attribute, &PseudonymRule)| {
            rule.keyed().map(|_| analysis.project.private_column(attribute).to_owned())
        };
        self.given = rules(analysis).map(|rule| (name(rule), FxHashMap::default())).collect();
    }

    /// The list of the keyed pseudonyms, by column and identifier.
    pub(in crate::pipeline) fn into_list(self) -> Vec<GivenPseudonym> {
        let of_column = |(column, given): (Option<String>, FxHashMap<String, String>)| {
            let column = column.unwrap_or_default();
            given.into_iter().map(move |(identifier, pseudonym)| GivenPseudonym {
                column: column.clone(),
                identifier,
                pseudonym,
            })
        };
        let mut list: Vec<GivenPseudonym> = self.given.into_iter().flat_map(of_column).collect();
        list.sort_unstable();
        list
    }

    /// The pseudonyms of a row's identifiers. The error has the index of an identifier that gets
    /// none.
    pub(in crate::pipeline) fn give(&mut self, values: &[&str]) -> Result<Vec<String>, (usize, Unfit)> {
        let Some(columns) = &mut self.columns else {
            return Ok(vec![PSEUDONYM_SHOWN.to_owned(); values.len()]);
        };
        let each = columns.iter_mut().zip(values).enumerate();
        let all: Vec<String> = each
            .map(|(nth, (column, value))| column.give(value).map_err(|unfit| (nth, unfit)))
            .collect::<Result<_, _>>()?;
        for ((column, given), (value, pseudonym)) in self.given.iter_mut().zip(values.iter().zip(&all)) {
            if column.is_some() {
                given.insert((*value).to_owned(), pseudonym.clone());
            }
        }
        Ok(all)
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

/// Whether a column has keyed pseudonyms.
pub fn are_keyed(analysis: &Analysis) -> bool {
    rules(analysis).any(|(_, rule)| rule.keyed().is_some())
}

/// Checks that an export can give pseudonyms: every key is valid, and P does not reveal identities
/// through them.
///
/// # Errors
/// [`PipelineError::Located`] with the column, and with the row of P.
pub fn check(analysis: &Analysis) -> Result<(), PipelineError> {
    Pseudonyms::prepare(analysis, &mut unwatched).map(drop)
}

/// The identifiers that have pseudonyms, in project order.
pub(in crate::pipeline) fn rules(analysis: &Analysis) -> impl Iterator<Item = (&Attribute, &PseudonymRule)> {
    analysis
        .project
        .attributes
        .iter()
        .filter_map(|attribute| Some((attribute, attribute.pseudonym.as_ref()?)))
}

/// Checks the identifier in P, if P has it.
///
/// Each person must have a distinct value that is not empty, and P must not have a count. If
/// pseudonyms keep the length, all values must have the same length. Otherwise pseudonyms would
/// show an attacker with P that some people are not others. The identifier of people with several
/// rows may repeat.
fn check_public(
    analysis: &Analysis,
    attribute: &Attribute,
    rule: &PseudonymRule,
    meter: &mut Meter,
) -> Result<(), PipelineError> {
    if attribute.is_entity && !rule.keeps_length() {
        // The counting of people has already read this column.
        return Ok(());
    }
    let mut names = vec![&attribute.name, &attribute.public_column, &attribute.private_column];
    names.sort_unstable();
    names.dedup();
    for column in names.into_iter().filter(|column| analysis.public.has(column)) {
        let remedy = "leave out `pseudonym`, or the column from the public table";
        if analysis.project.public.count.is_some() {
            let why = format!(
                "the public table has this identifier, and a row of it may stand for several people, who would share a \
                 pseudonym; {remedy}"
            );
            return Err(LocatedError::new(why).in_file(analysis.public.path()).at_column(column).into());
        }
        let mut seen: FxHashMap<String, u64> = FxHashMap::default();
        let mut length = None;
        analysis.public.try_visit(&[column], meter, &mut |at, texts| {
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
            why.map_or(Ok(()), |why| Err(PipelineError::from(analysis.public.refused(at, column, why))))
        })?;
    }
    Ok(())
}
