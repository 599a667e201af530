//! `simulatable`: a search that keeps every posterior within δ, even if the attacker knows the
//! algorithm.
//!
//! # Method
//! The search sees T only through an oracle, one question at a time: how many members are in one
//! half of a region? An answer is a number, or *failed* if the number is not among those that the
//! search accepts. The search asks a question only if every possible answer, including *failed*,
//! keeps every individual's posterior within δ. This is simulatable auditing (Kenthapadi, Mishra,
//! Nissim, PODS 2005) applied to recoding.
//!
//! # Why it is correct
//! The prior is uniform over all T ⊆ P of the size of T.
//! 1. Every decision is a function of P, |T|, δ and the earlier answers. So the choice of a question
//!    reveals nothing beyond the answers.
//! 2. Given the transcript (all questions and answers), the members of a *cell* are a uniformly
//!    random subset of its people, given the cell's count (see `cluster`). So all people of a cell
//!    have the same posterior: the expected count divided by the number of people.
//! 3. Every possible answer keeps the posterior of every cell within δ (see `offer`). So every
//!    transcript does.
//! 4. The release is a function of the transcript. The posterior given the release is a mean of
//!    posteriors given transcripts, so that it lies within δ, too.
//!
//! Questions about independent clusters may be asked at the same time: each is a function of P and of the
//! answers about its own cluster and those before it, and the transcript lists them in one fixed order. The
//! extents that rank the cuts are counted from all rows of P, never from a sample.
//!
//! Declared rates decide which cuts are worth asking. They do not change which answers are accepted.
//!
//! Out of scope: other priors, several releases, sensitive columns, and a choice among settings or
//! strategies by their loss on the true T.
//!
//! | module | content |
//! |---|---|
//! | `unseen` | the problem without its T |
//! | `belief` | the chance of success under declared rates |
//! | `population` | public facts: P, \|T\|, δ and the cuts; no private count |
//! | `walk` | one question after another, until none is left |
//! | `oracle` | the only access to T |
//! | `candidates` | every cut of a region with the extents of its halves, from the values that occur together (`values`) |
//! | `cluster`, `states`, `weight` | the knowledge so far: possible counts of dependent cells, with weights |
//! | `offer` | the choice of the next cut, and of the answers that it accepts |
//! | `free` | the partition of a region with a single member, which needs no offers |
//! | `transcript` | the questions and their answers |

mod candidates;
mod offer;
mod oracle;
mod population;
mod states;
mod transcript;
mod unseen;
mod walk;
#[cfg(test)]
mod tests;

pub use self::offer::Span;
use self::oracle::Coarsened;
pub use self::oracle::{Members, Oracle, Replay};
pub use self::population::{Cut, CutRule};
use self::population::{Population, Rules};
pub use self::transcript::{Question, Transcript, TranscriptError, TranscriptStep, begins_transcript};
pub(crate) use self::unseen::Unseen;
use self::walk::{Found, search, united};
use crate::control::worker_pool::watched;
use crate::{Observer, SearchReport, StopReason};
use palmtop_core::model::{Partition, Problem, Raised, Recoding};
use palmtop_core::progress::unwatched;

/// Searches for regions by questions of which every answer is harmless.
///
/// A quasi-identifier that is cut between labels only is divided into all labels below a label by
/// several questions, one label at a time. If a question cannot be asked or fails, the remainder is
/// no label. It is then merged with every region that the label around it overlaps.
///
/// The search ends when it has no question left. If the caller stops it, it returns no release: the
/// moment of the stop may depend on T, and a release must not.
pub fn simulatable(problem: &Problem, observer: &mut Observer) -> (Option<Recoding>, SearchReport) {
    let (found, stop) = ask(problem, Members::of(problem.histogram()), observer);
    (found.map(|(partition, _)| Recoding::Regions(partition)), SearchReport::without_nodes(stop))
}

/// Runs [`simulatable`] with any oracle, and also returns the transcript.
pub fn ask(
    problem: &Problem,
    oracle: impl Oracle + Send,
    observer: &mut Observer,
) -> (Option<(Partition, Transcript)>, StopReason) {
    let (found, stop) = ask_by(Rules::default(), problem, oracle, observer);
    (found.map(|(partition, transcript, _)| (partition, transcript)), stop)
}

/// The questions asked of T, with its answers; `None` if the search finds nothing. Equal problems give equal transcripts.
pub fn transcript_of(problem: &Problem) -> Option<Transcript> {
    let (found, _) = ask(problem, Members::of(problem.histogram()), &mut unwatched);
    found.map(|(_, transcript)| transcript)
}

/// Runs [`ask`], and also returns the range of the posteriors after every possible answer; it is
/// `None` if no question was asked.
pub(super) fn measured(
    problem: &Problem,
    oracle: impl Oracle + Send,
    observer: &mut Observer,
) -> Option<Measured> {
    ask_by(Rules { is_measured: true, ..Rules::default() }, problem, oracle, observer).0
}

/// The regions, the transcript, and the range of the posteriors if it was measured.
type Measured = (Partition, Transcript, Option<Span>);

fn ask_by(
    rules: Rules,
    problem: &Problem,
    oracle: impl Oracle + Send,
    observer: &mut Observer,
) -> (Option<Measured>, StopReason) {
    if !problem.levels_reach_the_top() {
        return (None, StopReason::Levels);
    }
    if !problem.feasibility().holds() {
        return (None, StopReason::Infeasible);
    }
    if problem.region_floors_are_the_base() {
        return ask_of_leaves(rules, problem, oracle, observer);
    }
    let raised = Raised::of(problem);
    let oracle = Coarsened { parts: raised.parts().into(), oracle };
    let (found, stop) = ask_of_leaves(rules, &raised.problem, oracle, observer);
    let lower =
        |(partition, transcript, span)| (raised.lower_partition(problem, &partition), transcript, span);
    (found.map(lower), stop)
}

/// Runs the search on a problem whose leaves may be published.
fn ask_of_leaves(
    rules: Rules,
    problem: &Problem,
    oracle: impl Oracle + Send,
    observer: &mut Observer,
) -> (Option<Measured>, StopReason) {
    let unseen = Unseen::of(problem);
    let found = watched(observer, |pool| {
        let population = Population::of(&unseen, rules).stopped_by(pool);
        search(&population, oracle).continue_value()
    });
    match found {
        None => (None, StopReason::Cancelled),
        Some(Found { regions, boxes, rests, transcript, span }) => {
            (Some((united(problem, regions, boxes, rests), transcript, span)), StopReason::Done)
        }
    }
}
