//! Loads a project: reads its tables and hierarchies, and reduces them to a problem.

use std::path::Path;
use std::time::Instant;

use crate::pipeline::analysis::{Analysis, read_for};
use crate::pipeline::read::inputs::Overrides;
use crate::pipeline::read::notes::{Notes, RepeatsNote};
use crate::pipeline::read::stage::{self, LoadObserver, LoadStage};
use crate::pipeline::read::tables::Tables;
use crate::pipeline::{PipelineError, measures::risk, read::same_person, rows::people};
use palmtop_core::model::{Delta, Histogram, Problem, QuasiIdentifier, Weights};
use palmtop_core::progress::{Progress, unwatched};
use palmtop_project::Project;
use palmtop_project::compatibility::Feature;
use palmtop_tables::encode::Encoder;
use palmtop_tables::hierarchies::Domain;
use palmtop_tables::tally::Tally;

impl Analysis {
    /// Loads a project in which each row is a person.
    ///
    /// # Errors
    /// As [`load_for`](Self::load_for). A project whose people have several rows is refused.
    pub fn load(path: &Path, overrides: &Overrides) -> Result<Self, PipelineError> {
        Self::load_for(path, overrides, &[Feature::Verdict, Feature::RowCount], &mut unwatched)
    }

    /// Loads a project in its unit of counting. The reduction of P is kept if P has more than `rows` rows.
    ///
    /// # Errors
    /// As [`load_for`](Self::load_for).
    pub fn load_keeping(path: &Path, overrides: &Overrides, rows: u64) -> Result<Self, PipelineError> {
        let started = Instant::now();
        let mut project = read_for(path, &[Feature::Verdict])?;
        project.public.kept_above = project.public.kept_above.map(|_| rows);
        Self::load_read(project, overrides, started, &mut unwatched)
    }

    /// Loads a project in its unit of counting, if it combines with all that is asked for.
    ///
    /// Reads and checks the tables and hierarchies, reduces the tables to a histogram, and checks
    /// T ⊆ P. If an attribute has `role = "entity"`, both tables are counted in people. The
    /// [problem](Self::problem) is then counted in people too. The observer gets the progress, and
    /// can stop the loading.
    ///
    /// # Errors
    /// - A [`PipelineError`] with the file, the position, the value and the remedy.
    /// - [`PipelineError::Refused`] if a setting of the project excludes a requested feature.
    /// - [`PipelineError::Cancelled`] if the observer stops the loading.
    pub fn load_for(
        path: &Path,
        overrides: &Overrides,
        asked: &[Feature],
        observer: &mut LoadObserver,
    ) -> Result<Self, PipelineError> {
        let started = Instant::now();
        stage::tell(observer, LoadStage::Project, 0, 1)?;
        Self::load_read(read_for(path, asked)?, overrides, started, observer)
    }

    fn load_read(
        project: Project,
        overrides: &Overrides,
        started: Instant,
        observer: &mut LoadObserver,
    ) -> Result<Self, PipelineError> {
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
    pub(super) fn load_project(
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
        if private.is_some() {
            let mut comparing = |_| observer(Progress { stage: LoadStage::Private, done: 0, total: 1 });
            tables.check_rows((&public, private.as_ref()), &mut comparing)?;
        }
        let values =
            |tally: &Tally| (0..project.quasi().count()).map(|quasi| tally.distinct(quasi)).collect();
        let public_values: Vec<Vec<String>> = values(&public);
        let private_values = private.as_ref().map_or_else(|| public_values.clone(), values);
        let domains =
            tables.domains(&public_values, &private_values, observer).map_err(|error| match error {
                PipelineError::Data(error) => tables.with_positions(error, &public, private.as_ref()).into(),
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
        same_person::check(&tables, &encoder, &mut joining)?;
        let (histogram, outsiders) = tables.join(&encoder, &mut public, private.as_mut(), &mut joining)?;
        let doubled = tables.repetition(&histogram, outsiders.as_ref(), &mut joining)?;
        stage::tell(observer, LoadStage::Joining, 0, 1)?;
        let is_aggregated = public.distinct_combinations as u64 == public.rows && public.rows > 1;
        let mut count_like = public.count_like.clone();
        count_like.retain(|_| is_aggregated && !tables.has_count());
        let of_members = private.as_ref().unwrap_or(&public);
        let mut notes = Notes::of(&tables, (count_like, of_members), &domains, outsiders);
        notes.doubled = doubled;
        notes.repeats = project.one_row().map(|_| {
            let of = |tally: &Tally| {
                let all: u64 = tally.files.iter().map(|file| file.rows).sum();
                (tally.rows, all.saturating_sub(tally.rows))
            };
            RepeatsNote { public: of(&public), private: private.as_ref().map_or((public.member_rows, 0), of) }
        });
        let mut problem = problem_of(&project, domains, histogram, delta)?;
        stage::tell(observer, LoadStage::Joining, 0, 1)?;
        problem = problem.with_belief(tables.belief(&problem)?);
        let inputs = tables.inputs(&public.files, private.as_ref())?;
        let left_out = |tally: &Tally| tally.files.iter().map(|file| file.left_out).sum();
        notes.rows_left_out = (left_out(&public), private.as_ref().map_or(0, left_out));
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
}

/// The problem of a project, without the sensitive values, which depend on rows.
pub(super) fn problem_of(
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
        .with_terms(project.quasi().map(|(attribute, _)| attribute.terms).collect())
        .with_levels(project.quasi().map(|(attribute, _)| attribute.levels).collect())?
        .with_borders(&project.quasi().map(|(attribute, _)| attribute.borders).collect::<Vec<_>>())?;
    Ok(problem)
}
