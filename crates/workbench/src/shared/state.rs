//! A loaded project with the analyst's work on it, as far as several screens read it.

use std::sync::Arc;

use super::view::Candidate;
use palmtop_core::model::{Delta, Node, Problem, Verdict};
use palmtop_project::Decided;
use palmtop_release::history::{
    Action, Entry, Grounds, Moment, Reason, RecodingRecipe, Search, Sitting, Stated, Step,
};
use palmtop_release::pipeline::Analysis;
use palmtop_search::release::{KnowsAlgorithm, Release};
use palmtop_search::{self as search, Audit, Strategy};

use super::activity::Activity;
use super::bound::{Bound, Known};
use super::cautions::{self, Cautions};
use super::classes::state::{self as classes, ClassTable};
use super::command_line::{self, CommandLines};
use super::intent::Change;
use super::runs::{self, Outcome, Run, RunKey, Runs};
use super::saver::Saver;
use super::view::{self, Measured, Source, VIEWING, View, Viewed, recipe_name};
use crate::kit::keymap::Keymap;
use crate::kit::link::Link;
use crate::kit::name::ScreenName;
use crate::kit::slot::{Answer, Slot};
use crate::kit::text;

/// A message of the jobs that no single screen started.
pub(crate) enum Message {
    /// The view of a recipe.
    Viewed(Answer<Viewed>),
    /// The table of classes.
    Classes(classes::Message),
    /// A search.
    Run(runs::News),
    /// The cautions of the current release.
    Cautions(cautions::Message),
    /// The least possible loss.
    Bound(Answer<Option<f64>>),
}

/// The effects of an action: the changes, in order, and a message.
#[derive(Default)]
pub(crate) struct News {
    pub(crate) changes: Vec<Change>,
    pub(crate) message: Option<String>,
}

impl News {
    pub(super) fn of(changes: Vec<Change>) -> Self {
        Self { changes, message: None }
    }

    pub(super) fn with_message(message: Option<String>) -> Self {
        Self { changes: Vec::new(), message }
    }
}

/// The node that a step starts from: the last node that was the current recipe.
pub(crate) struct LastNode {
    pub(crate) node: Node,
    /// Its release under the current δ; none before it is counted.
    pub(crate) measured: Option<Measured>,
}

/// The state that all screens share. Screens read it; only the app changes it.
pub(crate) struct Shared {
    pub(super) link: Link<Message>,
    pub(crate) analysis: Arc<Analysis>,
    /// The tables under the current δ.
    pub(crate) problem: Problem,
    /// Why no release can keep δ. If levels are limited, an answer takes a pass over the tables.
    infeasible: Option<String>,
    /// The open screen.
    pub(crate) open: ScreenName,
    /// All steps so far, and the current one.
    pub(crate) log: Sitting,
    pub(crate) saver: Saver,
    /// The shown view; it may belong to the previous recipe while the current one is counted.
    pub(crate) view: Option<View>,
    pub(crate) views: Slot<Viewed>,
    pub(crate) classes: ClassTable,
    pub(crate) ground: LastNode,
    /// The pinned recipes.
    pub(crate) pins: Vec<Candidate>,
    /// The pinned recipes of an earlier sitting, until they are counted or found again.
    pub(super) waiting_pins: Vec<RecodingRecipe>,
    /// Why the current recipe cannot be counted.
    pub(crate) missing: Option<String>,
    /// Every release that a search found, even if the search was removed from its screen.
    pub(crate) found: Vec<(Search, Measured)>,
    pub(crate) runs: Runs,
    /// The audits of searches, each with its δ.
    audits: Vec<(Search, Delta, Audit)>,
    pub(crate) bound: Bound,
    pub(super) cautions: Cautions,
    /// The base of the comparison; if it is no candidate, the best candidate is the base.
    pub(crate) base: Option<RecodingRecipe>,
    pub(crate) keymap: Arc<Keymap>,
    /// What was done, as command lines.
    pub(crate) commands: CommandLines,
}

