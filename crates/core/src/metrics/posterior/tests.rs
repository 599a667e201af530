use num_bigint::BigUint;
use num_rational::Ratio;
use proptest::prelude::*;

use super::*;

type Rational = Ratio<BigUint>;

fn group(prior: &str, people: u64) -> Group {
    Group { prior: prior.parse().unwrap(), people }
}

fn groups(of: &[(&str, u64)]) -> Vec<Group> {
    of.iter().map(|&(prior, people)| group(prior, people)).collect()
}

fn values(groups: &[Group], members: u64) -> Vec<f64> {
    beliefs(groups, members).iter().map(|belief| belief.value).collect()
}

fn judged(of: &[(&str, u64)], members: u64, delta: (&str, &str)) -> (u64, u64, f64) {
    let delta = Delta::read(delta.0, delta.1).unwrap();
    let class = judge(&groups(of), members, delta);
    (class.over, class.under, class.worst.1)
}

fn ratio(number: &Rational) -> f64 {
    // As many digits as a float has, whatever the terms.
    let scaled = number * Ratio::from(BigUint::from(10_u8).pow(40));
    scaled.to_integer().to_string().parse::<f64>().unwrap() / 1e40
}

/// By the definition: every way to choose t people, each as likely as the product of the odds of the chosen.
fn by_every_choice(priors: &[Presence], members: u32) -> Vec<Rational> {
    let odds = |prior: &Presence| {
        Ratio::new(BigUint::from(prior.numerator()), BigUint::from(prior.denominator() - prior.numerator()))
    };
    let odds: Vec<Rational> = priors.iter().map(odds).collect();
    let nothing = || Ratio::from(BigUint::ZERO);
    let (mut all, mut with) = (nothing(), vec![nothing(); priors.len()]);
    for choice in (0_u32..1 << priors.len()).filter(|choice| choice.count_ones() == members) {
        let chosen = || (0..priors.len()).filter(|person| choice & (1 << person) != 0);
        let weight =
            chosen().fold(Ratio::from(BigUint::from(1_u8)), |product, person| product * &odds[person]);
        chosen().for_each(|person| with[person] += &weight);
        all += weight;
    }
    with.into_iter().map(|with| with / &all).collect()
}

/// `e_0` … `e_t` of the weights in logarithms, a person after the other.
fn log_polynomials(log_odds: &[f64], members: usize) -> Vec<f64> {
    let mut logs = vec![f64::NEG_INFINITY; members + 1];
    logs[0] = 0.0;
    for odds in log_odds {
        for power in (1..=members).rev() {
            let (keep, add) = (logs[power], logs[power - 1] + odds);
            let (low, high) = (keep.min(add), keep.max(add));
            logs[power] = if low == f64::NEG_INFINITY { high } else { high + (low - high).exp().ln_1p() };
        }
    }
    logs
}

/// Two neighbours share every quasi-identifier, and one of them is in T: with equal priors each is with presence 1/2. But the
/// attacker knows that Gail is far likelier than Iris, with odds of 9 to 1 to those of 1 to 1: the posterior of T = {Gail} is
/// 9/(9 + 1).
#[test]
fn unequal_priors_tell_two_neighbours_apart() {
    assert_eq!(values(&groups(&[("1/2", 2)]), 1), [0.5]);
    let gail = 0.9;
    let found = values(&groups(&[("0.5", 1), ("0.9", 1)]), 1);
    assert!((found[1] - gail).abs() < 1e-15 && (found[0] - (1.0 - gail)).abs() < 1e-15, "{found:?}");
    // Only the ratio of the odds counts: 1/10 to 1/90 is 9 to 1, too.
    let rare = values(&groups(&[("1/91", 1), ("1/11", 1)]), 1);
    assert!((rare[1] - gail).abs() < 1e-15, "{rare:?}");
    let far = values(&groups(&[("1/2", 1), ("99%", 1)]), 1);
    assert!((far[1] - 0.99).abs() < 1e-15, "{far:?}");

    // With δmax at 9/10 she is just within it, which no float could tell; below that, beyond.
    assert_eq!(judged(&[("1/2", 1), ("9/10", 1)], 1, ("0", "9/10")).0, 0);
    assert_eq!(judged(&[("1/2", 1), ("9/10", 1)], 1, ("0", "0.8999999999999999999")).0, 1);
    assert_eq!(judged(&[("1/2", 1), ("9/10", 1)], 1, ("1/10", "1")).1, 0);
    assert_eq!(judged(&[("1/2", 1), ("9/10", 1)], 1, ("0.1000000000000000001", "1")).1, 1);
}

/// With two more neighbours as likely as Iris, Hana and Joan, and two of the four in T, there are six pairs: three with Gail,
/// of weight 9, and three without her, of weight 1. Gail is in 27 of 30, each other in 9 + 1 + 1 = 11 of 30.
#[test]
fn two_of_four_neighbours_are_counted_by_pairs() {
    let found = values(&groups(&[("1/2", 3), ("9/10", 1)]), 2);
    assert!((found[1] - 27.0 / 30.0).abs() < 1e-15 && (found[0] - 11.0 / 30.0).abs() < 1e-15, "{found:?}");
}

