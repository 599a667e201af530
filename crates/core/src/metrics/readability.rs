//! Readability: how long the cells of a release are.
//!
//! A cell is the text of one quasi-identifier in one released row. Its terms are the labels, values,
//! ranges and exceptions that it names: `Europe` has one, `{Peru, Brazil}` has two, and
//! `America except {Peru, Brazil}` has three.

use rayon::prelude::*;

use crate::model::{Classes, Kind, Label, Problem};

/// The price of each term of a cell beyond the first, in the metric `readable`: the loss of one cell in a
/// hundred.
pub const TERM_PRICE: f64 = 0.01;

/// How long the cells of a release are. A release without rows has only zeros.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Readability {
    /// The mean number of terms of a cell.
    pub terms: f64,
    /// The number of terms beyond the first of each cell, divided by the number of cells of T. A withdrawn
    /// member has cells in T and none in the release.
    pub extra_terms: f64,
    /// The largest number of terms of a cell.
    pub most_terms: u64,
    /// The mean number of characters of a cell.
    pub characters: f64,
    /// The largest number of characters of a cell.
    pub most_characters: u64,
    /// The share of cells with one term.
    pub one_term: f64,
    /// The quasi-identifiers that are `*` in more than nine of ten rows, in project order.
    pub starred: Vec<usize>,
}

/// Equal cells of one quasi-identifier.
#[derive(Clone, Copy, Debug)]
struct Cells {
    terms: u64,
    characters: u64,
    /// Whether the text is the label of the top level.
    is_top: bool,
    /// The number of rows with this text.
    rows: u64,
}

impl Readability {
    /// A release with more terms in a cell, on average, is hard to read.
    pub const HARD: f64 = 5.0;

    /// Whether a release with this mean number of terms is hard to read.
    pub fn is_hard(terms: f64) -> bool {
        terms > Self::HARD
    }

    /// Measures the released rows of a recoding. Withdrawn members have no row. Each distinct label is
    /// written once.
    pub fn of_classes(problem: &Problem, classes: &Classes) -> Self {
        let classes = classes.of_rows();
        let pool = classes.pool().map(|pool| pool as usize);
        let counts = classes.all_counts().enumerate();
        let released: Vec<(usize, u64)> = counts
            .filter(|(class, counts)| counts.private > 0 && Some(*class) != pool)
            .map(|(class, counts)| (class, counts.private))
            .collect();
        let of_attribute = |attribute: usize| {
            let (column, hierarchy) = (classes.labels(attribute), problem.hierarchy(attribute));
            let mut rows = vec![0; column.labels().len()];
            for &(class, private) in &released {
                rows[column.label_of()[class] as usize] += private;
            }
            let published = column.labels().par_iter().zip(rows).filter(|(_, rows)| *rows > 0);
            let cells = published.map(|(label, rows)| Cells {
                terms: label.terms(hierarchy) as u64,
                characters: label.text(hierarchy).chars().count() as u64,
                is_top: *label == Label::Of(hierarchy.top(), 0),
                rows,
            });
            cells.collect::<Vec<Cells>>()
        };
        Self::of_cells(problem, (0..problem.quasi().len()).map(of_attribute))
    }

    /// Measures the rows of a written file. Each quasi-identifier has a list of its texts with the
    /// number of rows.
    pub fn of_texts<'a>(
        problem: &Problem,
        texts: impl IntoIterator<Item = impl IntoIterator<Item = (&'a str, u64)>>,
    ) -> Self {
        let columns = texts.into_iter().enumerate().map(|(attribute, texts)| {
            let hierarchy = problem.hierarchy(attribute);
            let cells = texts.into_iter().map(|(text, rows)| Cells {
                terms: terms_in(text, hierarchy.kind()),
                characters: text.chars().count() as u64,
                is_top: *text == hierarchy.labels(hierarchy.top())[0],
                rows,
            });
            cells.collect()
        });
        Self::of_cells(problem, columns)
    }

