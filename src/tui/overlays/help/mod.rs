//! The help: the keys of the open screen, then those that hold everywhere, then how to read what is seen.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Paragraph};

use crate::tui::app::App;
use crate::tui::app::commands::{self, Binding};
use crate::tui::kit::layout::{centred, clear_for_window};
use crate::tui::kit::name::ScreenName;
use crate::tui::kit::rehearsal::may_break;
use crate::tui::kit::text;

/// The column of the keys.
const KEYS: usize = 13;

/// Draws the help over the screen, from this row on.
pub(crate) fn render(frame: &mut Frame, area: Rect, app: &App, screen: ScreenName, row: usize) {
    may_break("screen");
    let theme = app.settings.theme;
    let columns = if area.width >= 130 { 2 } else { 1 };
    let width = if columns == 2 { 150 } else { 84 };
    let area = centred(area, width, area.height);
    let inner_width = usize::from(area.width.saturating_sub(2)) / columns;
    let line = |(place, binding): (usize, &'static Binding)| {
        let keys = app.settings.keymap.written(place);
        Line::from(vec![
            Span::styled(format!(" {}", text::fit(&keys, KEYS)), theme.accent().patch(theme.strong())),
            Span::raw(text::fit(binding.long, inner_width.saturating_sub(KEYS + 1))),
        ])
    };
    let heading = |said: String| Line::styled(text::fit(&format!(" {said}"), inner_width), theme.strong());
    let mut own = vec![heading(format!("on this screen: {}", screen.word()))];
    own.extend(commands::on_screen(screen).filter(|(_, binding)| binding.screen.is_some()).map(line));
    let mut all = vec![heading("everywhere".to_owned())];
    all.extend(commands::on_screen(screen).filter(|(_, binding)| binding.screen.is_none()).map(line));
    own.push(Line::raw(""));
    let said = legend(screen).iter().flat_map(|said| text::wrap(said, inner_width.saturating_sub(2)));
    own.extend(said.map(|line| Line::styled(format!(" {line}"), theme.faint())));
    let blocks = if columns == 2 {
        vec![own, all]
    } else {
        own.push(Line::raw(""));
        own.extend(all);
        vec![own]
    };
    let longest = blocks.iter().map(Vec::len).max().unwrap_or(0);
    let height = u16::try_from(longest + 2).unwrap_or(u16::MAX).min(area.height);
    let area = centred(area, area.width, height);
    let room = usize::from(height.saturating_sub(2));
    let first = row.min(longest.saturating_sub(room));
    let title = if longest > room {
        " keys: j and k scroll, any other key closes "
    } else {
        " keys: any key closes "
    };
    let block = Block::bordered().border_type(BorderType::Rounded).border_style(theme.strong()).title(title);
    let inner = block.inner(area);
    clear_for_window(frame, area);
    frame.render_widget(block, area);
    for (column, lines) in (0..).zip(blocks) {
        let column_width = inner.width / u16::try_from(columns).unwrap_or(1);
        let part = Rect { x: inner.x + column * column_width, width: column_width, ..inner };
        frame.render_widget(Paragraph::new(lines.into_iter().skip(first).collect::<Vec<_>>()), part);
    }
}

/// How to read a screen, and what to do on it.
fn legend(screen: ScreenName) -> &'static [&'static str] {
    match screen {
        ScreenName::Workbench => &[
            "A class is everybody who looks the same in the release. Its presence is the share of them who are in T: δ bounds \
             it. ✓ kept, ✗ broken, ▲ over δmax, ▼ under δmin. Loss is 0 for the table as it is and 1 where all is *.",
            "Make attributes coarser until all is ✓, or let a search do it; then export. A node is a level for each attribute.",
        ],
        ScreenName::Classes => &[
            "Below the table, the class under the cursor: who it is made of, how far it is out, and what would mend it.",
            "In a filter, zip:479 has that text, sex=male is exactly that.",
        ],
        ScreenName::Lattice => &[
            "A row a height, the coarsest on top; less loss to the left.",
            "● keeps δ, checked   ○ keeps δ, implied by a finer one",
            "× breaks δ, checked  · breaks δ, implied   ? open   ◑ some of each",
            "◆ the workbench   ★ least loss of all known to keep δ",
        ],
        ScreenName::Searches => &[
            "spalm: the best node. n, p, b: regions, by how a column is chosen; 1, 2, 3: by where it is cut. best: the least \
             loss that we can find. k-optimal and mondrian do not look at δ: for comparison.",
            "The bar in a cell is the loss of what was found.",
        ],
        ScreenName::Compare => &[
            "★ is best among those that keep δ. Below: against the base, in words.",
            "Least possible: no release without overlaps that keeps δ and publishes every member loses less. Loss geometric: \
             the mean of 1 + loss by multiplication, less 1: Π(1 + loss)^(1/m) − 1 for m attributes. Discernibility: how many people each person looks like, summed. Precision: how far from * \
             the levels are.",
        ],
        ScreenName::TradeOff => &["Each letter is what a search loses if δmax is what stands below it."],
        ScreenName::Hierarchies => &[
            "Each label with its people in T (private) and in P (public); those at the level of now have a ◆. Labels that \
             nobody in P has are faint.",
        ],
        ScreenName::Tables => &[
            "T, P, and the release as it would be written. Identifiers, sensitive values and unused columns are hidden until \
             you ask for them, and again when you leave. Rows are never copied.",
        ],
    }
}
