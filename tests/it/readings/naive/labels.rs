//! Orders the leaves of a hierarchy and the values of P, and gives each leaf its labels.

use std::collections::{BTreeMap, BTreeSet};

use super::date::{Day, Unit};
use super::hierarchy::Builder;
use super::number::{Number, is_plain};
use super::{Kind, Quasi, Refusal, refuse};

/// The sort key of a leaf.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Value {
    Number(Number),
    Date(Day),
}

/// The kind of the values: as the project states it, otherwise from the hierarchy. If the hierarchy
/// is flat, P's values decide.
pub(super) fn kind(builder: &Builder, declared: Option<Kind>, base: usize, public: &[String]) -> Kind {
    declared.unwrap_or(match builder {
        Builder::Csv(chains) if are_numbers(chains) => Kind::Number,
        Builder::Flat if base == 0 && public.iter().all(|text| is_plain(text)) => Kind::Number,
        Builder::Flat | Builder::Csv(_) | Builder::Tree(_) | Builder::Mask { .. } => Kind::Category,
        Builder::Widths { .. } | Builder::Cuts { .. } => Kind::Number,
        Builder::Date(_) => Kind::Date,
    })
}

/// Whether every leaf is a plain number and, on every level, the leaves of each label are
/// neighbours.
fn are_numbers(chains: &[Vec<String>]) -> bool {
    if !chains.iter().all(|chain| is_plain(&chain[0])) {
        return false;
    }
    let mut sorted: Vec<&Vec<String>> = chains.iter().collect();
    sorted.sort_by_key(|chain| Number::read(&chain[0]));
    (0..chains[0].len()).all(|level| {
        let mut runs: Vec<&str> = sorted.iter().map(|chain| chain[level].as_str()).collect();
        runs.dedup();
        let labels: BTreeSet<&str> = runs.iter().copied().collect();
        labels.len() == runs.len()
    })
}

/// The quasi-identifier of these values of P.
pub(super) fn quasi(
    name: &str,
    builder: &Builder,
    kind: Kind,
    base: usize,
    public: &[String],
) -> Result<Quasi, Refusal> {
    if base > builder.top() {
        return refuse(format!("{name}: there is no level {base}"));
    }
    if !builder.fits_open_bands() {
        return refuse(format!("{name}: a band ends inside an open band of P"));
    }
    let occurring: BTreeSet<&String> = public.iter().collect();
    for text in &occurring {
        if builder.raise(text, base, base).is_none() {
            return refuse(format!("{name}: {text:?} is no label of level {base}"));
        }
    }
    let leaves: Vec<(String, Option<Value>)> = match builder {
        Builder::Csv(chains) => of_chains(name, chains, kind, base)?,
        _ => of_values(name, builder, kind, base, &occurring)?,
    };
    let mut leaves: Vec<String> = leaves.into_iter().map(|(leaf, _)| leaf).collect();
    if let (Builder::Csv(chains) | Builder::Tree(chains), Kind::Category) = (builder, kind) {
        leaves.sort_by_key(|leaf| walk(chains, base, leaf));
    }
    let mut labels: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for leaf in &leaves {
        let above = (base..=builder.top()).map(|level| builder.raise(leaf, base, level));
        labels.insert(leaf.clone(), above.collect::<Option<_>>().unwrap_or_default());
    }
    let is_occurring = |leaf: &&String| occurring.contains(leaf);
    let quasi = Quasi {
        name: name.to_owned(),
        kind,
        base,
        occurring: leaves.iter().filter(is_occurring).cloned().collect(),
        leaves,
        labels,
        terms: None,
        borders: None,
    };
    match builder {
        Builder::Csv(chains) | Builder::Tree(chains) => one_meaning(name, chains)?,
        _ => {
            let chains: Vec<Vec<String>> =
                quasi.leaves.iter().map(|leaf| quasi.labels[leaf].clone()).collect();
            one_meaning(name, &chains)?;
            for text in occurring {
                private_leaf(&quasi, builder, text)?;
            }
        }
    }
    if let Builder::Cuts { levels, .. } = builder {
        let mut labels = levels.iter().flat_map(|(_, labels)| labels.iter().flatten());
        labels.try_for_each(|label| no_bracket(name, label))?;
    }
    Ok(quasi)
}

/// The sort key of a label in a walk from the top: for each label above it, top first, and for the
/// label itself, the first line that has it.
fn walk(chains: &[Vec<String>], base: usize, leaf: &str) -> Vec<Option<usize>> {
    let Some(chain_of_leaf) = chains.iter().find(|chain| chain[base] == leaf) else { return Vec::new() };
    let first = |level: usize| chains.iter().position(|chain| chain[level] == chain_of_leaf[level]);
    (base..chain_of_leaf.len()).rev().map(first).collect()
}

/// The labels of the base level of a file. A label has the position of its least leaf.
fn of_chains(
    name: &str,
    chains: &[Vec<String>],
    kind: Kind,
    base: usize,
) -> Result<Vec<(String, Option<Value>)>, Refusal> {
    let mut leaves: Vec<(Option<Value>, &Vec<String>)> = Vec::new();
    let unit = [Unit::Day, Unit::Month, Unit::Year]
        .into_iter()
        .find(|unit| chains.iter().all(|chain| unit.read(&chain[0]).is_some()));
    for chain in chains {
        let value = match kind {
            Kind::Category => None,
            Kind::Number => Number::read(&chain[0]).map(Value::Number),
            Kind::Date => unit.and_then(|unit| unit.read(&chain[0])).map(Value::Date),
        };
        if value.is_none() && kind != Kind::Category {
            return refuse(format!("{name}: leaf {:?} is not of its kind", chain[0]));
        }
        leaves.push((value, chain));
    }
    leaves.sort_by(|left, right| left.0.cmp(&right.0));
    distinct(name, leaves.iter().map(|(value, _)| value))?;
    let mut labels: Vec<(String, Option<Value>)> = Vec::new();
    for (value, chain) in leaves {
        if labels.iter().all(|(label, _)| *label != chain[base]) {
            labels.push((chain[base].clone(), value));
        }
    }
    Ok(labels)
}

