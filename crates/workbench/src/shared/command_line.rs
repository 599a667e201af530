//! What the workbench did, as command lines that do the same.
//!
//! The lines are made when something is done, so each has the δ of that moment. A window lists them.

use std::path::Path;

use palmtop_core::model::{Delta, Level, Presence};
use palmtop_release::history::{RecodingRecipe, Search};
use palmtop_release::package::Paper;
use palmtop_release::pipeline::Analysis;
use palmtop_search::{self as search, Strategy};

use super::runs::Budget;
use crate::kit::words::quoted;

/// The command lines of this run of the workbench, the oldest first.
#[derive(Clone, Debug)]
pub(crate) struct CommandLines {
    /// The name of the project on a command line, not quoted.
    project: String,
    lines: Vec<String>,
}

impl CommandLines {
    /// The lines of a project that was just opened. `project` is its name on a command line.
    pub(crate) fn of(project: &str) -> Self {
        Self { lines: Vec::new(), project: String::new() }.opened(project)
    }

    /// The same lines, followed by those of a project that was opened, or read again, after them.
    pub(crate) fn opened(mut self, project: &str) -> Self {
        project.clone_into(&mut self.project);
        self.note_command("check", "");
        self
    }

    /// The name of the project on a command line, not quoted.
    pub(crate) fn project(&self) -> &str {
        &self.project
    }

    /// All lines, the oldest first; at least one.
    pub(crate) fn lines(&self) -> &[String] {
        &self.lines
    }

    /// Notes a complete line. The same line twice in a row is one line.
    pub(crate) fn note(&mut self, line: String) {
        if self.lines.last() != Some(&line) {
            self.lines.push(line);
        }
    }

    /// Notes a command on the project. Each option begins with a blank.
    pub(crate) fn note_command(&mut self, command: &str, options: &str) {
        self.note(self.command(command, options));
    }

    /// A command on the project. Each option begins with a blank.
    pub(crate) fn command(&self, command: &str, options: &str) -> String {
        command_of(&self.project, command, options)
    }
}

/// A command on a project, which is not quoted. Each option begins with a blank.
pub(crate) fn command_of(project: &str, command: &str, options: &str) -> String {
    format!("palmtop {command} {}{options}", quoted(project))
}

/// The options that replace the δ of the project by this one; empty if it is the same.
pub(crate) fn delta_options(analysis: &Analysis, delta: Delta) -> String {
    let project = analysis.project();
    let mut options = String::new();
    if project.delta_min.unwrap_or(Presence::ZERO) != delta.min() {
        options = format!(" --delta-min {}", delta.min());
    }
    if project.delta_max != Some(delta.max()) {
        options = format!("{options} --delta-max {}", delta.max());
    }
    options
}

/// The option that names a node.
pub(crate) fn node_option(levels: &[Level]) -> String {
    let levels: Vec<String> = levels.iter().map(ToString::to_string).collect();
    format!(" --node {}", levels.join(","))
}

/// The options that run a search again; `None` if no option does, because the search was stopped or is gone.
pub(crate) fn search_options(search: &Search) -> Option<String> {
    let strategy = format!(" --strategy {}", search.strategy.known()?);
    match search::Budget::of_work(search.rounds, search.opening) {
        Some(budget) => Some(format!("{strategy} --budget {budget}")),
        None => search.complete.then_some(strategy),
    }
}

/// The options of `classes` that list the classes of a recipe; `None` if no option does.
pub(crate) fn recipe_options(recipe: &RecodingRecipe, delta: Delta) -> Option<String> {
    match recipe {
        RecodingRecipe::Node(levels) => Some(node_option(levels)),
        RecodingRecipe::Search(search) if search.delta == delta => search_options(search),
        // Under another δ, the search would find another release.
        RecodingRecipe::Search(search) => search.node.as_deref().map(node_option),
    }
}

/// The options of `compare` that run these searches.
pub(crate) fn strategy_options(strategies: &[Strategy], budget: Budget) -> String {
    let names: Vec<String> = strategies.iter().map(ToString::to_string).collect();
    let seconds = search::Budget::Seconds(budget.limit.as_secs_f64());
    let limit = format!(" --budget {}", budget.rounds.map_or(seconds, search::Budget::Rounds));
    let is_endless = strategies.iter().any(|strategy| strategy.family().draws());
    format!(" --strategy {}{}", names.join(","), if is_endless { limit } else { String::new() })
}

/// The release and the options of `report` that write this report.
pub(crate) fn report_options(release: &Path, paper: Paper, report: &Path) -> String {
    let reader = if paper == Paper::Recipient { " --for recipient" } else { "" };
    format!(" {}{reader} -o {}", file(release), file(report))
}

/// A file on a command line.
pub(crate) fn file(path: &Path) -> String {
    quoted(&path.to_string_lossy())
}
