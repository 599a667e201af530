//! Every refused keymap, on one page.

use palmtop_core::{assert_messages, one_of_each};

use crate::kit::keymap::KeymapError;

#[test]
fn every_message_is_on_the_page() {
    let id = "export".to_owned();
    assert_messages!(one_of_each!(KeymapError {
        Unknown => KeymapError::Unknown { id: "exprot".to_owned(), nearest: "export" };
        HasVerb => KeymapError::HasVerb { id: "workbench.coarser", verb: "right" };
        UnknownKey => KeymapError::UnknownKey { id: id.clone(), key: "^1".to_owned() };
        Reserved => KeymapError::Reserved { id, key: "^C".to_owned() };
        Conflict => KeymapError::Conflict { first: "export", second: "search", key: "e".to_owned() };
        NoWayOut => KeymapError::NoWayOut { id: "back" };
    }));
}
