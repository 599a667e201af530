//! T and P, opened and checked against the project, and their reduction to a histogram.

use std::collections::HashSet;
use std::path::Path;

use super::progress::{self, LoadObserver, LoadStage};
use super::{InputFile, PipelineError};
use crate::data::encode::{self, Encoder, Reduced, Weight};
use crate::data::error::DataError;
use crate::data::hierarchies::{self, Domain, HierarchySpec, Values};
use crate::data::join::{self, Joined};
use crate::data::read::{self, Survey, Table, TableSpec};
use crate::model::{Histogram, Role};
use crate::project::{PrivateSource, Project};

/// T and P, opened, with the columns that the project gives them.
pub(super) struct Tables<'a> {
    project: &'a Project,
    pub(super) public: Table,
    pub(super) private: Table,
}

impl<'a> Tables<'a> {
    pub(super) fn open(project: &'a Project) -> Result<Self, PipelineError> {
        let public = &project.public;
        let open = |path: &Path, separator| Table::open(&TableSpec { path: path.to_owned(), separator });
        let public_table = open(&public.path, public.separator)?;
        let private = match &project.private {
            PrivateSource::Table { path, separator } => open(path, *separator)?,
            PrivateSource::Member { column } => {
                public_table.require(column, "`member` of [public]")?;
                public_table.clone()
            }
        };
        if let Some(count) = &public.count {
            public_table.require(count, "`count` of [public]")?;
        }
        for attribute in &project.attributes {
            let setting = |table| format!("[[attribute]] `{}` ({table}_column)", attribute.name);
            private.require(project.private_column(attribute), &setting("private"))?;
            if attribute.role == Role::Quasi {
                public_table.require(&attribute.public_column, &setting("public"))?;
            }
        }
        Ok(Self { project, public: public_table, private })
    }

    /// Every column of T has a role, and P has none of those that only T may have.
    pub(super) fn check_roles(&self) -> Result<(), PipelineError> {
        let project = self.project;
        let listed: HashSet<&str> =
            project.attributes.iter().map(|attribute| project.private_column(attribute)).collect();
        let special = |column: &str| {
            self.project.member_column().is_some_and(|member| member == column)
                || (self.project.member_column().is_some() && project.public.count.as_deref() == Some(column))
        };
        let unlisted = self.private.columns().iter().filter(|column| !listed.contains(column.as_str()));
        let unlisted: Vec<String> = unlisted.filter(|column| !special(column)).cloned().collect();
        if !unlisted.is_empty() && !project.drop_unlisted {
            return Err(PipelineError::Unlisted { path: self.private.path().to_owned(), columns: unlisted });
        }
        for attribute in &project.attributes {
            if !matches!(attribute.role, Role::Sensitive | Role::Insensitive) {
                continue;
            }
            let names = [&attribute.name, &attribute.private_column, &attribute.public_column];
            if let Some(column) = names.into_iter().find(|column| self.public.has(column)) {
                let (path, role) = (self.public.path().to_owned(), attribute.role);
                return Err(PipelineError::KnownToAll { path, column: column.clone(), role });
            }
        }
        Ok(())
    }

    fn public_columns(&self) -> Vec<&str> {
        self.project.quasi().map(|(attribute, _)| attribute.public_column.as_str()).collect()
    }

    fn private_columns(&self) -> Vec<&str> {
        self.project.quasi().map(|(attribute, _)| self.project.private_column(attribute)).collect()
    }

    /// One pass over each table; the quasi-identifiers' distinct values come first.
    pub(super) fn survey(&self, observer: &mut LoadObserver) -> Result<(Survey, Survey), PipelineError> {
        let empty =
            |table: &Table, which| DataError::EmptyTable { path: table.path().to_owned(), table: which };
        let count = self.project.public.count.as_deref();
        let mut columns = self.public_columns();
        let quasi = columns.len();
        columns.extend(count.iter().chain(self.project.member_column().iter()));
        let mut public = survey(&self.public, &columns, LoadStage::Public, observer)?;
        if public.rows == 0 {
            return Err(empty(&self.public, "public").into());
        }
        let mut extra = public.distinct.split_off(quasi).into_iter();
        if let Some(column) = count {
            encode::check_counts(&self.public, column, &extra.next().unwrap_or_default())?;
        }
        if let Some(column) = self.project.member_column() {
            encode::check_members(&self.public, column, &extra.next().unwrap_or_default())?;
            return Ok((public.clone(), public));
        }
        let private = survey(&self.private, &self.private_columns(), LoadStage::Private, observer)?;
        if private.rows == 0 {
            return Err(empty(&self.private, "private").into());
        }
        Ok((public, private))
    }

