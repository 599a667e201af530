//! What the commands do to a session, screen by screen; one that cannot run says why.

use palmtop::session::Place;

use crate::tui::app::commands::Command;
use crate::tui::app::session::Session;
use crate::tui::kit::job::Jobs;
use crate::tui::kit::name::ScreenName;
use crate::tui::overlays::prompt::Purpose;

impl Session {
    /// Opens a screen, and asks for what it shows.
    pub(crate) fn show(&mut self, jobs: &Jobs, screen: ScreenName) {
        if screen != ScreenName::Tables {
            self.tables.leave();
        }
        self.screen = screen;
        match screen {
            ScreenName::Workbench | ScreenName::Searches | ScreenName::TradeOff => {}
            ScreenName::Classes => self.explain(jobs),
            ScreenName::Lattice => {
                let node = self.ground.node.clone();
                self.lattice.open(jobs, &self.problem, node);
            }
            ScreenName::Compare => {
                self.compare_row = 0;
                self.bound.ask(jobs, &self.problem);
                self.ask_difference(jobs);
            }
            ScreenName::Hierarchies => self.show_hierarchy(),
            ScreenName::Tables => self.show_table(jobs),
        }
    }

    /// Does what a command asks for on the screen that is open, or says why not.
    pub(crate) fn act(&mut self, jobs: &Jobs, command: Command) -> Result<(), String> {
        if let Some(why) = self.why_not(self.screen, command) {
            return Err(why);
        }
        match command {
            Command::Show(screen) => self.show(jobs, screen),
            Command::Undo => self.jump(jobs, self.log.current() - 1),
            Command::Redo => self.jump(jobs, self.log.current() + 1),
            command => match self.screen {
                ScreenName::Workbench => return self.act_on_workbench(jobs, command),
                ScreenName::Classes => return self.act_on_classes(jobs, command),
                ScreenName::Lattice => return self.act_on_lattice(jobs, command),
                ScreenName::Searches => return self.act_on_searches(jobs, command),
                ScreenName::Compare => return self.act_on_compare(jobs, command),
                ScreenName::TradeOff => return self.act_on_trade_off(jobs, command),
                ScreenName::Hierarchies => return self.act_on_hierarchies(jobs, command),
                ScreenName::Tables => return self.act_on_tables(jobs, command),
            },
        }
        Ok(())
    }

    /// Why a command cannot run on a screen now, as far as that can be told beforehand.
    pub(crate) fn why_not(&self, screen: ScreenName, command: Command) -> Option<String> {
        let unless = |possible: bool, why: &str| (!possible).then(|| why.to_owned());
        let steps = self.log.steps().len();
        match (screen, command) {
            (_, Command::Undo) => unless(self.log.current() > 0, "there is nothing to undo"),
            (_, Command::Redo) => unless(self.log.current() + 1 < steps, "there is nothing to redo"),
            (_, Command::History) => unless(steps > 1, "there is only one step so far"),
            (_, Command::Show(screen)) => unless(screen != self.screen, "it is open"),
            (ScreenName::Workbench | ScreenName::Classes, Command::FindNext | Command::FindPrevious) => {
                unless(self.classes.search.is_some(), "nothing was looked for yet")
            }
            (ScreenName::Searches, Command::RunOne) => {
                let state = match self.outcome(self.cell) {
                    Some(_) => "has run, and would end the same way",
                    None => "is under way",
                };
                let startable = self.runs.is_startable(self.run_key(self.cell));
                unless(startable, &format!("{} {state}", self.cell))
            }
            (ScreenName::Searches, Command::Cancel) => unless(
                self.runs.is_unfinished(self.run_key(self.cell)),
                &format!("{} is not running", self.cell),
            ),
            (ScreenName::Searches, Command::CancelAll) => {
                unless(self.runs.unfinished() > 0, "nothing is running")
            }
            (ScreenName::Searches, Command::Open) => {
                let found = self.outcome(self.cell).is_some_and(|outcome| outcome.measured.is_some());
                (!found).then(|| self.why_no_release(self.cell))
            }
            (
                ScreenName::Searches | ScreenName::Compare,
                Command::Export | Command::Copy | Command::CopyToFile,
            ) if screen == self.screen => self.chosen().err(),
            (ScreenName::Tables, Command::Copy | Command::CopyToFile) => {
                Some("rows of tables are never copied; the figures of the other screens are".to_owned())
            }
            (ScreenName::TradeOff, Command::CancelAll) => {
                unless(self.trade_off.is_running(), "nothing is being measured")
            }
            (ScreenName::Lattice, Command::Cancel) => {
                unless(self.lattice.is_surveying(), "no nodes are being checked")
            }
            _ => None,
        }
    }

