//! `simulatable`: its answers alone make its release again.

use super::super::simulatable::{Members, Replay, Transcript, TranscriptError, ask};
use super::{Audit, AuditMethod, regions_of};
use crate::model::{Problem, Recoding};
use crate::progress::unwatched;

/// Whether the answers alone make the same release.
pub(super) fn replayed(problem: &Problem, recoding: &Recoding) -> Option<Audit> {
    let (found, _) = ask(problem, Members::of(problem.histogram()), &mut unwatched);
    let (partition, transcript) = found?;
    let (again, _) = ask(&another_table(problem)?, Replay::of(transcript.answers()), &mut unwatched);
    let is_same =
        again.as_ref() == Some(&(partition.clone(), transcript)) && *recoding == Recoding::Regions(partition);
    let method = if is_same { AuditMethod::Replayed } else { AuditMethod::None };
    Some(Audit::of(method, problem, &regions_of(problem, recoding)))
}

/// Whether a written transcript is of `simulatable` on this P, |T| and policy: its answers alone bring up its questions, with
/// another T in place of the true one.
///
/// # Errors
/// A [`TranscriptError`] for a line that is none of a transcript.
pub fn is_transcript(problem: &Problem, text: &str) -> Result<bool, TranscriptError> {
    let answers = Transcript::read_answers(text)?;
    let found = another_table(problem)
        .and_then(|another| ask(&another, Replay::of(answers.into_iter()), &mut unwatched).0);
    Ok(found.is_some_and(|(_, transcript)| transcript.text(problem) == text))
}

/// The same problem with another T of the size: whatever is made without T is made of it, too.
fn another_table(problem: &Problem) -> Option<Problem> {
    let mut left = problem.histogram().total().private;
    let members = problem.histogram().counts().iter().map(|counts| {
        let members = counts.public.min(left);
        left -= members;
        members
    });
    problem.with_members(&members.collect::<Vec<u64>>()).ok()
}
