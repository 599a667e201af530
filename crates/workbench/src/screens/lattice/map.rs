//! The map of the lattice: nodes by height and loss, each with its verdict.

use std::ops::Range;

use palmtop_core::metrics::NodeLosses;
use palmtop_core::model::{Lattice, Level, Node, NodeClasses, Presence, Problem, RankedBits, Verdict};
use palmtop_search::{LatticeSurvey, NodeState, StopReason};
use rayon::slice::ParallelSliceMut;

use super::losses::Losses;
use crate::shared::labels::occurring;

/// The figures of one node.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NodeFigures {
    pub(crate) node: Node,
    pub(crate) classes: usize,
    /// The classes above δmax, and below δmin.
    pub(crate) over: usize,
    pub(crate) under: usize,
    /// The classes that keep δ and break another criterion.
    pub(crate) breaking: usize,
    /// The members in those classes.
    pub(crate) exposed: u64,
    pub(crate) least: Presence,
    pub(crate) greatest: Presence,
    pub(crate) loss: f64,
}

impl NodeFigures {
    /// Counts a node.
    pub(crate) fn of(problem: &Problem, node: &Node) -> Self {
        let classes = NodeClasses::of(problem, node);
        let mut figures = Self {
            node: node.clone(),
            classes: classes.len(),
            over: 0,
            under: 0,
            breaking: 0,
            exposed: 0,
            least: Presence::ONE,
            greatest: Presence::ZERO,
            loss: NodeLosses::of(problem).of_node(node).mean(),
        };
        for class in classes.data() {
            let verdict = problem.policy().judge(&class);
            match verdict {
                Verdict::Ok => {}
                Verdict::Over => figures.over += 1,
                Verdict::Under => figures.under += 1,
                Verdict::Breaks(_) => figures.breaking += 1,
            }
            if verdict != Verdict::Ok {
                figures.exposed += class.counts().private;
            }
            let presence = class.counts().presence();
            if presence < figures.least {
                figures.least = presence;
            }
            if presence > figures.greatest {
                figures.greatest = presence;
            }
        }
        figures
    }

    /// The number of classes that break the policy.
    pub(crate) fn violations(&self) -> usize {
        self.over + self.under + self.breaking
    }
}

/// A surveyed lattice in the order of the screen: a row per height, the finest first, and in each
/// row the nodes by loss, ties lexicographically. The *position* of a node is its index in this order.
/// It takes about 14 bytes per node. Keys and frames are answered without a pass over the nodes;
/// only finding typed levels needs one.
pub(crate) struct LatticeMap {
    survey: LatticeSurvey,
    losses: Losses,
    /// Why the survey ended.
    pub(crate) stop: StopReason,
    /// The number of the node at each position.
    order: Vec<u32>,
    /// The position of each node by its number.
    positions: Vec<u32>,
    /// The start of each row, and the end of the last one.
    rows: Vec<usize>,
    passing: RankedBits,
    open: RankedBits,
    /// The positions of the δ-present nodes by loss, then height, then lexicographically, as SPALM
    /// orders them.
    present: Vec<u32>,
    /// The positions among them that are on the frontier.
    frontier: Vec<u32>,
    /// For each quasi-identifier and level, the number of labels that somebody in P has.
    labels: Vec<Vec<usize>>,
    /// The number of nodes whose classes were counted.
    pub(crate) checked: u64,
    /// The number of nodes whose verdict was implied.
    pub(crate) implied: u64,
}

