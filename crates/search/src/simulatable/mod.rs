//! `simulatable`: a search whose every release keeps everybody's exact posterior in δ, also for an adversary who knows it.
//!
//! Every decision is a function of P, |T|, δ and what was answered so far. T is asked one question at a time, how many of
//! its people are in one half of a region, and a question is asked only if **every** answer, *failed* among them, leaves
//! every person's posterior within δ (simulatable auditing: Kenthapadi, Mishra, Nissim, PODS 2005). So it is after every
//! transcript; and a release is a function of its transcript, so that the posterior given the release, a mean of
//! posteriors given transcripts, lies in δ, too. The prior is uniform over all T ⊆ P of the size of T.
//!
//! | part | what it is |
//! |---|---|
//! | `population` | what everybody knows; there is no private count in it |
//! | `oracle` | the one way to T |
//! | `candidates` | every cut of a region with its gain |
//! | `cluster`, `states`, `weight` | what is known so far: possible counts of cells that hang together, with weights |
//! | `offer` | which cut is offered and what would be accepted |
//! | `free` | the partition that a single member needs no offers for |
//! | `transcript` | what was asked and answered |

mod candidates;
mod cluster;
mod free;
mod offer;
mod oracle;
mod population;
mod states;
mod transcript;
mod weight;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use self::candidates::Scratch;
use self::cluster::{Cluster, Done};
use self::free::free_parts;
pub use self::offer::Span;
use self::offer::{TRIES, choose};
use self::oracle::Whole;
pub use self::oracle::{Members, Oracle, Replay};
pub use self::population::{Cut, CutRule};
use self::population::{Population, Rows, Rules};
pub use self::transcript::{Question, Transcript, TranscriptError, TranscriptStep};
use super::worker_pool::watched;
use super::{Observer, SearchReport, Step, StopReason};
use palmtop_core::model::{Partition, Problem, Raised, Recoding, size};

/// Searches for regions by questions whose answers are harmless, whatever they are.
///
/// A quasi-identifier that is cut between labels only is parted into all that are under a label by one question after
/// another. What is left where one of them cannot be asked or fails is united with all that the labels around it overlap.
///
/// It ends when nothing more can be asked. Stopped by its caller it gives nothing: when somebody loses patience may depend
/// on T, and what is released must not.
pub fn simulatable(problem: &Problem, observer: &mut Observer) -> (Option<Recoding>, SearchReport) {
    let (found, stop) = ask(problem, Members::of(problem.histogram()), observer);
    (found.map(|(partition, _)| Recoding::Regions(partition)), SearchReport::without_nodes(stop))
}

/// The same with any oracle, and with the transcript.
pub fn ask(
    problem: &Problem,
    oracle: impl Oracle + Send,
    observer: &mut Observer,
) -> (Option<(Partition, Transcript)>, StopReason) {
    let (found, stop) = ask_by(Rules::default(), problem, oracle, observer);
    (found.map(|(partition, transcript, _)| (partition, transcript)), stop)
}

/// The same with the posteriors after every answer that was possible; none where nothing was asked.
pub(super) fn measured(
    problem: &Problem,
    oracle: impl Oracle + Send,
    observer: &mut Observer,
) -> Option<Measured> {
    ask_by(Rules { is_measured: true, ..Rules::default() }, problem, oracle, observer).0
}

/// What a search found, and the posteriors after every answer that was possible, where they are measured.
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
    if problem.levels_reach_the_base() {
        return ask_of_leaves(rules, problem, oracle, observer);
    }
    let raised = Raised::of(problem);
    let oracle = Whole { parts: raised.parts(), oracle };
    let (found, stop) = ask_of_leaves(rules, &raised.problem, oracle, observer);
    let lower =
        |(partition, transcript, span)| (raised.lower_partition(problem, &partition), transcript, span);
    (found.map(lower), stop)
}

/// The same of a problem whose leaves may be published.
fn ask_of_leaves(
    rules: Rules,
    problem: &Problem,
    oracle: impl Oracle + Send,
    observer: &mut Observer,
) -> (Option<Measured>, StopReason) {
    let found = watched(observer, |pool| {
        let tell = &mut |step| pool.report(step);
        let population = Population::of(problem, rules).heard_by(pool);
        search(&population, oracle, tell).continue_value()
    });
    match found {
        None => (None, StopReason::Cancelled),
        Some(Found { regions, rests, transcript, span }) => {
            (Some((united(problem, regions, rests), transcript, span)), StopReason::Done)
        }
    }
}

/// The regions, where those that are no labels are united with all that the labels around them overlap, until none does.
///
/// A function of the regions and the public table alone, so that it tells no more of T than they do; and classes that satisfy
/// the policy satisfy it united.
fn united(problem: &Problem, mut regions: Regions, mut rests: Vec<usize>) -> Partition {
    loop {
        let partition = Partition::of_regions(problem, &regions);
        let Some(&rest) = rests.last() else { return partition };
        let own = partition.region(rest);
        let overlapping: Vec<bool> =
            (0..regions.len()).map(|other| other != rest && own.overlaps(partition.region(other))).collect();
        if !overlapping.contains(&true) {
            rests.pop();
            continue;
        }
        let mut place_of = Vec::with_capacity(regions.len());
        let (mut kept, mut taken) = (Vec::new(), Vec::new());
        for (mut region, &is_taken) in regions.into_iter().zip(&overlapping) {
            place_of.push(kept.len());
            if is_taken {
                taken.append(&mut region);
            } else {
                kept.push(region);
            }
        }
        kept[place_of[rest]].append(&mut taken);
        kept[place_of[rest]].sort_unstable();
        rests.retain(|&other| !overlapping[other]);
        for rest in &mut rests {
            *rest = place_of[*rest];
        }
        regions = kept;
    }
}