    /// Takes a line that was typed; answers what to say.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn take_prompt(
        &mut self,
        jobs: &Jobs,
        purpose: Purpose,
        typed: &str,
    ) -> Result<String, String> {
        match purpose {
            Purpose::Filter => {
                self.classes.filter(&self.problem, typed)?;
                self.list(jobs);
                Ok(String::new())
            }
            Purpose::Find(ScreenName::Lattice) => self.find_node(jobs, typed),
            Purpose::Find(ScreenName::Hierarchies) => self.find_label(typed),
            Purpose::Find(_) if typed.trim().is_empty() => {
                self.classes.search = None;
                Ok(String::new())
            }
            Purpose::Find(_) => {
                let view = self.view.as_ref().filter(|view| self.is_current(view));
                let view = view.ok_or_else(|| self.why_no_view())?;
                self.classes.find(jobs, &self.problem, view, typed)?;
                Ok(String::new())
            }
        }
    }

    /// Lists the classes anew.
    pub(crate) fn list(&mut self, jobs: &Jobs) {
        match self.view.as_ref().filter(|view| self.is_current(view)) {
            Some(view) => self.classes.list(jobs, view),
            None => self.classes.list_later(),
        }
    }

    /// Keeps a place to compare, or no longer.
    pub(crate) fn pin(&mut self, place: &Place) -> Result<(), String> {
        let name = crate::tui::shared::view::place_name(place, self.delta());
        if self.pins.iter().any(|pin| pin.place == *place) {
            self.pins.retain(|pin| pin.place != *place);
            self.notice = format!("{name} is no longer pinned");
        } else {
            let counted = self.current_view().filter(|view| view.place == *place);
            let measured = counted.ok_or_else(|| self.why_no_view())?.measured.clone();
            let seconds = None;
            self.pins.push(crate::tui::app::session::Candidate { place: place.clone(), measured, seconds });
            self.notice = format!("{name} is pinned: it stays in the comparison ({})", self.key("compare"));
        }
        self.save();
        Ok(())
    }
}

impl Session {
    /// A click on a row of the list that the keys move in.
    pub(crate) fn click_row(&mut self, jobs: &Jobs, row: usize) {
        match self.screen {
            ScreenName::Workbench | ScreenName::Classes => {
                self.classes.cursor = row;
                self.explain(jobs);
            }
            ScreenName::Searches => {
                if let Some(strategy) = palmtop::search::Strategy::all().nth(row) {
                    self.cell = strategy;
                }
            }
            ScreenName::Hierarchies => self.click_label(row),
            ScreenName::Tables => {
                self.tables.window_mut().cursor = row;
                self.show_table(jobs);
            }
            ScreenName::Lattice | ScreenName::Compare | ScreenName::TradeOff => {}
        }
    }

    /// A click on a column.
    pub(crate) fn click_column(&mut self, jobs: &Jobs, column: usize) {
        match self.screen {
            ScreenName::Lattice => self.point_at_node(jobs, column),
            ScreenName::TradeOff => self.click_trade_off(column),
            ScreenName::Compare => {
                self.pointed = self.candidates().get(column).map(|candidate| candidate.place.clone());
                self.ask_difference(jobs);
            }
            ScreenName::Hierarchies => self.choose_hierarchy(column),
            ScreenName::Tables => self.choose_sheet(jobs, column),
            _ => {}
        }
    }
}
