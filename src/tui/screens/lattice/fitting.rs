//! Words as far as there is room for them.

use ratatui::text::{Line, Span};

use crate::tui::kit::text;

/// A name of at most so many columns. Where these are few, its beginning says more without a mark that it is cut.
pub(crate) fn short(name: &str, columns: usize) -> String {
    let name = text::safe(name);
    if text::width(&name) <= columns {
        name
    } else if columns <= 4 {
        text::fit(&name, columns + 1).trim_end_matches([' ', '…']).to_owned()
    } else {
        text::fit(&name, columns)
    }
}

/// The first of some forms of a line that fits, else the last; the longest comes first.
pub(crate) fn first_that_fits(
    forms: impl IntoIterator<Item = Vec<Span<'static>>>,
    width: usize,
) -> Line<'static> {
    let mut last = Line::default();
    for form in forms {
        last = Line::from(form);
        if last.width() <= width {
            break;
        }
    }
    last
}
