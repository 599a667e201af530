//! The changes of a hierarchy.

use std::collections::BTreeSet;
use std::fmt;

use super::{EditError, Editable, Label};
use crate::hierarchies::span::{Point, Span};
use palmtop_core::model::Level;
use palmtop_core::model::hierarchy::reads_as_side;

/// One change of a hierarchy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Groups some labels of a level under a new name one level up; if that is the top, a level is
    /// inserted between.
    Group {
        /// The labels' level.
        level: Level,
        /// The labels.
        labels: Vec<String>,
        /// The new name.
        name: String,
    },
    /// Splits a label into the labels below it, at its own level.
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
    /// Moves some labels of a level into another label one level up.
    Move {
        /// The labels' level.
        level: Level,
        /// The labels.
        labels: Vec<String>,
        /// The label one level up.
        into: String,
    },
    /// Inserts a level above another one, with the same labels until they are grouped.
    Insert {
        /// The level below the new one.
        above: Level,
    },
    /// Removes a level.
    Remove {
        /// The level.
        level: Level,
    },
    /// Sets the labels of a level to bands; each border begins a band.
    Borders {
        /// The level.
        level: Level,
        /// The borders, ascending.
        borders: Vec<Point>,
        /// Whether other levels may change if the borders do not fit.
        follow: bool,
    },
    /// Adds a value that the hierarchy lacks.
    Place {
        /// The value.
        value: String,
        /// The label above the value: one level above the public table's, or of that level for a
        /// finer value of T.
        under: String,
        /// Whether it is a finer value of T.
        is_finer: bool,
    },
}

/// The result of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edited {
    /// The hierarchy.
    pub hierarchy: Editable,
    /// The other changes that were necessary, one sentence each.
    pub followed: Vec<String>,
}

impl fmt::Display for Change {
    /// A few words for a history: `USA, Canada grouped as N. America`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Group { labels, name, .. } => write!(f, "{} grouped as {name}", listed(labels)),
            Self::Split { label, .. } => write!(f, "{label} split"),
            Self::Rename { label, name, .. } => write!(f, "{label} renamed {name}"),
            Self::Move { labels, into, .. } => write!(f, "{} moved into {into}", listed(labels)),
            Self::Insert { above } => write!(f, "a level inserted above level {above}"),
            Self::Remove { level } => write!(f, "level {level} removed"),
            Self::Borders { level, borders, .. } => {
                let borders: Vec<String> = borders.iter().map(ToString::to_string).collect();
                write!(f, "level {level} with borders {}", borders.join(", "))
            }
            Self::Place { value, under, .. } => write!(f, "{value} put into {under}"),
        }
    }
}

/// The first labels, and the number of further ones; at most three labels of together [`LISTED`]
/// characters, so that the name of the group is on the same line of a narrow terminal.
fn listed(labels: &[String]) -> String {
    const MOST: usize = 3;
    let mut characters = 0;
    let fitting = labels.iter().take(MOST).take_while(|label| {
        characters += label.chars().count();
        characters <= LISTED
    });
    match (fitting.count(), labels) {
        (_, [only]) => only.clone(),
        (0, _) => format!("{} labels", labels.len()),
        (shown, _) => {
            let names = labels[..shown].join(", ");
            match labels.len() - shown {
                0 => names,
                more => format!("{names} and {more} more"),
            }
        }
    }
}

/// The most characters of listed labels.
const LISTED: usize = 24;

