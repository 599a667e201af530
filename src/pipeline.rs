//! The whole flow: a project becomes a problem, a problem a release, a release a verified file.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::data::encode::{self, Encoder, Reduced, Weight};
use crate::data::error::DataError;
use crate::data::hierarchies::{self, Domain, HierarchySpec, Values};
use crate::data::join::{self, Joined};
use crate::data::read::{Survey, Table, TableSpec};
use crate::data::write::{self, Disk, RealDisk, WriteError};
use crate::model::{Code, Delta, Histogram, ModelError, Node, Presence, Problem, QuasiIdentifier, Role};
use crate::project::{Attribute, PrivateSource, Project, ProjectError};
use crate::release::{Achieved, Origin, Release, Verification};
use crate::search::{self, Config, Observer, SearchReport, Strategy};
use crate::verify::{self, AttributeSpec, Findings, TableSource, VerifyError, VerifySpec};

/// What may be given in place of the project's own settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// δmin.
    pub delta_min: Option<Presence>,
    /// δmax.
    pub delta_max: Option<Presence>,
}

/// Everything that can go wrong between a project and a written release.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PipelineError {
    /// The project file.
    #[error(transparent)]
    Project(#[from] ProjectError),
    /// A table or a hierarchy.
    #[error(transparent)]
    Data(#[from] DataError),
    /// Tables that make no valid problem.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// Columns of T that the project does not list.
    #[error("{}: {} in no [[attribute]]; list {them} with a role, or set `unlisted = \"drop\"` under [private]", path.display(), listed(columns), them = if columns.len() == 1 { "it" } else { "them" })]
    Unlisted {
        /// T.
        path: PathBuf,
        /// Its columns.
        columns: Vec<String>,
    },
    /// A sensitive or insensitive column that P has too.
    #[error("{}: {} column `{column}` is in the public table too, so whoever is in it is known by it; make it quasi or identifier, or drop it", path.display(), role.word())]
    KnownToAll {
        /// P.
        path: PathBuf,
        /// The column.
        column: String,
        /// Its role.
        role: Role,
    },
    /// The target's name is taken.
    #[error("{} exists; choose another name, or overwrite it with --force", path.display())]
    Exists {
        /// The target.
        path: PathBuf,
    },
    /// The release does not keep δ, and nobody said to write it all the same.
    #[error("the release is not δ-present: presence {} to {}, δ {delta}; nothing was written (--allow-not-present writes it all the same)", achieved.min, achieved.max)]
    NotPresent {
        /// What it has.
        achieved: Achieved,
        /// What it should keep.
        delta: Delta,
    },
    /// The written file did not stand up to verification; it was removed.
    #[error("the written file failed its verification and was removed: {0}")]
    Unfaithful(String),
    /// A file changed since it was loaded.
    #[error("{} changed since it was loaded; load the project again", path.display())]
    InputChanged {
        /// The file.
        path: PathBuf,
    },
    /// The verifier could not read its inputs.
    #[error(transparent)]
    Verify(#[from] VerifyError),
}

/// An input file, known by its hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputFile {
    /// The file.
    pub path: PathBuf,
    /// Its SHA-256, in hexadecimal.
    pub sha256: String,
    /// Its rows, for a table.
    pub rows: Option<u64>,
}

/// A loaded project: its tables, reduced to a problem.
#[derive(Debug)]
pub struct Analysis {
    project: Project,
    problem: Problem,
    inputs: Vec<InputFile>,
    encoder: Encoder,
    private: Table,
    load_seconds: f64,
}

/// How to write a release.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExportOptions {
    /// Overwrite a file of that name.
    pub force: bool,
    /// Write it although it does not keep δ.
    pub allow_not_present: bool,
}

/// A release on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The file.
    pub path: PathBuf,
    /// Its rows, the header not counted.
    pub rows: u64,
    /// Its size.
    pub bytes: u64,
    /// What its verification found.
    pub verification: Verification,
}

/// T and P, opened, with the columns that the project gives them.
struct Tables<'a> {
    project: &'a Project,
    public: Table,
    private: Table,
}

