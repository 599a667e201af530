//! The histogram of presence: individuals in P by the presence of their class, counted exactly and drawn.

use super::sections::{PresenceBar, PresenceSection};
use crate::caution::{at_least, at_most};
use crate::pipeline::ReadRelease;
use crate::svg::{Column, Histogram, histogram};
use palmtop_core::model::{Counts, Delta, Presence};
use palmtop_core::words::count;
use palmtop_verify::Findings;

/// The number of bars above presence 0.
const BARS: u64 = 20;

/// The people and members of every class of a release. The people who match no row are one class.
pub(super) fn all_counts(read: &ReadRelease, findings: &Findings) -> impl Iterator<Item = Counts> {
    read.counts().into_iter().chain([Counts::new(findings.unmatched, findings.withdrawn)])
}

impl PresenceSection {
    /// Counts classes in bars, including classes without members. The scale ends at the first multiple of 1/20 that is not below
    /// δmax and the greatest presence. The bar of a class is computed in whole numbers.
    pub fn of(classes: impl IntoIterator<Item = Counts>, delta: Delta) -> Self {
        let classes: Vec<Counts> = classes.into_iter().filter(|counts| counts.public > 0).collect();
        let twentieths = |presence: Presence| part(presence, 20);
        let greatest = classes.iter().map(|counts| twentieths(counts.presence())).max().unwrap_or(0);
        let top = greatest.max(twentieths(delta.max())).clamp(1, 20);
        let edge = |bar: u64| share(bar * top, 20 * BARS);
        let empty = |from, to| PresenceBar { from, to, individuals: 0, members: 0, classes: 0 };
        let mut bars = vec![empty(0.0, 0.0)];
        bars.extend((0..BARS).map(|bar| empty(edge(bar), edge(bar + 1))));
        for counts in classes {
            let index = usize::try_from(bar_of(counts.presence(), top)).unwrap_or(0);
            if let Some(bar) = bars.get_mut(index) {
                bar.individuals += counts.public;
                bar.members += counts.private;
                bar.classes += 1;
            }
        }
        Self { bars }
    }

    /// The histogram as an SVG document with a title.
    pub fn svg(&self, title: &str, delta: Delta) -> String {
        let individuals: u64 = self.bars.iter().map(|bar| bar.individuals).sum();
        let zero = self.bars.first().map_or(0, |bar| bar.individuals);
        let most = self.bars.iter().rev().find(|bar| bar.classes > 0).map_or(0.0, |bar| bar.to);
        let column = |bar: &PresenceBar| Column { from: bar.from, to: bar.to, count: bar.individuals };
        let bound = |presence: Presence| (presence.to_f64(), at_most(presence));
        let chart = Histogram {
            title: title.to_owned(),
            description: format!(
                "Of {} individuals in P, {} are in classes with presence 0. No presence is above {most}; δ permits {} to {}.",
                count(individuals),
                count(zero),
                at_least(delta.min()),
                at_most(delta.max())
            ),
            columns: self.bars.iter().map(column).collect(),
            delta: [bound(delta.min()), bound(delta.max())],
        };
        histogram("presence", &chart)
    }
}

/// The index of a presence's bar if the scale ends at `top`/20. Bars end at multiples of `top`/20/[`BARS`]. Presence 0 has bar 0;
/// any other presence has the first bar whose end is not below it.
fn bar_of(presence: Presence, top: u64) -> u64 {
    let part = u128::from(presence.numerator()) * u128::from(20 * BARS);
    let total = u128::from(presence.denominator()) * u128::from(top);
    u64::try_from(part.div_ceil(total)).unwrap_or(BARS)
}

/// A presence as a number of equal parts of 1, rounded up.
fn part(presence: Presence, parts: u64) -> u64 {
    let product = u128::from(presence.numerator()) * u128::from(parts);
    u64::try_from(product.div_ceil(u128::from(presence.denominator()))).unwrap_or(parts)
}

#[expect(clippy::cast_precision_loss, reason = "an edge to draw at")]
fn share(part: u64, total: u64) -> f64 {
    part as f64 / total as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_counts_in_the_bar_of_its_presence() {
        let delta = Delta::read("0", "1/10").unwrap();
        // The scale ends at δmax = 2/20, so each bar has a width of 1/200.
        let classes = [(100, 0), (200, 1), (400, 3), (10, 1), (50, 0), (0, 0)];
        let section =
            PresenceSection::of(classes.map(|(public, private)| Counts::new(public, private)), delta);
        let found: Vec<(f64, f64, u64, u64, u64)> = section
            .bars
            .iter()
            .filter(|bar| bar.classes > 0)
            .map(|bar| (bar.from, bar.to, bar.individuals, bar.members, bar.classes))
            .collect();
        // The first bar ends at 1/200, 3/400 is in the second, the last ends at 1/10.
        let expected = [
            (0.0, 0.0, 150, 0, 2),
            (0.0, 0.005, 200, 1, 1),
            (0.005, 0.01, 400, 3, 1),
            (0.095, 0.1, 10, 1, 1),
        ];
        assert_eq!(found, expected);
        assert_eq!(section.bars.len(), 21);
    }

    #[test]
    fn the_scale_holds_whoever_is_beyond_delta() {
        let delta = Delta::read("0", "1/10").unwrap();
        let section = PresenceSection::of([Counts::new(2, 1), Counts::new(1, 1)], delta);
        assert_eq!(section.bars.last().map(|bar| (bar.to, bar.individuals)), Some((1.0, 1)));
        assert_eq!(section.bars.iter().map(|bar| bar.individuals).sum::<u64>(), 3);
        let drawn = section.svg("x", delta);
        assert!(drawn.contains("class=\"over\"") && !drawn.contains("class=\"bar\""), "{drawn}");
    }
}
