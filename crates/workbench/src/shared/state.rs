//! A loaded project, and everything that the analyst has done with it, as far as several screens read it.

use std::sync::Arc;

use super::view::Candidate;
use palmtop_core::model::{Delta, Node, Problem, Verdict};
use palmtop_flow::pipeline::Analysis;
use palmtop_flow::register::Entry;
use palmtop_flow::session::{Grounds, How, Log, Moment, Place, Reason, Search, Step};
use palmtop_search::release::{KnowsAlgorithm, Release};
use palmtop_search::{self as search, Audit, Strategy};

use super::activity::Activity;
use super::bound::{Bound, Known};
use super::cautions::{self, Cautions};
use super::classes::state::{self as classes, ClassTable};
use super::intent::Change;
use super::runs::{self, Outcome, Run, RunKey, Runs};
use super::saver::Saver;
use super::stakes::TypedStakes;
use super::view::{self, Measured, Source, VIEWING, View, Viewed, place_name};
use crate::kit::keymap::Keymap;
use crate::kit::link::Link;
use crate::kit::name::ScreenName;
use crate::kit::slot::{Answer, Slot};
use crate::kit::text;

/// What the jobs have to say that nobody but all had started.
pub(crate) enum Message {
    /// The view of a place.
    Viewed(Answer<Viewed>),
    /// The table of classes.
    Classes(classes::Message),
    /// A search.
    Run(runs::News),
    /// The cautions.
    Cautions(cautions::Message),
    /// The least loss possible.
    Bound(Answer<Option<f64>>),
}

/// What came of something: what changed, in order, and what is to be said.
#[derive(Default)]
pub(crate) struct News {
    pub(crate) changes: Vec<Change>,
    pub(crate) said: Option<String>,
}

impl News {
    pub(super) fn of(changes: Vec<Change>) -> Self {
        Self { changes, said: None }
    }

    pub(super) fn said(said: Option<String>) -> Self {
        Self { changes: Vec::new(), said }
    }
}

/// The node that a step starts from: the last one that was stood on.
pub(crate) struct LastNode {
    pub(crate) node: Node,
    /// Its release under the current δ, once it was counted.
    pub(crate) measured: Option<Measured>,
}

/// What all share. Screens read it; only the app changes it.
pub(crate) struct Shared {
    pub(super) link: Link<Message>,
    pub(crate) analysis: Arc<Analysis>,
    /// The tables under the current δ.
    pub(crate) problem: Problem,
    /// The screen that is open.
    pub(crate) open: ScreenName,
    /// Every step so far, and at which one the analyst stands.
    pub(crate) log: Log,
    pub(crate) saver: Saver,
    /// What is shown; it may still be the place before, while the new one is counted.
    pub(crate) view: Option<View>,
    pub(crate) views: Slot<Viewed>,
    pub(crate) classes: ClassTable,
    pub(crate) ground: LastNode,
    /// Places kept to compare.
    pub(crate) pins: Vec<Candidate>,
    /// Places that an earlier session kept, until they are counted or found again.
    pub(super) waiting_pins: Vec<Place>,
    /// Why the place where the analyst stands cannot be counted, if so.
    pub(crate) missing: Option<String>,
    /// Every release that a search found, whether it is still on the screen of searches or not.
    pub(crate) found: Vec<(Search, Measured)>,
    pub(crate) runs: Runs,
    /// What audits found of what searches released, and under which δ.
    audits: Vec<(Search, Delta, Audit)>,
    /// What the advisor of δ was given for a δ that keeps what it advised.
    pub(crate) grounds: Option<(Delta, Grounds)>,
    /// What the analyst typed for the advisor of δ last.
    pub(crate) stakes: TypedStakes,
    pub(crate) bound: Bound,
    pub(super) cautions: Cautions,
    /// What the comparison compares with; the best candidate if this is none of them.
    pub(crate) base: Option<Place>,
    pub(crate) keymap: Arc<Keymap>,
}

