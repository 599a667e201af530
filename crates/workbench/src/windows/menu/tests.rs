//! The palette as it is seen.

use super::state::{CommandMenu, Reach};
use crate::app::registry::table;
use crate::kit::name::ScreenName;
use crate::testing::{Bench, snapshots};

/// The commands that are found by what is typed, in their order.
fn found(typed: &str) -> Vec<&'static str> {
    let mut palette = CommandMenu::open(table(), ScreenName::WORKBENCH, Reach::All);
    typed.chars().for_each(|character| palette.input.insert(character));
    palette.search();
    palette.matches.iter().map(|&index| table()[index].id).collect()
}

#[test]
fn the_palette_matches_words_not_scattered_letters() {
    assert_eq!(found("undo"), ["undo", "redo"]);
    for (typed, absent) in [
        ("undo", "workbench.next"),
        ("report", "reload"),
        ("report", "policy.run"),
        ("safe", "hierarchies.save"),
    ] {
        assert!(!found(typed).contains(&absent), "{typed}");
    }
    assert_eq!(found("zzz"), [""; 0]);
    assert_eq!(found("chg del"), ["delta"], "an abbreviation of each word");
    assert_eq!(found("message")[0], "messages");
    assert!(found("hierarchy save").contains(&"hierarchies.save"), "words in any order");
}

#[test]
fn the_selected_command_is_shown_in_full() {
    let mut bench = Bench::paper();
    let screen = bench.keys(":tables.find").screen(80, 24);
    assert!(screen.contains("or a complete identifier"), "{screen}");
}

#[test]
fn the_palette() {
    snapshots("windows/menu", "menu", "clinic/clinic.toml", ":re");
    snapshots("windows/menu", "here", "clinic/clinic.toml", "?");
}

#[test]
fn every_size_is_drawn() {
    crate::testing::drawn_at_every_size(&[":exp"]);
}
