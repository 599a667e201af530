//! The exponents by which the greedy search scores a split. Each try draws new ones.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::exact::exp2;
use palmtop_core::metrics::Metric;

/// The parameters of the score of a part: m^(1+γ) · extent^α · (slack + c)^−β. Lower is better.
///
/// Here, m is the number of members of the part, `extent` is the loss of its box, and `slack` is
/// the number of members that it could gain within δmax.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    /// c, in people.
    pub(super) spare: f64,
    /// β.
    pub(super) slack: f64,
    /// β for the number of members that a part could lose within δmin.
    pub(super) reserve: f64,
    /// α.
    pub(super) extent: f64,
    /// γ.
    pub(super) private: f64,
    /// The largest random disturbance of a score, as a share of the score.
    pub(super) noise: f64,
    /// Whether a part without members may be made, if the problem permits it.
    pub(super) empty: bool,
    /// Whether one value of a set may be cut from all others.
    pub(super) singles: bool,
    /// Whether sets are also cut in the order of their values' presence.
    pub(super) by_presence: bool,
}

impl Setting {
    /// Settings that were good on different kinds of tables; the best general one comes first.
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
            Metric::Loss | Metric::LossGeometric | Metric::Readable => vec![
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

    /// A random setting from the ranges that were good.
    pub(super) fn draw(random: &mut ChaCha8Rng, metric: Metric) -> Self {
        let (extent, private) = match metric {
            Metric::Loss | Metric::LossGeometric | Metric::Readable => {
                (0.75 * exp2(random.random_range(0.0..1.8)), 0.25..0.85)
            }
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

    /// A random setting that is similar to this one.
    pub(super) fn near(self, random: &mut ChaCha8Rng) -> Self {
        let mut vary = |value: f64| value * exp2(random.random_range(-0.4..0.4));
        Self {
            spare: vary(self.spare),
            slack: vary(self.slack),
            reserve: vary(self.reserve),
            extent: vary(self.extent),
            private: vary(self.private),
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