impl Analysis {
    /// Loads a project: reads and checks tables and hierarchies, reduces them to a histogram, checks T ⊆ P.
    ///
    /// # Errors
    /// A [`PipelineError`] that names file, place, value and remedy.
    pub fn load(path: &Path, overrides: &Overrides) -> Result<Self, PipelineError> {
        let started = Instant::now();
        let project = Project::read(path)?;
        let delta = project.delta(overrides.delta_min, overrides.delta_max)?;
        let tables = Tables::open(&project)?;
        tables.check_roles()?;
        let (public, private) = tables.survey()?;
        let domains = tables.domains(&public, &private)?;
        let quasi_count = domains.len();
        let encoder = Encoder::new(&domains, &private.distinct[..quasi_count]);
        let histogram = tables.histogram(&encoder)?;
        let names = project.quasi().map(|(attribute, _)| attribute.name.clone());
        let quasi = std::iter::zip(names, domains)
            .map(|(name, domain)| QuasiIdentifier { name, hierarchy: domain.hierarchy });
        let problem = Problem::new(quasi.collect(), histogram, delta, project.empty_regions)?;
        let inputs = tables.inputs(&public, &private)?;
        let private = tables.private;
        let load_seconds = started.elapsed().as_secs_f64();
        Ok(Self { project, problem, inputs, encoder, private, load_seconds })
    }

    /// The project.
    pub fn project(&self) -> &Project {
        &self.project
    }

    /// The problem: quasi-identifiers, histogram, δ.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The project file, the tables and the hierarchies as they were loaded.
    pub fn inputs(&self) -> &[InputFile] {
        &self.inputs
    }

    /// How long loading took, in seconds.
    pub fn load_seconds(&self) -> f64 {
        self.load_seconds
    }

    /// The project's name.
    pub fn name(&self) -> &str {
        &self.project.name
    }

    /// The project file.
    pub fn path(&self) -> &Path {
        &self.project.path
    }

    /// The name of P's file, without its folder.
    pub fn public_name(&self) -> String {
        file_name(&self.project.public.path)
    }

    /// The name of T's file, without its folder; P's where T is part of it.
    pub fn private_name(&self) -> String {
        file_name(self.private.path())
    }

    /// The attributes of a role, by name.
    pub fn attributes_of(&self, role: Role) -> Vec<String> {
        let attributes = self.project.attributes.iter().filter(|attribute| attribute.role == role);
        attributes.map(|attribute| attribute.name.clone()).collect()
    }

    /// The identifiers, by name: they are never written.
    pub fn identifiers(&self) -> Vec<String> {
        self.attributes_of(Role::Identifier)
    }

    /// The sensitive attributes, by name: they are written as they are.
    pub fn sensitive(&self) -> Vec<String> {
        self.attributes_of(Role::Sensitive)
    }

    /// The columns of T that hold sensitive attributes.
    pub fn sensitive_columns(&self) -> Vec<String> {
        let attributes = self.project.attributes.iter().filter(|attribute| attribute.role == Role::Sensitive);
        attributes.map(|attribute| self.private_column(attribute).to_owned()).collect()
    }

    /// Runs a strategy on a problem of these tables (their own, or one under another δ).
    pub fn search(
        &self,
        problem: &Problem,
        strategy: Strategy,
        config: &Config,
        observer: &mut Observer,
    ) -> (Option<Release>, SearchReport) {
        let (recoding, report) = search::run(strategy, problem, config, observer);
        let origin = Origin::Search(strategy, config.metric);
        (recoding.map(|recoding| Release::new(problem, origin, recoding, Some(report))), report)
    }

    /// The release of a node that the analyst chose.
    pub fn by_hand(&self, problem: &Problem, node: Node) -> Release {
        Release::new(problem, Origin::ByHand(node.clone()), crate::model::Recoding::Node(node), None)
    }

    /// The header and the first rows of a release as they will be written.
    ///
    /// # Errors
    /// A [`PipelineError`] where T cannot be read again.
    pub fn preview(&self, release: &Release, rows: usize) -> Result<Vec<Vec<String>>, PipelineError> {
        let (header, mut written) = self.rows(release)?;
        written.sort_unstable();
        written.truncate(rows);
        written.insert(0, header);
        Ok(written)
    }

    /// Writes a release: to a temporary file that is synced, verified against the raw tables, and only then renamed.
    ///
    /// # Errors
    /// A [`PipelineError`]; whatever it is, the target is as it was.
    pub fn export(
        &self,
        release: &Release,
        target: &Path,
        options: ExportOptions,
    ) -> Result<Written, PipelineError> {
        self.export_to(&mut RealDisk, release, target, options)
    }

