//! Draws the dialog of δ: the two bounds, the verdict that they would give, and the advisor.
//!
//! ```text
//! ╭ δ ─────────────────────────────────────────────────────────╮
//! │ |T|/|P|        800/20,000 = 1/25 = .0400                   │
//! │ δmin           0▏                                          │
//! │ δmax           1/10                                        │
//! │ would give     ✗ 12 of 341 classes broken                  │
//! │ ─ advisor ──────────────────────────────────────────────── │
//! │ prior          0.07                                        │
//! │ advised δmax 39/775  0.05032  belief afterwards at most …  │
//! ```

use palmtop_core::model::Advice;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Paragraph};

use super::state::{DeltaDialog, Field};
use crate::kit::layout::{centred, clear_for_window};
use crate::kit::page::Page;
use crate::kit::rule::rule;
use crate::kit::text;
use crate::kit::theme::{Theme, sign};
use crate::shared::state::Shared;

/// The width of the names.
const NAMES: usize = 14;
/// The width of a field.
const FIELD: usize = 20;

/// An example of the advisor's fields.
const EXAMPLE: &str = "Example: all of T are treated for an addiction. 7% of P are believed to have one: prior 0.07. A release may raise that belief \
     about nobody above 8%: misuse 0.01 at cost 1. At cost 2 a misuse of 0.01 lets it rise half as far, to 7.5%.";

/// The warning about a δ that was chosen on a chart of losses; docs/choosing-delta.md has the reasons.
const FROM_RESULTS: &str = "Do not choose δ by what releases lose: an analyst who raises δ until the loss pleases has no δ. Give a reason that holds without the chart.";

/// What `^W` writes: the workbench sets δ alone, no other criterion.
const WRITTEN: &str = "^W writes δ alone; k, l, t and the rest of [policy] are set in the project.";

/// Draws the dialog over the screen.
pub(crate) fn render(page: &mut Page, area: Rect, shared: &Shared, dialog: &DeltaDialog) {
    let theme = page.theme;
    let width = 90.min(area.width.saturating_sub(2));
    let inner_width = usize::from(width.saturating_sub(2));
    let block = Block::bordered()
        .border_type(BorderType::Rounded)
        .border_style(theme.strong())
        .title(" δ: Tab next field · Enter takes it · ^W into the project · F1 keys ");
    let width = inner_width;
    let total = shared.problem.total();
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
    let bounds = [Field::Min, Field::Max].into_iter();
    lines.extend(bounds.map(|field| field_line(theme, dialog, field, width)));
    lines.push(outlook(theme, shared, dialog, width));
    lines.push(Line::styled(text::fit(&format!(" {WRITTEN}"), width), theme.faint()));
    lines.push(rule(theme, "advisor", "^T takes what it says", width, false));
    let advised = [Field::Prior, Field::Misuse, Field::MisuseDown, Field::Cost];
    lines.extend(advised.map(|field| field_line(theme, dialog, field, width)));
    lines.extend(advice(theme, shared, dialog, width));
    lines.push(Line::raw(""));
    lines.push(field_line(theme, dialog, Field::Reason, width));
    if dialog.is_from_results {
        let wrapped = text::wrap(FROM_RESULTS, width.saturating_sub(2));
        lines.extend(wrapped.into_iter().map(|line| Line::styled(format!(" {line}"), theme.warning())));
    }
    // If there is no room for both, the advice comes before the example.
    let example = faint(theme, EXAMPLE, width);
    if dialog.refused.is_none() && lines.len() + example.len() + 2 <= usize::from(area.height) {
        lines.extend(example);
    }
    // The advisor has already shown its own error.
    let is_new = |why: &&String| {
        dialog.advice(&shared.problem).is_none_or(|advice| advice.err().as_ref() != Some(*why))
    };
    if let Some(refused) = dialog.refused.as_ref().filter(is_new) {
        let wrapped = text::wrap(refused, width.saturating_sub(2));
        lines.extend(wrapped.into_iter().map(|line| Line::styled(format!(" {line}"), theme.bad())));
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

/// The verdict of the current recipe under the typed δ.
fn outlook(theme: Theme, shared: &Shared, dialog: &DeltaDialog, width: usize) -> Line<'static> {
    let (sentence, style) = match (dialog.delta(), shared.current_view()) {
        // The reason appears in full below.
        (Err(why), _) if dialog.refused.as_ref() == Some(&why) => ("nothing".to_owned(), theme.bad()),
        (Err(why), _) => (why, theme.bad()),
        (Ok(_), None) => ("still being counted".to_owned(), theme.faint()),
        (Ok(delta), Some(view)) => {
            let broken = view.measured.broken(shared.problem.with_delta(delta).policy());
            let sentence = format!(
                "{} {} of {} broken at {}",
                sign(broken == 0),
                text::count(broken),
                text::counted(view.summary.classes, "class", "classes"),
                view.name()
            );
            (sentence, theme.kept(broken == 0))
        }
    };
    Line::from(vec![
        Span::raw(format!(" {:<NAMES$}", "it would give")),
        Span::styled(text::fit(&sentence, width.saturating_sub(NAMES + 1)), style),
    ])
}

/// The lines of the advice.
fn advice(theme: Theme, shared: &Shared, dialog: &DeltaDialog, width: usize) -> Vec<Line<'static>> {
    match dialog.advice(&shared.problem) {
        None => {
            let sentence = "All of T have something in common. From how likely somebody of P is believed to have it, and by how much \
                        the release may change that belief, this finds δ (paper, section 4).";
            faint(theme, sentence, width)
        }
        Some(Err(why)) => text::wrap(&why, width.saturating_sub(2))
            .into_iter()
            .map(|line| Line::styled(format!(" {line}"), theme.bad()))
            .collect(),
        Some(Ok(advice)) => advised(theme, &advice, dialog, width),
    }
}

