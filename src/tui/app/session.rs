//! A loaded project, and everything that the analyst has done with it.

use std::sync::Arc;

use palmtop::model::{Delta, Node, Problem};
use palmtop::pipeline::Analysis;
use palmtop::release::Release;
use palmtop::search::{ColumnRule, Strategy, ValueRule};
use palmtop::session::{How, Log, Place, Search, Step};

use crate::tui::kit::hits::Hits;
use crate::tui::kit::job::Jobs;
use crate::tui::kit::keymap::Keymap;
use crate::tui::kit::name::ScreenName;
use crate::tui::kit::slot::Slot;
use crate::tui::screens::compare::difference::Difference;
use crate::tui::screens::hierarchies::state::HierarchyTree;
use crate::tui::screens::lattice::walk::LatticeWalk;
use crate::tui::screens::tables::pages::TablePages;
use crate::tui::screens::trade_off::sweep::Sweep;
use crate::tui::screens::workbench::neighbours::StepTable;
use crate::tui::shared::bound::{Bound, Known};
use crate::tui::shared::classes::ClassTable;
use crate::tui::shared::runs::{Outcome, Run, RunKey, Runs};
use crate::tui::shared::saver::Saver;
use crate::tui::shared::view::{self, Measured, Source, View, place_name};

/// The panes of the workbench.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pane {
    Steps,
    Classes,
}

/// The node that a step starts from: the last one that was stood on.
pub(crate) struct Ground {
    pub(crate) node: Node,
    /// Its release under the δ of now, once it was counted.
    pub(crate) measured: Option<Measured>,
}

/// Something that can be compared.
#[derive(Clone)]
pub(crate) struct Candidate {
    pub(crate) place: Place,
    pub(crate) measured: Measured,
    pub(crate) seconds: Option<f64>,
}

/// The state of everything below the title.
pub(crate) struct Session {
    pub(crate) analysis: Arc<Analysis>,
    /// The tables under the δ of now.
    pub(crate) problem: Problem,
    pub(crate) screen: ScreenName,
    /// Every step so far, and at which one the analyst stands.
    pub(crate) log: Log,
    pub(crate) saver: Saver,
    /// What is shown; it may still be the place before, while the new one is counted.
    pub(crate) view: Option<View>,
    pub(crate) views: Slot,
    pub(crate) pane: Pane,
    pub(crate) classes: ClassTable,
    pub(crate) step_cursor: usize,
    pub(crate) steps: StepTable,
    pub(crate) ground: Ground,
    /// Places kept to compare.
    pub(crate) pins: Vec<Candidate>,
    /// Places that an earlier session kept, until they are counted or found again.
    waiting_pins: Vec<Place>,
    /// Why the place where the analyst stands cannot be counted, if so.
    pub(crate) missing: Option<String>,
    /// Every release that a search found, whether it is still on the screen of searches or not.
    pub(crate) found: Vec<(Search, Measured)>,
    pub(crate) runs: Runs,
    pub(crate) bound: Bound,
    /// The cell of the strategy grid.
    pub(crate) cell: Strategy,
    /// What the comparison points at; the first candidate if this is none of them. A search that ends meanwhile puts its
    /// release between others, so a place in the list would point at another one then.
    pub(crate) pointed: Option<Place>,
    /// What the comparison compares with; the first candidate if this is none of them.
    pub(crate) base: Option<Place>,
    /// The first row of the comparison that is shown, below its heading.
    pub(crate) compare_row: usize,
    /// How the two differ, once it is counted, and which two.
    pub(crate) difference: Option<((Place, Place), Difference)>,
    pub(crate) differences: Slot,
    pub(crate) lattice: LatticeWalk,
    pub(crate) trade_off: Sweep,
    pub(crate) hierarchies: HierarchyTree,
    pub(crate) tables: TablePages,
    pub(crate) keymap: Arc<Keymap>,
    /// Where the last frame drew what, so that a click finds it.
    pub(crate) hits: Hits,
    /// What a command has to say although it could run.
    pub(crate) notice: String,
}