/// The values that occur in P.
fn of_values(
    name: &str,
    builder: &Builder,
    kind: Kind,
    base: usize,
    occurring: &BTreeSet<&String>,
) -> Result<Vec<(String, Option<Value>)>, Refusal> {
    let mut leaves: Vec<(String, Option<Value>)> = Vec::new();
    for text in occurring {
        let below_top = base < builder.top();
        let value = match (builder, kind) {
            (Builder::Widths { .. } | Builder::Cuts { .. }, Kind::Number | Kind::Category) if below_top => {
                builder.number_of(text, base).map(Value::Number)
            }
            (Builder::Date(units), Kind::Date | Kind::Category) if below_top => {
                let unit = if base == 0 { Unit::Day } else { units[base - 1] };
                unit.read(text).map(Value::Date)
            }
            // Only the top is left, and one leaf needs no order.
            (Builder::Widths { .. } | Builder::Cuts { .. }, Kind::Number)
            | (Builder::Date(_), Kind::Date) => Some(Value::Number(Number::zero())),
            (Builder::Flat, Kind::Number | Kind::Date) if !below_top => Some(Value::Number(Number::zero())),
            (_, Kind::Number) => Number::read(text).map(Value::Number),
            (_, Kind::Date) => Unit::Day.read(text).map(Value::Date),
            (_, Kind::Category) => None,
        };
        if value.is_none() && kind != Kind::Category {
            return refuse(format!("{name}: {text:?} is not of its kind"));
        }
        leaves.push(((*text).clone(), value));
    }
    leaves.sort_by(|left, right| left.1.cmp(&right.1));
    if kind != Kind::Category {
        distinct(name, leaves.iter().map(|(_, value)| value))?;
    }
    Ok(leaves)
}

/// Refuses two texts of a column, in either table, that are one number.
pub(super) fn one_text(name: &str, texts: &[&String]) -> Result<(), Refusal> {
    for (nth, text) in texts.iter().enumerate() {
        let same =
            |other: &&&String| text != *other && signed(text).is_some() && signed(text) == signed(other);
        if let Some(other) = texts[..nth].iter().find(same) {
            return refuse(format!("{name}: {text:?} and {other:?} are one number"));
        }
    }
    Ok(())
}

/// A number, which may have a plus sign or a minus sign of its own character.
fn signed(text: &str) -> Option<Number> {
    let signs = ["+", "-", "\u{2212}"];
    let digits = signs.into_iter().find_map(|sign| text.strip_prefix(sign)).unwrap_or(text);
    let sign = if text.starts_with(['-', '\u{2212}']) { "-" } else { "" };
    let is_digit = digits.starts_with(|first: char| first.is_ascii_digit());
    if is_digit { Number::read(&format!("{sign}{digits}")) } else { None }
}

/// Refuses two leaves that are one number or one day. The values are sorted.
fn distinct<'a>(name: &str, values: impl Iterator<Item = &'a Option<Value>>) -> Result<(), Refusal> {
    let values: Vec<&Option<Value>> = values.collect();
    if values.windows(2).any(|pair| pair[0].is_some() && pair[0] == pair[1]) {
        return refuse(format!("{name}: two leaves are one value"));
    }
    Ok(())
}

/// Refuses a text that occurs on two levels and denotes different leaves there. Also refuses a text
/// that reads as a range or a set.
fn one_meaning(name: &str, chains: &[Vec<String>]) -> Result<(), Refusal> {
    let mut meanings: BTreeMap<&str, BTreeMap<usize, BTreeSet<&str>>> = BTreeMap::new();
    for chain in chains {
        for (level, text) in chain.iter().enumerate() {
            no_bracket(name, text)?;
            meanings.entry(text).or_default().entry(level).or_default().insert(&chain[0]);
        }
    }
    for (text, by_level) in meanings {
        let distinct: BTreeSet<&BTreeSet<&str>> = by_level.values().collect();
        if distinct.len() > 1 {
            return refuse(format!("{name}: {text:?} has two meanings"));
        }
    }
    Ok(())
}

fn no_bracket(name: &str, text: &str) -> Result<(), Refusal> {
    let reads = |open, close| text.starts_with(open) && text.ends_with(close);
    let has_exceptions = text.contains(" except {") && text.ends_with('}');
    if reads('[', ']') || reads('{', '}') || has_exceptions {
        return refuse(format!("{name}: {text:?} reads as a range or a set"));
    }
    Ok(())
}

/// The leaf of a text of T. The text is read at every level up to the base, and all readings must
/// give the same leaf.
pub(super) fn private_leaf(quasi: &Quasi, builder: &Builder, text: &str) -> Result<String, Refusal> {
    let readings: BTreeSet<String> =
        (0..=quasi.base).filter_map(|level| builder.raise(text, level, quasi.base)).collect();
    let mut readings = readings.into_iter();
    match (readings.next(), readings.next()) {
        (Some(leaf), None) => Ok(leaf),
        (None, _) => refuse(format!("{}: {text:?} is no value", quasi.name)),
        (Some(_), Some(_)) => refuse(format!("{}: {text:?} is ambiguous", quasi.name)),
    }
}
