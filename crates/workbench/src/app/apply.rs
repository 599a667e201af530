//! Carries out intents. Only this file changes what all screens share, and it tells every screen what changed.

use super::begin::ANEW;
use super::commands::{Command as All, WindowName};
use super::copy;
use super::message::Message;
use super::opening::{Desk, Opened};
use super::registry::{self, Command};
use super::reload::OPEN;
use super::state::{App, Effect, Phase};
use crate::kit::name::ScreenName;
use crate::screens::{SCREENS, panes, tab_of};
use crate::shared::component::{Component, Event, Links, TypedLine, Wanted};
use crate::shared::intent::{Change, Edit, Errand, Intent, Stage};
use crate::shared::screen::Tab;
use crate::shared::state::News;
use crate::windows::choices::state::Choices;
use crate::windows::notice::Notice;
use crate::windows::prompt::state::Prompt;

/// Why no command can run before a project or a proposal is open.
const NOT_LOADED: &str = "nothing is loaded yet";

impl App {
    /// Carries out what a screen or a window asks for.
    pub(super) fn apply(&mut self, intent: Intent) {
        match intent {
            Intent::None => {}
            Intent::Many(intents) => intents.into_iter().for_each(|intent| self.apply(intent)),
            Intent::Say(message) => self.status = message,
            Intent::Edit(edit) => {
                let news = self.edit(edit);
                self.tell(news);
            }
            Intent::Errand(errand) => self.run_errand(errand),
            Intent::Show(name) => self.show(name),
            Intent::Ask(question) => self.open_window(Box::new(Prompt::new(question))),
            Intent::Typed { id, text, stage } => self.typed(TypedLine { id, text: &text, stage }),
            Intent::Choose(choosing) => self.open_window(Box::new(Choices::new(choosing))),
            Intent::Chosen(index) => {
                self.close_window();
                self.hand_to_open(Event::Chosen(index));
            }
            Intent::Tell { title, text } => self.open_window(Box::new(Notice::new(title, text))),
            Intent::Confirm(question) => self.ask(*question),
            Intent::Confirmed => self.hand_to_open(Event::Confirmed),
            Intent::AskToQuit => self.ask_to_quit(),
            Intent::Quit => self.done = true,
            Intent::Command(row) => self.run_chosen(row),
            Intent::Close => self.close_window(),
            Intent::PassKey(key) => self.key(key),
        }
    }

    /// Does work outside the workbench.
    fn run_errand(&mut self, errand: Errand) {
        match errand {
            Errand::Copy(figures) => self.copy(figures),
            Errand::CopyToFile(figures) => copy::to_file(&self.link, copy::safe(figures)),
            Errand::Reload => self.reload(),
            Errand::WriteSettings(settings) => self.write_settings(settings),
            Errand::Reread(written) => self.reload_saved(written),
            Errand::Load { path, hierarchies } => self.load_proposed(&path, hierarchies),
        }
    }

    /// Changes what all screens share.
    fn edit(&mut self, edit: Edit) -> News {
        let Phase::Ready(ready) = &mut self.phase else { return News::default() };
        let shared = &mut ready.shared;
        match edit {
            Edit::Go { recipe, how } => shared.go(recipe, how),
            Edit::Jump(step) => shared.jump(step),
            Edit::Delta { delta, reason, grounds } => shared.decide(delta, reason, grounds),
            Edit::Pin(recipe) => shared.pin(&recipe),
            Edit::Base(recipe) => shared.set_base(recipe),
            Edit::Mark(strategy) => {
                shared.runs.mark(strategy);
                News::default()
            }
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
            Edit::Exported { recipe, entry } => shared.exported(recipe, entry.map(|entry| *entry)),
            Edit::Classes(deed) => shared.arrange(deed),
            Edit::FixPolicy => shared.fix_policy(),
            Edit::Note(line) => {
                shared.commands.note(line);
                News::default()
            }
        }
    }

