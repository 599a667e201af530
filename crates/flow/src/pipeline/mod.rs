//! The complete flow: load a project as a problem, search a release, write and verify its file.

mod agreement;
mod error;
mod stage;
mod reduced;
mod recounted;
pub mod scale;
mod tables;
mod notes;
pub mod pseudonyms;
pub mod published;
pub mod delta_line;
pub mod rows;
mod spec;
pub mod export;
mod linked;
mod members;
pub mod page;
pub mod risk;
pub mod betrayals;
pub mod utility;
pub mod find;
mod frames;
pub mod reading;
pub mod recovered;
pub mod beside;
pub mod together;
pub mod hierarchies;
mod estimation;
mod people;
pub mod safe_harbor;
pub mod unique;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use self::published::PublishedColumns;
use self::tables::Tables;
use crate::project::{Attribute, PriorSource, PrivateSource, Project};
use palmtop_core::located::LocatedError;
use palmtop_core::model::{
    Delta, Histogram, Node, Presence, Problem, QuasiIdentifier, Recoding, Role, Weights,
};
use palmtop_core::progress::{Progress, unwatched};
use palmtop_search::release::{Origin, Release};
use palmtop_search::{self as search, Config, Observer, SearchReport, StopReason, Strategy};
use palmtop_tables::alike::AlikeIdentifiers;
use palmtop_tables::encode::Encoder;
use palmtop_tables::hierarchies::Domain;
use palmtop_tables::read::{Table, TableSpec};
use palmtop_tables::tally::Tally;
use palmtop_tables::trial;
use palmtop_tables::write::PrivateFolder;
use palmtop_verify::{self as verify, Findings, VerifyError, VerifySpec};

pub use beside::BothRead;
pub use betrayals::{BetrayalRisk, Betrayals};
pub use error::PipelineError;
pub use estimation::{EstimatedClass, Estimation};
pub use export::{Export, ExportOptions, Written};
pub use find::RowVisitor;
pub use frames::FrameSettings;
pub use hierarchies::{Mended, SavedHierarchy, Unplaced, UnplacedValue, mend, regrouped, unplaced};
pub use notes::{KindNote, Notes};
pub use page::{Page, PageColumn, Which};
pub use palmtop_tables::write::remove_unfinished;
pub use pseudonyms::{PSEUDONYM_SHOWN, PseudonymNote};
pub use reading::{ReadClass, ReadRelease};
pub use recounted::{Recount, Under, recount_file};
pub use reduced::{Reduced, Reduction, reduce};
pub use rows::Formulas;
pub use safe_harbor::{Concern, SafeHarborNote};
pub use stage::{ExportObserver, ExportStage, LoadObserver, LoadStage};
pub use together::Together;
pub use unique::UniqueColumn;
pub use utility::UtilityBasis;

/// Settings of a caller that replace those of the project. `None` keeps the project's setting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// The lower bound of every presence, δmin.
    pub delta_min: Option<Presence>,
    /// The upper bound of every presence, δmax.
    pub delta_max: Option<Presence>,
}

/// An input file and its hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputFile {
    /// The path of the file.
    pub path: PathBuf,
    /// The SHA-256 of the file, in hexadecimal.
    pub sha256: String,
    /// The number of rows, if the file is a table.
    pub rows: Option<u64>,
}

/// The result of a search, with its report and its times.
#[derive(Clone, Debug)]
pub struct Found {
    /// The measured release; `None` if the search found no release.
    pub release: Option<Release>,
    /// The counts of the search and the reason why it stopped.
    pub report: SearchReport,
    /// The seconds of the search, without the measuring of its release.
    pub seconds: f64,
    /// The seconds that the measuring of the release took.
    pub measuring_seconds: f64,
}

impl Found {
    /// Records that time stopped the search, if the search was cancelled.
    #[must_use]
    pub fn timed_out(mut self) -> Self {
        if self.report.stop == StopReason::Cancelled {
            self.report.stop = StopReason::Time;
            if let Some(release) = &mut self.release {
                release.search = Some(self.report);
            }
        }
        self
    }
}

