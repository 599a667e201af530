use proptest::prelude::*;

use super::*;
use palmtop_core::model::{
    Code, Counts, Delta, EmptyRegions, Hierarchy, Histogram, Kind, Level, Presence, QuasiIdentifier,
};
use palmtop_core::progress::unwatched;

/// A small table of two numbers and two categories. Each combination has its counts of P and T.
fn problem(rows: &[([u32; 4], u64, u64)], max: (u64, u64)) -> Option<Problem> {
    let mut rows = rows.to_vec();
    rows.sort_unstable();
    rows.dedup_by_key(|row| row.0);
    let chains =
        |leaves: u32| (0..leaves).map(|leaf| vec![leaf.to_string(), "*".to_owned()]).collect::<Vec<_>>();
    let kinds = [(Kind::Number, 9), (Kind::Number, 4), (Kind::Category, 5), (Kind::Category, 3)];
    let quasi = kinds.into_iter().enumerate().map(|(index, (kind, leaves))| QuasiIdentifier {
        name: index.to_string(),
        hierarchy: Hierarchy::new(kind, Level(0), &chains(leaves)).unwrap(),
    });
    let columns = (0..4).map(|column| rows.iter().map(|row| row.0[column]).collect()).collect();
    let counts = rows.iter().map(|&(_, public, private)| Counts::new(public, private.min(public))).collect();
    let delta = Delta::new(Presence::ZERO, Presence::new(max.0, max.1).unwrap()).unwrap();
    let histogram = Histogram::new(columns, counts).unwrap();
    let problem = Problem::new(quasi.collect(), histogram, delta, EmptyRegions::Allow).ok()?;
    problem.feasibility().holds().then_some(problem)
}

#[expect(clippy::cast_precision_loss, reason = "a few people")]
fn mean(sum: f64, people: u64) -> f64 {
    sum / people as f64
}

/// The mean of the smallest boxes, by trying every set of combinations.
fn naive(problem: &Problem) -> f64 {
    let space = Space::of(problem);
    let rows = space.counts.len();
    let mut least = vec![f64::INFINITY; rows];
    for set in 1_u32..1 << rows {
        let inside: Vec<usize> = (0..rows).filter(|row| set >> row & 1 == 1).collect();
        let sides = (0..4).map(|column| {
            let mut codes: Vec<Code> = inside.iter().map(|&row| space.row(row)[column]).collect();
            codes.sort_unstable();
            codes.dedup();
            let apart = if space.ordered[column] {
                codes[codes.len() - 1] - codes[0]
            } else {
                u32::try_from(codes.len()).unwrap() - 1
            };
            f64::from(apart) * space.units[column]
        });
        let loss: f64 = sides.sum();
        let people: u64 = inside.iter().map(|&row| space.counts[row].public).sum();
        for row in inside {
            if u128::from(people) >= space.needed(space.counts[row].private) {
                least[row] = least[row].min(loss);
            }
        }
    }
    let private = |row: usize| f64::from(u32::try_from(space.counts[row].private).unwrap());
    let sum: f64 =
        (0..rows).filter(|&row| space.counts[row].private > 0).map(|row| least[row] * private(row)).sum();
    mean(sum, problem.histogram().total().private)
}

#[test]
fn too_large_table_is_not_reported_as_cancelled() {
    let limit = 10;
    assert_eq!(check(10, "pairs", limit), Ok(()));
    assert_eq!(check(11, "pairs", limit), Err(NoBound::TooLarge { amount: 11, unit: "pairs", limit }));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn small_tables_have_their_smallest_boxes(
        rows in prop::collection::vec(([0..9_u32, 0..4_u32, 0..5_u32, 0..3_u32], 1..4_u64, 0..2_u64), 1..11),
        max in (1..6_u64).prop_flat_map(|over| (Just(over), over..12)),
    ) {
        let Some(problem) = problem(&rows, max).filter(|problem| problem.histogram().total().private > 0) else {
            return Ok(());
        };
        let (found, exact) = (bound(&problem, &mut unwatched).unwrap(), naive(&problem));
        prop_assert!(found <= exact + 1e-12, "{found} above {exact}");
        prop_assert!(found >= exact - 1e-9 || problem.histogram().len() > 7, "{found} far below {exact}");
    }

    #[test]
    fn the_nearby_combinations_are_the_nearest(
        rows in prop::collection::vec(([0..9_u32, 0..4_u32, 0..5_u32, 0..3_u32], 1..2_u64, 0..2_u64), 200..500),
        row_index in any::<prop::sample::Index>(),
    ) {
        let Some(problem) = problem(&rows, (1, 1)) else { return Ok(()) };
        let space = Space::of(&problem);
        let row_index = row_index.index(space.counts.len());
        let (blocks, mut near) = (watched(&mut unwatched, |pool| Blocks::of(&space, pool)).unwrap(), Vec::new());
        let far = blocks.nearest(&space, row_index, &mut near);
        let mut all: Vec<f64> =
            (0..space.counts.len()).map(|row| space.distance(space.row(row_index), space.row(row))).collect();
        all.sort_by(f64::total_cmp);
        let found: Vec<f64> = near.iter().map(|near| near.0).collect();
        prop_assert_eq!(&found[..], &all[..found.len()]);
        prop_assert!(all.get(found.len()).is_none_or(|&next| far <= next));
        prop_assert!(found.len() == all.len() || found.len() == 192);
    }
}
