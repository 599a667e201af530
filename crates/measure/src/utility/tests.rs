use proptest::prelude::*;

use super::floats::{float, size};
use super::query::Predicate;
use super::*;
use palmtop_core::model::{
    Classes, Code, Counts, Delta, EmptyRegions, Hierarchy, Histogram, Kind, Level, Node, Partition, Presence,
    Problem, QuasiIdentifier, Recoding, SensitiveColumn, SensitiveValues, ValueCounts,
};

fn hierarchy(kind: Kind, chains: &[&[&str]]) -> Hierarchy {
    let chains: Vec<Vec<String>> =
        chains.iter().map(|chain| chain.iter().map(|&label| label.to_owned()).collect()).collect();
    Hierarchy::new(kind, Level(0), &chains).unwrap()
}

fn problem(quasi: Vec<QuasiIdentifier>, rows: &[(Vec<Code>, u64, u64)]) -> Problem {
    let width = quasi.len();
    let columns = (0..width).map(|index| rows.iter().map(|row| row.0[index]).collect()).collect();
    let counts = rows.iter().map(|(_, public, private)| Counts::new(*public, *private)).collect();
    let delta = Delta::new(Presence::ZERO, Presence::ONE).unwrap();
    let histogram = Histogram::new(columns, counts).unwrap();
    Problem::new(quasi, histogram, delta, EmptyRegions::Allow).unwrap()
}

fn sensitive(values: &[&str], is_ordered: bool, of: Vec<(u32, Vec<u64>)>) -> SensitiveValues {
    let counts = |members: &[u64]| ValueCounts::of((0..).zip(members.iter().copied()));
    let all = ValueCounts::of(of.iter().flat_map(|(_, members)| (0..).zip(members.iter().copied())));
    let column = SensitiveColumn {
        name: "diagnosis".to_owned(),
        values: values.iter().map(|&value| value.to_owned()).collect(),
        is_ordered,
        tree: None,
        all,
    };
    let of = of.into_iter().map(|(index, members)| (index, vec![counts(&members)])).collect();
    SensitiveValues::new(vec![column], of)
}

/// Eight members: three women of age 1 (a, a, b), a man of age 2 (b), and four men of age 4 (b, b,
/// b, c). P also has a woman of age 3, who is not a member.
fn eight() -> (Problem, SensitiveValues) {
    let age = hierarchy(
        Kind::Number,
        &[&["1", "low", "*"], &["2", "low", "*"], &["3", "high", "*"], &["4", "high", "*"]],
    );
    let sex = hierarchy(Kind::Category, &[&["f", "*"], &["m", "*"]]);
    let quasi = [("age", age), ("sex", sex)]
        .map(|(name, hierarchy)| QuasiIdentifier { name: name.to_owned(), hierarchy });
    let rows = [(vec![0, 0], 4, 3), (vec![1, 1], 2, 1), (vec![2, 0], 1, 0), (vec![3, 1], 6, 4)];
    let of = vec![(0, vec![2, 1, 0]), (1, vec![0, 1, 0]), (3, vec![0, 3, 1])];
    (problem(quasi.to_vec(), &rows), sensitive(&["a", "b", "c"], false, of))
}

fn node(problem: &Problem, levels: &[u8]) -> Recoding {
    let levels: Vec<Level> = levels.iter().copied().map(Level).collect();
    Recoding::Node(problem.lattice().node(&levels).unwrap())
}

fn published(
    problem: &Problem,
    values: &SensitiveValues,
    recoding: &Recoding,
) -> (OriginalTable, PublishedTable) {
    let original = OriginalTable::of(problem, values);
    let table = PublishedTable::of(&original, problem, &Classes::of(problem, recoding), values);
    (original, table)
}

fn measured(problem: &Problem, values: &SensitiveValues, recoding: &Recoding) -> Utility {
    let (original, table) = published(problem, values, recoding);
    Utility::of(&Workload::draw(original, 7, 50).unwrap(), &table, 3)
}

#[track_caller]
fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found}, expected {expected}");
}

