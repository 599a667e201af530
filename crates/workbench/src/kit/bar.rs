//! Bars: presence against δ, a share, a level.

use palmtop_core::model::{Delta, Presence};

/// A presence as a bar of this many columns: full up to δmax, shaded above it. A mark shows each
/// bound of δ beyond the end of the bar.
///
/// ```text
/// █████████████▓▓▓▓     over δmax
/// █┊           ┊        under δmin
/// ```
pub(crate) fn presence(presence: Presence, delta: Delta, columns: usize) -> String {
    let column_of = |bound: Presence| scale(bound.to_f64(), columns);
    let (end, min, max) = (column_of(presence), column_of(delta.min()), column_of(delta.max()));
    let over = presence > delta.max();
    // A bar above δmax always has a shaded column, even if the difference is less than a column.
    let end = if over { end.max(max + 1).min(columns) } else { end };
    (0..columns)
        .map(|column| match column {
            column if column < end && over && column >= max => '▓',
            column if column < end => '█',
            0 if presence > Presence::ZERO && end == 0 => '▏',
            column if column == max && delta.max() < Presence::ONE => '┊',
            column if column == min && delta.min() > Presence::ZERO => '┊',
            _ => ' ',
        })
        .collect()
}

/// A share from 0 to 1 as a bar of this many columns; dots fill the rest.
pub(crate) fn share(value: f64, columns: usize) -> String {
    let full = scale(value, columns);
    format!("{}{}", "█".repeat(full), "░".repeat(columns - full))
}

/// Progress from 0 to 1 as a bar of this many columns. It looks different from a bar of a loss,
/// which is better if short.
pub(crate) fn progress(value: f64, columns: usize) -> String {
    let full = scale(value, columns);
    format!("{}{}", "━".repeat(full), "╌".repeat(columns - full))
}

/// The share of the total that is done; 0 if the total is unknown.
#[expect(clippy::cast_precision_loss, reason = "a share to draw")]
pub(crate) fn ratio(done: u64, total: u64) -> f64 {
    if total == 0 { 0.0 } else { done as f64 / total as f64 }
}

/// A level as boxes: `■■□□`.
pub(crate) fn level(above_base: usize, levels: usize) -> String {
    format!("{}{}", "■".repeat(above_base), "□".repeat(levels.saturating_sub(above_base)))
}

/// The column at which a share from 0 to 1 ends.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a place on the screen, kept within it"
)]
pub(crate) fn scale(value: f64, columns: usize) -> usize {
    ((value.clamp(0.0, 1.0) * columns as f64).round() as usize).min(columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bar_is_shaded_above_delta_max() {
        let delta = Delta::new("0.2".parse().unwrap(), "1/2".parse().unwrap()).unwrap();
        for (value, drawn) in [
            ("0.8", "█████▓▓▓  "),
            ("0.51", "█████▓    "),
            ("0.1", "█ ┊  ┊    "),
            ("0.01", "▏ ┊  ┊    "),
            ("0", "  ┊  ┊    "),
            ("0.5", "█████┊    "),
        ] {
            assert_eq!(presence(value.parse().unwrap(), delta, 10), drawn, "{value}");
        }
        assert_eq!((share(0.25, 8).as_str(), level(2, 4).as_str()), ("██░░░░░░", "■■□□"));
        assert_eq!(progress(0.25, 8), "━━╌╌╌╌╌╌");
    }
}