#[test]
fn equal_priors_give_presence_itself() {
    for (members, people) in [(1, 3), (5, 45_222), (4_522, 45_222), (0, 7), (7, 7), (50_000, 1_000_000)] {
        let presence = Presence::new(members, people).unwrap();
        for prior in ["1/2", "0.001", "99.9%"] {
            let known = beliefs(&groups(&[(prior, people)]), members);
            assert_eq!(known, [Belief::exact(presence)]);
        }
    }
}

#[test]
fn impossible_members_raise_the_belief_in_the_others() {
    let found = beliefs(&groups(&[("0", 5), ("1/3", 4)]), 1);
    assert_eq!(found, [Belief::exact(Presence::ZERO), Belief::exact(Presence::new(1, 4).unwrap())]);
    let all = beliefs(&groups(&[("0", 5), ("1/3", 1), ("1/2", 1)]), 2);
    assert_eq!(all[1..], [Belief::exact(Presence::ONE); 2]);
    assert_eq!(judged(&[("0", 5), ("1/3", 4)], 1, ("0", "1/4")), (0, 0, 0.25));
    assert_eq!(judged(&[("0", 5), ("1/3", 4)], 1, ("1/5", "1/4")), (0, 5, 0.0));
}

#[test]
fn worst_belief_is_the_farthest_outside_delta() {
    let class = [("1/10000000000000000", 600), ("1/2", 600)];
    assert_eq!(judged(&class, 599, ("0", "1")).0, 0);
    assert_eq!(judged(&class, 599, ("0", "1")).1, 0);
    let (over, under, worst) = judged(&[("1/10", 1), ("1/2", 1), ("9/10", 1)], 1, ("1/20", "1/2"));
    assert_eq!((over, under), (1, 1));
    assert!(worst > 0.8, "{worst}");
}

/// What is nearer to a bound than its error counts as beyond it where there are too many people to decide exactly: here
/// everybody's posterior is 1/2, by symmetry.
// holds: Priors decide nothing
#[test]
fn undecidable_beliefs_count_as_beyond_the_bound() {
    let class = |people| [("1/4", people), ("3/4", people), ("1/2", 2 * people)];
    let half = |people: u64| judged(&class(people), 2 * people, ("0", "1/2"));
    // The middle group is at the bound; the last is over it.
    assert_eq!(half(100).0, 100);
    assert_eq!(half(1000).0, 3000);
}

#[test]
fn nothing_overflows_or_vanishes_whatever_the_odds() {
    let tiny = "1/18446744073709551615";
    let sure = "18446744073709551614/18446744073709551615";
    for (of, members) in [
        (vec![(tiny, 1), (sure, 1)], 1),
        (vec![(tiny, 1000), ("1/2", 10), (sure, 1000)], 1005),
        (vec![(tiny, 1000), (sure, 10)], 500),
        (vec![(tiny, 1_000_000), ("1/2", 1), (sure, 1)], 1),
    ] {
        let groups = groups(&of);
        let known = beliefs(&groups, members);
        let sum: f64 =
            groups.iter().zip(&known).map(|(group, belief)| belief.value * group.people as f64).sum();
        assert!((sum - members as f64).abs() < 1e-9 * members as f64, "{of:?}: {sum}");
        assert!(known.iter().all(|belief| belief.error < 1e-11), "{known:?}");
    }
    let two = values(&groups(&[(tiny, 1), ("1/2", 1)]), 1);
    assert!((two[0] * 18_446_744_073_709_551_615.0 - 1.0).abs() < 1e-9, "{two:?}");
}

/// A hundred thousand people, no two of whom are equally likely.
#[test]
fn beliefs_of_many_people_sum_to_the_members() {
    let (people, members) = (100_000_u64, 20_000_u64);
    let all: Vec<Group> = (0..people)
        .map(|person| Group { prior: Presence::new(1 + person, 5 * people).unwrap(), people: 1 })
        .collect();
    let known = beliefs(&all, members);
    let sum: f64 = known.iter().map(|belief| belief.value).sum();
    assert!((sum - members as f64).abs() < 1e-8, "{sum}");
    assert!(known.is_sorted_by(|left, right| left.value < right.value));
    let error = known.iter().map(|belief| belief.error / belief.value).fold(0.0, f64::max);
    assert!(error < 1e-9, "{error}");
}

