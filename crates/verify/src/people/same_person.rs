//! Where the project counts one row of each person, the row of T and the row of P with one identifier must have the same values.

use std::collections::HashMap;

use super::layout::{Layout, Quasi};
use super::persons::Identifier;
use super::settings::{AttributeSpec, Repeated};
use crate::labels::Leaf;
use crate::problems::VerifyError;
use crate::read::{Location, Table};
use crate::values::{Spelling, TableNotation};
use palmtop_terms::Role;

/// The columns of one table: the identifier, then the quasi-identifiers.
struct Side<'a> {
    table: &'a Table,
    columns: Vec<usize>,
    notations: Vec<(&'a Spelling, &'a TableNotation)>,
}

impl<'a> Side<'a> {
    fn of(
        layout: &Layout<'a>,
        table: &'a Table,
        person: &AttributeSpec,
        is_public: bool,
    ) -> Result<Self, VerifyError> {
        let index = |attribute: &AttributeSpec| {
            let name = if is_public { &attribute.public_column } else { &attribute.private_column };
            table.column_index(name, "column of an attribute")
        };
        let (mut columns, mut notations) = (vec![index(person)?], Vec::new());
        for attribute in layout.attributes.iter().filter(|attribute| attribute.role == Role::Quasi) {
            let spelling = &attribute.spelling;
            columns.push(index(attribute)?);
            notations.push((spelling, if is_public { &spelling.public } else { &spelling.private }));
        }
        Ok(Self { table, columns, notations })
    }

    /// The values of a row's quasi-identifiers. Texts without a value were refused before.
    fn values(&self, texts: &[&str]) -> Vec<String> {
        let value = |((spelling, notation), text): (&(&Spelling, &TableNotation), &&str)| {
            let plain = spelling.is_plain(notation);
            let value = if plain { None } else { spelling.value(notation, text).ok() };
            value.unwrap_or_else(|| (*text).to_owned())
        };
        self.notations.iter().zip(texts).map(value).collect()
    }
}

/// Refuses the first row of T whose person has other values in the row of P that counts.
pub(crate) fn check(layout: &Layout, quasi: &[Quasi]) -> Result<(), VerifyError> {
    let person = layout.attributes.iter().find(|attribute| attribute.repeated.is_person());
    let Some(person) = person.filter(|person| layout.public.has(&person.public_column)) else {
        return Ok(());
    };
    let Some(table) = layout.separate() else { return Ok(()) };
    let public = Side::of(layout, &layout.public, person, true)?;
    let private = Side::of(layout, table, person, false)?;
    let identifier =
        Identifier { column: private.columns[0], compared: Vec::new(), missing: layout.missing.to_vec() };
    let mut members: HashMap<String, (u64, Location, Vec<Option<Leaf>>)> = HashMap::new();
    private.table.visit(&private.columns, &mut |location, texts| {
        if identifier.has(texts[0]) {
            let values = private.values(&texts[1..]);
            let leaves = quasi.iter().zip(&values).map(|(quasi, value)| quasi.hierarchy.private_leaf(value));
            members.insert(texts[0].to_owned(), (members.len() as u64, location, leaves.collect()));
        }
        Ok(())
    })?;
    let mut people = 0;
    let mut first: Option<(u64, Location, Location, usize)> = None;
    public.table.visit(&public.columns, &mut |location, texts| {
        let Some((nth, member, leaves)) = members.get(texts[0]) else { return Ok(()) };
        let values = public.values(&texts[1..]);
        let is_other = |&column: &usize| leaves[column] != quasi[column].hierarchy.leaf(&values[column]);
        if let Some(column) = (0..values.len()).find(is_other) {
            people += 1;
            if first.is_none_or(|(least, ..)| *nth < least) {
                first = Some((*nth, *member, location, column));
            }
        }
        Ok(())
    })?;
    let Some((_, member, location, column)) = first else { return Ok(()) };
    let problem = format!(
        "P counts the person of this row with another value, in {} ({})",
        location.position,
        palmtop_terms::words::plural(people, "such person")
    );
    let remedy = match &person.repeated {
        Repeated::FirstBy(order) => format!("T needs the values of the row that is first by `{order}` in P"),
        _ => "correct the row in T or in P".to_owned(),
    };
    let name = &private.table.columns[private.columns[column + 1]];
    Err(private.table.error_at(member, name, &problem).remedy(remedy).into())
}
