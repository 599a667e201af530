//! Random hierarchies of every type.

use super::texts::{self, quoted};
use crate::readings::naive::{Builder, Form, Number, Open, Unit};
use crate::support::dice::Dice;

/// A hierarchy: its file, and the labels of its texts.
#[derive(Clone, Debug)]
pub(crate) struct Hierarchy {
    pub(crate) extension: &'static str,
    pub(crate) content: String,
    pub(crate) builder: Builder,
    /// Values of level 0.
    pub(crate) values: Vec<String>,
    /// The `kind` in the project file.
    pub(crate) kind: Option<&'static str>,
}

/// A hierarchy of a random type.
pub(crate) fn hierarchy(dice: &mut Dice, oddness: usize) -> Hierarchy {
    match dice.below(13) {
        0..=3 => csv(dice, oddness),
        4 | 5 => tree(dice, oddness),
        6 | 7 => widths(dice, oddness),
        8 => cuts(dice, oddness),
        9 | 10 => mask(dice, oddness),
        11 => date(dice, oddness),
        _ => flat(dice, oddness),
    }
}

/// Leaves of one style, and the kind that fits them.
fn leaves(dice: &mut Dice, oddness: usize) -> (Vec<String>, Option<&'static str>) {
    let count = *dice.pick(&[1, 2, 3, 4, 5, 6, 7, 9, 12]);
    match dice.below(10) {
        0..=3 => (texts::distinct(count, dice, |dice| texts::any(dice, oddness)), None),
        4..=6 => {
            let mut numbers = texts::distinct(count, dice, |dice| number(dice, oddness));
            numbers.sort_by_key(|text| Number::read(text));
            let kind = *dice.pick(&[None, None, None, Some("number"), Some("category")]);
            (numbers, kind)
        }
        7 => {
            let codes = texts::distinct(count, dice, |dice| format!("{:03}", dice.below(40)));
            (codes, *dice.pick(&[None, Some("number"), Some("category")]))
        }
        _ => {
            let form = dice.below(10);
            let mut days = texts::distinct(count, dice, |dice| {
                let day = day(dice, oddness / 4);
                match form {
                    0 => day.chars().take(7).collect(),
                    1 => day.chars().take(4).collect(),
                    _ => day,
                }
            });
            days.sort();
            (days, *dice.pick(&[None, Some("date"), Some("date")]))
        }
    }
}

/// A number of the size of ages and similar values.
fn number(dice: &mut Dice, oddness: usize) -> String {
    let number = dice.below(60);
    if dice.percent(4) {
        return format!("{number}.5");
    }
    if !dice.percent(oddness / 2) {
        return number.to_string();
    }
    match dice.below(8) {
        0 => format!("{number}.5"),
        1 => format!("{number}.0"),
        2 => format!("-{number}"),
        3 => format!("0{number}"),
        4 => format!("{number}00000"),
        5 => format!("{}.{number}", dice.below(3)),
        6 => format!("{number}.{number}"),
        _ => format!("{}", number % 10),
    }
}

fn day(dice: &mut Dice, oddness: usize) -> String {
    if dice.percent(oddness) {
        let odd = [
            "2024-1-05",
            " 2024-01-05",
            "2023-02-29",
            "2024-02-29",
            "0000-01-01",
            "9999-12-31",
            "2024-13-01",
        ];
        return (*dice.pick(&odd)).to_owned();
    }
    let year = *dice.pick(&[1999, 2019, 2023, 2024]);
    format!("{year}-{:02}-{:02}", *dice.pick(&[1, 2, 4, 12]), dice.within(1, 28))
}

