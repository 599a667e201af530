//! A hierarchy being edited: its changes, its marks, the borders being typed, and the effect of all
//! of them.

use std::collections::BTreeSet;

use palmtop_core::model::{Level, Node, Problem};
use palmtop_release::pipeline::{self, regrouped};
use palmtop_tables::hierarchies::edit::{Change, Editable, History};

use super::effect::{Effect, Figures};
use crate::kit::link::Link;
use crate::kit::slot::{Answer, Slot, Task};
use crate::shared::state::Shared;

/// The marked labels, all of one level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Marks {
    pub(crate) level: Level,
    pub(crate) labels: BTreeSet<String>,
}

impl Marks {
    /// Marks or unmarks a label; marks on another level are dropped.
    pub(crate) fn toggle(&mut self, level: Level, label: &str) {
        if level != self.level {
            *self = Self { level, labels: BTreeSet::new() };
        }
        if !self.labels.remove(label) {
            self.labels.insert(label.to_owned());
        }
    }

    /// Whether a label is marked. A text names one set of values, so every level that has it has
    /// the same label.
    pub(crate) fn has(&self, label: &str) -> bool {
        self.labels.contains(label)
    }
}

/// The effect of borders while they are typed.
struct Draft {
    problem: Problem,
    /// The changes that had to follow.
    followed: Vec<String>,
}

/// A hierarchy with its changes.
pub(crate) struct Editing {
    pub(crate) attribute: usize,
    pub(crate) history: History,
    /// The problem with the edited hierarchy.
    problem: Problem,
    /// The effect of the borders being typed, or what is wrong with them.
    draft: Option<Result<Draft, String>>,
    slot: Slot<Effect>,
    effect: Option<Effect>,
}

impl Editing {
    /// The name of the attribute.
    pub(super) fn name(&self) -> &str {
        &self.problem.quasi()[self.attribute].name
    }

    /// Begins to edit a hierarchy.
    /// # Errors
    /// The file has changed, or cannot be read.
    pub(crate) fn begin(shared: &Shared, attribute: usize) -> Result<Self, String> {
        let editable = pipeline::hierarchies::editable(&shared.analysis, attribute)
            .map_err(|error| error.to_string())?;
        let task = Task { kind: "edit", doing: "counting the effect of the change" };
        let (history, problem) = (History::new(editable), shared.problem.clone());
        Ok(Self { attribute, history, problem, draft: None, slot: Slot::new(task), effect: None })
    }

    /// The hierarchy with its changes.
    pub(crate) fn now(&self) -> &Editable {
        self.history.now()
    }

    /// The shown problem: with the borders being typed, if there are any.
    pub(crate) fn problem(&self) -> &Problem {
        match &self.draft {
            Some(Ok(draft)) => &draft.problem,
            _ => &self.problem,
        }
    }

    /// Makes a change; returns the changes that had to follow.
    /// # Errors
    /// The change is impossible; nothing has changed then.
    pub(crate) fn apply(&mut self, shared: &Shared, change: Change) -> Result<String, String> {
        let edited = self.now().apply(&change).map_err(|error| error.to_string())?;
        let problem = regrouped(&shared.problem, self.attribute, &edited.hierarchy);
        self.problem = problem.map_err(|error| error.to_string())?;
        let message = change.to_string();
        let followed = self.history.apply(change).map_err(|error| error.to_string())?;
        Ok([&[message][..], followed].concat().join("; "))
    }

    /// Takes a change back, or makes it again; returns a message. `None` if there is no such
    /// change.
    pub(crate) fn step(&mut self, shared: &Shared, forward: bool) -> Option<String> {
        let change = if forward { self.history.redo() } else { self.history.undo() };
        let message = change?.to_string();
        self.judge(shared);
        Some(if forward { format!("again: {message}") } else { format!("taken back: {message}") })
    }

    /// Builds the problem again, under the current δ.
    pub(crate) fn judge(&mut self, shared: &Shared) {
        if let Ok(problem) = regrouped(&shared.problem, self.attribute, self.history.now()) {
            self.problem = problem;
        }
    }

    /// Shows the effect of a change without making it.
    pub(crate) fn draft(&mut self, shared: &Shared, change: Result<Change, String>) {
        let drafted = change.and_then(|change| {
            let edited = self.now().apply(&change).map_err(|error| error.to_string())?;
            let problem = regrouped(&shared.problem, self.attribute, &edited.hierarchy);
            let problem = problem.map_err(|error| error.to_string())?;
            Ok(Draft { problem, followed: edited.followed })
        });
        self.draft = Some(drafted);
    }

    /// Drops the borders being typed.
    pub(crate) fn drop_draft(&mut self) {
        self.draft = None;
    }

    /// The message about the borders being typed: the changes that have to follow, or what is
    /// wrong.
    pub(crate) fn of_draft(&self) -> Option<Result<String, &str>> {
        self.draft.as_ref().map(|draft| match draft {
            Ok(draft) => Ok(draft.followed.join("; ")),
            Err(wrong) => Err(wrong.as_str()),
        })
    }

    /// Starts to count the effect at the node that steps start from.
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

    /// Takes a count; returns the message of a failure.
    pub(crate) fn take(&mut self, answer: Answer<Effect>) -> Option<String> {
        match self.slot.take(answer)? {
            Ok(effect) => {
                self.effect = Some(effect);
                None
            }
            Err(message) => Some(message),
        }
    }

    /// The effect; none before it is counted.
    pub(crate) fn effect(&self) -> Option<Effect> {
        self.effect
    }

    /// Why the effect could not be counted.
    pub(crate) fn failure(&self) -> Option<&str> {
        self.slot.failure()
    }

    /// Whether the effect is being counted.
    pub(crate) fn is_counting(&self) -> bool {
        self.slot.is_open()
    }

    /// The level of the edited hierarchy that corresponds to a level of the loaded one.
    pub(crate) fn level_of(&self, level: Level) -> Level {
        self.now().level_of(level).min(self.problem().hierarchy(self.attribute).top())
    }

    /// The node of the edited lattice that corresponds to a node of the loaded one.
    fn node(&self, problem: &Problem, node: &Node) -> Option<Node> {
        let mut levels = node.levels().to_vec();
        levels[self.attribute] = self.level_of(levels[self.attribute]);
        problem.lattice().node(&levels).ok()
    }
}
