//! Opens T and P, checks them against the project, and reduces them to a histogram.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use num_integer::Integer;
use rustc_hash::FxHashMap;

use crate::fetch::Record;
use crate::pipeline::read::hierarchy_spec;
use crate::pipeline::read::persons;
use crate::pipeline::read::published_columns::PublishedColumns;
use crate::pipeline::read::reduction::{self, Reduction, empty};
use crate::pipeline::read::stage::{self, LoadObserver, LoadStage};
use crate::pipeline::{InputFile, PipelineError};
use palmtop_core::located::LocatedError;
use palmtop_core::model::{Belief, Histogram, Level, Problem, Role};
use palmtop_core::progress::{Meter, Progress};
use palmtop_core::words::names;
use palmtop_project::{Attribute, PrivateSource, Project, Repeated};
use palmtop_tables::encode::{Encoder, Whose};
use palmtop_tables::error::{DataError, Outsiders};
use palmtop_tables::hierarchies::{self, Domain, Values};
use palmtop_tables::identity::{self, Input, InputRole, Naming};
use palmtop_tables::join::{self, Joined};
use palmtop_tables::margins;
use palmtop_tables::rates;
use palmtop_tables::read::{self, ReadFile, Table, TableSpec};
use palmtop_tables::refused::{Held, RefusedValue};
use palmtop_tables::same_rows::{self, Compared};
use palmtop_tables::tally::{Tally, TallySpec};

/// T and P, opened, with the columns that the project assigns to them.
pub(in crate::pipeline) struct Tables<'a> {
    pub(in crate::pipeline) project: &'a Project,
    pub(in crate::pipeline) public: Table,
    pub(in crate::pipeline) private: Table,
}

impl<'a> Tables<'a> {
    /// Opens both tables. T stays in memory. The meter gets the number of bytes read of each file
    /// in the trial.
    pub(in crate::pipeline) fn open(project: &'a Project, meter: &mut Meter) -> Result<Self, PipelineError> {
        Self::open_tried(project, &reduction::tried(project), meter)
    }

    /// [`open`](Self::open), without a trial of files of P whose SHA-256 is in `tried`.
    pub(in crate::pipeline) fn open_tried(
        project: &'a Project,
        tried: &[String],
        meter: &mut Meter,
    ) -> Result<Self, PipelineError> {
        if let Some(source) = &project.public.source {
            Record::check(&source.snapshot, project)?;
        }
        let folder = project.path.parent().unwrap_or_else(|| Path::new(""));
        identity::check(&inputs_of(project), Naming::Project(folder)).map_err(DataError::from)?;
        let public = &project.public;
        let public_table = Table::open_watched(&public.table, tried, meter)?;
        let public_table = persons::one_row_each(project, public_table, None)?;
        let mut private = match &project.private {
            PrivateSource::Table(table) => Table::open_watched(table, &[], meter)?,
            PrivateSource::Member(member) => {
                public_table.require(&member.column, "`member` of [public]")?;
                public_table.clone()
            }
        };
        let count = public.count.as_ref();
        let mut found =
            vec![count.map_or(Ok(()), |count| public_table.require(&count.column, "`count` of [public]"))];
        for attribute in &project.attributes {
            let setting = |table| format!("[[attribute]] `{}` ({table}_column)", attribute.name);
            found.push(private.require(project.private_column(attribute), &setting("private")));
            if attribute.role == Role::Quasi {
                found.push(public_table.require(&attribute.public_column, &setting("public")));
            } else if attribute.is_entity {
                let why = "without it, the rows of P cannot be assigned to people";
                let setting = format!("{}; {why}", setting("public"));
                found.push(public_table.require(&attribute.public_column, &setting));
            }
        }
        DataError::all(found)?;
        if let PrivateSource::Table(_) = &project.private {
            private = persons::one_row_each(project, private.kept(meter)?, Some(&public_table))?;
        }
        Ok(Self { project, public: public_table, private })
    }

