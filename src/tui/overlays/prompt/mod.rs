//! A line that is typed at the foot of the screen: what to find, what to filter by.

pub(crate) mod view;

use crate::tui::kit::input::Input;
use crate::tui::kit::name::ScreenName;

/// What the line is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// What to look for on a screen.
    Find(ScreenName),
    /// Which classes to show.
    Filter,
}

/// The line.
pub(crate) struct Prompt {
    pub(crate) purpose: Purpose,
    pub(crate) input: Input,
    /// What it began with.
    pub(crate) before: String,
    /// What is wrong with it, as far as it is typed.
    pub(crate) wrong: Option<String>,
}

impl Prompt {
    /// A line that begins with a text.
    pub(crate) fn new(purpose: Purpose, text: &str) -> Self {
        Self { purpose, input: Input::new(text.to_owned()), before: text.to_owned(), wrong: None }
    }

    /// The word before it.
    pub(crate) fn word(&self) -> &'static str {
        match self.purpose {
            Purpose::Find(ScreenName::Lattice) => "node",
            Purpose::Find(_) => "find",
            Purpose::Filter => "filter",
        }
    }

    /// What can be typed.
    pub(crate) fn hint(&self) -> &'static str {
        match self.purpose {
            Purpose::Find(ScreenName::Lattice) => "levels, * for any: 2,1,*,0",
            Purpose::Find(ScreenName::Hierarchies) => "a part of a label",
            Purpose::Find(_) => "a part of any label",
            Purpose::Filter => {
                "presence>.4  private>=10  zip:479 (has)  sex=male (is)  over  under  ok  !not"
            }
        }
    }
}
