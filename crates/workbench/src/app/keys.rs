//! Hands each key, click and paste to the question, the top window or the open screen.

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

use super::commands::Command as All;
use super::registry::{self, Command};
use super::state::{App, Phase};
use crate::kit::command::Movement;
use crate::kit::hits::Target;
use crate::kit::name::ScreenName;
use crate::shared::component::Event as Happening;
use crate::windows::field_help::KeyHelp;

impl App {
    /// Handles an event of the terminal.
    pub(super) fn input(&mut self, event: &Event) {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(*key),
            Event::Mouse(mouse) => self.mouse(*mouse),
            Event::Paste(text) => self.paste(text),
            _ => {}
        }
    }

    /// Handles a key: the open question comes first, then held keys, then the windows, then the screen.
    pub(super) fn key(&mut self, key: KeyEvent) {
        let control =
            |letter| key.code == KeyCode::Char(letter) && key.modifiers.contains(KeyModifiers::CONTROL);
        if control('z') {
            self.suspend();
            return;
        }
        if self.windows.question().is_some() {
            let answer = self.with_windows(|windows, context| windows.answer(context, key));
            self.take_answer(answer);
            return;
        }
        let is_begun = self.is_begun();
        if control('c') {
            // Keys that were typed earlier do not answer the question.
            self.held.clear();
            // While the project loads, nothing can be lost: no question is needed.
            if is_begun {
                self.ask_to_quit();
            } else if let Phase::Failed { .. } = self.phase {
                self.close_windows();
                self.leave_failed();
            } else {
                self.stop_loading();
            }
            return;
        }
        if let Phase::Loading(_) = self.phase {
            self.key_while_loading(key);
            return;
        }
        if self.joins_held(key) {
            return;
        }
        if self.seen.is_too_small && self.phase.screen().is_some() {
            // The analyst cannot see what is open, and can only close it.
            match key.code {
                KeyCode::Esc => self.close_window(),
                KeyCode::Char('q') if self.windows.is_empty() && is_begun => self.ask_to_quit(),
                _ => {}
            }
            return;
        }
        let keys = self.windows.keys(key, self.settings.keymap.verb(key));
        if self.windows.is_empty() {
            self.key_of_screen(key);
        } else if !keys.is_empty() {
            self.windows.push(Box::new(KeyHelp(keys)));
        } else {
            self.hand_to_window(Happening::Key(key));
        }
        self.leave_failed();
    }

    /// Hands an event to the top window, and carries out its answer.
    fn hand_to_window(&mut self, event: Happening) {
        let answer = self.with_windows(|windows, context| windows.handle(context, event));
        self.take_answer(answer);
    }

    /// Whether quitting would lose something.
    fn is_begun(&self) -> bool {
        match &self.phase {
            Phase::Ready(_) => true,
            Phase::Before(before) => before.screen.state().unsaved.is_some(),
            Phase::Loading(_) | Phase::Failed { .. } => false,
        }
    }

    /// Whether Esc has nothing to close or stop.
    fn is_idle(&self) -> bool {
        match &self.phase {
            Phase::Ready(ready) => ready.open() == ScreenName::WORKBENCH && self.reading.is_none(),
            Phase::Before(before) => self.is_begun() && !before.screen.state().activity.is_busy,
            Phase::Loading(_) | Phase::Failed { .. } => false,
        }
    }

    /// Handles a key of the open screen.
    fn key_of_screen(&mut self, key: KeyEvent) {
        let Some((about, _)) = self.phase.screen() else { return };
        let command = self.settings.keymap.line(about.name, key).map(registry::command);
        let is_idle = key.code == KeyCode::Esc && self.is_idle();
        if command == Some(Command::All(All::Close)) && is_idle {
            // An analyst who presses Esc once too often does not want to quit.
            self.status = match &self.phase {
                // The line of the screen before a project has what is next.
                Phase::Before(_) => String::new(),
                _ => format!("nothing is open; {} quits", self.settings.keymap.hint("close")),
            };
        } else if let Some(command) = command {
            self.run_or_hold(key, command);
        } else if let (Phase::Ready(ready), KeyCode::Char(character)) = (&self.phase, key.code) {
            let help = ready.shared.key("here");
            self.status = format!("{character} does nothing on this screen; {help} lists what can be done");
        }
    }

    pub(super) fn stop_loading(&mut self) {
        if let Phase::Loading(loading) = &self.phase {
            loading.stop();
        }
        // If there is a proposal to go back to, the workbench stays open.
        self.done = !self.back_to_proposal("");
    }

    /// Hands pasted text to the top window.
    fn paste(&mut self, pasted: &str) {
        if self.windows.question().is_some() {
            return;
        }
        let plain: String = pasted.chars().filter(|character| !character.is_control()).collect();
        self.hand_to_window(Happening::Paste(&plain));
    }

    /// Handles a click or the wheel.
    fn mouse(&mut self, mouse: MouseEvent) {
        if self.windows.question().is_some() {
            return;
        }
        let movement = match mouse.kind {
            MouseEventKind::ScrollDown => Some(Movement::Down),
            MouseEventKind::ScrollUp => Some(Movement::Up),
            _ => None,
        };
        if let (Some(movement), true) = (movement, self.windows.is_empty()) {
            self.run(Command::All(All::Move(movement)));
            return;
        }
        if mouse.kind != MouseEventKind::Down(MouseButton::Left) {
            return;
        }
        let Some(target) = self.seen.hits.at(mouse.column, mouse.row) else { return };
        if let (Target::Command(row), true) = (target, self.windows.is_empty()) {
            self.run_chosen(row);
        } else if self.windows.is_empty() {
            self.hand_to_open(Happening::Click(target));
        } else {
            self.hand_to_window(Happening::Click(target));
        }
    }
}