impl Shared {
    /// Begins at the finest node, or continues a log. Nothing is counted before [`Self::begin`].
    pub(crate) fn new(
        link: Link<Message>,
        analysis: Arc<Analysis>,
        resumed: Option<Sitting>,
        saver: Saver,
        keymap: Arc<Keymap>,
        commands: CommandLines,
    ) -> Self {
        let problem = analysis.problem().clone();
        let bottom = problem.lattice().bottom();
        let log = resumed.unwrap_or_else(|| {
            let first = Step {
                action: Action::Start,
                recoding: RecodingRecipe::from(&bottom),
                delta: problem.delta(),
            };
            Sitting::new(&analysis, first)
        });
        let mut shared = Self {
            classes: ClassTable::new(link.map(Message::Classes)),
            link,
            waiting_pins: log.pins.clone(),
            missing: None,
            open: ScreenName::WORKBENCH,
            log,
            saver,
            view: None,
            views: Slot::new(VIEWING),
            ground: LastNode { node: bottom, measured: None },
            pins: Vec::new(),
            found: Vec::new(),
            runs: Runs::default(),
            audits: Vec::new(),
            base: None,
            bound: Bound::new(),
            cautions: Cautions::new(),
            keymap,
            commands,
            analysis,
            infeasible: why_infeasible(&problem),
            problem,
        };
        shared.restore_ground();
        shared.restore_pins();
        shared
    }

    /// Starts to count the restored recipes and the current recipe.
    pub(crate) fn begin(&mut self) -> News {
        self.restore_searches();
        let mut news = self.stand();
        news.changes.insert(0, Change::LastNode);
        news
    }

    /// The current step.
    pub(crate) fn step(&self) -> &Step {
        &self.log.steps()[self.log.current()]
    }

    /// The current recipe.
    pub(crate) fn recipe(&self) -> &RecodingRecipe {
        &self.step().recoding
    }

    /// The current δ.
    pub(crate) fn delta(&self) -> Delta {
        self.problem.delta()
    }

    /// Why the current recipe has no view: it is still being counted, or it cannot be counted.
    pub(crate) fn why_no_view(&self) -> String {
        self.missing.clone().unwrap_or_else(|| "the release is still being counted".to_owned())
    }

    /// The view of the current recipe under the current δ; none while it is counted.
    pub(crate) fn current_view(&self) -> Option<&View> {
        self.view.as_ref().filter(|view| self.is_current(view))
    }

    /// Whether the view of the current recipe will come soon, without a search.
    pub(crate) fn is_view_coming(&self) -> bool {
        let is_known = match self.recipe() {
            RecodingRecipe::Node(_) => true,
            RecodingRecipe::Search(search) => self.found.iter().any(|(known, _)| known == search),
        };
        is_known && self.views.is_open() && self.current_view().is_none()
    }

    /// Whether a view belongs to the current recipe and the current δ.
    pub(crate) fn is_current(&self, view: &View) -> bool {
        is_of(view, &self.log, &self.problem)
    }

    /// The name of the current recipe.
    pub(crate) fn recipe_name(&self) -> String {
        self.current_view().map_or_else(|| recipe_name(self.recipe(), self.delta()), View::name)
    }

    /// A key, for a hint: `press s`.
    pub(crate) fn key(&self, id: &str) -> String {
        self.keymap.hint(id)
    }

    /// A strategy's search under the current δ; none if it was never started.
    pub(crate) fn run(&self, strategy: Strategy) -> Option<&Run> {
        self.runs.get(self.run_key(strategy))
    }

    /// The result of a strategy's search under the current δ.
    pub(crate) fn outcome(&self, strategy: Strategy) -> Option<&Outcome> {
        self.runs.outcome(self.run_key(strategy))
    }

    /// The search of least loss among those that keep the current δ.
    pub(crate) fn best_found(&self) -> Option<&Outcome> {
        self.runs.best(self.delta())
    }

    /// The running search of least loss so far under the current δ, with that loss.
    pub(crate) fn best_on_its_way(&self) -> Option<(Strategy, f64)> {
        self.runs.best_on_its_way(self.delta())
    }

    /// Why no release can keep δ, with the deciding numbers; none if a release can.
    pub(crate) fn why_infeasible(&self) -> Option<String> {
        self.infeasible.clone()
    }

    /// A strategy with the current δ.
    pub(crate) fn run_key(&self, strategy: Strategy) -> RunKey {
        RunKey { strategy, delta: self.delta() }
    }

    /// Takes a step; undone steps are dropped.
    pub(crate) fn go(&mut self, recipe: RecodingRecipe, how: Action) -> News {
        if recipe == *self.recipe() {
            return News::default();
        }
        let delta = self.delta();
        self.log.push(Step { action: how, recoding: recipe, delta });
        self.stand()
    }

    /// Notes that the release of a recipe was written. The recipe becomes the current one, and the entry in the history gets
    /// its step.
    pub(crate) fn exported(&mut self, recipe: RecodingRecipe, entry: Option<Entry>) -> News {
        let (delta, is_here) = (self.delta(), recipe == *self.recipe());
        self.log.push(Step { action: Action::Exported, recoding: recipe, delta });
        let news = if is_here {
            self.save();
            News::default()
        } else {
            self.stand()
        };
        if let Some(entry) = entry {
            let reason = self.reason_beside_project(entry.delta);
            self.saver.attach(entry, self.log.current(), reason);
        }
        self.cautions.forget_existing();
        self.count_cautions();
        news
    }

