//! The prior given by a column of P.

use super::encode::Encoder;
use super::join::{self, Joined};
use super::tally::Tally;
use crate::error::{DataError, impossible};
use palmtop_core::model::{Code, Counts, Histogram, Presence, Prior};

/// A combination, a probability, and the number of its people with this probability.
pub(super) type People = (usize, Presence, u64);

/// The prior of a column of P; `None` if the table was read without one.
///
/// # Errors
/// A [`DataError`] if a combination has more members of T than people with a probability
/// above 0.
pub fn of_column(
    encoder: &Encoder,
    public: &Tally,
    histogram: &Histogram,
    tables: &Joined,
) -> Result<Option<Prior>, DataError> {
    let Some(priors) = &public.priors else { return Ok(None) };
    let codes: Vec<Vec<Option<Code>>> = (0..histogram.width())
        .map(|attribute| public.texts(attribute).iter().map(|text| encoder.code(attribute, text)).collect())
        .collect();
    // The join refused rows without code and found each combination.
    let index = |row: &[u32]| {
        let combination: Option<Vec<Code>> =
            codes.iter().zip(row).map(|(codes, &text)| codes[text as usize]).collect();
        histogram.find(&combination?)
    };
    let people = priors.people().filter_map(|(row, prior, people)| Some((index(row)?, prior, people)));
    let people: Vec<People> = people.collect();
    settle(encoder, &people, histogram, tables).map(Some)
}

/// Checks that T is possible under the probabilities, and builds the prior.
pub(super) fn settle(
    encoder: &Encoder,
    people: &[People],
    histogram: &Histogram,
    tables: &Joined,
) -> Result<Prior, DataError> {
    let mut possible = vec![0_u64; histogram.len()];
    for (combination, _, people) in people.iter().filter(|(_, prior, _)| *prior > Presence::ZERO) {
        possible[*combination] += people;
    }
    let counts = histogram.counts().iter().zip(&possible).enumerate();
    let excess: Vec<(Vec<Code>, Counts)> = counts
        .filter(|(_, (counts, possible))| counts.private > **possible)
        .map(|(index, (counts, &possible))| {
            (histogram.combination(index), Counts::new(possible, counts.private))
        })
        .collect();
    if excess.is_empty() {
        return Ok(Prior::new(histogram, people)?);
    }
    Err(impossible(&join::excess_of(encoder, tables, &excess)?).into())
}