    /// Checks that every column of T has a role, and that P has no column which only T may have.
    pub(in crate::pipeline) fn check_roles(&self) -> Result<(), PipelineError> {
        let project = self.project;
        let listed: HashSet<&str> =
            project.attributes.iter().map(|attribute| project.private_column(attribute)).collect();
        let of_public = [project.member_column(), project.count_column()];
        let special = |column: &str| project.member_column().is_some() && of_public.contains(&Some(column));
        let unlisted = self.private.columns().iter().filter(|column| !listed.contains(column.as_str()));
        let unlisted: Vec<String> = unlisted.filter(|column| !special(column)).cloned().collect();
        if !unlisted.is_empty() && !project.drop_unlisted {
            let (columns, them) = if unlisted.len() == 1 { ("column", "it") } else { ("columns", "them") };
            let is = if unlisted.len() == 1 { "is" } else { "are" };
            let problem = format!("{columns} {} {is} in no [[attribute]]", names(&unlisted));
            let remedy = format!("list {them} with a role, or set `unlisted = \"drop\"` under [private]");
            return Err(LocatedError::new(problem).in_file(self.private.path()).remedy(remedy).into());
        }
        for attribute in &project.attributes {
            if !matches!(attribute.role, Role::Sensitive | Role::Insensitive) {
                continue;
            }
            let names = [&attribute.name, &attribute.private_column, &attribute.public_column];
            if let Some(column) = names.into_iter().find(|column| self.public.has(column)) {
                let problem = format!(
                    "{} column `{column}` is in the public table too, so an attacker who knows P finds people by it",
                    attribute.role.as_str()
                );
                let remedy = "make it quasi or withheld, or drop it";
                return Err(LocatedError::new(problem).in_file(self.public.path()).remedy(remedy).into());
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

    /// Counts each table in one pass. For P, a cached reduction can replace the pass. If T is part
    /// of P, it has no separate tally.
    pub(in crate::pipeline) fn tally(
        &self,
        observer: &mut LoadObserver,
    ) -> Result<(Tally, Option<Tally>, Reduction), PipelineError> {
        let (mut public, reduction) = self.public_tally(observer)?;
        if self.project.member().is_some() {
            public.read(&self.public, &self.held(Whose::Public))?;
            return Ok((public, None, reduction));
        }
        let mut private = self.private_tally(observer)?;
        DataError::all([
            public.read(&self.public, &self.held(Whose::Public)),
            private.read(&self.private, &self.held(Whose::Private)),
        ])?;
        Ok((public, Some(private), reduction))
    }

    /// Refuses a file of P with the rows of T in another form; without a tally of T, one with the rows of another file of P.
    pub(in crate::pipeline) fn check_rows(
        &self,
        (public, private): (&Tally, Option<&Tally>),
        meter: &mut Meter,
    ) -> Result<(), PipelineError> {
        let project = self.project;
        let folder = project.path.parent().unwrap_or_else(|| Path::new(""));
        // Labels are not compared with values.
        let quasi = || project.quasi().filter(|(_, hierarchy)| hierarchy.public_level == Level(0));
        let of_public =
            quasi().map(|(attribute, _)| (attribute.public_column.as_str(), &attribute.readings.public));
        let of_private =
            quasi().map(|(attribute, _)| (project.private_column(attribute), &attribute.readings.private));
        let public = Compared { table: &self.public, files: &public.files, quasi: of_public.collect() };
        let private = private.map(|private| Compared {
            table: &self.private,
            files: &private.files,
            quasi: of_private.collect(),
        });
        let (inputs, naming) = (inputs_of(project), Naming::Project(folder));
        Ok(same_rows::check(&public, private.as_ref(), private.is_none(), &inputs, naming, meter)?)
    }

    /// The tally of a T in a separate table, before its texts are read.
    fn private_tally(&self, observer: &mut LoadObserver) -> Result<Tally, PipelineError> {
        let private = TallySpec {
            quasi: self.private_columns(),
            identifiers: self.identifiers(),
            persons: self.asked_identifiers(Whose::Private),
            ..TallySpec::default()
        };
        let private = tally(&self.private, &private, LoadStage::Private, observer);
        let private = private.map_err(|error| self.asking(error, observer))?;
        if private.rows == 0 {
            return Err(empty(&self.private, "private").into());
        }
        Ok(private)
    }

    /// The tally of a T in a separate table, without the tally of P.
    pub(in crate::pipeline) fn members(&self, observer: &mut LoadObserver) -> Result<Tally, PipelineError> {
        let mut private = self.private_tally(observer)?;
        private.read(&self.private, &self.held(Whose::Private))?;
        Ok(private)
    }

    /// The tally of P before its texts are read.
    fn public_tally(&self, observer: &mut LoadObserver) -> Result<(Tally, Reduction), PipelineError> {
        let (spec, size) = (self.public_spec(), self.public.size());
        let tally = stage::metered(observer, LoadStage::Public, size, |meter| {
            let mut check = |tally: &Tally, meter: &mut Meter| self.check_rows((tally, None), meter);
            reduction::tally(self.project, (&self.public, &spec), &mut check, meter)
        });
        let (tally, reduction) = tally.map_err(|error| self.asking(error, observer))?;
        if self.has_count() {
            margins::check(&self.public, &tally, &self.public_columns())?;
        }
        Ok((tally, reduction))
    }

    /// The meaning of P's columns.
    pub(in crate::pipeline) fn public_spec(&self) -> TallySpec<'_> {
        let member = self.project.member();
        TallySpec {
            quasi: self.public_columns(),
            count: self.project.public.count.as_ref(),
            member,
            identifiers: if member.is_some() { self.identifiers() } else { Vec::new() },
            persons: self.asked_identifiers(Whose::Public),
            maybe_persons: self.maybe_persons(),
            // If T is part of P, the project lists all columns of P.
            spare: if member.is_some() { Vec::new() } else { self.spare_columns().collect() },
        }
    }

    /// The columns of the quasi-identifiers in one of the tables, and how their texts are read.
    fn held(&self, whose: Whose) -> Vec<Held<'_>> {
        let is_member = self.project.member().is_some();
        let quasi = self.project.quasi().map(|(attribute, _)| match whose {
            Whose::Public => Held {
                table: self.public.path(),
                column: &attribute.public_column,
                attribute: &attribute.name,
                reading: &attribute.readings.public,
                keys: if is_member { "" } else { "public." },
            },
            Whose::Private => Held {
                table: self.private.path(),
                column: self.project.private_column(attribute),
                attribute: &attribute.name,
                reading: &attribute.readings.private,
                keys: if is_member { "" } else { "private." },
            },
        });
        quasi.collect()
    }

    /// The names of the quasi-identifiers, in project order.
    pub(in crate::pipeline) fn quasi_names(&self) -> impl Iterator<Item = &str> {
        self.project.quasi().map(|(attribute, _)| attribute.name.as_str())
    }

    /// Whether a column of P has the number of people of each row.
    pub(in crate::pipeline) fn has_count(&self) -> bool {
        self.project.public.count.is_some()
    }

    /// The columns of T in which no two people may share a value.
    fn identifiers(&self) -> Vec<&str> {
        let has_one = |(attribute, repeated): &(&Attribute, &Repeated)| {
            !attribute.is_entity && !matches!(repeated, Repeated::Shared(_))
        };
        let attributes = self.project.identifiers().filter(has_one);
        attributes.map(|(attribute, _)| self.project.private_column(attribute)).collect()
    }

    /// The columns of P that the project does not name.
    pub(in crate::pipeline) fn unused_columns(&self) -> impl Iterator<Item = &str> {
        let named = self.public_columns();
        let entity = self.project.entity().map(|entity| entity.public_column.as_str());
        let special = [self.project.count_column(), entity];
        let member_column = self.project.member_column();
        let of_members = move |column: &str| {
            let mut attributes = self.project.attributes.iter();
            member_column.is_some()
                && (member_column == Some(column)
                    || attributes.any(|attribute| attribute.public_column == column))
        };
        let columns = self.public.columns().iter().map(String::as_str);
        let is_special = move |column: &str| special.contains(&Some(column)) || of_members(column);
        columns.filter(move |column| !named.contains(column) && !is_special(column))
    }

    pub(in crate::pipeline) fn spare_columns(&self) -> impl Iterator<Item = &str> {
        self.unused_columns().filter(|column| self.public.is_readable(column))
    }

    /// The hierarchies, one after the other, for the values of P and T of each quasi-identifier.
    pub(in crate::pipeline) fn domains(
        &self,
        public: &[Vec<String>],
        private: &[Vec<String>],
        observer: &mut LoadObserver,
    ) -> Result<Vec<Domain>, PipelineError> {
        let (stage, total) = (LoadStage::Hierarchies, self.project.quasi().count() as u64);
        let columns = std::iter::zip(self.held(Whose::Public), self.held(Whose::Private));
        let values = std::iter::zip(public, private);
        let mut domains = Vec::new();
        let (mut wrong, mut absent) = (Vec::new(), Vec::new());
        for ((attribute, file), ((public_held, private_held), (public, private))) in
            self.project.quasi().zip(columns.zip(values))
        {
            let done = domains.len() + wrong.len() + absent.len();
            stage::tell(observer, stage, done as u64, total)?;
            let spec = hierarchy_spec::spec_of(self.project, attribute, file);
            let public = Values { held: public_held, texts: public };
            let private = Values { held: private_held, texts: private };
            let numbers = || hierarchies::check_numbers(&spec, public, private);
            let read = match hierarchies::read(&spec, public, private) {
                Ok(domain) => numbers().map(|()| domain),
                // Values that the hierarchy lacks have a remedy of their own.
                Err(error) if error.is_lacking() || error.is_not_found() => Err(error),
                Err(error) => Err(numbers().err().unwrap_or(error)),
            };
            match read {
                Ok(domain) => match check_no_value(attribute, &domain) {
                    Ok(()) => domains.push(domain),
                    Err(detail) => {
                        wrong.push(Err(DataError::hierarchy(&spec.path, None, detail)));
                    }
                },
                Err(error) if error.is_not_found() => absent.push(spec.path),
                Err(error) => wrong.push(Err(error)),
            }
        }
        if !absent.is_empty() {
            wrong.insert(0, Err(no_hierarchies(&absent).into()));
        }
        DataError::all(wrong)?;
        stage::tell(observer, stage, total, total)?;
        Ok(domains)
    }

    /// The published labels of T's columns that a release has coarser. T must be the table that was
    /// counted.
    pub(in crate::pipeline) fn published(
        &self,
        private: Option<&Tally>,
        observer: &mut LoadObserver,
    ) -> Result<PublishedColumns, PipelineError> {
        let files = self.project.quasi().count() as u64;
        let mut reading = |_| observer(Progress { stage: LoadStage::Hierarchies, done: files, total: files });
        let (published, read) = PublishedColumns::read(&self.private, self.project, &mut reading)?;
        let is_counted = |file: &ReadFile| private.is_some_and(|private| private.files.contains(file));
        match read.into_iter().find(|file| !is_counted(file)) {
            Some(file) => Err(DataError::changed(&file.path).into()),
            None => Ok(published),
        }
    }

    /// Adds to an error about values the positions of these values in the tables.
    pub(in crate::pipeline) fn with_positions(
        &self,
        error: DataError,
        public: &Tally,
        private: Option<&Tally>,
    ) -> DataError {
        let find = |table: &Path, column: &str, text: &str| -> Option<RefusedValue> {
            let (table, tally, columns) = match private {
                Some(private) if table == self.private.path() => {
                    (&self.private, private, self.private_columns())
                }
                _ => (&self.public, public, self.public_columns()),
            };
            Some(tally.position(table, columns.iter().position(|known| *known == column)?, text))
        };
        error.with_positions(&find)
    }

    /// One histogram of both tables, after a check of T ⊆ P. The tallies lose their combinations.
    pub(in crate::pipeline) fn join(
        &self,
        encoder: &Encoder,
        public: &mut Tally,
        private: Option<&mut Tally>,
        meter: &mut Meter,
    ) -> Result<(Histogram, Option<Outsiders>), PipelineError> {
        let (columns, attributes) = (self.private_columns(), self.attribute_names());
        Ok(join::join(encoder, public, private, &self.joined(&columns, &attributes), meter)?)
    }

    /// How many times P repeats every row, as common factor of all rows; `None` if the factor is 1.
    /// P is read again only if the numbers of people of all combinations have a common factor.
    pub(in crate::pipeline) fn repetition(
        &self,
        histogram: &Histogram,
        outsiders: Option<&Outsiders>,
        meter: &mut Meter,
    ) -> Result<Option<u64>, PipelineError> {
        let added = outsiders.iter().flat_map(|outsiders| &outsiders.added);
        let added = added.filter_map(|(codes, added)| Some((histogram.find(codes)?, *added)));
        let added: FxHashMap<usize, u64> = added.collect();
        let mut common = 0_u64;
        for (index, counts) in histogram.counts().iter().enumerate() {
            common = common.gcd(&(counts.public - added.get(&index).copied().unwrap_or_default()));
            if common == 1 {
                return Ok(None);
            }
        }
        if common > 1 { Ok(self.public.repetition(meter)?) } else { Ok(None) }
    }

    /// What the project lets `simulatable` believe.
    pub(in crate::pipeline) fn belief(&self, problem: &Problem) -> Result<Belief, PipelineError> {
        let Some(path) = &self.project.belief else { return Ok(Belief::Even) };
        let table = Table::open(&TableSpec::of_all_rows(path.clone()))?;
        let rates = rates::expected_of_table(&table, problem.quasi(), problem.histogram())?;
        Ok(Belief::Rates(rates.into()))
    }

    fn attribute_names(&self) -> Vec<String> {
        self.quasi_names().map(ToOwned::to_owned).collect()
    }

    /// Both tables with their names for messages.
    fn joined<'b>(&'b self, columns: &'b [&'b str], attributes: &'b [String]) -> Joined<'b> {
        let outsiders = self.project.outsiders;
        Joined { public: &self.public, private: (&self.private, columns), attributes, outsiders }
    }

