//! The commands of the releases.

use std::time::Duration;

use palmtop_release::history::{Action, RecodingRecipe};
use palmtop_search::Strategy;

use super::commands::Command;
use super::figures;
use super::rows::{self, Cell};
use super::state::{COMPARED, Message, Releases, is_pinned};
use crate::kit::command::Movement;
use crate::kit::name::ScreenName;
use crate::shared::candidates::index_of;
use crate::shared::intent::{Edit, Intent, Manner, Question};
use crate::shared::runs::{Run, RunKey};
use crate::shared::screen::Scope;
use crate::shared::state::Shared;

/// The line for the seconds of `best`.
const SECONDS: &str = "releases.seconds";
/// The line for a member.
const MEMBER: &str = "releases.member";

impl Releases {
    /// Why a command cannot run now.
    pub(super) fn why_not_now(&self, shared: &Shared, command: Command) -> Option<String> {
        match command {
            Command::Run if self.startable(shared).is_empty() => match self.strategy() {
                Some(strategy) => why_not_run(shared, strategy),
                None => Some("no search made it: it was chosen by hand, or under another δ".to_owned()),
            },
            Command::Best => why_not_run(shared, Strategy::Best),
            Command::Mark if self.strategy().is_none() => {
                Some("only a search can be marked to run".to_owned())
            }
            Command::Mark => {
                let strategy = self.strategy()?;
                shared.why_refused(strategy).map(|why| format!("{strategy}: {why}"))
            }
            Command::Stop if !self.is_running(shared) && !self.is_pinned_here(shared) => {
                Some(format!("{} neither runs nor is pinned", self.name(shared)))
            }
            Command::StopAll if shared.runs.unfinished() == 0 => Some("no search is running".to_owned()),
            Command::Open | Command::Pin | Command::Base => self.candidate(shared).err(),
            _ => None,
        }
    }

    pub(super) fn act_on(&mut self, scope: &Scope<Message>, command: Command) -> Result<Intent, String> {
        let shared = scope.shared;
        match command {
            Command::Left | Command::Right => {
                let rows = rows::rows(shared, &shared.candidates());
                self.cursor = rows::beside(&rows, &self.cursor, command == Command::Right);
            }
            Command::Run => return Ok(Intent::Edit(Edit::Run(self.startable(shared)))),
            Command::Best => {
                self.cursor = Cell::Search(Strategy::Best);
                return Ok(Intent::Edit(Edit::Run(vec![Strategy::Best])));
            }
            Command::RunAll => {
                let wanted: Vec<Strategy> =
                    Strategy::all().filter(|strategy| has_nothing_yet(shared, *strategy)).collect();
                if wanted.is_empty() {
                    return Err("all have run or are running".to_owned());
                }
                return Ok(Intent::Edit(Edit::Run(wanted)));
            }
            Command::Mark => {
                return Ok(self.strategy().map_or(Intent::None, |it| Intent::Edit(Edit::Mark(it))));
            }
            Command::Columns => {
                self.set = self.set.next();
                self.ask(scope);
                let line = figures::command_line(shared, self.set);
                let line = line.map(|(command, options)| shared.commands.command(command, &options));
                return Ok(line.map_or(Intent::None, |line| Intent::Edit(Edit::Note(line))));
            }
            Command::More => self.has_more = !self.has_more,
            Command::Stop => return self.stop(shared),
            Command::StopAll => return Ok(stopped(None, "all stop; their best so far is kept".to_owned())),
            Command::Open => return self.open(shared),
            Command::Pin => return self.pin(shared),
            Command::Base => return Ok(Intent::Edit(Edit::Base(self.candidate(shared)?.recipe))),
            Command::Seconds => {
                let text = shared.runs.budget.limit.as_secs().to_string();
                let hint =
                    "seconds, 1 to 86,400; the session keeps the rounds, so the release can be repeated";
                let (id, manner) = (SECONDS, Manner::Whole);
                return Ok(Intent::Ask(Question { id, manner, word: "seconds for best", hint, text }));
            }
            Command::Member => {
                let text = String::new();
                let hint = "a part of a published text, or the number of a row of T; n and N go on";
                let (id, manner) = (MEMBER, Manner::Whole);
                return Ok(Intent::Ask(Question { id, manner, word: "member", hint, text }));
            }
            Command::Next => self.member.step(true)?,
            Command::Previous => self.member.step(false)?,
            Command::Values => {
                let says = self.member.reveal();
                self.ask(scope);
                return Ok(Intent::Say(says.to_owned()));
            }
        }
        self.ask(scope);
        Ok(Intent::None)
    }

    /// Takes a line that was typed.
    ///
    /// # Errors
    /// What was expected.
    pub(super) fn take_line(
        &mut self,
        scope: &Scope<Message>,
        id: &str,
        text: &str,
    ) -> Result<Intent, String> {
        if id == SECONDS {
            return budget_of(text);
        }
        self.member.choose(text);
        self.ask(scope);
        Ok(Intent::None)
    }

