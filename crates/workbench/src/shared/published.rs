//! What a recipe publishes of each column of T: labels of a level, the values as they are, or nothing.

use palmtop_core::model::{Level, Role};
use palmtop_release::history::RecodingRecipe;
use palmtop_release::pipeline::{Analysis, rows};
use ratatui::text::Line;

use crate::kit::text;

/// The width of the names in front of lists.
pub(crate) const NAMES: usize = 11;

/// A list of columns with its name.
pub(crate) type Named = (&'static str, String);

/// The columns that are generalized, with their level and the coarsest one; those that stay as they are; and those that are
/// never published. A list without columns is left out.
pub(crate) fn columns(analysis: &Analysis, recipe: &RecodingRecipe) -> Vec<Named> {
    let of = |role| analysis.attributes_of(role);
    let mut lists = vec![
        ("published", generalized(analysis, recipe)),
        ("as it is", [of(Role::Sensitive), of(Role::Insensitive)].concat().join(", ")),
        (
            "never",
            [analysis.identifiers(), of(Role::Withheld), rows::unlisted_columns(analysis)]
                .concat()
                .join(", "),
        ),
    ];
    lists.retain(|(_, list)| !list.is_empty());
    lists
}

/// The quasi-identifiers, with `level/coarsest level` if one level holds for all rows.
fn generalized(analysis: &Analysis, recipe: &RecodingRecipe) -> String {
    let quasi = analysis.problem().quasi();
    let levels: Option<&[Level]> = match recipe {
        RecodingRecipe::Node(levels) => Some(levels),
        RecodingRecipe::Search(search) => search.node.as_deref(),
    };
    let named =
        quasi.iter().enumerate().map(|(index, quasi)| match levels.and_then(|levels| levels.get(index)) {
            Some(level) => format!("{} {}/{}", quasi.name, level.0, quasi.hierarchy.top().0),
            None => quasi.name.clone(),
        });
    let named = named.collect::<Vec<_>>().join(", ");
    if levels.is_some() { named } else { format!("{named}: by region") }
}

/// The lines of a list, at most so many, with its name before the first.
pub(crate) fn lines(name: &str, list: &str, (width, most): (usize, usize)) -> Vec<Line<'static>> {
    named(name, text::wrap_to(&text::safe(list), width.saturating_sub(NAMES + 2), most))
}

/// Lines with a name before the first.
pub(crate) fn named(name: &str, value: Vec<String>) -> Vec<Line<'static>> {
    let lines = value.into_iter().enumerate().map(|(row, line)| (if row == 0 { name } else { "" }, line));
    lines.map(|(name, line)| Line::raw(format!(" {name:<NAMES$}{line}"))).collect()
}
