//! Hierarchy files: how each of them writes a text of one level on another level.

use std::path::Path;

use super::date::Unit;
use super::toml::{self, Table, Value};
use super::{Number, Refusal, csv, refuse};

/// The label that denotes everybody.
pub(crate) const EVERYBODY: &str = "*";

/// A hierarchy file.
#[derive(Clone, Debug)]
pub(crate) enum Builder {
    /// The labels of each leaf, from the leaf to the top.
    Csv(Vec<Vec<String>>),
    /// The same; only values that occur in P are leaves.
    Tree(Vec<Vec<String>>),
    /// Bands of these widths.
    Widths { origin: Number, widths: Vec<Number>, form: Form, open: Open },
    /// Bands between cuts, with labels from the file or without.
    Cuts { levels: Vec<(Vec<Number>, Option<Vec<String>>)>, form: Form, open: Open },
    /// Codes of this length, masked character by character. With fives, a character is one of `[0-4]` first.
    Mask { length: usize, from_left: bool, character: char, fives: bool },
    /// Dates with these units, one for each level between the day and `*`.
    Date(Vec<Unit>),
    /// A value, then everybody.
    Flat,
}

/// How a hierarchy writes its bands; the form is the same for all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// `10-19`: all bounds are whole numbers from 0.
    Integers,
    /// `[10, 20)`.
    Open,
}

/// The open bands that P has among its values, and the level of P.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Open {
    /// `<first`: everything below.
    first: Option<Number>,
    /// `>=last`: everything from there on.
    last: Option<Number>,
    base: usize,
}

impl Open {
    /// The bounds of `<1` or of `>=90`, written with as few digits as possible.
    fn bound(text: &str, mark: &str) -> Option<Number> {
        let digits = text.strip_prefix(mark)?;
        Number::read(digits).filter(|number| number.to_string() == digits)
    }

    fn is_inside(&self, number: &Number) -> bool {
        self.first.as_ref().is_some_and(|first| number < first)
            || self.last.as_ref().is_some_and(|last| number >= last)
    }
}

/// Reads a hierarchy file by its name.
pub(super) fn read(path: &Path) -> Result<Builder, Refusal> {
    let Ok(bytes) = std::fs::read(path) else { return refuse(format!("cannot read {}", path.display())) };
    let extension = path.extension().and_then(|extension| extension.to_str());
    match extension.map(str::to_ascii_lowercase).as_deref() {
        Some("csv") => of_csv(&bytes),
        Some("toml") => of_toml(&toml::read(&bytes)?),
        _ => refuse("a hierarchy is CSV or TOML"),
    }
}

fn of_csv(bytes: &[u8]) -> Result<Builder, Refusal> {
    let text = csv::decode(bytes)?;
    let chains = csv::records(text, csv::hierarchy_separator(text))?;
    if chains.is_empty() { refuse("an empty hierarchy") } else { of_chains(chains).map(Builder::Csv) }
}

/// Adds `*` as the top if it is missing, and refuses chains that are not a hierarchy.
fn of_chains(mut chains: Vec<Vec<String>>) -> Result<Vec<Vec<String>>, Refusal> {
    let last = chains[0].len() - 1;
    if chains.iter().any(|chain| chain[last] != chains[0][last]) {
        for chain in &mut chains {
            chain.push(EVERYBODY.to_owned());
        }
    }
    if chains[0].len() > 250 {
        return refuse("more than 250 levels");
    }
    for (nth, chain) in chains.iter().enumerate() {
        for other in &chains[nth + 1..] {
            if other[0] == chain[0] {
                return refuse(format!("leaf {:?} twice", chain[0]));
            }
            for level in 0..chain.len() - 1 {
                if chain[level] == other[level] && chain[level + 1] != other[level + 1] {
                    return refuse(format!("label {:?} has two parents", chain[level]));
                }
            }
        }
    }
    Ok(chains)
}

