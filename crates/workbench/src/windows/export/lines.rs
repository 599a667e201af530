//! The command lines that do what the window does.

use palmtop_release::history::{Accepted, RecodingRecipe, StepName};
use palmtop_release::package::{self, Paper};

use super::state::{ExportDialog, Stage};
use crate::kit::words::quoted;
use crate::shared::command_line;

impl ExportDialog {
    /// The command that writes the release, or why there is none.
    pub(crate) fn command_line(&self) -> String {
        let rest = self.output();
        let what = match &self.recipe {
            RecodingRecipe::Node(node) => Some(command_line::node_option(node)),
            RecodingRecipe::Search(search) => match &search.node {
                // The command cannot say which members of a node were withdrawn.
                Some(node)
                    if self.release.withdrawn() == 0
                        && (!search.complete || search.delta != self.release.delta()) =>
                {
                    Some(command_line::node_option(node))
                }
                // Under another δ the search would find another release.
                _ if search.delta != self.release.delta() => None,
                _ => command_line::search_options(search),
            },
        };
        if let Some(what) = what {
            let options = format!("{what}{} {rest}", self.overrides);
            return command_line::command_of(&self.project, "anonymize", &options);
        }
        let why =
            "no command makes this release again: its search was stopped before its end, or nothing is saved";
        self.step_line().unwrap_or_else(|| why.to_owned())
    }

    /// The command that makes the release again from the step in the history.
    pub(crate) fn step_line(&self) -> Option<String> {
        let is_lost = matches!(&self.recipe, RecodingRecipe::Search(search)
            if !search.repeats() && (search.node.is_none() || self.release.withdrawn() > 0));
        let sitting = self.saver.index().filter(|_| self.is_step && !is_lost)?;
        let name = StepName { sitting, step: self.current };
        let looser = self.reason.as_ref().filter(|_| self.is_looser).map_or_else(String::new, |reason| {
            format!(" --accept {}", quoted(&format!("looser_delta={reason}")))
        });
        let options = format!(" --step {name} {}{looser}", self.output());
        Some(command_line::command_of(&self.project, "anonymize", &options))
    }

    /// The options for the file or the package, and what the analyst permitted in this window.
    fn output(&self) -> String {
        let papers = self.papers();
        let path = self.path();
        let target =
            quoted(&if papers.is_empty() { path.display().to_string() } else { package::output(&path) });
        let named: Vec<&str> = papers.iter().map(|paper| paper.as_str()).collect();
        let is_part = !papers.is_empty() && papers.len() < Paper::ALL.len();
        let papers = if is_part { format!(" --with {}", named.join(",")) } else { String::new() };
        let overwrites = if matches!(self.stage, Stage::Overwrite) { " --force" } else { "" };
        let accepts = self.accepted.iter().fold(String::new(), |flags, accepted| {
            let Accepted { key, subject, reason, .. } = accepted;
            let subject = subject.as_ref().map_or_else(String::new, |subject| format!(":{subject}"));
            flags + " --accept " + &quoted(&format!("{key}{subject}={reason}"))
        });
        format!("-o {target}{papers}{overwrites}{accepts}")
    }

    /// [`command_line`](Self::command_line) for the list of commands, where a sentence is a comment.
    pub(super) fn done_line(&self) -> String {
        let line = self.command_line();
        let name = package::folder(&self.path()).display().to_string();
        if line.starts_with("palmtop ") { line } else { format!("# {name}: {line}") }
    }
}
