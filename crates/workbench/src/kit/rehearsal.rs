//! Failures rehearsed: in debug builds a place that `PALMTOP_BREAK` names panics, so that tests in a real terminal see what is
//! left behind. A release build never looks. The places are `screen` and every kind of job.

/// Panics where this place is to break.
pub(crate) fn may_break(place: &str) {
    let is_wished = || std::env::var_os("PALMTOP_BREAK").is_some_and(|wished| wished == *place);
    assert!(!cfg!(debug_assertions) || !is_wished(), "rehearsed: {place}");
}