/// A loaded project: its tables, reduced to a problem.
#[derive(Debug)]
pub struct Analysis {
    project: Project,
    problem: Problem,
    inputs: Vec<InputFile>,
    encoder: Encoder,
    published_columns: PublishedColumns,
    public: Table,
    private: Table,
    public_rows: u64,
    /// The rows of T alone, also if T is part of P.
    private_rows: u64,
    notes: Notes,
    reduction: Reduction,
    load_seconds: f64,
    /// The folder of the tables that the caller gave as frames. It is removed with the analysis.
    frames: Option<PrivateFolder>,
}

impl Analysis {
    /// Loads a project.
    ///
    /// Reads and checks the tables and hierarchies, reduces the tables to a histogram, and checks
    /// T ⊆ P.
    ///
    /// # Errors
    /// - A [`PipelineError`] with the file, the position, the value and the remedy.
    /// - [`PipelineError::IsSample`] if P is a sample: only [`Estimation`] accepts samples.
    pub fn load(path: &Path, overrides: &Overrides) -> Result<Self, PipelineError> {
        Self::load_watched(path, overrides, &mut unwatched)
    }

    /// [`load`](Self::load), which reports its progress to an observer. The observer can stop it.
    ///
    /// # Errors
    /// - As [`load`](Self::load).
    /// - [`PipelineError::Cancelled`] if the observer stops the loading.
    /// - [`PipelineError::HasEntities`] if people have several rows: this caller counts each row as
    ///   a person.
    pub fn load_watched(
        path: &Path,
        overrides: &Overrides,
        observer: &mut LoadObserver,
    ) -> Result<Self, PipelineError> {
        let started = Instant::now();
        stage::tell(observer, LoadStage::Project, 0, 1)?;
        let project = of_rows(of_all(Project::read(path)?)?)?;
        let delta = project.delta(overrides.delta_min, overrides.delta_max)?;
        Self::load_project(project, delta, started, observer)
    }

    /// `load_watched` for a caller that supports both units of counting.
    ///
    /// If an attribute has `role = "entity"`, both tables are counted in people. The
    /// [problem](Self::problem) is then counted in people too.
    ///
    /// # Errors
    /// - As [`load`](Self::load).
    /// - [`PipelineError::Cancelled`] if the observer stops the loading.
    /// - [`PipelineError::Entity`] with the row of a person of P or T who cannot be counted.
    pub fn load_any_unit(
        path: &Path,
        overrides: &Overrides,
        observer: &mut LoadObserver,
    ) -> Result<Self, PipelineError> {
        let started = Instant::now();
        stage::tell(observer, LoadStage::Project, 0, 1)?;
        let project = of_all(Project::read(path)?)?;
        let delta = project.delta(overrides.delta_min, overrides.delta_max)?;
        let Some(entity) = project.entity().cloned() else {
            return Self::load_project(project, delta, started, observer);
        };
        let rows = Self::load_project(project, delta, started, observer).map_err(people::in_rows)?;
        let mut analysis = Self { problem: people::counted(&rows, &entity, observer)?, ..rows };
        if analysis.problem.policy().criteria().need_values() {
            let mut reading = |_| observer(Progress { stage: LoadStage::People, done: 0, total: 1 });
            analysis.problem = risk::with_sensitive(&analysis, &mut reading)?;
        }
        analysis.load_seconds = started.elapsed().as_secs_f64();
        Ok(analysis)
    }

