//! Who is a person in T and P: the identifiers, and the rule that counts one row of each person.

use palmtop_core::model::Role;
use palmtop_project::{Attribute, Project, Repeated};
use palmtop_tables::encode::Whose;
use palmtop_tables::error::DataError;
use palmtop_tables::read::{Identified, OneRow, Table};
use palmtop_tables::reading::Reading;

/// The table that counts one row of each person, if the project has a rule for it. `public` is P, if the table is T.
pub(in crate::pipeline) fn one_row_each(
    project: &Project,
    table: Table,
    public: Option<&Table>,
) -> Result<Table, DataError> {
    let whose = if public.is_some() { Whose::Private } else { Whose::Public };
    let of_attribute = project.identifiers().find_map(|(attribute, repeated)| match repeated {
        Repeated::Person(row) => Some((attribute, row)),
        Repeated::Unsaid | Repeated::Shared(_) => None,
    });
    // P has the column of `first_by`, so T may lack it.
    let is_shared = of_attribute
        .is_some_and(|(attribute, _)| public.is_some_and(|public| public.has(&attribute.public_column)));
    let of_attribute = of_attribute.map(|(attribute, row)| (column_of(project, attribute, whose), row));
    // A fetch has already counted the people of a database.
    let is_fetched = project.public.source.is_some();
    let person = project.public.person.as_ref().filter(|_| whose == Whose::Public && !is_fetched);
    let of_public = person.and_then(|person| match &person.repeated {
        Repeated::Person(row) => Some((person.column.as_str(), row)),
        Repeated::Unsaid | Repeated::Shared(_) => None,
    });
    if let Some(person) = person {
        table.require(&person.column, "`person` of [public]")?;
    }
    let Some((column, row)) = of_attribute.filter(|(column, _)| table.has(column)).or(of_public) else {
        return Ok(table);
    };
    let row = match row {
        OneRow::Distinct => OneRow::Distinct,
        OneRow::FirstBy(order) => {
            let named = project.attributes.iter().find(|attribute| attribute.name == *order);
            let order = named.map_or(order.as_str(), |attribute| column_of(project, attribute, whose));
            if !is_shared {
                table.require(order, "`first_by`")?;
            }
            OneRow::FirstBy(order.to_owned())
        }
    };
    let of = identified(project, column, whose);
    Ok(table.with_one_row(of, row))
}

/// The column of an attribute in one of the tables.
pub(in crate::pipeline) fn column_of<'a>(
    project: &'a Project,
    attribute: &'a Attribute,
    whose: Whose,
) -> &'a str {
    match whose {
        Whose::Public => &attribute.public_column,
        Whose::Private => project.private_column(attribute),
    }
}

/// A column of identifiers, and what the rows of one person must agree in: all that a release or a
/// verdict follows from.
pub(in crate::pipeline) fn identified(project: &Project, column: &str, whose: Whose) -> Identified {
    let is_member = project.member().is_some();
    let has_private = whose == Whose::Private || is_member;
    let compared = project.attributes.iter().filter_map(|attribute| {
        let reading = match (attribute.role, whose) {
            (Role::Quasi, Whose::Public) => attribute.readings.public.clone(),
            (Role::Quasi, Whose::Private) => attribute.readings.private.clone(),
            (Role::Sensitive | Role::Insensitive, _) if has_private => Reading::PLAIN,
            (Role::Identifier, _) if has_private && attribute.pseudonym.is_some() => Reading::PLAIN,
            _ => return None,
        };
        Some((column_of(project, attribute, whose).to_owned(), reading))
    });
    let mut compared: Vec<(String, Reading)> = compared.filter(|(compared, _)| compared != column).collect();
    if whose == Whose::Public {
        compared.extend(project.member_column().map(|column| (column.to_owned(), Reading::PLAIN)));
    }
    Identified { column: column.to_owned(), compared, missing: project.missing.clone() }
}
