//! Replaces texts by values and identifiers by pseudonyms, and reads the hierarchies of the quasi-identifiers.

use super::{Layout, Quasi, same_number};
use crate::labels::{Borders, ColumnValues, Hierarchy, ValueRules};
use crate::people::count::Tally;
use crate::people::pseudonym::Pseudonyms;
use crate::people::settings::AttributeSpec;
use crate::problems::VerifyError;
use crate::read::Table;
use crate::values::value;
use palmtop_terms::{Kind, LocatedError, Role};

impl Layout<'_> {
    /// Replaces the texts of every quasi-identifier by their values, in the notation that the project declares.
    pub(crate) fn spell(&self, public: &mut Tally, private: &mut Tally) -> Result<(), VerifyError> {
        let quasi = self.attributes.iter().filter(|attribute| attribute.role == Role::Quasi);
        for (column, attribute) in quasi.enumerate() {
            let spelling = &attribute.spelling;
            // If T is part of P, its texts have P's notation.
            let private_notation = if self.private.is_some() { &spelling.private } else { &spelling.public };
            let tables = [
                (&mut *public, &spelling.public, &self.public, &attribute.public_column),
                (&mut *private, private_notation, self.private(), &attribute.private_column),
            ];
            for (tally, writing, table, name) in tables {
                if spelling.is_plain(writing) {
                    continue;
                }
                tally.spell(column, |text| spelling.value(writing, text)).map_err(|(value, expected)| {
                    VerifyError::misspelt(&table.path, name, &value, expected)
                })?;
            }
        }
        Ok(())
    }

    /// Checks every identifier with pseudonyms. If a key makes them, replaces the identifiers in T's tally by pseudonyms.
    pub(crate) fn pseudonyms(&self, private: &mut Tally) -> Result<Vec<Pseudonyms>, VerifyError> {
        let mut all = Vec::new();
        for attribute in self.attributes {
            let Some(rule) = &attribute.pseudonym else { continue };
            let column = self.private_column(attribute);
            let names = [&attribute.name, &attribute.public_column, &attribute.private_column];
            let mut tables = Vec::new();
            for (index, known) in self.public.columns.iter().enumerate() {
                if names.contains(&known) {
                    if self.facts.count.is_some() {
                        return Err(LocatedError::new(format!(
                            "column `{known}` is an identifier with a pseudonym, but a row may count for several people, \
                             who would share it"
                        ))
                        .in_file(&self.public.path)
                        .remedy("remove `pseudonym`")
                        .into());
                    }
                    tables.push((&self.public, index));
                }
            }
            if let Some(table) = &self.private {
                tables.push((table, table.column_index(column, "private_column")?));
            }
            let mut pseudonyms = Pseudonyms::read(column, rule, attribute.is_entity, &tables)?;
            if let Some(index) = self.kept_index(column) {
                pseudonyms.apply(private, index)?;
            }
            all.push(pseudonyms);
        }
        Ok(all)
    }

    /// Checks that no text for a missing value is a label, and that the label of missing values is not a number or a day.
    fn check_missing(&self, attribute: &AttributeSpec, hierarchy: &Hierarchy) -> Result<(), String> {
        let spelling = &attribute.spelling;
        let private_texts = self.private.iter().flat_map(|_| &spelling.private.missing);
        let mut texts = spelling.public.missing.iter().chain(private_texts);
        if let Some(text) = texts.find(|text| hierarchy.is_coarser_label(text)) {
            return Err(format!(
                "`{text}` means a missing value in the tables, but is a label of the hierarchy; rename one of them"
            ));
        }
        match &spelling.missing_label {
            Some(label) if value::reads_as(label, hierarchy.kind) => Err(format!(
                "the label `{label}` of missing values reads as a {} of `{}`; choose another label",
                hierarchy.kind.as_str(),
                attribute.name
            )),
            _ => Ok(()),
        }
    }

    /// Checks that no two values of a quasi-identifier, in either table, are the same number.
    fn check_numbers(
        &self,
        attribute: &AttributeSpec,
        public: &[String],
        private: &[String],
    ) -> Result<(), VerifyError> {
        let spelling = &attribute.spelling;
        let column = |table: &'_ Table, name: &str| table.column_index(name, "column");
        let mut columns = vec![same_number::Column {
            table: &self.public,
            index: column(&self.public, &attribute.public_column)?,
            notation: &spelling.public,
            values: public,
        }];
        if let Some(table) = &self.private {
            let index = column(table, &attribute.private_column)?;
            columns.push(same_number::Column { table, index, notation: &spelling.private, values: private });
        }
        same_number::check(&attribute.name, spelling, &columns)
    }

    pub(crate) fn read_hierarchies(
        &self,
        public: &Tally,
        private: &Tally,
    ) -> Result<Vec<Quasi>, VerifyError> {
        let attributes = self.attributes.iter().filter(|attribute| attribute.role == Role::Quasi);
        let mut quasi = Vec::new();
        for (index, attribute) in attributes.enumerate() {
            let Some(source) = &attribute.hierarchy else {
                return Err(VerifyError::no_hierarchy(&attribute.name));
            };
            let (public_texts, private_texts) = (public.distinct(index), private.distinct(index));
            if source.kind != Some(Kind::Category) {
                self.check_numbers(attribute, &public_texts, &private_texts)?;
            }
            let values = |table, column, texts| ColumnValues { table, column, texts };
            let rules = ValueRules {
                missing_label: attribute.spelling.missing_label.as_deref(),
                missing_at_top: attribute.spelling.missing_at_top,
                adds_private: self.adds_private,
            };
            let hierarchy = Hierarchy::read(
                source,
                &rules,
                values(&self.public.path, &attribute.public_column, &public_texts),
                values(&self.private().path, self.private_column(attribute), &private_texts),
            )?;
            let wrong = |detail| VerifyError::hierarchy(&source.path, None, detail);
            self.check_missing(attribute, &hierarchy).map_err(wrong)?;
            attribute.limits.check(&hierarchy).map_err(wrong)?;
            if let Some(level) = attribute.limits.borders_above(hierarchy.base) {
                let mut occurs = vec![false; hierarchy.leaf_count()];
                let added = if rules.adds_private { private_texts.as_slice() } else { &[] };
                let leaves = public_texts.iter().map(|text| hierarchy.leaf(text));
                for leaf in leaves.chain(added.iter().map(|text| hierarchy.private_leaf(text))).flatten() {
                    occurs[leaf as usize] = true;
                }
                Borders::new(&hierarchy, &occurs, level).check_texts().map_err(wrong)?;
            }
            quasi.push(Quasi { name: attribute.name.clone(), hierarchy, limits: attribute.limits });
        }
        Ok(quasi)
    }
}
