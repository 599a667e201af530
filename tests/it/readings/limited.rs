//! Compares two readings, the one of `verify` and the third, on releases with sets and ranges of
//! every form: right ones, longer ones, and ones beyond `terms` or `borders`.

use std::fs;

use palmtop::verify::{Findings, OtherDelta, VerifySpec, verify};

use super::mutate;
use super::naive::{self, Kind, Quasi, World, csv, text_of};
use super::random::{Case, PROJECT};
use crate::support::dice::Dice;

/// A release of regions of one quasi-identifier, and whether it has a set of numbers or dates. All others
/// are published as the top label.
fn release(dice: &mut Dice, world: &World) -> (Vec<u8>, bool) {
    let nth = dice.below(world.quasi.len());
    let quasi = &world.quasi[nth];
    let count = dice.within(1, 3);
    // Regions of neighbours for numbers and dates, else of any leaves.
    let ends: Vec<usize> = (0..count).map(|_| dice.below(quasi.leaves.len())).collect();
    let regions: Vec<usize> = (0..quasi.leaves.len())
        .map(|leaf| match quasi.kind {
            Kind::Category => dice.below(count),
            _ => ends.iter().filter(|&&end| end < leaf).count(),
        })
        .collect();
    let region = |leaf: &String| quasi.leaves.iter().position(|own| own == leaf).map(|nth| regions[nth]);
    let texts: Vec<String> = (0..=count)
        .map(|own| {
            let leaves: Vec<&String> =
                quasi.occurring.iter().filter(|leaf| region(leaf) == Some(own)).collect();
            if dice.percent(8) { mutate::set(dice, quasi) } else { text(dice, quasi, &leaves) }
        })
        .collect();
    let mut lines: Vec<String> = Vec::new();
    for row in &world.private {
        let fields: Vec<String> = world
            .columns
            .iter()
            .map(|(_, written)| match written {
                naive::Written::Quasi(own) if *own == nth => {
                    texts[region(&row.leaves[nth]).unwrap_or(count)].clone()
                }
                naive::Written::Quasi(own) => {
                    let labels = &world.quasi[*own].labels[&row.leaves[*own]];
                    labels[labels.len() - 1].clone()
                }
                naive::Written::Kept(own) => row.kept[*own].clone(),
            })
            .collect();
        let line = csv::release_line(&fields) + "\n";
        lines.extend((0..row.people.min(100)).map(|_| line.clone()));
    }
    lines.sort();
    let header: Vec<String> = world.columns.iter().map(|(name, _)| name.clone()).collect();
    let has_set = quasi.kind != Kind::Category && lines.concat().contains("\"{");
    ((csv::release_line(&header) + "\n" + &lines.concat()).into_bytes(), has_set)
}

/// A text of some leaves.
fn text(dice: &mut Dice, quasi: &Quasi, leaves: &[&String]) -> String {
    let (Some(first), Some(last)) = (leaves.first(), leaves.last()) else { return "*".to_owned() };
    if quasi.kind != Kind::Category && dice.percent(15) {
        return forged(dice, quasi, first, last);
    }
    text_of(quasi, &leaves.iter().copied().cloned().collect()).unwrap_or_default()
}

/// A text that a careless program could write: the ends of the labels' texts, with any bracket.
fn forged(dice: &mut Dice, quasi: &Quasi, first: &str, last: &str) -> String {
    let level = quasi.borders.filter(|_| !dice.percent(20)).map_or(0, |level| level - quasi.base);
    let (low, high) = (&quasi.labels[first][level], &quasi.labels[last][level]);
    let parts = |label: &str| -> Vec<String> {
        let inner = label.trim_start_matches('[').trim_end_matches([')', '[']);
        let mark = if inner.contains(", ") { ", " } else { "-" };
        inner.split(mark).map(str::to_owned).collect()
    };
    match dice.below(4) {
        0 => format!("[{low}, {high}]"),
        1 => format!("{{{low}, {high}}}"),
        _ => {
            let (low, high) = (parts(low), parts(high));
            let ends = (low.first().cloned().unwrap_or_default(), high.last().cloned().unwrap_or_default());
            format!("[{}, {}{}", ends.0, ends.1, dice.pick(&[']', ')', '[']))
        }
    }
}

/// What a disagreement is about, if there is one.
fn difference(world: &World, found: &Findings, content: &[u8]) -> Option<String> {
    let judgement = world.judge(content);
    let accepts = found.is_faithful() && found.is_present();
    if found.is_faithful() == judgement.unfaithful.is_none() && accepts == judgement.is_present {
        return None;
    }
    let problems: Vec<String> = found.problems.iter().map(ToString::to_string).collect();
    let texts = String::from_utf8_lossy(content);
    Some(format!("{problems:?}; third reading: {judgement:?}\n{texts}"))
}

#[test]
fn two_readings_agree_on_sets_and_ranges() {
    let count = super::number("PALMTOP_SETS").unwrap_or(400);
    let place = super::workplace();
    let (mut accepted, mut refused, mut beyond) = (0, 0, 0);
    let (mut exceptions, mut unions, mut ranges, mut mixed) = (0, 0, 0, 0);
    for seed in 0..count {
        let mut dice = Dice::new(seed ^ 0x5e75);
        let project = Case::of(seed).project;
        let path = project.write(&place.path().join("project")).unwrap();
        let (Ok(world), Ok(spec)) =
            (naive::load(&path), VerifySpec::of_project(&path, OtherDelta::default()))
        else {
            continue;
        };
        for _ in 0..6 {
            let (content, has_set) = release(&mut dice, &world);
            let file = path.with_file_name("release.csv");
            fs::write(&file, &content).unwrap();
            let found = verify(&spec, &file).unwrap();
            let project = || String::from_utf8_lossy(&project.files[PROJECT]).into_owned();
            if let Some(detail) = difference(&world, &found, &content) {
                panic!("seed {seed}: {detail}\n{}", project());
            }
            beyond += u64::from(found.beyond_limits > 0);
            if found.is_faithful() {
                accepted += 1;
                let text = String::from_utf8_lossy(&content);
                exceptions += u64::from(text.contains(" except {"));
                unions += u64::from(text.contains("\"{"));
                let has_borders = project().contains("\nborders");
                ranges += u64::from(has_borders && text.contains("\"["));
                mixed += u64::from(has_set);
            } else {
                refused += 1;
            }
        }
    }
    println!(
        "{accepted} faithful: {unions} unions, {exceptions} exceptions, {ranges} ranges with borders, \
         {mixed} sets of numbers or dates; {beyond} beyond limits, {refused} refused"
    );
    assert!(accepted > count && refused > count / 8 && beyond > count / 40, "{accepted} {refused} {beyond}");
    assert!(exceptions > count / 16 && unions > count / 16, "{exceptions} {unions}");
}
