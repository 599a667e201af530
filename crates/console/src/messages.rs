//! The message about a command line that does not fit the project.

use palmtop_core::assert_messages;
use palmtop_core::message_page::block;
use palmtop_core::words::chain;

use crate::status::Usage;

#[test]
fn every_message_is_on_the_page() {
    let usage = Usage("audit has no --format csv; use table or json".to_owned());
    assert_messages!(block("Usage", &[("", chain(&usage))]));
}
