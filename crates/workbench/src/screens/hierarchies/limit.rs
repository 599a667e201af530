//! The limit of a quasi-identifier: `shape`, `terms` or `borders`, and the most that a row then publishes.

use std::num::NonZeroU32;

use palmtop_core::model::{Cuts, DescriptionTree, Label, Level, Problem, Ranges};
use palmtop_project::Limit;

/// How regions publish a quasi-identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Any set or range.
    Free,
    Labels,
    Never,
    Terms(usize),
    Borders(Level),
}

impl Form {
    /// The form that the project declares.
    pub(super) fn of(problem: &Problem, attribute: usize) -> Self {
        match (problem.cuts(attribute), problem.terms(attribute), problem.borders(attribute)) {
            (Cuts::Never, ..) => Self::Never,
            (Cuts::Labels, ..) => Self::Labels,
            (_, Some(terms), _) => Self::Terms(terms),
            (.., Some(level)) => Self::Borders(level),
            _ => Self::Free,
        }
    }

    /// The form under another limit. No limit changes that an attribute is never cut.
    pub(super) fn under(problem: &Problem, attribute: usize, limit: Limit) -> Self {
        match limit {
            _ if problem.cuts(attribute) == Cuts::Never => Self::Never,
            Limit::Terms(NonZeroU32::MIN) => Self::Labels,
            Limit::Terms(terms) => Self::Terms(terms.get() as usize),
            Limit::Borders(level) => Self::Borders(level),
            Limit::Free => Self::Free,
        }
    }

    /// The words of the list of attributes.
    pub(super) fn words(self) -> String {
        match self {
            Self::Free => "cuts: values".to_owned(),
            Self::Labels => "cuts: labels".to_owned(),
            Self::Never => "cuts: never".to_owned(),
            Self::Terms(terms) => format!("terms: {terms}"),
            Self::Borders(level) => format!("borders: {level}"),
        }
    }

    /// The line to type for this form.
    pub(super) fn typed(self) -> String {
        match self {
            Self::Free | Self::Never => "none".to_owned(),
            Self::Labels => "terms 1".to_owned(),
            Self::Terms(terms) => format!("terms {terms}"),
            Self::Borders(level) => format!("borders {level}"),
        }
    }

    /// A cell with the most that this form may publish of P's values: the longest label, a set with the most terms, or a range from
    /// the first value to the last but one. O(leaves · log leaves).
    pub(super) fn widest_cell(self, problem: &Problem, attribute: usize) -> String {
        let hierarchy = problem.hierarchy(attribute);
        let occurring = |level: Level| {
            let codes = hierarchy.labels_of(level).iter().zip(0..);
            let mut labels: Vec<u32> =
                codes.filter(|(_, code)| problem.occurs(attribute, *code)).map(|(label, _)| *label).collect();
            labels.dedup();
            labels
        };
        let ends = |level: Level| match occurring(level).as_slice() {
            [first, .., last, _] => Some((*first, *last)),
            _ => None,
        };
        let label = match self {
            Self::Never => None,
            Self::Borders(level) => ends(level).map(|(first, last)| {
                let ranges = Ranges::of(hierarchy, level, |code| problem.occurs(attribute, code));
                Label::Span(level, ranges.members(first, last))
            }),
            Self::Labels => {
                let inner = hierarchy.levels().filter(|level| *level < hierarchy.top());
                let labels =
                    inner.flat_map(|level| occurring(level).into_iter().map(move |label| (level, label)));
                let length =
                    |(level, label): &(Level, u32)| hierarchy.labels(*level)[*label as usize].chars().count();
                labels.max_by_key(length).map(|(level, label)| Label::Of(level, label))
            }
            Self::Free if hierarchy.kind().is_ordered() => {
                // At the base, labels are leaves.
                ends(hierarchy.base()).map(|(first, last)| Label::Range(first, last))
            }
            Self::Free | Self::Terms(_) => {
                let tree = DescriptionTree::of(problem, attribute);
                let most = if let Self::Terms(terms) = self { terms } else { usize::MAX };
                let set: Vec<(u32, u32)> =
                    (0..tree.len()).step_by(2).take(most).map(|position| (position, position + 1)).collect();
                (!set.is_empty()).then(|| tree.describe(hierarchy, &set).into())
            }
        };
        label.map_or_else(|| "*".to_owned(), |label| label.text(hierarchy))
    }
}

/// Reads a typed limit: `terms 3`, `borders 1` or `none`.
///
/// # Errors
/// It is none of these, or the hierarchy does not permit it.
pub(super) fn read_limit(problem: &Problem, attribute: usize, typed: &str) -> Result<Limit, String> {
    let plain = typed.replace('=', " ");
    let words: Vec<&str> = plain.split_whitespace().collect();
    let expected = || format!("`{}` is not a limit; type terms 3, borders 1 or none", typed.trim());
    let hierarchy = problem.hierarchy(attribute);
    match words.as_slice() {
        ["none"] => Ok(Limit::Free),
        ["terms", number] => {
            let terms: NonZeroU32 = number.parse().map_err(|_| expected())?;
            if hierarchy.kind().is_ordered() && terms > NonZeroU32::MIN {
                return Err("a range is one term; type borders and a level, or terms 1 for labels".to_owned());
            }
            Ok(Limit::Terms(terms))
        }
        ["borders", number] => {
            let level = Level(number.parse().map_err(|_| expected())?);
            if problem.finest(attribute) > hierarchy.base() {
                let wrong = "`levels` of the project permits labels only, so there are no ranges; remove `levels` first";
                return Err(wrong.to_owned());
            }
            let mut borders = vec![None; problem.quasi().len()];
            borders[attribute] = Some(level);
            problem.with_borders(&borders).map_err(|error| error.to_string())?;
            Ok(Limit::Borders(level))
        }
        _ => Err(expected()),
    }
}