/// Low and high ages, with sex generalized: `low, *` has a, a, b, b, and `high, *` has b, b, b, c.
#[test]
fn utility_of_eight_members_equals_hand_count() {
    let (problem, values) = eight();
    let utility = measured(&problem, &values, &node(&problem, &[1, 1]));
    assert_eq!((utility.members, utility.rows), (8, 8));
    let [age, sex, diagnosis] = &utility.attributes[..] else { panic!("{:?}", utility.attributes) };
    // Shares of 3/8, 1/8, 0 and 4/8, against a quarter each.
    near(age.distance, 3.0 / 8.0);
    // Differences of the cumulative shares: 1/8 up to 1, 0 up to 2, and −1/4 up to 3. The sum is
    // 3/8 over three steps.
    near(age.ordered.unwrap(), 1.0 / 8.0);
    near(sex.distance, 1.0 / 8.0);
    assert_eq!((sex.ordered, diagnosis.ordered), (None, None));
    near(diagnosis.distance, 0.0);
    near(utility.distance(), 1.0 / 4.0);
    let shares: Vec<(&str, f64, f64)> =
        age.groups.iter().map(|group| (group.label.as_str(), group.original, group.published)).collect();
    assert_eq!(shares, [("1", 0.375, 0.25), ("2", 0.125, 0.25), ("3", 0.0, 0.25), ("4", 0.5, 0.25)]);

    let expected = [
        // The age determines the sex: χ²/n = 1, less 2·1/7; over 1 − 1/7. In the release each sex
        // is generalized, so V is 0.
        ("age", "sex", (5.0_f64 / 6.0).sqrt(), 0.0),
        // T: χ²/n = 4/6 + 1/15 + 1/5 + 9/20 + 1/4 − 1 = 19/30, less 2·2/7; over 2 − 4/7. The
        // release, with four ages: χ²/n = 2·(1/4 + 1/10) + 2·(2.25/10 + .25/2) − 1 = 2/5. This is
        // less than 3·2/7, so V is 0.
        ("age", "diagnosis", ((19.0_f64 / 30.0 - 4.0 / 7.0) / (10.0 / 7.0)).sqrt(), 0.0),
        // χ²/n = 4/6 + 1/15 + 16/25 + 1/5 − 1 = 43/75, less 1·2/7; over 1 − 1/7.
        ("sex", "diagnosis", ((43.0_f64 / 75.0 - 2.0 / 7.0) / (6.0 / 7.0)).sqrt(), 0.0),
    ];
    assert_eq!(utility.pairs.len(), expected.len());
    for (pair, (first, second, original, published)) in utility.pairs.iter().zip(expected) {
        assert_eq!((pair.first.as_str(), pair.second.as_str()), (first, second));
        near(pair.association.unwrap().original, original);
        near(pair.association.unwrap().published, published);
    }
    // The association of age and diagnosis is not 0, but below the correction. The release has no
    // association with sex, because sex is generalized.
    let floored = utility.pairs.iter().map(|pair| {
        let association = pair.association.unwrap();
        (association.is_original_floored, association.is_published_floored)
    });
    assert_eq!(floored.collect::<Vec<_>>(), [(false, false), (false, true), (false, false)]);
    let sizes = utility
        .pairs
        .iter()
        .map(|pair| pair.association.map(|association| (association.rows, association.cells)));
    assert_eq!(sizes.collect::<Vec<_>>(), [Some((8, 6)), Some((8, 9)), Some((8, 6))]);

    let worst: Vec<(String, u64, f64, f64)> = utility
        .worst
        .iter()
        .map(|class| (class.labels.join(" "), class.rows, class.loss, class.share))
        .collect();
    let lost = |label: &str| (label.to_owned(), 4, f64::midpoint(1.0 / 3.0, 1.0), 0.5);
    assert_eq!(worst, [lost("high *"), lost("low *")]);
}

