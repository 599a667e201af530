//! A project loaded for estimates: P may be a sample, and nothing of it can be searched, released or verified.

use std::path::Path;
use std::time::Instant;

use super::stage::{self, LoadObserver, LoadStage};
use super::{Analysis, Overrides, PipelineError};
use crate::project::Project;
use palmtop_core::model::{Classes, Delta, Level, ModelError, Node, Presence, Recoding};
use palmtop_measure::estimate::{ClassSizes, EstimateError, Sample, SampledClass};
use palmtop_tables::join::OutsiderRule;

/// A project whose P may be a sample of the population, for estimates alone. It gives no [`Problem`](palmtop_core::model::Problem), of which a
/// verdict could be had.
#[derive(Debug)]
pub struct Estimation {
    analysis: Analysis,
    delta: Option<Delta>,
    sample: Option<Sample>,
    /// Of each combination the members of T whom the sample lacks.
    lacking: Vec<u64>,
}

/// A class of a node with members, or of the sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EstimatedClass {
    /// What is written of it, in project order.
    pub labels: Vec<String>,
    /// Its people.
    pub people: SampledClass,
}

impl Estimation {
    /// Loads a project, with or without `sample_of`; it needs no δ. The observer answers whether to go on.
    ///
    /// # Errors
    /// As [`Analysis::load_watched`]; [`PipelineError::Estimate`] where P and T have more people than the population is said to
    /// have.
    pub fn load_watched(
        path: &Path,
        overrides: &Overrides,
        observer: &mut LoadObserver,
    ) -> Result<Self, PipelineError> {
        let started = Instant::now();
        stage::tell(observer, LoadStage::Project, 0, 1)?;
        let mut project = super::of_rows(Project::read(path)?)?;
        let has_max = overrides.delta_max.or(project.delta_max).is_some();
        let delta =
            if has_max { Some(project.delta(overrides.delta_min, overrides.delta_max)?) } else { None };
        let sample_of = project.public.sample_of;
        if sample_of.is_some() {
            // Members whom the sample lacks are people of the population all the same; they are taken out of the sample's counts again.
            project.outsiders = OutsiderRule::Add;
        }
        let any = project.delta(Some(Presence::ZERO), Some(Presence::ONE))?;
        let analysis = Analysis::load_project(project, any, started, observer)?;
        let histogram = analysis.problem().histogram();
        let mut lacking = vec![0; histogram.len()];
        if sample_of.is_some() {
            let outsiders = analysis.notes().outsiders.iter();
            for (codes, people) in outsiders.flat_map(|outsiders| &outsiders.added) {
                if let Some(place) = histogram.find(codes) {
                    lacking[place] = *people;
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
        let wrong = |error| PipelineError::Estimate { path: path.to_owned(), error };
        let sample = sample.transpose().map_err(wrong)?;
        Ok(Self { analysis, delta, sample, lacking })
    }

    /// The project's name.
    pub fn name(&self) -> &str {
        self.analysis.name()
    }

    /// The quasi-identifiers' names, in project order.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        self.analysis.problem().quasi().iter().map(|quasi| quasi.name.as_str())
    }

    /// P as a sample, where the project says that it is one.
    pub fn sample(&self) -> Option<Sample> {
        self.sample
    }

    /// The δ that is asked for, where one is.
    pub fn delta(&self) -> Option<Delta> {
        self.delta
    }

    /// |T|.
    pub fn members(&self) -> u64 {
        self.analysis.problem().histogram().total().private
    }

    /// The members of T whom the sample lacks.
    pub fn members_not_sampled(&self) -> u64 {
        self.lacking.iter().sum()
    }

    /// The node of these levels; without any the finest.
    ///
    /// # Errors
    /// [`ModelError::NotANode`] where there is none.
    pub fn node(&self, levels: Option<&[Level]>) -> Result<Node, ModelError> {
        let lattice = self.analysis.problem().lattice();
        levels.map_or_else(|| Ok(lattice.bottom()), |levels| lattice.node(levels))
    }

    /// The classes of a node, in lexicographic order of their labels' numbers: those of T and those of P.
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

    /// The class sizes of the sample that population uniques are estimated from: P's where it is one, else T's.
    pub fn sizes(&self, classes: &[EstimatedClass]) -> ClassSizes {
        let size = |class: &EstimatedClass| match self.sample {
            Some(_) => class.people.sampled,
            None => class.people.members,
        };
        ClassSizes::of(classes.iter().map(size))
    }
}