/// The combinations of each region.
type Regions = Vec<Vec<u32>>;

/// What comes of a population and answers.
struct Found {
    regions: Regions,
    /// Those that are several labels of which no offer was accepted.
    rests: Vec<usize>,
    transcript: Transcript,
    span: Option<Span>,
}

/// The regions that come of a population and answers, whoever gives them.
fn search(population: &Population, oracle: impl Oracle, tell: &mut Observer) -> ControlFlow<(), Found> {
    let mut search = Search {
        population,
        oracle,
        transcript: Transcript::default(),
        scratch: Scratch::default(),
        next: 1,
        done: Vec::new(),
        rests: Vec::new(),
        combinations: 0,
        span: None,
    };
    search.run(tell)?;
    let Search { done: regions, rests, transcript, span, .. } = search;
    ControlFlow::Continue(Found { regions, rests, transcript, span })
}

/// A search in progress. It has no way to T but the oracle.
struct Search<'p, 'a, O> {
    population: &'p Population<'a>,
    oracle: O,
    transcript: Transcript,
    scratch: Scratch,
    /// The number of the next region.
    next: u32,
    /// The combinations of each region that is not cut further; which of them are several labels; and how many combinations
    /// there are in all.
    done: Regions,
    rests: Vec<usize>,
    combinations: u64,
    /// The posteriors after every answer that was possible, where they are measured.
    span: Option<Span>,
}

impl<O: Oracle> Search<'_, '_, O> {
    fn run(&mut self, tell: &mut Observer) -> ControlFlow<()> {
        let population = self.population;
        let total = population.everybody().len() as u64;
        let mut waiting = vec![Cluster::everybody(population, population.total().private)];
        while let Some(cluster) = waiting.pop() {
            tell(Step::of(self.combinations, total))?;
            let Some(region) = cluster.regions.iter().position(|region| region.is_open) else { continue };
            let settled = self.step(cluster, region).settled(population);
            for Done { parts, is_rest } in settled.done {
                self.rests.extend(is_rest.then_some(self.done.len()));
                for part in parts {
                    self.finish(part);
                }
            }
            waiting.extend(settled.clean);
            waiting.extend(settled.rest);
        }
        // What was under way when somebody asked to stop ended early.
        tell(Step::of(self.combinations, total))
    }

    /// Makes one offer for an open region, or closes it.
    fn step(&mut self, mut cluster: Cluster, place: usize) -> Cluster {
        let region = cluster.regions[place];
        let combinations: usize = cluster.cells_of(place).map(|cell| cell.rows.len()).sum();
        if region.members == 0 || combinations == 1 || region.tries >= TRIES {
            cluster.regions[place].is_open = false;
            return cluster;
        }
        if cluster.is_clean()
            && region.members == 1
            && region.parted.is_none()
            && let Some(parts) = free_parts(self.population, &cluster.cells[0].rows, &mut self.scratch)
        {
            self.find_member(region.number, parts);
            // Its combinations are in the parts.
            cluster.regions.clear();
            cluster.cells.clear();
            return cluster;
        }
        let Some(offer) = choose(self.population, &cluster, place, &mut self.scratch) else {
            cluster.regions[place].is_open = false;
            return cluster;
        };
        self.note(offer.span);
        let half = cluster.left_half(self.population, place, offer.cut);
        let half: Vec<&[u32]> = half.iter().map(Vec::as_slice).collect();
        let is_accepted = |members| offer.accepted.contains(members);
        let answer = self.oracle.ask(&half, &is_accepted);
        self.transcript.steps.push(TranscriptStep {
            region: region.number,
            question: Question::Cut(offer.cut),
            accepted: offer.accepted.ranges(),
            answer,
        });
        let next = self.next;
        self.next += if answer.is_some() { 2 } else { 0 };
        cluster.answered(self.population, offer.cut, &offer.halves, &is_accepted, answer, next)
    }

    /// Asks which part holds the one member; whatever the answer, it is harmless.
    #[expect(clippy::cast_precision_loss, reason = "a posterior to show")]
    fn find_member(&mut self, region: u32, parts: Vec<Rows>) {
        let last = parts.len() - 1;
        if self.population.rules().is_measured {
            for part in &parts {
                // Whoever is in another part is no member.
                self.note(Some(Span { least: 0.0, greatest: 1.0 / part.count() as f64 }));
            }
        }
        let mut is_found = false;
        for (place, part) in parts.into_iter().enumerate() {
            // What is left holds them.
            if !is_found && place < last {
                let answer = self.oracle.ask(&[part.places()], &|members| members <= 1);
                is_found = answer == Some(1);
                self.transcript.steps.push(TranscriptStep {
                    region,
                    question: Question::Part(size::number(place)),
                    accepted: vec![(0, 1)],
                    answer,
                });
            }
            self.finish(part.places().to_vec());
        }
    }

    /// Notes the posteriors after an offer's answers.
    fn note(&mut self, span: Option<Span>) {
        self.span = self.span.into_iter().chain(span).reduce(Span::and);
    }

    /// Takes a region as it is.
    fn finish(&mut self, region: Vec<u32>) {
        self.combinations += region.len() as u64;
        self.done.push(region);
    }
}
