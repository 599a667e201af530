//! The most frequent values of each quasi-identifier, in P and in T.

use std::cmp::Reverse;

use palmtop_core::model::{Counts, Problem};

use crate::kit::text;

/// The number of values that are listed of each quasi-identifier.
const MOST: usize = 12;
/// The widest value; longer ones are cut.
const WIDEST: usize = 32;

/// A heading for each quasi-identifier, then its most frequent values with their people in P and T.
pub(super) fn frequencies(problem: &Problem) -> String {
    let sections = (0..problem.quasi().len()).map(|attribute| of_attribute(problem, attribute));
    sections.collect::<Vec<_>>().join("\n")
}

fn of_attribute(problem: &Problem, attribute: usize) -> String {
    let hierarchy = problem.hierarchy(attribute);
    let people = problem.leaf_counts(attribute).iter().copied();
    let mut values: Vec<(u32, Counts)> = (0..).zip(people).filter(|(_, counts)| counts.public > 0).collect();
    values.sort_by_key(|&(code, counts)| (Reverse(counts.public), code));
    let total = problem.total();
    let width = values.iter().take(MOST).map(|&(code, _)| text::width(&text::safe(hierarchy.leaf(code))));
    let width = width.max().unwrap_or(0).clamp(6, WIDEST);
    let number = text::count(total.public).len().max(3);
    let share = |part: u64, all: u64| format!("{:>6}", text::percent(part, all));
    let mut lines = vec![format!(
        "{}: {}",
        text::safe(&problem.quasi()[attribute].name),
        text::counted(values.len() as u64, "value", "values")
    )];
    for &(code, Counts { public, private }) in values.iter().take(MOST) {
        let value = text::fit(&text::safe(hierarchy.leaf(code)), width);
        let (public_people, private_people) =
            (text::right(&text::count(public), number), text::right(&text::count(private), number));
        lines.push(format!(
            "  {value}  P {public_people} {}   T {private_people} {}",
            share(public, total.public),
            share(private, total.private)
        ));
    }
    if let Some(more) = values.len().checked_sub(MOST).filter(|more| *more > 0) {
        lines.push(format!("  … and {} with fewer people", text::counted(more as u64, "value", "values")));
    }
    lines.join("\n") + "\n"
}