    /// The hierarchies, one after the other.
    pub(super) fn domains(
        &self,
        public: &Survey,
        private: &Survey,
        observer: &mut LoadObserver,
    ) -> Result<Vec<Domain>, PipelineError> {
        let (stage, total) = (LoadStage::Hierarchies, self.project.quasi().count() as u64);
        let columns = std::iter::zip(self.public_columns(), self.private_columns());
        let values = std::iter::zip(&public.distinct, &private.distinct);
        let mut domains = Vec::new();
        for ((_, file), ((public_column, private_column), (public, private))) in
            self.project.quasi().zip(columns.zip(values))
        {
            progress::tell(observer, stage, domains.len() as u64, total)?;
            let spec = HierarchySpec { path: file.path.clone(), kind: file.kind, base: file.public_level };
            let public = Values { table: self.public.path(), column: public_column, texts: public };
            let private = Values { table: self.private.path(), column: private_column, texts: private };
            domains.push(hierarchies::read(&spec, public, private)?);
        }
        progress::tell(observer, stage, total, total)?;
        Ok(domains)
    }

    /// P and T, reduced to their distinct combinations.
    pub(super) fn count(
        &self,
        encoder: &Encoder,
        public: &Survey,
        private: &Survey,
        observer: &mut LoadObserver,
    ) -> Result<(Reduced, Reduced), PipelineError> {
        let weight = self.project.public.count.clone().map_or(Weight::One, Weight::Count);
        let member = self.project.member_column();
        let private_weight = if member.is_some() { weight.clone() } else { Weight::One };
        let columns = (self.public_columns(), self.private_columns());
        let public = progress::metered(observer, LoadStage::CountingPublic, public.rows, |meter| {
            Ok(encoder.reduce(&self.public, &columns.0, &weight, None, meter)?)
        })?;
        let private = progress::metered(observer, LoadStage::CountingPrivate, private.rows, |meter| {
            Ok(encoder.reduce(&self.private, &columns.1, &private_weight, member, meter)?)
        })?;
        Ok((public, private))
    }

    /// One histogram of both, with T ⊆ P checked.
    pub(super) fn join(
        &self,
        encoder: &Encoder,
        public: &Reduced,
        private: &Reduced,
    ) -> Result<Histogram, PipelineError> {
        let private_columns = self.private_columns();
        let attributes: Vec<String> =
            self.project.quasi().map(|(attribute, _)| attribute.name.clone()).collect();
        let tables = Joined {
            public: &self.public,
            private: (&self.private, &private_columns),
            attributes: &attributes,
        };
        Ok(join::join(encoder, public, private, &tables)?)
    }

    pub(super) fn inputs(&self, public: &Survey, private: &Survey) -> Result<Vec<InputFile>, PipelineError> {
        let table = |table: &Table, survey: &Survey| InputFile {
            path: table.path().to_owned(),
            sha256: survey.sha256.clone(),
            rows: Some(survey.rows),
        };
        let mut inputs = vec![table(&self.public, public)];
        if self.project.member_column().is_none() {
            inputs.push(table(&self.private, private));
        }
        let mut files: Vec<&Path> = vec![&self.project.path];
        files.extend(self.project.quasi().map(|(_, hierarchy)| hierarchy.path.as_path()));
        for path in files {
            let sha256 = read::hash_file(path)?;
            inputs.push(InputFile { path: path.to_owned(), sha256, rows: None });
        }
        inputs.dedup();
        Ok(inputs)
    }
}

/// One pass over a table, told in bytes.
fn survey(
    table: &Table,
    columns: &[&str],
    stage: LoadStage,
    observer: &mut LoadObserver,
) -> Result<Survey, PipelineError> {
    let size = progress::size_of(table.path());
    progress::metered(observer, stage, size, |meter| Ok(table.survey(columns, meter)?))
}
