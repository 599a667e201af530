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
//! The constants of the search are chosen by a rehearsal, which sees only the public facts. Declared rates
//! decide which cuts are worth asking. Neither changes which answers are accepted.
//!
//! Out of scope: other priors, several releases, sensitive columns, and a choice among settings or
//! strategies by their loss on the true T.
//!
//! | module | content |
//! |---|---|
//! | `unseen` | the problem without its T, and T's drawn at random |
//! | `rehearsal`, `setting` | the choice of the constants by searches of drawn T's |
//! | `belief` | the chance of success under declared rates |
//! | `population` | public facts: P, \|T\|, δ and the cuts; no private count |
//! | `oracle` | the only access to T |
//! | `candidates` | every cut of a region with the extents of its halves |
//! | `cluster`, `states`, `weight` | the knowledge so far: possible counts of dependent cells, with weights |
//! | `offer` | the choice of the next cut, and of the answers that it accepts |
//! | `free` | the partition of a region with a single member, which needs no offers |
//! | `transcript` | the questions and their answers |

mod belief;
mod candidates;
mod cell;
mod cluster;
mod free;
mod offer;
mod oracle;
mod population;
mod rehearsal;
mod setting;
mod states;
mod transcript;
mod unseen;
mod weight;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use self::candidates::Scratch;
use self::cluster::{Cluster, Done};
use self::free::{FreePart, free_parts};
pub use self::offer::Span;
use self::offer::{TRIES, choose};
use self::oracle::Coarsened;
pub use self::oracle::{Members, Oracle, Replay};
pub use self::population::{Cut, CutRule};
use self::population::{Population, Rules};
pub use self::rehearsal::Rehearsed;
use self::rehearsal::rehearse;
pub use self::setting::{Change, Setting};
pub use self::transcript::{Question, Transcript, TranscriptError, TranscriptStep};
pub(crate) use self::unseen::Unseen;
use super::cut_boxes::BoxRules;
use super::worker_pool::watched;
use super::{Observer, SearchReport, Step, StopReason};
use palmtop_core::model::{CutBox, Partition, Problem, Raised, Recoding, size};

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
    let rehearsed = found.as_ref().and_then(|(_, transcript)| transcript.rehearsed);
    let report = SearchReport { rehearsed, ..SearchReport::without_nodes(stop) };
    (found.map(|(partition, _)| Recoding::Regions(partition)), report)
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

/// Runs [`ask`] again with the choice of an earlier rehearsal of the same problem, without a rehearsal.
pub fn ask_again(
    problem: &Problem,
    rehearsed: Option<Rehearsed>,
    oracle: impl Oracle + Send,
    observer: &mut Observer,
) -> (Option<(Partition, Transcript)>, StopReason) {
    let rules = Rules { known: Some(rehearsed), ..Rules::default() };
    let (found, stop) = ask_by(rules, problem, oracle, observer);
    (found.map(|(partition, transcript, _)| (partition, transcript)), stop)
}

/// Runs [`ask_again`], and also returns the range of the posteriors after every possible answer; it is
/// `None` if no question was asked.
pub(super) fn measured(
    problem: &Problem,
    rehearsed: Option<Rehearsed>,
    oracle: impl Oracle + Send,
    observer: &mut Observer,
) -> Option<Measured> {
    ask_by(Rules { is_measured: true, known: Some(rehearsed), ..Rules::default() }, problem, oracle, observer)
        .0
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
    let oracle = Coarsened { parts: raised.parts(), oracle };
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
        let observer = &mut |step| pool.report(step);
        let rehearsed = rules.known.unwrap_or_else(|| rehearse(&unseen, rules, pool));
        let setting = rehearsed.map(|rehearsed| rehearsed.setting).unwrap_or_default();
        let population = Population::of(&unseen, rules, setting).stopped_by(pool);
        let mut found = search(&population, oracle, observer).continue_value()?;
        found.transcript.rehearsed = rehearsed;
        Some(found)
    });
    match found {
        None => (None, StopReason::Cancelled),
        Some(Found { regions, boxes, rests, transcript, span, .. }) => {
            (Some((united(problem, regions, boxes, rests), transcript, span)), StopReason::Done)
        }
    }
}

/// Merges the regions that are no label with all regions that the labels around them overlap, until
/// no such overlap remains.
///
/// The result is a function of the regions and P, so that it reveals no more about T than the
/// regions do. Regions that satisfy the policy also satisfy it when they are merged.
///
/// A merged region has no cut box, so its sides are chosen without one, and overlaps are merged again.
fn united(
    problem: &Problem,
    mut regions: Regions,
    mut boxes: Vec<CutBox>,
    mut rests: Vec<usize>,
) -> Partition {
    let everything = BoxRules::of(problem).everything();
    loop {
        let partition = Partition::of_regions(problem, &regions, &boxes);
        let Some(&rest) = rests.last() else { return partition };
        let label = partition.region(rest);
        let overlapping: Vec<bool> = (0..regions.len())
            .map(|other| other != rest && label.overlaps(partition.region(other)))
            .collect();
        if !overlapping.contains(&true) {
            rests.pop();
            continue;
        }
        let mut new_index = Vec::with_capacity(regions.len());
        let (mut kept, mut absorbed) = (Vec::new(), Vec::new());
        for (mut region, &is_absorbed) in regions.into_iter().zip(&overlapping) {
            new_index.push(kept.len());
            if is_absorbed {
                absorbed.append(&mut region);
            } else {
                kept.push(region);
            }
        }
        kept[new_index[rest]].append(&mut absorbed);
        kept[new_index[rest]].sort_unstable();
        let mut is_kept = overlapping.iter().map(|is_absorbed| !is_absorbed);
        boxes.retain(|_| is_kept.next().unwrap_or(true));
        boxes[new_index[rest]] = everything.clone();
        rests.retain(|&other| !overlapping[other]);
        for rest in &mut rests {
            *rest = new_index[*rest];
        }
        regions = kept;
    }
}

