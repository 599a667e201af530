//! How many individuals in P are in classes of which presence, counted exactly and drawn.

use super::sections::{PresenceBar, PresenceSection};
use crate::svg::{Column, Histogram, histogram};
use palmtop_core::model::{Counts, Delta, Presence};
use palmtop_core::text::count;

/// As many bars as stand above presence 0.
const BARS: u64 = 20;

impl PresenceSection {
    /// Puts classes into bars, those without members too. The scale ends at the twentieth that holds δmax and the greatest presence,
    /// and which bar a class is in is decided in whole numbers.
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
            let place = usize::try_from(bar_of(counts.presence(), top)).unwrap_or(0);
            if let Some(bar) = bars.get_mut(place) {
                bar.individuals += counts.public;
                bar.members += counts.private;
                bar.classes += 1;
            }
        }
        Self { bars }
    }

    /// The histogram as a drawing of its own, under a title.
    pub fn svg(&self, title: &str, delta: Delta) -> String {
        let individuals: u64 = self.bars.iter().map(|bar| bar.individuals).sum();
        let zero = self.bars.first().map_or(0, |bar| bar.individuals);
        let most = self.bars.iter().rev().find(|bar| bar.classes > 0).map_or(0.0, |bar| bar.to);
        let column = |bar: &PresenceBar| Column { from: bar.from, to: bar.to, count: bar.individuals };
        let bound = |presence: Presence| (presence.to_f64(), presence.to_string());
        let chart = Histogram {
            title: title.to_owned(),
            description: format!(
                "Of {} individuals in P, {} are in classes of presence 0; nobody's presence is above {most}, and δ permits \
                 {} to {}.",
                count(individuals),
                count(zero),
                delta.min(),
                delta.max()
            ),
            columns: self.bars.iter().map(column).collect(),
            delta: [bound(delta.min()), bound(delta.max())],
        };
        histogram("presence", &chart)
    }
}

/// The bar of a presence where the scale has `top` twentieths, so that bars end at multiples of `top`/20/[`BARS`]: 0 for presence 0, else that which ends at it or above.
fn bar_of(presence: Presence, top: u64) -> u64 {
    let part = u128::from(presence.numerator()) * u128::from(20 * BARS);
    let whole = u128::from(presence.denominator()) * u128::from(top);
    u64::try_from(part.div_ceil(whole)).unwrap_or(BARS)
}

/// A presence in so many parts of 1, rounded up.
fn part(presence: Presence, parts: u64) -> u64 {
    let product = u128::from(presence.numerator()) * u128::from(parts);
    u64::try_from(product.div_ceil(u128::from(presence.denominator()))).unwrap_or(parts)
}

#[expect(clippy::cast_precision_loss, reason = "an edge to draw at")]
fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_in_the_bar_that_ends_at_its_presence_or_above() {
        let delta = Delta::read("0", "1/10").unwrap();
        // 1/20 of 1 is the scale's end here: 2 twentieths for δmax, so each bar is 1/200 wide.
        let classes = [(100, 0), (200, 1), (400, 3), (10, 1), (50, 0), (0, 0)];
        let section =
            PresenceSection::of(classes.map(|(public, private)| Counts::new(public, private)), delta);
        let told: Vec<(f64, f64, u64, u64, u64)> = section
            .bars
            .iter()
            .filter(|bar| bar.classes > 0)
            .map(|bar| (bar.from, bar.to, bar.individuals, bar.members, bar.classes))
            .collect();
        // 1/200 ends the first bar, 3/400 lies in the second, 1/10 ends the last.
        let expected = [
            (0.0, 0.0, 150, 0, 2),
            (0.0, 0.005, 200, 1, 1),
            (0.005, 0.01, 400, 3, 1),
            (0.095, 0.1, 10, 1, 1),
        ];
        assert_eq!(told, expected);
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