    /// Loads a project that is already read. Its P may be a sample or the complete population.
    /// `started` is the time when loading began.
    fn load_project(
        project: Project,
        delta: Delta,
        started: Instant,
        observer: &mut LoadObserver,
    ) -> Result<Self, PipelineError> {
        let mut opening = |_| observer(Progress { stage: LoadStage::Project, done: 0, total: 1 });
        let tables = Tables::open(&project, &mut opening)?;
        tables.check_roles()?;
        stage::tell(observer, LoadStage::Project, 1, 1)?;
        let (mut public, mut private, reduction) = tables.tally(observer)?;
        let values =
            |tally: &Tally| (0..project.quasi().count()).map(|quasi| tally.distinct(quasi)).collect();
        let public_values: Vec<Vec<String>> = values(&public);
        let private_values = private.as_ref().map_or_else(|| public_values.clone(), values);
        let domains =
            tables.domains(&public_values, &private_values, observer).map_err(|error| match error {
                PipelineError::Data(error) => tables.with_places(error, &public, private.as_ref()).into(),
                error => error,
            })?;
        let published_columns = tables.published(private.as_ref(), observer)?;
        let encoder = Encoder::new(
            &domains,
            &private_values,
            project.quasi().map(|(attribute, _)| attribute.readings.clone()).collect(),
        );
        stage::tell(observer, LoadStage::Joining, 0, 1)?;
        let mut joining = |_| observer(Progress { stage: LoadStage::Joining, done: 0, total: 1 });
        let (histogram, outsiders) = tables.join(&encoder, &mut public, private.as_mut(), &mut joining)?;
        let doubled = tables.repetition(&histogram, outsiders.as_ref(), &mut joining)?;
        stage::tell(observer, LoadStage::Joining, 0, 1)?;
        let is_aggregated = public.distinct_combinations as u64 == public.rows && public.rows > 1;
        let mut count_like = public.count_like.clone();
        count_like.retain(|_| is_aggregated && !tables.has_count());
        let of_members = private.as_ref().unwrap_or(&public);
        let mut notes = Notes::of(&tables, (count_like, of_members), &domains, outsiders);
        notes.doubled = doubled;
        let mut problem = problem_of(&project, domains, histogram, delta)?;
        stage::tell(observer, LoadStage::Joining, 0, 1)?;
        let (prior, idle_rates) = tables.prior(&encoder, &public, &problem)?;
        if let Some(prior) = prior {
            problem = problem.with_prior(prior);
        }
        notes.idle_rates = idle_rates;
        let inputs = tables.inputs(&public.files, private.as_ref())?;
        let public_rows = public.rows;
        let private_rows = private.map_or(public.member_rows, |private| private.rows);
        let Tables { public, private, .. } = tables;
        let mut analysis = Self {
            project,
            problem,
            inputs,
            encoder,
            published_columns,
            public,
            private,
            public_rows,
            private_rows,
            notes,
            reduction,
            load_seconds: 0.0,
            frames: None,
        };
        // If people have several rows, their values are read after the people are counted.
        if analysis.project.entity().is_none() && analysis.problem.policy().criteria().need_values() {
            let mut reading = |_| observer(Progress { stage: LoadStage::Joining, done: 0, total: 1 });
            analysis.problem = risk::with_sensitive(&analysis, &mut reading)?;
        }
        stage::tell(observer, LoadStage::Joining, 1, 1)?;
        analysis.load_seconds = started.elapsed().as_secs_f64();
        Ok(analysis)
    }

    /// The project as it was read from its file.
    pub fn project(&self) -> &Project {
        &self.project
    }

    /// The problem: quasi-identifiers, histogram and policy.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The project file, the tables and the hierarchies, with their hashes at loading.
    pub fn inputs(&self) -> &[InputFile] {
        &self.inputs
    }

    /// Notes for the analyst on how the tables were read.
    pub fn notes(&self) -> &Notes {
        &self.notes
    }

    /// The identifiers of T that differ only in insignificant characters, such as spaces or leading
    /// zeros. One person may be counted as two because of them. One entry for each column that has
    /// such identifiers.
    pub fn alike_identifiers(&self) -> &[AlikeIdentifiers] {
        &self.notes.alike
    }

