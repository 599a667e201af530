//! The lines that the analyst types for the table of classes: a text to find, and a filter.

use palmtop_release::listing::Filter;

use super::state::Deed;
use crate::shared::component::TypedLine;
use crate::shared::intent::{Edit, Intent, Purpose, Question, Stage};
use crate::shared::state::Shared;

/// Asks for a text to find.
pub(crate) fn find() -> Intent {
    let (word, hint) = ("find", "a value that a label covers, or part of a label");
    let question = Question { purpose: Purpose::Find, word, hint, text: String::new() };
    Intent::Many(vec![Intent::Edit(Edit::Classes(Deed::BeginFind)), Intent::Ask(question)])
}

/// Asks for a filter.
pub(crate) fn filter(shared: &Shared) -> Intent {
    let hint = "presence>.4  private>=10  zip:089 (has)  sex=male (is)  over  under  ok  !not";
    let text = shared.classes.filter_text.clone();
    Intent::Ask(Question { purpose: Purpose::Filter, word: "filter", hint, text })
}

/// Takes a typed text or filter. The cursor goes back after the analyst gave up a text to find.
/// # Errors
/// The filter cannot be read, or no classes are there yet.
pub(crate) fn typed(shared: &Shared, line: TypedLine) -> Result<Intent, String> {
    let TypedLine { purpose, text: typed, stage } = line;
    let parsed = |text: &str| Filter::parse(text, &shared.problem).map_err(|error| error.to_string());
    let deed = match purpose {
        Purpose::Find if stage == Stage::GivenUp => Deed::EndFind,
        _ if stage == Stage::GivenUp => return Ok(Intent::None),
        Purpose::Open
        | Purpose::Anew
        | Purpose::Line
        | Purpose::Draft
        | Purpose::Private
        | Purpose::Public
        | Purpose::Target
        | Purpose::DeltaMax => return Ok(Intent::None),
        Purpose::Filter => Deed::Filter(parsed(typed)?, typed.to_owned()),
        Purpose::Find | Purpose::FindOnEnter if typed.trim().is_empty() => Deed::Find(None),
        Purpose::Find | Purpose::FindOnEnter => {
            shared.current_view().ok_or_else(|| shared.why_no_view())?;
            let quoted = format!("\"{}\"", typed.trim().replace('"', ""));
            Deed::Find(Some((parsed(&quoted)?, typed.to_owned())))
        }
    };
    Ok(Intent::Edit(Edit::Classes(deed)))
}

/// Why no next match exists.
pub(crate) fn why_not_again(shared: &Shared) -> Option<String> {
    shared.classes.search.is_none().then(|| "find something first".to_owned())
}
