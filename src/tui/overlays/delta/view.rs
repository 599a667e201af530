//! δ at hand: the two bounds as they are typed, the verdict that they would give, and the advisor below.
//!
//! ```text
//! ╭ δ ─────────────────────────────────────────────────────────╮
//! │ |T|/|P|        800/20,000 = 1/25 = .0400                   │
//! │ δmin           0▏                                          │
//! │ δmax           1/10                                        │
//! │ would give     ✗ 12 of 341 classes broken                  │
//! │ ─ advisor ──────────────────────────────────────────────── │
//! ```

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Paragraph};

use super::state::{DeltaDialog, Field};
use crate::tui::kit::layout::{centred, clear_for_window};
use crate::tui::kit::page::Page;
use crate::tui::kit::rule::rule;
use crate::tui::kit::text;
use crate::tui::kit::theme::{Theme, sign};
use crate::tui::shared::state::Shared;

/// The column of the names.
const NAMES: usize = 14;
/// How wide a field is.
const FIELD: usize = 20;

/// Draws it over the screen.
pub(crate) fn render(page: &mut Page, area: Rect, shared: &Shared, dialog: &DeltaDialog) {
    let theme = page.theme;
    let width = 90.min(area.width.saturating_sub(2));
    let inner_width = usize::from(width.saturating_sub(2));
    let block = Block::bordered()
        .border_type(BorderType::Rounded)
        .border_style(theme.strong())
        .title(" δ: Tab next field · Enter takes it · Esc closes ");
    let width = inner_width;
    let total = shared.problem.histogram().total();
    let share = total.presence();
    let mut lines = vec![Line::raw(text::fit(
        &format!(
            " {:<NAMES$}{}/{} = {share} = {:.5}   δ must lie around it",
            "|T|/|P|",
            text::count(total.private),
            text::count(total.public),
            share.to_f64()
        ),
        width,
    ))];
    lines.extend([Field::Min, Field::Max].map(|field| field_line(theme, dialog, field, width)));
    lines.push(outlook(theme, shared, dialog, width));
    lines.push(Line::raw(""));
    lines.push(rule(theme, "advisor", "^T takes what it says", width, false));
    let advised = [Field::Prior, Field::Misuse, Field::MisuseDown, Field::Cost];
    lines.extend(advised.map(|field| field_line(theme, dialog, field, width)));
    lines.extend(advice(theme, shared, dialog, width));
    if let Some(refused) = &dialog.refused {
        let said = text::wrap(refused, width.saturating_sub(2));
        lines.extend(said.into_iter().map(|line| Line::styled(format!(" {line}"), theme.bad())));
    }
    let height = u16::try_from(lines.len() + 2).unwrap_or(u16::MAX);
    let area = centred(area, u16::try_from(width + 2).unwrap_or(u16::MAX), height);
    clear_for_window(page, area);
    page.render_widget(Paragraph::new(lines).block(block), area);
}

fn field_line(theme: Theme, dialog: &DeltaDialog, field: Field, width: usize) -> Line<'static> {
    let (name, meaning) = field.words();
    let active = dialog.field == field;
    let shown = dialog.fields[field as usize].shown(FIELD, active);
    let mark = if active { "▸" } else { " " };
    let style = if active { theme.strong() } else { ratatui::style::Style::new() };
    Line::from(vec![
        Span::styled(format!("{mark}{name:<NAMES$}"), style),
        Span::styled(text::fit(&shown, FIELD + 1), style),
        Span::styled(text::fit(meaning, width.saturating_sub(NAMES + FIELD + 2)), theme.faint()),
    ])
}

/// What the typed δ would make of what is on the workbench.
fn outlook(theme: Theme, shared: &Shared, dialog: &DeltaDialog, width: usize) -> Line<'static> {
    let (said, style) = match (dialog.delta(&shared.problem), shared.current_view()) {
        (Err(why), _) => (why, theme.bad()),
        (Ok(_), None) => ("still being counted".to_owned(), theme.faint()),
        (Ok(delta), Some(view)) => {
            let broken = view.measured.broken(shared.problem.with_delta(delta).policy());
            let said = format!(
                "{} {} of {} broken at {}",
                sign(broken == 0),
                text::count(broken),
                text::counted(view.summary.classes, "class", "classes"),
                view.name()
            );
            (said, theme.kept(broken == 0))
        }
    };
    Line::from(vec![
        Span::raw(format!(" {:<NAMES$}", "it would give")),
        Span::styled(text::fit(&said, width.saturating_sub(NAMES + 1)), style),
    ])
}

/// What the advisor says.
fn advice(theme: Theme, shared: &Shared, dialog: &DeltaDialog, width: usize) -> Vec<Line<'static>> {
    let said = match dialog.advice(&shared.problem) {
        None => {
            let said = "From how likely it is beforehand that somebody of P has what all of T has, and by how much the release may \
                        change that belief, it finds the δ that allows no more (paper, section 4).";
            return faint(theme, said, width);
        }
        Some(Err(why)) => {
            return text::wrap(&why, width.saturating_sub(2))
                .into_iter()
                .map(|line| Line::styled(format!(" {line}"), theme.bad()))
                .collect();
        }
        Some(Ok(advice)) => {
            let delta = advice.delta();
            let rounded = if advice.is_rounded() { ", rounded towards safety" } else { "" };
            format!(
                "advised: δmin {} ({:.5})   δmax {} ({:.5}){rounded}",
                delta.min(),
                delta.min().to_f64(),
                delta.max(),
                delta.max().to_f64()
            )
        }
    };
    vec![Line::styled(text::fit(&format!(" {said}"), width), theme.good().patch(theme.strong()))]
}

fn faint(theme: Theme, said: &str, width: usize) -> Vec<Line<'static>> {
    let lines = text::wrap(said, width.saturating_sub(2)).into_iter();
    lines.map(|line| Line::styled(format!(" {line}"), theme.faint())).collect()
}