    /// Why the δ of a release is not the project's; none if it is.
    pub(crate) fn reason_beside_project(&self, delta: Delta) -> Option<String> {
        if self.analysis.project().delta(None, None).is_ok_and(|of_project| of_project == delta) {
            return None;
        }
        let unseen = || "set on the workbench before the first search".to_owned();
        Some(self.log.reason_of(delta).unwrap_or_else(unseen))
    }

    /// Takes a δ, with what was given for it. After results have been seen, a reason is needed.
    pub(crate) fn decide(&mut self, delta: Delta, reason: Option<Reason>, grounds: Option<Grounds>) -> News {
        if reason.is_some() || grounds.is_some() {
            self.log.state(Moment::now(), Stated { delta, reason: reason.clone(), grounds });
        }
        let news = self.change_delta(delta, reason);
        if let Some(stated) = self.stated(delta) {
            self.log.note_stated(&stated);
            self.save();
        }
        news
    }

    /// What was given for a δ, in this sitting or else in the project.
    pub(super) fn stated(&self, delta: Delta) -> Option<Stated> {
        let is_of = |stated: &Stated| stated.delta == delta;
        self.log.stated().filter(is_of).or_else(|| Stated::of(self.analysis.project()).filter(is_of))
    }

    /// Changes δ. After results have been seen, a reason is needed.
    pub(crate) fn change_delta(&mut self, delta: Delta, reason: Option<Reason>) -> News {
        if delta == self.delta() {
            return News::default();
        }
        self.push_delta(delta);
        self.log.record_decision(Moment::now(), reason);
        self.stand()
    }

    /// Takes the δ that the project file has now.
    pub(crate) fn take_delta_of_file(&mut self, delta: Delta) -> News {
        if delta == self.delta() {
            return News::default();
        }
        self.push_delta(delta);
        let stated = self.stated(delta);
        self.log.record_file(Moment::now(), stated.as_ref());
        self.stand()
    }

    fn push_delta(&mut self, delta: Delta) {
        let recoding = self.recipe().clone();
        self.log.push(Step { action: Action::Delta(delta), recoding, delta });
    }

    /// What was given for a δ, to write it into the project.
    pub(crate) fn decided(&self, delta: Delta) -> Decided {
        let last = self.log.decisions().last().filter(|decision| decision.delta == delta);
        let decided = last.and_then(|decision| decision.grounds.clone());
        let reason = self.log.given_reason_of(delta).cloned();
        let (stated, advised) =
            self.stated(delta).map_or((None, None), |stated| (stated.reason, stated.grounds));
        Decided { reason: reason.or(stated).map(|reason| reason.to_string()), grounds: decided.or(advised) }
    }

    /// Notes as a step that δ is about to be written into the project file.
    pub(crate) fn note_written_delta(&mut self) {
        let Step { recoding, delta, .. } = self.step().clone();
        self.log.push(Step { action: Action::IntoProject, recoding, delta });
        self.save();
    }

    /// Undo, redo, or a jump.
    pub(crate) fn jump(&mut self, step: usize) -> News {
        if !self.log.go_to(step) {
            return News::default();
        }
        self.log.record_decision(Moment::now(), None);
        self.stand()
    }

    /// Shows the current step of the log: its δ, its recipe, its view and its neighbours.
    pub(super) fn stand(&mut self) -> News {
        let step = self.step().clone();
        let mut news = News::default();
        self.missing = None;
        if let Some(recipe) = command_line::recipe_options(&step.recoding, step.delta) {
            let delta = command_line::delta_options(&self.analysis, step.delta);
            self.commands.note_command("classes", &(recipe + &delta));
        }
        if step.delta != self.problem.delta() {
            self.problem = self.problem.with_delta(step.delta);
            self.infeasible = why_infeasible(&self.problem);
            self.bound.forget();
            self.ground.measured = None;
            news.changes.push(Change::Delta);
        }
        match &step.recoding {
            RecodingRecipe::Node(levels) => match self.problem.lattice().node(levels) {
                Ok(node) => {
                    news.changes.extend(self.stand_on_ground(&node));
                    self.count_view(Source::Node(node));
                }
                Err(error) => news.message = Some(self.refuse_view(&error.to_string())),
            },
            RecodingRecipe::Search(search) => {
                // Steps can also start from a node that a search found.
                let node = self.node_of(&step.recoding);
                if let Some(node) = node {
                    news.changes.extend(self.stand_on_ground(&node));
                }
                let found = self.found.iter().find(|(known, _)| known == search);
                match found.map(|(_, measured)| Arc::clone(&measured.release)) {
                    Some(release) => self.count_view(Source::Found(release)),
                    // Its end will send a message.
                    None if self.runs.is_finding_again(search) => {
                        self.views.void();
                        self.view = None;
                    }
                    None => self.make_again(),
                }
            }
        }
        news.changes.push(Change::RecodingRecipe);
        self.classes.moved();
        self.save();
        news
    }