impl LatticeMap {
    /// Lays out a survey: O(n log n) on all cores for n nodes.
    pub(crate) fn new(problem: &Problem, survey: LatticeSurvey, stop: StopReason) -> Self {
        let lattice = survey.lattice();
        let losses = Losses::of(problem, lattice);
        let count = u32::try_from(lattice.len()).unwrap_or(u32::MAX);
        let mut keys = Vec::with_capacity(count as usize);
        let mut heights = Vec::with_capacity(count as usize);
        for number in 0..count {
            keys.push(losses.key(number));
            heights.push(losses.height(number));
        }
        let mut rows = vec![0_usize; losses.heights() + 1];
        for &height in &heights {
            rows[usize::from(height) + 1] += 1;
        }
        for row in 1..rows.len() {
            rows[row] += rows[row - 1];
        }
        let mut order: Vec<u32> = (0..count).collect();
        order.par_sort_by_key(|&number| (heights[number as usize], keys[number as usize], number));
        let mut positions = vec![0_u32; order.len()];
        for (position, &number) in (0..).zip(&order) {
            positions[number as usize] = position;
        }
        let is = |wanted: fn(NodeState) -> bool| {
            order.iter().map(|&number| wanted(survey.state(u64::from(number)))).collect::<RankedBits>()
        };
        let (passing, open) = (is(NodeState::is_present), is(|state| state == NodeState::Open));
        // Within a height, positions follow the order of losses and numbers, so they break ties as
        // heights and numbers do.
        let key = |position: &u32| (keys[order[*position as usize] as usize], *position);
        let mut present: Vec<u32> = (0..count).filter(|&position| passing.has(position as usize)).collect();
        present.par_sort_by_key(key);
        let on_frontier = survey.frontier().iter().map(|node| positions[number_of(lattice, node) as usize]);
        let mut frontier: Vec<u32> = on_frontier.collect();
        frontier.sort_by_key(key);
        let (checked, implied) = (survey.checked(), survey.implied());
        let labels = (0..problem.quasi().len()).map(|attribute| occurring(problem, attribute)).collect();
        Self {
            survey,
            losses,
            stop,
            order,
            positions,
            rows,
            passing,
            open,
            present,
            frontier,
            labels,
            checked,
            implied,
        }
    }

    /// The number of labels of a quasi-identifier that somebody in P has, at the level of a node.
    pub(crate) fn labels(&self, problem: &Problem, node: &Node, attribute: usize) -> usize {
        let offset = usize::from(node.levels()[attribute].0 - problem.hierarchy(attribute).base().0);
        self.labels[attribute].get(offset).copied().unwrap_or(0)
    }

    /// The lattice.
    pub(crate) fn lattice(&self) -> &Lattice {
        self.survey.lattice()
    }

    /// The number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    /// The number of heights.
    pub(crate) fn heights(&self) -> usize {
        self.rows.len() - 1
    }

    /// The height of a row: the sum of the levels of its nodes.
    pub(crate) fn height(&self, row: usize) -> u32 {
        self.lattice().bottom().height() + u32::try_from(row).unwrap_or(u32::MAX)
    }

    /// The positions of a row.
    pub(crate) fn row(&self, row: usize) -> Range<usize> {
        self.rows[row]..self.rows[row + 1]
    }

    /// The positions of a row, cut into this many bands of loss. The bands are equally wide, and the same in each row:
    /// from the loss of the finest node to that of the coarsest one. O(c·log n) for c bands.
    pub(crate) fn bands(&self, row: usize, count: usize) -> Vec<Range<usize>> {
        let key = |position: usize| self.losses.key(self.order[position]);
        let (low, high) = (key(0), key(self.len() - 1));
        let end = self.row(row).end;
        let mut start = self.row(row).start;
        let mut cut = |band: usize| {
            let next = low + (high - low) * band as u64 / count as u64;
            let inside = self.order[start..end].partition_point(|&number| self.losses.key(number) < next);
            let until = if band == count { end } else { start + inside };
            std::mem::replace(&mut start, until)..until
        };
        (1..=count).map(&mut cut).collect()
    }

    /// The row of a position.
    pub(crate) fn row_of(&self, position: usize) -> usize {
        self.rows.partition_point(|&start| start <= position) - 1
    }

    /// The length of the longest row.
    pub(crate) fn longest(&self) -> usize {
        (0..self.heights()).map(|row| self.row(row).len()).max().unwrap_or(0)
    }

    /// The position of a node.
    pub(crate) fn position(&self, node: &Node) -> usize {
        self.positions[number_of(self.lattice(), node) as usize] as usize
    }

    /// The node at a position.
    pub(crate) fn node(&self, position: usize) -> Node {
        self.lattice().unrank(u64::from(self.order[position]))
    }

    /// The verdict on the node at a position.
    pub(crate) fn state(&self, position: usize) -> NodeState {
        self.survey.state(u64::from(self.order[position]))
    }

    /// The loss of the node at a position.
    pub(crate) fn loss(&self, position: usize) -> f64 {
        self.losses.mean(self.order[position])
    }

    /// Whether every node is decided; otherwise the best node and the frontier are preliminary.
    pub(crate) fn is_complete(&self) -> bool {
        self.open(0..self.len()) == 0
    }

    /// The number of these positions that are known to keep δ.
    pub(crate) fn passing(&self, positions: Range<usize>) -> usize {
        self.passing.count_in(positions)
    }

    /// The number of these positions that are undecided.
    pub(crate) fn open(&self, positions: Range<usize>) -> usize {
        self.open.count_in(positions)
    }

