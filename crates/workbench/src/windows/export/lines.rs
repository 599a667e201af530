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

    /// The options for the file, the code list, and what the analyst permitted in this window.
    fn output(&self) -> String {
        let target = quoted(&self.file().display().to_string());
        let codebook = if self.papers().contains(&Paper::CodeList) { " --with codebook" } else { "" };
        let overwrites = if matches!(self.stage, Stage::Overwrite) { " --force" } else { "" };
        let accepts = self.accepted.iter().fold(String::new(), |flags, accepted| {
            let Accepted { key, subject, reason, .. } = accepted;
            let subject = subject.as_ref().map_or_else(String::new, |subject| format!(":{subject}"));
            flags + " --accept " + &quoted(&format!("{key}{subject}={reason}"))
        });
        format!("-o {target}{codebook}{overwrites}{accepts}")
    }

    /// The commands that write the same files.
    pub(crate) fn all_lines(&self) -> Vec<String> {
        let (file, papers) = (self.file(), self.papers());
        let mut folders: Vec<String> = Vec::new();
        if !papers.is_empty() {
            let paths = std::iter::once(file.clone()).chain(papers.iter().map(|paper| paper.path(&file)));
            for folder in paths.filter_map(|path| Some(quoted(&path.parent()?.display().to_string()))) {
                if !folders.contains(&folder) {
                    folders.push(folder);
                }
            }
        }
        let folders = (!folders.is_empty()).then(|| format!("mkdir -p {}", folders.join(" ")));
        let reports = papers.iter().filter(|paper| paper.reader().is_some()).map(|&paper| {
            let options = command_line::report_options(&file, paper, &paper.path(&file));
            command_line::command_of(&self.project, "report", &format!("{options}{}", self.overrides))
        });
        folders.into_iter().chain([self.command_line()]).chain(reports).collect()
    }

    /// [`all_lines`](Self::all_lines) for the list of commands, where a sentence is a comment.
    pub(super) fn done_lines(&self) -> Vec<String> {
        let is_command = |line: &String| line.starts_with("palmtop ") || line.starts_with("mkdir ");
        let name = package::folder(&self.path()).display().to_string();
        let line = |line: String| if is_command(&line) { line } else { format!("# {name}: {line}") };
        self.all_lines().into_iter().map(line).collect()
    }
}