#[test]
fn query_answers_equal_those_computed_by_hand() {
    let (problem, values) = eight();
    let (original, table) = published(&problem, &values, &node(&problem, &[1, 1]));
    let ask = |quasi: &[(usize, (u32, u32))], sensitive: Option<(u32, u32)>| {
        let predicate = |&(attribute, run): &(usize, (u32, u32))| Predicate { attribute, runs: vec![run] };
        let query = Query {
            quasi: quasi.iter().map(predicate).collect(),
            sensitive: sensitive.map(|run| predicate(&(0, run))),
        };
        let (truth, estimate) =
            (query.of_original(&original, true), query.of_published(&original, &table, true));
        (truth.all, estimate.all, truth.by_value, estimate.by_value)
    };
    // Ages up to 3, with b: two members of T. The release has both b of `low`, and half of the
    // three of `high`.
    let answers = ask(&[(0, (0, 3))], Some((1, 2)));
    assert_eq!(answers, (2.0, 3.5, vec![2.0, 2.0, 0.0], vec![2.0, 3.5, 0.5]));
    // Women with b or c: one member of T. The release has half of six.
    let (truth, estimate, ..) = ask(&[(1, (0, 1))], Some((1, 3)));
    assert_eq!((truth, estimate), (1.0, 3.0));
    // Men up to age 2, with any diagnosis: one member of T. The release has half of four.
    assert_eq!(ask(&[(0, (0, 2)), (1, (1, 2))], None), (1.0, 2.0, vec![], vec![]));
}

#[test]
fn worst_queries_are_worded_with_both_answers() {
    let (problem, values) = eight();
    let utility = measured(&problem, &values, &node(&problem, &[1, 1]));
    let worst = &utility.queries.worst;
    assert_eq!(worst.len(), 3);
    assert!(worst.is_sorted_by(|left, right| left.error >= right.error) && worst[0].error > 0.0, "{worst:?}");
    for query in worst {
        // The floor is one member.
        near(query.error, (query.estimate - query.truth).abs() / query.truth.max(1.0));
    }
    let original = OriginalTable::of(&problem, &values);
    let predicate = |attribute, runs: &[(u32, u32)]| Predicate { attribute, runs: runs.to_vec() };
    let query = Query {
        quasi: vec![predicate(0, &[(0, 3)]), predicate(1, &[(1, 2)])],
        sensitive: Some(predicate(0, &[(0, 1), (2, 3)])),
    };
    assert_eq!(query.text(&original), "age 1 to 3, sex m, diagnosis a or c");
}

#[test]
fn relative_errors_are_ranked_by_hand() {
    let errors = RelativeErrors::of(vec![0.5, 0.0, 2.0, 1.0]);
    assert_eq!((errors.median, errors.ninetieth, errors.mean), (0.75, 2.0, 0.875));
    let ten = RelativeErrors::of((1..=10).rev().map(f64::from).collect());
    assert_eq!((ten.median, ten.ninetieth, ten.mean), (5.5, 9.0, 5.5));
    assert_eq!(RelativeErrors::of(Vec::new()), RelativeErrors::default());
}

// holds: Utility spreads evenly
#[test]
fn publishing_t_unchanged_loses_nothing() {
    let (problem, values) = eight();
    let utility = measured(&problem, &values, &node(&problem, &[0, 0]));
    for attribute in &utility.attributes {
        assert_eq!((attribute.distance, attribute.ordered.unwrap_or(0.0)), (0.0, 0.0), "{}", attribute.name);
    }
    for pair in &utility.pairs {
        let Association { original, published, .. } = pair.association.unwrap();
        near(original, published);
    }
    assert_eq!(utility.queries.all, RelativeErrors::default());
    assert!(
        utility
            .queries
            .by_value
            .iter()
            .all(|errors_of_value| errors_of_value.errors == RelativeErrors::default())
    );
    assert!(utility.worst.is_empty() && utility.queries.counted > 0.0);
}

#[test]
fn withdrawn_members_are_in_t_but_not_released() {
    let (problem, values) = eight();
    // The class of `high` is withdrawn.
    let utility = measured(&problem, &values, &node(&problem, &[1, 1]).withdrawing(vec![1]));
    assert_eq!((utility.members, utility.rows), (8, 4));
    // Shares of 3/8, 1/8, 0 and 4/8, against two halves. Half of the released rows have a, and half
    // have b.
    near(utility.attributes[0].distance, 0.5);
    near(utility.attributes[2].distance, (1.0 / 4.0 + 1.0 / 8.0 + 1.0 / 8.0) / 2.0);
    let c = utility.queries.by_value.iter().find(|errors_of_value| errors_of_value.value == "c").unwrap();
    assert_eq!((c.rows, utility.worst.len()), (1, 1));
    // A query that counts the only member with c misses this member: the error is 1 of 1.
    assert!(c.errors.mean > 0.0 && c.errors.mean <= 1.0, "{c:?}");
}

