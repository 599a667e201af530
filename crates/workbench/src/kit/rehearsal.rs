//! Rehearsed failures. In a debug build, the code point that `PALMTOP_BREAK` names panics, so that
//! tests in a real terminal see the traces of a crash. A release build ignores the variable. The
//! code points are `screen` and every kind of job.

/// Panics if this code point is to fail.
pub(crate) fn may_break(point: &str) {
    let is_wished = || std::env::var_os("PALMTOP_BREAK").is_some_and(|wished| wished == *point);
    assert!(!cfg!(debug_assertions) || !is_wished(), "rehearsed: {point}");
}
