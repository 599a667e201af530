//! The presence histogram: the number of individuals in P by the presence of their class, with δ
//! marked.

use palmtop_core::model::{Counts, Delta, Presence};

use crate::kit::bar::scale;
use crate::kit::text;

const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// From this width on, numbers stand at the left.
const NUMBERED: usize = 60;

/// The histogram as lines of this width: `height` lines of bars, the axis with δmin and δmax, and
/// their labels. The numbers at the left are the people of the highest bar, of half its height, and
/// 0. Their width depends on `people`, the total, so the axis stays at the same column for all
/// classes.
/// Heights follow the square root of the people, so that small bars stay visible.
pub(crate) fn lines(
    counts: impl Iterator<Item = Counts>,
    people: u64,
    delta: Delta,
    width: usize,
    height: usize,
) -> Vec<String> {
    let numbers = if width >= NUMBERED { text::width(&text::count(people)) } else { 0 };
    let columns = width.saturating_sub(4 + numbers).max(1);
    let column_of = |presence: Presence| scale(presence.to_f64(), columns - 1).min(columns - 1);
    let mut people = vec![0_u64; columns];
    for class in counts {
        people[column_of(class.presence())] += class.public;
    }
    let most = people.iter().copied().max().unwrap_or(0);
    let start = |number: Option<u64>| {
        let number = number.filter(|_| numbers > 0).map(text::count).unwrap_or_default();
        format!(" {} ", text::right(&number, numbers))
    };
    let number = |row: usize| match row + 1 {
        _ if most == 0 => None,
        top if top == height => Some(most),
        // By the square root, half the height is a quarter of the people. For few people that is no
        // useful number.
        half if height >= 4 && 2 * half == height && most >= 100 => Some((most + 2) / 4),
        _ => None,
    };
    let mut lines: Vec<String> = (0..height)
        .rev()
        .map(|row| {
            let bar = |&people: &u64| block(people, most, row, height);
            format!("{}{}", start(number(row)), people.iter().map(bar).collect::<String>())
        })
        .collect();
    let (min, max) = (column_of(delta.min()), column_of(delta.max()));
    let labels = labels(delta, (min, max), columns);
    let axis = |column: usize| match column {
        column if column == min || column == max => '┴',
        column if labels.ticks.contains(&column) => '┬',
        _ => '─',
    };
    lines.push(format!("{}{}", start(Some(0)), (0..columns).map(axis).collect::<String>()));
    lines.push(format!("{}{}", start(None), labels.line));
    lines
}

/// The part of a bar in one line; lines are counted from the bottom.
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

/// The line of labels below the axis, and the columns of its numbers other than the bounds.
struct Labels {
    line: String,
    ticks: Vec<usize>,
}

