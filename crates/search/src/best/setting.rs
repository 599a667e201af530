//! How a greedy search weighs a split: a few exponents, drawn anew for every try.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::exact::exp2;
use palmtop_core::metrics::Metric;

/// What a child of a split counts: m^(1+γ) · extent^α · (slack + c)^−β for m private people, the loss of its box, and
/// the private people that it could take more before it broke δ. Less is better.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    /// c, in people.
    pub(super) spare: f64,
    /// β.
    pub(super) slack: f64,
    /// β for the private people that a child could do without before it broke δmin.
    pub(super) reserve: f64,
    /// α.
    pub(super) extent: f64,
    /// γ.
    pub(super) private: f64,
    /// How far a score is disturbed, as a share of it.
    pub(super) noise: f64,
    /// Whether a child without private people may be made, where the problem allows it.
    pub(super) empty: bool,
    /// Whether one value of a set may be cut from the rest.
    pub(super) singles: bool,
    /// Whether sets are also cut in the order of the presence of their values.
    pub(super) by_presence: bool,
}

impl Setting {
    /// Settings that did well on tables of different kinds, the best all-rounder first.
    pub(super) fn proven(metric: Metric) -> Vec<Self> {
        let plain = Self {
            spare: 0.55,
            slack: 0.45,
            reserve: 0.3,
            extent: 1.1,
            private: 0.55,
            noise: 0.0,
            empty: true,
            singles: true,
            by_presence: true,
        };
        match metric {
            Metric::Loss | Metric::LossGeometric => vec![
                plain,
                Self { slack: 0.55, extent: 1.6, by_presence: false, ..plain },
                Self { slack: 0.35, extent: 2.2, private: 0.35, ..plain },
                Self { slack: 0.35, private: 0.4, by_presence: false, ..plain },
                Self { slack: 0.6, extent: 1.9, ..plain },
                Self { spare: 0.7, extent: 1.3, private: 0.7, ..plain },
                Self { slack: 0.3, extent: 2.4, private: 0.35, empty: false, ..plain },
                Self { spare: 0.4, slack: 0.7, extent: 2.0, by_presence: false, ..plain },
            ],
            Metric::Discernibility => vec![
                Self { slack: 0.4, extent: 0.1, private: 0.6, by_presence: false, ..plain },
                Self { slack: 0.6, extent: 0.0, private: 0.9, ..plain },
                Self { slack: 0.3, extent: 0.2, private: 0.4, ..plain },
            ],
        }
    }

    /// A random one, from the ranges that did well.
    pub(super) fn draw(random: &mut ChaCha8Rng, metric: Metric) -> Self {
        let (extent, private) = match metric {
            Metric::Loss | Metric::LossGeometric => (0.75 * exp2(random.random_range(0.0..1.8)), 0.25..0.85),
            Metric::Discernibility => (random.random_range(0.0..0.3), 0.3..1.0),
        };
        Self {
            spare: 0.3 * exp2(random.random_range(0.0..2.0)),
            slack: random.random_range(0.15..0.7),
            reserve: random.random_range(0.05..0.7),
            extent,
            private: random.random_range(private),
            noise: if random.random_ratio(3, 5) { 0.0 } else { random.random_range(0.0..0.2) },
            empty: random.random_ratio(4, 5),
            singles: random.random_ratio(4, 5),
            by_presence: random.random_ratio(1, 2),
        }
    }

    /// One like this.
    pub(super) fn near(self, random: &mut ChaCha8Rng) -> Self {
        let mut turn = |value: f64| value * exp2(random.random_range(-0.4..0.4));
        Self {
            spare: turn(self.spare),
            slack: turn(self.slack),
            reserve: turn(self.reserve),
            extent: turn(self.extent),
            private: turn(self.private),
            ..self
        }
        .flip(random)
    }

    fn flip(self, random: &mut ChaCha8Rng) -> Self {
        let mut flip = |value: bool| value != random.random_ratio(1, 8);
        let (empty, singles, by_presence) = (flip(self.empty), flip(self.singles), flip(self.by_presence));
        Self {
            noise: if random.random_ratio(3, 5) { 0.0 } else { random.random_range(0.0..0.2) },
            empty,
            singles,
            by_presence,
            ..self
        }
    }
}
