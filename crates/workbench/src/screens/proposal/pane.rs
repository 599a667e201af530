//! The lower pane: the question of the row under the cursor, and its answers as a list.

use palmtop_core::progress::Progress;
use palmtop_proposal::{Ambiguity, Decision, SurveyStage};
use palmtop_tables::written::NO_VALUE;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::answers::{Answer, Answers};
use super::rows::TableRow;
use super::state::{ProposalScreen, Shown};
use super::update::{quoted, shown_name};
use crate::kit::hits::Target;
use crate::kit::layout::{cursor, first_row};
use crate::kit::page::Page;
use crate::kit::rule::rule;
use crate::kit::{bar, text};

/// How many answers have a digit.
const DIGITS: usize = 5;
/// The fewest lines of answers that a long question leaves.
const ANSWERS: usize = 4;

/// Draws the question under the cursor, or why a row that is done is as it is.
pub(super) fn render(page: &mut Page, area: Rect, screen: &ProposalScreen, shown: &Shown) {
    let rows = screen.rows();
    let Some(row) = rows.get(screen.cursor) else { return };
    let width = usize::from(area.width);
    let (question, answers) = (screen.question_of(row), screen.answers());
    let key = screen.key("proposal.examples");
    let does = if screen.shows_values { "hides" } else { "shows" };
    let keys = screen.attribute().map_or_else(String::new, |_| format!("{key} {does} values"));
    let style = if question.is_some() { page.theme.warning() } else { Style::new() };
    let mut lines = vec![rule(page.theme, &name(row), &keys, width, false)];
    let room = usize::from(area.height).saturating_sub(1 + answers.list.len().min(ANSWERS));
    let sentence = question.map_or_else(|| reason(row, shown), |open| asked(open, shown));
    let values = values_of(screen);
    let wrapped = text::wrap_to(&sentence, width.saturating_sub(2), room.saturating_sub(values.len()).max(1));
    lines.extend(wrapped.into_iter().map(|line| Line::styled(format!(" {line}"), style)));
    lines.extend(values.iter().map(|line| Line::raw(text::fit(line, width))));
    let top = lines.len();
    page.render_widget(Paragraph::new(lines), area);
    let rest = below(area, top);
    let used = render_answers(page, rest, screen, &answers);
    let notes = screen.notes_of(row).map(|note| format!("! {}: {}", note.what, note.remedy));
    let rest = below(rest, used);
    let mut lines: Vec<Line> = Vec::new();
    for note in notes {
        let room = usize::from(rest.height).saturating_sub(lines.len());
        let wrapped = text::wrap_to(&note, width.saturating_sub(2), room);
        lines.extend(wrapped.into_iter().map(|line| Line::raw(format!(" {line}"))));
    }
    page.render_widget(Paragraph::new(lines).style(page.theme.faint()), rest);
}

/// The area without its first lines.
fn below(area: Rect, lines: usize) -> Rect {
    let lines = text::columns(lines).min(area.height);
    Rect { y: area.y + lines, height: area.height - lines, ..area }
}

/// Draws the answers around the marked one; returns how many lines they take.
fn render_answers(page: &mut Page, area: Rect, screen: &ProposalScreen, answers: &Answers) -> usize {
    let theme = page.theme;
    let (count, room) = (answers.list.len(), usize::from(area.height));
    let marked = screen.marked(answers);
    let first = first_row(marked, room, count);
    let line = |(index, (label, _)): (usize, &(String, Answer))| {
        let style = if index == marked { theme.selected() } else { Style::new() };
        let number = if index < DIGITS { (index + 1).to_string() } else { " ".to_owned() };
        Line::from(vec![
            Span::raw(format!(" {}", cursor(index == marked, true))),
            Span::styled(format!("{number}  "), theme.accent()),
            Span::styled(text::fit(label, usize::from(area.width).saturating_sub(6)), style),
        ])
    };
    let lines: Vec<Line> = answers.list.iter().enumerate().skip(first).take(room).map(line).collect();
    let used = lines.len();
    page.hits.note_rows(Rect { height: text::columns(used), ..area }, (first..count).map(Target::Other));
    page.render_widget(Paragraph::new(lines), area);
    used
}

fn name(row: &TableRow) -> String {
    match row {
        TableRow::Attribute(attribute) => attribute.name.clone(),
        TableRow::People => "people".to_owned(),
        TableRow::Delta => "δ".to_owned(),
        TableRow::Unreadable(name) => (*name).to_owned(),
        TableRow::Unused(_) => "not used".to_owned(),
    }
}

/// The question in a sentence.
fn asked(open: &Ambiguity, shown: &Shown) -> String {
    if open.is_about_delta() {
        let (members, people) = (text::count(shown.meeting.members), text::count(shown.people()));
        return format!(
            "How certain may an attacker become that a person is in T? T has {members} of the {people} people of P. The proposal \
             is a starting point, not a recommendation: `palmtop advise` computes δ from a prior."
        );
    }
    sentence(&open.what)
}

