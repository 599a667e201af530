//! Who is a person: what rows with one value of an identifier are.

use serde::Deserialize;

use super::Project;
use super::repeated::{PersonColumn, Repeated};
use crate::{keys, values};
use palmtop_core::model::Role;
use palmtop_tables::read::OneRow;

keys! {
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenPerson {
    /// The column of P that says who is a person; T lacks it.
    column: String,
    /// `true`: rows with one value that agree in all quasi-identifiers are one person.
    distinct: Option<bool>,
    /// One row of each person counts: the first by this column.
    first_by: Option<String>,
    /// The reason why different people share a value.
    repeats: Option<String>,
}
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected the reason why different people share a value, as a text")]
pub(super) enum WrittenRepeats {
    Flag(bool),
    Reason(String),
}

values!(WrittenRepeats);

impl WrittenPerson {
    pub(super) fn settle(self) -> Result<PersonColumn, String> {
        let repeats = self.repeats.map(WrittenRepeats::Reason);
        let repeated = settle(self.distinct, self.first_by, repeats)
            .map_err(|detail| format!("`person` of [public]: {detail}"))?;
        if repeated == Repeated::Unsaid {
            return Err("`person` of [public] says nothing of rows with one value; write `distinct = true`, `first_by` or `repeats`"
                .to_owned());
        }
        Ok(PersonColumn { column: self.column, repeated })
    }
}

/// What rows with one value are, from the keys of an identifier.
pub(super) fn settle(
    distinct: Option<bool>,
    first_by: Option<String>,
    repeats: Option<WrittenRepeats>,
) -> Result<Repeated, String> {
    let repeats = match repeats {
        None | Some(WrittenRepeats::Flag(false)) => None,
        Some(WrittenRepeats::Flag(true)) => Some(Repeated::Shared(None)),
        Some(WrittenRepeats::Reason(written)) => {
            let reason = crate::reason::read(&written)
                .map_err(|detail| format!("`repeats = {written:?}`: {detail}"))?;
            Some(Repeated::Shared(Some(reason.to_owned())))
        }
    };
    let distinct = distinct.unwrap_or(false).then_some(Repeated::Person(OneRow::Distinct));
    let first_by = first_by.map(|column| Repeated::Person(OneRow::FirstBy(column)));
    let mut said = [distinct, first_by, repeats].into_iter().flatten();
    match (said.next(), said.next()) {
        (Some(_), Some(_)) => {
            Err("`distinct`, `first_by` and `repeats` exclude each other; remove all but one".to_owned())
        }
        (one, None) => Ok(one.unwrap_or_default()),
        (None, Some(_)) => Ok(Repeated::Unsaid),
    }
}

/// Refuses a second column that says who is a person, and one of T that `person` of P names.
pub(super) fn check(project: &Project) -> Result<(), String> {
    if project.member().is_none()
        && let Some(PersonColumn { column, .. }) = &project.public.person
        && let Some(attribute) = project
            .identifiers()
            .map(|(attribute, _)| attribute)
            .find(|attribute| attribute.public_column == *column)
    {
        return Err(format!(
            "`person` of [public] is for a column that only P has, but `{column}` is that of the identifier `{0}`; say under \
             [[attribute]] `{0}` what rows with one value are, and remove `person`",
            attribute.name
        ));
    }
    let of_attributes = project.attributes.iter().filter_map(|attribute| {
        let key = match &attribute.repeated {
            _ if attribute.is_entity => "role = \"entity\"",
            Repeated::Person(OneRow::Distinct) => "distinct = true",
            Repeated::Person(OneRow::FirstBy(_)) => "first_by",
            Repeated::Unsaid | Repeated::Shared(_) => return None,
        };
        Some((attribute.name.as_str(), key))
    });
    let of_public = project.public.person.iter().map(|person| (person.column.as_str(), "person"));
    let mut all = of_attributes.chain(of_public);
    match (all.next(), all.next()) {
        (Some((one, key)), Some((other, other_key))) => Err(format!(
            "`{one}` (`{key}`) and `{other}` (`{other_key}`) both say who is a person, but a row belongs to one person; keep one of them, \
             and write `repeats` with a reason for the other"
        )),
        _ => Ok(()),
    }
}

impl Project {
    /// The identifiers of which the project does not say that different people share them: each with
    /// what rows with one value are.
    pub fn identifiers(&self) -> impl Iterator<Item = (&super::Attribute, &Repeated)> {
        let attributes = self.attributes.iter().filter(|attribute| attribute.role == Role::Identifier);
        attributes.map(|attribute| (attribute, &attribute.repeated))
    }
}