/// Chains of labels over these leaves. Mostly neighbours have one label; sometimes a text occurs in
/// a second position.
fn chains(dice: &mut Dice, leaves: &[String], oddness: usize) -> Vec<Vec<String>> {
    let mut chains: Vec<Vec<String>> = leaves.iter().map(|leaf| vec![leaf.clone()]).collect();
    let mut groups: Vec<usize> = (0..leaves.len()).collect();
    let scattered = dice.percent(15);
    let has_bands = leaves.iter().all(|leaf| Number::read(leaf).is_some()) && dice.percent(50);
    for level in 0..dice.within(0, 3) {
        let count = groups.iter().max().map_or(1, |last| last + 1);
        let mut parents = Vec::new();
        let mut last = 0;
        for group in 0..count {
            if scattered && group > 1 {
                last = dice.below(last + 2).min(last + 1);
            } else if group > 0 && dice.percent(45) {
                last = parents.iter().max().map_or(0, |last| last + 1);
            }
            parents.push(last);
        }
        let mut labels: Vec<String> = Vec::new();
        for group in 0..=parents.iter().copied().max().unwrap_or(0) {
            let below: Vec<usize> = (0..count).filter(|&child| parents[child] == group).collect();
            let only = groups.iter().position(|group| Some(group) == below.first());
            let label = if below.len() == 1 && dice.percent(40) {
                only.map(|leaf| chains[leaf][level].clone())
            } else if has_bands && dice.percent(85) {
                let is_below = |leaf: &usize| below.contains(&groups[*leaf]);
                let under: Vec<usize> = (0..leaves.len()).filter(is_below).collect();
                under.first().zip(under.last()).map(|(&from, &to)| band_of(dice, &leaves[from], &leaves[to]))
            } else if dice.percent(oddness / 4) {
                Some(chains[dice.below(leaves.len())][dice.below(level + 1)].clone())
            } else if dice.percent(oddness / 2) {
                Some(texts::odd(dice))
            } else {
                None
            };
            let label = label.filter(|label| dice.percent(oddness / 8) || !labels.contains(label));
            labels.push(label.unwrap_or_else(|| format!("group {level}{group}")));
        }
        groups = groups.iter().map(|&group| parents[group]).collect();
        for (chain, &group) in chains.iter_mut().zip(&groups) {
            chain.push(labels[group].clone());
        }
    }
    if dice.percent(50) {
        for chain in &mut chains {
            chain.push("*".to_owned());
        }
    }
    chains
}

/// A label that reads as a band: of its leaves, or of other numbers.
fn band_of(dice: &mut Dice, from: &str, to: &str) -> String {
    let next = to.parse::<usize>().map_or_else(|_| format!("{to}5"), |to| (to + 1).to_string());
    let other = dice.below(60);
    match dice.below(8) {
        0..=2 => format!("{from}-{to}"),
        3 => format!("[{from}, {next})"),
        4 => format!("[{from}, {next}["),
        5 => format!("{from} to {to}"),
        6 => (*dice.pick(&[format!(">={from}"), format!("{from}+"), format!("<{next}")])).clone(),
        _ => format!("{other}-{}", other + dice.within(1, 9)),
    }
}

fn csv(dice: &mut Dice, oddness: usize) -> Hierarchy {
    let (values, kind) = leaves(dice, oddness);
    let mut chains = chains(dice, &values, oddness);
    if dice.percent(40) {
        dice.shuffle(&mut chains);
    }
    let separator = if dice.percent(70) { ';' } else { ',' };
    let more = dice.percent(10);
    let line_end = if dice.percent(15) { "\r\n" } else { "\n" };
    let mut content = String::from(if dice.percent(8) { "\u{feff}" } else { "" });
    for chain in &chains {
        let fields = chain.iter().map(|label| {
            let needed =
                label.contains(['"', '\n', '\r', ',', ';']) || (chain.len() == 1 && label.is_empty());
            if needed || (more && dice.percent(30)) {
                format!("\"{}\"", label.replace('"', "\"\""))
            } else {
                label.clone()
            }
        });
        content.push_str(&fields.collect::<Vec<_>>().join(&separator.to_string()));
        content.push_str(line_end);
    }
    if dice.percent(10) {
        content.truncate(content.trim_end_matches(['\r', '\n']).len());
    }
    Hierarchy { extension: "csv", content, builder: Builder::Csv(topped(chains)), values, kind }
}

/// Adds `*` above several top labels, as the readings do.
fn topped(mut chains: Vec<Vec<String>>) -> Vec<Vec<String>> {
    if chains.iter().any(|chain| chain.last() != chains[0].last()) {
        for chain in &mut chains {
            chain.push("*".to_owned());
        }
    }
    chains
}

