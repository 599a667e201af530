//! The commands that hold on every screen, and the windows that some of them open.
//!
//! A new window needs a variant of [`WindowName`], an arm of [`WindowName::open`] and a line in [`MORE_ROWS`].

use super::opening::{self, Desk, NO_PROJECT, Opened};
use crate::kit::command::{Duty, Movement, Row, row};
use crate::kit::name::ScreenName;
use crate::shared::component::Wanted;
use crate::windows::command_lines::CommandList;
use crate::windows::glossary::Glossary;
use crate::windows::help::Help;
use crate::windows::history::state::History;
use crate::windows::messages::Messages;
use crate::windows::palette::state::Palette;

/// A command that holds on every screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// The open screen moves its cursor.
    Move(Movement),
    Show(ScreenName),
    Window(WindowName),
    Undo,
    Redo,
    Copy,
    CopyToFile,
    Reload,
    Open,
    Mouse,
    Redraw,
    Close,
    Suspend,
    Interrupt,
}

/// A window that a command opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WindowName {
    History,
    Commands,
    Export,
    Audit,
    Cautions,
    Palette,
    Help,
    Glossary,
    Messages,
}

use Command as C;
use Movement as M;
use WindowName as W;

impl Command {
    /// Where the command is listed, and which keys it must have.
    pub(crate) fn duty(self) -> Duty {
        match self {
            Self::Move(_) => Duty::Unlisted,
            Self::Window(WindowName::Palette) => Duty::UnlistedWayOut,
            Self::Close => Duty::WayOut,
            Self::Interrupt => Duty::Signal('c'),
            Self::Suspend => Duty::Signal('z'),
            _ => Duty::Plain,
        }
    }
}

impl WindowName {
    /// Opens the window.
    ///
    /// # Errors
    /// Why the window cannot open now.
    pub(crate) fn open(self, desk: &Desk) -> Result<Opened, String> {
        Ok(match self {
            Self::Help => Opened::window(Help::default()),
            Self::Glossary => Opened::window(Glossary::default()),
            Self::Messages => Opened::window(Messages::default()),
            Self::Palette => Opened::window(Palette::open(desk.keymap.table(), desk.about.name)),
            Self::History => Opened::window(History { cursor: desk.project()?.0.log.current() }),
            Self::Commands => {
                let lines = desk.project()?.0.commands.lines();
                Opened::window(CommandList { cursor: lines.len().saturating_sub(1) })
            }
            Self::Cautions => opening::open_cautions(desk)?,
            Self::Audit => opening::open_audit(desk)?,
            Self::Export => opening::open_export(desk)?,
        })
    }

    /// Why the window cannot open now, as far as that is known without opening it.
    pub(crate) fn why_not(self, desk: &Desk) -> Option<String> {
        let needs_project =
            matches!(self, Self::History | Self::Commands | Self::Export | Self::Audit | Self::Cautions);
        let Some((shared, screen)) = desk.project else {
            return needs_project.then(|| NO_PROJECT.to_owned());
        };
        match self {
            Self::History if shared.log.steps().len() < 2 => Some("there is only one step so far".to_owned()),
            Self::Export | Self::Audit => screen.why_not(Some(shared), Wanted::Release),
            _ => None,
        }
    }

    /// Whether the window takes the release of the screen: its key then waits until the view is counted.
    pub(crate) fn takes_release(self) -> bool {
        matches!(self, Self::Export | Self::Audit)
    }
}

/// The rows of the command table between those of the screens and those that open a screen.
#[rustfmt::skip]
pub(crate) const ROWS: &[Row<Command>] = &[
    row("undo", C::Undo, &["u"], "undo", "undo the last step"),
    row("redo", C::Redo, &["U"], "", "redo the step that was undone"),
    row("history", C::Window(W::History), &["B"], "", "go back to any step"),
];

/// The rows after those that open a screen.
#[rustfmt::skip]
pub(crate) const MORE_ROWS: &[Row<Command>] = &[
    row("export", C::Window(W::Export), &["e"], "export", "write the release, verified"),
    row("audit", C::Window(W::Audit), &["A"], "", "what an attacker who knows palmtop would learn"),
    row("cautions", C::Window(W::Cautions), &["C"], "", "the cautions to read before you sign, with Safe Harbor"),
    row("copy", C::Copy, &["y"], "", "copy the figures to the clipboard"),
    row("copy-to-file", C::CopyToFile, &["Y"], "", "write the figures to a file"),
    row("down", C::Move(M::Down), &["j", "Down"], "", "next row"),
    row("up", C::Move(M::Up), &["k", "Up"], "", "previous row"),
    row("page-down", C::Move(M::PageDown), &["PgDn", "^D"], "", "ten rows down"),
    row("page-up", C::Move(M::PageUp), &["PgUp", "^U"], "", "ten rows up"),
    row("first", C::Move(M::First), &["Home"], "", "first row"),
    row("last", C::Move(M::Last), &["End", "G"], "", "last row"),
    row("reload", C::Reload, &["^R"], "", "read the project again, after an edit of it or of a table"),
    row("open", C::Open, &["^O"], "", "open another project"),
    row("palette", C::Window(W::Palette), &[":"], "all", "every command, by its words"),
    row("help", C::Window(W::Help), &["?", "F1"], "help", "the keys of this screen, or of a dialog (F1)"),
    row("glossary", C::Window(W::Glossary), &["W"], "", "what the words and the marks mean"),
    row("commands", C::Window(W::Commands), &["$"], "", "what was done, as command lines to copy"),
    row("messages", C::Window(W::Messages), &["L"], "", "the last messages of the status line, in full"),
    row("mouse", C::Mouse, &["M"], "", "mouse on or off"),
    row("redraw", C::Redraw, &["^L"], "", "draw the screen again"),
    row("close", C::Close, &["q", "Esc"], "close", "close what is open, or quit (not with Esc)"),
    row("suspend", C::Suspend, &["^Z"], "", "go to the shell; fg comes back"),
    row("quit", C::Interrupt, &["^C"], "", "quit, after a question"),
];