/// The combinations of each region.
type Regions = Vec<Vec<u32>>;

/// The result of a search.
struct Found {
    regions: Regions,
    /// The cut box of each region.
    boxes: Vec<CutBox>,
    /// The regions that consist of several labels and are no label themselves.
    rests: Vec<usize>,
    transcript: Transcript,
    span: Option<Span>,
    /// The counted work, in steps.
    work: f64,
}

/// Searches the regions of a population with the answers of any oracle.
fn search(population: &Population, oracle: impl Oracle, observer: &mut Observer) -> ControlFlow<(), Found> {
    let mut search = Search {
        population,
        oracle,
        transcript: Transcript::default(),
        scratch: Scratch::default(),
        next: 1,
        done: Vec::new(),
        boxes: Vec::new(),
        rests: Vec::new(),
        combinations: 0,
        span: None,
    };
    search.run(observer)?;
    let Search { done: regions, boxes, rests, transcript, span, scratch, .. } = search;
    ControlFlow::Continue(Found { regions, boxes, rests, transcript, span, work: scratch.work })
}

/// The state of a search. It has no access to T except through the oracle.
struct Search<'p, 'a, O> {
    population: &'p Population<'a>,
    oracle: O,
    transcript: Transcript,
    scratch: Scratch,
    /// The number of the next region.
    next: u32,
    /// The combinations of each region that is not cut further.
    done: Regions,
    /// The cut box of each region in `done`.
    boxes: Vec<CutBox>,
    /// The regions in `done` that consist of several labels and are no label themselves.
    rests: Vec<usize>,
    /// The number of combinations in `done`.
    combinations: u64,
    /// The range of the posteriors after every possible answer, if it is measured.
    span: Option<Span>,
}

impl<O: Oracle> Search<'_, '_, O> {
    fn run(&mut self, observer: &mut Observer) -> ControlFlow<()> {
        let population = self.population;
        let total = population.everybody().len() as u64;
        let mut waiting = vec![Cluster::everybody(population, population.total().private)];
        while let Some(cluster) = waiting.pop() {
            observer(Step::of(self.combinations, total))?;
            let Some(region) = cluster.regions.iter().position(|region| region.is_open) else { continue };
            let settled = self.step(cluster, region).settled(population);
            for Done { parts, cut_box, is_rest } in settled.done {
                self.rests.extend(is_rest.then_some(self.done.len()));
                for part in parts {
                    self.finish(part, cut_box.clone());
                }
            }
            waiting.extend(settled.clean);
            waiting.extend(settled.rest);
        }
        // If the caller has stopped the search, the last step ended early, so that it must not
        // count.
        observer(Step::of(self.combinations, total))
    }

    /// Makes one offer for an open region, or closes the region.
    fn step(&mut self, mut cluster: Cluster, region_index: usize) -> Cluster {
        let region = cluster.regions[region_index].clone();
        let combinations: usize = cluster.cells_of(region_index).map(|cell| cell.rows.len()).sum();
        if region.members == 0 || combinations == 1 || region.tries >= TRIES {
            cluster.regions[region_index].is_open = false;
            return cluster;
        }
        if cluster.is_clean()
            && region.members == 1
            && region.parted.is_none()
            && let Some(parts) =
                free_parts(self.population, &cluster.cells[0].rows, &region.cut_box, &mut self.scratch)
        {
            self.find_member(region.number, parts);
            // The parts replace the region.
            cluster.regions.clear();
            cluster.cells.clear();
            return cluster;
        }
        let Some(offer) = choose(self.population, &cluster, region_index, &mut self.scratch) else {
            cluster.regions[region_index].is_open = false;
            return cluster;
        };
        self.note(offer.span);
        let half = cluster.left_half(self.population, region_index, offer.cut);
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

    /// Asks which part has the single member. Every answer is harmless by the choice of the parts.
    #[expect(clippy::cast_precision_loss, reason = "a posterior for display")]
    fn find_member(&mut self, region: u32, parts: Vec<FreePart>) {
        let last = parts.len() - 1;
        if self.population.rules().is_measured {
            for (part, _) in &parts {
                // The individuals of every other part are then known not to be members.
                self.note(Some(Span { least: 0.0, greatest: 1.0 / part.count() as f64 }));
            }
        }
        let mut is_found = false;
        for (index, (part, cut_box)) in parts.into_iter().enumerate() {
            // If no earlier part has the member, the last part has it.
            if !is_found && index < last {
                let answer = self.oracle.ask(&[part.combinations()], &|members| members <= 1);
                is_found = answer == Some(1);
                self.transcript.steps.push(TranscriptStep {
                    region,
                    question: Question::Part(size::number(index)),
                    accepted: vec![(0, 1)],
                    answer,
                });
            }
            self.finish(part.combinations().to_vec(), cut_box);
        }
    }

    /// Records the range of the posteriors after an offer's answers.
    fn note(&mut self, span: Option<Span>) {
        self.span = self.span.into_iter().chain(span).reduce(Span::and);
    }

    /// Adds a finished region.
    fn finish(&mut self, region: Vec<u32>, cut_box: CutBox) {
        self.combinations += region.len() as u64;
        self.done.push(region);
        self.boxes.push(cut_box);
    }
}
