//! The lines that the analyst types for the table of classes: a text to find, and a filter.

use palmtop_release::listing::Filter;

use super::state::Deed;
use crate::shared::component::TypedLine;
use crate::shared::intent::{Edit, Intent, Manner, Question, Stage};
use crate::shared::state::Shared;

/// The line of a text to find.
const FIND: &str = "classes.find";
/// The line of a filter.
const FILTER: &str = "classes.filter";

/// Asks for a text to find.
pub(crate) fn find() -> Intent {
    let (word, hint) = ("find", "a value that a label covers, or part of a label");
    let question = Question { id: FIND, manner: Manner::Followed, word, hint, text: String::new() };
    Intent::Many(vec![Intent::Edit(Edit::Classes(Deed::BeginFind)), Intent::Ask(question)])
}

/// Asks for a filter.
pub(crate) fn filter(shared: &Shared) -> Intent {
    let hint = "presence>.4  private>=10  zip:089 (has)  sex=male (is)  over  under  ok  !not";
    let text = shared.classes.filter_text.clone();
    Intent::Ask(Question { id: FILTER, manner: Manner::Followed, word: "filter", hint, text })
}

/// Takes a typed text or filter. After the analyst gave it up, the cursor and the filter are as before.
/// # Errors
/// The filter cannot be read, or no classes are there yet.
pub(crate) fn typed(shared: &Shared, line: TypedLine) -> Result<Intent, String> {
    let TypedLine { id, text: typed, stage } = line;
    let parsed = |text: &str| Filter::parse(text, &shared.problem).map_err(|error| error.to_string());
    let deed = match (id, stage) {
        (FIND, Stage::GivenUp) => Deed::EndFind,
        (FIND, _) if typed.trim().is_empty() => Deed::Find(None),
        (FIND, _) => {
            shared.current_view().ok_or_else(|| shared.why_no_view())?;
            let quoted = format!("\"{}\"", typed.trim().replace('"', ""));
            Deed::Find(Some((parsed(&quoted)?, typed.to_owned())))
        }
        (FILTER, Stage::GivenUp) if typed == shared.classes.filter_text => return Ok(Intent::None),
        (FILTER, _) => Deed::Filter(parsed(typed)?, typed.to_owned()),
        _ => return Ok(Intent::None),
    };
    Ok(Intent::Edit(Edit::Classes(deed)))
}

/// Why no next match exists.
pub(crate) fn why_not_again(shared: &Shared) -> Option<String> {
    shared.classes.search.is_none().then(|| "find something first".to_owned())
}