    /// Shows the sentence of some news to the analyst, and tells every screen what changed.
    pub(crate) fn tell(&mut self, news: News) {
        if let Some(message) = news.message {
            self.status = message;
        }
        for change in news.changes {
            for screen in SCREENS {
                let answer = self.hand(screen.about.name, Event::Changed(change));
                self.take_answer(answer);
            }
        }
    }

    /// Opens a screen.
    pub(super) fn show(&mut self, name: ScreenName) {
        if let Phase::Ready(ready) = &mut self.phase {
            ready.shared.open = name;
            ready.left.retain(|other| tab_of(*other) != tab_of(name));
            ready.left.push(name);
            if let Some((command, options)) = ready.screens.get(name).1.command_line(&ready.shared) {
                ready.shared.commands.note_command(command, &options);
            }
            self.tell(News { changes: vec![Change::Shown(name)], message: None });
        }
    }

    /// Opens the next pane of the open tab.
    fn next_pane(&mut self) {
        let Phase::Ready(ready) = &self.phase else { return };
        let open = ready.open();
        let Some(tab) = tab_of(open) else { return };
        let next = panes(tab).skip_while(|name| *name != open).nth(1).or_else(|| panes(tab).next());
        if let Some(next) = next.filter(|next| *next != open) {
            self.show(next);
        }
    }

    /// Opens a tab where it was left; if it is open, its next pane.
    pub(super) fn open_tab(&mut self, tab: Tab) {
        let Phase::Ready(ready) = &self.phase else { return };
        if tab_of(ready.open()) == Some(tab) {
            return self.next_pane();
        }
        let left = ready.left.iter().copied().find(|name| tab_of(*name) == Some(tab));
        if let Some(name) = left.or_else(|| panes(tab).next()) {
            self.show(name);
        }
    }

    /// Hands a line to the app or to the open screen, whichever asked for it.
    fn typed(&mut self, line: TypedLine) {
        let stage = line.stage;
        let own = match (line.id, stage) {
            (OPEN, Stage::Complete) => Some(self.open_project(line.text)),
            (ANEW, Stage::Complete) => Some(self.begin_anew(line.text)),
            _ => None,
        };
        if let Some(answer) = own {
            match answer {
                Ok(()) => self.close_window(),
                Err(why) => self.refuse(why),
            }
            return;
        }
        let Some((about, _)) = self.phase.screen() else { return };
        match self.hand(about.name, Event::Line(line)) {
            Ok(intent) => {
                if stage != Stage::Part {
                    self.close_window();
                }
                if stage == Stage::Complete {
                    self.status.clear();
                }
                self.apply(intent);
            }
            Err(why) if stage == Stage::Complete => self.refuse(why),
            Err(_) if stage == Stage::GivenUp => self.close_window(),
            Err(_) => {}
        }
    }

    /// Shows in the top window why its line was refused.
    fn refuse(&mut self, why: String) {
        let answer = self.with_windows(|windows, context| windows.handle(context, Event::Refused(why)));
        self.take_answer(answer);
    }

    /// Opens a window instead of those that are open.
    pub(super) fn open_window(&mut self, window: Box<dyn Component>) {
        self.close_windows();
        self.windows.push(window);
    }

    /// Closes the top window, and keeps what it asks to keep.
    pub(super) fn close_window(&mut self) {
        if let Some(mut window) = self.windows.pop() {
            let answer = self.with_context(None, |context| window.handle(context, Event::Closed));
            self.take_answer(answer);
        }
    }

    /// Closes all windows.
    pub(super) fn close_windows(&mut self) {
        while !self.windows.is_empty() {
            self.close_window();
        }
    }

    /// Runs the command in a row of the command table, on its own screen. If it cannot run, the status line says why, and the
    /// window that asked for it stays.
    pub(super) fn run_chosen(&mut self, row: usize) {
        if let Some(why) = self.why_not(row) {
            self.status = why;
            return;
        }
        self.close_windows();
        if let Phase::Ready(ready) = &self.phase
            && let Some(screen) = registry::table()[row].screen.filter(|screen| *screen != ready.open())
        {
            self.show(screen);
        }
        self.run(registry::command(row));
    }

