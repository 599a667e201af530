//! Sets a level to bands between typed borders; lower and higher levels follow if they must.

use std::collections::BTreeSet;

use super::{EditError, Editable, Label};
use crate::hierarchies::span::{Point, Span};
use palmtop_core::model::{Kind, Level};

impl Editable {
    /// Borders as typed: `0, 18, 65`, or dates.
    ///
    /// # Errors
    /// [`EditError`] if the values have no order, or a border cannot be read.
    pub fn typed_borders(&self, typed: &str) -> Result<Vec<Point>, EditError> {
        let expected = match self.kind {
            Kind::Number => "number such as 18 or 0.5; separate borders with commas: 0, 18, 65",
            Kind::Date => "date such as 2024-01-31; separate dates with commas",
            Kind::Category => return Err(EditError::no_order()),
        };
        let texts = typed.split(',').map(str::trim).filter(|text| !text.is_empty());
        let borders = texts
            .map(|text| Point::parse(self.kind, text).ok_or_else(|| EditError::no_border(text, expected)));
        let borders: Vec<Point> = borders.collect::<Result<_, _>>()?;
        if borders.is_empty() {
            return Err(EditError::no_border("", expected));
        }
        Ok(borders)
    }

    pub(super) fn set_borders(
        &mut self,
        level: Level,
        borders: &[Point],
        follow: bool,
    ) -> Result<Vec<String>, EditError> {
        if !self.is_banded {
            return Err(EditError::no_order());
        }
        if let Some((before, after)) =
            borders.iter().zip(borders.iter().skip(1)).find(|(before, after)| before >= after)
        {
            return Err(EditError(format!("border {after} does not come after {before}")));
        }
        let tier = self.tier(level)?;
        let mut followed = Vec::new();
        if tier == 0 {
            return Err(self.no_level(level, "is the level of the values"));
        }
        if tier == self.last() {
            if tier > 1 {
                return Err(self.no_level(level, "is the top"));
            }
            // If there are only values and the top, the bands form a new level between them.
            self.insert_above(0);
            followed.push(format!("level {level} is new"));
        }
        let before: Vec<Vec<usize>> =
            (tier + 1..self.last()).map(|above| self.labels_of_leaves(above)).collect();
        for below in 0..tier {
            followed.extend(self.cut(below, borders, follow, level)?);
        }
        self.band(tier, borders);
        followed.extend(self.widen(tier, &before, follow)?);
        Ok(followed)
    }

    /// Cuts the bands of a lower level at borders inside them.
    fn cut(
        &mut self,
        tier: usize,
        borders: &[Point],
        follow: bool,
        level: Level,
    ) -> Result<Option<String>, EditError> {
        // A value of level 0 cannot be cut.
        if tier == 0 && self.base == Level(0) {
            return Ok(None);
        }
        let inside = |span: Option<Span>| {
            borders.iter().find(|border| span.is_some_and(|span| span.is_cut_by(border)))
        };
        let mut names = Vec::new();
        for index in 0..self.tiers[tier].len() {
            let Label { text, parent, span } = self.tiers[tier][index].clone();
            let Some(border) = inside(span) else { continue };
            if tier == 0 || !follow {
                let remedy = match tier {
                    0 => ", the level of the public table; put borders between its values".to_owned(),
                    _ => format!("; put borders of level {level} between its bands, or let it follow"),
                };
                let level = self.level(tier);
                return Err(EditError(format!("border {border} cuts `{text}` of level {level}{remedy}")));
            }
            names.push(text);
            let children: Vec<usize> = (0..self.tiers[tier - 1].len())
                .filter(|&child| self.tiers[tier - 1][child].parent == index)
                .collect();
            let bands: BTreeSet<usize> =
                children.iter().map(|&child| self.band_of(tier - 1, child, borders)).collect();
            for band in bands {
                let bounds = band_span(band, borders);
                let inner = span.unwrap_or_default();
                let span = Span { low: later(inner.low, bounds.low), high: earlier(inner.high, bounds.high) };
                self.tiers[tier].push(Label { text: span.label(self.is_integer), parent, span: Some(span) });
                let new = self.tiers[tier].len() - 1;
                for &child in &children {
                    if self.band_of(tier - 1, child, borders) == band {
                        self.tiers[tier - 1][child].parent = new;
                    }
                }
            }
        }
        self.settle();
        Ok((!names.is_empty())
            .then(|| format!("level {} follows: {} cut", self.level(tier), names.join(", "))))
    }