    fn stand_on_ground(&mut self, node: &Node) -> Option<Change> {
        let is_new = *node != self.ground.node;
        if is_new {
            self.ground = LastNode { node: node.clone(), measured: None };
        }
        is_new.then_some(Change::LastNode)
    }

    fn count_view(&mut self, source: Source) {
        let recipe = self.recipe().clone();
        let arrangement = &self.classes.arrangement;
        let link = self.link.map(Message::Viewed);
        let of = (&self.analysis, &self.problem);
        view::count(&link, &mut self.views, of, recipe, source, arrangement);
    }

    fn make_again(&mut self) {
        let link = self.link.map(Message::Viewed);
        let arrangement = &self.classes.arrangement;
        view::make_again(&link, &mut self.views, &self.analysis, &self.log, arrangement);
    }

    /// Takes a message of a job.
    pub(crate) fn update(&mut self, message: Message) -> News {
        match message {
            Message::Viewed(answer) => match self.views.take(answer) {
                None => News::default(),
                Some(Ok(Ok(view))) => self.take_view(*view),
                Some(Ok(Err(why))) => News::with_message(Some(self.refuse_view(&why))),
                Some(Err(message)) => {
                    let why = self.views.failure().unwrap_or_default().to_owned();
                    self.refuse_view(&why);
                    News::with_message(Some(message))
                }
            },
            Message::Classes(message) => {
                let taken = match message {
                    classes::Message::Listed(answer) => self.classes.take_list(answer, self.view.as_mut()),
                    classes::Message::Found(answer) => self.classes.take_found(answer),
                    classes::Message::Explained(answer) => {
                        return News::with_message(self.classes.take_explanation(answer));
                    }
                };
                if matches!(taken, Some(Ok(_))) {
                    self.explain();
                }
                News::with_message(
                    taken
                        .map(|message| message.unwrap_or_else(|failure| failure))
                        .filter(|message| !message.is_empty()),
                )
            }
            Message::Run(news) => self.runs.take(news).map_or_else(News::default, |(key, end)| {
                let is_again = self.runs.is_again(key);
                self.finished(key, is_again, end)
            }),
            Message::Cautions(answer) => News::with_message(self.cautions.take(answer)),
            Message::Bound(answer) => News::with_message(self.bound.take(answer)),
        }
    }

    /// Takes a requested view.
    fn take_view(&mut self, view: View) -> News {
        self.pin_again(&view.recipe, &view.measured);
        match &view.recipe {
            RecodingRecipe::Node(_) => self.ground.measured = Some(view.measured.clone()),
            RecodingRecipe::Search(search) => {
                // The release of a node with withdrawn members differs from the release of the node
                // alone.
                let publishes_all = view.release().withdrawn() == 0;
                if publishes_all && view.release().recoding.node() == Some(&self.ground.node) {
                    self.ground.measured = Some(view.measured.clone());
                }
                self.keep(search.clone(), view.measured.clone());
            }
        }
        self.classes.take_view(&view);
        self.view = Some(view);
        self.count_cautions();
        self.explain();
        News::of(vec![Change::View])
    }

    /// Notes that the current recipe has no view. The recipe stays current, so that undo and redo can
    /// pass it. Returns the message.
    pub(crate) fn refuse_view(&mut self, why: &str) -> String {
        self.view = None;
        self.missing = Some(why.to_owned());
        why.to_owned()
    }

    /// Keeps a search's release until the end of the sitting.
    pub(super) fn keep(&mut self, search: Search, measured: Measured) {
        if !self.found.iter().any(|(known, _)| *known == search) {
            self.found.push((search, measured));
        }
    }

    /// The node of a recipe, or the node that its search found; none for regions, and if the lattice
    /// has no such node.
    pub(super) fn node_of(&self, recipe: &RecodingRecipe) -> Option<Node> {
        let levels = match recipe {
            RecodingRecipe::Node(levels) => levels,
            RecodingRecipe::Search(search) => search.node.as_ref()?,
        };
        self.problem.lattice().node(levels).ok()
    }

