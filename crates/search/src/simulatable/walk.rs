//! The search itself: it asks about one region after another until no question is left.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::Scope;

use super::candidates::free::{FreePart, free_parts};
use super::candidates::values::Scratch;
use super::offer::{Span, TRIES, choose};
use super::oracle::Oracle;
use super::population::Population;
use super::states::cluster::{Cluster, Done};
use super::transcript::{Question, Transcript, TranscriptStep};
use crate::Step;
use crate::regions::cut_boxes::BoxRules;
use palmtop_core::model::{CutBox, Partition, Problem, size};

/// Merges the regions that are no label with all regions that the labels around them overlap, until
/// no such overlap remains.
///
/// The result is a function of the regions and P, so that it reveals no more about T than the
/// regions do. Regions that satisfy the policy also satisfy it when they are merged.
///
/// A merged region has no cut box, so its sides are chosen without one, and overlaps are merged again.
pub(super) fn united(
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
pub(super) type Regions = Vec<Vec<u32>>;

/// The result of a search.
#[derive(Default)]
pub(super) struct Found {
    pub(super) regions: Regions,
    /// The cut box of each region.
    pub(super) boxes: Vec<CutBox>,
    /// The regions that consist of several labels and are no label themselves.
    pub(super) rests: Vec<usize>,
    pub(super) transcript: Transcript,
    pub(super) span: Option<Span>,
}

/// Searches the regions of a population with the answers of any oracle.
///
/// Questions about different clusters are independent, so that they are asked on all cores if the oracle
/// permits it. The order and the numbers of the transcript are those of one core.
pub(super) fn search<O: Oracle + Send>(population: &Population, oracle: O) -> ControlFlow<(), Found> {
    let search = Search {
        population,
        next: AtomicU32::new(1),
        combinations: AtomicU64::new(0),
        pieces: Mutex::new(vec![Piece::default()]),
    };
    let everybody = Cluster::everybody(population, population.total().private);
    if oracle.another().is_some() {
        rayon::scope(|scope| Walk::of(&search, oracle).run(0, vec![everybody], Some(scope)));
    } else {
        Walk::of(&search, oracle).run(0, vec![everybody], None);
    }
    // If the caller has stopped the search, the last steps ended early, so that they must not count.
    search.report()?;
    ControlFlow::Continue(search.found())
}

/// The number of combinations from which clusters are searched on their own.
const ALONE: usize = 1 << 12;

/// A part of a search: questions one after another, and the parts that come after it.
#[derive(Default)]
struct Piece {
    /// The questions. The numbers of their regions depend on the order of the work.
    steps: Vec<TranscriptStep>,
    /// For each question, the number of the first half if the region was cut.
    halves: Vec<Option<u32>>,
    /// The regions that are not cut further.
    done: Vec<Done>,
    /// The range of the posteriors after every possible answer, if it is measured.
    span: Option<Span>,
    /// The parts that come next, in their order.
    next: Vec<usize>,
}

/// What all parts of a search share. None of it decides about a question.
struct Search<'p, 'a> {
    population: &'p Population<'a>,
    /// The number of the next region, in the order of the work.
    next: AtomicU32,
    /// The number of combinations in regions that are not cut further.
    combinations: AtomicU64,
    pieces: Mutex<Vec<Piece>>,
}

impl Search<'_, '_> {
    fn report(&self) -> ControlFlow<()> {
        let done = self.combinations.load(Ordering::Relaxed);
        self.population.report(Step::of(done, self.population.combinations() as u64))
    }

    fn pieces(&self) -> MutexGuard<'_, Vec<Piece>> {
        self.pieces.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Joins the parts in the order of a search on one core, and numbers the regions in that order.
    fn found(&self) -> Found {
        let mut pieces = std::mem::take(&mut *self.pieces());
        let mut found = Found::default();
        let mut numbers = vec![0; self.next.load(Ordering::Relaxed) as usize];
        let (mut next, mut waiting) = (1, vec![0]);
        while let Some(piece) = waiting.pop() {
            let Piece { steps, halves, done, span, next: after } = std::mem::take(&mut pieces[piece]);
            waiting.extend(after.into_iter().rev());
            for (step, halves) in steps.into_iter().zip(halves) {
                let region = numbers[step.region as usize];
                found.transcript.steps.push(TranscriptStep { region, ..step });
                if let Some(first) = halves {
                    (numbers[first as usize], numbers[first as usize + 1]) = (next, next + 1);
                    next += 2;
                }
            }
            for Done { parts, cut_box, is_rest } in done {
                found.rests.extend(is_rest.then_some(found.regions.len()));
                found.boxes.extend(parts.iter().map(|_| cut_box.clone()));
                found.regions.extend(parts);
            }
            found.span = found.span.into_iter().chain(span).reduce(Span::and);
        }
        found
    }
}

/// One part of a search at work. It has no access to T except through the oracle.
struct Walk<'s, 'p, 'a, O> {
    search: &'s Search<'p, 'a>,
    oracle: O,
    scratch: Scratch,
    piece: Piece,
}

