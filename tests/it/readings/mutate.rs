//! Mistakes in a written release.

use std::collections::BTreeSet;

use super::naive::{Quasi, World, text_of};
use crate::support::dice::Dice;

/// A release with one mistake.
pub(crate) fn release(dice: &mut Dice, release: &[u8], world: Option<&World>) -> Vec<u8> {
    let Ok(text) = std::str::from_utf8(release) else { return release.to_vec() };
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let line = dice.below(lines.len().max(1));
    if lines.len() < 2 {
        return release.to_vec();
    }
    match dice.below(14) {
        0 => {
            lines.remove(line);
        }
        1 => {
            let copy = lines[line].clone();
            lines.insert(line, copy);
        }
        2 => {
            let other = dice.below(lines.len());
            lines.swap(line, other);
        }
        3 => return text.replace('\n', "\r\n").into_bytes(),
        4 => return text.trim_end_matches('\n').as_bytes().to_vec(),
        5 => return format!("\u{feff}{text}").into_bytes(),
        6 => {
            lines[line] =
                lines[line].split(',').map(|field| format!("\"{field}\"")).collect::<Vec<_>>().join(",");
        }
        7 => lines[line].push_str(",more"),
        8 => lines[line].push(' '),
        9..=12 => {
            if let Some(world) = world {
                another_label(dice, world, &mut lines, line);
            }
        }
        _ => {
            let mut bytes = release.to_vec();
            let position = dice.below(bytes.len());
            bytes[position] = *dice.pick(b"\"\n\r,;*0a\x00\xff[]{}");
            return bytes;
        }
    }
    if dice.percent(70) {
        lines[1..].sort();
    }
    (lines.join("\n") + "\n").into_bytes()
}

/// Replaces one field by a label of its hierarchy, in one row or in every row with the same text.
fn another_label(dice: &mut Dice, world: &World, lines: &mut [String], line: usize) {
    let line = line.max(1);
    let fields: Vec<String> = lines[line].split(',').map(str::to_owned).collect();
    let position = dice.below(fields.len());
    let quasi = dice.pick(&world.quasi);
    let leaf = dice.pick(&quasi.leaves);
    let mut label = dice.pick(&quasi.labels[leaf]).clone();
    if dice.percent(30) {
        let (low, high) = (dice.pick(&quasi.leaves), dice.pick(&quasi.leaves));
        label = match dice.below(3) {
            0 => format!("\"[{low}, {high}]\""),
            1 => format!("\"{{{low}, {high}}}\""),
            _ => format!("[{low}; {high}]"),
        };
    } else if dice.percent(40) {
        label = format!("\"{}\"", set(dice, quasi).replace('"', "\"\""));
    }
    let everywhere = dice.percent(60);
    for (nth, other) in lines.iter_mut().enumerate().skip(1) {
        let mut parts: Vec<String> = other.split(',').map(str::to_owned).collect();
        if parts.len() == fields.len() && parts[position] == fields[position] && (everywhere || nth == line) {
            parts[position].clone_from(&label);
            *other = parts.join(",");
        }
    }
}

/// The text of a random set of leaves, or a text that may be longer than the right one.
pub(crate) fn set(dice: &mut Dice, quasi: &Quasi) -> String {
    let share = *dice.pick(&[20, 50, 80]);
    let leaves: BTreeSet<String> = quasi.occurring.iter().filter(|_| dice.percent(share)).cloned().collect();
    if dice.percent(70)
        && let Some(text) = text_of(quasi, &leaves)
    {
        return text;
    }
    let label = |dice: &mut Dice| {
        let leaf = dice.pick(&quasi.leaves);
        dice.pick(&quasi.labels[leaf]).clone()
    };
    let members: Vec<String> = (0..dice.within(1, 3)).map(|_| label(dice)).collect();
    let around = if dice.percent(50) { format!("{} except ", label(dice)) } else { String::new() };
    format!("{around}{{{}}}", members.join(", "))
}
