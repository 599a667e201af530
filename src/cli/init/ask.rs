//! Questions on a terminal, one line each. Enter accepts the proposed answer.

use std::io::{self, IsTerminal};

use palmtop::data::written::named_value;
use palmtop::model::Presence;
use palmtop::progress::unwatched;
use palmtop::proposal::{Ambiguity, Decision, Decisions, Proposal, Sources};

use super::shown::question;
use palmtop_console::say;

/// Whether the command may ask: a person reads its messages, it runs on a terminal, and without `--yes`.
pub(super) fn is_possible(yes: bool) -> bool {
    !yes && !say::is_json() && io::stdin().is_terminal()
}

/// Asks one open question after another, then for δmax. Each answer updates the proposal.
pub(super) fn settle(
    sources: &mut Sources,
    decisions: &mut Decisions,
    mut proposal: Proposal,
) -> anyhow::Result<Proposal> {
    while let Some(ambiguity) = proposal.ambiguities.iter().find(|ambiguity| !ambiguity.choices.is_empty()) {
        let about = proposal
            .attributes
            .iter()
            .find(|attribute| Some(&attribute.name) == ambiguity.attribute.as_ref());
        let examples = about.map_or_else(Vec::new, |attribute| sources.examples(attribute));
        decisions.0.push(choose(ambiguity, proposal.proposed_answer(ambiguity), &examples)?);
        if let Some(again) = sources.again(decisions, &mut unwatched)? {
            *sources = again;
        }
        (proposal, _) = sources.propose(decisions, &mut unwatched)?;
    }
    let max = proposal.delta.1;
    let max = loop {
        let answer = say::line_of(&format!(
            "δmax, how certain an attacker may become that a person is in T [{max}]: "
        ))?;
        match answer.as_str() {
            "" => break max,
            answer => match answer.parse::<Presence>() {
                Ok(max) => break max,
                Err(error) => say::message(&error.to_string()),
            },
        }
    };
    decisions.0.push(Decision::DeltaMax(max));
    (proposal, _) = sources.propose(decisions, &mut unwatched)?;
    Ok(proposal)
}

/// Asks for one of the choices of an ambiguity. Enter takes the proposed one, given by its index.
fn choose(ambiguity: &Ambiguity, proposed: usize, examples: &[&str]) -> anyhow::Result<Decision> {
    let proposed = proposed + 1;
    let choices: Vec<String> =
        (1..).zip(&ambiguity.choices).map(|(number, choice)| format!("{number} {}", choice.label)).collect();
    loop {
        let shows = if examples.is_empty() { "" } else { ", v shows three values" };
        let answer =
            say::line_of(&format!("{}  {} [{proposed}{shows}]: ", question(ambiguity), choices.join(", ")))?;
        if answer == "v" && !examples.is_empty() {
            say::line(&format!("  {}", examples_line(examples)));
            continue;
        }
        let number = if answer.is_empty() { Some(proposed) } else { answer.parse::<usize>().ok() };
        let chosen = number.and_then(|number| ambiguity.choices.get(number.checked_sub(1)?));
        match chosen {
            // What is only accepted is not called decided.
            Some(choice) if answer.is_empty() => return Ok(choice.decision.clone().accepted()),
            Some(choice) => return Ok(choice.decision.clone()),
            None => say::message(&format!("expected a number from 1 to {}", choices.len())),
        }
    }
}

/// Three values on a line; an empty value gets a name.
fn examples_line(examples: &[&str]) -> String {
    let named: Vec<&str> = examples.iter().map(|text| named_value(text)).collect();
    named.join(" | ")
}
