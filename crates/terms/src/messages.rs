//! Every message of the crate, on one page.

use std::io;
use std::path::Path;

use crate::message_page::block;
use crate::progress::Cancelled;
use crate::words::chain;
use crate::{Delta, LocatedError, TermError, assert_messages, one_of_each};

#[test]
fn every_message_is_on_the_page() {
    let presence = |text: &str| text.parse::<crate::Presence>().unwrap_err();
    let fraction = |text: &str| text.parse::<crate::Fraction>().unwrap_err();
    let located = LocatedError::new("`x` is not a count").expected("a whole number").remedy("correct it");
    let missing = io::Error::from(io::ErrorKind::NotFound);
    assert_messages!(
        one_of_each!(TermError {
            NotAPresence => presence("2/1"), presence("0,1"), presence("").given_for("δmin");
            NotAFraction => fraction("-1").given_for("misuse"), fraction("");
            DeltaOrder => Delta::read("1/2", "1/3").unwrap_err();
        }),
        block("Cancelled", &[("", chain(&Cancelled))]),
        block(
            "LocatedError",
            &[
                ("new", located.in_file(Path::new("p.csv")).at_line(3).at_column("people").to_string()),
                ("cannot", chain(&LocatedError::cannot("read", Path::new("p.csv"), missing))),
            ]
        ),
    );
}
