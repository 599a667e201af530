//! The hierarchy that is edited: its changes, what is marked in it, what is typed as borders, and what comes of all that.

use std::collections::BTreeSet;

use palmtop_core::model::{Level, Node, Problem};
use palmtop_flow::pipeline::{self, regrouped};
use palmtop_tables::hierarchies::edit::{Change, Editable, History};

use super::effect::{Effect, Figures};
use crate::kit::link::Link;
use crate::kit::slot::{Answer, Slot, Task};
use crate::shared::state::Shared;

/// Labels of one level that are marked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Marks {
    pub(crate) level: Level,
    pub(crate) labels: BTreeSet<String>,
}

impl Marks {
    /// Marks a label or takes its mark away; marks of another level go.
    pub(crate) fn toggle(&mut self, level: Level, label: &str) {
        if level != self.level {
            *self = Self { level, labels: BTreeSet::new() };
        }
        if !self.labels.remove(label) {
            self.labels.insert(label.to_owned());
        }
    }

    /// Whether a label is marked. A text means one set of values, so it is the same label at each level that has it.
    pub(crate) fn has(&self, label: &str) -> bool {
        self.labels.contains(label)
    }
}

/// Borders as far as they are typed.
struct Draft {
    problem: Problem,
    /// What has to follow.
    followed: Vec<String>,
}

/// A hierarchy with its changes.
pub(crate) struct Editing {
    pub(crate) attribute: usize,
    pub(crate) history: History,
    /// The problem with the hierarchy as it is now.
    problem: Problem,
    /// What the borders would make of it that are being typed, or what is wrong with them.
    draft: Option<Result<Draft, String>>,
    slot: Slot<Effect>,
    effect: Option<Effect>,
}

impl Editing {
    /// Begins to edit a hierarchy.
    ///
    /// # Errors
    /// Why it cannot be edited: its file has changed, or cannot be read.
    pub(crate) fn begin(shared: &Shared, attribute: usize) -> Result<Self, String> {
        let editable = pipeline::hierarchies::editable(&shared.analysis, attribute)
            .map_err(|error| error.to_string())?;
        let task = Task { kind: "edit", doing: "counting the effect of the change" };
        let (history, problem) = (History::new(editable), shared.problem.clone());
        Ok(Self { attribute, history, problem, draft: None, slot: Slot::new(task), effect: None })
    }

    /// The hierarchy as it is now.
    pub(crate) fn now(&self) -> &Editable {
        self.history.now()
    }

    /// The problem as it is shown: with the borders that are being typed, where they are any.
    pub(crate) fn problem(&self) -> &Problem {
        match &self.draft {
            Some(Ok(draft)) => &draft.problem,
            _ => &self.problem,
        }
    }

    /// Makes a change; answers what had to follow.
    ///
    /// # Errors
    /// Why it cannot be made: then nothing has changed.
    pub(crate) fn apply(&mut self, shared: &Shared, change: Change) -> Result<String, String> {
        let edited = self.now().apply(&change).map_err(|error| error.to_string())?;
        let problem = regrouped(&shared.problem, self.attribute, &edited.hierarchy);
        self.problem = problem.map_err(|error| error.to_string())?;
        let said = change.to_string();
        let followed = self.history.apply(change).map_err(|error| error.to_string())?;
        Ok([&[said][..], followed].concat().join("; "))
    }

    /// Goes one change back, or on again; answers what was done. `None` where there is nothing.
    pub(crate) fn step(&mut self, shared: &Shared, forward: bool) -> Option<String> {
        let change = if forward { self.history.redo() } else { self.history.undo() };
        let said = change?.to_string();
        self.judge(shared);
        Some(if forward { format!("again: {said}") } else { format!("taken back: {said}") })
    }

    /// The problem anew, under the δ of now.
    pub(crate) fn judge(&mut self, shared: &Shared) {
        if let Ok(problem) = regrouped(&shared.problem, self.attribute, self.history.now()) {
            self.problem = problem;
        }
    }

    /// Shows what a change would make of it, and makes it not.
    pub(crate) fn draft(&mut self, shared: &Shared, change: Result<Change, String>) {
        let drafted = change.and_then(|change| {
            let edited = self.now().apply(&change).map_err(|error| error.to_string())?;
            let problem = regrouped(&shared.problem, self.attribute, &edited.hierarchy);
            let problem = problem.map_err(|error| error.to_string())?;
            Ok(Draft { problem, followed: edited.followed })
        });
        self.draft = Some(drafted);
    }

    /// What is typed is not wanted any more.
    pub(crate) fn drop_draft(&mut self) {
        self.draft = None;
    }

    /// What is to be said of the borders that are being typed: what has to follow, or what is wrong.
    pub(crate) fn of_draft(&self) -> Option<Result<String, &str>> {
        self.draft.as_ref().map(|draft| match draft {
            Ok(draft) => Ok(draft.followed.join("; ")),
            Err(wrong) => Err(wrong.as_str()),
        })
    }

    /// Begins to count what it changes at the node that steps start from.
    pub(crate) fn count(&mut self, link: &Link<Answer<Effect>>, shared: &Shared) {
        self.effect = None;
        let before = (shared.problem.clone(), shared.ground.node.clone());
        let after = self.problem().clone();
        let Some(node) = self.node(&after, &before.1) else {
            self.slot.void();
            return;
        };
        self.slot.ask(
            link,
            |answer| answer,
            move |job| {
                let _turn = job.turn()?;
                let before = Figures::of(&before.0, &before.1);
                let after = job.is_current().then(|| Figures::of(&after, &node))?;
                Some(Effect { before, after })
            },
        );
    }

    /// Takes what was counted; answers what is to be said.
    pub(crate) fn take(&mut self, answer: Answer<Effect>) -> Option<String> {
        match self.slot.take(answer)? {
            Ok(effect) => {
                self.effect = Some(effect);
                None
            }
            Err(said) => Some(said),
        }
    }

    /// What it changes, once that is counted.
    pub(crate) fn effect(&self) -> Option<Effect> {
        self.effect
    }

    /// Why that is not counted, if so.
    pub(crate) fn failure(&self) -> Option<&str> {
        self.slot.failure()
    }

    /// Whether it is being counted.
    pub(crate) fn is_counting(&self) -> bool {
        self.slot.is_open()
    }

    /// The level that one of the loaded hierarchy is in the edited one.
    pub(crate) fn level_of(&self, level: Level) -> Level {
        self.now().level_of(level).min(self.problem().hierarchy(self.attribute).top())
    }

    /// A node of the loaded lattice in the edited one.
    fn node(&self, problem: &Problem, node: &Node) -> Option<Node> {
        let mut levels = node.levels().to_vec();
        levels[self.attribute] = self.level_of(levels[self.attribute]);
        problem.lattice().node(&levels).ok()
    }
}