/// The advised δ and the belief afterwards, in decimals rounded to the safe side, and in words.
fn advised(theme: Theme, advice: &Advice, dialog: &DeltaDialog, width: usize) -> Vec<Line<'static>> {
    let (delta, prior) = (advice.delta(), dialog.text(Field::Prior));
    let (least, most) = advice.beliefs();
    let (min_decimal, max_decimal) = delta.decimals();
    let (min, max) = (delta.min().to_string(), delta.max().to_string());
    let digits = min.len().max(max.len()).min(FIELD);
    let mut sentences = vec![
        format!("advised δmin {min:<digits$}  {min_decimal}  belief afterwards at least {least}"),
        format!("advised δmax {max:<digits$}  {max_decimal}  belief afterwards at most {most}"),
    ];
    if advice.is_rounded() {
        sentences.push("rounded to 18 decimals, towards the stricter side".to_owned());
    }
    let style = theme.good().patch(theme.strong());
    let styled =
        sentences.into_iter().map(|sentence| Line::styled(text::fit(&format!(" {sentence}"), width), style));
    let mut lines: Vec<Line> = styled.collect();
    let words = if dialog.text(Field::MisuseDown).is_empty() {
        format!(
            "Whoever sees the release believes of nobody more than {most} that they have what T has in common, {prior} before; \
             about some it may fall to {least}, which a misuse down bounds."
        )
    } else {
        format!(
            "Whoever sees the release believes of everybody in P that they have what T has in common with {least} to {most}; \
             {prior} before."
        )
    };
    lines.extend(
        text::wrap(&words, width.saturating_sub(2)).into_iter().map(|line| Line::raw(format!(" {line}"))),
    );
    lines
}

fn faint(theme: Theme, sentence: &str, width: usize) -> Vec<Line<'static>> {
    let lines = text::wrap(sentence, width.saturating_sub(2)).into_iter();
    lines.map(|line| Line::styled(format!(" {line}"), theme.faint())).collect()
}
