//! Which column of which table is what, and the tables read accordingly.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::batch::Batch;
use super::error::VerifyError;
use super::hierarchy::{Held, Hierarchy, Whole};
use super::people::{Column, Part, Quasi};
use super::pseudonym::{PseudonymSpec, Pseudonyms};
use super::table::{Spot, Table};
use super::tally::{Counting, Tally, TooMany};
use super::value::{self, Chance};
use super::{AttributeSpec, PriorSource, PrivateSource, Rows, Strangers, VerifySpec};
use palmtop_terms::Role;

/// As many people as T may have.
const MOST_PRIVATE: u64 = u32::MAX as u64;
/// As many people as P may have.
const MOST_PUBLIC: u64 = (1 << 63) - 1;

/// The opened tables and the places of the columns that matter.
pub(super) struct Layout {
    pub(super) public: Table,
    /// `None` where T is part of P.
    private: Option<Table>,
    pub(super) columns: Vec<Column>,
    pub(super) identifiers: Vec<String>,
    /// Per quasi-identifier in project order: its place in P.
    public_places: Vec<usize>,
    /// Per quasi-identifier in project order, then per kept column in T's order: its place in T.
    private_places: Vec<usize>,
    /// The identifiers that only one person may have: their places in T.
    unique_places: Vec<usize>,
    /// Where people have several rows, the identifier that says whose they are: its places in P and in T.
    entity_places: Option<(usize, usize)>,
    count: Option<usize>,
    /// What stands for how many people, beside the numbers.
    count_texts: BTreeMap<String, u64>,
    member: Option<usize>,
    /// What alone marks a member, where the project says.
    member_texts: Vec<String>,
    /// The column that says how likely people are to be in T.
    prior: Option<usize>,
    /// Whether that is read.
    reads_prior: bool,
}

impl Layout {
    pub(super) fn open(spec: &VerifySpec) -> Result<Self, VerifyError> {
        let public = Table::open(&spec.public)?;
        let count = spec.count.as_ref().map(|count| public.place(&count.column, "count")).transpose()?;
        let prior = match spec.prior.as_ref().map(|prior| &prior.source) {
            Some(PriorSource::Column(column)) => Some(public.place(column, "prior")?),
            Some(PriorSource::Rates(_)) | None => None,
        };
        let (private, member) = match &spec.private {
            PrivateSource::Table(source) => (Some(Table::open(source)?), None),
            PrivateSource::Member { column, .. } => (None, Some(public.place(column, "member")?)),
        };
        let mut layout = Self {
            public,
            private,
            columns: Vec::new(),
            identifiers: Vec::new(),
            public_places: Vec::new(),
            private_places: Vec::new(),
            unique_places: Vec::new(),
            entity_places: None,
            count,
            count_texts: spec.count.as_ref().map_or_else(BTreeMap::new, |count| count.texts.clone()),
            member,
            member_texts: match &spec.private {
                PrivateSource::Member { is, .. } => is.clone(),
                PrivateSource::Table(_) => Vec::new(),
            },
            prior,
            reads_prior: spec.prior.as_ref().is_some_and(|prior| prior.is_judged),
        };
        layout.place_attributes(spec)?;
        layout.place_columns(spec)?;
        Ok(layout)
    }

    pub(super) fn private(&self) -> &Table {
        self.private.as_ref().unwrap_or(&self.public)
    }