    /// [`export`](Self::export) to a disk that may fail.
    ///
    /// # Errors
    /// A [`PipelineError`]; whatever it is, the target is as it was.
    pub fn export_to(
        &self,
        disk: &mut dyn Disk,
        release: &Release,
        target: &Path,
        options: ExportOptions,
    ) -> Result<Written, PipelineError> {
        if !options.force && target.symlink_metadata().is_ok() {
            return Err(PipelineError::Exists { path: target.to_owned() });
        }
        if !release.is_present() && !options.allow_not_present {
            return Err(PipelineError::NotPresent { achieved: release.achieved, delta: release.delta });
        }
        self.check_inputs()?;
        let (header, rows) = self.rows(release)?;
        let count = rows.len() as u64;
        let content = write::render(&header, rows).map_err(DataError::io("write", target))?;
        let check = |temporary: &Path| self.check_written(release, temporary, options);
        let verification = write::write_whole(disk, target, options.force, &content, check).map_err(
            |error| match error {
                WriteError::Exists { path } => PipelineError::Exists { path },
                WriteError::Disk(error) => PipelineError::Data(error),
                WriteError::Refused(error) => error,
            },
        )?;
        Ok(Written { path: target.to_owned(), rows: count, bytes: content.len() as u64, verification })
    }

    /// Verifies a written release against the raw tables and the hierarchies.
    ///
    /// # Errors
    /// [`PipelineError::Verify`] where an input cannot be read; what is wrong with the release is in the findings.
    pub fn verify(&self, delta: Delta, written: &Path) -> Result<Findings, PipelineError> {
        Ok(verify::verify(&verify_spec(&self.project, delta), written)?)
    }

    fn check_written(
        &self,
        release: &Release,
        temporary: &Path,
        options: ExportOptions,
    ) -> Result<Verification, PipelineError> {
        let findings = self.verify(release.delta, temporary)?;
        if !findings.is_faithful() {
            let problems: Vec<String> = findings.problems.iter().map(ToString::to_string).collect();
            return Err(PipelineError::Unfaithful(problems.join("; ")));
        }
        let achieved = Achieved { min: findings.achieved_min, max: findings.achieved_max };
        if !findings.is_present() && !options.allow_not_present {
            return Err(PipelineError::NotPresent { achieved, delta: release.delta });
        }
        if achieved != release.achieved {
            let (found, expected) = (achieved, release.achieved);
            return Err(PipelineError::Unfaithful(format!(
                "presence {} to {} instead of {} to {}",
                found.min, found.max, expected.min, expected.max
            )));
        }
        let Findings { rows, classes, unmatched, .. } = findings;
        Ok(Verification { achieved, rows, classes, unmatched })
    }

    /// Refuses where a file is no longer the one that was loaded.
    fn check_inputs(&self) -> Result<(), PipelineError> {
        for input in &self.inputs {
            if crate::data::read::hash_file(&input.path)? != input.sha256 {
                return Err(PipelineError::InputChanged { path: input.path.clone() });
            }
        }
        Ok(())
    }

    /// The header and the rows of a release, in T's order.
    fn rows(&self, release: &Release) -> Result<(Vec<String>, Vec<Vec<String>>), PipelineError> {
        let is_written = |column: &&String| {
            let attribute = self.attribute_of(column);
            attribute.is_some_and(|attribute| attribute.role.is_written())
        };
        let header: Vec<String> = self.private.columns().iter().filter(is_written).cloned().collect();
        let quasi: Vec<&str> =
            quasi_columns(&self.project, |attribute| self.private_column(attribute)).collect();
        let weight = self.project.public.count.as_deref().filter(|_| self.member().is_some());
        let wanted: Vec<&str> =
            header.iter().map(String::as_str).chain(weight).chain(self.member()).collect();
        let texts = self.private.rows(&wanted)?;
        let place = |column: &str| wanted.iter().position(|wanted| *wanted == column).unwrap_or_default();
        let quasi_places: Vec<usize> = quasi.iter().map(|column| place(column)).collect();
        let labels: Vec<Vec<String>> =
            release.classes.classes.iter().map(|class| class.texts(&self.problem)).collect();
        let changed = || DataError::Changed { path: self.private.path().to_owned() };
        let mut written = Vec::new();
        for row in 0..texts.first().map_or(0, Vec::len) {
            if self.member().is_some_and(|member| encode::is_member(&texts[place(member)][row]) != Some(true))
            {
                continue;
            }
            let codes =
                (0..).zip(&quasi_places).map(|(nth, &place)| self.encoder.code(nth, &texts[place][row]));
            let codes: Vec<Code> = codes.collect::<Option<_>>().ok_or_else(changed)?;
            let combination = self.problem.histogram().find(&codes).ok_or_else(changed)?;
            let class = release.classes.class_of[combination] as usize;
            let mut fields: Vec<String> =
                texts[..header.len()].iter().map(|column| column[row].clone()).collect();
            for (nth, &place) in quasi_places.iter().enumerate() {
                fields[place].clone_from(&labels[class][nth]);
            }
            let people = weight.map_or(Some(1), |count| encode::count_of(&texts[place(count)][row]));
            written.extend(std::iter::repeat_n(
                fields,
                usize::try_from(people.ok_or_else(changed)?).unwrap_or(0),
            ));
        }
        if written.len() as u64 != self.problem.histogram().total().private {
            return Err(changed().into());
        }
        Ok((header, written))
    }