    /// The position of the node of least loss among those known to keep δ.
    pub(crate) fn optimum(&self) -> Option<usize> {
        self.present.first().map(|&position| position as usize)
    }

    /// The number of nodes on the frontier.
    pub(crate) fn frontier_len(&self) -> usize {
        self.frontier.len()
    }

    /// The positions on the frontier, by loss.
    pub(crate) fn frontier(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.frontier.iter().map(|&position| position as usize)
    }

    /// The index of a position on the frontier by loss, or the index at which it would be inserted.
    pub(crate) fn frontier_rank(&self, position: usize) -> Result<usize, usize> {
        self.find(&self.frontier, position)
    }

    /// The next position on the frontier by loss; the first follows the last.
    pub(crate) fn next_on_frontier(&self, position: usize) -> Option<usize> {
        self.around(&self.frontier, position, true)
    }

    /// The next position by loss that keeps δ, or the previous one; the first and the last are
    /// neighbours.
    pub(crate) fn next_present(&self, position: usize, forward: bool) -> Option<usize> {
        self.around(&self.present, position, forward)
    }

    /// The coarser and the finer neighbour in one quasi-identifier.
    pub(crate) fn neighbours(&self, position: usize, attribute: usize) -> [Option<usize>; 2] {
        let (number, index) = (self.order[position], &self.losses.index);
        let (digit, stride) = (self.losses.digit(number, attribute), index.strides()[attribute]);
        let coarser = (digit + 1 < index.spans()[attribute]).then(|| number as usize + stride);
        let finer = (digit > 0).then(|| number as usize - stride);
        [coarser, finer].map(|number| number.map(|number| self.positions[number] as usize))
    }

    /// The coarser neighbour of least loss. All neighbours are in one row, where a lower position has
    /// less loss.
    pub(crate) fn coarser(&self, position: usize) -> Option<usize> {
        (0..self.lattice().width()).filter_map(|attribute| self.neighbours(position, attribute)[0]).min()
    }

    /// The finer neighbour of greatest loss.
    pub(crate) fn finer(&self, position: usize) -> Option<usize> {
        (0..self.lattice().width()).filter_map(|attribute| self.neighbours(position, attribute)[1]).max()
    }

    /// The position that matches these levels, of which none matches any level: the δ-present node of
    /// least loss; if no match keeps δ, the match of least loss, which is the finest.
    pub(crate) fn matching(&self, pattern: &[Option<Level>]) -> usize {
        let bottom = self.lattice().bottom();
        let wanted: Vec<Option<usize>> = std::iter::zip(pattern, bottom.levels())
            .map(|(level, base)| level.map(|level| usize::from(level.0.saturating_sub(base.0))))
            .collect();
        let fits = |number: u32| {
            let mut digits = wanted.iter().enumerate();
            digits.all(|(attribute, digit)| {
                digit.is_none_or(|digit| self.losses.digit(number, attribute) == digit)
            })
        };
        if let Some(&position) = self.present.iter().find(|&&position| fits(self.order[position as usize])) {
            return position as usize;
        }
        let digits = wanted.iter().zip(self.losses.index.strides());
        let finest: usize = digits.map(|(digit, stride)| digit.unwrap_or(0) * stride).sum();
        self.positions[finest] as usize
    }

    fn find(&self, list: &[u32], position: usize) -> Result<usize, usize> {
        let key = |position: usize| (self.losses.key(self.order[position]), position);
        let wanted = key(position);
        list.binary_search_by_key(&wanted, |&position| key(position as usize))
    }

    /// The next or previous position of a list, in a circle.
    fn around(&self, list: &[u32], position: usize, forward: bool) -> Option<usize> {
        let count = list.len();
        let next = match (self.find(list, position), forward) {
            (Ok(found), true) => found + 1,
            (Err(after), true) => after,
            (Ok(before) | Err(before), false) => before + count.max(1) - 1,
        };
        list.get(next.checked_rem(count)?).map(|&position| position as usize)
    }
}

fn number_of(lattice: &Lattice, node: &Node) -> u32 {
    u32::try_from(lattice.rank(node)).unwrap_or(u32::MAX)
}

#[cfg(test)]
pub(crate) mod tests {
    use std::ops::ControlFlow;
    use std::path::Path;

    use palmtop_core::model::{
        Code, Counts, Delta, EmptyRegions, Hierarchy, Histogram, Kind, QuasiIdentifier,
    };
    use palmtop_core::progress::unwatched;
    use palmtop_release::pipeline::{Analysis, Overrides};
    use palmtop_search::{Config, spalm, survey};

