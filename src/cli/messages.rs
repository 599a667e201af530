//! Why a caution stopped an export, on one page.

use palmtop_core::{assert_messages, one_of_each};

use super::cautions::Unanswered;
use palmtop::caution::{Caution, Key};

#[test]
fn every_message_is_on_the_page() {
    let caution = |key| Caution::new(key, "The fact, in a sentence.", "What to do about it.");
    let of_column = |column| caution(Key::Betrays).about(column);
    assert_messages!(one_of_each!(Unanswered {
        Severe =>
            Unanswered::Severe(vec![caution(Key::Certain)]),
            Unanswered::Severe(vec![of_column("birth"), of_column("job")]);
        Declined => Unanswered::Declined("large_release");
    }));
}