// holds: Utility spreads evenly
#[test]
fn one_seed_always_draws_the_same_queries() {
    let (problem, values) = eight();
    let draw = |seed| Workload::draw(OriginalTable::of(&problem, &values), seed, 200).unwrap();
    assert_eq!(draw(7).queries(), draw(7).queries());
    assert_ne!(draw(7).queries(), draw(8).queries());
    let asked = draw(7);
    let both = asked.queries().iter().filter(|query| query.quasi.len() == 2).count();
    assert!((60..140).contains(&both), "{both} of 200 ask for three attributes");
    assert!(asked.queries().iter().all(|query| query.sensitive.is_some()));
    let pool = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| measured(&problem, &values, &node(&problem, &[1, 1])))
    };
    assert_eq!(pool(1), pool(3));
    for queries in [0, Workload::MOST_QUERIES + 1] {
        let refused = Workload::draw(OriginalTable::of(&problem, &values), 0, queries).map(drop);
        assert_eq!(refused, Err(WorkloadError::Size { queries }));
    }
}

#[test]
fn values_absent_from_t_form_their_own_group() {
    let (problem, _) = eight();
    let of = vec![(0, vec![2, 1]), (1, vec![0, 1]), (3, vec![0, 4])];
    let original = OriginalTable::of(&problem, &sensitive(&["1", "2"], true, of));
    let label = |text: &str, run| PublishedLabel::new(text.to_owned(), vec![run], 1, 4);
    let labels = vec![vec![label("*", (0, 4))], vec![label("*", (0, 2))]];
    let value = |text: &str, rows| (text.to_owned(), rows);
    let row = PublishedRow { labels: vec![0, 0], rows: 4, values: vec![vec![value("3", 1), value("1", 3)]] };
    let table = PublishedTable::of_rows(&original, labels, &[row]);
    let utility = Utility::of(&Workload::draw(original, 0, 10).unwrap(), &table, 1);
    let diagnosis = &utility.attributes[2];
    // Shares of 2/8, 6/8 and 0, against 3/4, 0 and 1/4.
    near(diagnosis.distance, 0.75);
    assert_eq!(diagnosis.ordered, None);
    let last = diagnosis.groups.last().unwrap();
    assert_eq!((last.label.as_str(), last.original, last.published), ("not in T", 0.0, 0.25));
}

/// Independent attributes have V near 0 even if the table is sparse. Without the correction, V
/// would be far above 0.
#[test]
fn independent_attributes_of_sparse_tables_are_not_associated() {
    use rand::{RngExt, SeedableRng};
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(5);
    let quasi = || vec![wide("zip", 26), wide("age", 99)];
    let none = SensitiveValues::new(Vec::new(), Vec::new());
    let (mut sum, rounds) = (0.0, 20);
    for _ in 0..rounds {
        let mut rows: std::collections::BTreeMap<Vec<Code>, u64> = std::collections::BTreeMap::new();
        for _ in 0..800 {
            *rows.entry(vec![random.random_range(0..26), random.random_range(0..99)]).or_default() += 1;
        }
        let rows: Vec<_> = rows.into_iter().map(|(codes, people)| (codes, people, people)).collect();
        let sparse = problem(quasi(), &rows);
        let utility = measured(&sparse, &none, &node(&sparse, &[0, 0]));
        sum += utility.pairs[0].association.unwrap().original;
    }
    // Without the correction, V would be √(99·26/800/25) = .36.
    assert!(sum / f64::from(rounds) < 0.08, "mean {}", sum / f64::from(rounds));

    // If one attribute determines the other, V is 1 in spite of the correction.
    let rows: Vec<(Vec<Code>, u64, u64)> = (0..26).map(|leaf| (vec![leaf, leaf], 20, 20)).collect();
    let determined = problem(quasi(), &rows);
    let utility = measured(&determined, &none, &node(&determined, &[0, 0]));
    near(utility.pairs[0].association.unwrap().original, 1.0);
}

/// Every query is in one range of true counts, and the ranges' errors are those of its queries.
#[test]
fn errors_by_count_cover_queries_with_that_count() {
    let (problem, values) = eight();
    let (original, table) = published(&problem, &values, &node(&problem, &[1, 1]));
    let errors = Workload::draw(original, 7, 50).unwrap().errors(&table, 50);
    assert_eq!(errors.by_count.iter().map(|found| found.queries).sum::<u64>(), 50);
    let [few] = errors.by_count[..] else { panic!("{:?}", errors.by_count) };
    assert_eq!((few.range().as_str(), few.errors), ("0 to 9", errors.all));
}