    use super::*;

    /// A problem whose quasi-identifiers have these numbers of levels; leaves are grouped in pairs,
    /// fours, eights and so on.
    pub(crate) fn synthetic(levels: &[u32]) -> Problem {
        let hierarchy = |levels: u32| {
            let chain = |leaf: u32| {
                (0..levels).map(move |level| {
                    if level + 1 == levels { "*".into() } else { format!("{}<{level}", leaf >> level) }
                })
            };
            let leaves: Vec<Vec<String>> = (0..1 << (levels - 1)).map(|leaf| chain(leaf).collect()).collect();
            Hierarchy::new(Kind::Category, Level(0), &leaves).unwrap()
        };
        let quasi: Vec<QuasiIdentifier> = (0..)
            .zip(levels)
            .map(|(index, &levels)| QuasiIdentifier {
                name: format!("q{index}"),
                hierarchy: hierarchy(levels),
            })
            .collect();
        let mut state = 7_u64;
        let mut draw = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let mut people = std::collections::BTreeMap::new();
        for _ in 0..2_000 {
            let codes: Vec<Code> =
                levels.iter().map(|&levels| draw(1 << (levels - 1)).try_into().unwrap()).collect();
            *people.entry(codes).or_insert(Counts::default()) += Counts::new(1, u64::from(draw(10) == 0));
        }
        let columns = (0..levels.len()).map(|a| people.keys().map(|codes| codes[a]).collect()).collect();
        let histogram = Histogram::new(columns, people.into_values().collect()).unwrap();
        let delta = Delta::new("0".parse().unwrap(), "1/4".parse().unwrap()).unwrap();
        Problem::new(quasi, histogram, delta, EmptyRegions::Allow).unwrap()
    }

    pub(crate) fn map_of(problem: &Problem) -> LatticeMap {
        let (found, stop) = survey(problem, &mut unwatched);
        LatticeMap::new(problem, found, stop)
    }

    fn sample(path: &str) -> Problem {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().join("sample-data").join(path);
        Analysis::load(&path, &Overrides::default()).unwrap().problem().clone()
    }

    #[test]
    fn map_rows_are_heights_sorted_by_loss() {
        let problem = synthetic(&[3, 2, 4]);
        let (map, losses) = (map_of(&problem), NodeLosses::of(&problem));
        assert_eq!((map.len(), map.heights(), map.longest()), (24, 7, 6));
        let mut seen = 0;
        for row in 0..map.heights() {
            for position in map.row(row) {
                let node = map.node(position);
                assert_eq!(
                    (node.height(), map.row_of(position), map.position(&node)),
                    (map.height(row), row, position)
                );
                assert!((map.loss(position) - losses.of_node(&node).mean()).abs() < 1e-15);
                if position + 1 < map.row(row).end {
                    let (next, step) = (map.node(position + 1), map.loss(position + 1) - map.loss(position));
                    assert!(step > 1e-12 || (step > -1e-12 && node < next), "{node} {next}");
                }
                seen += 1;
            }
        }
        assert_eq!(seen, map.len());
    }

