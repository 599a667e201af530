//! Draws the fields with what they would give, the advisor in one line, and the curve below or beside them.
//!
//! ```text
//! ─ what we promise ──────────────────────────── on node 3,2,2 it would give ─
//! ▸δmax          10 %                     ✓ highest 10.0 %
//!  δmin          0 %                        9,864 people certainly not in T
//!  k             3 (now –)                ✗ 57 of 302 classes have fewer
//!  reason        board of 12 May
//!  advisor       prior 4 %  misuse 6 %  down –  cost 1   → δmax 9.7 %
//!  not enforced                           ✗ 57 of 302 classes would fail; w writes it
//! ─ loss over δmax ─────────────────────────────────── q simulatable  B best ─
//! ```

use palmtop_core::model::Presence;
use palmtop_release::caution::typed;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::curve_view::CurveView;
use super::field::{Field, Page};
use super::state::PolicyScreen;
use crate::kit::hits::Target;
use crate::kit::layout::WIDE;
use crate::kit::page::Page as Canvas;
use crate::kit::rule::rule;
use crate::kit::symbols::Marks;
use crate::kit::text;
use crate::kit::theme::{Theme, sign};
use crate::shared::screen::Sight;

/// The width of the names.
const NAMES: usize = 14;
/// The least width of the values.
const LEAST_VALUE: usize = 8;

/// Draws the screen.
pub(super) fn render(page: &mut Canvas, area: Rect, sight: Sight<'_, PolicyScreen>, marks: Marks) {
    let form = Form { theme: page.theme, sight };
    let curve = CurveView::of(page.theme, sight, marks);
    if sight.screen.is_large {
        curve.render_large(page, area);
        return;
    }
    if area.width >= WIDE {
        let halves = Layout::horizontal([Constraint::Fill(1), Constraint::Fill(1)]).spacing(2);
        let [left, right] = halves.areas(area);
        form.render_both(page, left);
        curve.render_large(page, right);
        return;
    }
    let below = form.render(page, area, sight.screen.page);
    if sight.screen.page == Page::Promise {
        curve.render(page, below);
    }
}

/// The fields of both pages.
struct Form<'a> {
    theme: Theme,
    sight: Sight<'a, PolicyScreen>,
}

