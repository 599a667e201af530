//! Colours by meaning. Marks carry the meaning, and colours repeat it.

use anstyle_lossy::palette::Palette;
use palmtop_core::model::Verdict;
use ratatui::style::{Color, Modifier, Style};

/// The number of colours that the terminal shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Depth {
    None,
    Sixteen,
    TwoHundredFiftySix,
    True,
}

/// The terminal's background.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Background {
    Dark,
    Light,
}

/// The colours of a theme, by meaning; none means the terminal's default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Colours {
    pub(crate) good: Option<Color>,
    pub(crate) bad: Option<Color>,
    pub(crate) warning: Option<Color>,
    pub(crate) accent: Option<Color>,
    pub(crate) faint: Option<Color>,
}

impl Colours {
    /// The colours for a background, in full depth.
    pub(crate) const fn of(background: Background) -> Self {
        match background {
            Background::Dark => Self {
                good: Some(Color::Rgb(0x7b, 0xc2, 0x6b)),
                bad: Some(Color::Rgb(0xf0, 0x71, 0x6b)),
                warning: Some(Color::Rgb(0xe3, 0xb3, 0x41)),
                accent: Some(Color::Rgb(0x6c, 0xb6, 0xe8)),
                faint: Some(Color::Rgb(0x8b, 0x93, 0x9c)),
            },
            Background::Light => Self {
                good: Some(Color::Rgb(0x11, 0x6b, 0x2b)),
                bad: Some(Color::Rgb(0xc2, 0x25, 0x2b)),
                warning: Some(Color::Rgb(0x8f, 0x5b, 0x00)),
                accent: Some(Color::Rgb(0x09, 0x5f, 0xb8)),
                faint: Some(Color::Rgb(0x65, 0x6d, 0x76)),
            },
        }
    }

    /// The colours for a background with sixteen colours: those of the terminal, which its user
    /// chose.
    const fn sixteen(background: Background) -> Self {
        let (warning, faint) = match background {
            Background::Dark => (Color::Yellow, Color::DarkGray),
            Background::Light => (Color::Magenta, Color::DarkGray),
        };
        Self {
            good: Some(Color::Green),
            bad: Some(Color::Red),
            warning: Some(warning),
            accent: Some(Color::Blue),
            faint: Some(faint),
        }
    }

    fn each(self, change: impl Fn(Color) -> Color) -> Self {
        Self {
            good: self.good.map(&change),
            bad: self.bad.map(&change),
            warning: self.warning.map(&change),
            accent: self.accent.map(&change),
            faint: self.faint.map(&change),
        }
    }
}

/// The styles of a theme, by meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Theme {
    colours: Colours,
}

impl Theme {
    /// The built-in theme for a terminal.
    pub(crate) fn built_in(depth: Depth, background: Background) -> Self {
        match depth {
            Depth::None => Self::plain(),
            Depth::Sixteen => Self { colours: Colours::sixteen(background) },
            _ => Self::of(Colours::of(background), depth),
        }
    }

    /// These colours, reduced to what the terminal shows.
    pub(crate) fn of(colours: Colours, depth: Depth) -> Self {
        match depth {
            Depth::None => Self::plain(),
            _ => Self { colours: colours.each(|colour| lowered(colour, depth)) },
        }
    }

    /// Without colour.
    pub(crate) const fn plain() -> Self {
        Self { colours: Colours { good: None, bad: None, warning: None, accent: None, faint: None } }
    }

    /// The colours in the depth of the terminal.
    pub(crate) fn colours(self) -> Colours {
        self.colours
    }

    /// δ is kept.
    pub(crate) fn good(self) -> Style {
        coloured(self.colours.good)
    }

    /// δ is broken.
    pub(crate) fn bad(self) -> Style {
        coloured(self.colours.bad)
    }

    /// A point to check before the next step.
    pub(crate) fn warning(self) -> Style {
        coloured(self.colours.warning)
    }

    /// Keys and choices.
    pub(crate) fn accent(self) -> Style {
        coloured(self.colours.accent)
    }

    /// A verdict on a class.
    pub(crate) fn verdict(self, verdict: Verdict) -> Style {
        match verdict {
            Verdict::Ok => Style::new(),
            Verdict::Over | Verdict::Breaks(_) => self.bad(),
            Verdict::Under => self.warning(),
        }
    }