impl Editable {
    /// Applies a change and returns the new hierarchy.
    ///
    /// # Errors
    /// An [`EditError`] with the reason: the result would not nest, or a text would have two
    /// meanings.
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
                    return Err(next.no_level(*above, "is the top, and cannot have a level above it"));
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
        let (tier, indices) = self.find_all(self.common_level(level, labels), labels)?;
        let level = self.level(tier);
        let mut followed = Vec::new();
        if tier == self.last() {
            return Err(self.no_level(level, "is the top"));
        }
        if tier + 1 == self.last() {
            self.insert_above(tier);
            followed.push(format!("level {} is new", self.level(tier + 1)));
        }
        self.check_neighbours(tier, &indices)?;
        let parents: BTreeSet<usize> = indices.iter().map(|&index| self.tiers[tier][index].parent).collect();
        self.check_together(tier, &indices)?;
        let is_left = |parent: usize| {
            let mut children = self.tiers[tier].iter().enumerate();
            children.any(|(index, child)| child.parent == parent && !indices.contains(&index))
        };
        let taken = self.tiers[tier + 1].iter().position(|label| label.text == name);
        if taken.is_some_and(|taken| !parents.contains(&taken) || is_left(taken)) {
            return Err(EditError::taken(self.level(tier + 1), &name));
        }
        let span = self.span_of(tier, &indices);
        let outer =
            indices.first().map_or(0, |&index| self.tiers[tier + 1][self.tiers[tier][index].parent].parent);
        self.tiers[tier + 1].push(Label { text: name, parent: outer, span });
        let new = self.tiers[tier + 1].len() - 1;
        for index in indices {
            self.tiers[tier][index].parent = new;
        }
        self.repair(tier, parents)?;
        Ok(followed)
    }

    /// The lowest level at which a label has the same text and the same values: the level of a
    /// value that no group has, or of the group. O(levels · labels).
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

    /// The level at which labels are changed together: the lowest one at which all of them are the
    /// same labels.
    fn common_level(&self, level: Level, labels: &[String]) -> Level {
        labels.iter().map(|label| self.lowest_level(level, label)).max().unwrap_or(level)
    }

    /// One level up, or the top.
    fn level_above(&self, level: Level) -> Level {
        self.tier(level).map_or(level, |tier| self.level((tier + 1).min(self.last())))
    }

    fn split(&mut self, level: Level, label: &str) -> Result<Vec<String>, EditError> {
        let (tier, index) = self.find(level, label)?;
        if tier == 0 {
            return Err(EditError::value(label));
        }
        if tier == self.last() {
            return Err(self.no_level(level, "is the top, whose one label cannot be split"));
        }
        let parts: Vec<usize> = (0..self.tiers[tier - 1].len())
            .filter(|&part| self.tiers[tier - 1][part].parent == index)
            .collect();
        if let [part] = parts.as_slice() {
            let part = &self.tiers[tier - 1][*part].text;
            return Err(EditError(format!("`{label}` has only one part, `{part}`, and cannot be split")));
        }
        let parent = self.tiers[tier][index].parent;
        for part in parts {
            let Label { text, span, .. } = self.tiers[tier - 1][part].clone();
            self.tiers[tier].push(Label { text, parent, span });
            self.tiers[tier - 1][part].parent = self.tiers[tier].len() - 1;
        }
        Ok(Vec::new())
    }

    fn rename(&mut self, level: Level, label: &str, name: &str) -> Result<Vec<String>, EditError> {
        let name = self.checked_name(name)?;
        let (tier, index) = self.find(level, label)?;
        if tier == 0 {
            return Err(EditError::value(label));
        }
        if tier == self.last() {
            return Err(self.no_level(level, "is the top, which keeps its name"));
        }
        self.tiers[tier][index].text = name;
        Ok(Vec::new())
    }

    fn move_into(&mut self, level: Level, labels: &[String], into: &str) -> Result<Vec<String>, EditError> {
        let lowest = self.common_level(level, labels);
        let level = if self.find(self.level_above(lowest), into).is_ok() { lowest } else { level };
        let (tier, indices) = self.find_all(level, labels)?;
        if tier == self.last() {
            return Err(self.no_level(level, "is the top"));
        }
        let (_, target) = self.find(self.level(tier + 1), into)?;
        // The labels above the moved ones and above their target, level by level.
        let mut touched: BTreeSet<usize> =
            indices.iter().map(|&index| self.tiers[tier][index].parent).collect();
        touched.insert(target);
        let mut names: Vec<Vec<String>> = Vec::new();
        for above in tier + 1..self.last() {
            names.push(touched.iter().map(|&label| self.tiers[above][label].text.clone()).collect());
            touched = touched.iter().map(|&label| self.tiers[above][label].parent).collect();
        }
        for index in indices {
            self.tiers[tier][index].parent = target;
        }
        if !self.is_banded {
            return Ok(Vec::new());
        }
        // The content of bands changes: if a band would have a gap, nothing is moved.
        self.settle();
        if !self.has_runs() {
            return Err(EditError::not_neighbours(labels.first().map_or("", String::as_str), into));
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

    /// Inserts a level above another one, with the same labels.
    pub(super) fn insert_above(&mut self, tier: usize) {
        let new = self.tiers[tier].clone();
        for (index, label) in self.tiers[tier].iter_mut().enumerate() {
            label.parent = index;
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

    /// Restores bands after labels lost some parts: the parts on both sides of a gap become
    /// separate bands.
    fn repair(&mut self, tier: usize, parents: BTreeSet<usize>) -> Result<(), EditError> {
        if !self.is_banded {
            return Ok(());
        }
        for parent in parents {
            let left: Vec<usize> = (0..self.tiers[tier].len())
                .filter(|&index| self.tiers[tier][index].parent == parent)
                .collect();
            let holes = left.windows(2).position(|pair| pair[0] + 1 != pair[1]);
            if let Some(hole) = holes {
                let Label { parent: outer, span, text } = self.tiers[tier + 1][parent].clone();
                self.tiers[tier + 1].push(Label { text, parent: outer, span });
                let new = self.tiers[tier + 1].len() - 1;
                for &index in &left[hole + 1..] {
                    self.tiers[tier][index].parent = new;
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

    /// Updates the span of a band whose content changed, and its name if the old one had numbers.
    pub(super) fn name_anew(&mut self, tier: usize, label: usize) {
        let old = self.tiers[tier][label].clone();
        let Some(span) = self.extent(tier, label).filter(|span| Some(*span) != old.span) else { return };
        self.tiers[tier][label].span = Some(span);
        let was = old.span.map(|span| span.label(self.is_integer));
        if was.as_ref() == Some(&old.text) || old.text.contains(|character: char| character.is_ascii_digit())
        {
            self.tiers[tier][label].text = span.label(self.is_integer);
        }
    }

    pub(super) fn name_always(&mut self, tier: usize, label: usize) {
        let span = self.extent(tier, label);
        self.tiers[tier][label].span = span;
        self.tiers[tier][label].text = span.map(|span| span.label(self.is_integer)).unwrap_or_default();
    }

    /// Sorts the labels of a level by their first leaves, and removes empty ones.
    pub(super) fn settle(&mut self) {
        for tier in 1..self.tiers.len() {
            let (below, above) = self.tiers.split_at_mut(tier);
            let (Some(below), Some(names)) = (below.last_mut(), above.first_mut()) else { continue };
            let mut indices: Vec<Option<usize>> = vec![None; names.len()];
            let mut kept = Vec::new();
            for label in below {
                let old = label.parent;
                label.parent = *indices[old].get_or_insert_with(|| {
                    kept.push(names[old].clone());
                    kept.len() - 1
                });
            }
            *names = kept;
        }
    }

    /// The tier, and the ascending indexes of some labels of a level.
    fn find_all(&self, level: Level, labels: &[String]) -> Result<(usize, BTreeSet<usize>), EditError> {
        let tier = self.tier(level)?;
        let indices = labels.iter().map(|label| Ok(self.find(level, label)?.1));
        let indices: BTreeSet<usize> = indices.collect::<Result<_, EditError>>()?;
        if indices.is_empty() {
            return Err(EditError("no label is marked; mark the labels to group first".to_owned()));
        }
        Ok((tier, indices))
    }

    /// The tier of a level that is neither the finest nor the top.
    fn tier_between(&self, level: Level) -> Result<usize, EditError> {
        match self.tier(level)? {
            0 => Err(self.no_level(level, "is the level of the values")),
            tier if tier == self.last() => Err(self.no_level(level, "is the top")),
            tier => Ok(tier),
        }
    }

    fn span_of(&self, tier: usize, indices: &BTreeSet<usize>) -> Option<Span> {
        let span = |index: Option<&usize>| self.tiers[tier][*index?].span;
        Some(span(indices.first())?.to(span(indices.last())?)).filter(|_| self.is_banded)
    }

    /// Checks that labels to be joined have the same label two levels up.
    fn check_together(&self, tier: usize, indices: &BTreeSet<usize>) -> Result<(), EditError> {
        let outer = |index: usize| self.tiers[tier + 1][self.tiers[tier][index].parent].parent;
        let Some(&first) = indices.first() else { return Ok(()) };
        let Some(&other) = indices.iter().find(|&&index| outer(index) != outer(first)) else { return Ok(()) };
        let text = |index: usize| &self.tiers[tier][index].text;
        let name = |index: usize| &self.tiers[tier + 2][outer(index)].text;
        Err(EditError(format!(
            "`{}` and `{}` lie in different labels of level {}, `{}` and `{}`; group those first, or move one",
            text(first),
            text(other),
            self.level(tier + 2),
            name(first),
            name(other)
        )))
    }

    /// Checks that bands to be joined are neighbours.
    fn check_neighbours(&self, tier: usize, indices: &BTreeSet<usize>) -> Result<(), EditError> {
        let indices: Vec<usize> = indices.iter().copied().collect();
        match indices.windows(2).find(|pair| pair[0] + 1 != pair[1]).filter(|_| self.is_banded) {
            None => Ok(()),
            Some(pair) => {
                let [first, second] = [pair[0], pair[1]].map(|index| &self.tiers[tier][index].text);
                Err(EditError::not_neighbours(first, second))
            }
        }
    }

    /// Checks that the parts of a band have no gap.
    fn check_run(&self, tier: usize, label: usize) -> Result<(), EditError> {
        let within =
            (0..self.tiers[tier - 1].len()).filter(|&index| self.tiers[tier - 1][index].parent == label);
        self.check_neighbours(tier - 1, &within.collect())
    }

    /// Checks that a text can be a label: not empty, not a range or a set, not the label for
    /// missing values.
    fn checked_name(&self, name: &str) -> Result<String, EditError> {
        let name = name.trim();
        let why = match reads_as_side(name) {
            _ if name.is_empty() => Some("it is empty"),
            _ if name.contains(char::is_control) => Some("it has control characters"),
            Some("set") => Some("in a release it reads as a set"),
            Some(_) => Some("in a release it reads as a range"),
            None => None,
        };
        match why {
            Some(why) => Err(EditError(format!("`{name}` cannot be a label: {why}"))),
            None if self.missing.as_deref() == Some(name) => Err(EditError::missing(name)),
            None => Ok(name.to_owned()),
        }
    }
}