    /// The column of T that an attribute names.
    pub(super) fn private_column<'a>(&self, attribute: &'a AttributeSpec) -> &'a str {
        if self.private.is_some() { &attribute.private_column } else { &attribute.public_column }
    }

    /// Finds every attribute's column; those that are kept must not be P's.
    fn place_attributes(&mut self, spec: &VerifySpec) -> Result<(), VerifyError> {
        for attribute in &spec.attributes {
            let setting = |column| format!("{column} of attribute `{}`", attribute.name);
            if attribute.role == Role::Quasi {
                let place = self.public.place(&attribute.public_column, &setting("public_column"))?;
                self.public_places.push(place);
            } else if attribute.role.is_kept() {
                let names = [&attribute.name, &attribute.public_column, &attribute.private_column];
                if let Some(known) = names.into_iter().find(|column| self.public.has(column)) {
                    return Err(VerifyError::KnownToAdversary {
                        path: self.public.path.clone(),
                        column: known.clone(),
                        role: attribute.role.as_str(),
                    });
                }
            }
            let column = self.private_column(attribute);
            let place = self.private().place(column, &setting("private_column"))?;
            if attribute.is_entity {
                let of_public = self.public.place(&attribute.public_column, &setting("public_column"))?;
                self.entity_places = Some((of_public, place));
            }
            match attribute.role {
                Role::Quasi => self.private_places.push(place),
                Role::Identifier if !attribute.repeats => self.unique_places.push(place),
                _ => {}
            }
        }
        if self.public_places.is_empty() {
            return Err(VerifyError::NoQuasiIdentifier);
        }
        Ok(())
    }

    /// Gives each column of T its part in a release, and T's kept columns their places.
    fn place_columns(&mut self, spec: &VerifySpec) -> Result<(), VerifyError> {
        let (mut columns, mut kept_places) = (Vec::new(), Vec::new());
        let mut identifiers = Vec::new();
        let table = self.private();
        for (place, name) in table.columns.iter().enumerate() {
            let owner = self.owner_of(name, spec)?;
            // Where T is part of P, the columns that only say who and how many are none of T's.
            if self.private.is_none() && (self.member == Some(place) || self.count == Some(place)) {
                if let Some((attribute, _)) = owner
                    .filter(|(attribute, _)| attribute.role.is_written() || attribute.pseudonym.is_some())
                {
                    return Err(VerifyError::NeverWritten {
                        path: table.path.clone(),
                        attribute: attribute.name.clone(),
                        column: name.clone(),
                        setting: if self.member == Some(place) { "member" } else { "count" },
                    });
                }
                continue;
            }
            let part = match owner.map(|(attribute, quasi)| (attribute.role, quasi)) {
                Some((Role::Quasi, quasi)) => Part::Quasi(quasi),
                Some((Role::Sensitive | Role::Insensitive, _)) => {
                    kept_places.push(place);
                    Part::Kept(kept_places.len() - 1)
                }
                Some((Role::Identifier, _)) => match owner.and_then(|(own, _)| own.pseudonym.as_ref()) {
                    Some(PseudonymSpec::New) => Part::Drawn,
                    // What the key makes of it is published unchanged.
                    Some(PseudonymSpec::Keyed { .. }) => {
                        kept_places.push(place);
                        Part::Kept(kept_places.len() - 1)
                    }
                    None => {
                        identifiers.push(name.clone());
                        continue;
                    }
                },
                None if spec.unlisted_dropped => continue,
                // It says something of P's people, and is none of T's.
                None if self.private.is_none() && self.prior == Some(place) => continue,
                None => {
                    return Err(VerifyError::Unlisted { path: table.path.clone(), column: name.clone() });
                }
            };
            columns.push(Column { name: name.clone(), part });
        }
        self.private_places.extend(kept_places);
        self.columns = columns;
        self.identifiers = identifiers;
        Ok(())
    }

    /// The one attribute that names a column of T, and its number among the quasi-identifiers.
    fn owner_of<'a>(
        &self,
        column: &str,
        spec: &'a VerifySpec,
    ) -> Result<Option<(&'a AttributeSpec, usize)>, VerifyError> {
        let mut quasi = 0;
        let mut owner: Option<(&AttributeSpec, usize)> = None;
        for attribute in &spec.attributes {
            if self.private_column(attribute) == column {
                if let Some((other, _)) = owner {
                    return Err(VerifyError::SharedColumn {
                        path: self.private().path.clone(),
                        column: column.to_owned(),
                        first: other.name.clone(),
                        second: attribute.name.clone(),
                    });
                }
                owner = Some((attribute, quasi));
            }
            quasi += usize::from(attribute.role == Role::Quasi);
        }
        Ok(owner)
    }

    pub(super) fn quasi_count(&self) -> usize {
        self.public_places.len()
    }

    /// How many columns of T are kept as they are, or as a key makes them.
    pub(super) fn kept_count(&self) -> usize {
        self.private_places.len() - self.quasi_count()
    }

    /// The place in T's tally of a column that is kept.
    pub(super) fn kept_place(&self, column: &str) -> Option<usize> {
        let known = self.columns.iter().find(|known| known.name == column)?;
        match known.part {
            Part::Kept(nth) => Some(self.quasi_count() + nth),
            Part::Quasi(_) | Part::Drawn => None,
        }
    }

    /// Reads both tables, reduced to distinct rows of texts. Where the prior is a column that is read, its texts stand behind
    /// P's quasi-identifiers; where people have several rows, the identifier that says whose they are stands last in both.
    pub(super) fn tally(&self, progress: &mut Rows) -> Result<(Tally, Tally), VerifyError> {
        let mut places = self.public_places.clone();
        places.extend(self.prior.filter(|_| self.reads_prior));
        places.extend(self.entity_places.map(|(of_public, _)| of_public));
        let own = places.len();
        let mut private_places = self.private_places.clone();
        private_places.extend(self.entity_places.map(|(_, of_private)| of_private));
        let mut public = Tally::new(own, MOST_PUBLIC);
        let mut private = Tally::new(private_places.len(), MOST_PRIVATE);
        let mut unique = Unique { layout: self, seen: vec![FxHashMap::default(); self.unique_places.len()] };
        if self.private.is_none() {
            places.extend(&private_places);
            places.extend(&self.unique_places);
        }
        let extra = places.len();
        let identifying = extra - if self.private.is_none() { self.unique_places.len() } else { 0 };
        places.extend(self.count.iter().chain(&self.member));
        self.public.visit_batches(&places, &mut |batch| {
            if self.counts_rows() {
                let rows = batch.len() as u64;
                public.admit(rows).map_err(|TooMany| self.too_many("public", &public))?;
                let added = public.add(batch, 0..own, Counting::All);
                added.map_err(|TooMany| self.too_many("public", &public))?;
                return progress.add(rows);
            }
            let said = SaidOfRows::read(self, batch, extra);
            let (mut people, mut members) = (Vec::with_capacity(batch.len()), Vec::new());
            for row in 0..batch.len() {
                let count = said.count(self, batch, row)?;
                let is_member = said.is_member(self, batch, row)?;
                if count == 0 {
                    continue;
                }
                said.check_chance(self, batch, row, is_member)?;
                public.admit(count).map_err(|TooMany| self.too_many("public", &public))?;
                people.push((row, count));
                if is_member {
                    private.admit(count).map_err(|TooMany| self.too_many("private", &private))?;
                    unique.check(batch.spot(row), &batch.texts(row, identifying..extra), count)?;
                    members.push((row, count));
                }
            }
            let added = public.add(batch, 0..own, Counting::Some(&people));
            added.map_err(|TooMany| self.too_many("public", &public))?;
            if !members.is_empty() {
                let added = private.add(batch, own..identifying, Counting::Some(&members));
                added.map_err(|TooMany| self.too_many("private", &private))?;
            }
            progress.add(batch.len() as u64)
        })?;
        if let Some(table) = &self.private {
            let width = private_places.len();
            private_places.extend(&self.unique_places);
            table.visit_batches(&private_places, &mut |batch| {
                let too_many = |private: &Tally| self.too_many("private", private);
                for row in 0..batch.len() {
                    private.admit(1).map_err(|TooMany| too_many(&private))?;
                    if !self.unique_places.is_empty() {
                        unique.check(batch.spot(row), &batch.texts(row, width..private_places.len()), 1)?;
                    }
                }
                let added = private.add(batch, 0..width, Counting::All);
                added.map_err(|TooMany| too_many(&private))?;
                progress.add(batch.len() as u64)
            })?;
        }
        public.close();
        private.close();
        Ok((public, private))
    }

    /// Whether each row of P is one person of P alone, of whom nothing else is said.
    fn counts_rows(&self) -> bool {
        self.count.is_none() && self.member.is_none() && !(self.reads_prior && self.prior.is_some())
    }

    /// Reads the texts of every quasi-identifier as the project says that they are written.
    pub(super) fn spell(
        &self,
        spec: &VerifySpec,
        public: &mut Tally,
        private: &mut Tally,
    ) -> Result<(), VerifyError> {
        let quasi = spec.attributes.iter().filter(|attribute| attribute.role == Role::Quasi);
        for (column, attribute) in quasi.enumerate() {
            let spelling = &attribute.spelling;
            // Where T is part of P, its texts are P's.
            let of_private = if self.private.is_some() { &spelling.private } else { &spelling.public };
            let tables = [
                (&mut *public, &spelling.public, &self.public, &attribute.public_column),
                (&mut *private, of_private, self.private(), &attribute.private_column),
            ];
            for (tally, writing, table, name) in tables {
                if spelling.is_plain(writing) {
                    continue;
                }
                tally.spell(column, |text| spelling.value(writing, text)).map_err(|(value, expected)| {
                    VerifyError::Misspelt { table: table.path.clone(), column: name.clone(), value, expected }
                })?;
            }
        }
        Ok(())
    }

    /// Looks at every identifier that has pseudonyms, and puts those that a key makes in its place in T's tally.
    pub(super) fn pseudonyms(
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
            for (place, known) in self.public.columns.iter().enumerate() {
                if names.contains(&known) {
                    if self.count.is_some() {
                        let (path, column) = (self.public.path.clone(), known.clone());
                        return Err(VerifyError::SharedPseudonym { path, column });
                    }
                    tables.push((&self.public, place));
                }
            }
            if let Some(table) = &self.private {
                tables.push((table, table.place(column, "private_column")?));
            }
            let mut own = Pseudonyms::read((column, rule), attribute.is_entity, &tables)?;
            if let Some(place) = self.kept_place(column) {
                own.apply(private, place)?;
            }
            all.push(own);
        }
        Ok(all)
    }

    fn too_many(&self, table: &'static str, tally: &Tally) -> VerifyError {
        let path = if table == "public" { &self.public.path } else { &self.private().path };
        VerifyError::TooManyPeople { path: path.clone(), table, most: tally.most() }
    }

    fn public_name(&self, place: Option<usize>) -> String {
        place.map(|place| self.public.columns[place].clone()).unwrap_or_default()
    }

    /// Texts for no value must be no labels, and what people without a value are called no number or day among such.
    fn check_no_value(&self, attribute: &AttributeSpec, hierarchy: &Hierarchy) -> Result<(), String> {
        let spelling = &attribute.spelling;
        let of_private = self.private.iter().flat_map(|_| &spelling.private.missing);
        let mut texts = spelling.public.missing.iter().chain(of_private);
        if let Some(text) = texts.find(|text| hierarchy.is_coarser_label(text)) {
            return Err(format!(
                "the tables write `{text}` for no value, and it is a label here; rename one of them"
            ));
        }
        match &spelling.missing_label {
            Some(label) if value::reads_as(label, hierarchy.kind) => Err(format!(
                "people without a value are called `{label}`, which reads as a {} of `{}`; call them otherwise",
                hierarchy.kind.as_str(),
                attribute.name
            )),
            _ => Ok(()),
        }
    }

    pub(super) fn read_hierarchies(
        &self,
        spec: &VerifySpec,
        public: &Tally,
        private: &Tally,
    ) -> Result<Vec<Quasi>, VerifyError> {
        let attributes = spec.attributes.iter().filter(|attribute| attribute.role == Role::Quasi);
        let mut quasi = Vec::new();
        for (place, attribute) in attributes.enumerate() {
            let Some(source) = &attribute.hierarchy else {
                return Err(VerifyError::NoHierarchy { attribute: attribute.name.clone() });
            };
            let (public_texts, private_texts) = (public.distinct(place), private.distinct(place));
            let held = |table, column, texts| Held { table, column, texts };
            let whole = Whole {
                missing: attribute.spelling.missing_label.as_deref(),
                at_top: attribute.spelling.missing_at_top,
                adds: spec.strangers == Strangers::Add,
            };
            let hierarchy = Hierarchy::read(
                source,
                &whole,
                held(&self.public.path, &attribute.public_column, &public_texts),
                held(&self.private().path, self.private_column(attribute), &private_texts),
            )?;
            self.check_no_value(attribute, &hierarchy).map_err(|detail| VerifyError::Hierarchy {
                path: source.path.clone(),
                line: None,
                detail,
            })?;
            attribute.limits.check(&hierarchy).map_err(|detail| VerifyError::Hierarchy {
                path: source.path.clone(),
                line: None,
                detail,
            })?;
            quasi.push(Quasi { name: attribute.name.clone(), hierarchy, limits: attribute.limits });
        }
        Ok(quasi)
    }
}