    #[test]
    fn bands_have_each_node_at_its_loss() {
        for (problem, count) in [(sample("clinic/clinic.toml"), 70), (synthetic(&[3, 2, 4]), 7)] {
            let map = map_of(&problem);
            let (low, high) = (map.loss(0), map.loss(map.len() - 1));
            let edge = |band: u32| low + (high - low) * f64::from(band) / f64::from(count);
            for row in 0..map.heights() {
                let bands = map.bands(row, usize::try_from(count).unwrap());
                let joined: Vec<usize> = bands.iter().flat_map(Clone::clone).collect();
                assert_eq!(joined, map.row(row).collect::<Vec<_>>());
                for (band, positions) in (0..).zip(bands) {
                    for position in positions {
                        let loss = map.loss(position);
                        assert!(loss > edge(band) - 1e-9 && loss < edge(band + 1) + 1e-9, "{band}: {loss}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_optimum_is_what_spalm_finds() {
        let mut problems =
            vec![sample("paper/paper.toml"), sample("clinic/clinic.toml"), sample("trial/trial.toml")];
        problems.extend([&[3, 3, 3][..], &[2, 5], &[4, 2, 3, 2]].map(synthetic));
        for problem in problems {
            let (found, _) = spalm(&problem, &Config::default(), &mut unwatched);
            let map = map_of(&problem);
            let node = map.optimum().map(|position| map.node(position));
            assert_eq!(node.as_ref(), found.as_ref().and_then(|found| found.node()));
        }
    }

    #[test]
    fn counts_of_a_run_equal_its_nodes() {
        let problem = sample("clinic/clinic.toml");
        let map = map_of(&problem);
        let is = |position: usize| map.state(position).is_present();
        for run in [0..0, 0..1, 3..64, 63..65, 64..128, 100..1_000, 0..map.len(), map.len()..map.len()] {
            assert_eq!(
                map.passing(run.clone()),
                run.clone().filter(|&position| is(position)).count(),
                "{run:?}"
            );
            assert_eq!(map.open(run), 0);
        }
        assert_eq!(map.checked + map.implied, map.len() as u64);
    }

    #[test]
    fn a_survey_that_was_stopped_leaves_open_nodes() {
        let problem = sample("clinic/clinic.toml");
        let mut steps = 0;
        let (found, stop) = survey(&problem, &mut |_| {
            steps += 1;
            if steps > 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let map = LatticeMap::new(&problem, found, stop);
        assert_eq!(map.stop, StopReason::Cancelled);
        assert_eq!(map.open(0..map.len()) as u64, map.len() as u64 - map.checked - map.implied);
        assert!(map.open(0..map.len()) > 0);
    }

    #[test]
    fn what_comes_next_by_loss_goes_round() {
        let map = map_of(&sample("paper/paper.toml"));
        let count = map.passing(0..map.len());
        let first = map.optimum().unwrap();
        let walk = |forward: bool| {
            let mut walked = vec![first];
            for _ in 1..count {
                walked.push(map.next_present(walked[walked.len() - 1], forward).unwrap());
            }
            assert_eq!(map.next_present(walked[count - 1], forward), Some(first));
            walked
        };
        let (mut forward, backward) = (walk(true), walk(false));
        assert!(forward.windows(2).all(|pair| map.loss(pair[0]) <= map.loss(pair[1]) + 1e-12));
        forward[1..].reverse();
        assert_eq!(forward, backward);
        let frontier: Vec<usize> = map.frontier().collect();
        let last = frontier[frontier.len() - 1];
        assert_eq!(map.next_on_frontier(last), Some(frontier[0]));
        assert_eq!(map.frontier_rank(last), Ok(frontier.len() - 1));
    }

    #[test]
    fn neighbours_are_those_of_the_lattice() {
        let map = map_of(&synthetic(&[3, 2, 4]));
        for position in 0..map.len() {
            let (node, lattice) = (map.node(position), map.lattice());
            for attribute in 0..lattice.width() {
                let neighbours = map
                    .neighbours(position, attribute)
                    .map(|position| position.map(|position| map.node(position)));
                assert_eq!(neighbours, [lattice.coarser(&node, attribute), lattice.finer(&node, attribute)]);
            }
            let least =
                (0..3).filter_map(|a| map.neighbours(position, a)[0]).map(|position| map.loss(position));
            let least = least.fold(f64::INFINITY, f64::min);
            assert!(map.coarser(position).is_none_or(|position| map.loss(position) < least + 1e-12));
        }
    }

    #[test]
    fn pattern_finds_the_matching_node_of_least_loss() {
        let map = map_of(&sample("paper/paper.toml"));
        let find = |pattern: [Option<u8>; 3]| {
            map.node(map.matching(&pattern.map(|level| level.map(Level)))).to_string()
        };
        let best = map.node(map.optimum().unwrap()).to_string();
        assert_eq!(find([None; 3]), best);
        assert_eq!(find([Some(3), None, Some(2)]), "3,2,2");
        assert_eq!(find([Some(0), Some(0), None]), "0,0,0", "none of them keeps δ");
        assert_eq!(find([Some(1), Some(2), Some(3)]), "1,2,3");
    }

    #[test]
    fn figures_of_a_node_count_its_classes() {
        let problem = sample("paper/paper.toml");
        let node = problem.lattice().node(&[Level(3), Level(2), Level(2)]).unwrap();
        let figures = NodeFigures::of(&problem, &node);
        assert_eq!((figures.classes, figures.violations(), figures.exposed), (2, 0, 0));
        assert_eq!((figures.least.to_string(), figures.greatest.to_string()), ("1/2".into(), "2/3".into()));
        assert_eq!(NodeFigures::of(&problem, &problem.lattice().bottom()).violations(), 9);
    }
}
