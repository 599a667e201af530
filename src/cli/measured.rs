//! The releases that `risk` and `utility` measure: nodes, strategies' releases and written files.
//! Also the table of their measures.

use palmtop::compatibility::Command;
use palmtop::pipeline::{self, Analysis, ReadRelease};
use palmtop::release::Release;
use palmtop::search::Strategy;

use super::args::{Measured, MeasuredArguments, NodeArgument};
use super::load::{self, Plan, ProjectFile};
use palmtop_console::output::OutputRows;
use palmtop_console::result::explain_none;
use palmtop_console::say;

/// A project, and the list of what to measure in it.
pub(super) struct Measuring {
    pub(super) analysis: Analysis,
    pub(super) plan: Plan,
    measured: Vec<Measured>,
    _file: ProjectFile,
}

/// A release to measure: its name, whether it satisfies the policy, and its source.
pub(super) struct Found {
    pub(super) name: String,
    pub(super) is_present: bool,
    pub(super) of: Source,
}

/// The source of a measured release.
pub(super) enum Source {
    /// Made by this command, from a node or a strategy.
    Release(Box<Release>),
    /// Read from a file.
    File(Box<ReadRelease>),
}

impl Measuring {
    /// Loads a project; without named releases, the finest node is measured.
    pub(super) fn load(arguments: &MeasuredArguments, command: Command) -> anyhow::Result<Self> {
        let strategies = arguments.measured.iter().filter_map(|measured| match measured {
            Measured::Strategy(strategy) => Some(*strategy),
            Measured::Node(_) | Measured::File(_) => None,
        });
        let strategies: Vec<Strategy> = strategies.collect();
        let plan = Plan::of(&arguments.search)?;
        let asked = load::asked(command, &strategies, &arguments.search, &[])?;
        let (analysis, file) = load::analysis(&arguments.project, &(&arguments.delta).into(), &asked)?;
        let mut measured = arguments.measured.clone();
        if measured.is_empty() {
            let finest = analysis.problem().lattice().bottom();
            measured.push(Measured::Node(NodeArgument(finest.levels().to_vec())));
        }
        Ok(Self { analysis, plan, measured, _file: file })
    }

    /// Measures each release; `None` if a strategy finds no release.
    pub(super) fn each<T>(
        &self,
        mut measure: impl FnMut(Found) -> anyhow::Result<T>,
    ) -> anyhow::Result<Option<Vec<T>>> {
        let mut all = Vec::new();
        for measured in &self.measured {
            let Some(found) = self.find(measured)? else { return Ok(None) };
            all.push(measure(found)?);
        }
        Ok(Some(all))
    }

    fn find(&self, measured: &Measured) -> anyhow::Result<Option<Found>> {
        let (analysis, problem) = (&self.analysis, self.analysis.problem());
        let of_release = |name: String, release: Release| {
            let is_present = release.is_present();
            Some(Found { name, is_present, of: Source::Release(Box::new(release)) })
        };
        Ok(match measured {
            Measured::Node(levels) => {
                let node = problem.lattice().node(&levels.0)?;
                of_release(format!("node {node}"), analysis.by_hand(problem, node))
            }
            Measured::Strategy(strategy) => {
                let found = load::search(analysis, problem, *strategy, &self.plan, None);
                if found.release.is_none() {
                    say::message(&format!("{strategy}: {}", explain_none(problem, found.report.stop)));
                }
                found.release.and_then(|release| of_release(strategy.to_string(), release))
            }
            Measured::File(path) => {
                let read = pipeline::reading::read(analysis, path)?;
                if let Some(first) = read.findings.problems.iter().find(|problem| problem.is_unfaithful()) {
                    say::message(&format!(
                        "{} is not a faithful release of the present T: {first}",
                        path.display()
                    ));
                }
                let (name, is_present) = (path.display().to_string(), read.findings.is_present());
                Some(Found { name, is_present, of: Source::File(Box::new(read)) })
            }
        })
    }
}

/// A table with a line for each measure and a column for each release. All releases have the same
/// measures.
pub(super) fn side_by_side(releases: &[(&str, Vec<(String, String)>)]) -> OutputRows {
    let measures = releases.first().map(|(_, measures)| measures.as_slice()).unwrap_or_default();
    let line = |(nth, (measure, _)): (usize, &(String, String))| {
        let values = releases.iter().map(|(_, measures)| measures[nth].1.clone());
        std::iter::once(measure.clone()).chain(values).collect()
    };
    let names = releases.iter().map(|(name, _)| (*name).to_owned());
    OutputRows {
        header: std::iter::once("measure".to_owned()).chain(names).collect(),
        lines: measures.iter().enumerate().map(line).collect(),
        numbers_from: 1,
    }
}