/// A numeric attribute with `leaves` leaves, all under `*`.
fn wide(name: &str, leaves: u32) -> QuasiIdentifier {
    let chains: Vec<Vec<String>> = (0..leaves).map(|leaf| vec![leaf.to_string(), "*".to_owned()]).collect();
    QuasiIdentifier {
        name: name.to_owned(),
        hierarchy: Hierarchy::new(Kind::Number, Level(0), &chains).unwrap(),
    }
}

#[test]
fn too_large_computation_is_reported_as_not_counted() {
    let none = SensitiveValues::new(Vec::new(), Vec::new());
    // 2,001² cells are more than four millions, 2,001 by 3 are not.
    let rows: Vec<(Vec<Code>, u64, u64)> = (0..2001).map(|leaf| (vec![leaf, leaf, leaf % 3], 1, 1)).collect();
    let large = problem(vec![wide("a", 2001), wide("b", 2001), wide("c", 3)], &rows);
    let utility = measured(&large, &none, &node(&large, &[0, 0, 0]));
    let counted: Vec<bool> = utility.pairs.iter().map(|pair| pair.association.is_some()).collect();
    assert_eq!((counted, utility.more_pairs), (vec![false, true, true], 0));
    // With as many values as members, no association can be separated from chance.
    near(utility.pairs[1].association.unwrap().published, 0.0);

    // 46 attributes make 1,035 pairs.
    let quasi = (0..46).map(|index| wide(&format!("q{index}"), 2)).collect();
    let many = problem(quasi, &[(vec![0; 46], 1, 1), (vec![1; 46], 2, 1)]);
    let utility = measured(&many, &none, &node(&many, &[1; 46]));
    assert_eq!((utility.pairs.len(), utility.more_pairs), (MOST_PAIRS, 35));
}

/// Attributes of a random table: a kind, and the number of leaves of each of some groups.
type Drawn = (Vec<(bool, Vec<usize>)>, Vec<(Vec<usize>, u64, Vec<u64>)>, Vec<usize>, usize);

fn drawn() -> impl Strategy<Value = Drawn> {
    let attributes = prop::collection::vec((any::<bool>(), prop::collection::vec(1..4_usize, 1..4)), 1..4);
    let combination = (prop::collection::vec(0..12_usize, 3), 0..3_u64, prop::collection::vec(0..3_u64, 3));
    let combinations = prop::collection::vec(combination, 1..25);
    (attributes, combinations, prop::collection::vec(0..4_usize, 25), 0..1000_usize)
}

fn build(
    attributes: &[(bool, Vec<usize>)],
    drawn: &[(Vec<usize>, u64, Vec<u64>)],
) -> Option<(Problem, SensitiveValues)> {
    let quasi: Vec<QuasiIdentifier> = attributes
        .iter()
        .enumerate()
        .map(|(index, (is_ordered, groups))| {
            let chains = groups.iter().enumerate().flat_map(|(group, &leaves)| {
                (0..leaves)
                    .map(move |leaf| vec![format!("{group}{leaf}"), format!("g{group}"), "*".to_owned()])
            });
            let kind = if *is_ordered { Kind::Number } else { Kind::Category };
            let hierarchy = Hierarchy::new(kind, Level(0), &chains.collect::<Vec<_>>()).unwrap();
            QuasiIdentifier { name: format!("q{index}"), hierarchy }
        })
        .collect();
    let mut rows: std::collections::BTreeMap<Vec<Code>, (u64, Vec<u64>)> = std::collections::BTreeMap::new();
    for (leaves, others, members) in drawn {
        let codes = quasi
            .iter()
            .zip(leaves)
            .map(|(quasi, &leaf)| u32::try_from(leaf % quasi.hierarchy.leaf_count()).unwrap());
        let public = others + members.iter().sum::<u64>();
        if public > 0 {
            rows.insert(codes.collect(), (public, members.clone()));
        }
    }
    let private = |members: &[u64]| members.iter().sum::<u64>();
    if rows.values().all(|(_, members)| private(members) == 0) {
        return None;
    }
    let of = (0..).zip(rows.values()).filter(|(_, row)| private(&row.1) > 0);
    let of = of.map(|(index, row)| (index, row.1.clone())).collect();
    let rows: Vec<(Vec<Code>, u64, u64)> =
        rows.iter().map(|(codes, (public, members))| (codes.clone(), *public, private(members))).collect();
    Some((problem(quasi, &rows), sensitive(&["1", "2", "3"], true, of)))
}

