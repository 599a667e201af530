//! Which column of which table is what, and the tables read accordingly.

use super::error::VerifyError;
use super::people::{Column, Part, Quasi};
use super::table::Table;
use super::tally::Tally;
use super::{AttributeSpec, PrivateSource, Rows, VerifySpec};
use crate::data::error::DataError;
use crate::data::hierarchies::{self, Values};
use crate::model::{ModelError, Role};

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
    count: Option<usize>,
    member: Option<usize>,
}

impl Layout {
    pub(super) fn open(spec: &VerifySpec) -> Result<Self, VerifyError> {
        let public = Table::open(&spec.public)?;
        let count = spec.count.as_deref().map(|column| public.place(column, "count")).transpose()?;
        let (private, member) = match &spec.private {
            PrivateSource::Table(source) => (Some(Table::open(source)?), None),
            PrivateSource::Member(column) => (None, Some(public.place(column, "member")?)),
        };
        let mut layout = Self {
            public,
            private,
            columns: Vec::new(),
            identifiers: Vec::new(),
            public_places: Vec::new(),
            private_places: Vec::new(),
            count,
            member,
        };
        layout.place_quasi(spec)?;
        layout.place_columns(spec)?;
        Ok(layout)
    }

    pub(super) fn private(&self) -> &Table {
        self.private.as_ref().unwrap_or(&self.public)
    }

    /// The column of T that an attribute names.
    fn private_column<'a>(&self, attribute: &'a AttributeSpec) -> &'a str {
        if self.private.is_some() { &attribute.private_column } else { &attribute.public_column }
    }

    fn place_quasi(&mut self, spec: &VerifySpec) -> Result<(), VerifyError> {
        for attribute in &spec.attributes {
            let setting = |column| format!("{column} of attribute `{}`", attribute.name);
            let column = self.private_column(attribute);
            if attribute.role == Role::Quasi {
                let place = self.public.place(&attribute.public_column, &setting("public_column"))?;
                self.public_places.push(place);
                let place = self.private().place(column, &setting("private_column"))?;
                self.private_places.push(place);
            } else if attribute.role.is_kept() {
                let names = [&attribute.public_column, &attribute.private_column];
                if let Some(known) = names.into_iter().find(|column| self.public.has(column)) {
                    return Err(VerifyError::KnownToAdversary {
                        path: self.public.path.clone(),
                        column: known.clone(),
                        role: attribute.role.word(),
                    });
                }
                self.private().place(column, &setting("private_column"))?;
            }
        }
        if self.public_places.is_empty() {
            return Err(DataError::Model(ModelError::NoQuasiIdentifier).into());
        }
        Ok(())
    }

    /// Gives each column of T its part in a release, and T's kept columns their places.
    fn place_columns(&mut self, spec: &VerifySpec) -> Result<(), VerifyError> {
        let (mut columns, mut kept_places) = (Vec::new(), Vec::new());
        let mut identifiers = Vec::new();
        let table = self.private();
        for (place, name) in table.columns.iter().enumerate() {
            // Where T is part of P, the columns that only say who and how many are none of T's.
            if self.private.is_none() && (self.member == Some(place) || self.count == Some(place)) {
                continue;
            }
            let mut quasi = 0;
            let mut owner: Option<(&AttributeSpec, usize)> = None;
            for attribute in &spec.attributes {
                if self.private_column(attribute) == name {
                    if let Some((other, _)) = owner {
                        return Err(VerifyError::SharedColumn {
                            path: table.path.clone(),
                            column: name.clone(),
                            first: other.name.clone(),
                            second: attribute.name.clone(),
                        });
                    }
                    owner = Some((attribute, quasi));
                }
                quasi += usize::from(attribute.role == Role::Quasi);
            }
            let part = match owner.map(|(attribute, quasi)| (attribute.role, quasi)) {
                Some((Role::Quasi, quasi)) => Part::Quasi(quasi),
                Some((Role::Sensitive | Role::Insensitive, _)) => {
                    kept_places.push(place);
                    Part::Kept(kept_places.len() - 1)
                }
                Some((Role::Identifier, _)) => {
                    identifiers.push(name.clone());
                    continue;
                }
                None if spec.unlisted_dropped => continue,
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

    /// Reads both tables, reduced to distinct rows of texts.
    pub(super) fn tally(
        &self,
        spec: &VerifySpec,
        progress: &mut Rows,
    ) -> Result<(Tally, Tally), VerifyError> {
        let mut public = Tally::new(self.public_places.len());
        let mut private = Tally::new(self.private_places.len());
        let mut places = self.public_places.clone();
        let own = places.len();
        if self.private.is_none() {
            places.extend(&self.private_places);
        }
        let extra = places.len();
        places.extend(self.count.iter().chain(&self.member));
        self.public.visit(&places, &mut |texts, rows| {
            let mut extras = texts[extra..].iter().copied();
            let people = match self.count.and_then(|_| extras.next()) {
                Some(text) => rows.saturating_mul(self.read_count(spec, text)?),
                None => rows,
            };
            public.add(&texts[..own], people);
            let is_member = self.member.and_then(|_| extras.next()).map(|text| self.read_member(text));
            if is_member.transpose()? == Some(true) {
                private.add(&texts[own..extra], people);
            }
            progress.add(rows)
        })?;
        if let Some(table) = &self.private {
            table.visit(&self.private_places, &mut |texts, rows| {
                private.add(texts, rows);
                progress.add(rows)
            })?;
        }
        Ok((public, private))
    }

    fn read_count(&self, spec: &VerifySpec, text: &str) -> Result<u64, VerifyError> {
        let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
        match text.parse::<u32>() {
            Ok(people) if is_plain && people > 0 => Ok(u64::from(people)),
            _ => Err(VerifyError::NotACount {
                path: self.public.path.clone(),
                column: spec.count.clone().unwrap_or_default(),
                value: text.to_owned(),
            }),
        }
    }

    fn read_member(&self, text: &str) -> Result<bool, VerifyError> {
        match text {
            "true" | "1" | "yes" => Ok(true),
            "false" | "0" | "no" | "" => Ok(false),
            _ => Err(DataError::NotAMembership {
                row: 0,
                path: self.public.path.clone(),
                column: self.member.map(|place| self.public.columns[place].clone()).unwrap_or_default(),
                value: text.to_owned(),
            }
            .into()),
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
            let Some(hierarchy) = &attribute.hierarchy else {
                return Err(VerifyError::NoHierarchy { attribute: attribute.name.clone() });
            };
            let (public_texts, private_texts) = (public.distinct(place), private.distinct(place));
            let values = |table, column, texts| Values { table, column, texts };
            let domain = hierarchies::read(
                hierarchy,
                values(&self.public.path, &attribute.public_column, &public_texts),
                values(&self.private().path, self.private_column(attribute), &private_texts),
            )?;
            quasi.push(Quasi { name: attribute.name.clone(), domain });
        }
        Ok(quasi)
    }
}
