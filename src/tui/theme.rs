//! Colour by meaning only; marks carry the meaning, colour repeats it.

use palmtop::model::Verdict;
use ratatui::style::{Color, Modifier, Style};

/// How things of a meaning look.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Theme {
    colour: bool,
}

impl Theme {
    /// With colour, unless `NO_COLOR` asks for none.
    pub(crate) fn from_environment() -> Self {
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Self { colour: !no_color }
    }

    /// Without colour.
    #[cfg(test)]
    pub(crate) fn plain() -> Self {
        Self { colour: false }
    }

    fn coloured(self, colour: Color) -> Style {
        if self.colour { Style::new().fg(colour) } else { Style::new() }
    }

    /// δ is kept.
    pub(crate) fn good(self) -> Style {
        self.coloured(Color::Green)
    }

    /// δ is broken.
    pub(crate) fn bad(self) -> Style {
        self.coloured(Color::Red)
    }

    /// Something to look at before going on.
    pub(crate) fn warning(self) -> Style {
        self.coloured(Color::Yellow)
    }

    /// A verdict on a class.
    pub(crate) fn verdict(self, verdict: Verdict) -> Style {
        match verdict {
            Verdict::Ok => Style::new(),
            Verdict::Over => self.bad(),
            Verdict::Under => self.warning(),
        }
    }

    /// Headings, and what has the focus.
    #[expect(clippy::unused_self, reason = "a theme may come to say otherwise")]
    pub(crate) fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// Rules and hints.
    pub(crate) fn faint(self) -> Style {
        if self.colour { Style::new().fg(Color::DarkGray) } else { Style::new() }
    }

    /// The row or cell under the cursor.
    #[expect(clippy::unused_self, reason = "a theme may come to say otherwise")]
    pub(crate) fn selected(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }
}

/// The mark of a verdict on a class.
pub(crate) fn mark(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Ok => " ",
        Verdict::Over => "▲",
        Verdict::Under => "▼",
    }
}
