//! Restores an earlier sitting, and saves this one.

use palmtop_release::history::{RecodingRecipe, Search};
use palmtop_search::Strategy;

use super::command_line;
use super::state::{LastNode, Shared};
use super::view::Candidate;
use super::view::Measured;

impl Shared {
    /// Restores the node that steps start from: the last node of the log, even if the current recipe
    /// has regions.
    pub(super) fn restore_ground(&mut self) {
        let before = &self.log.steps()[..=self.log.current()];
        if let Some(node) = before.iter().rev().find_map(|step| self.node_of(&step.recoding)) {
            self.ground = LastNode { node, measured: None };
        }
    }

    /// Counts the pinned nodes of an earlier sitting if that is quick; the others wait until the
    /// analyst opens them.
    pub(super) fn restore_pins(&mut self) {
        /// With more distinct units than this, counting would delay the start.
        const COUNTED: usize = 100_000;
        if self.problem.unit_counts().len() > COUNTED {
            return;
        }
        for recipe in std::mem::take(&mut self.waiting_pins) {
            match self.node_of(&recipe) {
                Some(node) if matches!(recipe, RecodingRecipe::Node(_)) => {
                    let measured = Measured::new(&self.problem, self.analysis.by_hand(&self.problem, node));
                    self.pins.push(Candidate { recipe, measured, seconds: None });
                }
                _ => self.waiting_pins.push(recipe),
            }
        }
    }

    /// Repeats the searches of the current recipe and of the pins of an earlier sitting, in the
    /// background. Its other searches wait for a request: all of them together would take as long
    /// as the complete session.
    pub(super) fn restore_searches(&mut self) {
        let step = self.step().clone();
        let pins = self.waiting_pins.clone();
        for recipe in std::iter::once(&step.recoding).chain(&pins) {
            if let RecodingRecipe::Search(search) = recipe
                && (search.delta == step.delta || *recipe == step.recoding)
            {
                self.runs.enqueue_again(search);
            }
        }
        self.start_waiting();
    }

    /// Notes the searches of an earlier sitting as command lines, before those of this one.
    pub(crate) fn note_earlier_searches(&mut self) {
        let line = |search: &Search| match command_line::search_options(search) {
            Some(options) => {
                let delta = command_line::delta_options(&self.analysis, search.delta);
                self.commands.command("compare", &(options + &delta))
            }
            None => format!("# {}: its search was stopped, and no command repeats it", search.strategy),
        };
        let lines: Vec<String> = self.log.searches().map(line).collect();
        for line in lines {
            self.commands.note(line);
        }
    }

    /// The last search of a strategy under the current δ in an earlier sitting, if it was not
    /// requested again. The same search finds the same release.
    pub(crate) fn found_before(&self, strategy: Strategy) -> Option<&Search> {
        let key = self.run_key(strategy);
        let is_wanted = |search: &&Search| {
            search.strategy == strategy.into() && search.delta == key.delta && search.repeats()
        };
        self.log.searches().rev().filter(|_| self.runs.get(key).is_none()).find(is_wanted)
    }

    /// Pins a counted recipe of an earlier sitting again.
    pub(super) fn pin_again(&mut self, recipe: &RecodingRecipe, measured: &Measured) {
        let waiting = self.waiting_pins.len();
        self.waiting_pins.retain(|pin| pin != recipe);
        if self.waiting_pins.len() < waiting {
            self.pins.push(Candidate { recipe: recipe.clone(), measured: measured.clone(), seconds: None });
        }
    }

    /// Writes the log to disk in the background.
    pub(crate) fn save(&mut self) {
        let pins = self.pins.iter().map(|pin| &pin.recipe).chain(&self.waiting_pins);
        self.log.pins = pins.cloned().collect();
        self.saver.save(&self.log);
    }
}