/// What a batch's columns say of its rows: of each distinct text once.
struct SaidOfRows {
    /// The part that holds the count, and for how many people each text stands.
    counts: Option<(usize, Vec<Option<u64>>)>,
    /// The part that marks members, and whether each text does.
    members: Option<(usize, Vec<Option<bool>>)>,
    /// The part that holds the prior, and the chance that each text is.
    chances: Option<(usize, Vec<Option<Chance>>)>,
}

impl SaidOfRows {
    /// The count and what marks members are the last parts of a batch, from `extra` on.
    fn read(layout: &Layout, batch: &Batch, extra: usize) -> Self {
        let mut parts = extra..;
        let count = |text: &str| layout.count_texts.get(text).copied().or_else(|| value::people(text));
        let member = |text: &str| {
            if layout.member_texts.is_empty() {
                value::membership(text)
            } else {
                Some(layout.member_texts.iter().any(|known| known == text))
            }
        };
        let counts = layout.count.and_then(|_| parts.next());
        let members = layout.member.and_then(|_| parts.next());
        let chances = layout.prior.filter(|_| layout.reads_prior).map(|_| layout.quasi_count());
        Self {
            counts: counts.map(|part| (part, batch.column(part).map(count))),
            members: members.map(|part| (part, batch.column(part).map(member))),
            chances: chances.map(|part| (part, batch.column(part).map(value::chance))),
        }
    }