fn of_toml(file: &Table) -> Result<Builder, Refusal> {
    match file.needed("type")?.as_str() {
        "interval" if file.get("widths").is_some() => {
            file.only(&["type", "widths", "origin"])?;
            let origin = file.get("origin").map_or_else(|| Ok(Number::zero()), Value::number)?;
            let widths = file.get("widths").map_or(Ok(&[][..]), Value::list)?;
            of_widths(origin, widths.iter().map(Value::number).collect::<Result<_, _>>()?)
        }
        "interval" => {
            file.only(&["type", "level"])?;
            of_cuts(levels(file)?)
        }
        "mask" => {
            file.only(&["type", "length", "from", "character", "fives"])?;
            of_mask(file)
        }
        "date" => {
            file.only(&["type", "levels"])?;
            of_units(file)
        }
        "tree" => {
            file.only(&["type", "level"])?;
            of_tree(levels(file)?)
        }
        "flat" => {
            file.only(&["type"])?;
            Ok(Builder::Flat)
        }
        other => refuse(format!("no hierarchy is of type {other}")),
    }
}

fn levels(file: &Table) -> Result<Vec<&Table>, Refusal> {
    let Some(levels) = file.get("level") else { return refuse("`level` is missing") };
    let levels: Vec<&Table> = levels.list()?.iter().map(Value::table).collect::<Result<_, _>>()?;
    if levels.is_empty() { refuse("no level") } else { Ok(levels) }
}

fn of_widths(origin: Number, widths: Vec<Number>) -> Result<Builder, Refusal> {
    if widths.is_empty() || !widths.iter().all(Number::is_positive) {
        return refuse("each width has to be above 0");
    }
    if !widths.windows(2).all(|pair| pair[0] < pair[1] && pair[1].is_multiple_of(&pair[0])) {
        return refuse("each width has to be a multiple of the one before");
    }
    Ok(Builder::Widths { origin, widths, form: Form::Open, open: Open::default() })
}

fn of_cuts(written: Vec<&Table>) -> Result<Builder, Refusal> {
    let mut levels: Vec<(Vec<Number>, Option<Vec<String>>)> = Vec::new();
    for level in written {
        level.only(&["cuts", "labels"])?;
        let Some(cuts) = level.get("cuts") else { return refuse("`cuts` is missing") };
        let cuts: Vec<Number> = cuts.list()?.iter().map(Value::number).collect::<Result<_, _>>()?;
        if cuts.is_empty() || cuts.windows(2).any(|pair| pair[0] >= pair[1]) {
            return refuse("cuts have to ascend");
        }
        if levels.last().is_some_and(|(finer, _)| cuts.iter().any(|cut| !finer.contains(cut))) {
            return refuse("a coarser level has a cut of its own");
        }
        let labels = level.get("labels").map(|labels| labels.list()).transpose()?;
        let labels: Option<Vec<String>> =
            labels.map(|labels| labels.iter().map(Value::text).collect()).transpose()?;
        if let Some(labels) = &labels {
            let repeated = labels.iter().enumerate().any(|(nth, label)| labels[..nth].contains(label));
            if labels.len() != cuts.len() + 1 || repeated {
                return refuse("a label for each band, each its own");
            }
        }
        levels.push((cuts, labels));
    }
    Ok(Builder::Cuts { levels, form: Form::Open, open: Open::default() })
}

fn of_mask(file: &Table) -> Result<Builder, Refusal> {
    let length = match file.get("length") {
        Some(Value::Number(digits)) => digits.parse().unwrap_or(0),
        _ => 0,
    };
    let character: Vec<char> =
        file.text("character")?.unwrap_or_else(|| EVERYBODY.to_owned()).chars().collect();
    let from_left = match file.text("from")?.as_deref() {
        None | Some("right") => false,
        Some("left") => true,
        Some(other) => return refuse(format!("nothing is masked from {other}")),
    };
    let fives = match file.get("fives") {
        None => false,
        Some(Value::Flag(flag)) => *flag,
        Some(other) => return refuse(format!("{other:?} instead of true or false")),
    };
    let most = if fives { 100 } else { 200 };
    match character[..] {
        [character] if (1..=most).contains(&length) => {
            Ok(Builder::Mask { length, from_left, character, fives })
        }
        _ => refuse("a mask has a length and one character"),
    }
}

fn of_units(file: &Table) -> Result<Builder, Refusal> {
    let Some(levels) = file.get("levels") else { return refuse("`levels` is missing") };
    let mut units = Vec::new();
    for word in levels.list()? {
        let word = word.text()?;
        match Unit::of_word(&word) {
            Some(unit) => units.push(unit),
            None => return refuse(format!("{word} is no unit")),
        }
    }
    let ascending = units.windows(2).all(|pair| pair[0] < pair[1]);
    if units.is_empty() || !ascending {
        refuse("units from fine to coarse")
    } else {
        Ok(Builder::Date(units))
    }
}