/// A release as weights of complete rows: one for each combination of values that occur in P and
/// each sensitive value.
fn naive(problem: &Problem, values: &SensitiveValues, classes: &Classes) -> Vec<(Vec<usize>, f64)> {
    let width = problem.quasi().len();
    let occurring: Vec<Vec<Code>> = (0..width)
        .map(|attribute| {
            let leaves = 0..u32::try_from(problem.hierarchy(attribute).leaf_count()).unwrap();
            leaves.filter(|&code| problem.occurs(attribute, code)).collect()
        })
        .collect();
    let of = values.by_class(|_, combination| classes.class_of[combination as usize]);
    let mut weights = Vec::new();
    for (class, values) in &of {
        if classes.pool() == Some(*class) {
            continue;
        }
        let labels = classes.class(*class).labels;
        let mut boxes: Vec<Vec<usize>> = vec![Vec::new()];
        for (attribute, label) in labels.iter().enumerate() {
            let is_in = |(_, code): &(usize, &Code)| label.denotes(problem.hierarchy(attribute), **code);
            let indices: Vec<usize> =
                occurring[attribute].iter().enumerate().filter(is_in).map(|(index, _)| index).collect();
            boxes = boxes
                .iter()
                .flat_map(|row| indices.iter().map(move |&index| [&row[..], &[index]].concat()))
                .collect();
        }
        for (value, rows) in values.counts()[0].iter() {
            let each = float(rows) / size(boxes.len());
            weights.extend(boxes.iter().map(|row| ([&row[..], &[value as usize]].concat(), each)));
        }
    }
    weights
}

