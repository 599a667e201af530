//! The parts around the table: the totals, the reasons for a column, the open questions, and the
//! progress.

use palmtop_core::model::Presence;
use palmtop_proposal::{Decision, DeltaOrigin, NotInPublic, SurveyStage};
use palmtop_tables::written::NO_VALUE;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::state::{ProposalScreen, TableRow};
use super::update::{quoted, shown_name};
use crate::kit::hits::Target;
use crate::kit::page::Page;
use crate::kit::rule::rule;
use crate::kit::{bar, text};

/// The number of people, and the proposed δ.
pub(super) fn render_totals(page: &mut Page, area: Rect, screen: &ProposalScreen) {
    let Some(shown) = &screen.shown else { return };
    let (meeting, proposal) = (&shown.meeting, &shown.proposal);
    // Without a count column, a row of P is one person.
    let people = if proposal.count.is_some() { meeting.people } else { meeting.public_rows };
    let share = Presence::new(meeting.members.min(people), people.max(1));
    let share = share.map_or_else(|_| "–".to_owned(), |share| format!("{:.4}", share.to_f64()));
    let missing = match (meeting.missing, proposal.not_in_public) {
        (0, _) => "P has all members".to_owned(),
        (count, NotInPublic::Drop) => format!("{} not in P, left out", text::count(count)),
        (count, NotInPublic::Refuse) => format!("{} NOT IN P: refused", text::count(count)),
    };
    let delta = format!("δ {} to {}", text::presence(proposal.delta.0), text::presence(proposal.delta.1));
    let (private, public) = (text::count(meeting.members), text::count(people));
    let start = format!(" |T| {private}   |P| {public}   |T|/|P| {share}   {missing}   {delta}");
    let origin = match proposal.delta_origin {
        DeltaOrigin::Proposed => ", a first proposal",
        DeltaOrigin::Accepted => ", accepted",
        DeltaOrigin::Decided | DeltaOrigin::Declared => "",
    };
    let forms = [format!("{start}{origin}"), start];
    let width = usize::from(area.width);
    let is_refused = meeting.missing > 0 && proposal.not_in_public == NotInPublic::Refuse;
    let style = if is_refused { page.theme.bad() } else { page.theme.strong() };
    page.render_widget(Line::styled(text::fit(&text::longest_that_fits(&forms, width), width), style), area);
}

/// The reasons for the row under the cursor.
pub(super) fn render_why(page: &mut Page, area: Rect, screen: &ProposalScreen) {
    let theme = page.theme;
    let width = usize::from(area.width);
    let rows = screen.rows();
    let Some(row) = rows.get(screen.cursor) else { return };
    let (name, sentences) = match row {
        TableRow::Attribute(attribute) => {
            let mut sentences = values(screen);
            sentences.push(format!("{}.", attribute.reason));
            if let Some(hierarchy) = &attribute.hierarchy {
                sentences.push(format!("Hierarchy {}: {}.", hierarchy.reason, hierarchy.source.describe()));
            }
            let read = [("P", &attribute.readings.0), ("T", &attribute.readings.1)];
            let read = read.into_iter().filter(|(_, reading)| !reading.is_plain());
            sentences
                .extend(read.map(|(table, reading)| format!("Read in {table}: {}.", reading.describe())));
            sentences.extend(attribute.limit.as_ref().map(|limit| format!("{}.", limit.describe())));
            (attribute.name.as_str(), sentences)
        }
        TableRow::Other(name, sentence) => (*name, vec![format!("P's column: {sentence}.")]),
    };
    let key = screen.key("proposal.examples");
    let does = if screen.shows_values { "hides its values" } else { "shows three values" };
    let keys = if matches!(row, TableRow::Attribute(_)) { format!("{key} {does}") } else { String::new() };
    let mut lines = vec![rule(theme, name, &keys, width, false)];
    let wrapped = sentences.iter().flat_map(|sentence| text::wrap(sentence, width.saturating_sub(2)));
    lines.extend(wrapped.map(|line| Line::raw(format!(" {line}"))));
    cut(&mut lines, area, width);
    page.render_widget(Paragraph::new(lines), area);
}

/// Three values of the column under the cursor in T, and the values missing in P; none until the
/// analyst reveals them.
fn values(screen: &ProposalScreen) -> Vec<String> {
    let (Some(sources), Some(attribute), true) = (&screen.sources, screen.attribute(), screen.shows_values)
    else {
        return Vec::new();
    };
    let named = |text: &str| if text.trim().is_empty() { NO_VALUE.to_owned() } else { quoted(text) };
    let shown: Vec<String> = sources.examples(attribute).into_iter().map(named).collect();
    let about = screen.open().iter().filter(|open| open.attribute.as_ref() == Some(&attribute.name));
    let strangers = about.flat_map(|open| &open.choices).filter_map(|choice| match &choice.decision {
        Decision::Missing { texts, .. } => Some(texts.iter().map(|text| quoted(text))),
        _ => None,
    });
    let strangers: Vec<String> = strangers.flatten().collect();
    let mut sentences = vec![format!("Values in T: {}.", shown.join(", "))];
    if !strangers.is_empty() {
        sentences.push(format!("Missing in P: {}.", strangers.join(", ")));
    }
    sentences
}