fn of_tree(written: Vec<&Table>) -> Result<Builder, Refusal> {
    let mut chains: Vec<Vec<String>> = Vec::new();
    let mut listed: Vec<Vec<String>> = Vec::new();
    for (number, level) in written.into_iter().enumerate() {
        let mut parents: Vec<(String, String)> = Vec::new();
        for (parent, children) in &level.0 {
            let children = children.list()?;
            if children.is_empty() {
                return refuse(format!("{parent:?} has no children"));
            }
            for child in children {
                let child = child.text()?;
                if parents.iter().any(|(other, _)| *other == child) {
                    return refuse(format!("{child:?} twice"));
                }
                parents.push((child, parent.clone()));
            }
        }
        listed.truncate(number);
        listed.push(parents.iter().map(|(child, _)| child.clone()).collect());
        listed.push(level.0.iter().map(|(parent, _)| parent.clone()).collect());
        if number == 0 {
            chains = parents.into_iter().map(|(child, parent)| vec![child, parent]).collect();
            continue;
        }
        if let Some((child, _)) =
            parents.iter().find(|(child, _)| chains.iter().all(|chain| chain[number] != *child))
        {
            return refuse(format!("{child:?} is no label of the level below"));
        }
        for chain in &mut chains {
            match parents.iter().find(|(child, _)| *child == chain[number]) {
                Some((_, parent)) => chain.push(parent.clone()),
                None => return refuse(format!("{:?} has no parent", chain[number])),
            }
        }
    }
    if chains.is_empty() {
        return refuse("an empty tree");
    }
    // Sorts the leaves in the order of a walk from the top. Each level keeps the order of the file.
    chains.sort_by_key(|chain| {
        let steps = chain.iter().zip(&listed);
        let walk = steps.map(|(label, listed)| listed.iter().position(|other| other == label));
        walk.rev().collect::<Vec<Option<usize>>>()
    });
    of_chains(chains).map(Builder::Tree)
}

impl Builder {
    /// The last level.
    pub(crate) fn top(&self) -> usize {
        match self {
            Self::Csv(chains) | Self::Tree(chains) => chains[0].len() - 1,
            Self::Widths { widths, .. } => widths.len() + 1,
            Self::Cuts { levels, .. } => levels.len() + 1,
            Self::Mask { length, fives: true, .. } => 2 * length,
            Self::Mask { length, .. } => *length,
            Self::Date(units) => units.len() + 1,
            Self::Flat => 1,
        }
    }

    /// Reads a text of one level and writes it on the same or a coarser level; `None` if the text
    /// is not of that level.
    pub(crate) fn raise(&self, text: &str, from: usize, to: usize) -> Option<String> {
        if let Self::Csv(chains) | Self::Tree(chains) = self {
            return chains.iter().find(|chain| chain[from] == text).map(|chain| chain[to].clone());
        }
        if from == self.top() {
            return (text == EVERYBODY).then(|| text.to_owned());
        }
        if let Self::Mask { length, from_left, character, fives } = self {
            let of_level = |level: usize| if *fives { (level / 2, level % 2 == 1) } else { (level, false) };
            // Each character is one text, and so is a group of five, which has one place; the first to be hidden
            // comes first.
            let (hidden, is_group) = of_level(from);
            let mut pieces: Vec<String> = text.chars().map(String::from).collect();
            if is_group && pieces.len() == length + 4 {
                let place = if *from_left { hidden } else { length - 1 - hidden };
                let group = pieces.drain(place..place + 5).collect::<String>();
                if !GROUPS.iter().any(|(first, last)| group == format!("[{first}-{last}]")) {
                    return None;
                }
                pieces.insert(place, group);
            }
            if !from_left {
                pieces.reverse();
            }
            let at = |level: usize| {
                let (hidden, is_group) = of_level(level);
                let write = |(nth, piece): (usize, &String)| match nth.cmp(&hidden) {
                    std::cmp::Ordering::Less => character.to_string(),
                    std::cmp::Ordering::Equal if is_group => grouped(piece),
                    _ => piece.clone(),
                };
                pieces.iter().enumerate().map(write).collect::<Vec<String>>()
            };
            if pieces.len() != *length || at(from) != pieces {
                return None;
            }
            let mut written = at(to);
            if !from_left {
                written.reverse();
            }
            return Some(if to == self.top() { EVERYBODY.to_owned() } else { written.concat() });
        }
        if let Self::Flat = self {
            return Some(if to == 0 { text.to_owned() } else { EVERYBODY.to_owned() });
        }
        if let Self::Date(units) = self {
            let unit = |level: usize| if level == 0 { Unit::Day } else { units[level - 1] };
            let day = unit(from).read(text)?;
            return Some(if to == self.top() { EVERYBODY.to_owned() } else { unit(to).write(day) });
        }
        let number = self.number_of(text, from)?;
        Some(if to == from { text.to_owned() } else { self.band_of(&number, to) })
    }

