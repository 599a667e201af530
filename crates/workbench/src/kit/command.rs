//! Lines of the tables of commands. A screen has a table of its own, and the workbench one for what holds everywhere.

use crossterm::event::KeyCode;

use super::name::ScreenName;

/// Where a cursor goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Movement {
    Up,
    Down,
    PageUp,
    PageDown,
    First,
    Last,
}

/// How far a page goes.
const PAGE: usize = 10;

impl Movement {
    /// Where a key leads in a list that is open over a screen; `None` for a key that moves nothing.
    pub(crate) fn in_list(code: KeyCode) -> Option<Self> {
        Some(match code {
            KeyCode::Down | KeyCode::Char('j') => Self::Down,
            KeyCode::Up | KeyCode::Char('k') => Self::Up,
            KeyCode::PageDown => Self::PageDown,
            KeyCode::PageUp => Self::PageUp,
            KeyCode::Home => Self::First,
            KeyCode::End | KeyCode::Char('G') => Self::Last,
            _ => return None,
        })
    }

    /// Moves a cursor among so many rows.
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

/// One line of a table: a command, its keys, and what is said of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<C> {
    pub(crate) command: C,
    /// How a keymap calls it: `export`, `workbench.coarser`.
    pub(crate) id: &'static str,
    /// The keys that it has unless a keymap gives it others.
    pub(crate) keys: &'static [&'static str],
    /// A word for the footer; empty for what the footer leaves out.
    pub(crate) short: &'static str,
    /// A sentence for the help and the palette.
    pub(crate) long: &'static str,
}

/// A line of a table.
pub(crate) const fn row<C>(
    id: &'static str,
    command: C,
    keys: &'static [&'static str],
    short: &'static str,
    long: &'static str,
) -> Row<C> {
    Row { command, id, keys, short, long }
}

/// What is known of a command beside what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Duty {
    /// Nothing.
    Plain,
    /// It moves a cursor, or opens the palette: the palette leaves it out.
    Unlisted,
    /// Without a key for it there is no way out.
    WayOut,
    /// Both.
    UnlistedWayOut,
    /// It alone may have this control character; the palette leaves out the one that quits.
    Signal(char),
}

/// A line of the whole table: of one screen, or of all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Binding {
    pub(crate) id: &'static str,
    /// The screen that has it; none for all.
    pub(crate) screen: Option<ScreenName>,
    pub(crate) keys: &'static [&'static str],
    pub(crate) short: &'static str,
    pub(crate) long: &'static str,
    pub(crate) duty: Duty,
    /// The screen that it opens.
    pub(crate) opens: Option<ScreenName>,
}

impl Binding {
    /// A line of a table as one of the whole.
    pub(crate) fn of<C>(row: &Row<C>, screen: Option<ScreenName>, duty: Duty) -> Self {
        let Row { id, keys, short, long, .. } = *row;
        Self { id, screen, keys, short, long, duty, opens: None }
    }

    /// The line that opens a screen.
    pub(crate) fn opening(row: &Row<()>, screen: ScreenName) -> Self {
        Self { opens: Some(screen), ..Self::of(row, None, Duty::Plain) }
    }
}