/// The open questions and notes: the selected one in full, the others in a line each.
pub(super) fn render_open(page: &mut Page, area: Rect, screen: &ProposalScreen) {
    let theme = page.theme;
    let width = usize::from(area.width);
    let open = screen.open();
    let Some(looked_at) = screen.question() else {
        page.render_widget(rule(theme, "no question or note is open", "", width, false), area);
        return;
    };
    let next = screen.key("proposal.next");
    let is_settled_here = looked_at.is_question();
    let (kind, keys) = if is_settled_here {
        ("question", format!("{next} next, {} settles", screen.key("proposal.settle")))
    } else {
        ("note", format!("{next} next"))
    };
    let alike = open.iter().enumerate().filter(|(_, other)| other.is_question() == is_settled_here);
    let (count, before) = alike.fold((0, 0), |(count, before), (index, _)| {
        (count + 1, before + usize::from(index < screen.question))
    });
    let heading = format!("{kind} {} of {count}", before + 1);
    let mut lines = vec![rule(theme, &heading, &keys, width, false)];
    let about = looked_at.attribute.as_ref().map_or_else(String::new, |name| format!("{name}: "));
    let mark = if is_settled_here { "?" } else { "!" };
    let sentence = text::wrap(&format!("{mark} {about}{}.", looked_at.what), width.saturating_sub(2));
    lines.extend(sentence.into_iter().map(|line| Line::styled(format!(" {line}"), theme.warning())));
    let remedy = if looked_at.is_about_delta() {
        let (settle, delta) = (screen.key("proposal.settle"), screen.key("delta"));
        format!(
            "{settle} or {delta} sets δmax: how certain may an attacker become that a person is in T? `palmtop advise` computes it from a prior"
        )
    } else if is_settled_here {
        let labels: Vec<&str> = looked_at.choices.iter().map(|choice| choice.label.as_str()).collect();
        format!("{}: {}", screen.key("proposal.settle"), labels.join(" | "))
    } else {
        looked_at.remedy.clone()
    };
    let remedy = text::wrap(&remedy, width.saturating_sub(4));
    lines.extend(remedy.into_iter().map(|line| Line::raw(format!("   {line}"))));
    let room = usize::from(area.height);
    if lines.len() + 1 < room {
        for (index, other) in open.iter().enumerate().filter(|(index, _)| *index != screen.question) {
            let mark = if other.is_question() { "?" } else { "!" };
            let about = other.attribute.as_ref().map_or_else(String::new, |name| format!("{name}: "));
            let line = u16::try_from(lines.len()).unwrap_or(area.height);
            if line < area.height {
                let here = Rect { y: area.y + line, height: 1, ..area };
                page.hits.note(here, Target::Other(index));
            }
            let sentence = text::fit_words(&format!("{mark} {about}{}", other.what), width);
            lines.push(Line::styled(sentence, theme.faint()));
        }
    }
    cut(&mut lines, area, width);
    page.render_widget(Paragraph::new(lines), area);
}

/// Marks lines that do not fit.
fn cut(lines: &mut Vec<Line<'static>>, area: Rect, width: usize) {
    let room = usize::from(area.height);
    if lines.len() > room && room > 0 {
        lines.truncate(room);
        if let Some(last) = lines.last_mut() {
            let sentence: String = last.spans.iter().map(|span| span.content.trim_end()).collect();
            let style = last.style;
            *last = Line::styled(text::fit_words(&format!("{} …", sentence.trim_start()), width), style);
        }
    }
}

/// The screen before the first proposal.
pub(super) fn render_waiting(page: &mut Page, area: Rect, screen: &ProposalScreen) {
    let theme = page.theme;
    let width = usize::from(area.width);
    let settle = screen.key("proposal.settle");
    let mut lines = vec![Line::raw("")];
    if screen.is_offered() {
        let name = shown_name(&screen.begin.named.public.name());
        let sentence = format!(
            "{name} is a table, not a project. {settle} shows what a project needs, and proposes one."
        );
        lines.extend(
            text::wrap(&sentence, width.saturating_sub(2))
                .into_iter()
                .map(|line| Line::raw(format!(" {line}"))),
        );
    } else if let Some(why) = &screen.why_none {
        let sentence = if why.is_empty() { "stopped" } else { why.as_str() };
        let wrapped = text::wrap(sentence, width.saturating_sub(2));
        lines.extend(wrapped.into_iter().map(|line| Line::styled(format!(" {line}"), theme.bad())));
        if screen.sources.as_ref().is_some_and(|sources| !sources.member_choices().is_empty()) {
            lines.push(Line::raw(""));
            lines.push(Line::raw(format!(" {settle} chooses a column.")));
        }
    } else {
        let now = screen.progress.map_or(SurveyStage::Public, |progress| progress.stage);
        let stages = [SurveyStage::Public, SurveyStage::Private, SurveyStage::Meeting];
        let has_private = screen.begin.named.private.is_some();
        for stage in stages.into_iter().filter(|stage| has_private || *stage != SurveyStage::Private) {
            lines.push(match stage.cmp(&now) {
                std::cmp::Ordering::Less => Line::styled(format!(" ✓ {stage}"), theme.good()),
                std::cmp::Ordering::Equal => {
                    let progress = screen.progress.unwrap_or(palmtop_core::progress::Progress {
                        stage,
                        done: 0,
                        total: 0,
                    });
                    let share = bar::progress(bar::ratio(progress.done, progress.total), 20);
                    let amount = if progress.total == 0 {
                        String::new()
                    } else {
                        format!("{} of {}", text::bytes(progress.done), text::bytes(progress.total))
                    };
                    Line::raw(text::fit(&format!(" ▸ {:<27}{share}  {amount}", stage.to_string()), width))
                }
                std::cmp::Ordering::Greater => Line::styled(format!("   {stage}"), theme.faint()),
            });
        }
        lines.push(Line::raw(""));
        lines.push(Line::from(vec![Span::styled(format!(" {} stops", screen.key("close")), theme.faint())]));
    }
    page.render_widget(Paragraph::new(lines), area);
}
