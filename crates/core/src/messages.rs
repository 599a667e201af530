//! Every message of the crate, on one page.

use palmtop_terms::message_page::block;
use palmtop_terms::{assert_messages, one_of_each};

use crate::model::criterion::{self, CriterionError};
use crate::model::{
    AdviceError, Hierarchy, Kind, Lattice, Level, ModelError, Stakes, Suppression, TermError, advise,
    advise_by_f1,
};

fn hierarchy(chains: &[&[&str]]) -> ModelError {
    let chains: Vec<Vec<String>> =
        chains.iter().map(|chain| chain.iter().map(|&label| label.to_owned()).collect()).collect();
    Hierarchy::new(Kind::Category, Level(0), &chains).unwrap_err()
}

fn advice(share: &str, prior: &str, cost: &str) -> AdviceError {
    let stakes = Stakes {
        prior: prior.parse().unwrap(),
        cost: cost.parse().unwrap(),
        misuse: "1%".parse().unwrap(),
        misuse_down: None,
    };
    advise(share.parse().unwrap(), &stakes).unwrap_err()
}

fn criteria() -> String {
    let settings = [
        ("K", "5"),
        ("k", "0"),
        ("k_map", "0"),
        ("l", "2"),
        ("l", "{ distinct = 0 }"),
        ("t", "1"),
        ("t", "{ at_most = 2 }"),
    ];
    let refused = settings.map(|(key, text)| ("", criterion::read(key, text).unwrap_err().to_string()));
    block(stringify!(CriterionError), &refused)
}

#[test]
fn every_message_is_on_the_page() {
    let lattice = Lattice::between([(Level(0), Level(2)), (Level(1), Level(1))]);
    let _: fn(&CriterionError) = |CriterionError { key: _, text: _, expected: _ }| ();
    assert_messages!(
        one_of_each!(ModelError {
            Term => TermError::NotAPresence { what: "presence", text: "2".to_owned() }.into();
            NotANode =>
                lattice.node(&[Level(0)]).unwrap_err(),
                lattice.node(&[Level(0), Level(2)]).unwrap_err();
            Invalid =>
                hierarchy(&[]),
                hierarchy(&[&["a", "*"], &["a", "*"]]),
                hierarchy(&[&["a", "x", "*"], &["b", "x", "+"]]),
                hierarchy(&[&["a", "x"], &["b", "y"]]),
                hierarchy(&[&["a", "[1, 2]", "*"]]),
                hierarchy(&[&["a", "{b}", "*"]]),
                hierarchy(&[&["1", "1", "*"], &["2", "1", "*"]]),
                Hierarchy::check_height(300).unwrap_err(),
                ModelError::empty("private"),
                ModelError::histogram("1 columns for 2 quasi-identifiers"),
                ModelError::not_of_kind("x", Kind::Number),
                ModelError::equal_values("1", "1.0", Kind::Number),
                ModelError::equal_values("2024-1-1", "2024-01-01", Kind::Date);
        }),
        one_of_each!(AdviceError {
            ShareZero => advice("0", "7%", "1");
            PriorZero => advice("4%", "0", "1");
            PriorOne => advice("4%", "1", "1");
            CostZero => advice("4%", "7%", "0");
            PriorBelowShare => advice("4%", "3%", "1");
            BelowGuessing => advise_by_f1("1/4".parse().unwrap(), "19%".parse().unwrap()).unwrap_err();
        }),
        criteria(),
        block("SuppressionError", &[("", "1".parse::<Suppression>().unwrap_err().to_string())]),
    );
}