    /// Why the command in a row of the command table cannot run now. A command of another screen opens that screen first.
    pub(crate) fn why_not(&self, row: usize) -> Option<String> {
        let command = registry::command(row);
        if let Command::All(All::Window(name)) = command {
            return self.desk().map_or(Some(NOT_LOADED.to_owned()), |desk| name.why_not(&desk));
        }
        match &self.phase {
            // The open screen can take something back.
            Phase::Ready(ready)
                if matches!(command, Command::All(All::Undo | All::Redo))
                    && ready.screens.get(ready.open()).1.state().unsaved.is_some() =>
            {
                None
            }
            Phase::Ready(ready) => ready.why_not(registry::table()[row].screen, command),
            Phase::Before(before) => before.why_not(command),
            Phase::Loading(_) | Phase::Failed { .. } => Some(NOT_LOADED.to_owned()),
        }
    }

    /// What a command that opens a window starts from; `None` before a project or a proposal is open.
    fn desk(&self) -> Option<Desk<'_>> {
        let (about, screen) = self.phase.screen()?;
        let project = self.phase.shared().map(|shared| (shared, screen));
        let links = Links { report: self.link.map(Message::Window), say: self.link.map(Message::Status) };
        Some(Desk { project, about, keymap: &self.settings.keymap, links })
    }

    /// Opens the window of a command.
    pub(super) fn open(&mut self, name: WindowName) {
        let Some(desk) = self.desk() else { return };
        match name.open(&desk) {
            Ok(Opened { window, intent }) => {
                self.open_window(window);
                self.apply(intent);
            }
            Err(why) => self.status = why,
        }
    }

    /// Runs a command on the open screen.
    pub(super) fn run(&mut self, command: Command) {
        self.status.clear();
        if command == Command::All(All::Close) && self.reading.is_some() {
            self.stop_reading();
            return;
        }
        match command {
            Command::Screen(row) => {
                let Some((_, screen)) = self.phase.screen() else { return };
                match screen.why_not(self.phase.shared(), Wanted::Command(row)) {
                    Some(why) => self.status = why,
                    None => self.hand_to_open(Event::Command(row)),
                }
            }
            Command::All(All::Move(movement)) => self.hand_to_open(Event::Move(movement)),
            Command::All(command) => match &self.phase {
                Phase::Ready(_) => self.run_in_project(command),
                Phase::Before(_) => self.run_before(command),
                Phase::Loading(_) | Phase::Failed { .. } => {}
            },
        }
    }

    /// Runs a command that is the same with and without a project.
    pub(super) fn run_everywhere(&mut self, command: All) {
        match command {
            All::Window(name) => self.open(name),
            All::Suspend => self.suspend(),
            All::Redraw => self.effects.push(Effect::Redraw),
            All::Mouse => self.turn_mouse(),
            All::Reload if self.would_drop_work() => self.ask_to_reload(),
            All::Reload => self.reload(),
            All::Open if self.would_drop_work() => self.ask_to_open(),
            All::Open => self.apply(Self::project_to_open()),
            All::Close | All::Interrupt => self.ask_to_quit(),
            All::Move(_)
            | All::Tab(_)
            | All::Delta
            | All::Show(_)
            | All::Undo
            | All::Redo
            | All::Copy
            | All::CopyToFile => {}
        }
    }

    /// Turns the mouse on or off.
    pub(super) fn turn_mouse(&mut self) {
        self.settings.mouse = !self.settings.mouse;
        self.effects.push(Effect::Mouse(self.settings.mouse));
        let state = if self.settings.mouse { "on: click a row, turn the wheel" } else { "off" };
        self.status = format!("the mouse is {state}");
    }

    /// Leaves the terminal to the shell. Another person may come back, so the screens hide what they revealed.
    pub(super) fn suspend(&mut self) {
        self.tell(News { changes: vec![Change::Left], message: None });
        self.effects.push(Effect::Suspend);
    }
}
