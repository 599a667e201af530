//! The one place where what all share is changed, and where everybody hears of it.

use std::sync::Arc;

use super::commands::Command as All;
use super::copy;
use super::message::Message;
use super::overlay::Overlay;
use super::registry::{self, Command, NAMES};
use super::state::{App, Asked, Effect, Phase};
use crate::kit::name::ScreenName;
use crate::overlays::audit::state::AuditWindow;
use crate::overlays::cautions::state::{CautionList, Subject};
use crate::overlays::choices::state::Choices;
use crate::overlays::delta::state::DeltaDialog;
use crate::overlays::export::state::ExportDialog;
use crate::overlays::glossary::state::Glossary;
use crate::overlays::help::state::Help;
use crate::overlays::history::state::History;
use crate::overlays::messages::state::Messages;
use crate::overlays::notice::state::Notice;
use crate::overlays::palette::state::Palette;
use crate::overlays::prompt::state::Prompt;
use crate::shared::intent::{Change, Edit, Errand, Intent, Purpose, Stage};
use crate::shared::screen::Taking;
use crate::shared::state::News;
use crate::shared::view::place_name;
use palmtop_flow::session::Place;
use palmtop_search::Strategy;

impl App {
    /// Carries out what a screen or a window asks for.
    pub(super) fn apply(&mut self, intent: Intent) {
        match intent {
            Intent::None => {}
            Intent::Many(intents) => intents.into_iter().for_each(|intent| self.apply(intent)),
            Intent::Say(said) => self.status = said,
            Intent::Edit(edit) => {
                let news = self.edit(edit);
                self.tell(news);
            }
            Intent::Errand(errand) => self.run_errand(errand),
            Intent::Show(name) => self.show(name),
            Intent::Ask(question) => self.overlay = Some(Overlay::Prompt(Prompt::new(question))),
            Intent::Typed { purpose, text, stage } => self.typed(purpose, &text, stage),
            Intent::Choose(choosing) => self.overlay = Some(Overlay::Choices(Choices::new(choosing))),
            Intent::Chosen(index) => {
                self.close();
                if let Phase::Proposing(screen) = &mut self.phase {
                    let intent = screen.chosen(index);
                    self.apply(intent);
                }
            }
            Intent::Tell { title, text } => self.overlay = Some(Overlay::Notice(Notice::new(title, text))),
            Intent::DeltaFor(delta) => {
                if let Phase::Ready(ready) = &self.phase {
                    let dialog = DeltaDialog::open(&ready.shared, &self.told).with(delta);
                    self.overlay = Some(Overlay::Delta(Box::new(dialog)));
                }
            }
            Intent::Replace => self.asked = Some(Asked::Replace),
            Intent::Command(row) => self.run_chosen(row),
            Intent::Close => self.close(),
        }
    }

    /// Does work outside the workbench.
    fn run_errand(&mut self, errand: Errand) {
        match errand {
            Errand::Copy(figures) => self.copy(figures),
            Errand::WriteDelta(delta) => self.write_delta(delta),
            Errand::Reread(written) => self.reload_saved(written),
            Errand::Load { path, hierarchies } => self.load_proposed(&path, hierarchies),
        }
    }

    /// Changes what all screens share.
    fn edit(&mut self, edit: Edit) -> News {
        let Phase::Ready(ready) = &mut self.phase else { return News::default() };
        let shared = &mut ready.shared;
        match edit {
            Edit::Go { place, how } => shared.go(place, how),
            Edit::Jump(step) => shared.jump(step),
            Edit::Delta { delta, reason, grounds } => {
                shared.grounds = grounds.map(|grounds| (delta, grounds));
                shared.change_delta(delta, reason)
            }
            Edit::Pin(place) => shared.pin(&place),
            Edit::Forget(place) => shared.forget(&place),
            Edit::Base(place) => shared.set_base(place),
            Edit::Run(strategies) => shared.run_all(&strategies),
            Edit::Stop(strategy) => shared.stop(strategy),
            Edit::Budget(limit) => {
                shared.runs.budget.limit = limit;
                News::default()
            }
            Edit::CountCautions(release) => {
                shared.count_asked_cautions(release.as_ref());
                News::default()
            }
            Edit::CountBound => shared.count_bound(),
            Edit::Audited { search, delta, audit } => shared.note_audit(search, delta, *audit),
            Edit::Exported { place, entry } => shared.exported(place, entry.map(|entry| *entry)),
            Edit::Classes(deed) => shared.arrange(deed),
            Edit::FixPolicy => shared.fix_policy(),
        }
    }