    /// The same hierarchy, with bands in the form that these texts of the base level require.
    pub(crate) fn settled(mut self, base: usize, public: &[&String]) -> Self {
        self.set_open(base, public);
        for form in [Form::Integers, Form::Open] {
            match &mut self {
                Self::Widths { form: set_form, .. } | Self::Cuts { form: set_form, .. } => *set_form = form,
                _ => return self,
            }
            if form == Form::Open || self.reads_integers(base, public) {
                break;
            }
        }
        self
    }

    /// Takes the open bands from P's texts: the widest one on each side. If P has labels, cuts have their own open
    /// bands.
    fn set_open(&mut self, base: usize, public: &[&String]) {
        let are_widths = matches!(self, Self::Widths { .. });
        if let Self::Widths { open, .. } | Self::Cuts { open, .. } = self {
            open.base = base;
            if base == 0 || are_widths {
                open.first = public.iter().filter_map(|text| Open::bound(text, "<")).max();
                open.last = public.iter().filter_map(|text| Open::bound(text, ">=")).min();
            }
        }
    }

    /// Whether no band ends inside an open band of P, and no band is open on both sides.
    pub(super) fn fits_open_bands(&self) -> bool {
        match self {
            Self::Widths { origin, widths, open, .. } => widths.iter().all(|width| {
                let (end, start) = open_ends(open, origin, width);
                end.zip(start).is_none_or(|(end, start)| end <= start)
            }),
            Self::Cuts { levels, open, .. } => levels.iter().all(|(cuts, _)| {
                let is_right = |cut: &Number| {
                    open.first.as_ref().is_none_or(|first| cut >= first)
                        && open.last.as_ref().is_none_or(|last| cut <= last)
                };
                cuts.iter().all(is_right)
            }),
            _ => true,
        }
    }

    /// Whether bands are written as `10-19`. Every width, origin and cut is a whole number, and
    /// cuts are at least 0. On level 0, every value of P is a whole number, and no band begins
    /// below 0. On a level of bands, P's texts have this form.
    fn reads_integers(&self, base: usize, public: &[&String]) -> bool {
        let is_from_zero = |number: &Number| number.is_integer() && !number.is_negative();
        let bounds_are_integers = match self {
            Self::Widths { origin, widths, .. } => {
                origin.is_integer() && widths.iter().all(Number::is_integer)
            }
            Self::Cuts { levels, .. } => levels.iter().all(|(cuts, _)| cuts.iter().all(is_from_zero)),
            _ => false,
        };
        let number_of = |text: &&String| {
            let bounds = || ["<", ">="].into_iter().find_map(|mark| Open::bound(text, mark));
            if base == 0 { Number::read(text).or_else(bounds) } else { self.number_of(text, base) }
        };
        let reads = |text: &&String| match number_of(text) {
            Some(number) if base == 0 => is_from_zero(&number) && !self.has_band_below_zero(&number),
            number => number.is_some(),
        };
        bounds_are_integers && (base == self.top() || public.iter().all(reads))
    }

    /// Whether a number is in a band that begins below 0.
    fn has_band_below_zero(&self, number: &Number) -> bool {
        let Self::Widths { origin, widths, .. } = self else { return false };
        let mut begins = widths.iter().map(|width| number.minus(origin).floor_to(width).plus(origin));
        begins.any(|begin| begin.is_negative())
    }