    /// The state of the cached reduction of P, which is stored in the project's folder.
    pub fn reduction(&self) -> &Reduction {
        &self.reduction
    }

    /// The duration of loading, in seconds.
    pub fn load_seconds(&self) -> f64 {
        self.load_seconds
    }

    /// The project's name.
    pub fn name(&self) -> &str {
        &self.project.name
    }

    /// The path of the project file.
    pub fn path(&self) -> &Path {
        &self.project.path
    }

    /// The name of P's file, without its folder.
    pub fn public_name(&self) -> String {
        file_name(self.public.path())
    }

    /// The name of T's file, without its folder. If T is part of P, this is the name of P's file.
    pub fn private_name(&self) -> String {
        file_name(self.private.path())
    }

    /// The number that each non-numeric text in P's count column means, such as `<5`. The project
    /// file defines these texts.
    pub fn count_texts(&self) -> BTreeMap<String, u64> {
        self.project.public.count.as_ref().map_or_else(BTreeMap::new, |count| count.texts.clone())
    }

    /// The attribute that identifies the person of each row in both tables; `None` if each row is a
    /// person.
    pub fn entity(&self) -> Option<&str> {
        self.project.entity().map(|entity| entity.name.as_str())
    }

    /// Refuses a project with several rows per person, for callers that count each row as a person.
    ///
    /// # Errors
    /// [`PipelineError::HasEntities`] if people have several rows.
    pub fn check_each_row_is_a_person(&self) -> Result<(), PipelineError> {
        of_rows(self.project.clone()).map(drop)
    }

    /// The names of all attributes with a role, in project order.
    pub fn attributes_of(&self, role: Role) -> Vec<String> {
        let attributes = self.project.attributes.iter().filter(|attribute| attribute.role == role);
        attributes.map(|attribute| attribute.name.clone()).collect()
    }

    /// The names of the identifiers that a release omits. The other identifiers are released as
    /// [pseudonyms](pseudonyms::notes).
    pub fn identifiers(&self) -> Vec<String> {
        let is_left_out = |own: &&Attribute| own.role == Role::Identifier && own.pseudonym.is_none();
        self.project.attributes.iter().filter(is_left_out).map(|own| own.name.clone()).collect()
    }

    /// The names of the sensitive attributes, in project order.
    pub fn sensitive(&self) -> Vec<String> {
        self.attributes_of(Role::Sensitive)
    }

    /// The columns of T that have the sensitive attributes, in project order.
    pub fn sensitive_columns(&self) -> Vec<String> {
        let attributes = self.project.attributes.iter().filter(|attribute| attribute.role == Role::Sensitive);
        attributes.map(|attribute| self.project.private_column(attribute).to_owned()).collect()
    }

    /// Runs a strategy on a problem of these tables. It may be their problem under another δ.
    pub fn search(
        &self,
        problem: &Problem,
        strategy: Strategy,
        config: &Config,
        observer: &mut Observer,
    ) -> Found {
        let started = Instant::now();
        let found = search::run(strategy, problem, config, observer);
        Self::measured(problem, Origin::Search(strategy, config.metric), found, started)
    }

    /// Measures the result of a search that began at `started`.
    fn measured(
        problem: &Problem,
        origin: Origin,
        (recoding, report): (Option<Recoding>, SearchReport),
        started: Instant,
    ) -> Found {
        let seconds = started.elapsed().as_secs_f64();
        let release = recoding.map(|recoding| Release::new(problem, origin, recoding, Some(report)));
        let measuring_seconds = started.elapsed().as_secs_f64() - seconds;
        Found { release, report, seconds, measuring_seconds }
    }

    /// The release of a node that the analyst chose.
    pub fn by_hand(&self, problem: &Problem, node: Node) -> Release {
        Release::new(problem, Origin::ByHand(node.clone()), Recoding::Node(node), None)
    }
}