    fn of_cells(problem: &Problem, attributes: impl Iterator<Item = Vec<Cells>>) -> Self {
        let (mut found, mut cells) = (Self::default(), 0);
        let (mut terms, mut characters, mut one_term) = (0, 0, 0);
        for (attribute, texts) in attributes.enumerate() {
            let (mut rows, mut starred) = (0, 0);
            for text in texts {
                rows += text.rows;
                terms += u128::from(text.terms) * u128::from(text.rows);
                characters += u128::from(text.characters) * u128::from(text.rows);
                one_term += if text.terms == 1 { u128::from(text.rows) } else { 0 };
                starred += if text.is_top { text.rows } else { 0 };
                found.most_terms = found.most_terms.max(text.terms);
                found.most_characters = found.most_characters.max(text.characters);
            }
            cells += u128::from(rows);
            if u128::from(starred) * 10 > u128::from(rows) * 9 {
                found.starred.push(attribute);
            }
        }
        let of_t = u128::from(problem.histogram().total().private) * problem.quasi().len() as u128;
        found.terms = share(terms, cells);
        found.extra_terms = share(terms - cells, of_t);
        found.characters = share(characters, cells);
        found.one_term = share(one_term, cells);
        found
    }
}

/// A sum over cells divided by their number; 0 without cells.
#[expect(clippy::cast_precision_loss, reason = "a mean to compare and show")]
fn share(sum: u128, cells: u128) -> f64 {
    if cells == 0 { 0.0 } else { sum as f64 / cells as f64 }
}

/// The number of terms of a published text: the members of a set, one and the exceptions, or one.
/// It equals [`Label::terms`] of the label.
pub fn terms_in(text: &str, kind: Kind) -> u64 {
    let Some(inside) = text.strip_suffix('}') else { return 1 };
    if let Some(members) = inside.strip_prefix('{') {
        return members_in(members, kind.is_ordered());
    }
    let around = string_end(text).unwrap_or(0);
    let exceptions = inside.get(around..).and_then(|rest| rest.split_once(" except {"));
    exceptions.map_or(1, |(_, members)| 1 + members_in(members, false))
}

/// The number of members in the braces of a set. A set of numbers or dates may have ranges as members; one
/// of labels is the last member.
fn members_in(mut rest: &str, has_ranges: bool) -> u64 {
    let mut members = 1;
    loop {
        let range = range_end(rest).filter(|_| has_ranges);
        if range.is_none() && members > 1 && rest.starts_with('[') && rest.ends_with([']', ')']) {
            break;
        }
        let from = string_end(rest).or(range).unwrap_or(0);
        let Some(comma) = rest[from..].find(", ") else { break };
        rest = &rest[from + comma + 2..];
        members += 1;
    }
    members
}

/// The index after the range `[a, b]`, `[a, b)` or `[a, b[` with which a text begins, if it begins with one.
fn range_end(text: &str) -> Option<usize> {
    const BRACKETS: [char; 3] = [')', ']', '['];
    let low = text.strip_prefix('[')?.split_once(", ")?.0;
    let from = 1 + low.len() + 2;
    let end = from + text[from..].find(BRACKETS)? + 1;
    let is_alone = text[end..].is_empty() || text[end..].starts_with(", ");
    (is_alone && !low.contains(BRACKETS)).then_some(end)
}