    /// Moves the cursor by rows.
    pub(super) fn shift(&mut self, scope: &Scope<Message>, movement: Movement) {
        let rows = rows::rows(scope.shared, &scope.shared.candidates());
        self.cursor = rows::moved(&rows, &self.cursor, movement);
        self.ask(scope);
    }

    /// The marked searches that can start; if none can, that under the cursor.
    fn startable(&self, shared: &Shared) -> Vec<Strategy> {
        let can_start = |strategy: &Strategy| why_not_run(shared, *strategy).is_none();
        let marked: Vec<Strategy> = shared.runs.marked().iter().copied().filter(can_start).collect();
        if marked.is_empty() { self.strategy().filter(can_start).into_iter().collect() } else { marked }
    }

    fn is_running(&self, shared: &Shared) -> bool {
        self.strategy().is_some_and(|strategy| shared.runs.is_unfinished(shared.run_key(strategy)))
    }

    fn is_pinned_here(&self, shared: &Shared) -> bool {
        self.candidate(shared).is_ok_and(|candidate| is_pinned(shared, &candidate))
    }

    /// Stops the search under the cursor, or lets the pinned release go.
    fn stop(&mut self, shared: &Shared) -> Result<Intent, String> {
        match self.strategy() {
            Some(strategy) if matches!(shared.run(strategy), Some(Run::Waiting)) => {
                Ok(stopped(Some(strategy), format!("{strategy} no longer waits")))
            }
            Some(strategy) if self.is_running(shared) => {
                let is_kept = strategy.family().takes_seconds();
                let kept =
                    if is_kept { "its best so far is kept" } else { "it has no release before its end" };
                Ok(stopped(Some(strategy), format!("{strategy} stops; {kept}")))
            }
            _ => Ok(Intent::Edit(Edit::Pin(self.candidate(shared)?.recipe))),
        }
    }

    fn open(&self, shared: &Shared) -> Result<Intent, String> {
        let recipe = self.candidate(shared)?.recipe;
        let how = match self.strategy() {
            Some(strategy) => Action::Search(strategy.into()),
            None => Action::Comparison,
        };
        let go = Intent::Edit(Edit::Go { recipe, how });
        Ok(Intent::Many(vec![go, Intent::Show(ScreenName::WORKBENCH)]))
    }

    /// Pins the release under the cursor, or lets it go.
    fn pin(&self, shared: &Shared) -> Result<Intent, String> {
        let candidates = shared.candidates();
        let here = self.candidate(shared)?;
        let base: Option<&RecodingRecipe> =
            candidates.get(index_of(&candidates, shared.base.as_ref())).map(|base| &base.recipe);
        let pinned = candidates.iter().filter(|candidate| is_pinned(shared, candidate));
        let others = pinned.filter(|pin| Some(&pin.recipe) != base && pin.recipe != here.recipe).count();
        let is_new = !is_pinned(shared, &here) && Some(&here.recipe) != base;
        if is_new && others + 1 >= COMPARED {
            let pin = shared.key("releases.pin");
            return Err(format!("{COMPARED} are compared already: {pin} on one of them lets it go"));
        }
        Ok(Intent::Edit(Edit::Pin(here.recipe)))
    }
}

/// Why the search of a strategy cannot start.
fn why_not_run(shared: &Shared, strategy: Strategy) -> Option<String> {
    let key = shared.run_key(strategy);
    if let Some(why) = shared.why_refused(strategy) {
        Some(format!("{strategy}: {why}"))
    } else if shared.runs.is_unfinished(key) {
        Some(format!("{strategy} is running already"))
    } else if shared.runs.is_startable(key) {
        None
    } else {
        Some(format!("{strategy} has run; another run would end the same way"))
    }
}

/// Whether a search can start and has no release yet: a stopped one keeps what it has.
fn has_nothing_yet(shared: &Shared, strategy: Strategy) -> bool {
    let has_release = shared.outcome(strategy).is_some_and(|outcome| outcome.measured.is_some());
    let is_startable = shared.runs.is_startable(RunKey { strategy, delta: shared.delta() });
    is_startable && !has_release && shared.why_refused(strategy).is_none()
}

/// Stops one search, or all.
fn stopped(strategy: Option<Strategy>, message: String) -> Intent {
    Intent::Many(vec![Intent::Edit(Edit::Stop(strategy)), Intent::Say(message)])
}

/// The typed time limit of `best`.
///
/// # Errors
/// The text is no number of seconds in the range.
fn budget_of(text: &str) -> Result<Intent, String> {
    /// A day. A longer run needs a command.
    const MOST: u64 = 86_400;
    let seconds = text.trim().parse().ok().filter(|seconds| (1..=MOST).contains(seconds));
    let seconds = seconds.ok_or("expected whole seconds from 1 to 86400")?;
    let message = Intent::Say(format!("best may take {seconds} s from its next run on"));
    Ok(Intent::Many(vec![Intent::Edit(Edit::Budget(Duration::from_secs(seconds))), message]))
}