/// The problem of a project, without the prior and the sensitive values, which depend on rows.
fn problem_of(
    project: &Project,
    domains: Vec<Domain>,
    histogram: Histogram,
    delta: Delta,
) -> Result<Problem, PipelineError> {
    let names = project.quasi().map(|(attribute, _)| attribute.name.clone());
    let quasi = std::iter::zip(names, domains)
        .map(|(name, domain)| QuasiIdentifier { name, hierarchy: domain.hierarchy });
    let problem = Problem::new(quasi.collect(), histogram, delta, project.empty_regions)?
        .with_criteria(project.criteria.clone())
        .with_suppression(project.suppression)
        .with_weights(Weights::of(project.quasi().map(|(attribute, _)| attribute.weight).collect()))
        .with_cuts(project.quasi().map(|(attribute, _)| attribute.cuts).collect())
        .with_levels(project.quasi().map(|(attribute, _)| attribute.levels).collect())?;
    Ok(problem)
}

/// Verifies a written release of a project without loading the project for a search.
///
/// # Errors
/// A [`PipelineError`] if the project or an input cannot be read. Faults of the release are
/// findings.
pub fn verify_file(project: &Path, overrides: &Overrides, written: &Path) -> Result<Findings, PipelineError> {
    let (findings, _) = verify_by_itself(project, overrides, written, Under::Uniform, verify::verify)?;
    Ok(findings)
}

/// [`verify_file`], which also computes what the release reveals to an attacker with the project's
/// prior.
///
/// # Errors
/// As [`verify_file`], and if the project has no prior or its prior does not fit the tables.
pub fn verify_file_under_prior(
    project: &Path,
    overrides: &Overrides,
    written: &Path,
) -> Result<Findings, PipelineError> {
    let (findings, _) = verify_by_itself(project, overrides, written, Under::Prior, verify::verify)?;
    Ok(findings)
}

/// Runs a function of the verifier on a release. Also returns the SHA-256 of the files of P that
/// were opened in a trial.
fn verify_by_itself<T>(
    project: &Path,
    overrides: &Overrides,
    written: &Path,
    under: Under,
    verify: impl FnOnce(&VerifySpec, &Path) -> Result<T, VerifyError>,
) -> Result<(T, Vec<String>), PipelineError> {
    let project = of_all(Project::read(project)?)?;
    let delta = project.delta(overrides.delta_min, overrides.delta_max)?;
    let under_prior = match under {
        Under::Uniform => false,
        Under::Prior => true,
        Under::PriorIfAny => project.prior.is_some(),
    };
    let tried = trial::check_files(&project.public.table)?;
    if let PrivateSource::Table(table) = &project.private {
        trial::check_files(table)?;
    }
    if let Some(PriorSource::Rates(path)) = project.prior.as_ref().filter(|_| under_prior) {
        trial::check_files(&TableSpec::of(path.clone()))?;
    }
    trial::check_release(written)?;
    let mut spec = spec::verify_spec(&project, delta)?;
    if under_prior {
        let no_prior = || {
            let remedy = "set `prior` under [public], or add [prior] with `rates`";
            VerifyError::from(LocatedError::new("the project has no prior").remedy(remedy))
        };
        spec.prior.as_mut().ok_or_else(no_prior)?.is_judged = true;
    }
    Ok((verify(&spec, written)?, tried))
}

/// The project, if its P is the complete population. A sample does not allow a verdict.
fn of_all(project: Project) -> Result<Project, PipelineError> {
    match project.public.sample_of {
        None => Ok(project),
        Some(of) => Err(PipelineError::IsSample { path: project.path, of }),
    }
}

/// The project, if each row is a person. Counting rows would otherwise count people several times.
fn of_rows(project: Project) -> Result<Project, PipelineError> {
    match project.entity() {
        None => Ok(project),
        Some(entity) => {
            Err(PipelineError::HasEntities { attribute: entity.name.clone(), path: project.path })
        }
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
