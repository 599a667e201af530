//! The state of the releases: the cursor, the marked searches, the columns, and what is measured.

use std::sync::Arc;

use palmtop_core::model::Fraction;
use palmtop_measure::risk::{Risk, RiskClass};
use palmtop_measure::utility::Utility;
use palmtop_release::pipeline;
use palmtop_search::Strategy;
use palmtop_search::release::KnowsAlgorithm;

use super::member::{self, MemberPane};
use super::published::{self, Published};
use super::risk::RECURSIVE_C;
use super::rows::{self, Cell};
use super::seek;
use super::set::ColumnSet;
use crate::kit::slot::Task;
use crate::kit::text;
use crate::kit::words::chain;
use crate::shared::candidates::index_of;
use crate::shared::measured::{self, Measure, Measurements};
use crate::shared::runs::Run;
use crate::shared::screen::Scope;
use crate::shared::state::Shared;
use crate::shared::utility::{KnownBasis, TASK};
use crate::shared::view::{Candidate, recipe_name};

/// The number of releases that are compared at most.
pub(super) const COMPARED: usize = 4;
/// The number of classes at highest risk that are kept.
const WORST: usize = 50;

/// The risk of a release, with its classes at highest risk.
pub(crate) type RiskOf = (Risk, Vec<RiskClass>);

/// A message of the screen's jobs.
pub(crate) enum Message {
    /// The risk of a release.
    Risk(measured::Message<RiskOf>),
    /// The utility of a release.
    Utility(measured::Message<Utility>),
    /// The member in each release.
    Member(member::Message),
    /// The members with a published text.
    Match(seek::Message),
    /// The rows of a release.
    Rows(measured::Message<Published>),
}

/// The state of the screen.
pub(crate) struct Releases {
    pub(crate) cursor: Cell,
    pub(crate) set: ColumnSet,
    /// Whether the table has the columns that are rarely wanted.
    pub(super) has_more: bool,
    pub(super) risks: Measurements<RiskOf>,
    pub(super) utilities: Measurements<Utility>,
    basis: KnownBasis,
    pub(crate) member: MemberPane,
    pub(super) rows: Measurements<Published>,
}

impl Releases {
    /// The screen before anybody has opened it. The cursor is on the recommended strategy, or on the first one that the
    /// project accepts.
    pub(super) fn unopened(shared: &Shared) -> Self {
        let mut strategies = std::iter::once(Strategy::RECOMMENDED).chain(Strategy::all());
        let first = strategies.find(|&strategy| shared.why_refused(strategy).is_none());
        Self {
            cursor: Cell::Search(first.unwrap_or(Strategy::RECOMMENDED)),
            set: ColumnSet::default(),
            has_more: false,
            risks: Measurements::new(Task { kind: "risk", doing: "measuring risks" }),
            utilities: Measurements::new(TASK),
            basis: KnownBasis::default(),
            member: MemberPane::new(),
            rows: Measurements::new(Task { kind: "rows", doing: "reading the rows of a release" }),
        }
    }

    /// The strategy under the cursor; none on another release.
    pub(super) fn strategy(&self) -> Option<Strategy> {
        match self.cursor {
            Cell::Search(strategy) => Some(strategy),
            Cell::Recipe(_) => None,
        }
    }

    /// Moves the cursor to the row of the same release, or to the first, if its own row is gone.
    pub(super) fn stay_on_a_row(&mut self, shared: &Shared) {
        let cells = rows::cells(shared);
        if cells.contains(&self.cursor) {
            return;
        }
        let recipe = self.cursor.recipe(shared);
        let same = cells.iter().find(|cell| recipe.is_some() && cell.recipe(shared) == recipe);
        if let Some(cell) = same.or(cells.first()) {
            self.cursor = cell.clone();
        }
    }

    /// The name of what is under the cursor.
    pub(super) fn name(&self, shared: &Shared) -> String {
        match &self.cursor {
            Cell::Search(strategy) => strategy.to_string(),
            Cell::Recipe(recipe) => recipe_name(recipe, shared.delta()),
        }
    }

    /// The release under the cursor.
    ///
    /// # Errors
    /// Why there is none.
    pub(super) fn candidate(&self, shared: &Shared) -> Result<Candidate, String> {
        let candidates = shared.candidates();
        let found = self.cursor.among(shared, &candidates).cloned();
        found.ok_or_else(|| match self.strategy() {
            Some(strategy) => why_no_release(shared, strategy),
            None => "it is no longer pinned".to_owned(),
        })
    }

