//! The requirements on all regions.

use palmtop::model::{Classes, Counts, EmptyRegions, Partition, Problem, Recoding};

use super::generate::Case;

/// Checks that all of P is in regions that keep δ and k. No region may be empty if that is
/// forbidden, and no public combination may be in the box of another region.
pub(crate) fn check_regions(case: &Case, problem: &Problem, partition: &Partition) {
    let classes = Classes::of(problem, &Recoding::Regions(partition.clone()));
    assert!(classes.satisfy(problem.policy()), "a region breaks the policy");
    for class in classes.iter() {
        assert!(
            class.counts.private == 0
                || (case.k.is_none_or(|k| class.counts.private >= k)
                    && case.k_map.is_none_or(|k| class.counts.public >= k)),
            "a region breaks k"
        );
    }
    assert_eq!(classes.all_counts().sum::<Counts>(), problem.histogram().total());
    if case.empty_regions == EmptyRegions::Forbid {
        assert!(classes.all_counts().all(|counts| counts.private > 0), "an empty region");
    }
    for (index, &region_number) in partition.region_of().iter().enumerate() {
        let combination = problem.histogram().combination(index);
        for (number, region) in (0..).zip(partition.regions()) {
            assert_eq!(
                region.contains(&combination),
                number == region_number,
                "{combination:?} and {region:?}"
            );
        }
    }
}
