//! What keys, clicks and pasted text do, whatever is open.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use crate::tui::app::commands::{Binding, Command};
use crate::tui::app::copy;
use crate::tui::app::session::{Pane, Session};
use crate::tui::app::{App, Effect, Overlay, Phase};
use crate::tui::kit::hits::Target;
use crate::tui::kit::name::ScreenName;
use crate::tui::overlays::delta::DeltaDialog;
use crate::tui::overlays::export::{ExportDialog, Stage};
use crate::tui::overlays::palette::Palette;
use crate::tui::overlays::prompt::{Prompt, Purpose};

impl App {
    /// A key.
    pub(crate) fn key(&mut self, key: KeyEvent) {
        let control =
            |letter| key.code == KeyCode::Char(letter) && key.modifiers.contains(KeyModifiers::CONTROL);
        if control('z') {
            self.suspend();
            return;
        }
        let loaded = matches!(self.phase, Phase::Ready(_));
        if self.asks_to_quit {
            self.asks_to_quit = false;
            if control('c') || matches!(key.code, KeyCode::Char('y' | 'Y')) {
                self.done = true;
            }
            return;
        }
        if control('c') {
            // While it loads there is nothing to lose, and nothing to ask.
            self.asks_to_quit = loaded;
            if !loaded {
                self.stop_loading();
            }
            return;
        }
        if self.is_too_small.get() {
            // Nothing that is open can be seen: it can be closed, and that is all.
            match key.code {
                KeyCode::Esc => self.overlay = None,
                KeyCode::Char('q') if self.overlay.is_none() => self.asks_to_quit = loaded,
                _ => {}
            }
            return;
        }
        match &mut self.overlay {
            Some(Overlay::Help(row)) => match key.code {
                KeyCode::Down | KeyCode::Char('j') => *row += 1,
                KeyCode::Up | KeyCode::Char('k') => *row = row.saturating_sub(1),
                KeyCode::PageDown | KeyCode::Char(' ') => *row += 10,
                KeyCode::PageUp => *row = row.saturating_sub(10),
                _ => self.overlay = None,
            },
            Some(Overlay::Palette(_)) => self.key_at_palette(key),
            Some(Overlay::Prompt(_)) => self.key_at_prompt(key),
            Some(Overlay::Delta(_)) => self.key_at_delta(key),
            Some(Overlay::History(_)) => self.key_at_history(key),
            Some(Overlay::Export(_)) => self.key_at_export(key),
            None => self.key_at_screen(key),
        }
    }

    fn stop_loading(&mut self) {
        if let Phase::Loading(loading) = &self.phase {
            loading.cancel.store(true, std::sync::atomic::Ordering::Relaxed);
        }
        self.done = true;
    }

    /// Pasted text goes where text is typed.
    pub(crate) fn paste(&mut self, pasted: &str) {
        if self.asks_to_quit {
            return;
        }
        let plain = pasted.chars().filter(|character| !character.is_control());
        match &mut self.overlay {
            Some(Overlay::Export(dialog)) => plain.for_each(|character| dialog.type_character(character)),
            Some(Overlay::Palette(palette)) => {
                plain.for_each(|character| palette.input.insert(character));
                palette.search();
            }
            Some(Overlay::Prompt(prompt)) => plain.for_each(|character| prompt.input.insert(character)),
            Some(Overlay::Delta(dialog)) => {
                let input = dialog.input();
                plain.for_each(|character| input.insert(character));
            }
            _ => {}
        }
    }

    /// A click or the wheel, where the mouse is listened to.
    pub(crate) fn mouse(&mut self, mouse: MouseEvent) {
        if self.asks_to_quit {
            return;
        }
        let command = match mouse.kind {
            MouseEventKind::ScrollDown => Some(Command::Down),
            MouseEventKind::ScrollUp => Some(Command::Up),
            _ => None,
        };
        if let (Some(command), None) = (command, &self.overlay) {
            self.run(command);
            return;
        }
        if mouse.kind != MouseEventKind::Down(MouseButton::Left) {
            return;
        }
        let Phase::Ready(session) = &mut self.phase else { return };
        let Some(target) = session.hits.at(mouse.column, mouse.row) else { return };
        match (&mut self.overlay, target) {
            (Some(Overlay::Palette(palette)), Target::Row(row)) => {
                palette.cursor = row;
                self.run_chosen();
            }
            (Some(Overlay::History(cursor)), Target::Row(row)) => *cursor = row,
            (None, target) => session.click(&self.jobs, target),
            _ => {}
        }
    }