/// `0`, `δmin …`, `δmax …` and `100 %`, then percentages between them if room is left. Labels never
/// overlap: the label of a bound moves away from its mark, and a label without room is left out.
fn labels(delta: Delta, (min, max): (usize, usize), columns: usize) -> Labels {
    let last = columns - 1;
    let mut entries: Vec<(usize, String)> = Vec::new();
    let label = format!("δmax {}", text::upper(delta.max()));
    let long = text::width(&label);
    let (from, to) = if max == last { (0, columns) } else { (2, last.saturating_sub(2)) };
    let min_label = format!("δmin {}", text::lower(delta.min()));
    let min_long = text::width(&min_label);
    // If the two bounds are close, δmax moves to the right.
    let has_min = delta.min() > Presence::ZERO && from + min_long + 2 + long <= to;
    let leftmost = if has_min { from + min_long + 2 } else { from };
    let max_at = max.max(leftmost).min(to.saturating_sub(long).max(from));
    if max_at + long <= columns {
        entries.push((max_at, label));
    }
    if has_min {
        entries.push((min.max(from).min(max_at - 2 - min_long), min_label));
    }
    let mut put = |at: usize, number: String, gap: usize| {
        let end = at + text::width(&number);
        let is_free =
            |(start, label): &(usize, String)| end + gap <= *start || start + text::width(label) + gap <= at;
        let fits = end <= columns && entries.iter().all(is_free);
        if fits {
            entries.push((at, number));
        }
        fits
    };
    put(0, "0".to_owned(), 1);
    let end = "100 %";
    put(columns.saturating_sub(end.len()), end.to_owned(), 1);
    let step: u8 = if columns >= 60 { 1 } else { 2 };
    let tenths = (step..10).step_by(usize::from(step));
    let tenths = tenths.map(|tenth| (scale(f64::from(tenth) / 10.0, last), tenth));
    let ticks =
        tenths.filter(|(column, tenth)| put(*column, format!("{tenth}0"), 2)).map(|(column, _)| column);
    let ticks = ticks.collect();
    entries.sort_unstable();
    let mut line = String::new();
    for (at, label) in entries {
        line.push_str(&" ".repeat(at - text::width(&line)));
        line.push_str(&label);
    }
    Labels { line, ticks }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn histogram_marks_and_labels_delta() {
        let delta = Delta::new("0.2".parse().unwrap(), "0.6".parse().unwrap()).unwrap();
        let counts = [Counts::new(100, 0), Counts::new(25, 10), Counts::new(100, 100)];
        let drawn = lines(counts.into_iter(), 225, delta, 44, 2);
        assert_eq!(
            drawn,
            [
                "  █                                      █",
                "  █               █                      █",
                "  ────────┴──────────────┴────────────────",
                "  0       δmin 20 %      δmax 60 %   100 %",
            ]
        );
        let low = Delta::new(Presence::ZERO, "1/50".parse().unwrap()).unwrap();
        assert_eq!(
            lines(counts.into_iter(), 225, low, 44, 0),
            ["  ┴┴──────────────┬──────┬───────┬────────", "  0 δmax 2 %      40     60      80  100 %",],
            "numbers stand where there is room, and nothing runs into another"
        );
    }

    #[test]
    fn its_height_is_numbered_by_people() {
        let counts = [Counts::new(1600, 0), Counts::new(400, 200)];
        let drawn =
            lines(counts.into_iter(), 2000, Delta::new(Presence::ZERO, "1".parse().unwrap()).unwrap(), 60, 4);
        let starts: Vec<String> = drawn.iter().map(|line| line.chars().take(8).collect()).collect();
        assert_eq!(starts, [" 1,600 █", "       █", "   400 █", "       █", "     0 ┴", "       0"]);
        let bars = |row: usize| drawn[row].chars().filter(|drawn| *drawn == '█').count();
        assert_eq!([bars(1), bars(2)], [1, 2], "half as high is a quarter as many: {drawn:#?}");
    }

    #[test]
    fn no_label_runs_into_another() {
        for bounds in [
            ("0", "1/20"),
            ("0", "0"),
            ("1/100", "1/50"),
            ("1/2", "2/3"),
            ("9/10", "1"),
            ("1", "1"),
            ("0", "1"),
        ] {
            let delta = Delta::new(bounds.0.parse().unwrap(), bounds.1.parse().unwrap()).unwrap();
            for width in 5..120 {
                let drawn = lines([Counts::new(3, 1)].into_iter(), 3, delta, width, 1);
                let [.., axis, labels] = drawn.as_slice() else { panic!("two lines at least") };
                assert!(text::width(labels) <= width, "{labels}");
                for word in labels.split_whitespace() {
                    let shown = [text::lower(delta.min()), text::upper(delta.max())];
                    let is_known = matches!(word, "δmin" | "δmax" | "%")
                        || shown.iter().any(|bound| bound.split(' ').next() == Some(word));
                    let is_number = word == "100" || word.len() <= 2 && word.ends_with('0');
                    assert!(is_known || is_number, "{word} in {labels}");
                }
                if width >= 40 {
                    assert!(
                        labels.contains(&format!("δmax {}", text::upper(delta.max()))),
                        "{axis}\n{labels}"
                    );
                    assert!(
                        bounds.0 == "0" || labels.contains(&format!("δmin {}", text::lower(delta.min()))),
                        "{axis}\n{labels}"
                    );
                }
            }
        }
    }

    #[test]
    fn it_survives_any_size() {
        let delta = Delta::new(Presence::ZERO, "1/20".parse().unwrap()).unwrap();
        for width in 0..60 {
            for height in 0..4 {
                lines([Counts::new(3, 1)].into_iter(), 3, delta, width, height);
            }
        }
    }
}