    /// Tells the analyst what is to be said, and every screen what changed.
    pub(crate) fn tell(&mut self, news: News) {
        if let Some(said) = news.said {
            self.status = said;
        }
        for change in news.changes {
            for name in NAMES {
                let Phase::Ready(ready) = &mut self.phase else { return };
                let screen = ready.screens.get_mut(*name);
                let intent = screen.changed(&ready.shared, &self.seen.hits, change);
                self.apply(intent);
            }
        }
    }

    /// Opens a screen.
    pub(super) fn show(&mut self, name: ScreenName) {
        if let Phase::Ready(ready) = &mut self.phase {
            ready.shared.open = name;
            self.tell(News { changes: vec![Change::Shown(name)], said: None });
        }
    }

    /// Hands a line to the screen that asked for it. What is half typed may be nothing yet: then all stays as it is.
    fn typed(&mut self, purpose: Purpose, text: &str, stage: Stage) {
        if matches!(self.phase, Phase::Proposing(_)) {
            self.typed_on_proposal(purpose, text, stage);
            return;
        }
        if purpose == Purpose::Open {
            let opened = self.open_project(text);
            match (opened, &mut self.overlay) {
                (Err(wrong), Some(Overlay::Prompt(prompt))) => prompt.wrong = Some(wrong),
                _ => self.overlay = None,
            }
            return;
        }
        if purpose == Purpose::Anew {
            if stage == Stage::Whole {
                match (self.begin_anew(text), &mut self.overlay) {
                    (Err(wrong), Some(Overlay::Prompt(prompt))) => prompt.wrong = Some(wrong),
                    _ => self.overlay = None,
                }
            }
            return;
        }
        let Phase::Ready(ready) = &mut self.phase else { return };
        let screen = ready.screens.get_mut(ready.shared.open);
        let is_whole = stage == Stage::Whole;
        if stage == Stage::GivenUp {
            self.overlay = None;
            let intent = screen.given_up(&ready.shared, &self.seen.hits, purpose);
            self.apply(intent);
            return;
        }
        if purpose == Purpose::Draft && stage == Stage::Part {
            screen.drafted(&ready.shared, &self.seen.hits, text);
            return;
        }
        match screen.typed(&ready.shared, &self.seen.hits, (purpose, text)) {
            Ok(intent) => {
                if is_whole {
                    self.overlay = None;
                    self.status.clear();
                }
                self.apply(intent);
            }
            Err(wrong) => {
                if let (true, Some(Overlay::Prompt(prompt))) = (is_whole, &mut self.overlay) {
                    prompt.wrong = Some(wrong);
                }
            }
        }
    }

    /// Runs the command that was chosen in the palette, on its own screen; one that cannot run says why, and the palette
    /// stays.
    fn run_chosen(&mut self, place: usize) {
        if let Phase::Proposing(screen) = &self.phase {
            if let Some(why) = Self::why_not_on_proposal(screen, place) {
                self.status = why;
            } else {
                self.overlay = None;
                self.run_on_proposal(registry::command(place));
            }
            return;
        }
        if let Some(why) = self.why_not(place) {
            self.status = why;
            return;
        }
        self.overlay = None;
        let Phase::Ready(ready) = &self.phase else { return };
        if let Some(screen) = registry::table()[place].screen.filter(|screen| *screen != ready.open()) {
            self.show(screen);
        }
        self.run(registry::command(place));
    }