    /// The compared releases: the base, then the pinned ones, then the one under the cursor.
    pub(super) fn compared(&self, shared: &Shared, candidates: &[Candidate]) -> Vec<Candidate> {
        let base = candidates.get(index_of(candidates, shared.base.as_ref()));
        let pinned = candidates.iter().filter(|candidate| is_pinned(shared, candidate));
        let here = self.cursor.among(shared, candidates);
        let mut compared: Vec<Candidate> = Vec::new();
        for candidate in base.into_iter().chain(pinned).chain(here) {
            if compared.len() < COMPARED && !compared.iter().any(|known| known.recipe == candidate.recipe) {
                compared.push(candidate.clone());
            }
        }
        compared
    }

    /// Asks for what the screen shows and does not know yet. The utility is measured only for its own columns, because
    /// it answers many queries.
    pub(super) fn ask(&mut self, scope: &Scope<Message>) {
        let shared = scope.shared;
        let candidates = shared.candidates();
        if candidates.is_empty() {
            return;
        }
        let recipe = self.cursor.recipe(shared);
        let here = (&candidates[..], index_of(&candidates, recipe.as_ref()));
        self.risks.ask(&scope.link, Message::Risk, here, measure_risk(shared));
        if self.set == ColumnSet::Utility {
            self.utilities.ask(&scope.link, Message::Utility, here, self.basis.measure(shared));
        }
        let compared = self.compared(shared, &candidates);
        self.member.ask(&scope.link, Message::Member, shared, &compared);
        self.member.seek(&scope.link, Message::Match, shared, &compared);
        let of_rows = with_rows(shared, self.cursor.among(shared, &candidates), &compared);
        if let (Some(here), ColumnSet::Loss) = (of_rows, self.set) {
            let here = (std::slice::from_ref(here), 0);
            self.rows.ask(&scope.link, Message::Rows, here, published::read(shared));
        }
    }
}

/// The release whose rows are shown: that under the cursor, else a compared one. It keeps the policy, because the rows of a
/// release that breaks it may be those of T.
pub(super) fn with_rows<'a>(
    shared: &Shared,
    here: Option<&'a Candidate>,
    compared: &'a [Candidate],
) -> Option<&'a Candidate> {
    let policy = shared.problem.policy();
    here.into_iter().chain(compared).find(|candidate| candidate.measured.broken(policy) == 0)
}

/// Whether a release is pinned to the comparison.
pub(super) fn is_pinned(shared: &Shared, candidate: &Candidate) -> bool {
    shared.pins.iter().any(|pin| pin.recipe == candidate.recipe)
}

/// The function that measures the risk of a release.
fn measure_risk(shared: &Shared) -> Measure<RiskOf> {
    let analysis = Arc::clone(&shared.analysis);
    Box::new(move |release| {
        let c: Fraction = RECURSIVE_C.parse().map_err(|error| chain(&error))?;
        let classes = pipeline::risk::classes(&analysis, release).map_err(|error| chain(&error))?;
        Ok((Risk::of(&classes, &c), classes.worst(WORST).into_iter().cloned().collect()))
    })
}

/// The verdict on a candidate if the attacker knows the algorithm.
pub(super) fn knows_algorithm(shared: &Shared, candidate: &Candidate) -> KnowsAlgorithm {
    use palmtop_release::history::RecodingRecipe;
    let release = &candidate.measured.release;
    match &candidate.recipe {
        RecodingRecipe::Node(_) => KnowsAlgorithm::NotAudited,
        RecodingRecipe::Search(_) if release.delta() == shared.delta() => {
            shared.knows_algorithm(&candidate.recipe, release)
        }
        // An audit under another δ is no evidence for this one.
        RecodingRecipe::Search(search) => match search.strategy.known() {
            Some(strategy) if strategy.family().is_simulatable() => shared.judged(release).knows_algorithm(),
            _ => KnowsAlgorithm::NotAudited,
        },
    }
}

/// Why a strategy has no release to open or to export.
pub(super) fn why_no_release(shared: &Shared, strategy: Strategy) -> String {
    if let Some(why) = shared.why_refused(strategy) {
        return format!("{strategy}: {why}");
    }
    let run = shared.key("releases.run");
    match shared.run(strategy) {
        None => format!("{strategy} has not been run under this δ; {run} runs it"),
        Some(Run::Waiting) => format!("{strategy} waits until another search has ended"),
        Some(Run::Running { .. }) if !strategy.family().takes_seconds() => {
            format!(
                "{strategy} still runs; it has no release before its end, whose time must not depend on T"
            )
        }
        Some(Run::Running { step, .. }) => {
            let [stop, open, export] = ["releases.stop", "releases.open", "export"].map(|id| shared.key(id));
            let best = step.as_ref().and_then(|step| step.stage.best);
            let best = best.map(|best| format!(" (loss {})", text::loss(best))).unwrap_or_default();
            format!(
                "{strategy} still runs{best}: {stop} stops it; then {open} opens its release, {export} exports it"
            )
        }
        Some(Run::Broken(_)) => format!("{strategy} broke; {run} runs it again"),
        Some(Run::Done(_)) => format!("{strategy} found no release that keeps δ"),
    }
}
