//! Every message of the crate, on one page.

use palmtop_core::message_page::block;
use palmtop_core::{assert_messages, one_of_each};

use crate::compose::{Change, ComposeError};
use crate::simulatable::{Transcript, TranscriptError};
use crate::{NoBound, Strategy};

#[test]
fn every_message_is_on_the_page() {
    let sizes = |change| ComposeError::Sizes { first: 0, second: 1, rows: (3, 2), change };
    let of_line = |error: TranscriptError| ("", error.to_string());
    let unknown = |name: &str| name.parse::<Strategy>().unwrap_err().to_string();
    assert_messages!(
        one_of_each!(ComposeError {
            Sizes => sizes(Change::Same), sizes(Change::Added), sizes(Change::Removed);
            Kept => ComposeError::Kept { first: 0, second: 1 };
            NoTable => ComposeError::NoTable { pair: Some((0, 2)) }, ComposeError::NoTable { pair: None };
            TooLarge => ComposeError::TooLarge { most: 1_000_000 };
            Cancelled => ComposeError::Cancelled;
        }),
        one_of_each!(NoBound {
            TooLarge => NoBound::TooLarge { amount: 3_000, unit: "pairs of combinations", limit: 2_000 };
            Cancelled => NoBound::Cancelled;
        }),
        block("UnknownStrategy", &["n4", "mondrian"].map(|name| ("", unknown(name)))),
        block(
            "TranscriptError",
            &[
                "",
                "# rehearsal: 32",
                "region\tquestion\taccepted\tanswer\n0\tx",
                "region\tquestion\taccepted\tanswer\n0\tage at 20\t1\tmany",
            ]
            .map(|text| of_line(Transcript::read_answers(text).unwrap_err()))
        ),
    );
}
