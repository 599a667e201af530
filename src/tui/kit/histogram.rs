//! The presence histogram: how many public people are in classes of which presence, with δ marked.

use palmtop::model::{Counts, Delta, Presence};

use crate::tui::kit::bar::scale;
use crate::tui::kit::text;

const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The histogram as lines of this width: `height` lines of bars, the axis with δmin and δmax, and their labels.
///
/// Heights follow the square root of the people, so that a few still show beside many.
pub(crate) fn lines(
    counts: impl Iterator<Item = Counts>,
    delta: Delta,
    width: usize,
    height: usize,
) -> Vec<String> {
    let columns = width.saturating_sub(4).max(1);
    let place = |presence: Presence| scale(presence.to_f64(), columns - 1).min(columns - 1);
    let mut people = vec![0_u64; columns];
    for class in counts {
        people[place(class.presence())] += class.public;
    }
    let most = people.iter().copied().max().unwrap_or(0);
    let mut lines: Vec<String> = (0..height)
        .rev()
        .map(|row| {
            let bar = |&people: &u64| block(people, most, row, height);
            format!("  {}", people.iter().map(bar).collect::<String>())
        })
        .collect();
    let (min, max) = (place(delta.min()), place(delta.max()));
    let axis = |column: usize| if column == min || column == max { '┴' } else { '─' };
    lines.push(format!("  {}", (0..columns).map(axis).collect::<String>()));
    lines.push(labels(delta, min + 2, max + 2, width));
    lines
}

/// The histogram in one line, δ's bounds marked where nobody is.
pub(crate) fn spark(counts: impl Iterator<Item = Counts>, delta: Delta, columns: usize) -> String {
    let columns = columns.max(1);
    let place = |presence: Presence| scale(presence.to_f64(), columns - 1).min(columns - 1);
    let mut people = vec![0_u64; columns];
    for class in counts {
        people[place(class.presence())] += class.public;
    }
    let most = people.iter().copied().max().unwrap_or(0);
    let (min, max) = (place(delta.min()), place(delta.max()));
    let is_bound = |column| (column == min && delta.min() > Presence::ZERO) || column == max;
    let draw = |(column, &here): (usize, &u64)| match here {
        0 if is_bound(column) => '┊',
        0 => '·',
        here => block(here, most, 0, 1),
    };
    people.iter().enumerate().map(draw).collect()
}

/// The part of a bar that lies in one line, lines counted from below.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a height on the screen"
)]
fn block(people: u64, most: u64, row: usize, height: usize) -> char {
    if people == 0 {
        return ' ';
    }
    let eighths = ((people as f64 / most as f64).sqrt() * (height * 8) as f64).ceil() as usize;
    BLOCKS[eighths.saturating_sub(row * 8).min(8)]
}

/// `0`, `δmin …`, `δmax …` and `1` at their places; what would run into another is left out.
fn labels(delta: Delta, min: usize, max: usize, width: usize) -> String {
    let mut line = String::new();
    let mut put = |at: usize, label: &str, needed: usize| {
        let used = text::width(&line);
        if at >= used && at + text::width(label) + needed <= width {
            line.push_str(&" ".repeat(at - used));
            line.push_str(label);
        }
    };
    let max_label = format!("δmax {}", delta.max());
    let max_at = max.min(width.saturating_sub(text::width(&max_label) + 3));
    if delta.min() > Presence::ZERO {
        let min_label = format!("δmin {}", delta.min());
        if min > 2 {
            put(2, "0", 0);
        }
        if min + text::width(&min_label) < max_at {
            put(min.max(4), &min_label, 0);
        }
    } else {
        put(2, "0", 0);
    }
    put(max_at, &max_label, 2);
    put(width.saturating_sub(2), "1", 0);
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delta_is_marked_on_the_axis_and_labelled_below() {
        let delta = Delta::new("0.2".parse().unwrap(), "0.6".parse().unwrap()).unwrap();
        let counts = [Counts::new(100, 0), Counts::new(25, 10), Counts::new(100, 100)];
        let drawn = lines(counts.into_iter(), delta, 44, 2);
        assert_eq!(
            drawn,
            [
                "  █                                      █",
                "  █               █                      █",
                "  ────────┴──────────────┴────────────────",
                "  0       δmin 1/5       δmax 3/5         1",
            ]
        );
    }

    #[test]
    fn it_survives_any_size() {
        let delta = Delta::new(Presence::ZERO, "1/20".parse().unwrap()).unwrap();
        for width in 0..60 {
            for height in 0..4 {
                lines([Counts::new(3, 1)].into_iter(), delta, width, height);
            }
        }
    }
}