    /// Whether δ is kept.
    pub(crate) fn kept(self, kept: bool) -> Style {
        if kept { self.good() } else { self.bad() }
    }

    /// Headings, and the focused pane.
    #[expect(clippy::unused_self, reason = "a theme may come to say otherwise")]
    pub(crate) fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// Rules and hints.
    pub(crate) fn faint(self) -> Style {
        coloured(self.colours.faint)
    }

    /// The row or cell under the cursor.
    #[expect(clippy::unused_self, reason = "a theme may come to say otherwise")]
    pub(crate) fn selected(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }
}

fn coloured(colour: Option<Color>) -> Style {
    colour.map_or(Style::new(), |colour| Style::new().fg(colour))
}

/// The nearest colour that a terminal of this depth shows.
fn lowered(colour: Color, depth: Depth) -> Color {
    let xterm = match (colour, depth) {
        (_, Depth::True) => return colour,
        (Color::Rgb(red, green, blue), _) => anstyle_lossy::rgb_to_xterm(anstyle::RgbColor(red, green, blue)),
        (Color::Indexed(index), _) => anstyle::Ansi256Color(index),
        _ => return colour,
    };
    if depth == Depth::TwoHundredFiftySix {
        return Color::Indexed(xterm.0);
    }
    // Numbers below 16 are the terminal's configured colours.
    Color::Indexed(
        anstyle::Ansi256Color::from_ansi(anstyle_lossy::xterm_to_ansi(xterm, Palette::default())).0,
    )
}

/// The mark of a verdict on a class.
pub(crate) fn mark(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Ok => " ",
        Verdict::Over => "▲",
        Verdict::Under => "▼",
        Verdict::Breaks(_) => "✗",
    }
}

/// ✓ or ✗.
pub(crate) fn sign(kept: bool) -> &'static str {
    if kept { "✓" } else { "✗" }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The relative luminance of a colour (WCAG 2.2).
    fn luminance([red, green, blue]: [u8; 3]) -> f64 {
        let part = |value: u8| {
            let value = f64::from(value) / 255.0;
            if value <= 0.039_28 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue)
    }

    #[test]
    fn colours_have_contrast_on_usual_backgrounds() {
        for (background, usual) in [
            (Background::Dark, [[0, 0, 0], [0x1e, 0x1e, 0x1e]]),
            (Background::Light, [[0xff, 0xff, 0xff], [0xfd, 0xf6, 0xe3]]),
        ] {
            for depth in [Depth::True, Depth::TwoHundredFiftySix] {
                let Colours { good, bad, warning, accent, faint } =
                    Theme::built_in(depth, background).colours();
                for colour in [good, bad, warning, accent, faint].into_iter().flatten() {
                    let shown = match colour {
                        Color::Rgb(red, green, blue) => [red, green, blue],
                        Color::Indexed(index) => {
                            let rgb =
                                anstyle_lossy::xterm_to_rgb(anstyle::Ansi256Color(index), Palette::default());
                            [rgb.0, rgb.1, rgb.2]
                        }
                        other => panic!("{other:?}"),
                    };
                    for behind in usual {
                        let (one, other) = (luminance(shown), luminance(behind));
                        let contrast = (one.max(other) + 0.05) / (one.min(other) + 0.05);
                        assert!(contrast >= 4.5, "{colour:?} on {behind:?}: {contrast:.2}");
                    }
                }
            }
        }
    }

    #[test]
    fn colours_come_down_to_what_the_terminal_shows() {
        let red = Color::Rgb(0xff, 0, 0);
        assert_eq!(lowered(red, Depth::True), red);
        assert_eq!(lowered(red, Depth::TwoHundredFiftySix), Color::Indexed(196));
        assert_eq!(lowered(red, Depth::Sixteen), Color::Indexed(1), "the terminal's own red");
        assert_eq!(lowered(Color::Green, Depth::Sixteen), Color::Green);
        assert_eq!(Theme::built_in(Depth::None, Background::Dark), Theme::plain());
        assert_eq!(Theme::of(Colours::of(Background::Light), Depth::None).good(), Style::new());
    }
}
