//! The commands that hold on every screen, and the windows that some of them open.
//!
//! A new window needs a variant of [`WindowName`], an arm of [`WindowName::open`] and a line in [`MORE_ROWS`].

use super::opening::{self, Desk, NO_PROJECT, Opened};
use crate::kit::command::{Duty, Movement, Row, row};
use crate::kit::name::ScreenName;
use crate::kit::verb::Verb as V;
use crate::shared::component::Wanted;
use crate::shared::screen::Tab;
use crate::windows::command_lines::CommandList;
use crate::windows::glossary::Glossary;
use crate::windows::history::state::History;
use crate::windows::menu::state::{CommandMenu, Reach};
use crate::windows::messages::Messages;

/// A command that holds on every screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// The open screen moves its cursor.
    Move(Movement),
    /// Open a tab; if it is open, its next pane.
    Tab(Tab),
    Show(ScreenName),
    /// Change δ.
    Delta,
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
    /// What can be done on the open screen.
    Here,
    /// Everything that can be done.
    All,
    Glossary,
    Messages,
}

use Command as C;
use Movement as M;
use WindowName as W;

impl Command {
    /// Whether the list of commands has it.
    pub(crate) fn duty(self) -> Duty {
        match self {
            Self::Move(_) | Self::Window(WindowName::Here | WindowName::All) | Self::Interrupt => {
                Duty::Unlisted
            }
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
            Self::Here => {
                Opened::window(CommandMenu::open(desk.keymap.table(), desk.about.name, Reach::Here))
            }
            Self::All => Opened::window(CommandMenu::open(desk.keymap.table(), desk.about.name, Reach::All)),
            Self::Glossary => Opened::window(Glossary::default()),
            Self::Messages => Opened::window(Messages::default()),
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

/// The rows of the command table between those of the screens and those that open a screen. The lists and the last line
/// have them in this order.
#[rustfmt::skip]
pub(crate) const ROWS: &[Row<Command>] = &[
    row("export", C::Window(W::Export), V::Export, "export", "write the release, verified"),
    row("undo", C::Undo, V::Undo, "undo", "undo the last step"),
    row("redo", C::Redo, V::Redo, "", "redo the step that was undone"),
    row("cautions", C::Window(W::Cautions), V::Cautions, "cautions", "the cautions to read before you sign"),
    row("delta", C::Delta, V::Delta, "δ", "change δ and the policy, or get advice on it"),
    row("copy", C::Copy, V::Copy, "", "copy the figures to the clipboard"),
    row("commands", C::Window(W::Commands), V::Commands, "", "what was done, as command lines to copy"),
    row("audit", C::Window(W::Audit), V::Listed, "", "what an attacker who knows palmtop would learn"),
    row("history", C::Window(W::History), V::Listed, "", "go back to any step"),
    row("copy-to-file", C::CopyToFile, V::Listed, "", "write the figures to a file"),
    row("glossary", C::Window(W::Glossary), V::Listed, "", "how to read this screen; what words and marks mean"),
    row("messages", C::Window(W::Messages), V::Listed, "", "the last messages of the status line, in full"),
    row("reload", C::Reload, V::Listed, "", "read the project again, after an edit of it or of a table"),
    row("open-project", C::Open, V::Listed, "", "open another project"),
];

/// The rows after those that open a screen.
#[rustfmt::skip]
pub(crate) const MORE_ROWS: &[Row<Command>] = &[
    row("tab.data", C::Tab(Tab::Data), V::Data, "", "Data: the tables and the hierarchies"),
    row("tab.classes", C::Tab(Tab::Classes), V::Classes, "", "Classes: who could be found, and what a step changes"),
    row("tab.releases", C::Tab(Tab::Releases), V::Releases, "", "Releases: run searches and compare what they find"),
    row("tab.policy", C::Tab(Tab::Policy), V::Policy, "", "δ and policy: what is promised"),
    row("tab.files", C::Tab(Tab::Files), V::Files, "", "Files: what was written"),
    row("down", C::Move(M::Down), V::Down, "", "next row"),
    row("up", C::Move(M::Up), V::Up, "", "previous row"),
    row("page-down", C::Move(M::PageDown), V::PageDown, "", "ten rows down"),
    row("page-up", C::Move(M::PageUp), V::PageUp, "", "ten rows up"),
    row("first", C::Move(M::First), V::First, "", "first row"),
    row("last", C::Move(M::Last), V::Last, "", "last row"),
    row("here", C::Window(W::Here), V::Here, "", "what can be done on this screen"),
    row("all", C::Window(W::All), V::All, "", "every command, by its words"),
    row("mouse", C::Mouse, V::Listed, "", "mouse on or off"),
    row("redraw", C::Redraw, V::Redraw, "", "draw the screen again"),
    row("close", C::Close, V::Close, "", "close what is open, or quit (not with Esc)"),
    row("suspend", C::Suspend, V::Suspend, "", "go to the shell; fg comes back"),
    row("quit", C::Interrupt, V::Quit, "", "quit, after a question"),
];