/// Bergsma's V by its definition, from χ² of observed and expected numbers.
fn naive_v(cells: &[(usize, usize, f64)]) -> f64 {
    let mut table = std::collections::BTreeMap::new();
    let (mut rows, mut columns) = (table.clone(), std::collections::BTreeMap::new());
    let mut all = 0.0;
    for &(row, column, weight) in cells {
        *table.entry((row, column)).or_insert(0.0) += weight;
        *rows.entry((row, 0)).or_insert(0.0) += weight;
        *columns.entry(column).or_insert(0.0) += weight;
        all += weight;
    }
    let degrees = |values: usize| size(values) - 1.0;
    let (of_rows, of_columns) = (degrees(rows.len()), degrees(columns.len()));
    let reduced = |degrees: f64| degrees - degrees.powi(2) / (all - 1.0);
    let least = reduced(of_rows).min(reduced(of_columns));
    // The shares of a single row may add up to a little less than 1.
    if rows.len().min(columns.len()) < 2 || all - 1.0 < 1e-9 || least < 1e-9 {
        return 0.0;
    }
    let mut chi = 0.0;
    for (&(row, _), of_row) in &rows {
        for (&column, of_column) in &columns {
            let expected = of_row * of_column / all;
            let observed = table.get(&(row, column)).copied().unwrap_or(0.0);
            chi += (observed - expected) * (observed - expected) / expected;
        }
    }
    ((chi / all - of_rows * of_columns / (all - 1.0)).max(0.0) / least).sqrt().min(1.0)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    /// Tests nodes and arbitrary regions, with and without withdrawn classes.
    // holds: Utility spreads evenly
    #[test]
    fn utility_figures_equal_those_of_whole_rows((attributes, rows, regions, pick) in drawn()) {
        let Some((problem, values)) = build(&attributes, &rows) else { return Ok(()) };
        let lattice = problem.lattice();
        let nodes: Vec<Node> = lattice.nodes().collect();
        let mut parts = vec![Vec::new(); 4];
        for index in 0..u32::try_from(problem.histogram().len()).unwrap() {
            parts[regions[index as usize]].push(index);
        }
        parts.retain(|part| !part.is_empty());
        let recoding = match pick % 3 {
            0 => Recoding::Regions(Partition::of_regions(&problem, &parts, &[])),
            _ => Recoding::Node(nodes[pick % nodes.len()].clone()),
        };
        let first = Classes::of(&problem, &recoding);
        let with_members = (0..u32::try_from(first.len()).unwrap()).find(|&class| first.counts(class).private > 0);
        let recoding = match (pick % 5, with_members) {
            (0, Some(class)) if first.released() > 1 => recoding.withdrawing(vec![class]),
            _ => recoding,
        };
        let classes = Classes::of(&problem, &recoding);
        let rows = naive(&problem, &values, &classes);
        let original = OriginalTable::of(&problem, &values);
        let table = PublishedTable::of(&original, &problem, &classes, &values);
        let finest = Recoding::Node(lattice.bottom());
        let of_t = naive(&problem, &values, &Classes::of(&problem, &finest));
        let workload = Workload::draw(original.clone(), pick as u64, 20).unwrap();
        let utility = Utility::of(&workload, &table, 2);
        let width = problem.quasi().len();
        let all = |rows: &[(Vec<usize>, f64)]| rows.iter().map(|row| row.1).sum::<f64>();
        for (attribute, attribute_utility) in utility.attributes.iter().enumerate() {
            let shares = |rows: &[(Vec<usize>, f64)]| {
                let mut shares = vec![0.0; original.attributes()[attribute].values.len()];
                for (row, weight) in rows {
                    shares[row[attribute]] += weight / all(rows);
                }
                shares
            };
            let (before, after) = (shares(&of_t), shares(&rows));
            let half: f64 = before.iter().zip(&after).map(|(p, q)| (p - q).abs()).sum::<f64>() / 2.0;
            prop_assert!((attribute_utility.distance - half).abs() < 1e-9);
            if let Some(ordered) = attribute_utility.ordered {
                let up_to = |shares: &[f64], end: usize| shares[..end].iter().sum::<f64>();
                let steps = before.len() - 1;
                let work: f64 = (1..=steps).map(|end| (up_to(&before, end) - up_to(&after, end)).abs()).sum();
                let expected = if steps == 0 { 0.0 } else { work / size(steps) };
                prop_assert!((ordered - expected).abs() < 1e-9);
            }
            let sum = |of: fn(&GroupShare) -> f64| attribute_utility.groups.iter().map(of).sum::<f64>();
            prop_assert!((sum(|group| group.original) - 1.0).abs() < 1e-9);
            prop_assert!((sum(|group| group.published) - 1.0).abs() < 1e-9);
        }
        let pairs = (0..width).flat_map(|first| (first + 1..=width).map(move |second| (first, second)));
        for (pair, (first, second)) in utility.pairs.iter().zip(pairs) {
            let cells = |rows: &[(Vec<usize>, f64)]| -> Vec<(usize, usize, f64)> {
                rows.iter().map(|(row, weight)| (row[first], row[second], *weight)).collect()
            };
            let association = pair.association.unwrap();
            // Compares squares, because √ amplifies the last digits near 0.
            let squares = |found: f64, rows: &[_]| (found.powi(2) - naive_v(&cells(rows)).powi(2)).abs();
            prop_assert!(squares(association.original, &of_t) < 1e-9);
            prop_assert!(squares(association.published, &rows) < 1e-9);
        }
        for query in workload.queries() {
            let counts = |row: &[usize]| {
                let is_in = |predicate: &Predicate, value: usize| {
                    predicate.runs.iter().any(|run| (run.0 as usize..run.1 as usize).contains(&value))
                };
                query.quasi.iter().all(|range| is_in(range, row[range.attribute]))
                    && query.sensitive.as_ref().is_none_or(|range| is_in(range, row[width]))
            };
            let sum = |rows: &[(Vec<usize>, f64)]| -> f64 {
                rows.iter().filter(|(row, _)| counts(row)).map(|row| row.1).sum()
            };
            prop_assert!((query.of_original(&original, false).all - sum(&of_t)).abs() < 1e-9);
            let estimate = query.of_published(&original, &table, true);
            prop_assert!((estimate.all - sum(&rows)).abs() < 1e-9);
            prop_assert!((query.of_published(&original, &table, false).all - estimate.all).abs() < 1e-12);
        }
        prop_assert!((workload.median(&table) - utility.queries.all.median).abs() < 1e-12);
    }
}
