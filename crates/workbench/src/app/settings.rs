//! The colours, symbols, mouse and keys of the workbench, from a settings file and the environment. The terminal is never
//! asked.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use ratatui::style::Color;
use serde::Deserialize;

use super::registry;
use crate::kit::keymap::Keymap;
use crate::kit::symbols::{Marks, Symbols};
use crate::kit::theme::{Background, Colours, Depth, Theme};

/// The settings of the workbench.
#[derive(Clone, Debug)]
pub struct Settings {
    pub(crate) theme: Theme,
    pub(crate) symbols: Symbols,
    pub(crate) marks: Marks,
    pub(crate) keymap: Keymap,
    pub(crate) mouse: bool,
}

/// The settings file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct SettingsFile {
    background: Option<Background>,
    colour: Option<ColourFile>,
    symbols: Option<Symbols>,
    #[serde(default)]
    marks: Marks,
    mouse: Option<bool>,
    #[serde(default)]
    colours: ColoursFile,
    #[serde(default)]
    keys: BTreeMap<String, Vec<String>>,
}

/// The number of colours, as the file writes it.
#[derive(Clone, Copy, Debug, Deserialize)]
enum ColourFile {
    #[serde(rename = "none")]
    None,
    #[serde(rename = "16")]
    Sixteen,
    #[serde(rename = "256")]
    TwoHundredFiftySix,
    #[serde(rename = "truecolor")]
    True,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct ColoursFile {
    good: Option<String>,
    bad: Option<String>,
    warning: Option<String>,
    accent: Option<String>,
    faint: Option<String>,
}

/// What the environment tells about the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Surroundings {
    depth: Depth,
    background: Background,
    symbols: Symbols,
    /// Off over SSH, where the selection of the terminal is more useful than clicks.
    mouse: bool,
}

impl Settings {
    /// Reads the named settings file, or else the user's file if it exists. The environment gives the defaults.
    ///
    /// # Errors
    /// The named file is missing, or a file has an error: the message names the file, the key and the line.
    pub fn find(named: Option<&Path>) -> anyhow::Result<Self> {
        let surroundings = Surroundings::look();
        let path = named.map(Path::to_owned).or_else(|| usual_path().filter(|path| path.exists()));
        let Some(path) = path else {
            return Self::read("", surroundings);
        };
        let source = || format!("settings {}", path.display());
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", source()))?;
        Self::read(&text, surroundings).with_context(source)
    }

    fn read(text: &str, surroundings: Surroundings) -> anyhow::Result<Self> {
        let file: SettingsFile = toml::from_str(text)?;
        let background = file.background.unwrap_or(surroundings.background);
        let depth = match file.colour {
            // The file does not override a user who wants no colour by the environment.
            _ if surroundings.depth == Depth::None => Depth::None,
            None => surroundings.depth,
            Some(ColourFile::None) => Depth::None,
            Some(ColourFile::Sixteen) => Depth::Sixteen,
            Some(ColourFile::TwoHundredFiftySix) => Depth::TwoHundredFiftySix,
            Some(ColourFile::True) => Depth::True,
        };
        let built_in = Theme::built_in(depth, background);
        let colour = |name: &str, written: &Option<String>, usual: Option<Color>| {
            let Some(text) = written else { return anyhow::Ok(usual) };
            let colour: Color = text.parse().ok().with_context(|| {
                format!("[colours] {name}: `{text}` is no colour; expected a name such as red, a number up to 255, or #rrggbb")
            })?;
            Ok(Some(colour))
        };
        let usual = built_in.colours();
        let colours = Colours {
            good: colour("good", &file.colours.good, usual.good)?,
            bad: colour("bad", &file.colours.bad, usual.bad)?,
            warning: colour("warning", &file.colours.warning, usual.warning)?,
            accent: colour("accent", &file.colours.accent, usual.accent)?,
            faint: colour("faint", &file.colours.faint, usual.faint)?,
        };
        Ok(Self {
            theme: Theme::of(colours, depth),
            symbols: file.symbols.unwrap_or(surroundings.symbols),
            marks: file.marks,
            keymap: Keymap::with(registry::table(), &file.keys)?,
            mouse: file.mouse.unwrap_or(surroundings.mouse),
        })
    }