fn tree(dice: &mut Dice, oddness: usize) -> Hierarchy {
    let (values, kind) = leaves(dice, oddness);
    let mut chains = chains(dice, &values, oddness);
    if chains[0].len() == 1 {
        for chain in &mut chains {
            chain.push("all".to_owned());
        }
    }
    let mut content = String::from("type = \"tree\"\n");
    for level in 1..chains[0].len() {
        let mut parents: Vec<(&String, Vec<&String>)> = Vec::new();
        for chain in &chains {
            let index = parents.iter().position(|(parent, _)| *parent == &chain[level]);
            let index = index.unwrap_or_else(|| {
                parents.push((&chain[level], Vec::new()));
                parents.len() - 1
            });
            if !parents[index].1.contains(&&chain[level - 1]) {
                parents[index].1.push(&chain[level - 1]);
            }
        }
        content.push_str("[[level]]\n");
        for (parent, children) in parents {
            let children: Vec<String> = children.into_iter().map(|child| quoted(child)).collect();
            content.push_str(&format!("{} = [{}]\n", quoted(parent), children.join(", ")));
        }
    }
    let kind = kind.filter(|kind| *kind != "date" || values.iter().all(|value| value.len() == 10));
    Hierarchy { extension: "toml", content, builder: Builder::Tree(topped(chains)), values, kind }
}

fn widths(dice: &mut Dice, oddness: usize) -> Hierarchy {
    let sizes = [
        &["5", "10", "20"][..],
        &["10"],
        &["2", "4", "20"],
        &["1", "10"],
        &["0.5", "1", "10"],
        &["2.5", "5"],
    ];
    let widths: Vec<&str> = dice.pick(&sizes).to_vec();
    let origin = if dice.percent(20) { Some(*dice.pick(&["3", "-5", "0.5", "100"])) } else { None };
    let mut content = format!("type = \"interval\"\nwidths = [{}]\n", widths.join(", "));
    if let Some(origin) = origin {
        content.push_str(&format!("origin = {origin}\n"));
    }
    let widths = widths.into_iter().filter_map(Number::read).collect();
    let origin = origin.and_then(Number::read).unwrap_or_else(Number::zero);
    let builder = Builder::Widths { origin, widths, form: Form::Open, open: Open::default() };
    intervals(dice, oddness, content, builder)
}

fn intervals(dice: &mut Dice, oddness: usize, content: String, builder: Builder) -> Hierarchy {
    let count = dice.within(1, 8);
    let mut values = texts::distinct(count, dice, |dice| number(dice, oddness));
    add_open_bands(dice, oddness, &mut values);
    let kind = *dice.pick(&[None, None, None, Some("number"), Some("category")]);
    let builder =
        if dice.percent(80) { builder.settled(0, &values.iter().collect::<Vec<_>>()) } else { builder };
    Hierarchy { extension: "toml", content, builder, values, kind }
}

/// Sometimes an open band at an end, mostly without numbers inside it.
fn add_open_bands(dice: &mut Dice, oddness: usize, values: &mut Vec<String>) {
    if !dice.percent(30) {
        return;
    }
    let (first, last) = (dice.within(1, 20), dice.within(35, 60));
    let is_odd = dice.percent(oddness / 3);
    let is_inside = |text: &String| {
        Number::read(text).is_some_and(|number| {
            number < Number::from_integer(i64::try_from(first).unwrap())
                || number >= Number::from_integer(i64::try_from(last).unwrap())
        })
    };
    if !is_odd {
        values.retain(|text| !is_inside(text));
    }
    if dice.percent(80) {
        values.push(format!(">={last}"));
    }
    if values.is_empty() || dice.percent(40) {
        values.push(if is_odd && dice.percent(30) { format!("<0{first}") } else { format!("<{first}") });
    }
}

fn cuts(dice: &mut Dice, oddness: usize) -> Hierarchy {
    let count = dice.within(1, 4);
    let half = dice.percent(oddness / 2);
    let mut cuts = texts::distinct(count, dice, |dice| {
        let cut = dice.within(1, 60);
        if half { format!("{cut}.5") } else { cut.to_string() }
    });
    cuts.sort_by_key(|cut| Number::read(cut));
    let mut content = String::from("type = \"interval\"\n");
    let mut levels = Vec::new();
    for level in 0..dice.within(1, 2) {
        content.push_str(&format!("[[level]]\ncuts = [{}]\n", cuts.join(", ")));
        let labels = dice.percent(40).then(|| {
            texts::distinct(cuts.len() + 1, dice, |dice| {
                let number = dice.below(20);
                if dice.percent(oddness / 3) { texts::odd(dice) } else { format!("band {level}{number}") }
            })
        });
        let labels = if dice.percent(45) { Some(bands(dice, &cuts)) } else { labels };
        let labels = labels.filter(|labels| labels.len() == cuts.len() + 1);
        if let Some(labels) = &labels {
            let labels: Vec<String> = labels.iter().map(|label| quoted(label)).collect();
            content.push_str(&format!("labels = [{}]\n", labels.join(", ")));
        }
        levels.push((cuts.iter().filter_map(|cut| Number::read(cut)).collect(), labels));
        if cuts.len() > 1 {
            cuts.remove(dice.below(cuts.len()));
        }
    }
    intervals(dice, oddness, content, Builder::Cuts { levels, form: Form::Open, open: Open::default() })
}

