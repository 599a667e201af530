//! Recounts a release of a synthetic table and shares no code with the search. `verify` reads
//! files, and these tables have none.

use palmtop::model::{Counts, Node, Partition, Problem, Recoding};

/// The number of combinations that are tested against every region.
const SAMPLE: usize = 1000;

/// Recounts every class. Panics if a class breaks δ, or if a combination is outside its region's
/// box. Also panics if one of `SAMPLE` combinations is in a second box.
pub(crate) fn recount(problem: &Problem, recoding: &Recoding) {
    let classes = match recoding {
        Recoding::Node(node) => of_node(problem, node),
        Recoding::Regions(partition) => of_regions(problem, partition),
        Recoding::Withdrawn(_) => panic!("nobody may be withdrawn of these tables"),
    };
    let (min, max) = (problem.delta().min(), problem.delta().max());
    let wide = |left: u64, right: u64| u128::from(left) * u128::from(right);
    for Counts { public, private } in classes {
        assert!(
            wide(private, max.denominator()) <= wide(public, max.numerator()),
            "{private}/{public} > δmax"
        );
        assert!(
            wide(private, min.denominator()) >= wide(public, min.numerator()),
            "{private}/{public} < δmin"
        );
    }
}

fn of_node(problem: &Problem, node: &Node) -> Vec<Counts> {
    let histogram = problem.histogram();
    let mut keyed: Vec<(u64, Counts)> = (0..histogram.len())
        .map(|index| {
            let levels = node.levels().iter().enumerate();
            let key = levels.fold(0, |key, (attribute, &level)| {
                let hierarchy = problem.hierarchy(attribute);
                let label = hierarchy.labels_of(level)[histogram.column(attribute)[index] as usize];
                key * hierarchy.label_count(level) as u64 + u64::from(label)
            });
            (key, histogram.counts()[index])
        })
        .collect();
    keyed.sort_unstable_by_key(|&(key, _)| key);
    keyed
        .chunk_by(|left, right| left.0 == right.0)
        .map(|class| class.iter().map(|&(_, people)| people).sum())
        .collect()
}

fn of_regions(problem: &Problem, partition: &Partition) -> Vec<Counts> {
    let histogram = problem.histogram();
    let mut classes = vec![Counts::default(); partition.len()];
    let every = (histogram.len() / SAMPLE).max(1);
    for (index, &region) in partition.region_of().iter().enumerate() {
        classes[region as usize] += histogram.counts()[index];
        let combination = histogram.combination(index);
        assert!(partition.region(region as usize).contains(&combination), "outside its box");
        if index % every == 0 {
            let boxes = partition.regions().filter(|region| region.contains(&combination)).count();
            assert_eq!(boxes, 1, "in a second box");
        }
    }
    classes
}
