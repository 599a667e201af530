use palmtop_core::strategy::Strategy;

use super::*;

fn all() -> Vec<Feature> {
    let fixed = Feature::OF_PROJECTS.into_iter().chain(Feature::OPTIONS);
    fixed.chain(Feature::releases()).chain(Feature::commands()).collect()
}

// holds: One table of what does not combine
#[test]
fn each_rule_decides_a_pair_in_either_order() {
    let mut used = vec![false; RULES.len()];
    for one in all() {
        for other in all() {
            assert_eq!(rule(one, other), rule(other, one), "{one} {other}");
            assert!(one != other || rule(one, other).is_none(), "{one} excludes itself");
            if let Some(number) = rule(one, other) {
                used[number] = true;
            }
        }
    }
    let idle: Vec<usize> = (0..RULES.len()).filter(|&number| !used[number]).collect();
    assert!(idle.is_empty(), "rules that decide no pair: {idle:?}");
}

#[test]
fn rule_sentences_name_strategies_of_the_strategy_table() {
    let of = |asked: Feature, with: Feature| match answer(asked, with) {
        Answer::Refused(why) | Answer::Limited(why) => why,
        Answer::Works => panic!("{asked} works with {with}"),
    };
    let names = |holds: fn(Strategy) -> bool| -> Vec<&str> {
        Strategy::all().filter(|&strategy| holds(strategy)).map(|strategy| strategy.info().name).collect()
    };
    for name in names(|strategy| strategy.family().counts_people()) {
        assert!(of(Feature::People, Feature::Strategy(Strategy::Best)).contains(name), "{name}");
    }
    let regions = of(Feature::Beside, Feature::Node);
    for strategy in Strategy::all().filter(|strategy| strategy.family().finds_regions()) {
        let is_named = strategy.rules().is_some() || regions.contains(strategy.info().name);
        assert!(is_named, "{strategy}");
    }
}

#[test]
fn one_suitable_strategy_is_enough_for_an_option() {
    let (spalm, simulatable) = (Feature::Strategy(Strategy::Spalm), Feature::Strategy(Strategy::Simulatable));
    assert_eq!(check(&[Feature::Seconds, simulatable, spalm]), Ok(()));
    let refused = check(&[Feature::Seconds, simulatable]).unwrap_err();
    assert_eq!((refused.asked, refused.with), (Feature::Seconds, simulatable));
    assert!(refused.is_usage());
    assert!(check(&[spalm, simulatable, Feature::Transcript]).is_err(), "every strategy has to have one");
}

#[test]
fn a_refusal_names_the_request_before_the_setting() {
    let compose = Feature::Command(Command::Compose);
    let refused = check(&[Feature::People, compose]).unwrap_err();
    assert!(refused.to_string().starts_with("`compose` cannot be used with `role = \"entity\"`: people"));
    assert!(!refused.is_usage());
    let refused = check(&[compose, Feature::People]).unwrap_err();
    assert_eq!(refused.asked, compose);
}