    /// The number that orders the texts of a level of an interval hierarchy: a number in the band,
    /// or the number itself. For bands of widths it is the least.
    pub(super) fn number_of(&self, text: &str, level: usize) -> Option<Number> {
        let below = |bound: Number| bound.minus(&Number::from_integer(1));
        if let (0, Self::Widths { open, .. } | Self::Cuts { open, .. }) = (level, self) {
            return match (Open::bound(text, "<"), Open::bound(text, ">=")) {
                (Some(first), _) => (Some(&first) == open.first.as_ref()).then(|| below(first)),
                (_, Some(last)) => (Some(&last) == open.last.as_ref()).then_some(last),
                // Beside an open band, no number inside it is a value of P's level.
                _ => Number::read(text).filter(|number| open.base > 0 || !open.is_inside(number)),
            };
        }
        let candidates: Vec<Number> = match self {
            // If a dash or a comma may end the lower bound, each is tried.
            Self::Widths { .. } => {
                let inner = text.strip_prefix('[').unwrap_or(text);
                let ends = inner.char_indices().filter(|(_, character)| ['-', ','].contains(character));
                let ends = ends.map(|(at, _)| at).chain([inner.len()]);
                let open = [Open::bound(text, "<").map(below), Open::bound(text, ">=")];
                ends.filter_map(|end| Number::read(&inner[..end])).chain(open.into_iter().flatten()).collect()
            }
            Self::Cuts { levels, .. } => {
                let cuts = &levels[level - 1].0;
                [cuts[0].minus(&Number::from_integer(1))].into_iter().chain(cuts.iter().cloned()).collect()
            }
            _ => Vec::new(),
        };
        candidates.into_iter().find(|number| self.band_of(number, level) == text)
    }

    /// The text of a number on a level of bands.
    fn band_of(&self, number: &Number, level: usize) -> String {
        if level == self.top() {
            return EVERYBODY.to_owned();
        }
        match self {
            Self::Widths { origin, widths, form, open } => {
                let width = &widths[level - 1];
                let low = number.minus(origin).floor_to(width).plus(origin);
                match open_ends(open, origin, width) {
                    (Some(end), _) if *number < end => format!("<{end}"),
                    (_, Some(start)) if *number >= start => format!(">={start}"),
                    _ => band(&low, &low.plus(width), *form),
                }
            }
            Self::Cuts { levels, form, .. } => {
                let (cuts, labels) = &levels[level - 1];
                let index = cuts.iter().filter(|cut| *cut <= number).count();
                if let Some(labels) = labels {
                    return labels[index].clone();
                }
                if index == 0 {
                    format!("<{}", cuts[0])
                } else if index == cuts.len() {
                    format!(">={}", cuts[index - 1])
                } else {
                    band(&cuts[index - 1], &cuts[index], *form)
                }
            }
            _ => String::new(),
        }
    }
}

/// The end of the first band and the start of the last one, if they are open: the bands around P's open bands.
fn open_ends(open: &Open, origin: &Number, width: &Number) -> (Option<Number>, Option<Number>) {
    let start = |number: &Number| number.minus(origin).floor_to(width).plus(origin);
    let end = |first: &Number| {
        let start = start(first);
        if start == *first { start } else { start.plus(width) }
    };
    (open.first.as_ref().map(end), open.last.as_ref().map(start))
}

/// A half-open band. If all numbers are whole and from 0, it is written by its first and its last
/// number.
fn band(low: &Number, high: &Number, form: Form) -> String {
    let last = high.minus(&Number::from_integer(1));
    match form {
        Form::Open => format!("[{low}, {high})"),
        Form::Integers if *low == last => low.to_string(),
        Form::Integers => format!("{low}-{last}"),
    }
}

/// The groups of a mask with fives.
const GROUPS: [(char, char); 12] = [
    ('0', '4'),
    ('5', '9'),
    ('A', 'E'),
    ('F', 'J'),
    ('K', 'O'),
    ('P', 'T'),
    ('U', 'Z'),
    ('a', 'e'),
    ('f', 'j'),
    ('k', 'o'),
    ('p', 't'),
    ('u', 'z'),
];

fn grouped(piece: &str) -> String {
    let mut characters = piece.chars();
    let (Some(only), None) = (characters.next(), characters.next()) else { return piece.to_owned() };
    let around = GROUPS.iter().find(|(first, last)| (*first..=*last).contains(&only));
    around.map_or_else(|| piece.to_owned(), |(first, last)| format!("[{first}-{last}]"))
}
