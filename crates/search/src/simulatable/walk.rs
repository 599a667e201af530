//! The search itself: it asks about one region after another until no question is left.

use std::ops::ControlFlow;

use super::candidates::extents::Scratch;
use super::candidates::free::{FreePart, free_parts};
use super::offer::{Span, TRIES, choose};
use super::oracle::Oracle;
use super::population::Population;
use super::states::cluster::{Cluster, Done};
use super::transcript::{Question, Transcript, TranscriptStep};
use crate::regions::cut_boxes::BoxRules;
use crate::{Observer, Step};
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
pub(super) fn search(
    population: &Population,
    oracle: impl Oracle,
    observer: &mut Observer,
) -> ControlFlow<(), Found> {
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
    let Search { done: regions, boxes, rests, transcript, span, .. } = search;
    ControlFlow::Continue(Found { regions, boxes, rests, transcript, span })
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