/// Names of the bands between cuts, as people write them. Some end too early, and some are open.
fn bands(dice: &mut Dice, cuts: &[String]) -> Vec<String> {
    let form = dice.below(5);
    let less_one = |cut: &String| match cut.parse::<usize>() {
        Ok(cut) => cut.saturating_sub(1).to_string(),
        Err(_) => cut.clone(),
    };
    let band = |from: &str, to: &String| match form {
        0 | 1 => format!("{from}-{}", less_one(to)),
        2 => format!("[{from}, {to})"),
        3 => format!("[{from}, {to}["),
        _ => format!("{from} to {}", less_one(to)),
    };
    let (Some(first), Some(last)) = (cuts.first(), cuts.last()) else { return Vec::new() };
    let low = *dice.pick(&["<", "< ", "0"]);
    let mut labels = vec![if low == "0" { band("0", first) } else { format!("{low}{first}") }];
    labels.extend(cuts.windows(2).map(|pair| band(&pair[0], &pair[1])));
    let high = *dice.pick(&[">=", "≥", "+", ""]);
    labels.push(match high {
        "+" => format!("{last}+"),
        "" => band(last, &"99".to_owned()),
        sign => format!("{sign}{last}"),
    });
    labels
}

fn mask(dice: &mut Dice, oddness: usize) -> Hierarchy {
    let length = dice.within(1, 4);
    let from_left = dice.percent(25);
    let character = if dice.percent(20) { *dice.pick(&['#', 'x', '0', '•', '"']) } else { '*' };
    let alphabet: Vec<char> = match dice.below(100) {
        at if at < oddness / 3 => vec!['a', 'é', character, ' ', ',', '"', '\n', '-', '[', ']', '{', '}'],
        at if at < 60 => vec!['0', '1', '2', '7'],
        _ => vec!['a', 'b', '9', 'Z', 'k'],
    };
    let count = dice.within(1, 8);
    let values = texts::distinct(count, dice, |dice| (0..length).map(|_| *dice.pick(&alphabet)).collect());
    let mut content = format!("type = \"mask\"\nlength = {length}\n");
    if from_left || dice.percent(30) {
        content.push_str(&format!("from = \"{}\"\n", if from_left { "left" } else { "right" }));
    }
    if character != '*' {
        content.push_str(&format!("character = {}\n", quoted(&character.to_string())));
    }
    let fives = dice.percent(40);
    if fives || dice.percent(10) {
        content.push_str(&format!("fives = {fives}\n"));
    }
    let kind = *dice.pick(&[None, None, None, None, Some("category"), Some("number")]);
    Hierarchy {
        extension: "toml",
        content,
        builder: Builder::Mask { length, from_left, character, fives },
        values,
        kind,
    }
}

fn date(dice: &mut Dice, oddness: usize) -> Hierarchy {
    let units: Vec<Unit> = [Unit::Month, Unit::Quarter, Unit::Year, Unit::Decade]
        .into_iter()
        .filter(|_| dice.percent(60))
        .collect();
    let units = if units.is_empty() { vec![Unit::Year] } else { units };
    let words: Vec<String> = units.iter().map(|unit| format!("\"{}\"", unit.as_str())).collect();
    let content = format!("type = \"date\"\nlevels = [{}]\n", words.join(", "));
    let count = dice.within(1, 8);
    let values = texts::distinct(count, dice, |dice| day(dice, oddness / 4));
    let kind = *dice.pick(&[None, None, None, Some("date"), Some("category")]);
    Hierarchy { extension: "toml", content, builder: Builder::Date(units), values, kind }
}

fn flat(dice: &mut Dice, oddness: usize) -> Hierarchy {
    let (values, kind) = leaves(dice, oddness);
    let content = "type = \"flat\"\n".to_owned();
    Hierarchy { extension: "toml", content, builder: Builder::Flat, values, kind }
}
