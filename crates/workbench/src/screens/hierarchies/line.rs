//! The line at the foot of the hierarchies: the changes, and their effect.
//!
//! ```text
//!  ● nationality: 2 changes, not saved   node 0,0,2   ✗ 3 → 2 of 5 classes   loss .245 → .262   S saves  z takes back
//! ```

use ratatui::text::{Line, Span};

use super::editing::Editing;
use super::effect::Effect;
use super::state::HierarchyTree;
use crate::kit::text;
use crate::kit::theme::Theme;
use crate::shared::screen::Sight;

/// The line.
pub(super) fn line(theme: Theme, sight: Sight<'_, HierarchyTree>, width: usize) -> Line<'static> {
    let key = |id: &str| sight.shared.key(&format!("hierarchies.{id}"));
    let Some(editing) = &sight.screen.editing else {
        let (mark, change) = (key("mark"), key("change"));
        let sentence = format!("   unchanged   {mark} marks, {change} lists what can be done with a label");
        return Line::styled(text::fit(&sentence, width), theme.faint());
    };
    if let Some(Err(wrong)) = editing.of_draft() {
        return Line::styled(text::fit(&format!(" ✗ {}", text::safe(wrong)), width), theme.bad());
    }
    let (state, style) = state(theme, sight, editing);
    let effect = match (editing.effect(), editing.failure()) {
        (Some(effect), _) => effect_forms(effect),
        (None, Some(_)) => vec!["effect unknown".to_owned()],
        (None, None) if editing.is_counting() => vec!["… counting the effect".to_owned()],
        (None, None) => vec!["nothing is changed yet".to_owned()],
    };
    let node = format!("node {}   ", sight.shared.ground.node);
    let keys = if editing.history.is_changed() && editing.of_draft().is_none() {
        format!("   {} saves  {} takes back", key("save"), sight.shared.key("undo"))
    } else {
        String::new()
    };
    let room = width.saturating_sub(text::width(&state) + 3);
    let short = effect.last().cloned().unwrap_or_default();
    let full = effect.first().cloned().unwrap_or_default();
    let forms = [format!("{node}{full}{keys}"), format!("{node}{full}"), full, short];
    let sentence = text::longest_that_fits(&forms, room);
    let rest = text::fit(&format!("   {sentence}"), width.saturating_sub(text::width(&state)));
    Line::from(vec![Span::styled(state, style), Span::raw(rest)])
}

/// The number of changes, and whether they are saved; while borders are typed, the changes that
/// have to follow.
fn state(
    theme: Theme,
    sight: Sight<'_, HierarchyTree>,
    editing: &Editing,
) -> (String, ratatui::style::Style) {
    let name = text::safe(&sight.shared.problem.quasi()[editing.attribute].name);
    match editing.of_draft() {
        Some(Ok(followed)) if followed.is_empty() => (" these borders".to_owned(), theme.accent()),
        Some(Ok(followed)) => (format!(" {}", text::safe(&followed)), theme.warning()),
        _ if !editing.history.is_changed() => {
            let marked = sight.screen.marks.labels.len();
            let marked = if marked == 0 { "no change".to_owned() } else { format!("{marked} marked") };
            (format!("   {name}: {marked}"), theme.faint())
        }
        _ => {
            let changes = text::counted(editing.history.changes(), "change", "changes");
            (format!(" ● {name}: {changes}, not saved"), theme.warning())
        }
    }
}

/// Violations and loss before and after, in forms that take less and less room.
fn effect_forms(effect: Effect) -> Vec<String> {
    let Effect { before, after } = effect;
    let broken = format!("✗ {} → {}", text::count(before.violations), text::count(after.violations));
    let loss = format!("loss {} → {}", text::loss(before.loss), text::loss(after.loss));
    let classes = format!("of {} → {} classes", text::count(before.classes), text::count(after.classes));
    vec![format!("{broken} {classes}   {loss}"), format!("{broken}   {loss}")]
}