impl Session {
    /// Begins at the finest node, or goes on with a log.
    pub(crate) fn new(
        jobs: &Jobs,
        analysis: Arc<Analysis>,
        project: &str,
        resumed: Option<Log>,
        saver: Saver,
        keymap: Arc<Keymap>,
    ) -> Self {
        let problem = analysis.problem().clone();
        let bottom = problem.lattice().bottom();
        let log = resumed.unwrap_or_else(|| {
            let first = Step { how: How::Start, place: Place::from(&bottom), delta: problem.delta() };
            Log::new(project, &analysis, first)
        });
        let waiting_pins = log.pins.clone();
        let mut session = Self {
            waiting_pins,
            missing: None,
            screen: ScreenName::Workbench,
            log,
            saver,
            view: None,
            views: Slot::default(),
            pane: Pane::Steps,
            classes: ClassTable::default(),
            step_cursor: 0,
            steps: StepTable::new(),
            ground: Ground { node: bottom.clone(), measured: None },
            pins: Vec::new(),
            found: Vec::new(),
            runs: Runs::default(),
            cell: Strategy::Mpalm(ColumnRule::Next, ValueRule::FirstSplit),
            pointed: None,
            base: None,
            lattice: LatticeWalk::new(bottom),
            trade_off: Sweep::default(),
            hierarchies: HierarchyTree::default(),
            tables: TablePages::default(),
            compare_row: 0,
            difference: None,
            differences: Slot::default(),
            bound: Bound::default(),
            keymap,
            hits: Hits::default(),
            notice: String::new(),
            analysis,
            problem,
        };
        session.restore_ground();
        session.restore_pins();
        session.restore_searches(jobs);
        session.ask_again(jobs);
        session.stand(jobs);
        session
    }

    /// The step where the analyst stands.
    pub(crate) fn step(&self) -> &Step {
        &self.log.steps()[self.log.current()]
    }

    /// Where the analyst stands.
    pub(crate) fn place(&self) -> &Place {
        &self.step().place
    }

    /// δ as it is now.
    pub(crate) fn delta(&self) -> Delta {
        self.problem.delta()
    }

    /// Why there is nothing to see of a place that will not be counted, or that it is being counted.
    pub(crate) fn why_no_view(&self) -> String {
        self.missing.clone().unwrap_or_else(|| "it is still being counted".to_owned())
    }

    /// The view of the place where the analyst stands under the δ of now; none while it is counted.
    pub(crate) fn current_view(&self) -> Option<&View> {
        self.view.as_ref().filter(|view| self.is_current(view))
    }

    /// Whether a view is of the place where the analyst stands under the δ of now.
    pub(crate) fn is_current(&self, view: &View) -> bool {
        view.place == *self.place() && view.delta == self.delta()
    }

    /// How the place is called.
    pub(crate) fn place_name(&self) -> String {
        self.current_view().map_or_else(|| place_name(self.place(), self.delta()), View::name)
    }

    /// A key, for a hint: `press s`.
    pub(crate) fn key(&self, id: &str) -> String {
        self.keymap.hint(id)
    }

    /// A strategy's search under the δ of now, if it was started.
    pub(crate) fn run(&self, strategy: Strategy) -> Option<&Run> {
        self.runs.get(self.run_key(strategy))
    }

    /// What a strategy's search under the δ of now came to.
    pub(crate) fn outcome(&self, strategy: Strategy) -> Option<&Outcome> {
        self.runs.outcome(self.run_key(strategy))
    }

    /// A strategy under the δ of now.
    pub(crate) fn run_key(&self, strategy: Strategy) -> RunKey {
        RunKey { strategy, delta: self.delta() }
    }

    /// Takes a step: what was undone is forgotten.
    pub(crate) fn go(&mut self, jobs: &Jobs, place: Place, how: How) {
        if place != *self.place() {
            let delta = self.delta();
            self.log.push(Step { how, place, delta });
            self.stand(jobs);
        }
    }

    /// Judges where the analyst stands by another δ.
    pub(crate) fn change_delta(&mut self, jobs: &Jobs, delta: Delta) {
        if delta != self.delta() {
            let place = self.place().clone();
            let how = How::Delta(delta);
            self.log.push(Step { how, place, delta });
            self.stand(jobs);
        }
    }

