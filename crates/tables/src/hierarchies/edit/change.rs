//! What can be done to a hierarchy.

use std::collections::BTreeSet;
use std::fmt;

use super::{EditError, Editable, Label};
use crate::hierarchies::span::{Point, Span};
use palmtop_core::model::Level;
use palmtop_core::model::hierarchy::reads_as_side;

/// Something that is done to a hierarchy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Puts some labels of a level together under a new name one level up; where that is the top, a level is put in between.
    Group {
        /// The labels' level.
        level: Level,
        /// The labels.
        labels: Vec<String>,
        /// The new name.
        name: String,
    },
    /// Lets each label that lies in one stand for itself at its level.
    Split {
        /// The label's level.
        level: Level,
        /// The label.
        label: String,
    },
    /// Gives a label another name.
    Rename {
        /// The label's level.
        level: Level,
        /// The label.
        label: String,
        /// The new name.
        name: String,
    },
    /// Puts some labels of a level into another label one level up.
    Move {
        /// The labels' level.
        level: Level,
        /// The labels.
        labels: Vec<String>,
        /// The label one level up.
        into: String,
    },
    /// Puts a level above another one; its labels are the same until they are grouped.
    Insert {
        /// The level below the new one.
        above: Level,
    },
    /// Takes a level out.
    Remove {
        /// The level.
        level: Level,
    },
    /// Makes the labels of a level bands between borders, each of which begins a band.
    Borders {
        /// The level.
        level: Level,
        /// The borders, ascending.
        borders: Vec<Point>,
        /// Whether the levels below and above follow where borders do not fit.
        follow: bool,
    },
    /// Gives a value a place that has none.
    Place {
        /// The value.
        value: String,
        /// The label that it lies in: one level above that of the public table, or of that level for a finer value of T.
        under: String,
        /// Whether it is a finer value of T.
        is_finer: bool,
    },
}

/// A hierarchy after a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edited {
    /// The hierarchy.
    pub hierarchy: Editable,
    /// What else had to change, a sentence each.
    pub followed: Vec<String>,
}

impl fmt::Display for Change {
    /// In a few words, as for a history: `USA, Canada grouped as N. America`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Group { labels, name, .. } => write!(f, "{} grouped as {name}", listed(labels)),
            Self::Split { label, .. } => write!(f, "{label} split"),
            Self::Rename { label, name, .. } => write!(f, "{label} renamed {name}"),
            Self::Move { labels, into, .. } => write!(f, "{} moved into {into}", listed(labels)),
            Self::Insert { above } => write!(f, "a level put above level {above}"),
            Self::Remove { level } => write!(f, "level {level} taken out"),
            Self::Borders { level, borders, .. } => {
                let borders: Vec<String> = borders.iter().map(ToString::to_string).collect();
                write!(f, "level {level} with borders {}", borders.join(", "))
            }
            Self::Place { value, under, .. } => write!(f, "{value} put into {under}"),
        }
    }
}

