//! The commands that hold on every screen.

use crate::kit::command::{Duty, Movement, Row, row};
use crate::kit::name::ScreenName;

/// Something that can be asked for on every screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// The open screen moves its cursor.
    Move(Movement),
    Show(ScreenName),
    Undo,
    Redo,
    History,
    Delta,
    Export,
    Audit,
    Cautions,
    Copy,
    CopyToFile,
    Reload,
    Open,
    Palette,
    Help,
    Glossary,
    Messages,
    Mouse,
    Redraw,
    Close,
    Suspend,
    Interrupt,
}

use Command as C;
use Movement as M;

impl Command {
    /// What is known of it beside what it does.
    pub(crate) fn duty(self) -> Duty {
        match self {
            Self::Move(_) => Duty::Unlisted,
            Self::Palette => Duty::UnlistedWayOut,
            Self::Close => Duty::WayOut,
            Self::Interrupt => Duty::Signal('c'),
            Self::Suspend => Duty::Signal('z'),
            _ => Duty::Plain,
        }
    }
}

/// Their part of the table, after the screens' own; what opens a screen comes next.
#[rustfmt::skip]
pub(crate) const ROWS: &[Row<Command>] = &[
    row("undo", C::Undo, &["u"], "undo", "back to where you were"),
    row("redo", C::Redo, &["U"], "", "on again, after an undo"),
    row("history", C::History, &["B"], "", "back to any step"),
    row("delta", C::Delta, &["d"], "δ", "change δ, or have it advised"),
];

/// Those that come after the screens.
#[rustfmt::skip]
pub(crate) const MORE_ROWS: &[Row<Command>] = &[
    row("export", C::Export, &["e"], "export", "write it, verified"),
    row("audit", C::Audit, &["A"], "", "what a search's release tells who knows palmtop"),
    row("cautions", C::Cautions, &["C"], "", "the cautions: what has to be known before signing, Safe Harbor too"),
    row("copy", C::Copy, &["y"], "", "copy the figures to the clipboard"),
    row("copy-to-file", C::CopyToFile, &["Y"], "", "write the figures to a file"),
    row("down", C::Move(M::Down), &["j", "Down"], "", "next row"),
    row("up", C::Move(M::Up), &["k", "Up"], "", "previous row"),
    row("page-down", C::Move(M::PageDown), &["PgDn", "^D"], "", "ten rows on"),
    row("page-up", C::Move(M::PageUp), &["PgUp", "^U"], "", "ten rows back"),
    row("first", C::Move(M::First), &["Home"], "", "first row"),
    row("last", C::Move(M::Last), &["End", "G"], "", "last row"),
    row("reload", C::Reload, &["^R"], "", "read the project again, after it or a table was edited"),
    row("open", C::Open, &["^O"], "", "open another project"),
    row("palette", C::Palette, &[":"], "all", "every command, by its words"),
    row("help", C::Help, &["?", "F1"], "help", "the keys of this screen; F1 in a dialog, too"),
    row("glossary", C::Glossary, &["W"], "", "words and marks: what each of them means"),
    row("messages", C::Messages, &["L"], "", "the last messages of the line at the foot, whole"),
    row("mouse", C::Mouse, &["M"], "", "mouse on or off"),
    row("redraw", C::Redraw, &["^L"], "", "draw the screen anew"),
    row("close", C::Close, &["q", "Esc"], "close", "close what is open, or quit (not with Esc)"),
    row("suspend", C::Suspend, &["^Z"], "", "to the shell; fg comes back"),
    row("quit", C::Interrupt, &["^C"], "", "quit, after a question"),
];