    fn member(&self) -> Option<&str> {
        match &self.project.private {
            PrivateSource::Member { column } => Some(column),
            PrivateSource::Table { .. } => None,
        }
    }

    /// An attribute's column in the table that holds T.
    fn private_column<'a>(&self, attribute: &'a Attribute) -> &'a str {
        private_column(&self.project, attribute)
    }

    /// The attribute of a column of T.
    fn attribute_of(&self, column: &str) -> Option<&Attribute> {
        self.project.attributes.iter().find(|attribute| self.private_column(attribute) == column)
    }
}

impl<'a> Tables<'a> {
    fn open(project: &'a Project) -> Result<Self, PipelineError> {
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
            private.require(private_column(project, attribute), &setting("private"))?;
            if attribute.role == Role::Quasi {
                public_table.require(&attribute.public_column, &setting("public"))?;
            }
        }
        Ok(Self { project, public: public_table, private })
    }

    /// Every column of T has a role, and P has none of those that only T may have.
    fn check_roles(&self) -> Result<(), PipelineError> {
        let project = self.project;
        let listed: HashSet<&str> =
            project.attributes.iter().map(|attribute| private_column(project, attribute)).collect();
        let special = |column: &str| {
            self.member().is_some_and(|member| member == column)
                || (self.member().is_some() && project.public.count.as_deref() == Some(column))
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

    fn member(&self) -> Option<&str> {
        match &self.project.private {
            PrivateSource::Member { column } => Some(column),
            PrivateSource::Table { .. } => None,
        }
    }

    fn public_columns(&self) -> Vec<&str> {
        quasi_columns(self.project, |attribute| &attribute.public_column).collect()
    }

    fn private_columns(&self) -> Vec<&str> {
        quasi_columns(self.project, |attribute| private_column(self.project, attribute)).collect()
    }

    /// One pass over each table; the quasi-identifiers' distinct values come first.
    fn survey(&self) -> Result<(Survey, Survey), PipelineError> {
        let empty =
            |table: &Table, which| DataError::EmptyTable { path: table.path().to_owned(), table: which };
        let count = self.project.public.count.as_deref();
        let mut columns = self.public_columns();
        let quasi = columns.len();
        columns.extend(count.iter().chain(self.member().iter()));
        let mut public = self.public.survey(&columns)?;
        if public.rows == 0 {
            return Err(empty(&self.public, "public").into());
        }
        let mut extra = public.distinct.split_off(quasi).into_iter();
        if let Some(column) = count {
            encode::check_counts(&self.public, column, &extra.next().unwrap_or_default())?;
        }
        if let Some(column) = self.member() {
            encode::check_members(&self.public, column, &extra.next().unwrap_or_default())?;
            return Ok((public.clone(), public));
        }
        let private = self.private.survey(&self.private_columns())?;
        if private.rows == 0 {
            return Err(empty(&self.private, "private").into());
        }
        Ok((public, private))
    }

    fn domains(&self, public: &Survey, private: &Survey) -> Result<Vec<Domain>, PipelineError> {
        let columns = std::iter::zip(self.public_columns(), self.private_columns());
        let values = std::iter::zip(&public.distinct, &private.distinct);
        self.project
            .quasi()
            .zip(columns.zip(values))
            .map(|((_, file), ((public_column, private_column), (public, private)))| {
                let spec =
                    HierarchySpec { path: file.path.clone(), kind: file.kind, base: file.public_level };
                let public = Values { table: self.public.path(), column: public_column, texts: public };
                let private = Values { table: self.private.path(), column: private_column, texts: private };
                Ok(hierarchies::read(&spec, public, private)?)
            })
            .collect()
    }

    fn histogram(&self, encoder: &Encoder) -> Result<Histogram, PipelineError> {
        let weight = self.project.public.count.clone().map_or(Weight::One, Weight::Count);
        let public = encoder.reduce(&self.public, &self.public_columns(), &weight, None)?;
        let member = self.member();
        let private_weight = if member.is_some() { weight } else { Weight::One };
        let private_columns = self.private_columns();
        let private: Reduced = encoder.reduce(&self.private, &private_columns, &private_weight, member)?;
        let attributes: Vec<String> =
            self.project.quasi().map(|(attribute, _)| attribute.name.clone()).collect();
        let tables = Joined {
            public: &self.public,
            private: (&self.private, &private_columns),
            attributes: &attributes,
        };
        Ok(join::join(encoder, &public, &private, &tables)?)
    }

    fn inputs(&self, public: &Survey, private: &Survey) -> Result<Vec<InputFile>, PipelineError> {
        let table = |table: &Table, survey: &Survey| InputFile {
            path: table.path().to_owned(),
            sha256: survey.sha256.clone(),
            rows: Some(survey.rows),
        };
        let mut inputs = vec![table(&self.public, public)];
        if self.member().is_none() {
            inputs.push(table(&self.private, private));
        }
        let mut files: Vec<&Path> = vec![&self.project.path];
        files.extend(self.project.quasi().map(|(_, hierarchy)| hierarchy.path.as_path()));
        for path in files {
            let sha256 = crate::data::read::hash_file(path)?;
            inputs.push(InputFile { path: path.to_owned(), sha256, rows: None });
        }
        inputs.dedup();
        Ok(inputs)
    }
}

/// Verifies a written release of a project without loading it for a search.
///
/// # Errors
/// A [`PipelineError`] where the project or an input cannot be read; what is wrong with the release is in the findings.
pub fn verify_file(project: &Path, overrides: &Overrides, written: &Path) -> Result<Findings, PipelineError> {
    let project = Project::read(project)?;
    let delta = project.delta(overrides.delta_min, overrides.delta_max)?;
    Tables::open(&project)?.check_roles()?;
    Ok(verify::verify(&verify_spec(&project, delta), written)?)
}

fn verify_spec(project: &Project, delta: Delta) -> VerifySpec {
    let attribute = |attribute: &Attribute| AttributeSpec {
        name: attribute.name.clone(),
        role: attribute.role,
        public_column: attribute.public_column.clone(),
        private_column: private_column(project, attribute).to_owned(),
        hierarchy: attribute.hierarchy.as_ref().map(|file| HierarchySpec {
            path: file.path.clone(),
            kind: file.kind,
            base: file.public_level,
        }),
    };
    VerifySpec {
        public: TableSource { path: project.public.path.clone(), separator: project.public.separator },
        count: project.public.count.clone(),
        private: match &project.private {
            PrivateSource::Table { path, separator } => {
                verify::PrivateSource::Table(TableSource { path: path.clone(), separator: *separator })
            }
            PrivateSource::Member { column } => verify::PrivateSource::Member(column.clone()),
        },
        attributes: project.attributes.iter().map(attribute).collect(),
        unlisted_dropped: project.drop_unlisted,
        delta,
    }
}

/// An attribute's column in the table that holds T: P's own where T is part of P.
fn private_column<'a>(project: &Project, attribute: &'a Attribute) -> &'a str {
    match project.private {
        PrivateSource::Table { .. } => &attribute.private_column,
        PrivateSource::Member { .. } => &attribute.public_column,
    }
}

fn quasi_columns<'a>(
    project: &'a Project,
    column: impl Fn(&'a Attribute) -> &'a str + 'a,
) -> impl Iterator<Item = &'a str> {
    project.quasi().map(move |(attribute, _)| column(attribute))
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn listed(columns: &[String]) -> String {
    let names: Vec<String> = columns.iter().map(|column| format!("`{column}`")).collect();
    match columns {
        [_] => format!("column {} is", names.join(", ")),
        _ => format!("columns {} are", names.join(", ")),
    }
}
