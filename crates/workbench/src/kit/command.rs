//! Rows of the tables of commands. Each screen has a table, and one table holds on every screen.

use crossterm::event::KeyCode;

use super::name::ScreenName;
use super::verb::Verb;

/// A movement of a cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Movement {
    Up,
    Down,
    PageUp,
    PageDown,
    First,
    Last,
}

/// The rows of a page.
const PAGE: usize = 10;

impl Movement {
    /// The movement that a key means in a list over a screen; `None` if the key moves nothing.
    pub(crate) fn in_list(code: KeyCode) -> Option<Self> {
        Some(match code {
            KeyCode::Down | KeyCode::Char('j') => Self::Down,
            KeyCode::Up | KeyCode::Char('k') => Self::Up,
            KeyCode::PageDown => Self::PageDown,
            KeyCode::PageUp => Self::PageUp,
            KeyCode::Home | KeyCode::Char('g') => Self::First,
            KeyCode::End | KeyCode::Char('G') => Self::Last,
            _ => return None,
        })
    }

    /// Moves a cursor within `count` rows.
    pub(crate) fn shift(self, cursor: &mut usize, count: usize) {
        let last = count.saturating_sub(1);
        *cursor = match self {
            Self::Down => (*cursor + 1).min(last),
            Self::Up => cursor.saturating_sub(1),
            Self::PageDown => (*cursor + PAGE).min(last),
            Self::PageUp => cursor.saturating_sub(PAGE),
            Self::First => 0,
            Self::Last => last,
        };
    }
}

/// A row of a table: a command, its keys and its texts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<C> {
    pub(crate) command: C,
    /// Its name in a keymap: `export`, `workbench.coarser`.
    pub(crate) id: &'static str,
    /// What it is a case of. Its key is that of the verb.
    pub(crate) verb: Verb,
    /// The word in the footer; empty if the footer leaves the command out.
    pub(crate) short: &'static str,
    /// A sentence for the help and the palette.
    pub(crate) long: &'static str,
}

/// Makes a row of a table.
pub(crate) const fn row<C>(
    id: &'static str,
    command: C,
    verb: Verb,
    short: &'static str,
    long: &'static str,
) -> Row<C> {
    Row { command, id, verb, short, long }
}

/// A property of a command that the list of commands needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Duty {
    Plain,
    /// The command moves a cursor or opens the list, so the list leaves it out.
    Unlisted,
}

/// A row of the complete table: of one screen, or of every screen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Binding {
    pub(crate) id: &'static str,
    /// The screen that has the command; none if every screen has it.
    pub(crate) screen: Option<ScreenName>,
    pub(crate) verb: Verb,
    pub(crate) short: &'static str,
    pub(crate) long: &'static str,
    pub(crate) duty: Duty,
    /// The screen that the command opens.
    pub(crate) opens: Option<ScreenName>,
    /// The verb of the tab whose main pane that screen is.
    pub(crate) tab: Verb,
}

impl Binding {
    /// Turns a row of one table into a row of the complete table.
    pub(crate) fn of<C>(row: &Row<C>, screen: Option<ScreenName>, duty: Duty) -> Self {
        let Row { id, verb, short, long, .. } = *row;
        Self { id, screen, verb, short, long, duty, opens: None, tab: Verb::Listed }
    }

    /// The row of a command that opens a screen.
    pub(crate) fn opening(row: &Row<()>, screen: ScreenName, tab: Verb) -> Self {
        Self { opens: Some(screen), tab, ..Self::of(row, None, Duty::Plain) }
    }
}