    /// Undo, redo, or a jump.
    pub(crate) fn jump(&mut self, jobs: &Jobs, step: usize) {
        if self.log.go_to(step) {
            self.stand(jobs);
        }
    }

    /// Goes where the log says: the δ, the place, its view, the steps from there.
    fn stand(&mut self, jobs: &Jobs) {
        let step = self.step().clone();
        self.missing = None;
        if step.delta != self.problem.delta() {
            self.problem = self.problem.with_delta(step.delta);
            self.delta_changed(jobs);
        }
        match &step.place {
            Place::Node(levels) => match self.problem.lattice().node(levels) {
                Ok(node) => {
                    self.stand_on_ground(jobs, &node);
                    self.count_view(jobs, Source::Node(node));
                }
                Err(error) => self.refuse_view(&error.to_string()),
            },
            Place::Search(search) => {
                // A search that found a node is somewhere to step from, as a node by hand is.
                let node = self.node_of(&step.place);
                if let Some(node) = node {
                    self.stand_on_ground(jobs, &node);
                }
                let found = self.found.iter().find(|(known, _)| known == search);
                match found.map(|(_, measured)| Arc::clone(&measured.release)) {
                    Some(release) => self.count_view(jobs, Source::Found(release)),
                    // Its end will be told.
                    None if self.runs.is_finding_again(search) => {
                        self.views.void();
                        self.view = None;
                    }
                    None => self.make_again(jobs),
                }
            }
        }
        if self.screen == ScreenName::Hierarchies {
            self.show_hierarchy();
        }
        self.classes.moved();
        self.save();
    }

    fn stand_on_ground(&mut self, jobs: &Jobs, node: &Node) {
        if *node != self.ground.node {
            self.ground = Ground { node: node.clone(), measured: None };
            self.steps.count(jobs, &self.problem, node);
        }
    }

    fn count_view(&mut self, jobs: &Jobs, source: Source) {
        let place = self.place().clone();
        let arrangement = &self.classes.arrangement;
        view::count(jobs, &mut self.views, &self.analysis, &self.problem, place, source, arrangement);
    }

    fn make_again(&mut self, jobs: &Jobs) {
        view::make_again(jobs, &mut self.views, &self.analysis, &self.log, &self.classes.arrangement);
    }

    /// Asks for everything that depends on δ and on nothing else.
    fn delta_changed(&mut self, jobs: &Jobs) {
        self.bound.forget();
        self.ground.measured = None;
        self.ask_again(jobs);
        self.difference = None;
        self.differences.void();
        self.lattice.forget();
        self.trade_off.delta_changed(self.problem.delta());
        if self.screen == ScreenName::Lattice {
            self.lattice.ask(jobs, &self.problem);
        }
        if self.screen == ScreenName::Compare {
            self.bound.ask(jobs, &self.problem);
        }
    }

    fn ask_again(&mut self, jobs: &Jobs) {
        self.steps.count(jobs, &self.problem, &self.ground.node);
    }

    /// Takes a view that was asked for.
    pub(crate) fn take_view(&mut self, jobs: &Jobs, view: View) {
        self.pin_again(&view.place, &view.measured);
        match &view.place {
            Place::Node(_) => self.ground.measured = Some(view.measured.clone()),
            Place::Search(search) => {
                if view.release().recoding.node() == Some(&self.ground.node) {
                    self.ground.measured = Some(view.measured.clone());
                }
                self.keep(search.clone(), view.measured.clone());
            }
        }
        self.classes.take_view(jobs, &view);
        self.view = Some(view);
        if self.screen == ScreenName::Compare {
            self.ask_difference(jobs);
        }
        if self.screen == ScreenName::Tables {
            self.show_table(jobs);
        }
        self.explain(jobs);
    }

    /// Where no view can be made: the analyst stands there all the same, for undo and redo pass by.
    pub(crate) fn refuse_view(&mut self, why: &str) {
        self.view = None;
        self.missing = Some(why.to_owned());
        why.clone_into(&mut self.notice);
    }