    /// The index of the band of a label that no border cuts: the number of borders before it.
    fn band_of(&self, tier: usize, label: usize, borders: &[Point]) -> usize {
        let low = self.tiers[tier][label].span.and_then(|span| span.low);
        low.map_or(0, |low| borders.partition_point(|border| *border <= low))
    }

    /// Makes the labels of a level the non-empty bands between borders.
    fn band(&mut self, tier: usize, borders: &[Point]) {
        let old = std::mem::take(&mut self.tiers[tier]);
        let mut known: Vec<Option<usize>> = vec![None; borders.len() + 1];
        for index in 0..self.tiers[tier - 1].len() {
            let band = self.band_of(tier - 1, index, borders);
            let parent = old[self.tiers[tier - 1][index].parent].parent;
            let (labels, is_integer) = (&mut self.tiers[tier], self.is_integer);
            let new = *known[band].get_or_insert_with(|| {
                let span = band_span(band, borders);
                // A band that existed before keeps its name.
                let same = old.iter().find(|label| label.span == Some(span));
                let text = same.map_or_else(|| span.label(is_integer), |label| label.text.clone());
                labels.push(Label { text, parent, span: Some(span) });
                labels.len() - 1
            });
            self.tiers[tier - 1][index].parent = new;
        }
    }

    /// Lets coarser levels keep those of their borders that the finer ones have; `before` has the
    /// earlier label of each leaf.
    fn widen(&mut self, tier: usize, before: &[Vec<usize>], follow: bool) -> Result<Vec<String>, EditError> {
        let mut followed = Vec::new();
        let mut above = tier + 1;
        for (nth, before) in before.iter().enumerate() {
            let level = self.level(tier + 1 + nth);
            let below = self.labels_of_leaves(above - 1);
            let old = std::mem::take(&mut self.tiers[above]);
            let mut lost = Vec::new();
            let mut united = BTreeSet::new();
            let mut new: Vec<Label> = Vec::new();
            let mut parents = vec![0; self.tiers[above - 1].len()];
            for leaf in 0..below.len() {
                let is_border = leaf == 0 || before[leaf] != before[leaf - 1];
                if is_border && (leaf == 0 || below[leaf] != below[leaf - 1]) {
                    new.push(old[before[leaf]].clone());
                } else if is_border {
                    lost.extend(old[before[leaf]].span.and_then(|span| span.low));
                    united.insert(new.len() - 1);
                }
                parents[below[leaf]] = new.len() - 1;
            }
            for (label, parent) in self.tiers[above - 1].iter_mut().zip(parents) {
                label.parent = parent;
            }
            self.tiers[above] = new;
            if let Some(border) = lost.first().filter(|_| !follow) {
                return Err(EditError(format!(
                    "level {level} has a border at {border}, which is not among these; add it, or let the level follow"
                )));
            }
            for label in 0..self.tiers[above].len() {
                if united.contains(&label) {
                    self.name_always(above, label);
                } else {
                    self.name_anew(above, label);
                }
            }
            if !lost.is_empty() {
                let lost: Vec<String> = lost.iter().map(ToString::to_string).collect();
                followed.push(format!("level {level} follows: no border at {}", lost.join(", ")));
            }
            if self.tiers[above].len() == 1 {
                self.remove(above);
                followed.push(format!("level {level} is removed: only one band would be left"));
            } else {
                above += 1;
            }
        }
        Ok(followed)
    }

    /// The index of each leaf's label at a level.
    pub(super) fn labels_of_leaves(&self, tier: usize) -> Vec<usize> {
        let mut indices: Vec<usize> = (0..self.tiers[0].len()).collect();
        for labels in &self.tiers[..tier] {
            for index in &mut indices {
                *index = labels[*index].parent;
            }
        }
        indices
    }
}

/// The range between the borders before and after a band; the first has no lower end, the last no
/// upper end.
fn band_span(band: usize, borders: &[Point]) -> Span {
    Span { low: band.checked_sub(1).map(|before| borders[before]), high: borders.get(band).copied() }
}

/// The later of two lower ends; `None` is before all points.
fn later(one: Option<Point>, other: Option<Point>) -> Option<Point> {
    one.max(other)
}

/// The earlier of two upper ends; `None` is after all points.
fn earlier(one: Option<Point>, other: Option<Point>) -> Option<Point> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}