    pub(in crate::pipeline) fn inputs(
        &self,
        public: &[ReadFile],
        private: Option<&Tally>,
    ) -> Result<Vec<InputFile>, PipelineError> {
        let files = public.iter().chain(private.iter().flat_map(|private| &private.files));
        let table = |file: &ReadFile| InputFile {
            path: file.path.clone(),
            sha256: file.sha256.clone(),
            rows: Some(file.rows),
            left_out: file.left_out,
        };
        let mut inputs: Vec<InputFile> = files.map(table).collect();
        let mut files: Vec<&Path> = vec![&self.project.path];
        files.extend(self.project.quasi().map(|(_, hierarchy)| hierarchy.path.as_path()));
        files.extend(self.project.attributes.iter().filter_map(|attribute| attribute.value_tree.as_deref()));
        files.extend(self.project.belief.as_deref());
        for path in files {
            let sha256 = read::hash_file(path)?;
            inputs.push(InputFile { path: path.to_owned(), sha256, rows: None, left_out: 0 });
        }
        inputs.dedup();
        Ok(inputs)
    }
}

/// Checks the texts of missing values. In a release, none of them may mean anything else, and no
/// number or day may mean a missing value.
fn check_no_value(attribute: &Attribute, domain: &Domain) -> Result<(), String> {
    let (readings, hierarchy) = (&attribute.readings, &domain.hierarchy);
    for text in readings.public.missing.iter().chain(&readings.private.missing) {
        let is_label = |level: &Level| hierarchy.labels(*level).contains(text);
        // The label `*` means all people, also those without a value.
        if text != "*"
            && hierarchy.code(text).is_none()
            && let Some(level) = hierarchy.levels().find(is_label)
        {
            return Err(format!(
                "its label `{text}` (level {level}) is also a text for missing values in the tables (`missing`), so a release with it \
                 could be read in two ways; rename the label, or write a list `missing` without it under [[attribute]] `{}`",
                attribute.name
            ));
        }
    }
    match readings.missing_label() {
        Some(label) if hierarchies::reads_as(label, hierarchy.kind()) => Err(format!(
            "`missing_label = \"{label}\"` reads as a {}, as the values of `{}` do, so a release could be read in two ways; write another \
             label, such as `missing_label = \"unknown\"`",
            hierarchy.kind().as_str(),
            attribute.name
        )),
        _ => Ok(()),
    }
}

