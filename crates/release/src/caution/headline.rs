//! The first sentence of every verdict: what δ means for one person, in words and numbers.

use super::presences::Presences;
use palmtop_core::model::{Delta, Fraction, Presence};
use palmtop_core::words::count;
use palmtop_search::release::Achieved;

/// The greatest number of decimals of an exact percentage. A percentage with more decimals is rounded to the safe side.
const DECIMALS: u32 = 4;

/// The bounds 1/2 to 1: a presence of 1/2 or more makes a person as likely a member as not.
pub(super) fn half() -> Delta {
    let bounds = Presence::new(1, 2).and_then(|half| Delta::new(half, Presence::ONE));
    bounds.unwrap_or_else(|_| unreachable!("1/2 to 1 are bounds"))
}

/// An upper bound in per cent, exact or rounded up: `10 %`, `33.4 %`. A bound below 1 never becomes 100 %.
pub fn at_most(bound: impl Into<Fraction>) -> String {
    percent(&bound.into(), DECIMALS, Fraction::decimal_up)
}

/// An upper bound in per cent for a column of figures, where an exact one has one decimal at most: `4.7 %` for 3/64.
pub fn at_most_short(bound: impl Into<Fraction>) -> String {
    percent(&bound.into(), 1, Fraction::decimal_up)
}

/// A lower bound in per cent, exact or rounded down: `33.3 %`. A bound above 0 never becomes 0 %.
pub fn at_least(bound: impl Into<Fraction>) -> String {
    percent(&bound.into(), DECIMALS, Fraction::decimal_down)
}

/// Both bounds of a δ in per cent, rounded outwards: `0 % to 66.7 %`.
pub(super) fn in_percent(delta: Delta) -> String {
    format!("{} to {}", at_least(delta.min()), at_most(delta.max()))
}

/// A bound as a person types it: in per cent if that is exact, `9.7%`, else as a fraction.
pub fn typed(bound: Presence) -> String {
    let percent = at_most(bound).replace(' ', "");
    let is_exact = percent.parse::<Presence>().is_ok_and(|read| read == bound);
    if is_exact { percent } else { bound.to_string() }
}

fn percent(exact: &Fraction, exact_decimals: u32, round: fn(&Fraction, u32) -> String) -> String {
    let in_percent = |decimals: u32| {
        let text = round(exact, decimals + 2);
        let (integer, part) = text.split_once('.').unwrap_or((&text, ""));
        let digits = format!("{integer}{part:0<width$}", width = decimals as usize + 2);
        let (integer, part) = digits.split_at(digits.len() - decimals as usize);
        let (integer, part) = (integer.trim_start_matches('0'), part.trim_end_matches('0'));
        let integer = if integer.is_empty() { "0" } else { integer };
        if part.is_empty() { integer.to_owned() } else { format!("{integer}.{part}") }
    };
    let is_exact = |decimals: &u32| exact.decimal_down(decimals + 2) == exact.decimal_up(decimals + 2);
    let is_informative = |decimals: &u32| {
        let text = in_percent(*decimals);
        let is_bound = matches!(text.as_str(), "0" | "100");
        let significant = text.trim_start_matches(['0', '.']).bytes().filter(u8::is_ascii_digit).count();
        !is_bound && significant >= 2
    };
    let decimals = (0..=exact_decimals).find(is_exact).or_else(|| (1..=DECIMALS).find(is_informative));
    // A bound that is so near to 0 or 1 that no such percentage shows it is written as a fraction.
    decimals.map_or_else(|| exact.to_string(), |decimals| format!("{} %", in_percent(decimals)))
}

/// What δmax promises for each person.
fn promise_above(delta: Delta) -> String {
    let most = at_most(delta.max());
    if delta.max() == Presence::ONE {
        "People may be certain to be members: δmax is 1 and promises nothing".to_owned()
    } else if delta.max() >= half().min() {
        format!("A person may be a member with a probability of 50 % or more: δ permits {most}")
    } else {
        format!("Each person is a member with a probability of at most {most}")
    }
}

