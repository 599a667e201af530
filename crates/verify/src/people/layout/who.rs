//! Which identifiers say who is a person, and which rows repeat one.

use super::Layout;
use crate::people::count::Stop;
use crate::people::persons::{self, Compared, Identifier, OneRow};
use crate::people::settings::{AttributeSpec, CountSource, Repeated, Sources};
use crate::problems::VerifyError;
use palmtop_terms::{LocatedError, Role};

impl Layout<'_> {
    /// What rows of P, or of T, with one identifier are compared by: all that a release or a verdict follows from.
    fn identifier(&self, column: usize, is_public: bool) -> Identifier {
        let table = if is_public { &self.public } else { self.private() };
        let has_private = !is_public || self.private.is_none();
        let mut compared = Vec::new();
        for attribute in self.attributes {
            let name = if is_public { &attribute.public_column } else { self.private_column(attribute) };
            let Some(index) = table.columns.iter().position(|known| known == name) else { continue };
            let writing = if has_private && self.private.is_some() {
                &attribute.spelling.private
            } else {
                &attribute.spelling.public
            };
            let notation =
                (attribute.role == Role::Quasi).then(|| (attribute.spelling.clone(), writing.clone()));
            let is_used = attribute.role.is_kept() || attribute.pseudonym.is_some();
            if index != column && (notation.is_some() || (has_private && is_used)) {
                compared.push(Compared { column: index, notation });
            }
        }
        if is_public {
            compared.extend(self.facts.member.map(|column| Compared { column, notation: None }));
        }
        Identifier { column, compared, missing: self.missing.to_vec() }
    }

    /// Finds the rows that repeat a person, if the project counts one row of each.
    pub(super) fn leave_out_repeats(
        &mut self,
        person: Option<&(String, Repeated)>,
        count: Option<&CountSource>,
        stop: &Stop,
    ) -> Result<(), VerifyError> {
        let of_attribute = self.attributes.iter().find(|attribute| attribute.repeated.is_person());
        let of_public = person.filter(|(_, repeated)| repeated.is_person());
        if let Some((column, _)) = person {
            self.public.column_index(column, "`person` of [public]")?;
        }
        let says_who = |attribute: &&AttributeSpec| attribute.is_entity || attribute.repeated.is_person();
        let all = self.attributes.iter().filter(says_who).count() + usize::from(person.is_some());
        if all > 1 {
            let problem = "two columns say who is a person";
            return Err(LocatedError::new(problem)
                .remedy("write `repeats` with a reason for one of them")
                .into());
        }
        if count.is_some_and(|count| !count.is_fetched) && (of_attribute.is_some() || of_public.is_some()) {
            let problem = "a row with a count is for several people, so `distinct` and `first_by` cannot count one row of each";
            return Err(LocatedError::new(problem).remedy("remove one of them").into());
        }
        for is_public in [true, false] {
            if !is_public && self.private.is_none() {
                continue;
            }
            let table = if is_public { &self.public } else { self.private() };
            let is_shared = of_attribute.is_some_and(|attribute| self.public.has(&attribute.public_column));
            let of_attribute = of_attribute.map(|attribute| {
                let name = if is_public { &attribute.public_column } else { self.private_column(attribute) };
                (name.to_owned(), &attribute.repeated)
            });
            let of_public =
                of_public.filter(|_| is_public).map(|(column, repeated)| (column.clone(), repeated));
            let Some((column, repeated)) = of_attribute.filter(|(column, _)| table.has(column)).or(of_public)
            else {
                continue;
            };
            let one_row = match repeated {
                Repeated::FirstBy(order) => {
                    let named = self.attributes.iter().find(|attribute| attribute.name == *order);
                    let order = named.map_or(order.as_str(), |attribute| {
                        if is_public { &attribute.public_column } else { self.private_column(attribute) }
                    });
                    if is_public || !is_shared || table.has(order) {
                        OneRow::FirstBy(table.column_index(order, "`first_by`")?)
                    } else {
                        OneRow::Only
                    }
                }
                _ => OneRow::Distinct,
            };
            let column = table.column_index(&column, "identifier")?;
            let left_out = persons::left_out(table, &self.identifier(column, is_public), one_row, stop)?;
            match &mut self.private {
                Some(private) if !is_public => private.repeats = left_out,
                _ => self.public.repeats = left_out,
            }
        }
        Ok(())
    }

    /// Finds the identifiers of which the project does not say what rows with one value are.
    pub(super) fn watch(&mut self, sources: &Sources) {
        let has_entity = self.entity_indices.is_some();
        let (mut public, mut private) = (Vec::new(), Vec::new());
        let is_all_listed = self.private.is_none() && !sources.unlisted_dropped;
        let mut says_who = has_entity || sources.person.is_some() || sources.count.is_some() || is_all_listed;
        for attribute in self.attributes.iter().filter(|attribute| attribute.role == Role::Identifier) {
            let in_public = self.public.columns.iter().position(|known| *known == attribute.public_column);
            let is_asked = match attribute.repeated {
                Repeated::Unsaid => true,
                Repeated::Shared { is_reasoned } => !is_reasoned && in_public.is_some() && !has_entity,
                Repeated::Distinct | Repeated::FirstBy(_) => false,
            };
            let is_shared = matches!(attribute.repeated, Repeated::Shared { .. });
            says_who |= in_public.is_some() && !is_shared;
            if !is_asked {
                continue;
            }
            let is_watched = self.private.is_none() || (!has_entity && sources.count.is_none());
            if let Some(column) = in_public.filter(|_| is_watched) {
                public.push(self.identifier(column, true));
            }
            let name = self.private_column(attribute);
            let in_private =
                self.private.as_ref().and_then(|table| table.columns.iter().position(|known| known == name));
            private.extend(in_private.map(|column| self.identifier(column, false)));
        }
        if !says_who {
            let is_named =
                |name: &String| self.attributes.iter().any(|attribute| attribute.public_column == *name);
            let is_spare = |column: &usize| {
                !is_named(&self.public.columns[*column])
                    && self.facts.member != Some(*column)
                    && self.public.may_identify(*column)
            };
            let spare = (0..self.public.columns.len()).filter(is_spare);
            self.maybe_persons = spare.map(|column| self.identifier(column, true)).collect();
        }
        self.watched = (public, private);
    }
}