/// As many as Adult has, a tenth of them in T, with a rate for each age and sex.
#[test]
fn beliefs_under_many_priors_have_small_errors() {
    let all: Vec<Group> =
        (0..150).map(|kind| Group { prior: Presence::new(15 + kind, 1_000).unwrap(), people: 300 }).collect();
    let known = beliefs(&all, 4_500);
    let sum: f64 = known.iter().map(|belief| belief.value * 300.0).sum();
    assert!((sum - 4_500.0).abs() < 1e-9, "{sum}");
    let error = known.iter().map(|belief| belief.error / belief.value).fold(0.0, f64::max);
    assert!(error < 3e-11, "{error}");
}

fn some_prior() -> impl Strategy<Value = Presence> {
    prop_oneof![
        (1_u64..20, 20_u64..40).prop_map(|(above, below)| Presence::new(above, below).unwrap()),
        (1_u64..1000).prop_map(|above| Presence::new(above, 1_000_000_007).unwrap()),
        (1_u64..1000).prop_map(|below| Presence::new(1_000_000_007 - below, 1_000_000_007).unwrap()),
    ]
}

/// The groups of some people.
fn grouped(mut priors: Vec<Presence>) -> Vec<Group> {
    priors.sort_unstable();
    let of = |alike: &[Presence]| Group { prior: alike[0], people: alike.len() as u64 };
    priors.chunk_by(|left, right| left == right).map(of).collect()
}

proptest! {
    // holds: Priors decide nothing
    #[test]
    fn beliefs_equal_enumeration_of_every_choice_of_members(
        priors in prop::collection::vec(some_prior(), 1..10), of_ten in 0_u64..=10
    ) {
        let groups = grouped(priors);
        let people: u64 = groups.iter().map(|group| group.people).sum();
        let members = people * of_ten / 10;
        let each: Vec<Presence> =
            groups.iter().flat_map(|group| std::iter::repeat_n(group.prior, group.people as usize)).collect();
        let expected = by_every_choice(&each, members as u32);
        let mut first = 0;
        for (index, (group, belief)) in groups.iter().zip(beliefs(&groups, members)).enumerate() {
            let exact = &expected[first];
            first += group.people as usize;
            let (value, known) = (ratio(exact), belief.value);
            prop_assert!((known - value).abs() <= 1e-12 * value, "{known} for {value}");
            prop_assert!((known - value).abs() <= belief.error + 2.0 * f64::EPSILON * value);
            prop_assert_eq!(&ExactOdds::of(&groups, members, index).value(), exact);
        }
    }

    /// The naive recursion loses some digits to its logarithms.
    #[test]
    fn floats_are_as_a_recursion_over_people_says(
        priors in prop::collection::vec((some_prior(), 1_u64..60), 1..8), of_ten in 1_u64..10
    ) {
        let people = priors.iter().flat_map(|&(prior, people)| std::iter::repeat_n(prior, people as usize));
        let groups = grouped(people.collect());
        let all: u64 = groups.iter().map(|group| group.people).sum();
        let members = (all * of_ten / 10).max(1);
        let log = |group: &Group| {
            let above = group.prior.numerator() as f64;
            (above / (group.prior.denominator() - group.prior.numerator()) as f64).ln()
        };
        for (index, belief) in beliefs(&groups, members).iter().enumerate() {
            let others: Vec<f64> = groups.iter().enumerate().flat_map(|(other, group)| {
                std::iter::repeat_n(log(group), group.people as usize - usize::from(other == index))
            }).collect();
            let logs = log_polynomials(&others, members as usize);
            let odds = (logs[members as usize - 1] + log(&groups[index]) - logs[members as usize]).exp();
            let value = if odds.is_infinite() { 1.0 } else { odds / (1.0 + odds) };
            prop_assert!((belief.value - value).abs() <= 1e-10 * value, "{} for {value}", belief.value);
        }
    }

    // holds: Priors decide nothing
    #[test]
    fn a_verdict_is_that_of_the_exact_numbers(
        priors in prop::collection::vec(some_prior(), 2..9), of_ten in 1_u64..10, pick in 0_usize..8
    ) {
        let groups = grouped(priors);
        let people: u64 = groups.iter().map(|group| group.people).sum();
        let members = people * of_ten / 10;
        let each: Vec<Presence> =
            groups.iter().flat_map(|group| std::iter::repeat_n(group.prior, group.people as usize)).collect();
        let expected = by_every_choice(&each, members as u32);
        // δmax is somebody's posterior, where 64 bits hold it: the tie that floats cannot tell.
        let tie = &expected[pick % expected.len()];
        let term = |term: &BigUint| u64::try_from(term).ok();
        if let Some((above, below)) = term(tie.numer()).zip(term(tie.denom())) {
            let bound = Presence::new(above, below).unwrap();
            let delta = |min, max| Delta::new(min, max).unwrap();
            let over = judge(&groups, members, delta(Presence::ZERO, bound)).over;
            prop_assert_eq!(over, expected.iter().filter(|value| *value > tie).count() as u64);
            let under = judge(&groups, members, delta(bound, Presence::ONE)).under;
            prop_assert_eq!(under, expected.iter().filter(|value| *value < tie).count() as u64);
        }
    }
}