/// All inputs of a project, each with its role.
fn inputs_of(project: &Project) -> Vec<Input> {
    let public = project.public.table.paths.iter().map(|path| (InputRole::Public, path));
    let private: &[PathBuf] = match &project.private {
        PrivateSource::Table(table) => &table.paths,
        PrivateSource::Member(_) => &[],
    };
    let private = private.iter().map(|path| (InputRole::Private, path));
    let hierarchies = project.attributes.iter().filter_map(|attribute| {
        let file = attribute.hierarchy.as_ref().map(|file| &file.path);
        Some((InputRole::Hierarchy(attribute.name.clone()), file.or(attribute.value_tree.as_ref())?))
    });
    let belief = project.belief.iter().map(|path| (InputRole::Rates, path));
    let all = public.chain(private).chain(hierarchies).chain(belief);
    all.chain([(InputRole::Project, &project.path)]).map(|(role, path)| (role, path.clone())).collect()
}

/// The error of hierarchy files that do not exist.
fn no_hierarchies(paths: &[PathBuf]) -> LocatedError {
    let paths: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    LocatedError::new(format!("no such hierarchy: {}", paths.join(", "))).remedy(
        "paths in a project start at its folder: copy the files there, or correct `hierarchy` under [[attribute]] (the \
         sample projects use ../../hierarchies; `palmtop check @clinic` needs no files)",
    )
}

/// One pass over a table, with progress in bytes.
fn tally(
    table: &Table,
    spec: &TallySpec,
    stage: LoadStage,
    observer: &mut LoadObserver,
) -> Result<Tally, PipelineError> {
    let size = table.size();
    stage::metered(observer, stage, size, |meter| Ok(table.tally(spec, meter)?))
}
