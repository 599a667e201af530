//! Which column of a table belongs to which attribute, and its part in a release.

use super::{Column, Layout, Part};
use crate::people::pseudonym::PseudonymSpec;
use crate::people::settings::AttributeSpec;
use crate::problems::VerifyError;
use palmtop_terms::{LocatedError, Role};

impl<'a> Layout<'a> {
    /// Finds the columns of every attribute. P must not have the columns that are kept.
    pub(super) fn find_attributes(&mut self) -> Result<(), VerifyError> {
        for attribute in self.attributes {
            let setting = |column| format!("{column} of attribute `{}`", attribute.name);
            if attribute.role == Role::Quasi {
                let index = self.public.column_index(&attribute.public_column, &setting("public_column"))?;
                self.public_indices.push(index);
            } else if attribute.role.is_kept() {
                let names = [&attribute.name, &attribute.public_column, &attribute.private_column];
                if let Some(known) = names.into_iter().find(|column| self.public.has(column)) {
                    let role = attribute.role.as_str();
                    return Err(LocatedError::new(format!(
                        "`{known}` is {role}, but the public table has this column and an attacker knows its values"
                    ))
                    .in_file(&self.public.path)
                    .remedy("make it quasi or withheld, or drop it")
                    .into());
                }
            }
            let column = self.private_column(attribute);
            let index = self.private().column_index(column, &setting("private_column"))?;
            if attribute.is_entity {
                let in_public =
                    self.public.column_index(&attribute.public_column, &setting("public_column"))?;
                self.entity_indices = Some((in_public, index));
            }
            if attribute.role == Role::Quasi {
                self.private_indices.push(index);
            }
        }
        if self.public_indices.is_empty() {
            let none = LocatedError::new("no attribute is a quasi-identifier");
            return Err(none.remedy("give at least one the role quasi").into());
        }
        Ok(())
    }

    /// Assigns each column of T its part in a release, and numbers the kept columns.
    pub(super) fn assign_parts(&mut self, unlisted_dropped: bool) -> Result<(), VerifyError> {
        let (mut columns, mut kept) = (Vec::new(), Vec::new());
        let mut identifiers = Vec::new();
        let table = self.private();
        for (index, name) in table.columns.iter().enumerate() {
            let owner = self.owner_of(name)?;
            // If T is part of P, the member column and the count column are not columns of T.
            if self.private.is_none() && (self.facts.member == Some(index) || self.facts.count == Some(index))
            {
                if let Some((attribute, _)) = owner
                    .filter(|(attribute, _)| attribute.role.is_written() || attribute.pseudonym.is_some())
                {
                    let setting = if self.facts.member == Some(index) { "member" } else { "count" };
                    return Err(LocatedError::new(format!(
                        "attribute `{}` names column `{name}`, which the project's `{setting}` names and which is never \
                         released",
                        attribute.name
                    ))
                    .in_file(&table.path)
                    .remedy("remove the attribute")
                    .into());
                }
                continue;
            }
            let part = match owner.map(|(attribute, quasi)| (attribute.role, quasi)) {
                Some((Role::Quasi, quasi)) => Part::Quasi(quasi),
                Some((Role::Sensitive | Role::Insensitive, _)) => {
                    kept.push(index);
                    Part::Kept(kept.len() - 1)
                }
                Some((Role::Withheld, _)) => {
                    identifiers.push(name.clone());
                    continue;
                }
                Some((Role::Identifier, _)) => {
                    match owner.and_then(|(attribute, _)| attribute.pseudonym.as_ref()) {
                        Some(PseudonymSpec::New) => Part::Drawn,
                        // Pseudonyms made by a key are compared like a column that is published unchanged.
                        Some(PseudonymSpec::Keyed { .. }) => {
                            kept.push(index);
                            Part::Kept(kept.len() - 1)
                        }
                        None => {
                            identifiers.push(name.clone());
                            continue;
                        }
                    }
                }
                None if unlisted_dropped => continue,
                None => {
                    return Err(LocatedError::new(format!("no attribute names column `{name}`"))
                        .in_file(&table.path)
                        .remedy("give it a role, or set unlisted = \"drop\"")
                        .into());
                }
            };
            columns.push(Column { name: name.clone(), part });
        }
        self.private_indices.extend(kept);
        self.columns = columns;
        self.identifiers = identifiers;
        Ok(())
    }

    /// The attribute that names a column of T, and its index among the quasi-identifiers if it is one.
    fn owner_of(&self, column: &str) -> Result<Option<(&'a AttributeSpec, usize)>, VerifyError> {
        let mut quasi = 0;
        let mut owner: Option<(&'a AttributeSpec, usize)> = None;
        for attribute in self.attributes {
            if self.private_column(attribute) == column {
                if let Some((first, _)) = owner {
                    return Err(LocatedError::new(format!(
                        "attributes `{}` and `{}` both name column `{column}`",
                        first.name, attribute.name
                    ))
                    .in_file(&self.private().path)
                    .remedy("remove one")
                    .into());
                }
                owner = Some((attribute, quasi));
            }
            quasi += usize::from(attribute.role == Role::Quasi);
        }
        Ok(owner)
    }
}