impl<'s, 'p, 'a, O: Oracle + Send + 's> Walk<'s, 'p, 'a, O> {
    fn of(search: &'s Search<'p, 'a>, oracle: O) -> Self {
        Self { search, oracle, scratch: Scratch::default(), piece: Piece::default() }
    }

    /// Searches the waiting clusters, last first. If several clusters are large, each becomes a part of its own,
    /// and so does what waits.
    fn run(mut self, number: usize, mut waiting: Vec<Cluster>, scope: Option<&Scope<'s>>) {
        let population = self.search.population;
        while let Some(cluster) = waiting.pop() {
            if self.search.report().is_break() {
                return;
            }
            let Some(region) = cluster.regions.iter().position(|region| region.is_open) else { continue };
            let settled = self.step(cluster, region).settled(population);
            settled.done.into_iter().for_each(|done| self.finish(done));
            let mut after = settled.clean;
            after.extend(settled.rest);
            match scope {
                Some(scope) if after.iter().filter(|cluster| cluster.combinations() >= ALONE).count() > 1 => {
                    let mut parts = vec![waiting];
                    parts.extend(after.into_iter().map(|cluster| vec![cluster]));
                    return self.divide(number, parts, scope);
                }
                _ => waiting.extend(after),
            }
        }
        self.search.pieces()[number] = self.piece;
    }

    /// Ends this part, and begins parts that come after it, last first.
    fn divide(mut self, number: usize, parts: Vec<Vec<Cluster>>, scope: &Scope<'s>) {
        let mut pieces = self.search.pieces();
        let first = pieces.len();
        pieces.resize_with(first + parts.len(), Piece::default);
        self.piece.next = (first..first + parts.len()).rev().collect();
        pieces[number] = self.piece;
        drop(pieces);
        for (number, part) in (first..).zip(parts) {
            let search = self.search;
            if let Some(oracle) = self.oracle.another() {
                scope.spawn(move |scope| Walk::of(search, oracle).run(number, part, Some(scope)));
            }
        }
    }

    /// Makes one offer for an open region, or closes the region.
    fn step(&mut self, mut cluster: Cluster, region_index: usize) -> Cluster {
        let population = self.search.population;
        let region = &cluster.regions[region_index];
        let number = region.number;
        let combinations: usize = cluster.cells_of(region_index).map(|cell| cell.rows.len()).sum();
        if region.members == 0 || combinations == 1 || region.tries >= TRIES {
            cluster.regions[region_index].is_open = false;
            return cluster;
        }
        if cluster.is_clean()
            && region.members == 1
            && region.parted.is_none()
            && let Some(parts) =
                free_parts(population, &cluster.cells[0].rows, &region.cut_box, &mut self.scratch)
        {
            self.find_member(number, parts);
            // The parts replace the region.
            cluster.regions.clear();
            cluster.cells.clear();
            return cluster;
        }
        let Some(offer) = choose(population, &mut cluster, region_index, &mut self.scratch) else {
            cluster.regions[region_index].is_open = false;
            return cluster;
        };
        self.note(offer.span);
        let divided = cluster.divided(population, region_index, offer.cut);
        let half: Vec<&[u32]> = divided.rows.iter().map(|[left, _]| left.combinations()).collect();
        let is_accepted = |members| offer.accepted.contains(members);
        let answer = self.oracle.ask(&half, &is_accepted);
        // A number that only this part takes.
        let next = if answer.is_some() { self.search.next.fetch_add(2, Ordering::Relaxed) } else { 0 };
        self.piece.steps.push(TranscriptStep {
            region: number,
            question: Question::Cut(offer.cut),
            accepted: offer.accepted.ranges(),
            answer,
        });
        self.piece.halves.push(answer.map(|_| next));
        cluster.answered(population, divided, &offer.halves, &is_accepted, answer, next)
    }

    /// Asks which part has the single member. Every answer is harmless by the choice of the parts.
    #[expect(clippy::cast_precision_loss, reason = "a posterior for display")]
    fn find_member(&mut self, region: u32, parts: Vec<FreePart>) {
        let last = parts.len() - 1;
        if self.search.population.rules().is_measured {
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
                self.piece.steps.push(TranscriptStep {
                    region,
                    question: Question::Part(size::number(index)),
                    accepted: vec![(0, 1)],
                    answer,
                });
                self.piece.halves.push(None);
            }
            self.finish(Done { parts: vec![part.combinations().to_vec()], cut_box, is_rest: false });
        }
    }

    /// Records the range of the posteriors after an offer's answers.
    fn note(&mut self, span: Option<Span>) {
        self.piece.span = self.piece.span.into_iter().chain(span).reduce(Span::and);
    }

    /// Adds a finished region.
    fn finish(&mut self, done: Done) {
        let combinations = done.parts.iter().map(|part| part.len() as u64).sum();
        self.search.combinations.fetch_add(combinations, Ordering::Relaxed);
        self.piece.done.push(done);
    }
}