    /// A release judged by the current δ.
    pub(crate) fn judged(&self, release: &Arc<Release>) -> Arc<Release> {
        if release.delta() == self.delta() {
            Arc::clone(release)
        } else {
            Arc::new(Release::clone(release).judged_under(&self.problem))
        }
    }

    /// The audit of a search's release.
    pub(crate) fn audit_of(&self, search: &Search, release: &Release) -> Option<&Audit> {
        let is_of =
            |(known, delta, _): &&(Search, Delta, Audit)| known == search && *delta == release.delta();
        self.audits.iter().find(is_of).map(|(_, _, audit)| audit)
    }

    /// Keeps an audit.
    pub(crate) fn note_audit(&mut self, search: Search, delta: Delta, audit: Audit) -> News {
        if let Some(options) = command_line::search_options(&search) {
            let delta = command_line::delta_options(&self.analysis, delta);
            self.commands.note_command("audit", &(options + &delta));
        }
        self.audits.push((search, delta, audit));
        News::of(vec![Change::Candidates])
    }

    /// The verdict on a recipe's release if the attacker knows the algorithm.
    pub(crate) fn knows_algorithm(&self, recipe: &RecodingRecipe, release: &Release) -> KnowsAlgorithm {
        let audit = match recipe {
            RecodingRecipe::Search(search) => self.audit_of(search, release),
            RecodingRecipe::Node(_) => None,
        };
        release.knows_algorithm_after(audit)
    }

    /// A better release to export than one that breaks δ: the recommended one, else the best one.
    pub(crate) fn rather_than(&self, release: &Release) -> Option<(RecodingRecipe, Arc<Release>)> {
        let recommended = self.outcome(Strategy::RECOMMENDED);
        let recommended = recommended.filter(|outcome| {
            outcome.measured.as_ref().is_some_and(|measured| measured.release.is_present())
        });
        let outcome = recommended.or_else(|| self.best_found()).filter(|_| !release.is_present())?;
        let found = outcome.measured.as_ref()?;
        Some((RecodingRecipe::Search(outcome.search.clone()), Arc::clone(&found.release)))
    }

    /// How to get the better release of a running search, if the given release breaks δ and no
    /// ended search is better. Only the search itself has its regions.
    pub(crate) fn how_to_take_it(&self, release: &Release) -> Option<String> {
        let found = self.best_found().and_then(Outcome::loss).unwrap_or(f64::INFINITY);
        let (strategy, loss) =
            self.best_on_its_way().filter(|(_, loss)| !release.is_present() && *loss < found)?;
        let [searches, stop] = ["releases", "releases.stop"].map(|id| self.key(id));
        Some(format!("{strategy} still runs (loss {}): {searches} {stop} stops it", text::loss(loss)))
    }

    /// The release of the current recipe.
    /// # Errors
    /// The reason why it has none.
    pub(crate) fn chosen_here(&self) -> Result<(RecodingRecipe, Arc<Release>), String> {
        let view = self.current_view().ok_or_else(|| self.why_no_view())?;
        Ok((view.recipe.clone(), Arc::clone(view.release())))
    }
}

/// Why no release can keep δ, with the deciding numbers; none if a release can.
fn why_infeasible(problem: &Problem) -> Option<String> {
    if search::is_feasible(problem) {
        return None;
    }
    let feasibility = problem.feasibility();
    let (total, delta) = (feasibility.total, feasibility.policy.delta());
    Some(if feasibility.blocked.is_some() && feasibility.verdict() == Verdict::Ok {
        "infeasible: even the coarsest permitted levels break the policy; no release within the limits can keep it".to_owned()
    } else if let Verdict::Breaks(_) = feasibility.verdict() {
        format!("infeasible: all of T breaks {}; no release can keep it", feasibility.policy.criteria())
    } else {
        let share = format!("|T|/|P| is {}/{}", text::count(total.private), text::count(total.public));
        format!("infeasible: {share}, outside {} to {}; no release can keep it", delta.min(), delta.max())
    })
}

/// Whether a view belongs to the current recipe of a log and to the current δ.
pub(super) fn is_of(view: &View, log: &Sitting, problem: &Problem) -> bool {
    view.recipe == log.steps()[log.current()].recoding && view.delta == problem.delta()
}

impl Shared {
    /// The background work that all screens share.
    pub(crate) fn activity(&self) -> Activity {
        Activity::answering(self.views.is_open() || self.classes.is_busy())
            | Activity::busy(self.runs.running() > 0)
            | Activity::counting(
                self.runs.unfinished() > 0
                    || self.bound.known() == Known::Counting
                    || self.cautions.is_open(),
            )
    }
}
