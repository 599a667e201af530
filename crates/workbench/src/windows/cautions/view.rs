//! Draws the cautions, the severe ones first.
//!
//! ```text
//! ╭ cautions of n2: 3 cautions, 1 severe: lines 1 to 20 of 24, j and k scroll, others close ╮
//! │ Each of the 20,000 people is a member with a probability of at most 10 %.               │
//! │                                                                                         │
//! │ ✗ betrays:birthdate   severe: answer it before the export                               │
//! │   `birthdate` gives `age` away: …                                                       │
//! │   → Withhold the column, or …                                                           │
//! ```

use ratatui::layout::Rect;

use super::state::{CautionList, Subject};
use crate::kit::page::Page;
use crate::kit::window;
use crate::shared::caution_lines;
use crate::shared::state::Shared;
use crate::shared::view::recipe_name;

/// Draws the cautions over the screen.
pub(crate) fn render(page: &mut Page, area: Rect, shared: &Shared, list: &CautionList) {
    let theme = page.theme;
    let columns = window::columns(area);
    let mut lines = Vec::new();
    let paragraph = |sentence: &str, style| caution_lines::paragraph("", sentence, style, columns);
    let (name, known) = match &list.subject {
        Subject::Here => (shared.recipe_name(), shared.cautions_here()),
        Subject::Pointed(recipe, release) => {
            (recipe_name(recipe, shared.delta()), shared.cautions_of(Some((recipe, release))))
        }
        Subject::Nothing(why) => {
            lines.extend(paragraph(&format!("No release is under the cursor: {why}."), theme.warning()));
            ("the project".to_owned(), shared.cautions_of(None))
        }
    };
    let title = match known {
        None => {
            lines.extend(paragraph("They are being counted: T is read again.", theme.warning()));
            "cautions".to_owned()
        }
        Some(Err(why)) => {
            lines.extend(paragraph(&format!("They cannot be counted: {why}"), theme.bad()));
            "cautions".to_owned()
        }
        Some(Ok(shown)) => {
            if let Some(headline) = &shown.headline {
                lines.extend(paragraph(headline, theme.strong()));
            } else {
                let sentence =
                    "These are the project's cautions. Those of a release are counted once its classes are.";
                lines.extend(paragraph(sentence, theme.faint()));
            }
            lines.extend(caution_lines::lines(theme, &shown.cautions, columns));
            format!("{name}: {}", shown.summary())
        }
    };
    window::render(page, area, (&title, theme.strong()), lines, list.scroll.row);
}
