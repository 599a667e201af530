//! The cautions about δ and about members who are not in P, for a project and for its releases.

use super::headline::{at_most, half, in_percent};
use super::words::members;
use super::{Caution, Key};
use palmtop_core::model::{Delta, Presence};

/// The caution if δmax is 1/2 or more, in words that hold for every release.
pub(super) fn weak_delta(delta: Delta) -> Option<Caution> {
    let sentence = if delta.max() == Presence::ONE {
        "δmax is 1: people may be certain to be members, and δ promises nothing.".to_owned()
    } else {
        let most = at_most(delta.max());
        format!("δmax is {}: a person may be a member with a probability of up to {most}.", delta.max())
    };
    let remedy =
        "Choose a δmax below 1/2. `palmtop advise` computes one from a prior and an acceptable misuse.";
    let is_weak = delta.max() >= half().min();
    is_weak.then(|| Caution::new(Key::WeakDelta, sentence, remedy).with(at_most(delta.max())))
}

/// The caution if δ is looser than the project's δ.
pub(super) fn looser_delta(delta: Delta, project: Delta) -> Caution {
    let sentence = format!(
        "δ is looser than the project's δ: {} to {} instead of {} to {}.",
        delta.min(),
        delta.max(),
        project.min(),
        project.max()
    );
    Caution::new(
        Key::LooserDelta,
        sentence,
        "Use the project's δ, or write the new δ into the project, with a reason.",
    )
    .with(in_percent(delta))
}

/// The cautions about members who are not in P.
pub(super) fn outsiders(dropped: u64, added: u64) -> Vec<Caution> {
    let mut cautions = Vec::new();
    if dropped > 0 {
        let sentence = format!(
            "{} of the private table {} left out: the public table does not have them.",
            members(dropped),
            if dropped == 1 { "is" } else { "are" }
        );
        let remedy = "Look for different spellings and missing values in both tables. The recipient's report leaves this number out: tell the recipient if it matters.";
        cautions.push(Caution::new(Key::LeftOut, sentence, remedy).with(members(dropped)));
    }
    if added > 0 {
        let sentence = format!(
            "{} {} added to the public table, which does not have them. δ holds only against an attacker who knows the public table with \
             them.",
            members(added),
            if added == 1 { "was" } else { "were" }
        );
        let remedy = "Complete the public table, or leave these members out.";
        cautions.push(Caution::new(Key::Added, sentence, remedy).with(members(added)));
    }
    cautions
}