    /// Keeps what a search found, for as long as the session lasts.
    pub(crate) fn keep(&mut self, search: Search, measured: Measured) {
        if !self.found.iter().any(|(known, _)| *known == search) {
            self.found.push((search, measured));
        }
    }

    /// Takes the end of a search.
    pub(crate) fn finish(&mut self, key: RunKey, outcome: Outcome) {
        if let Some(measured) = &outcome.measured {
            self.pin_again(&Place::Search(outcome.search.clone()), measured);
            self.keep(outcome.search.clone(), measured.clone());
            if !self.log.searches.contains(&outcome.search) {
                self.log.searches.push(outcome.search.clone());
            }
        }
        self.runs.finish(key, outcome);
        self.save();
    }

    /// A search ended, or was stopped: where the analyst stands may have waited for it.
    pub(crate) fn wake(&mut self, jobs: &Jobs) {
        let waits = match self.place() {
            Place::Search(search) => !self.runs.is_finding_again(search),
            Place::Node(_) => false,
        };
        if waits && self.current_view().is_none() && self.missing.is_none() && !self.views.is_open() {
            self.stand(jobs);
        }
    }

    /// Asks what the class under the cursor has to say.
    pub(crate) fn explain(&mut self, jobs: &Jobs) {
        if let Some(view) = self.view.as_ref().filter(|view| self.is_current(view)) {
            self.classes.explain(jobs, &self.problem, view);
        }
    }

    /// The node that a place is, or that its search ended at; none for regions, and where the lattice has no such node.
    fn node_of(&self, place: &Place) -> Option<Node> {
        let levels = match place {
            Place::Node(levels) => levels,
            Place::Search(search) => search.node.as_ref()?,
        };
        self.problem.lattice().node(levels).ok()
    }

    /// The node to step from is the last one that the log stood on, also where it stands on regions now.
    fn restore_ground(&mut self) {
        let before = &self.log.steps()[..=self.log.current()];
        if let Some(node) = before.iter().rev().find_map(|step| self.node_of(&step.place)) {
            self.ground = Ground { node, measured: None };
        }
    }

    /// Counts the nodes that an earlier session kept, where that is quick; the others wait until somebody stands there.
    fn restore_pins(&mut self) {
        /// With more combinations than this, counting at the start would be felt.
        const COUNTED: usize = 100_000;
        if self.problem.histogram().len() > COUNTED {
            return;
        }
        for place in std::mem::take(&mut self.waiting_pins) {
            match self.node_of(&place) {
                Some(node) if matches!(place, Place::Node(_)) => {
                    let measured = Measured::new(&self.problem, self.analysis.by_hand(&self.problem, node));
                    self.pins.push(Candidate { place, measured, seconds: None });
                }
                _ => self.waiting_pins.push(place),
            }
        }
    }

    /// Finds again, in the background, what an earlier session had found under the δ of now, and where it stood. The same
    /// search finds the same; of several by one strategy the last is wanted.
    fn restore_searches(&mut self, jobs: &Jobs) {
        let step = self.step().clone();
        let here = match &step.place {
            Place::Search(search) => Some(search),
            Place::Node(_) => None,
        };
        for search in here.into_iter().chain(self.log.searches.iter().rev()) {
            if search.delta == step.delta || Some(search) == here {
                self.runs.enqueue_again(search);
            }
        }
        self.runs.start_waiting(jobs, &self.analysis, &self.problem);
    }

    /// A place that an earlier session kept is counted now.
    fn pin_again(&mut self, place: &Place, measured: &Measured) {
        let waiting = self.waiting_pins.len();
        self.waiting_pins.retain(|pin| pin != place);
        if self.waiting_pins.len() < waiting {
            self.pins.push(Candidate { place: place.clone(), measured: measured.clone(), seconds: None });
        }
    }

    /// Writes the log to disk, in the background.
    pub(crate) fn save(&mut self) {
        let pins = self.pins.iter().map(|pin| &pin.place).chain(&self.waiting_pins);
        self.log.pins = pins.cloned().collect();
        self.saver.save(&self.log);
    }