    /// For how many people a row stands.
    fn count(&self, layout: &Layout, batch: &Batch, row: usize) -> Result<u64, VerifyError> {
        let Some((part, counts)) = &self.counts else { return Ok(1) };
        let cells = batch.column(*part);
        counts[cells.numbers()[row] as usize].ok_or_else(|| VerifyError::NotACount {
            path: layout.public.file(batch.spot(row)).to_owned(),
            place: batch.place(row),
            column: layout.public_name(layout.count),
            value: cells.cell(row).to_owned(),
        })
    }

    fn is_member(&self, layout: &Layout, batch: &Batch, row: usize) -> Result<bool, VerifyError> {
        let Some((part, members)) = &self.members else { return Ok(false) };
        let cells = batch.column(*part);
        members[cells.numbers()[row] as usize].ok_or_else(|| VerifyError::NotAMembership {
            path: layout.public.file(batch.spot(row)).to_owned(),
            place: batch.place(row),
            column: layout.public_name(layout.member),
            value: cells.cell(row).to_owned(),
        })
    }

    /// What the prior's column holds is a probability, and a member's is not 0.
    fn check_chance(
        &self,
        layout: &Layout,
        batch: &Batch,
        row: usize,
        is_member: bool,
    ) -> Result<(), VerifyError> {
        let Some((part, chances)) = &self.chances else { return Ok(()) };
        let cells = batch.column(*part);
        let path = || layout.public.file(batch.spot(row)).to_owned();
        let (place, column) = (batch.place(row), || layout.public_name(layout.prior));
        match chances[cells.numbers()[row] as usize] {
            None => {
                let value = cells.cell(row).to_owned();
                Err(VerifyError::NotAChance { path: path(), place, column: column(), value })
            }
            Some(chance) if is_member && chance.yes == 0 => {
                Err(VerifyError::ImpossibleMember { path: path(), place, column: column() })
            }
            Some(_) => Ok(()),
        }
    }
}

/// The identifiers seen so far, each with its first place.
struct Unique<'a> {
    layout: &'a Layout,
    seen: Vec<FxHashMap<String, Spot>>,
}

impl Unique<'_> {
    /// Nobody may stand in T twice: not by an identifier that occurs again, nor by a row with one for several people.
    fn check(&mut self, spot: Spot, identifiers: &[&str], people: u64) -> Result<(), VerifyError> {
        let columns = self.seen.iter_mut().zip(identifiers).zip(&self.layout.unique_places);
        for ((seen, identifier), &column) in columns {
            if identifier.is_empty() {
                continue;
            }
            let first = match seen.get(*identifier) {
                Some(first) => Some(*first),
                None if people > 1 => None,
                None => {
                    seen.insert((*identifier).to_owned(), spot);
                    continue;
                }
            };
            let table = self.layout.private();
            return Err(VerifyError::RepeatedIdentifier {
                path: table.file(spot).to_owned(),
                place: spot.place,
                column: table.columns[column].clone(),
                value: (*identifier).to_owned(),
                first: first.map(|first| {
                    let other = (first.file != spot.file).then(|| table.file(first).to_owned());
                    Box::new((first.place, other))
                }),
            });
        }
        Ok(())
    }
}
