//! What combines with what: the one table that commands, the workbench and the reference page use.
//!
//! A run has [features](Feature): the settings of its project, the strategy or the node, options,
//! and the command. The rules in `rules.rs` name each pair of features that is refused or limited, with
//! one sentence. Every other pair works. [`check`] refuses a run.

mod feature;
mod rules;

use std::fmt;

pub use feature::{Command, Feature, Kind, any_of};
pub use rules::{RULES, Rule};

/// Whether two features work together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// They work together.
    Works,
    /// They work together, with the restriction that the sentence states.
    Limited(&'static str),
    /// They are refused, for the reason that the sentence states.
    Refused(&'static str),
}

/// A refused pair of features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused {
    /// What the user asked for.
    pub asked: Feature,
    /// The setting or the option that excludes it.
    pub with: Feature,
    /// The reason and the remedy, as a sentence without its full stop.
    pub why: &'static str,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cannot be used with {}: {}", self.asked, self.with, self.why)
    }
}

impl std::error::Error for Refused {}

impl Refused {
    /// Whether the command line is wrong: an option or a strategy is refused, and not the command
    /// or the project alone.
    pub fn is_usage(&self) -> bool {
        [self.asked, self.with].iter().any(|feature| matches!(feature.kind(), Kind::Release | Kind::Option))
    }
}

/// The number of the rule about two features, counted from 0; `None` if no rule concerns them.
pub fn rule(one: Feature, other: Feature) -> Option<usize> {
    RULES.iter().position(|rule| rule.is_about(one, other))
}

/// Whether two features work together. The order does not matter.
pub fn answer(one: Feature, other: Feature) -> Answer {
    rule(one, other).map_or(Answer::Works, |number| RULES[number].answer)
}

/// Refuses the first pair of features that is refused.
///
/// If a run has several strategies, some options need only one strategy that accepts them.
///
/// # Errors
/// [`Refused`] with both features and the reason.
pub fn check(features: &[Feature]) -> Result<(), Refused> {
    for (position, &first) in features.iter().enumerate() {
        for &second in &features[..position] {
            let Some(rule) = rule(first, second).map(|number| &RULES[number]) else { continue };
            let Answer::Refused(why) = rule.answer else { continue };
            if !rule.is_met_by_another(features, first, second) {
                let is_before = (first.kind(), first) < (second.kind(), second);
                let (asked, with) = if is_before { (second, first) } else { (first, second) };
                return Err(Refused { asked, with, why });
            }
        }
    }
    Ok(())
}

impl Rule {
    fn is_about(&self, one: Feature, other: Feature) -> bool {
        let mut pairs = self.pairs.iter();
        pairs.any(|(left, right)| (left(one) && right(other)) || (left(other) && right(one)))
    }

    /// Whether the rule is about an option that one other strategy of the run accepts.
    fn is_met_by_another(&self, features: &[Feature], first: Feature, second: Feature) -> bool {
        let option = if first.kind() == Kind::Release { second } else { first };
        let mut strategies = features.iter().filter(|feature| matches!(feature, Feature::Strategy(_)));
        self.one_is_enough && strategies.any(|&strategy| !self.is_about(option, strategy))
    }
}

#[cfg(test)]
mod tests;