    /// What can be compared: the node stood on last, the pinned places, every search under the δ of now that found a
    /// release, and whatever stands on the workbench.
    pub(crate) fn candidates(&self) -> Vec<Candidate> {
        let mut candidates: Vec<Candidate> = Vec::new();
        let ground = self.ground.measured.iter().map(|measured| Candidate {
            place: Place::from(&self.ground.node),
            measured: measured.clone(),
            seconds: None,
        });
        let runs = self.runs.finished(self.delta()).filter_map(|outcome| {
            let (place, seconds) = (Place::Search(outcome.search.clone()), Some(outcome.seconds));
            Some(Candidate { place, measured: outcome.measured.clone()?, seconds })
        });
        let here = self.current_view().map(|view| Candidate {
            place: view.place.clone(),
            measured: view.measured.clone(),
            seconds: None,
        });
        for candidate in ground.chain(self.pins.iter().cloned()).chain(runs).chain(here) {
            if !candidates.iter().any(|known| known.place == candidate.place) {
                candidates.push(candidate);
            }
        }
        candidates
    }

    /// The place of the base among the candidates.
    pub(crate) fn base_place(&self, candidates: &[Candidate]) -> usize {
        place_in(candidates, self.base.as_ref())
    }

    /// The place among the candidates that the comparison points at.
    pub(crate) fn pointed_place(&self, candidates: &[Candidate]) -> usize {
        place_in(candidates, self.pointed.as_ref())
    }

    /// The release that an export would write, with the place that it comes from: what the screen points at, judged by the
    /// δ of now.
    ///
    /// # Errors
    /// Why there is none.
    pub(crate) fn chosen(&self) -> Result<(Place, Arc<Release>), String> {
        let judged = |release: &Arc<Release>| {
            if release.delta() == self.delta() {
                Arc::clone(release)
            } else {
                Arc::new(Release::clone(release).judged_under(&self.problem))
            }
        };
        match self.screen {
            ScreenName::Searches => {
                let outcome = self.outcome(self.cell).filter(|outcome| outcome.measured.is_some());
                let outcome = outcome.ok_or_else(|| self.why_no_release(self.cell))?;
                let release = outcome.measured.as_ref().map(|measured| judged(&measured.release));
                let release = release.ok_or_else(|| self.why_no_release(self.cell))?;
                Ok((Place::Search(outcome.search.clone()), release))
            }
            ScreenName::Compare => {
                let candidates = self.candidates();
                let chosen =
                    candidates.get(self.pointed_place(&candidates)).ok_or("nothing is counted yet")?;
                Ok((chosen.place.clone(), judged(&chosen.measured.release)))
            }
            _ => {
                let view = self.current_view().ok_or_else(|| self.why_no_view())?;
                Ok((view.place.clone(), Arc::clone(view.release())))
            }
        }
    }

    /// Why a strategy has nothing to open or to export.
    pub(crate) fn why_no_release(&self, strategy: Strategy) -> String {
        let run = self.key("searches.run");
        match self.run(strategy) {
            None => format!("{strategy} has not been run under this δ; {run} on the searches runs it"),
            Some(Run::Waiting | Run::Running { .. }) => format!("{strategy} is still under way"),
            Some(Run::Broken(_)) => format!("{strategy} broke; {run} runs it again"),
            Some(Run::Done(_)) => format!("{strategy} found no release that keeps δ"),
        }
    }
}

fn place_in(candidates: &[Candidate], wanted: Option<&Place>) -> usize {
    candidates.iter().position(|candidate| Some(&candidate.place) == wanted).unwrap_or(0)
}

impl Session {
    /// Whether anything is counted that a key asked for: what tests and measurements wait for.
    pub(crate) fn is_counting(&self) -> bool {
        let (counted, all) = self.steps.progress();
        counted < all
            || self.views.is_open()
            || self.classes.is_busy()
            || self.runs.unfinished() > 0
            || self.bound.known() == Known::Counting
            || self.differences.is_open()
            || self.lattice.is_busy()
            || self.trade_off.is_running()
            || self.tables.is_busy()
    }
}
