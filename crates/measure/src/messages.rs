//! Every message of the crate, on one page.

use palmtop_core::{assert_messages, one_of_each};

use crate::estimate::{EstimateError, NoEstimate};
use crate::utility::WorkloadError;

#[test]
fn every_message_is_on_the_page() {
    assert_messages!(
        one_of_each!(EstimateError {
            Probability =>
                EstimateError::Probability { what: "the share", given: 1.5, expected: "from 0 to 1" };
            NoK => EstimateError::NoK;
            Population => EstimateError::Population { population: 9, known: 10 };
        }),
        one_of_each!(NoEstimate {
            NoUniques => NoEstimate::NoUniques;
            AllUnique => NoEstimate::AllUnique;
            NoSolution => NoEstimate::NoSolution;
            Ambiguous => NoEstimate::Ambiguous;
        }),
        one_of_each!(WorkloadError {
            Size => WorkloadError::Size { queries: 0 };
        }),
    );
}