impl Shared {
    /// Begins at the finest node, or goes on with a log; nothing is counted before [`Self::begin`].
    pub(crate) fn new(
        link: Link<Message>,
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
        let mut shared = Self {
            classes: ClassTable::new(link.map(Message::Classes)),
            link,
            waiting_pins: log.pins.clone(),
            missing: None,
            open: ScreenName::Workbench,
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
            grounds: None,
            stakes: TypedStakes::default(),
            bound: Bound::new(),
            cautions: Cautions::new(),
            keymap,
            analysis,
            problem,
        };
        shared.restore_ground();
        shared.restore_pins();
        shared
    }

    /// Begins to count what was restored, and where the analyst stands.
    pub(crate) fn begin(&mut self) -> News {
        self.restore_searches();
        let mut news = self.stand();
        news.changes.insert(0, Change::LastNode);
        news
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
        self.missing.clone().unwrap_or_else(|| "the release is still being counted".to_owned())
    }

    /// The view of the place where the analyst stands under the current δ; none while it is counted.
    pub(crate) fn current_view(&self) -> Option<&View> {
        self.view.as_ref().filter(|view| self.is_current(view))
    }

    /// Whether the view of the place is being counted, and will be there soon: no search has to run for it.
    pub(crate) fn is_view_coming(&self) -> bool {
        let is_known = match self.place() {
            Place::Node(_) => true,
            Place::Search(search) => self.found.iter().any(|(known, _)| known == search),
        };
        is_known && self.views.is_open() && self.current_view().is_none()
    }

    /// Whether a view is of the place where the analyst stands under the current δ.
    pub(crate) fn is_current(&self, view: &View) -> bool {
        is_of(view, &self.log, &self.problem)
    }

    /// How the place is called.
    pub(crate) fn place_name(&self) -> String {
        self.current_view().map_or_else(|| place_name(self.place(), self.delta()), View::name)
    }

    /// A key, for a hint: `press s`.
    pub(crate) fn key(&self, id: &str) -> String {
        self.keymap.hint(id)
    }

    /// A strategy's search under the current δ, if it was started.
    pub(crate) fn run(&self, strategy: Strategy) -> Option<&Run> {
        self.runs.get(self.run_key(strategy))
    }

    /// What a strategy's search under the current δ came to.
    pub(crate) fn outcome(&self, strategy: Strategy) -> Option<&Outcome> {
        self.runs.outcome(self.run_key(strategy))
    }

    /// The search that lost least under the current δ, of those that keep it.
    pub(crate) fn best_found(&self) -> Option<&Outcome> {
        self.runs.best(self.delta())
    }

    /// The search under the current δ that still runs and has lost least so far, with that loss.
    pub(crate) fn best_on_its_way(&self) -> Option<(Strategy, f64)> {
        self.runs.best_on_its_way(self.delta())
    }