/// What δ promises for each person, without any figure of a release, so that the recipient may read it, too.
pub fn promise(delta: Delta) -> String {
    let lower = if delta.min() == Presence::ZERO {
        "δ permits that people are certain not to be members".to_owned()
    } else {
        format!("Each person is a member with a probability of at least {}", at_least(delta.min()))
    };
    format!("{}. {lower}.", promise_above(delta))
}

/// What a recounted release means for each person: the promise if it keeps δ, else how far it breaks δ. Counts of people are
/// missing, because a recount of bounds has none.
pub fn recounted(delta: Delta, achieved: Achieved) -> String {
    let is_kept = delta.min() <= achieved.min && achieved.max <= delta.max();
    if !is_kept {
        return format!("{}.", broken(delta, achieved).join(". "));
    }
    if delta.min() > Presence::ZERO {
        return promise(delta);
    }
    let lower = if achieved.min == Presence::ZERO {
        "Some people are certain not to be members"
    } else {
        "No person is certain not to be a member"
    };
    format!("{}. {lower}.", promise_above(delta))
}

/// How far δ is broken above and below; empty if the release keeps δ.
fn broken(delta: Delta, achieved: Achieved) -> Vec<String> {
    let above = (achieved.max > delta.max()).then(|| {
        let (found, most) = (at_least(achieved.max), at_most(delta.max()));
        format!("δ is broken: people are members with a probability of up to {found}, and δ permits at most {most}")
    });
    let below = (achieved.min < delta.min()).then(|| {
        let (found, least) = (at_most(achieved.min), at_least(delta.min()));
        format!(
            "δ is broken: people are members with a probability of only {found}, and δ requires at least {least}"
        )
    });
    above.into_iter().chain(below).collect()
}

