//! `best`: the best regions that we know how to find, far below MPALM's nine.
//!
//! A search in two parts. The *opening* grows trees of splits greedily, with several settings, and runs the paper's ten;
//! the first tree is a valid release within a moment. Then come *rounds* of large-neighbourhood search (Shaw 1998):
//! parts of a tree are grown anew and kept where they are better. After every round the best tree is a valid release, so
//! it can be stopped at any time, and the same seed and number of rounds give the same release on any machine.
//!
//! What is published is what MPALM publishes: the smallest box around the public people of each region. A cut is judged
//! by the people on its two sides and by the boxes around their *public* people; nothing is ever shrunk towards a private
//! person.

mod exact;
mod frame;
mod setting;
mod tree;
mod block;
mod cut;
mod grow;
mod improve;
mod opening;

use self::frame::Frame;
use self::improve::Contender;
use self::opening::Opening;
use super::crew::{Crew, watched};
use super::{Config, Observer, SearchReport, Step, StopReason};
use crate::metrics::{Metric, Metrics};
use crate::model::{Classes, Partition, Problem, Recoding};

/// How many rounds each contender gets before only the best goes on.
const HEAT: u64 = 3;
/// After so many rounds in a row that brought nothing, it is done.
const PATIENCE: u64 = 32;

/// Searches for the regions that are best by the metric.
///
/// Never worse than any of the nine under the same δ and `empty_regions`, nor than SPALM as far as that comes within a
/// fixed amount of work, once its opening is over; the first [`Step`] with `rounds` says that it is.
/// Stopped in its opening it gives the best that it has.
pub fn best(problem: &Problem, config: &Config, observer: &mut Observer) -> (Option<Recoding>, SearchReport) {
    if !problem.feasibility().holds() {
        return (None, SearchReport::without_nodes(StopReason::Infeasible));
    }
    watched(observer, |crew| search(problem, config, crew))
}

fn search(problem: &Problem, config: &Config, crew: &Crew) -> (Option<Recoding>, SearchReport) {
    let frame = Frame::of(problem, config.metric);
    let opening = Opening::play(problem, &frame, config, crew);
    let mut contenders = opening.contenders;
    let (rounds, stop) = if crew.go_on().is_break() {
        (None, StopReason::Cancelled)
    } else {
        let (rounds, stop) = improve(&frame, &mut contenders, config, crew);
        (Some(rounds), stop)
    };
    contenders.sort_by(|left, right| left.value.total_cmp(&right.value));
    contenders.truncate(1);
    let grown = contenders.pop().map(|contender| recoding(problem, contender));
    // Labels may denote leaves that do not occur, which only the metric itself counts.
    let best = match (grown, opening.of_the_paper) {
        (Some(grown), Some((value, other))) => {
            if value < value_of(problem, &grown, config.metric) {
                other
            } else {
                grown
            }
        }
        (Some(grown), None) => grown,
        (None, Some((_, other))) => other,
        (None, None) => Recoding::Node(problem.lattice().top()),
    };
    (Some(best), SearchReport { rounds, ..SearchReport::without_nodes(stop) })
}

/// Does round after round: first the contenders in turn, then the best of them alone.
fn improve(
    frame: &Frame,
    contenders: &mut Vec<Contender>,
    config: &Config,
    crew: &Crew,
) -> (u64, StopReason) {
    let heats = HEAT * contenders.len() as u64;
    let (mut rounds, mut in_vain) = (0, 0);
    loop {
        if rounds == heats {
            contenders.sort_by(|left, right| left.value.total_cmp(&right.value));
            contenders.truncate(1);
        }
        let best = contenders.iter().map(|contender| contender.value).reduce(f64::min);
        let step = Step { done: rounds, total: config.rounds.unwrap_or(0), best, rounds: Some(rounds) };
        if crew.report(step).is_break() {
            return (rounds, StopReason::Cancelled);
        }
        if config.rounds.is_some_and(|limit| rounds >= limit) {
            return (rounds, StopReason::Rounds);
        }
        if in_vain >= PATIENCE && rounds >= heats {
            return (rounds, StopReason::Done);
        }
        let turn = usize::try_from(rounds).unwrap_or(0) % contenders.len();
        match contenders[turn].round(frame, config.seed, rounds, crew) {
            None => return (rounds, StopReason::Cancelled),
            Some(true) => in_vain = 0,
            Some(false) => in_vain += 1,
        }
        rounds += 1;
    }
}

/// The partition that a tree stands for.
fn recoding(problem: &Problem, contender: Contender) -> Recoding {
    let mut region_of = vec![0; problem.histogram().len()];
    let mut count = 0;
    for (region, _) in contender.tree.regions(0) {
        for &place in &contender.sheet.places()[region.rows()] {
            region_of[place as usize] = count;
        }
        count += 1;
    }
    // It may be as large as the tables, and so may what comes next.
    drop(contender);
    Recoding::Regions(Partition::new(problem, region_of, count as usize))
}

/// The metric of a recoding, from its classes.
fn value_of(problem: &Problem, recoding: &Recoding, metric: Metric) -> f64 {
    Metrics::of(problem, recoding, &Classes::of(problem, recoding)).value(metric)
}
