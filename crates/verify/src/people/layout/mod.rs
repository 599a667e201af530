//! Finds the columns of the attributes in both tables, and reads the tables accordingly.

mod row_facts;
mod same_number;

use self::row_facts::{FactColumns, RowFacts};
use super::persons;
use super::persons::{Compared, Identifier, OneRow, Watched};
use super::pseudonym::{PseudonymSpec, Pseudonyms};
use crate::labels::{Borders, ColumnValues, Hierarchy, Limits, ValueRules};
use crate::problems::VerifyError;

use super::count::{Counting, Rows, Tally, TooMany};
use super::settings::{AttributeSpec, NotInPublic, PrivateSource, Repeated, VerifySpec};
use crate::read::Table;
use crate::values::value;
use palmtop_terms::LocatedError;
use palmtop_terms::{Kind, Role};

/// The limit of people in T.
const MOST_PRIVATE: u64 = u32::MAX as u64;
/// The limit of people in P.
const MOST_PUBLIC: u64 = (1 << 63) - 1;

/// A column that a release must have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) part: Part,
}

/// The content of a column: a quasi-identifier or a kept column, each with its index from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Quasi(usize),
    Kept(usize),
    /// New pseudonyms, which do not depend on T.
    Drawn,
}

/// A quasi-identifier with its hierarchy and its limits.
#[derive(Debug)]
pub(crate) struct Quasi {
    pub(crate) name: String,
    pub(crate) hierarchy: Hierarchy,
    pub(crate) limits: Limits,
}

/// The opened tables and the indices of the columns that are read.
pub(crate) struct Layout {
    pub(crate) public: Table,
    /// `None` if T is part of P.
    private: Option<Table>,
    pub(crate) columns: Vec<Column>,
    pub(crate) identifiers: Vec<String>,
    /// The columns of the quasi-identifiers in P, in project order.
    public_indices: Vec<usize>,
    /// The columns of the quasi-identifiers in T, in project order, then the kept columns in T's order.
    private_indices: Vec<usize>,
    /// The identifiers of P and of T that nobody may share.
    watched: (Vec<Identifier>, Vec<Identifier>),
    /// The columns of P that may say who is a person.
    maybe_persons: Vec<Identifier>,
    /// The columns of the entity in P and in T, if people have several rows.
    entity_indices: Option<(usize, usize)>,
    /// The columns of P with facts about each row.
    facts: FactColumns,
}

impl Layout {
    pub(crate) fn open(spec: &VerifySpec) -> Result<Self, VerifyError> {
        let public = Table::open(&spec.public)?;
        let facts = FactColumns::find(spec, &public)?;
        let private = match &spec.private {
            PrivateSource::Table(source) => Some(Table::open(source)?),
            PrivateSource::Member { .. } => None,
        };
        let mut layout = Self {
            public,
            private,
            columns: Vec::new(),
            identifiers: Vec::new(),
            public_indices: Vec::new(),
            private_indices: Vec::new(),
            watched: (Vec::new(), Vec::new()),
            maybe_persons: Vec::new(),
            entity_indices: None,
            facts,
        };
        layout.find_attributes(spec)?;
        layout.assign_parts(spec)?;
        layout.leave_out_repeats(spec)?;
        layout.watch(spec);
        Ok(layout)
    }