    /// Why no release at all can keep δ, if so, with the numbers that decide it.
    pub(crate) fn why_infeasible(&self) -> Option<String> {
        if search::is_feasible(&self.problem) {
            return None;
        }
        let feasibility = self.problem.feasibility();
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

    /// A strategy under the current δ.
    pub(crate) fn run_key(&self, strategy: Strategy) -> RunKey {
        RunKey { strategy, delta: self.delta() }
    }

    /// Takes a step: what was undone is forgotten.
    pub(crate) fn go(&mut self, place: Place, how: How) -> News {
        if place == *self.place() {
            return News::default();
        }
        let delta = self.delta();
        self.log.push(Step { how, place, delta });
        self.stand()
    }

    /// Notes that the release of a place was written: the analyst stands there from now on, and the register gets the entry.
    pub(crate) fn exported(&mut self, place: Place, entry: Option<Entry>) -> News {
        let (delta, is_here) = (self.delta(), place == *self.place());
        self.log.push(Step { how: How::Exported, place, delta });
        let news = if is_here {
            self.save();
            News::default()
        } else {
            self.stand()
        };
        if let Some(entry) = entry {
            let is_own = self.analysis.project().delta(None, None).is_ok_and(|own| own == entry.delta);
            let unseen = || "set on the workbench before the first search".to_owned();
            let reason = (!is_own).then(|| self.log.reason_of(entry.delta).unwrap_or_else(unseen));
            self.saver.register(Entry { reason, ..entry }, self.log.current());
        }
        self.cautions.forget_existing();
        self.count_cautions();
        news
    }

    /// Judges where the analyst stands by another δ; once results have been seen, for a reason.
    pub(crate) fn change_delta(&mut self, delta: Delta, reason: Option<Reason>) -> News {
        if delta == self.delta() {
            return News::default();
        }
        let place = self.place().clone();
        let how = How::Delta(delta);
        self.log.push(Step { how, place, delta });
        self.log.note_policy(Moment::now(), reason);
        self.note_grounds();
        self.stand()
    }

    /// Keeps what the advisor was given with the decision that it led to.
    pub(super) fn note_grounds(&mut self) {
        if let Some((delta, grounds)) = &self.grounds {
            self.log.note_grounds(*delta, grounds);
        }
    }

    /// Notes as a step that δ is about to be written into the project file.
    pub(crate) fn note_written_delta(&mut self) {
        let Step { place, delta, .. } = self.step().clone();
        self.log.push(Step { how: How::IntoProject, place, delta });
        self.save();
    }

    /// Undo, redo, or a jump.
    pub(crate) fn jump(&mut self, step: usize) -> News {
        if !self.log.go_to(step) {
            return News::default();
        }
        self.log.note_policy(Moment::now(), None);
        self.stand()
    }

    /// Goes where the log says: the δ, the place, its view, the steps from there.
    pub(super) fn stand(&mut self) -> News {
        let step = self.step().clone();
        let mut news = News::default();
        self.missing = None;
        if step.delta != self.problem.delta() {
            self.problem = self.problem.with_delta(step.delta);
            self.bound.forget();
            self.ground.measured = None;
            news.changes.push(Change::Delta);
        }
        match &step.place {
            Place::Node(levels) => match self.problem.lattice().node(levels) {
                Ok(node) => {
                    news.changes.extend(self.stand_on_ground(&node));
                    self.count_view(Source::Node(node));
                }
                Err(error) => news.said = Some(self.refuse_view(&error.to_string())),
            },
            Place::Search(search) => {
                // A search that found a node is somewhere to step from, as a node by hand is.
                let node = self.node_of(&step.place);
                if let Some(node) = node {
                    news.changes.extend(self.stand_on_ground(&node));
                }
                let found = self.found.iter().find(|(known, _)| known == search);
                match found.map(|(_, measured)| Arc::clone(&measured.release)) {
                    Some(release) => self.count_view(Source::Found(release)),
                    // Its end will be told.
                    None if self.runs.is_finding_again(search) => {
                        self.views.void();
                        self.view = None;
                    }
                    None => self.make_again(),
                }
            }
        }
        news.changes.push(Change::Place);
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
        let place = self.place().clone();
        let arrangement = &self.classes.arrangement;
        let link = self.link.map(Message::Viewed);
        let of = (&self.analysis, &self.problem);
        view::count(&link, &mut self.views, of, place, source, arrangement);
    }

    fn make_again(&mut self) {
        let link = self.link.map(Message::Viewed);
        let arrangement = &self.classes.arrangement;
        view::make_again(&link, &mut self.views, &self.analysis, &self.log, arrangement);
    }

    /// Takes what a job has to say.
    pub(crate) fn update(&mut self, message: Message) -> News {
        match message {
            Message::Viewed(answer) => match self.views.take(answer) {
                None => News::default(),
                Some(Ok(Ok(view))) => self.take_view(*view),
                Some(Ok(Err(why))) => News::said(Some(self.refuse_view(&why))),
                Some(Err(said)) => {
                    let why = self.views.failure().unwrap_or_default().to_owned();
                    self.refuse_view(&why);
                    News::said(Some(said))
                }
            },
            Message::Classes(message) => {
                let taken = match message {
                    classes::Message::Listed(answer) => self.classes.take_list(answer, self.view.as_mut()),
                    classes::Message::Found(answer) => self.classes.take_found(answer),
                    classes::Message::Explained(answer) => {
                        return News::said(self.classes.take_explanation(answer));
                    }
                };
                if matches!(taken, Some(Ok(_))) {
                    self.explain();
                }
                News::said(
                    taken.map(|said| said.unwrap_or_else(|failure| failure)).filter(|said| !said.is_empty()),
                )
            }
            Message::Run(news) => self.runs.take(news).map_or_else(News::default, |(key, end)| {
                let is_again = self.runs.is_again(key);
                self.finished(key, is_again, end)
            }),
            Message::Cautions(answer) => News::said(self.cautions.take(answer)),
            Message::Bound(answer) => News::said(self.bound.take(answer)),
        }
    }

    /// Takes a view that was asked for.
    fn take_view(&mut self, view: View) -> News {
        self.pin_again(&view.place, &view.measured);
        match &view.place {
            Place::Node(_) => self.ground.measured = Some(view.measured.clone()),
            Place::Search(search) => {
                // What is withdrawn of a node is not what the node is by itself.
                let is_whole = view.release().withdrawn() == 0;
                if is_whole && view.release().recoding.node() == Some(&self.ground.node) {
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

    /// Where no view can be made: the analyst stands there all the same, for undo and redo pass by. Answers what is to be said.
    pub(crate) fn refuse_view(&mut self, why: &str) -> String {
        self.view = None;
        self.missing = Some(why.to_owned());
        why.to_owned()
    }

    /// Keeps what a search found, for as long as the session lasts.
    pub(super) fn keep(&mut self, search: Search, measured: Measured) {
        if !self.found.iter().any(|(known, _)| *known == search) {
            self.found.push((search, measured));
        }
    }

    /// The node that a place is, or that its search ended at; none for regions, and where the lattice has no such node.
    pub(super) fn node_of(&self, place: &Place) -> Option<Node> {
        let levels = match place {
            Place::Node(levels) => levels,
            Place::Search(search) => search.node.as_ref()?,
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

    /// What an audit found of what a search released.
    pub(crate) fn audit_of(&self, search: &Search, release: &Release) -> Option<&Audit> {
        let is_of = |(own, delta, _): &&(Search, Delta, Audit)| own == search && *delta == release.delta();
        self.audits.iter().find(is_of).map(|(_, _, audit)| audit)
    }

    /// Keeps what an audit found.
    pub(crate) fn note_audit(&mut self, search: Search, delta: Delta, audit: Audit) -> News {
        self.audits.push((search, delta, audit));
        News::of(vec![Change::Candidates])
    }

    /// What is known of a place's release against who knows palmtop.
    pub(crate) fn knows_algorithm(&self, place: &Place, release: &Release) -> KnowsAlgorithm {
        let audit = match place {
            Place::Search(search) => self.audit_of(search, release),
            Place::Node(_) => None,
        };
        release.knows_algorithm_after(audit)
    }

    /// What to export rather than a place that breaks δ: what is recommended, or the best that was found.
    pub(crate) fn rather_than(&self, release: &Release) -> Option<(Place, Arc<Release>)> {
        let recommended = self.outcome(Strategy::Simulatable);
        let recommended = recommended
            .filter(|own| own.measured.as_ref().is_some_and(|measured| measured.release.is_present()));
        let outcome = recommended.or_else(|| self.best_found()).filter(|_| !release.is_present())?;
        let found = outcome.measured.as_ref()?;
        Some((Place::Search(outcome.search.clone()), Arc::clone(&found.release)))
    }

    /// Where a search that still runs has something better than a place that breaks δ, and than what was found so far: how
    /// to come by it. Only the search itself has its regions.
    pub(crate) fn how_to_take_it(&self, release: &Release) -> Option<String> {
        let found = self.best_found().and_then(Outcome::loss).unwrap_or(f64::INFINITY);
        let (strategy, loss) =
            self.best_on_its_way().filter(|(_, loss)| !release.is_present() && *loss < found)?;
        let [searches, stop] = ["searches", "searches.stop"].map(|id| self.key(id));
        Some(format!("{strategy} still runs (loss {}): {searches} {stop} stops it", text::loss(loss)))
    }

    /// The release of the place where the analyst stands.
    ///
    /// # Errors
    /// Why there is none.
    pub(crate) fn chosen_here(&self) -> Result<(Place, Arc<Release>), String> {
        let view = self.current_view().ok_or_else(|| self.why_no_view())?;
        Ok((view.place.clone(), Arc::clone(view.release())))
    }
}

/// Whether a view is of the place where a log stands, under the current δ.
pub(super) fn is_of(view: &View, log: &Log, problem: &Problem) -> bool {
    view.place == log.steps()[log.current()].place && view.delta == problem.delta()
}

impl Shared {
    /// What goes on in the background for all.
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
