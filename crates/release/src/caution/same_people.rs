//! Signs in P that its people are not T's, or are T's once more.

use super::words::listed;
use super::{Caution, Key};
use crate::pipeline::{Copies, OtherPeople};
use palmtop_core::words::count;

/// An identifier under which P has other people than T.
pub(super) fn other_people(found: &OtherPeople) -> Caution {
    let OtherPeople { identifier, members, differing, columns, absent } = found;
    let names: Vec<String> = columns.iter().map(|(name, _)| format!("`{name}`")).collect();
    let mut parts = Vec::new();
    if *differing > 0 {
        parts.push(format!("{} have other values of {} in P", count(*differing), listed(&names)));
    }
    if *absent > 0 {
        parts.push(format!("{} are not in P", count(*absent)));
    }
    let parts = parts.join(", and ");
    let sentence = format!(
        "Both tables have the identifier `{identifier}`. Of the {} members, {parts} under the same `{identifier}`. So T is not a part of P, \
         and its presences are those of other people.",
        count(*members)
    );
    let remedy = format!(
        "Take both tables of the same people and of the same day, and correct the rows that differ. If `{identifier}` numbers other things in \
         P, accept this with that reason."
    );
    let figure = format!("{} of {} members", count(differing + absent), count(*members));
    Caution::new(Key::OtherPeople, sentence, remedy).with(figure).about(identifier)
}

/// Rows of P that occur several times, nearly all of them rows of members.
pub(super) fn copies(found: &Copies) -> Caution {
    let Copies { rows, times: (least, most), of_members } = *found;
    let times = if least == most { count(least) } else { format!("{} to {}", count(least), count(most)) };
    let sentence = format!(
        "{} rows of the public table occur {times} times, in all columns, and {} of them have the quasi-identifiers of members; other rows \
         do not repeat. If P has T's people again, every presence is too low.",
        count(rows),
        count(of_members)
    );
    Caution::new(Key::DoubledPublic, sentence, "Remove the repeated rows of the public table.")
        .with(format!("{} rows, {times} times", count(rows)))
}