    /// What rows of P, or of T, with one identifier are compared by: all that a release or a verdict follows from.
    fn identifier(&self, spec: &VerifySpec, column: usize, is_public: bool) -> Identifier {
        let table = if is_public { &self.public } else { self.private() };
        let has_private = !is_public || self.private.is_none();
        let mut compared = Vec::new();
        for attribute in &spec.attributes {
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
        Identifier { column, compared, missing: spec.missing.clone() }
    }

    /// Finds the rows that repeat a person, if the project counts one row of each.
    fn leave_out_repeats(&mut self, spec: &VerifySpec) -> Result<(), VerifyError> {
        let of_attribute = spec.attributes.iter().find(|attribute| attribute.repeated.is_person());
        let of_public = spec.person.as_ref().filter(|(_, repeated)| repeated.is_person());
        if let Some((column, _)) = &spec.person {
            self.public.column_index(column, "`person` of [public]")?;
        }
        let says_who = |attribute: &&AttributeSpec| attribute.is_entity || attribute.repeated.is_person();
        let all = spec.attributes.iter().filter(says_who).count() + usize::from(spec.person.is_some());
        if all > 1 {
            let problem = "two columns say who is a person";
            return Err(LocatedError::new(problem)
                .remedy("write `repeats` with a reason for one of them")
                .into());
        }
        if spec.count.as_ref().is_some_and(|count| !count.is_fetched)
            && (of_attribute.is_some() || of_public.is_some())
        {
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
                    let named = spec.attributes.iter().find(|attribute| attribute.name == *order);
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
            let left_out = persons::left_out(table, &self.identifier(spec, column, is_public), one_row)?;
            match &mut self.private {
                Some(private) if !is_public => private.repeats = left_out,
                _ => self.public.repeats = left_out,
            }
        }
        Ok(())
    }

    /// Finds the identifiers of which the project does not say what rows with one value are.
    fn watch(&mut self, spec: &VerifySpec) {
        let has_entity = self.entity_indices.is_some();
        let (mut public, mut private) = (Vec::new(), Vec::new());
        let is_all_listed = self.private.is_none() && !spec.unlisted_dropped;
        let mut says_who = has_entity || spec.person.is_some() || spec.count.is_some() || is_all_listed;
        for attribute in spec.attributes.iter().filter(|attribute| attribute.role == Role::Identifier) {
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
            let is_watched = self.private.is_none() || (!has_entity && spec.count.is_none());
            if let Some(column) = in_public.filter(|_| is_watched) {
                public.push(self.identifier(spec, column, true));
            }
            let name = self.private_column(attribute);
            let in_private =
                self.private.as_ref().and_then(|table| table.columns.iter().position(|known| known == name));
            private.extend(in_private.map(|column| self.identifier(spec, column, false)));
        }
        if !says_who {
            let is_named =
                |name: &String| spec.attributes.iter().any(|attribute| attribute.public_column == *name);
            let is_spare = |column: &usize| {
                !is_named(&self.public.columns[*column])
                    && self.facts.member != Some(*column)
                    && self.public.may_identify(*column)
            };
            let spare = (0..self.public.columns.len()).filter(is_spare);
            self.maybe_persons = spare.map(|column| self.identifier(spec, column, true)).collect();
        }
        self.watched = (public, private);
    }

    pub(crate) fn private(&self) -> &Table {
        self.private.as_ref().unwrap_or(&self.public)
    }

    /// The rows of P's files and of T's that the project leaves out, once they were read.
    pub(crate) fn left_out(&self) -> (u64, u64) {
        (self.public.left_out(), self.private.as_ref().map_or(0, Table::left_out))
    }

    /// The number of rows of P and of T that repeat a person.
    pub(crate) fn repeats(&self) -> (u64, u64) {
        let count = |table: &Table| table.repeats.len() as u64;
        (count(&self.public), self.private.as_ref().map_or(0, count))
    }

    /// The name of an attribute's column in T.
    pub(crate) fn private_column<'a>(&self, attribute: &'a AttributeSpec) -> &'a str {
        if self.private.is_some() { &attribute.private_column } else { &attribute.public_column }
    }

    /// Finds the columns of every attribute. P must not have the columns that are kept.
    fn find_attributes(&mut self, spec: &VerifySpec) -> Result<(), VerifyError> {
        for attribute in &spec.attributes {
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
    fn assign_parts(&mut self, spec: &VerifySpec) -> Result<(), VerifyError> {
        let (mut columns, mut kept) = (Vec::new(), Vec::new());
        let mut identifiers = Vec::new();
        let table = self.private();
        for (index, name) in table.columns.iter().enumerate() {
            let owner = self.owner_of(name, spec)?;
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
                None if spec.unlisted_dropped => continue,
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
    fn owner_of<'a>(
        &self,
        column: &str,
        spec: &'a VerifySpec,
    ) -> Result<Option<(&'a AttributeSpec, usize)>, VerifyError> {
        let mut quasi = 0;
        let mut owner: Option<(&AttributeSpec, usize)> = None;
        for attribute in &spec.attributes {
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

    pub(crate) fn quasi_count(&self) -> usize {
        self.public_indices.len()
    }

    /// The number of kept columns of T, including pseudonyms made by a key.
    pub(crate) fn kept_count(&self) -> usize {
        self.private_indices.len() - self.quasi_count()
    }

    /// The index of a kept column in T's tally.
    pub(crate) fn kept_index(&self, column: &str) -> Option<usize> {
        let known = self.columns.iter().find(|known| known.name == column)?;
        match known.part {
            Part::Kept(nth) => Some(self.quasi_count() + nth),
            Part::Quasi(_) | Part::Drawn => None,
        }
    }

    /// Reads both tables and reduces them to distinct rows of texts.
    ///
    /// The tally of P has the quasi-identifiers. The tally of T has the quasi-identifiers, then the kept columns. If people
    /// have several rows, the last column of both is the entity.
    pub(crate) fn tally(&self, progress: &mut Rows) -> Result<(Tally, Tally), VerifyError> {
        let mut parts = self.public_indices.clone();
        parts.extend(self.entity_indices.map(|(in_public, _)| in_public));
        let public_width = parts.len();
        let mut private_indices = self.private_indices.clone();
        private_indices.extend(self.entity_indices.map(|(_, in_private)| in_private));
        let mut public = Tally::new(public_width, MOST_PUBLIC);
        let mut private = Tally::new(private_indices.len(), MOST_PRIVATE);
        if self.private.is_none() {
            parts.extend(&private_indices);
        }
        let private_end = parts.len();
        let known = self.watched.0.iter().map(|identifier| Watched::new(identifier.clone(), true));
        let maybe = self.maybe_persons.iter().map(|identifier| Watched::new(identifier.clone(), false));
        let mut watched: Vec<Watched> = known.chain(maybe).collect();
        parts.extend(watched.iter().map(Watched::column));
        let watched_end = parts.len();
        parts.extend(self.facts.count.iter().chain(&self.facts.member));
        let mut before = 0;
        self.public.visit_batches(&parts, &mut |batch| {
            let first = before;
            before += batch.len() as u64;
            if self.facts.count_rows_only() && self.public.repeats.is_empty() {
                let rows = batch.len() as u64;
                public.admit(rows).map_err(|TooMany| self.too_many("public", &public))?;
                let added = public.add(batch, 0..public_width, Counting::All);
                added.map_err(|TooMany| self.too_many("public", &public))?;
                for (part, watched) in (private_end..).zip(&mut watched) {
                    watched.look(batch, part, (0..batch.len()).map(|row| (row, 1)));
                }
                return progress.add(rows);
            }
            let facts = RowFacts::read((&self.facts, &self.public), batch, watched_end);
            let (mut people, mut members) = (Vec::with_capacity(batch.len()), Vec::new());
            for row in 0..batch.len() {
                let count = facts.count(row)?;
                let is_member = facts.is_member(row)?;
                if count == 0 || self.public.repeats.contains(&(first + row as u64)) {
                    continue;
                }
                public.admit(count).map_err(|TooMany| self.too_many("public", &public))?;
                people.push((row, count));
                if is_member {
                    private.admit(count).map_err(|TooMany| self.too_many("private", &private))?;
                    members.push((row, count));
                }
            }
            let added = public.add(batch, 0..public_width, Counting::Some(&people));
            added.map_err(|TooMany| self.too_many("public", &public))?;
            if !members.is_empty() {
                let added = private.add(batch, public_width..private_end, Counting::Some(&members));
                added.map_err(|TooMany| self.too_many("private", &private))?;
            }
            for (part, watched) in (private_end..).zip(&mut watched) {
                // A row with a count is for several people, so only members need an identifier each.
                let rows = if self.facts.count.is_some() { &members } else { &people };
                watched.look(batch, part, rows.iter().copied());
            }
            progress.add(batch.len() as u64)
        })?;
        watched.iter().try_for_each(|watched| watched.check(&self.public))?;
        if let Some(table) = &self.private {
            let width = private_indices.len();
            let mut watched: Vec<Watched> =
                self.watched.1.iter().map(|identifier| Watched::new(identifier.clone(), true)).collect();
            private_indices.extend(watched.iter().map(Watched::column));
            let mut before = 0;
            table.visit_batches(&private_indices, &mut |batch| {
                let is_counted = |row: &usize| !table.repeats.contains(&(before + *row as u64));
                let members: Vec<(usize, u64)> =
                    (0..batch.len()).filter(is_counted).map(|row| (row, 1)).collect();
                before += batch.len() as u64;
                let too_many = |private: &Tally| self.too_many("private", private);
                private.admit(members.len() as u64).map_err(|TooMany| too_many(&private))?;
                for (part, watched) in (width..).zip(&mut watched) {
                    watched.look(batch, part, members.iter().copied());
                }
                let added = private.add(batch, 0..width, Counting::Some(&members));
                added.map_err(|TooMany| too_many(&private))?;
                progress.add(batch.len() as u64)
            })?;
            watched.iter().try_for_each(|watched| watched.check(table))?;
        }
        public.close();
        private.close();
        Ok((public, private))
    }

    /// Replaces the texts of every quasi-identifier by their values, in the notation that the project declares.
    pub(crate) fn spell(
        &self,
        spec: &VerifySpec,
        public: &mut Tally,
        private: &mut Tally,
    ) -> Result<(), VerifyError> {
        let quasi = spec.attributes.iter().filter(|attribute| attribute.role == Role::Quasi);
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
    pub(crate) fn pseudonyms(
        &self,
        spec: &VerifySpec,
        private: &mut Tally,
    ) -> Result<Vec<Pseudonyms>, VerifyError> {
        let mut all = Vec::new();
        for attribute in &spec.attributes {
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
            let mut pseudonyms = Pseudonyms::read((column, rule), attribute.is_entity, &tables)?;
            if let Some(index) = self.kept_index(column) {
                pseudonyms.apply(private, index)?;
            }
            all.push(pseudonyms);
        }
        Ok(all)
    }

    fn too_many(&self, table: &'static str, tally: &Tally) -> VerifyError {
        let path = if table == "public" { &self.public.path } else { &self.private().path };
        LocatedError::new(format!("more than {} people", tally.most()))
            .in_file(path)
            .remedy(format!("split the {table} table"))
            .into()
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
        spec: &VerifySpec,
        public: &Tally,
        private: &Tally,
    ) -> Result<Vec<Quasi>, VerifyError> {
        let attributes = spec.attributes.iter().filter(|attribute| attribute.role == Role::Quasi);
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
                adds_private: spec.not_in_public == NotInPublic::Add,
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
