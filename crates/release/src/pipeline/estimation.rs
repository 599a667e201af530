//! A project loaded for estimates. P may be a sample, so it allows no search, release or
//! verification.

use std::path::Path;
use std::time::Instant;

use crate::pipeline::analysis;
use crate::pipeline::read::stage::{self, LoadObserver, LoadStage};
use crate::pipeline::{Analysis, Overrides, PipelineError};
use palmtop_core::located::LocatedError;
use palmtop_core::model::{Classes, Delta, Level, ModelError, Node, Presence, Recoding};
use palmtop_measure::estimate::{ClassSizes, EstimateError, Sample, SampledClass};
use palmtop_project::compatibility::{Command, Feature};
use palmtop_tables::join::OutsiderRule;

/// A project whose P may be a sample of the population, for estimates only. It gives no
/// [`Problem`](palmtop_core::model::Problem), because a problem would allow a verdict.
#[derive(Debug)]
pub struct Estimation {
    analysis: Analysis,
    delta: Option<Delta>,
    sample: Option<Sample>,
    /// The number of members of T whom the sample lacks, for each combination.
    lacking: Vec<u64>,
}

/// A class of a node that has members or people of the sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EstimatedClass {
    /// The label of each quasi-identifier, in project order.
    pub labels: Vec<String>,
    /// Its counts of members and of people.
    pub people: SampledClass,
}

impl Estimation {
    /// Loads a project with or without `sample_of`. It needs no δ. The observer can stop the
    /// loading.
    ///
    /// # Errors
    /// As [`Analysis::load_for`]; [`PipelineError::Located`] if P and T have more people than
    /// the given population.
    pub fn load(
        path: &Path,
        overrides: &Overrides,
        observer: &mut LoadObserver,
    ) -> Result<Self, PipelineError> {
        let started = Instant::now();
        stage::tell(observer, LoadStage::Project, 0, 1)?;
        let mut project = analysis::read_for(path, &[Feature::Command(Command::Estimate)])?;
        let has_max = overrides.delta_max.or(project.delta_max).is_some();
        let delta =
            if has_max { Some(project.delta(overrides.delta_min, overrides.delta_max)?) } else { None };
        let sample_of = project.public.sample_of;
        if sample_of.is_some() {
            // Members whom the sample lacks belong to the population. They are subtracted from the
            // sample's counts.
            project.outsiders = OutsiderRule::Add;
        }
        let any = project.delta(Some(Presence::ZERO), Some(Presence::ONE))?;
        let analysis = Analysis::load_project(project, any, started, observer)?;
        let histogram = analysis.problem().histogram();
        let mut lacking = vec![0; histogram.len()];
        if sample_of.is_some() {
            let outsiders = analysis.notes().outsiders.iter();
            for (codes, people) in outsiders.flat_map(|outsiders| &outsiders.added) {
                if let Some(index) = histogram.find(codes) {
                    lacking[index] = *people;
                }
            }
        }
        let known = histogram.total().public;
        let sample = sample_of.map(|population| {
            if known > population {
                return Err(EstimateError::Population { population, known });
            }
            Sample::new(known - lacking.iter().sum::<u64>(), population)
        });
        let wrong = |error: EstimateError| LocatedError::new(error.to_string()).in_named("project", path);
        let sample = sample.transpose().map_err(wrong)?;
        Ok(Self { analysis, delta, sample, lacking })
    }

    /// The project's name.
    pub fn name(&self) -> &str {
        self.analysis.name()
    }

    /// The names of the quasi-identifiers, in project order.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        self.analysis.problem().quasi().iter().map(|quasi| quasi.name.as_str())
    }

    /// P as a sample; `None` if the project does not declare P as a sample.
    pub fn sample(&self) -> Option<Sample> {
        self.sample
    }

    /// The requested δ, if the project has one.
    pub fn delta(&self) -> Option<Delta> {
        self.delta
    }

    /// |T|, the number of members.
    pub fn members(&self) -> u64 {
        self.analysis.problem().histogram().total().private
    }

    /// The number of members of T whom the sample lacks.
    pub fn members_not_sampled(&self) -> u64 {
        self.lacking.iter().sum()
    }

    /// The node of these levels, or the finest node without levels.
    ///
    /// # Errors
    /// [`ModelError::NotANode`] if the levels give no node.
    pub fn node(&self, levels: Option<&[Level]>) -> Result<Node, ModelError> {
        let lattice = self.analysis.problem().lattice();
        levels.map_or_else(|| Ok(lattice.bottom()), |levels| lattice.node(levels))
    }

    /// The classes of T and of P under a node, in lexicographic order of the numbers of their
    /// labels.
    pub fn classes(&self, node: &Node) -> Vec<EstimatedClass> {
        let problem = self.analysis.problem();
        let classes = Classes::of(problem, &Recoding::Node(node.clone()));
        let mut lacking = vec![0; classes.len()];
        for (&class, people) in classes.class_of.iter().zip(&self.lacking) {
            lacking[class as usize] += people;
        }
        let estimated = classes.iter().zip(lacking).map(|(class, lacking)| EstimatedClass {
            labels: class.texts(problem),
            people: SampledClass {
                members: class.counts.private,
                sampled: class.counts.public - lacking,
                known: class.counts.public,
            },
        });
        estimated.collect()
    }

    /// The number of combinations of labels that a node can have, at most the largest whole number.
    pub fn combinations(&self, node: &Node) -> u64 {
        let quasi = self.analysis.problem().quasi().iter().zip(node.levels());
        let labels = quasi.map(|(quasi, &level)| quasi.hierarchy.label_count(level) as u64);
        labels.fold(1, u64::saturating_mul)
    }

    /// The class sizes for the estimate of population uniques: those of P if P is a sample, else
    /// those of T.
    pub fn sizes(&self, classes: &[EstimatedClass]) -> ClassSizes {
        let size = |class: &EstimatedClass| match self.sample {
            Some(_) => class.people.sampled,
            None => class.people.members,
        };
        ClassSizes::of(classes.iter().map(size))
    }
}
