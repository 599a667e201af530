//! Who gets a key, a click or pasted text.

use std::sync::Arc;

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

use palmtop_flow::pipeline::Analysis;

use super::commands::Command as All;
use super::overlay::Overlay;
use super::registry::{self, Command};
use super::state::{App, Asked, Phase};
use crate::kit::command::Movement;
use crate::kit::name::ScreenName;
use crate::overlays::choices::state::Choices;
use crate::overlays::export::state::ExportDialog;
use crate::shared::intent::Intent;
use crate::shared::state::Shared;

impl App {
    /// Whatever comes from the terminal.
    pub(super) fn input(&mut self, event: &Event) {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(*key),
            Event::Mouse(mouse) => self.mouse(*mouse),
            Event::Paste(text) => self.paste(text),
            _ => {}
        }
    }

    /// A key.
    pub(super) fn key(&mut self, key: KeyEvent) {
        let control =
            |letter| key.code == KeyCode::Char(letter) && key.modifiers.contains(KeyModifiers::CONTROL);
        if control('z') {
            self.suspend();
            return;
        }
        let loaded = match &self.phase {
            Phase::Ready(_) => true,
            Phase::Proposing(screen) => screen.is_begun(),
            Phase::Loading(_) | Phase::Failed(_) | Phase::Mending(_) => false,
        };
        if self.asked == Some(Asked::GoOn) {
            self.asked = None;
            match key.code {
                KeyCode::Char('N') => {
                    self.ask_why_anew();
                    return;
                }
                KeyCode::Enter | KeyCode::Esc => return,
                // The analyst goes on, and wants what the key does.
                _ => {}
            }
        }
        if let Some(asked) = self.asked.take() {
            match key.code {
                KeyCode::Char('y' | 'Y') => self.answered(asked),
                KeyCode::Char('n' | 'N') | KeyCode::Esc | KeyCode::Enter => {}
                _ if control('c') && asked == Asked::Quit => self.done = true,
                // Whoever asks for it once more means it.
                _ if self.is_asked_again(asked, key) => self.answered(asked),
                // Whoever goes on working has answered, and wants what the key does.
                _ => self.key(key),
            }
            return;
        }
        if control('c') {
            if let Phase::Mending(places) = &self.phase {
                self.phase = Phase::Failed(places.said.clone());
                self.done = true;
                return;
            }
            // What was typed before is no answer to the question.
            self.held.clear();
            // While it loads there is nothing to lose, and nothing to ask.
            self.asked = loaded.then_some(Asked::Quit);
            if !loaded {
                self.stop_loading();
            }
            return;
        }
        if self.joins_held(key) {
            return;
        }
        if self.seen.is_too_small {
            // Nothing that is open can be seen: it can be closed, and that is all.
            match key.code {
                KeyCode::Esc => self.close(),
                KeyCode::Char('q') if self.overlay.is_none() => self.asked = loaded.then_some(Asked::Quit),
                _ => {}
            }
            return;
        }
        if self.is_for_field_help(key) {
            return;
        }
        if matches!(self.phase, Phase::Mending(_)) {
            self.key_of_mending(key);
            return;
        }
        if matches!(self.phase, Phase::Proposing(_)) {
            self.key_of_proposal(key);
            return;
        }
        let Phase::Ready(ready) = &mut self.phase else {
            if key.code == KeyCode::Char('q') || key.code == KeyCode::Esc {
                self.stop_loading();
            }
            return;
        };
        let shared = &ready.shared;
        let intent = match &mut self.overlay {
            Some(Overlay::Help(help)) => match self.settings.keymap.line(shared.open, key) {
                Some(place) if registry::command(place) == Command::All(All::Glossary) => {
                    Intent::Command(place)
                }
                _ => help.key(key),
            },
            Some(Overlay::Glossary(glossary)) => glossary.key(key),
            Some(Overlay::Messages(messages)) => messages.key(key),
            Some(Overlay::Cautions(cautions)) => cautions.key(key),
            Some(Overlay::Notice(notice)) => {
                let intent = notice.key(key);
                let command = self.settings.keymap.line(shared.open, key).map(registry::command);
                if let (Intent::Close, Some(command)) = (&intent, command)
                    && !answers(key, command)
                {
                    // Whoever goes on working has read it, and wants what the key does.
                    self.overlay = None;
                    self.run_or_hold(key, command);
                    return;
                }
                intent
            }
            Some(Overlay::Places(places)) => places.key(key),
            Some(Overlay::Palette(palette)) => palette.key(key),
            Some(Overlay::Prompt(prompt)) => prompt.key(key, &shared.classes.filter_text),
            Some(Overlay::Choices(choices)) => choices.key(key),
            Some(Overlay::Delta(dialog)) => dialog.key(shared, key),
            Some(Overlay::History(history)) => history.key(shared.log.steps().len(), key),
            Some(Overlay::Export(dialog)) => {
                let command = self.settings.keymap.line(shared.open, key).map(registry::command);
                key_of_export(dialog, &shared.analysis, key, command)
            }
            Some(Overlay::Audit(window)) => window.key(key),
            None => {
                self.key_of_screen(key);
                return;
            }
        };
        self.apply(intent);
    }

    /// A key on a screen over which nothing is open.
    fn key_of_screen(&mut self, key: KeyEvent) {
        let Phase::Ready(ready) = &self.phase else { return };
        let shared = &ready.shared;
        let command = self.settings.keymap.line(shared.open, key).map(registry::command);
        let is_idle =
            key.code == KeyCode::Esc && shared.open == ScreenName::Workbench && self.reading.is_none();
        if command == Some(Command::All(All::Close)) && is_idle {
            // Whoever presses it once more than needed has closed everything, and does not want to quit.
            self.status = format!("nothing is open; {} quits", shared.key("close"));
        } else if let Some(command) = command {
            self.run_or_hold(key, command);
        } else if let Some(said) = no_command(key, shared) {
            self.status = said;
        }
    }

    /// Whether a key opens or closes the keys of a dialog with fields.
    fn is_for_field_help(&mut self, key: KeyEvent) -> bool {
        let was_open = std::mem::take(&mut self.is_field_help_open);
        let takes_text = self.overlay.as_ref().is_some_and(Overlay::takes_text);
        self.is_field_help_open = !was_open && key.code == KeyCode::F(1) && takes_text;
        was_open || self.is_field_help_open
    }

    /// A key where values are given their places in hierarchies.
    fn key_of_mending(&mut self, key: KeyEvent) {
        let Phase::Mending(places) = &mut self.phase else { return };
        let said = places.said.clone();
        match places.key(key) {
            Intent::Close if self.back_to_proposal(&said) => {}
            Intent::Close => {
                self.phase = Phase::Failed(said);
                self.done = true;
            }
            intent => self.apply(intent),
        }
    }

    /// Does what was asked about.
    fn answered(&mut self, asked: Asked) {
        match asked {
            Asked::Quit => self.done = true,
            Asked::GoOn => {}
            Asked::Reload => self.reload(),
            Asked::Open => self.ask_for_project(),
            Asked::Replace => {
                if let Phase::Proposing(screen) = &mut self.phase {
                    screen.replace();
                }
            }
        }
    }

    /// Whether a key asks for the same once more.
    fn is_asked_again(&self, asked: Asked, key: KeyEvent) -> bool {
        if matches!(self.phase, Phase::Proposing(_)) {
            let command = self.settings.keymap.line(ScreenName::Proposal, key).map(registry::command);
            return asked == Asked::Quit && command == Some(Command::All(All::Close));
        }
        let Phase::Ready(ready) = &self.phase else { return false };
        let command = self.settings.keymap.line(ready.open(), key).map(registry::command);
        matches!(
            (asked, command),
            (Asked::Quit, Some(Command::All(All::Close)))
                | (Asked::Reload, Some(Command::All(All::Reload)))
                | (Asked::Open, Some(Command::All(All::Open)))
        )
    }

    fn stop_loading(&mut self) {
        if let Phase::Loading(loading) = &self.phase {
            loading.stop();
        }
        // Who goes back to a proposal has something to go on with.
        self.done = !self.back_to_proposal("");
    }

    /// Pasted text goes where text is typed.
    fn paste(&mut self, pasted: &str) {
        if self.asked.is_some() {
            return;
        }
        let plain = pasted.chars().filter(|character| !character.is_control());
        match &mut self.overlay {
            Some(Overlay::Export(dialog)) => plain.for_each(|character| dialog.type_character(character)),
            Some(Overlay::Palette(palette)) => {
                plain.for_each(|character| palette.input.insert(character));
                palette.search();
            }
            Some(Overlay::Prompt(prompt)) => {
                plain.for_each(|character| prompt.input.insert(character));
                let intent = prompt.part();
                self.apply(intent);
            }
            Some(Overlay::Delta(dialog)) => {
                let input = dialog.input();
                plain.for_each(|character| input.insert(character));
            }
            _ => {}
        }
    }

    /// A click or the wheel, where the mouse is listened to.
    fn mouse(&mut self, mouse: MouseEvent) {
        if self.asked.is_some() {
            return;
        }
        let movement = match mouse.kind {
            MouseEventKind::ScrollDown => Some(Movement::Down),
            MouseEventKind::ScrollUp => Some(Movement::Up),
            _ => None,
        };
        if let (Some(movement), None) = (movement, &self.overlay) {
            self.run(Command::All(All::Move(movement)));
            return;
        }
        if mouse.kind != MouseEventKind::Down(MouseButton::Left) {
            return;
        }
        let Some(target) = self.seen.hits.at(mouse.column, mouse.row) else { return };
        if let Phase::Proposing(screen) = &mut self.phase {
            let intent = match &mut self.overlay {
                Some(Overlay::Palette(palette)) => palette.click(target),
                Some(Overlay::Choices(_)) => Choices::click(target),
                Some(_) => Intent::None,
                None => {
                    screen.click(target);
                    Intent::None
                }
            };
            self.apply(intent);
            return;
        }
        let Phase::Ready(ready) = &mut self.phase else { return };
        let intent = match &mut self.overlay {
            Some(Overlay::Palette(palette)) => palette.click(target),
            Some(Overlay::History(history)) => {
                history.click(target);
                Intent::None
            }
            None => {
                let screen = ready.screens.get_mut(ready.shared.open);
                screen.click(&ready.shared, &self.seen.hits, target)
            }
            Some(_) => Intent::None,
        };
        self.apply(intent);
    }
}

/// Whether a key is one that closes a window, and is not meant for what lies behind it.
fn answers(key: KeyEvent, command: Command) -> bool {
    matches!(key.code, KeyCode::Enter | KeyCode::Esc | KeyCode::Char(' '))
        || command == Command::All(All::Close)
}

/// A key in the export dialog. Once the file is written, the key of the releases lists them.
fn key_of_export(
    dialog: &mut ExportDialog,
    analysis: &Arc<Analysis>,
    key: KeyEvent,
    command: Option<Command>,
) -> Intent {
    if dialog.is_written() && command == Some(Command::All(All::Show(ScreenName::Releases))) {
        return Intent::Many(vec![Intent::Close, Intent::Show(ScreenName::Releases)]);
    }
    dialog.key(analysis, key)
}

/// What is said of a letter that is no command of the screen.
fn no_command(key: KeyEvent, shared: &Shared) -> Option<String> {
    let KeyCode::Char(character) = key.code else { return None };
    Some(format!("{character} does nothing on this screen; {} lists its keys", shared.key("help")))
}
