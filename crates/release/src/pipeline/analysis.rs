//! A loaded project, and the results of its searches.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use crate::pipeline::PipelineError;
use crate::pipeline::read::inputs::InputFile;
use crate::pipeline::read::notes::Notes;
use crate::pipeline::read::published_columns::PublishedColumns;
use crate::pipeline::read::reduction::Reduction;
use palmtop_core::model::{Node, Problem, Recoding, Role};
use palmtop_project::compatibility::{self, Feature, Refused};
use palmtop_project::{Attribute, Project};
use palmtop_search::release::{Origin, Release};
use palmtop_search::{self as search, Config, Observer, SearchReport, StopReason, Strategy};
use palmtop_tables::alike::AlikeIdentifiers;
use palmtop_tables::encode::Encoder;
use palmtop_tables::read::Table;
use palmtop_tables::write::PrivateFolder;

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
    pub(super) project: Project,
    pub(super) problem: Problem,
    pub(super) inputs: Vec<InputFile>,
    pub(super) encoder: Encoder,
    pub(super) published_columns: PublishedColumns,
    pub(super) public: Table,
    pub(super) private: Table,
    pub(super) public_rows: u64,
    /// The rows of T alone, also if T is part of P.
    pub(super) private_rows: u64,
    pub(super) notes: Notes,
    pub(super) reduction: Reduction,
    pub(super) load_seconds: f64,
    /// The folder of the tables that the caller gave as frames. It is removed with the analysis.
    pub(super) frames: Option<PrivateFolder>,
}

impl Analysis {
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

    /// Why a setting of the project excludes a feature; `None` if none does.
    pub fn refusal(&self, asked: Feature) -> Option<Refused> {
        compatibility::check(&[self.project.features().as_slice(), &[asked]].concat()).err()
    }

    /// Refuses what a setting of the project excludes.
    ///
    /// # Errors
    /// [`PipelineError::Refused`] with the two features and the reason.
    pub fn check(&self, asked: &[Feature]) -> Result<(), PipelineError> {
        check(&self.project, asked)
    }

    /// The names of all attributes with a role, in project order.
    pub fn attributes_of(&self, role: Role) -> Vec<String> {
        let attributes = self.project.attributes.iter().filter(|attribute| attribute.role == role);
        attributes.map(|attribute| attribute.name.clone()).collect()
    }

    /// The names of the identifiers that a release omits. The other identifiers are released as
    /// pseudonyms.
    pub fn identifiers(&self) -> Vec<String> {
        let is_left_out =
            |attribute: &&Attribute| attribute.role == Role::Identifier && attribute.pseudonym.is_none();
        self.project.attributes.iter().filter(is_left_out).map(|attribute| attribute.name.clone()).collect()
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
    pub(super) fn measured(
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

/// Reads a project, if it combines with all that is asked for.
pub(super) fn read_for(path: &Path, asked: &[Feature]) -> Result<Project, PipelineError> {
    let project = Project::read(path)?;
    check(&project, asked)?;
    Ok(project)
}

/// Refuses what a setting of the project excludes.
fn check(project: &Project, asked: &[Feature]) -> Result<(), PipelineError> {
    let features = [project.features().as_slice(), asked].concat();
    let refused = |refused| PipelineError::Refused { path: project.path.clone(), refused };
    compatibility::check(&features).map_err(refused)
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