/// What a release means for each person: the promise of δ if the release keeps δ, else how far the release breaks δ.
pub fn headline(delta: Delta, presences: &Presences) -> String {
    let Presences { people, certain, likely, absent, achieved } = *presences;
    let all = count(people);
    let most = at_most(delta.max());
    let above = Achieved { min: delta.min(), ..achieved };
    let upper = if let [broken] = &broken(delta, above)[..] {
        broken.clone()
    } else if delta.max() == Presence::ONE {
        format!(
            "{} of the {all} people are certain to be members: δmax is 1 and promises nothing",
            count(certain)
        )
    } else if delta.max() >= half().min() {
        format!(
            "{} of the {all} people are members with a probability of 50 % or more: δ permits {most}",
            count(likely)
        )
    } else {
        format!("Each of the {all} people is a member with a probability of at most {most}")
    };
    let below = Achieved { max: delta.max(), ..achieved };
    let lower = if let [broken] = &broken(delta, below)[..] {
        broken.clone()
    } else if delta.min() > Presence::ZERO {
        format!("Each person is a member with a probability of at least {}", at_least(delta.min()))
    } else if absent == 0 {
        "No person is certain not to be a member".to_owned()
    } else {
        format!("{} of them are certain not to be members", count(absent))
    };
    format!("{upper}. {lower}.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use palmtop_core::model::Counts;

    fn delta(min: &str, max: &str) -> Delta {
        Delta::read(min, max).unwrap()
    }

    #[test]
    fn percentages_are_exact_or_on_the_safe_side() {
        let cases = [
            ("1/10", "10 %", "10 %"),
            ("7/125", "5.6 %", "5.6 %"),
            ("999/1000", "99.9 %", "99.9 %"),
            ("1/3", "33.4 %", "33.3 %"),
            ("2/3", "66.7 %", "66.6 %"),
            ("1/3000", "0.034 %", "0.033 %"),
            ("1/100000000", "1/100000000", "1/100000000"),
            ("2999999/3000000", "2999999/3000000", "99.9 %"),
            ("0", "0 %", "0 %"),
            ("1", "100 %", "100 %"),
        ];
        for (bound, above, below) in cases {
            let bound: Presence = bound.parse().unwrap();
            assert_eq!((at_most(bound).as_str(), at_least(bound).as_str()), (above, below), "{bound}");
        }
    }

    #[test]
    fn the_headline_says_what_delta_says() {
        let classes = [(100, 100), (100, 60), (1000, 40), (18_800, 0)];
        let presences = |most: usize| {
            let classes = classes[4 - most..].iter().map(|&(public, private)| Counts::new(public, private));
            Presences::of(classes)
        };
        let cases = [
            (
                ("0", "1/20"),
                2,
                "Each of the 19,800 people is a member with a probability of at most 5 %. 18,800 of them are certain not to be members.",
            ),
            (
                ("0", "1/2"),
                3,
                "δ is broken: people are members with a probability of up to 60 %, and δ permits at most 50 %. 18,800 of them are certain not to be members.",
            ),
            (
                ("0", "3/5"),
                3,
                "100 of the 19,900 people are members with a probability of 50 % or more: δ permits 60 %. 18,800 of them are certain not to be members.",
            ),
            (
                ("0", "999/1000"),
                3,
                "100 of the 19,900 people are members with a probability of 50 % or more: δ permits 99.9 %. 18,800 of them are certain not to be members.",
            ),
            (
                ("0", "1"),
                4,
                "100 of the 20,000 people are certain to be members: δmax is 1 and promises nothing. 18,800 of them are certain not to be members.",
            ),
            (
                ("1/100", "1/20"),
                2,
                "Each of the 19,800 people is a member with a probability of at most 5 %. δ is broken: people are members with a probability of only 0 %, and δ requires at least 1 %.",
            ),
        ];
        for ((min, max), most, expected) in cases {
            assert_eq!(headline(delta(min, max), &presences(most)), expected, "{min} to {max}");
        }
        let filled = Presences::of([Counts::new(1000, 40), Counts::new(500, 10)]);
        assert_eq!(
            headline(delta("1/100", "1/20"), &filled),
            "Each of the 1,500 people is a member with a probability of at most 5 %. Each person is a member with a probability of at least 1 %."
        );
        assert!(headline(delta("0", "1/20"), &filled).ends_with(" No person is certain not to be a member."));
    }

    #[test]
    fn a_recount_states_what_the_file_has() {
        let achieved =
            |min: &str, max: &str| Achieved { min: min.parse().unwrap(), max: max.parse().unwrap() };
        let bounds = delta("1/100", "1/20");
        assert_eq!(recounted(bounds, achieved("1/50", "1/20")), promise(bounds));
        let most = "Each person is a member with a probability of at most 5 %.";
        let open = delta("0", "1/20");
        assert_eq!(
            recounted(open, achieved("0", "1/20")),
            format!("{most} Some people are certain not to be members.")
        );
        assert_eq!(
            recounted(open, achieved("1/50", "1/20")),
            format!("{most} No person is certain not to be a member.")
        );
        assert_eq!(
            recounted(bounds, achieved("0", "1/3")),
            "δ is broken: people are members with a probability of up to 33.3 %, and δ permits at most 5 %. δ is broken: people are \
             members with a probability of only 0 %, and δ requires at least 1 %."
        );
    }

    #[test]
    fn a_promise_never_says_more_than_delta() {
        let cases = [
            (
                ("1/100", "1/20"),
                "Each person is a member with a probability of at most 5 %. Each person is a member with a probability of at least 1 %.",
            ),
            (
                ("0", "1/2"),
                "A person may be a member with a probability of 50 % or more: δ permits 50 %. δ permits that people are certain not to be members.",
            ),
            (
                ("0", "1"),
                "People may be certain to be members: δmax is 1 and promises nothing. δ permits that people are certain not to be members.",
            ),
        ];
        for ((min, max), expected) in cases {
            assert_eq!(promise(delta(min, max)), expected, "{min} to {max}");
        }
    }
}
