//! The releases that `risk` and `utility` measure: nodes, strategies' releases and written files.
//! Also the table of their measures.

use palmtop::columns::{Table, Value};
use palmtop::compatibility::Command;
use palmtop::pipeline::{self, Analysis, ReadRelease};
use palmtop::release::Release;
use palmtop::search::Strategy;
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::args::{Measured, MeasuredArguments, NodeArgument};
use super::load::{self, Plan, ProjectFile};
use palmtop_console::answer::Answer;
use palmtop_console::output;
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

/// A measured release: its measures, details and JSON.
pub(super) trait MeasuredRelease {
    /// Its name: a node, a strategy or a file.
    fn name(&self) -> &str;

    /// Its measures. All releases have the same.
    fn measures(&self) -> Vec<(String, Value)>;

    /// Whether the table for people has a measure. It has a line if one release wants it.
    fn is_listed(&self, _measure: &str, _value: &Value) -> bool {
        true
    }

    /// The details below the table for people.
    fn details(&self) -> String;

    /// The release as JSON.
    fn object(&self) -> Json;
}

/// Measured releases side by side: a line for each measure, a column for each release.
pub(super) struct SideBySide<R>(pub(super) Vec<R>);

impl<R: MeasuredRelease> Answer for SideBySide<R> {
    /// The table of the listed measures, then the details of each release.
    fn text(&self) -> String {
        let mut table = self.table();
        table.rows.retain(|row| {
            let name = row[0].to_cell();
            self.0.iter().zip(&row[1..]).any(|(release, value)| release.is_listed(&name, value))
        });
        self.0.iter().fold(output::to_table(&table), |text, release| text + &release.details())
    }

    fn table(&self) -> Table {
        let names = self.0.first().map(R::measures).unwrap_or_default().into_iter().map(|(name, _)| [name]);
        self.0.iter().fold(Table::of_texts(["measure"], names), |table, release| {
            table.with(release.name(), release.measures().into_iter().map(|(_, value)| value))
        })
    }

    fn object(&self) -> impl Serialize {
        json!({ "releases": self.0.iter().map(R::object).collect::<Vec<_>>() })
    }
}