    /// Settings for tests: no colour, and the default keys.
    #[cfg(test)]
    pub(crate) fn plain() -> Self {
        let (theme, symbols) = (Theme::plain(), Symbols::Unicode);
        let (marks, keymap) = (Marks::default(), Keymap::of(registry::table()));
        Self { theme, symbols, marks, keymap, mouse: false }
    }
}

/// `palmtop/settings.toml` in the user's folder of settings.
fn usual_path() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = set("XDG_CONFIG_HOME").or_else(|| Some(set("HOME")?.join(".config")))?;
    Some(folder.join("palmtop").join("settings.toml"))
}

impl Surroundings {
    fn look() -> Self {
        let set = |name| std::env::var(name).ok().filter(|value: &String| !value.is_empty());
        let dumb = set("TERM").is_some_and(|terminal| terminal == "dumb");
        let depth = match supports_color::on(supports_color::Stream::Stdout) {
            _ if set("NO_COLOR").is_some() || dumb => Depth::None,
            Some(level) if level.has_16m => Depth::True,
            Some(level) if level.has_256 => Depth::TwoHundredFiftySix,
            Some(_) => Depth::Sixteen,
            None => Depth::None,
        };
        let utf8 = supports_unicode::on(supports_unicode::Stream::Stdout);
        Self {
            depth,
            background: background_of(set("COLORFGBG").as_deref()),
            symbols: if utf8 && !dumb { Symbols::Unicode } else { Symbols::Ascii },
            mouse: set("SSH_CONNECTION").is_none() && set("SSH_TTY").is_none(),
        }
    }
}

/// Some terminals give their colours in a variable: `15;0` is white on black.
fn background_of(colours: Option<&str>) -> Background {
    let last = colours.and_then(|colours| colours.rsplit(';').next()?.parse::<u8>().ok());
    match last {
        Some(7 | 9..=15) => Background::Light,
        _ => Background::Dark,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOM: Surroundings = Surroundings {
        depth: Depth::TwoHundredFiftySix,
        background: Background::Dark,
        symbols: Symbols::Unicode,
        mouse: true,
    };

    #[test]
    fn settings_file_overrules_all_but_no_colour() {
        let text = "background = \"light\"\ncolour = \"truecolor\"\nsymbols = \"ascii\"\nmarks = \"braille\"\n\
                    mouse = false\n[colours]\ngood = \"#00aa00\"\nbad = \"red\"\nwarning = \"214\"\n[keys]\nexport = [\"F5\"]\n";
        let settings = Settings::read(text, ROOM).unwrap();
        let colours = settings.theme.colours();
        assert_eq!(colours.good, Some(Color::Rgb(0, 0xaa, 0)));
        assert_eq!((colours.bad, colours.warning), (Some(Color::Red), Some(Color::Indexed(214))));
        assert_eq!(colours.accent, Colours::of(Background::Light).accent);
        assert_eq!(
            (settings.symbols, settings.marks, settings.mouse),
            (Symbols::Ascii, Marks::Braille, false)
        );
        assert_eq!(settings.keymap.hint("export"), "F5");
        let wished = Surroundings { depth: Depth::None, ..ROOM };
        assert_eq!(Settings::read(text, wished).unwrap().theme, Theme::plain());
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (text, expected) in [
            ("mouse = 3", "line 1"),
            ("\nmice = true", "unknown field `mice`"),
            ("[colours]\ngood = \"greenish\"", "[colours] good: `greenish` is no colour"),
            ("symbols = \"emoji\"", "unknown variant `emoji`"),
            ("[keys]\nexport = [\"l\"]", "`right` and `export`"),
        ] {
            let error = format!("{:#}", Settings::read(text, ROOM).unwrap_err());
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn light_background_is_taken_from_the_terminal() {
        let seen = |text| background_of(Some(text));
        assert_eq!(
            (seen("0;15"), seen("15;0"), seen("0;default;7")),
            (Background::Light, Background::Dark, Background::Light)
        );
        assert_eq!(background_of(None), Background::Dark);
    }
}
