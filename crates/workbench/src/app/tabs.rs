//! The tabs: every screen with its key, in the last line while no message is there.
//!
//! ```text
//!  1bench 2classes 3lattice 4releases 6δ 7trees 8tables Efiles                        80 columns
//!  1 workbench  2 classes  3 lattice  4 releases  6 δ  …                              wider
//! ```

use ratatui::text::Span;

use crate::kit::keymap::Keymap;
use crate::kit::name::ScreenName;
use crate::kit::text;
use crate::kit::theme::Theme;
use crate::screens::SCREENS;

/// How a tab is written.
#[derive(Clone, Copy)]
enum Form {
    /// `1 workbench`.
    Full,
    /// `1bench`.
    Short,
    /// `1`.
    Key,
}

/// A screen: its key, its name, and whether it is open.
type Tab = (String, &'static str, bool);

/// The screens in the order of their keys.
fn screens(keymap: &Keymap, open: ScreenName) -> Vec<Tab> {
    let bindings = keymap.table().iter().enumerate();
    let screens = bindings.filter_map(|(index, binding)| {
        let screen = binding.opens?;
        Some((keymap.last(index), keymap.name_of(screen), screen == open))
    });
    screens.collect()
}

/// The key and the name of a tab, as its form writes them.
fn written(form: Form, (key, name, _): &Tab) -> (String, String) {
    let screen = SCREENS.iter().find(|screen| screen.about.name.0 == *name);
    let short = screen.map_or(*name, |screen| screen.tab);
    match form {
        Form::Full => (format!("{key} "), format!("{name} ")),
        Form::Short => (key.clone(), short.to_owned()),
        Form::Key => (key.clone(), String::new()),
    }
}

/// The width of all tabs with a blank before each.
fn width(form: Form, screens: &[Tab]) -> usize {
    let widths = screens.iter().map(|screen| written(form, screen));
    widths.map(|(key, name)| text::width(&key) + text::width(&name) + 1).sum()
}

/// The least width at which every tab has a name.
pub(super) fn named_width(keymap: &Keymap) -> usize {
    width(Form::Short, &screens(keymap, ScreenName::WORKBENCH))
}

/// The tabs in the longest form that fits; nothing if none fits. The open screen is marked.
pub(super) fn tabs(theme: Theme, keymap: &Keymap, open: ScreenName, room: usize) -> Vec<Span<'static>> {
    let screens = screens(keymap, open);
    let mut forms = [Form::Full, Form::Short, Form::Key].into_iter();
    let Some(form) = forms.find(|form| width(*form, &screens) <= room) else { return Vec::new() };
    let spans = screens.iter().flat_map(|screen| {
        let (key, name) = written(form, screen);
        let (of_key, of_name) = if screen.2 {
            (theme.selected(), theme.selected())
        } else {
            (theme.accent().patch(theme.strong()), theme.faint())
        };
        [Span::raw(" "), Span::styled(key, of_key), Span::styled(name, of_name)]
    });
    spans.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::registry::table;

    fn shown(room: usize) -> String {
        let keymap = Keymap::of(table());
        let tabs = tabs(Theme::plain(), &keymap, ScreenName::WORKBENCH, room);
        tabs.iter().map(|span| span.content.as_ref()).collect()
    }

    #[test]
    fn every_screen_tab_fits_into_80_columns() {
        let eighty = " 1bench 2classes 3lattice 4releases 6δ 7trees 8tables Efiles";
        assert_eq!(shown(80), eighty);
        assert!(shown(150).contains(" 7 hierarchies  8 tables "));
        assert_eq!(shown(59), " 1 2 3 4 6 7 8 E");
        assert_eq!(shown(10), "");
    }
}