/// Why a row is as it is.
fn reason(row: &TableRow, shown: &Shown) -> String {
    let proposal = &shown.proposal;
    match row {
        TableRow::Attribute(attribute) => sentence(&attribute.reason),
        TableRow::People => {
            let counted = proposal.count.as_ref().map_or_else(
                || "Each row of P is one person.".to_owned(),
                |count| format!("P's column `{count}` has the number of people of a row."),
            );
            let member = proposal.member.as_ref();
            member.map_or(counted.clone(), |member| {
                format!("{counted} P's column `{member}` marks the people of T.")
            })
        }
        TableRow::Delta => "How certain an attacker may become that a person is in T.".to_owned(),
        TableRow::Unreadable(_) => sentence(palmtop_proposal::UNREADABLE),
        TableRow::Unused(names) => format!("Columns of P that are not used: {}.", names.join(", ")),
    }
}

/// With a capital and an end.
fn sentence(clause: &str) -> String {
    let mut letters = clause.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    let clause: String = first.chain(letters).collect();
    if clause.ends_with(['.', '?']) { clause } else { format!("{clause}.") }
}

/// Three values of the column under the cursor in T and in P, and those that P lacks; none until the analyst asks for them.
fn values_of(screen: &ProposalScreen) -> Vec<String> {
    let (Some(sources), Some(attribute), true) = (&screen.sources, screen.attribute(), screen.shows_values)
    else {
        return Vec::new();
    };
    let named = |(text, rows): (&str, u64)| {
        let value = if text.trim().is_empty() { NO_VALUE.to_owned() } else { quoted(text) };
        format!("{value} {}", text::count(rows))
    };
    let listed = |values: Vec<(&str, u64)>| values.into_iter().map(named).collect::<Vec<_>>().join("  ");
    let question = screen.question();
    let choices = question.map_or(&[][..], |open| &open.choices);
    let paired = choices.iter().find_map(|choice| match &choice.decision {
        Decision::Pair { public: Some(name), .. } => Some(name),
        _ => None,
    });
    let strangers = choices.iter().filter_map(|choice| match &choice.decision {
        Decision::Missing { texts, .. } => Some(texts.iter().map(|text| quoted(text))),
        _ => None,
    });
    let strangers: Vec<String> = strangers.flatten().collect();
    let mut lines = vec![format!("   T   {}", listed(sources.frequent(attribute)))];
    if let Some(column) = attribute.public_column.as_ref().or(paired) {
        lines.push(format!("   P   {}", listed(sources.frequent_in_public(column))));
    }
    if !strangers.is_empty() {
        lines.push(format!("   not in P   {}", strangers.join("  ")));
    }
    lines
}

/// The screen before the first proposal.
pub(super) fn render_waiting(page: &mut Page, area: Rect, screen: &ProposalScreen) {
    let (theme, width) = (page.theme, usize::from(area.width));
    let mut lines = vec![Line::raw("")];
    let wrapped = |sentence: &str, style: Style| {
        let wrapped = text::wrap(sentence, width.saturating_sub(2));
        wrapped.into_iter().map(move |line| Line::styled(format!(" {line}"), style))
    };
    if screen.is_offered() {
        let name = shown_name(&screen.begin.named.public.name());
        let sentence = format!(
            "{name} is a table, not a project. A project needs P, the table that an attacker may know, and T, the people in P to \
             protect."
        );
        lines.extend(wrapped(&sentence, Style::new()));
    } else if let Some(why) = &screen.why_none {
        lines.extend(wrapped(if why.is_empty() { "stopped" } else { why }, theme.bad()));
    } else {
        lines.extend(stages(page, screen, width));
    }
    lines.push(Line::raw(""));
    let top = lines.len();
    page.render_widget(Paragraph::new(lines), area);
    render_answers(page, below(area, top), screen, &screen.answers());
}

/// What is read of the tables so far.
fn stages(page: &Page, screen: &ProposalScreen, width: usize) -> Vec<Line<'static>> {
    let theme = page.theme;
    let now = screen.progress.unwrap_or(Progress { stage: SurveyStage::Public, done: 0, total: 0 });
    let has_private = screen.begin.named.private.is_some();
    let stages = [SurveyStage::Public, SurveyStage::Private, SurveyStage::Meeting];
    let stages = stages.into_iter().filter(|stage| has_private || *stage != SurveyStage::Private);
    let mut lines: Vec<Line> = stages
        .map(|stage| match stage.cmp(&now.stage) {
            std::cmp::Ordering::Less => Line::styled(format!(" ✓ {stage}"), theme.good()),
            std::cmp::Ordering::Equal => {
                let share = bar::progress(bar::ratio(now.done, now.total), 20);
                let amount = match now.total {
                    0 => String::new(),
                    total => format!("{} of {}", text::bytes(now.done), text::bytes(total)),
                };
                Line::raw(text::fit(&format!(" ▸ {:<27}{share}  {amount}", stage.to_string()), width))
            }
            std::cmp::Ordering::Greater => Line::styled(format!("   {stage}"), theme.faint()),
        })
        .collect();
    lines.push(Line::raw(""));
    lines.push(Line::styled(format!(" {} stops", screen.key("close")), theme.faint()));
    lines
}