    /// Why a line of the table of commands cannot run now; from another screen, that screen is opened first.
    pub(crate) fn why_not(&self, place: usize) -> Option<String> {
        let Phase::Ready(ready) = &self.phase else { return Some("nothing is loaded yet".to_owned()) };
        let (shared, open) = (&ready.shared, ready.open());
        let screen = ready.screens.get(registry::table()[place].screen.unwrap_or(open));
        let unless = |possible: bool, why: &str| (!possible).then(|| why.to_owned());
        let steps = shared.log.steps().len();
        match registry::command(place) {
            Command::Own(own) => screen.why_not(shared, own),
            Command::All(All::Undo) => unless(shared.log.current() > 0, "there is nothing to undo"),
            Command::All(All::Redo) => unless(shared.log.current() + 1 < steps, "there is nothing to redo"),
            Command::All(All::History) => unless(steps > 1, "there is only one step so far"),
            Command::All(All::Show(name)) => unless(name != open, "it is open"),
            Command::All(All::Export | All::Audit) => screen.why_not_taken(shared, Taking::Release),
            Command::All(All::Copy | All::CopyToFile) => screen.why_not_taken(shared, Taking::Figures),
            Command::All(_) => None,
        }
    }

    /// Runs a command on the screen that is open.
    pub(super) fn run(&mut self, command: Command) {
        if matches!(self.phase, Phase::Proposing(_)) {
            self.run_on_proposal(command);
            return;
        }
        let Phase::Ready(ready) = &mut self.phase else { return };
        self.status.clear();
        let (shared, seen) = (&ready.shared, &self.seen.hits);
        let screen = ready.screens.get_mut(shared.open);
        let done = match command {
            Command::Own(own) => match screen.why_not(shared, own) {
                Some(why) => Err(why),
                None => screen.act(shared, seen, own),
            },
            Command::All(All::Move(movement)) => screen.go(shared, seen, movement),
            Command::All(command) => {
                self.run_everywhere(command);
                return;
            }
        };
        match done {
            Ok(intent) => self.apply(intent),
            Err(why) => self.status = why,
        }
    }