/// The index after the JSON string with which a text begins, if it begins with one.
fn string_end(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    let inside = text.strip_prefix('"')?;
    let quote = inside.bytes().position(|byte| {
        let ends = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        ends
    });
    quote.map(|quote| quote + 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{
        Counts, Delta, EmptyRegions, Hierarchy, Histogram, Level, Partition, Presence, QuasiIdentifier,
        Recoding,
    };

    #[test]
    fn text_terms_count_labels_values_ranges_and_exceptions() {
        for (text, terms) in [
            ("Europe", 1),
            ("*", 1),
            ("", 1),
            ("[1, 20]", 1),
            ("[20, 30)", 1),
            ("{<-5, [-5, 9)}", 2),
            ("{none, <-5, [-5, 0)}", 3),
            ("{Peru, Brazil}", 2),
            ("{Peru, \"a, b\", \"c\\\"}, {\", d}", 4),
            ("{unknown, [1, 20]}", 2),
            ("{unknown, [20, 30)}", 2),
            ("{[20, 30), >=30}", 2),
            ("{<5, [5, 9], [10, 20[, \"a, b\"}", 4),
            ("{unknown, [[20, 30), [40, 50)]}", 2),
            ("America except {Peru}", 2),
            ("America except {Peru, Brazil}", 3),
            ("\"a except {b, c\" except {d, \"e, f\"}", 3),
        ] {
            assert_eq!(terms_in(text, Kind::Number), terms, "{text}");
        }
    }

    /// Five combinations of a letter and a number, with 5, 4, 0, 0 and `last` members.
    fn problem(last: u64) -> Problem {
        let chains = |rows: &[[&str; 3]]| -> Vec<Vec<String>> {
            rows.iter().map(|row| row.map(str::to_owned).to_vec()).collect()
        };
        let letters =
            chains(&[["a", "x", "*"], ["b", "x", "*"], ["c", "x", "*"], ["d", "y", "*"], ["e, f", "y", "*"]]);
        let numbers = chains(&[["1", "low", "*"], ["2", "low", "*"], ["30", "high", "*"]]);
        let quasi = [("letter", Kind::Category, letters), ("number", Kind::Number, numbers)];
        let quasi = quasi.map(|(name, kind, chains)| QuasiIdentifier {
            name: name.to_owned(),
            hierarchy: Hierarchy::new(kind, Level(0), &chains).unwrap(),
        });
        let columns = vec![vec![0, 1, 2, 3, 4], vec![0, 2, 1, 0, 1]];
        let counts = [5, 4, 0, 0, last].map(|members| Counts::new(10, members)).to_vec();
        let histogram = Histogram::new(columns, counts).unwrap();
        let delta = Delta::new(Presence::ZERO, Presence::ONE).unwrap();
        Problem::new(quasi.to_vec(), histogram, delta, EmptyRegions::Allow).unwrap()
    }

    /// The regions publish `{a, b}`, `*` for the members of the first two combinations, and
    /// `y`, `low` for those of the last two. The third has no member.
    #[test]
    fn readability_averages_over_cells_of_released_rows() {
        let problem = problem(1);
        let partition = Partition::of_regions(&problem, &[vec![0, 1], vec![2], vec![3, 4]], &[]);
        let classes = Classes::of(&problem, &Recoding::Regions(partition));
        let texts: Vec<Vec<String>> = classes.iter().map(|class| class.texts(&problem)).collect();
        assert_eq!(texts, [["{a, b}", "*"], ["c", "2"], ["y", "low"]]);
        let found = Readability::of_classes(&problem, &classes);
        // 9 rows with 2 + 1 terms and 6 + 1 characters, 1 row with 1 + 1 terms and 1 + 3 characters.
        assert_eq!((found.terms, found.most_terms), (29.0 / 20.0, 2));
        assert!((found.extra_terms - 9.0 / 20.0).abs() < f64::EPSILON, "{found:?}");
        assert_eq!((found.characters, found.most_characters), (67.0 / 20.0, 6));
        assert!((found.one_term - 11.0 / 20.0).abs() < 1e-12, "{found:?}");
        // Nine of ten are not more than nine of ten.
        assert_eq!(found.starred, Vec::<usize>::new());
        let of_file = Readability::of_texts(&problem, [[("{a, b}", 9), ("y", 1)], [("*", 9), ("low", 1)]]);
        assert_eq!(of_file, found);
    }

    #[test]
    fn attribute_starred_above_nine_tenths_is_reported() {
        let problem = problem(1);
        let partition = Partition::of_regions(&problem, &[vec![0, 1], vec![2], vec![3, 4]], &[]);
        let recoding = Recoding::Regions(partition).withdrawing(vec![2]);
        let found = Readability::of_classes(&problem, &Classes::of(&problem, &recoding));
        assert_eq!((found.terms, found.one_term, found.starred), (1.5, 0.5, vec![1]));
        // The withdrawn member has cells in T.
        assert!((found.extra_terms - 9.0 / 20.0).abs() < f64::EPSILON);
        let top = Recoding::Node(problem.lattice().top());
        let found = Readability::of_classes(&problem, &Classes::of(&problem, &top));
        assert_eq!((found.terms, found.characters, found.starred), (1.0, 1.0, vec![0, 1]));
        assert!(!Readability::is_hard(5.0) && Readability::is_hard(5.001));
    }
}