    fn key_at_palette(&mut self, key: KeyEvent) {
        let Some(Overlay::Palette(palette)) = &mut self.overlay else { return };
        let last = palette.matches.len().saturating_sub(1);
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Esc => self.overlay = None,
            KeyCode::Enter => self.run_chosen(),
            KeyCode::Down | KeyCode::Tab => palette.cursor = (palette.cursor + 1).min(last),
            KeyCode::Up | KeyCode::BackTab => palette.cursor = palette.cursor.saturating_sub(1),
            KeyCode::PageDown => palette.cursor = (palette.cursor + 10).min(last),
            KeyCode::PageUp => palette.cursor = palette.cursor.saturating_sub(10),
            KeyCode::Char('n') if control => palette.cursor = (palette.cursor + 1).min(last),
            KeyCode::Char('p') if control => palette.cursor = palette.cursor.saturating_sub(1),
            KeyCode::Char(character) if !control => {
                palette.input.insert(character);
                palette.search();
            }
            _ => {
                palette.input.edit(key);
                palette.search();
            }
        }
    }

    /// Leaves the terminal to the shell. Whoever comes back need not be who left: what was revealed is hidden.
    fn suspend(&mut self) {
        if let Phase::Ready(session) = &mut self.phase {
            session.tables.revealed = false;
        }
        self.effects.push(Effect::Suspend);
    }

    /// Runs the command under the palette's cursor; one that cannot run says why, and the palette stays.
    fn run_chosen(&mut self) {
        let Some(Overlay::Palette(palette)) = &self.overlay else { return };
        let Some(binding) = palette.chosen() else { return };
        if let Some(why) = self.why_not(binding) {
            self.status = why;
            return;
        }
        self.overlay = None;
        if let (Some(screen), Phase::Ready(session)) = (binding.screen, &mut self.phase)
            && screen != session.screen
        {
            session.show(&self.jobs, screen);
        }
        self.run(binding.command);
    }

    /// Why a command of the table cannot run now; from another screen, that screen is opened first.
    pub(crate) fn why_not(&self, binding: &Binding) -> Option<String> {
        let Phase::Ready(session) = &self.phase else { return Some("nothing is loaded yet".to_owned()) };
        session.why_not(binding.screen.unwrap_or(session.screen), binding.command)
    }

    fn key_at_prompt(&mut self, key: KeyEvent) {
        let (Some(Overlay::Prompt(prompt)), Phase::Ready(session)) = (&mut self.overlay, &mut self.phase)
        else {
            return;
        };
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Esc => {
                let before = std::mem::take(&mut prompt.before);
                if prompt.purpose == Purpose::Filter && before != session.classes.filter_text {
                    // It was a filter before, so it is one now.
                    let _ = session.take_prompt(&self.jobs, Purpose::Filter, &before);
                }
                self.overlay = None;
                return;
            }
            KeyCode::Enter => {
                let (purpose, typed) = (prompt.purpose, prompt.input.text().to_owned());
                match session.take_prompt(&self.jobs, purpose, &typed) {
                    Ok(said) => {
                        self.overlay = None;
                        self.status = said;
                    }
                    Err(wrong) => prompt.wrong = Some(wrong),
                }
                return;
            }
            KeyCode::Char(character) if !control => prompt.input.insert(character),
            _ => prompt.input.edit(key),
        }
        prompt.wrong = None;
        if prompt.purpose == Purpose::Filter {
            // What is half typed may be no filter yet: then the list stays as it is.
            let typed = prompt.input.text().to_owned();
            let _ = session.take_prompt(&self.jobs, Purpose::Filter, &typed);
        }
    }

    fn key_at_delta(&mut self, key: KeyEvent) {
        let (Some(Overlay::Delta(dialog)), Phase::Ready(session)) = (&mut self.overlay, &mut self.phase)
        else {
            return;
        };
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Esc => self.overlay = None,
            KeyCode::Tab | KeyCode::Down => dialog.next(true),
            KeyCode::BackTab | KeyCode::Up => dialog.next(false),
            KeyCode::Char('t') if control => {
                if let Err(why) = dialog.take_advice(&session.problem) {
                    dialog.refused = Some(why);
                }
            }
            KeyCode::Enter => match dialog.delta(&session.problem) {
                Ok(delta) if delta == session.delta() => {
                    self.overlay = None;
                    self.status = format!("δ is {} to {} already", delta.min(), delta.max());
                }
                Ok(delta) => {
                    session.change_delta(&self.jobs, delta);
                    self.overlay = None;
                    let undo = session.key("undo");
                    self.status = format!("δ is {} to {} now; {undo} goes back", delta.min(), delta.max());
                }
                Err(why) => dialog.refused = Some(why),
            },
            KeyCode::Char(character) if !control => dialog.input().insert(character),
            _ => dialog.input().edit(key),
        }
    }

    fn key_at_history(&mut self, key: KeyEvent) {
        let (Some(Overlay::History(cursor)), Phase::Ready(session)) = (&mut self.overlay, &mut self.phase)
        else {
            return;
        };
        let last = session.log.steps().len() - 1;
        match key.code {
            KeyCode::Down | KeyCode::Char('j') => *cursor = (*cursor + 1).min(last),
            KeyCode::Up | KeyCode::Char('k') => *cursor = cursor.saturating_sub(1),
            KeyCode::PageDown => *cursor = (*cursor + 10).min(last),
            KeyCode::PageUp => *cursor = cursor.saturating_sub(10),
            KeyCode::Home => *cursor = 0,
            KeyCode::End | KeyCode::Char('G') => *cursor = last,
            KeyCode::Enter => {
                let step = *cursor;
                session.jump(&self.jobs, step);
                self.overlay = None;
                self.status = std::mem::take(&mut session.notice);
            }
            _ => self.overlay = None,
        }
    }

    fn key_at_export(&mut self, key: KeyEvent) {
        let (Some(Overlay::Export(dialog)), Phase::Ready(session)) = (&mut self.overlay, &self.phase) else {
            return;
        };
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match (key.code, &dialog.stage) {
            // What is written is written whole, or not at all.
            (KeyCode::Esc | KeyCode::Char('x'), Stage::Running { .. }) => dialog.cancel(),
            (_, Stage::Running { .. }) => {}
            (KeyCode::Esc, _) | (_, Stage::Written(_)) => self.overlay = None,
            (KeyCode::Char('y' | 'Y'), Stage::Overwrite) => dialog.write(&self.jobs, &session.analysis, true),
            (_, Stage::Overwrite | Stage::Refused(_)) => dialog.stage = Stage::Name,
            (KeyCode::Enter, _) => dialog.confirm(&self.jobs, &session.analysis),
            (KeyCode::Char('y'), _) if control => {
                let line = dialog.command_line();
                self.copy(copy::Text::plain(line));
            }
            (KeyCode::Char(character), _) if !control => dialog.type_character(character),
            _ => dialog.input().edit(key),
        }
    }

    fn key_at_screen(&mut self, key: KeyEvent) {
        let Phase::Ready(session) = &self.phase else {
            if key.code == KeyCode::Char('q') || key.code == KeyCode::Esc {
                self.stop_loading();
            }
            return;
        };
        if let Some(command) = self.settings.keymap.command(session.screen, key) {
            self.run(command);
        }
    }

    /// Runs a command on the screen that is open.
    fn run(&mut self, command: Command) {
        let Phase::Ready(session) = &mut self.phase else { return };
        self.status.clear();
        let screen = session.screen;
        match command {
            Command::Help => self.overlay = Some(Overlay::Help(0)),
            Command::Palette => self.overlay = Some(Overlay::Palette(Palette::open(screen))),
            Command::Delta => {
                self.overlay = Some(Overlay::Delta(Box::new(DeltaDialog::open(session.delta()))));
            }
            Command::History => self.overlay = Some(Overlay::History(session.log.current())),
            Command::Filter => {
                let prompt = Prompt::new(Purpose::Filter, &session.classes.filter_text);
                self.overlay = Some(Overlay::Prompt(prompt));
            }
            Command::Find => {
                self.overlay = Some(Overlay::Prompt(Prompt::new(Purpose::Find(screen), "")));
            }
            Command::Suspend => self.suspend(),
            Command::Redraw => self.effects.push(Effect::Redraw),
            Command::Mouse => {
                self.settings.mouse = !self.settings.mouse;
                self.effects.push(Effect::Mouse(self.settings.mouse));
                let state = if self.settings.mouse { "on: click a row, turn the wheel" } else { "off" };
                self.status = format!("the mouse is {state}");
            }
            Command::Close if screen != ScreenName::Workbench => {
                session.show(&self.jobs, ScreenName::Workbench);
            }
            Command::Close | Command::Interrupt => self.asks_to_quit = true,
            Command::Copy | Command::CopyToFile => match copy::figures(session) {
                Ok(text) if command == Command::Copy => self.copy(text),
                Ok(text) => copy::to_file(&self.jobs, safe(text)),
                Err(why) => self.status = why,
            },
            Command::Export => match session.chosen() {
                Ok((place, release)) => {
                    let name = &self.opening.command_name;
                    self.dialogs += 1;
                    let dialog = ExportDialog::open(&self.jobs, session, place, release, name, self.dialogs);
                    self.overlay = Some(Overlay::Export(Box::new(dialog)));
                }
                Err(why) => self.status = why,
            },
            command => {
                self.status = match session.act(&self.jobs, command) {
                    Ok(()) => std::mem::take(&mut session.notice),
                    Err(why_not) => why_not,
                };
            }
        }
    }

    /// Copies by whatever way there is. Where it is pasted it must not drive anything either.
    fn copy(&mut self, text: copy::Text) {
        let text = safe(text);
        match copy::Way::of_this_terminal() {
            copy::Way::Tmux => copy::to_tmux(&self.jobs, text),
            copy::Way::Terminal => {
                self.status = format!("{} handed to the terminal's clipboard (OSC 52)", text.what);
                self.effects.push(Effect::Clipboard(text.content));
            }
            copy::Way::File => copy::to_file(&self.jobs, text),
        }
    }
}

fn safe(mut text: copy::Text) -> copy::Text {
    text.content = palmtop::text::escape_lines(&text.content).into_owned();
    text
}

impl Session {
    /// A click on something of the screen.
    fn click(&mut self, jobs: &crate::tui::kit::job::Jobs, target: Target) {
        match target {
            Target::PaneRow(pane, row) => {
                self.pane = pane;
                match pane {
                    Pane::Steps => self.step_cursor = row,
                    Pane::Classes => {
                        self.classes.cursor = row;
                        self.explain(jobs);
                    }
                }
            }
            Target::Row(row) => self.click_row(jobs, row),
            Target::Column(column) => self.click_column(jobs, column),
        }
    }
}