/// The first of some labels, and how many more there are.
fn listed(labels: &[String]) -> String {
    const MOST: usize = 3;
    let shown = labels.iter().take(MOST).cloned().collect::<Vec<_>>().join(", ");
    match labels.len().saturating_sub(MOST) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

impl Editable {
    /// The hierarchy after a change.
    ///
    /// # Errors
    /// An [`EditError`] that says why it cannot be: what it would give does not nest, or has a text with two meanings.
    pub fn apply(&self, change: &Change) -> Result<Edited, EditError> {
        let mut next = self.clone();
        let followed = match change {
            Change::Group { level, labels, name } => next.group(*level, labels, name)?,
            Change::Split { level, label } => next.split(*level, label)?,
            Change::Rename { level, label, name } => next.rename(*level, label, name)?,
            Change::Move { level, labels, into } => next.move_into(*level, labels, into)?,
            Change::Insert { above } => {
                let tier = next.tier(*above)?;
                if tier == next.last() {
                    return Err(next.no_level(*above, "is the top, above which there is nothing"));
                }
                next.insert_above(tier);
                Vec::new()
            }
            Change::Remove { level } => {
                let tier = next.tier_between(*level)?;
                next.remove(tier);
                Vec::new()
            }
            Change::Borders { level, borders, follow } => next.set_borders(*level, borders, *follow)?,
            Change::Place { value, under, is_finer } => next.place(value, under, *is_finer)?,
        };
        next.settle();
        next.check()?;
        Ok(Edited { hierarchy: next, followed })
    }

    fn group(&mut self, level: Level, labels: &[String], name: &str) -> Result<Vec<String>, EditError> {
        let name = self.checked_name(name)?;
        let (tier, places) = self.find_all(self.common_level(level, labels), labels)?;
        let level = self.level(tier);
        let mut followed = Vec::new();
        if tier == self.last() {
            return Err(self.no_level(level, "is the top"));
        }
        if tier + 1 == self.last() {
            self.insert_above(tier);
            followed.push(format!("level {} is new", self.level(tier + 1)));
        }
        self.check_neighbours(tier, &places)?;
        let parents: BTreeSet<usize> = places.iter().map(|&place| self.tiers[tier][place].parent).collect();
        self.check_together(tier, &places)?;
        let is_left = |parent: usize| {
            let mut children = self.tiers[tier].iter().enumerate();
            children.any(|(place, child)| child.parent == parent && !places.contains(&place))
        };
        let taken = self.tiers[tier + 1].iter().position(|label| label.text == name);
        if taken.is_some_and(|taken| !parents.contains(&taken) || is_left(taken)) {
            return Err(EditError::Taken { level: self.level(tier + 1), label: name });
        }
        let span = self.span_of(tier, &places);
        let outer =
            places.first().map_or(0, |&place| self.tiers[tier + 1][self.tiers[tier][place].parent].parent);
        self.tiers[tier + 1].push(Label { text: name, parent: outer, span });
        let new = self.tiers[tier + 1].len() - 1;
        for place in places {
            self.tiers[tier][place].parent = new;
        }
        self.repair(tier, parents)?;
        Ok(followed)
    }

    /// The lowest level at which a label stands for the same values under the same text: the level of a value that no group holds, or
    /// of the group itself. O(levels · labels).
    pub fn lowest_level(&self, level: Level, label: &str) -> Level {
        let Ok((mut tier, mut index)) = self.find(level, label) else { return level };
        while tier > 0 {
            let mut parts = self.tiers[tier - 1].iter().enumerate().filter(|(_, part)| part.parent == index);
            match (parts.next(), parts.next()) {
                (Some((part, found)), None) if found.text == label => index = part,
                _ => break,
            }
            tier -= 1;
        }
        self.level(tier)
    }

    /// The level at which labels are changed together: as low as all of them are still the same labels.
    fn common_level(&self, level: Level, labels: &[String]) -> Level {
        labels.iter().map(|label| self.lowest_level(level, label)).max().unwrap_or(level)
    }

    /// One level up, or the top.
    fn level_above(&self, level: Level) -> Level {
        self.tier(level).map_or(level, |tier| self.level((tier + 1).min(self.last())))
    }

    fn split(&mut self, level: Level, label: &str) -> Result<Vec<String>, EditError> {
        let (tier, place) = self.find(level, label)?;
        if tier == 0 {
            return Err(EditError::Value { label: label.to_owned() });
        }
        if tier == self.last() {
            return Err(self.no_level(level, "is the top, which is one label for everybody"));
        }
        let parts: Vec<usize> = (0..self.tiers[tier - 1].len())
            .filter(|&part| self.tiers[tier - 1][part].parent == place)
            .collect();
        if let [part] = parts.as_slice() {
            let part = self.tiers[tier - 1][*part].text.clone();
            return Err(EditError::OnePart { label: label.to_owned(), part });
        }
        let parent = self.tiers[tier][place].parent;
        for part in parts {
            let Label { text, span, .. } = self.tiers[tier - 1][part].clone();
            self.tiers[tier].push(Label { text, parent, span });
            self.tiers[tier - 1][part].parent = self.tiers[tier].len() - 1;
        }
        Ok(Vec::new())
    }

    fn rename(&mut self, level: Level, label: &str, name: &str) -> Result<Vec<String>, EditError> {
        let name = self.checked_name(name)?;
        let (tier, place) = self.find(level, label)?;
        if tier == 0 {
            return Err(EditError::Value { label: label.to_owned() });
        }
        if tier == self.last() {
            return Err(self.no_level(level, "is the top, which keeps its name"));
        }
        self.tiers[tier][place].text = name;
        Ok(Vec::new())
    }

    fn move_into(&mut self, level: Level, labels: &[String], into: &str) -> Result<Vec<String>, EditError> {
        let lowest = self.common_level(level, labels);
        let level = if self.find(self.level_above(lowest), into).is_ok() { lowest } else { level };
        let (tier, places) = self.find_all(level, labels)?;
        if tier == self.last() {
            return Err(self.no_level(level, "is the top"));
        }
        let (_, target) = self.find(self.level(tier + 1), into)?;
        // The labels above those that are moved, and above where they go, level by level.
        let mut touched: BTreeSet<usize> =
            places.iter().map(|&place| self.tiers[tier][place].parent).collect();
        touched.insert(target);
        let mut names: Vec<Vec<String>> = Vec::new();
        for above in tier + 1..self.last() {
            names.push(touched.iter().map(|&label| self.tiers[above][label].text.clone()).collect());
            touched = touched.iter().map(|&label| self.tiers[above][label].parent).collect();
        }
        for place in places {
            self.tiers[tier][place].parent = target;
        }
        if !self.is_banded {
            return Ok(Vec::new());
        }
        // Bands change with what lies in them: each stays without holes, or nothing is moved.
        self.settle();
        if !self.has_runs() {
            let first = labels.first().cloned().unwrap_or_default();
            return Err(EditError::NotNeighbours { first, second: into.to_owned() });
        }
        for (above, names) in (tier + 1..).zip(names) {
            for name in names {
                if let Some(label) = self.tiers[above].iter().position(|label| label.text == name) {
                    self.name_anew(above, label);
                }
            }
        }
        Ok(Vec::new())
    }

    /// Puts a level above one; its labels are the same.
    pub(super) fn insert_above(&mut self, tier: usize) {
        let new = self.tiers[tier].clone();
        for (place, label) in self.tiers[tier].iter_mut().enumerate() {
            label.parent = place;
        }
        self.tiers.insert(tier + 1, new);
        self.origins.insert(tier + 1, None);
    }

    pub(super) fn remove(&mut self, tier: usize) {
        let gone = self.tiers.remove(tier);
        self.origins.remove(tier);
        for label in &mut self.tiers[tier - 1] {
            label.parent = gone[label.parent].parent;
        }
    }

    /// Makes what is left of labels that have lost some of theirs bands again: the parts on either side of what was taken
    /// out of the middle become bands of their own.
    fn repair(&mut self, tier: usize, parents: BTreeSet<usize>) -> Result<(), EditError> {
        if !self.is_banded {
            return Ok(());
        }
        for parent in parents {
            let left: Vec<usize> = (0..self.tiers[tier].len())
                .filter(|&place| self.tiers[tier][place].parent == parent)
                .collect();
            let holes = left.windows(2).position(|pair| pair[0] + 1 != pair[1]);
            if let Some(hole) = holes {
                let Label { parent: outer, span, text } = self.tiers[tier + 1][parent].clone();
                self.tiers[tier + 1].push(Label { text, parent: outer, span });
                let new = self.tiers[tier + 1].len() - 1;
                for &place in &left[hole + 1..] {
                    self.tiers[tier][place].parent = new;
                }
                self.check_run(tier + 1, new)?;
                self.name_always(tier + 1, new);
                self.name_always(tier + 1, parent);
            } else if !left.is_empty() {
                self.name_anew(tier + 1, parent);
            }
        }
        Ok(())
    }

    /// Gives a band that holds something else now the span that it has, and a name for it where the old one had numbers.
    pub(super) fn name_anew(&mut self, tier: usize, label: usize) {
        let old = self.tiers[tier][label].clone();
        let Some(span) = self.extent(tier, label).filter(|span| Some(*span) != old.span) else { return };
        self.tiers[tier][label].span = Some(span);
        let was = old.span.map(|span| span.label(self.is_whole));
        if was.as_ref() == Some(&old.text) || old.text.contains(|character: char| character.is_ascii_digit())
        {
            self.tiers[tier][label].text = span.label(self.is_whole);
        }
    }

    pub(super) fn name_always(&mut self, tier: usize, label: usize) {
        let span = self.extent(tier, label);
        self.tiers[tier][label].span = span;
        self.tiers[tier][label].text = span.map(|span| span.label(self.is_whole)).unwrap_or_default();
    }

    /// The labels of a level in the order of their first leaves, without those in which nothing lies any more.
    pub(super) fn settle(&mut self) {
        for tier in 1..self.tiers.len() {
            let (below, above) = self.tiers.split_at_mut(tier);
            let (Some(below), Some(own)) = (below.last_mut(), above.first_mut()) else { continue };
            let mut places: Vec<Option<usize>> = vec![None; own.len()];
            let mut kept = Vec::new();
            for label in below {
                let old = label.parent;
                label.parent = *places[old].get_or_insert_with(|| {
                    kept.push(own[old].clone());
                    kept.len() - 1
                });
            }
            *own = kept;
        }
    }

    /// The places of some labels of a level, ascending.
    fn find_all(&self, level: Level, labels: &[String]) -> Result<(usize, BTreeSet<usize>), EditError> {
        let tier = self.tier(level)?;
        let places = labels.iter().map(|label| Ok(self.find(level, label)?.1));
        let places: BTreeSet<usize> = places.collect::<Result<_, EditError>>()?;
        if places.is_empty() { Err(EditError::NothingMarked) } else { Ok((tier, places)) }
    }

    /// The place of a level that is neither the finest nor the top.
    fn tier_between(&self, level: Level) -> Result<usize, EditError> {
        match self.tier(level)? {
            0 => Err(self.no_level(level, "is that of the values")),
            tier if tier == self.last() => Err(self.no_level(level, "is the top")),
            tier => Ok(tier),
        }
    }

    fn span_of(&self, tier: usize, places: &BTreeSet<usize>) -> Option<Span> {
        let span = |place: Option<&usize>| self.tiers[tier][*place?].span;
        Some(span(places.first())?.to(span(places.last())?)).filter(|_| self.is_banded)
    }

    /// Labels that are to be one lie in one label two levels up.
    fn check_together(&self, tier: usize, places: &BTreeSet<usize>) -> Result<(), EditError> {
        let outer = |place: usize| self.tiers[tier + 1][self.tiers[tier][place].parent].parent;
        let Some(&first) = places.first() else { return Ok(()) };
        let Some(&other) = places.iter().find(|&&place| outer(place) != outer(first)) else { return Ok(()) };
        let text = |place: usize| self.tiers[tier][place].text.clone();
        let name = |place: usize| self.tiers[tier + 2][outer(place)].text.clone();
        Err(EditError::Apart {
            first: text(first),
            second: text(other),
            level: self.level(tier + 2),
            outer: Box::new((name(first), name(other))),
        })
    }

    /// Bands that are to be one are neighbours.
    fn check_neighbours(&self, tier: usize, places: &BTreeSet<usize>) -> Result<(), EditError> {
        let places: Vec<usize> = places.iter().copied().collect();
        match places.windows(2).find(|pair| pair[0] + 1 != pair[1]).filter(|_| self.is_banded) {
            None => Ok(()),
            Some(pair) => Err(EditError::NotNeighbours {
                first: self.tiers[tier][pair[0]].text.clone(),
                second: self.tiers[tier][pair[1]].text.clone(),
            }),
        }
    }

    /// What lies in a band is without holes.
    fn check_run(&self, tier: usize, label: usize) -> Result<(), EditError> {
        let within =
            (0..self.tiers[tier - 1].len()).filter(|&place| self.tiers[tier - 1][place].parent == label);
        self.check_neighbours(tier - 1, &within.collect())
    }

    /// A text that can be a label: neither nothing, nor a range or a set, nor what no value is called.
    fn checked_name(&self, name: &str) -> Result<String, EditError> {
        let name = name.trim();
        let why = match reads_as_side(name) {
            _ if name.is_empty() => Some("it is nothing"),
            _ if name.contains(char::is_control) => Some("it has characters that cannot be shown"),
            Some("set") => Some("in a release it reads as a set"),
            Some(_) => Some("in a release it reads as a range"),
            None => None,
        };
        match why {
            Some(why) => Err(EditError::NoName { name: name.to_owned(), why }),
            None if self.missing.as_deref() == Some(name) => {
                Err(EditError::Missing { label: name.to_owned() })
            }
            None => Ok(name.to_owned()),
        }
    }
}