    fn run_everywhere(&mut self, command: All) {
        let Phase::Ready(ready) = &mut self.phase else { return };
        let (shared, open) = (&ready.shared, ready.shared.open);
        let screen = ready.screens.get(open);
        let (current, steps) = (shared.log.current(), shared.log.steps().len());
        let unsaved = ready.unsaved().is_some();
        match command {
            All::Move(_) => {}
            All::Help => self.overlay = Some(Overlay::Help(Help::default())),
            All::Cautions => {
                let (subject, release) = match screen.chosen(shared) {
                    Ok((_, release)) if !screen.shows_others() => (Subject::Here, Some(release)),
                    Ok((place, release)) => (Subject::Pointed(place, Arc::clone(&release)), Some(release)),
                    Err(why) if screen.shows_others() => (Subject::Nothing(why), None),
                    Err(_) => (Subject::Here, None),
                };
                self.overlay = Some(Overlay::Cautions(CautionList::of(subject)));
                self.apply(Intent::Edit(Edit::CountCautions(release)));
            }
            All::Messages => self.overlay = Some(Overlay::Messages(Messages::default())),
            All::Glossary => self.overlay = Some(Overlay::Glossary(Glossary::default())),
            All::Palette => self.overlay = Some(Overlay::Palette(Palette::open(registry::table(), open))),
            All::Delta => {
                self.overlay = Some(Overlay::Delta(Box::new(DeltaDialog::open(shared, &self.told))));
            }
            All::History => self.overlay = Some(Overlay::History(History { cursor: current })),
            All::Undo if current == 0 => "there is nothing to undo".clone_into(&mut self.status),
            All::Undo => self.apply(Intent::Edit(Edit::Jump(current - 1))),
            All::Redo if current + 1 == steps => "there is nothing to redo".clone_into(&mut self.status),
            All::Redo => self.apply(Intent::Edit(Edit::Jump(current + 1))),
            All::Show(name) if name == open => "it is open".clone_into(&mut self.status),
            All::Show(name) => self.show(name),
            All::Suspend => self.suspend(),
            All::Redraw => self.effects.push(Effect::Redraw),
            All::Mouse => self.turn_mouse(),
            // What runs searches these tables, and could not go on with others; what is not saved would be lost.
            All::Reload if shared.runs.unfinished() > 0 || unsaved => self.asked = Some(Asked::Reload),
            All::Reload => self.reload(),
            All::Open if shared.runs.unfinished() > 0 || unsaved => self.asked = Some(Asked::Open),
            All::Open => self.ask_for_project(),
            All::Close if self.reading.is_some() => self.stop_reading(),
            All::Close if open != ScreenName::Workbench => self.show(ScreenName::Workbench),
            All::Close | All::Interrupt => self.asked = Some(Asked::Quit),
            All::Copy | All::CopyToFile => match screen.figures(shared) {
                Ok(figures) if command == All::Copy => self.copy(figures),
                Ok(figures) => copy::to_file(&self.link, copy::safe(figures)),
                Err(why) => self.status = why,
            },
            All::Audit => match screen.chosen(shared) {
                Ok((Place::Search(search), release)) if search.delta == release.delta() => {
                    let link = self.link.map(Message::Audit);
                    let window = AuditWindow::open(&link, shared, (search, release));
                    self.overlay = Some(Overlay::Audit(Box::new(window)));
                }
                Ok((Place::Search(_), _)) => {
                    "it was searched under another δ; run the search again under this one"
                        .clone_into(&mut self.status);
                }
                Ok((Place::Node(_), _)) => {
                    let searches = shared.key("searches");
                    self.status = format!("you chose this node, no search did; {searches} has the searches");
                }
                Err(why) => self.status = why,
            },
            All::Export => match screen.chosen(shared) {
                Ok(mut chosen) => {
                    // Where releases stand side by side it was pointed at; anywhere else, what can go out is meant.
                    let is_meant = screen.shows_others() || chosen.0 != *shared.place();
                    let (here, compare) = (shared.place_name(), shared.key("compare"));
                    let on_its_way = shared.how_to_take_it(&chosen.1).filter(|_| !is_meant);
                    match (shared.rather_than(&chosen.1).filter(|_| !is_meant), on_its_way) {
                        (Some(found), on_its_way) => {
                            let name = place_name(&found.0, shared.delta());
                            let is_recommended = matches!(&found.0, Place::Search(own) if own.strategy == Strategy::Simulatable);
                            let praise = if is_recommended { "recommended" } else { "the best found" };
                            self.status = match on_its_way {
                                Some(said) => format!("this is {name}, {praise}; {said}"),
                                None => format!(
                                    "{here} breaks δ: this is {name}, {praise}; {compare} exports any"
                                ),
                            };
                            chosen = found;
                        }
                        (None, Some(on_its_way)) => {
                            let export = shared.key("export");
                            self.status = format!("this breaks δ; {on_its_way}, {export} then offers that");
                            return;
                        }
                        (None, None) => {}
                    }
                    let link = self.link.map(Message::Export);
                    let dialog = ExportDialog::open(link, shared, chosen, &self.opening.command_name);
                    self.overlay = Some(Overlay::Export(Box::new(dialog)));
                }
                Err(why) => self.status = why,
            },
        }
    }

    /// Listens to the mouse, or no longer.
    pub(super) fn turn_mouse(&mut self) {
        self.settings.mouse = !self.settings.mouse;
        self.effects.push(Effect::Mouse(self.settings.mouse));
        let state = if self.settings.mouse { "on: click a row, turn the wheel" } else { "off" };
        self.status = format!("the mouse is {state}");
    }

    /// Leaves the terminal to the shell. Whoever comes back need not be who left: what was revealed is hidden.
    pub(super) fn suspend(&mut self) {
        self.tell(News { changes: vec![Change::Left], said: None });
        self.effects.push(Effect::Suspend);
    }
}
