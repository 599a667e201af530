//! Every message about a project file, on one page. What does not combine is in `docs/combinations.md`, which is written from the
//! code.

use palmtop_core::assert_messages;
use palmtop_core::message_page::block;

use crate::reason;

#[test]
fn every_message_is_on_the_page() {
    let projects = crate::tests::refusals();
    let projects: Vec<(&str, String)> = projects.into_iter().map(|(_, message)| ("", message)).collect();
    let reasons = ["yes", "the board\ndecided", &"a".repeat(301), reason::EXAMPLE]
        .map(|reason| ("", reason::read(reason).unwrap_err()));
    assert_messages!(block("a project file", &projects), block("a reason", &reasons));
}
