//! Audits of `simulatable`: its answers alone reproduce its release.

use super::result::{Audit, AuditMethod, regions_of};
use crate::control::worker_pool::WorkerPool;
use crate::simulatable::{Members, Replay, Transcript, TranscriptError, Unseen, ask, measured};
use palmtop_core::model::{Problem, Recoding};
use palmtop_core::progress::unwatched;

/// Whether the answers alone give the same release, with the range of the posteriors after every
/// possible answer.
pub(super) fn replayed(problem: &Problem, recoding: &Recoding, pool: &WorkerPool) -> Option<Audit> {
    let go_on = &mut |_| pool.go_on();
    let (partition, transcript) = ask(problem, Members::of(problem.histogram()), go_on).0?;
    let again = measured(Unseen::of(problem).problem(), Replay::of(transcript.answers()), go_on);
    pool.go_on().continue_value()?;
    let offers = transcript.steps.len() as u64;
    let again = again.filter(|(made, asked, _)| *made == partition && *asked == transcript);
    let is_same = again.is_some() && *recoding == Recoding::Regions(partition);
    let method = if is_same { AuditMethod::Replayed } else { AuditMethod::None };
    let span = again.filter(|_| is_same).and_then(|(_, _, span)| span);
    Some(Audit { offers, span, ..Audit::of(method, problem, &regions_of(problem, recoding)) })
}

/// Whether a written transcript belongs to `simulatable` on this P, |T| and policy: its answers
/// alone give its questions, with another T instead of the true one.
///
/// # Errors
/// [`TranscriptError`] for a line that is not part of a transcript.
pub fn is_transcript(problem: &Problem, text: &str) -> Result<bool, TranscriptError> {
    let answers = Transcript::read_answers(text)?;
    let found = ask(Unseen::of(problem).problem(), Replay::of(answers.into_iter()), &mut unwatched).0;
    Ok(found.is_some_and(|(_, transcript)| transcript.text(problem) == text))
}