impl Form<'_> {
    /// Draws both pages, or the open one if there is no room for both.
    fn render_both(&self, page: &mut Canvas, area: Rect) {
        let lines: usize = [Page::Promise, Page::Report]
            .map(|page| self.lines(page, usize::from(area.width)).len())
            .iter()
            .sum();
        if lines < usize::from(area.height) {
            let below = self.render(page, area, Page::Promise);
            let below = Rect { y: below.y + 1, height: below.height.saturating_sub(1), ..below };
            self.render(page, below, Page::Report);
        } else {
            self.render(page, area, self.sight.screen.page);
        }
    }

    /// Draws a page; returns the area below it.
    fn render(&self, page: &mut Canvas, area: Rect, of: Page) -> Rect {
        let lines = self.lines(of, usize::from(area.width));
        for (field, y) in of.fields().iter().zip(area.y + 1..area.bottom()) {
            if !field.is_advisor() {
                page.hits.note(Rect { y, height: 1, ..area }, Target::Row(*field as usize));
            }
        }
        let rows = u16::try_from(lines.len()).unwrap_or(area.height);
        page.render_widget(Paragraph::new(lines), area);
        let [_, below] = Layout::vertical([Constraint::Length(rows), Constraint::Fill(1)]).areas(area);
        below
    }

    fn lines(&self, of: Page, width: usize) -> Vec<Line<'static>> {
        let fields = || of.fields().iter().copied().filter(|field| !field.is_advisor());
        let room = width.saturating_sub(NAMES + 1);
        let widest = fields().map(|field| text::width(&self.effect(field).0)).max().unwrap_or(0);
        let values = (room * 2 / 5).min(room.saturating_sub(widest)).max(LEAST_VALUE);
        let mut lines = vec![self.heading(of, width)];
        lines.extend(fields().map(|field| self.line(field, room, values)));
        if of == Page::Promise {
            lines.push(self.advisor(width));
            lines.extend(self.pending(width));
        }
        lines
    }

    fn heading(&self, of: Page, width: usize) -> Line<'static> {
        let (shared, is_open) = (self.sight.shared, of == self.sight.screen.page);
        match of {
            Page::Promise => {
                let remark = match shared.current_view() {
                    Some(view) => format!("on {} it would give", view.name()),
                    None => "still being counted".to_owned(),
                };
                let total = shared.problem.total();
                let (members, people) = (text::count(total.private), text::count(total.public));
                let heading = format!("T is {members} of P's {people}: {}", text::upper(total.presence()));
                rule(self.theme, &heading, &remark, width, is_open)
            }
            Page::Report => {
                let turn = shared.key("policy.page");
                let turn = if is_open { format!("{turn} goes back") } else { turn };
                rule(self.theme, "what the report states", &turn, width, is_open)
            }
        }
    }

    /// A field: its name, its text, and what it would give. A field without an effect has the whole line.
    fn line(&self, field: Field, room: usize, values: usize) -> Line<'static> {
        let screen = self.sight.screen;
        let is_active = screen.field() == field;
        let style = if is_active { self.theme.strong() } else { Style::new() };
        let name = format!("{}{}", if is_active { "▸" } else { " " }, text::fit(field.name(), NAMES));
        let (words, effect_style) = self.effect(field);
        let value = self.value(field);
        let value_room =
            if words.is_empty() { room } else { values.max(text::width(&value).min(room / 2) + 1) };
        Line::from(vec![
            Span::styled(name, style),
            Span::styled(text::fit(&value, value_room), style),
            Span::styled(text::fit(&words, room.saturating_sub(value_room)), effect_style),
        ])
    }

    /// The text of a field, and what holds now if that is something else.
    fn value(&self, field: Field) -> String {
        let screen = self.sight.screen;
        let or_dash = |text: &str| if text.is_empty() { "–".to_owned() } else { text::safe(text) };
        let (typed, now) = (screen.draft.text(field), screen.taken.text(field));
        let is_shown = typed == now || matches!(field, Field::Reason) || screen.page == Page::Report;
        if is_shown { or_dash(typed) } else { format!("{} (now {})", or_dash(typed), or_dash(now)) }
    }

    fn effect(&self, field: Field) -> (String, Style) {
        let screen = self.sight.screen;
        if let Some(why) = screen.draft.wrong(field) {
            return (format!("✗ {why}"), self.theme.bad());
        }
        match screen.outlook.effect(field) {
            // An older answer says nothing of what is typed now.
            _ if screen.counting.is_open() => ("…".to_owned(), self.theme.faint()),
            None => (String::new(), Style::new()),
            Some(effect) => match effect.kept {
                Some(kept) => (format!("{} {}", sign(kept), effect.words), self.theme.kept(kept)),
                None => (format!("  {}", effect.words), self.theme.faint()),
            },
        }
    }

    /// The four fields of the advisor, and its advice.
    fn advisor(&self, width: usize) -> Line<'static> {
        let screen = self.sight.screen;
        let mut spans = vec![Span::raw(format!(" {}", text::fit("advisor", NAMES)))];
        for field in [Field::Prior, Field::Misuse, Field::MisuseDown, Field::Cost] {
            let is_active = screen.field() == field;
            let shown = screen.draft.text(field);
            let shown = if shown.is_empty() { "–".to_owned() } else { text::safe(shown) };
            let mark = if is_active { "▸" } else { "" };
            let style = if is_active { self.theme.strong() } else { Style::new() };
            spans.push(Span::styled(format!("{mark}{} {shown}  ", field.name()), style));
        }
        let used: usize = spans.iter().map(|span| text::width(&span.content)).sum();
        let (words, style) = match screen.draft.advice(&self.sight.shared.problem) {
            None => (String::new(), self.theme.faint()),
            Some(Err(why)) => (format!("✗ {why}"), self.theme.bad()),
            Some(Ok(advice)) => {
                let delta = advice.in_two_digits();
                let max = format!("→ δmax {}", typed(delta.max()));
                let min = format!(", δmin {}", typed(delta.min()));
                let is_one_sided = delta.min() == Presence::ZERO;
                (if is_one_sided { max } else { max + &min }, self.theme.strong())
            }
        };
        spans.push(Span::styled(text::fit(&words, width.saturating_sub(used)), style));
        Line::from(spans)
    }

    /// What all fields would give together, if that is not what is enforced or written.
    fn pending(&self, width: usize) -> Option<Line<'static>> {
        let Sight { shared, screen } = self.sight;
        let is_draft = screen.draft != screen.taken;
        if !is_draft && screen.draft.settings(shared.analysis.project()).is_empty() {
            return None;
        }
        let write = shared.key("policy.write");
        let name = if is_draft { "not enforced" } else { "not written" };
        let (words, style) = match &screen.outlook.together {
            _ if screen.counting.is_open() => ("…".to_owned(), Style::new()),
            None => (format!("{write} writes it"), Style::new()),
            Some(Err(why)) => (format!("✗ {why}"), self.theme.bad()),
            Some(Ok(summary)) => {
                let broken = summary.violations();
                let classes = text::counted(summary.classes, "class", "classes");
                let words = format!(
                    "{} {} of {classes} would fail; {write} writes it",
                    sign(broken == 0),
                    text::count(broken)
                );
                (words, self.theme.kept(broken == 0))
            }
        };
        Some(Line::from(vec![
            Span::styled(format!(" {}", text::fit(name, NAMES)), self.theme.warning()),
            Span::styled(text::fit(&words, width.saturating_sub(NAMES + 1)), style),
        ]))
    }
}
