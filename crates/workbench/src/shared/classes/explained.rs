//! The explanation of the class under the cursor: how far it is outside δ, its remedies, and its
//! people.
//!
//! ```text
//! ─ selected class ─────────────────────────────────────────────── Enter: in full ─
//!  zip 47*** · age <=40 · nationality Brazil
//!  31 of 47 individuals are members of T   presence 31/47 = 0.6596
//!  over δmax 50 %: needs 15 more non-members, or 8 fewer members
//!  after one coarser step   zip 40/120 ✓   age 35/61 ✗   nationality 31/47 ✗
//!  with another class        zip 131** 38/85 ✓   age 40-49 43/92 ✓
//!  its combinations (47)       13053, 34, Brazil 2/3   …
//! ```

use palmtop_core::model::{ClassData, Counts, EquivalenceClass, Policy, Verdict};
use palmtop_release::explain::{Explanation, Shortfall};
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use crate::kit::page::Page;
use crate::kit::rule::rule;
use crate::kit::text;
use crate::kit::theme::{Theme, sign};
use crate::shared::state::Shared;
use crate::shared::view::View;

/// The width of the names before the remedies.
const NAMES: usize = 28;

/// Draws the pane: the most important lines come first.
pub(crate) fn render(page: &mut Page, area: Rect, shared: &Shared) {
    let Some(view) = shared.view.as_ref().filter(|_| area.height > 0) else { return };
    let theme = page.theme;
    let width = usize::from(area.width);
    let remark = format!("{}: in full", shared.key("workbench.explain"));
    let mut lines = vec![rule(theme, "selected class", &remark, width, false)];
    if let Some((class, data)) = view.class(shared.classes.cursor) {
        // The people and the verdict always have a line each.
        let room = usize::from(area.height).saturating_sub(3).max(1);
        lines.extend(summary(theme, shared, view, (&data, class), width, room.min(2)));
        let explained = explanation(shared, class);
        if let Some(explained) = explained {
            lines.extend(remedies(theme, shared, explained, width, 1));
        }
    } else {
        lines.push(Line::styled(" no class is shown", theme.faint()));
    }
    page.render_widget(Paragraph::new(lines), area);
}

/// Draws the complete explanation: from a row on if the pane has the focus, else each part as far
/// as it fits.
pub(crate) fn render_in_full(page: &mut Page, area: Rect, shared: &Shared, row: Option<usize>) {
    let Some(view) = shared.view.as_ref().filter(|_| area.height > 0) else { return };
    let theme = page.theme;
    let width = usize::from(area.width);
    let room = usize::from(area.height) - 1;
    let (heading, is_focused) = ("the class under the cursor", row.is_some());
    let Some((class, data)) = view.class(shared.classes.cursor) else {
        let none = Line::styled(" no class is shown", theme.faint());
        page.render_widget(Paragraph::new(vec![rule(theme, heading, "", width, is_focused), none]), area);
        return;
    };
    let of = (view, class, &data);
    let all = in_full(theme, shared, of, width, UNLIMITED);
    page.hits.last_row = all.len().saturating_sub(room);
    let first = row.unwrap_or(0).min(page.hits.last_row);
    let remark = match (all.len() > room, row) {
        (false, _) => String::new(),
        (true, None) => format!("{}: show all lines", shared.key("classes.pane")),
        (true, Some(_)) => format!(
            "lines {} to {} of {} · {} {} scroll",
            first + 1,
            first + room,
            all.len(),
            shared.key("down"),
            shared.key("up")
        ),
    };
    let mut lines = vec![rule(theme, heading, &remark, width, is_focused)];
    if row.is_some() || all.len() <= room {
        lines.extend(all.into_iter().skip(first).take(room));
    } else {
        lines.extend(in_full(theme, shared, of, width, room + 1));
    }
    page.render_widget(Paragraph::new(lines), area);
}

/// A height that has room for every explanation.
const UNLIMITED: usize = 10_000;

/// The complete explanation in a pane of this height: each part gets a share of the lines.
fn in_full(
    theme: Theme,
    shared: &Shared,
    (view, class, data): (&View, u32, &EquivalenceClass),
    width: usize,
    height: usize,
) -> Vec<Line<'static>> {
    let mut lines = summary(theme, shared, view, (data, class), width, (height / 3).max(1));
    match explanation(shared, class) {
        None => lines.push(match shared.classes.explanations.failure() {
            Some(why) => Line::styled(text::fit(&format!(" not explained: {why}"), width), theme.bad()),
            None => Line::styled(" …", theme.faint()),
        }),
        Some(explained) => {
            // The heading takes a line.
            let room = height.saturating_sub(lines.len() + 1);
            let mended = remedies(theme, shared, explained, width, (room / 3).max(1));
            let room = room.saturating_sub(mended.len());
            lines.extend(mended);
            lines.extend(members(theme, shared, explained, width, room));
        }
    }
    lines
}

/// The explanation of a class; none if another class was explained.
fn explanation(shared: &Shared, class: u32) -> Option<&Explanation> {
    shared
        .classes
        .explanation
        .as_ref()
        .filter(|(known, _)| *known == class)
        .map(|(_, explanation)| &**explanation)
}

/// The class's labels in at most this many lines, its people, and its distance from δ.
fn summary(
    theme: Theme,
    shared: &Shared,
    view: &View,
    (data, class): (&EquivalenceClass, u32),
    width: usize,
    lines: usize,
) -> Vec<Line<'static>> {
    let ranking = &view.measured.ranking;
    let rows = data.row_texts(&shared.problem);
    let named: Vec<String> = rows.iter().map(|row| named(shared, row)).collect();
    let plain: Vec<String> = rows.iter().map(|row| plain(row)).collect();
    let count = match shared.problem.people() {
        Some(_) => format!("{}: ", text::counted(rows.len(), "row", "rows")),
        None => String::new(),
    };
    let forms = [named, plain].map(|rows| format!("{count}{}", together(&rows)));
    let room = width.saturating_sub(2);
    // If no form fits into a line, the form with names takes as many lines as it needs.
    let fitting = forms.iter().find(|form| text::width(form) <= room);
    let labels = text::wrap_to(fitting.unwrap_or(&forms[0]), room, lines);
    let counts = data.counts;
    let who = format!(
        " {} of {} individuals are members of T   presence {} = {:.4}",
        text::count(counts.private),
        text::count(counts.public),
        counts.presence(),
        counts.presence().to_f64()
    );
    let policy = view.measured.ranking.policy();
    let verdict = ranking.verdict(class);
    let sentence = shortfall(policy, ranking.data(class));
    let labels = labels.into_iter().map(|line| Line::styled(format!(" {line}"), theme.strong()));
    let sentence = text::wrap_to(&sentence, room, 2).into_iter();
    labels
        .chain([Line::raw(text::fit(&who, width))])
        .chain(sentence.map(|line| Line::styled(format!(" {line}"), theme.verdict(verdict))))
        .collect()
}

/// The labels of a row, each after the name of its attribute.
fn named(shared: &Shared, row: &[String]) -> String {
    let quasi = shared.problem.quasi().iter();
    quasi
        .zip(row)
        .map(|(quasi, text)| format!("{} {}", quasi.name, start(text)))
        .collect::<Vec<_>>()
        .join(" · ")
}

/// The labels or the values of a row.
fn plain(row: &[String]) -> String {
    row.iter().map(|text| start(text)).collect::<Vec<_>>().join(" · ")
}

/// All rows of a person. Equal rows, which are adjacent, are written once with their number.
fn together(rows: &[String]) -> String {
    let each = rows.chunk_by(|left, right| left == right);
    let parts = each.map(|rows| match rows.len() {
        1 => rows[0].clone(),
        count => format!("{count} × {}", rows[0]),
    });
    parts.collect::<Vec<_>>().join(" + ")
}

/// The start of a text: a set may be written with thousands of characters.
fn start(text: &str) -> String {
    let start: String = text.chars().take(60).collect();
    if start.len() < text.len() { format!("{start}…") } else { start }
}

/// How far a class is outside δ, in people.
fn shortfall(policy: &Policy, class: impl Into<ClassData>) -> String {
    let delta = policy.delta();
    match Shortfall::of(policy, class) {
        Shortfall::Nobody => "it keeps δ".to_owned(),
        Shortfall::Breaks { .. } => format!("it keeps δ and breaks {}", policy.criteria()),
        Shortfall::Over { lacks: None, .. } => "over δmax 0: no class may have members".to_owned(),
        Shortfall::Over { lacks: Some(lacks), too_many } => format!(
            "over δmax {}: needs {}, or {}",
            text::upper(delta.max()),
            text::counted(lacks, "more non-member", "more non-members"),
            text::counted(too_many, "fewer member", "fewer members")
        ),
        Shortfall::Under { lacks: None } => {
            "under δmin 1: every individual in it must be a member".to_owned()
        }
        Shortfall::Under { lacks: Some(lacks) } => {
            format!(
                "under δmin {}: needs {}",
                delta.min(),
                text::counted(lacks, "more member", "more members")
            )
        }
    }
}

/// The remedies of a class: an attribute one level coarser, or a union with another class; in at
/// most this many lines each.
fn remedies(
    theme: Theme,
    shared: &Shared,
    explained: &Explanation,
    width: usize,
    lines: usize,
) -> Vec<Line<'static>> {
    if explained.verdict == Verdict::Ok {
        return Vec::new();
    }
    let name = |attribute: usize| {
        let name = &shared.problem.quasi()[attribute].name;
        text::fit(name, text::width(name).min(12))
    };
    let item = |attribute: usize, label: &str, counts: Counts, verdict: Verdict| {
        let kept = verdict == Verdict::Ok;
        let label = text::fit(&start(label), text::width(&start(label)).min(24));
        let people = format!("{}/{}", text::count(counts.private), text::count(counts.public));
        let sentence = format!("{} {label} {people} {}", name(attribute), sign(kept));
        (sentence, theme.kept(kept))
    };
    let coarser =
        explained.coarser.iter().map(|step| item(step.attribute, &step.text, step.counts, step.verdict));
    let merges =
        explained.merges.iter().map(|with| item(with.attribute, &with.text, with.counts, with.verdict));
    let mut groups = Vec::new();
    groups.extend(listed(theme, "after one coarser step", coarser, width, lines));
    groups.extend(listed(theme, "with another class", merges, width, lines));
    groups
}

/// Items one after the other, after a name, in at most this many lines.
fn listed(
    theme: Theme,
    name: &str,
    items: impl Iterator<Item = (String, ratatui::style::Style)>,
    width: usize,
    lines: usize,
) -> Vec<Line<'static>> {
    let items: Vec<(String, ratatui::style::Style)> = items.collect();
    // The number of items that are left out.
    let more = |left: usize| format!("+{left} more");
    let reserved = text::width(&more(items.len())) + 1;
    let mut listed: Vec<Vec<Span<'static>>> = Vec::new();
    let mut used = width;
    let mut shown = 0;
    for (item, style) in &items {
        let needed = text::width(item) + 3;
        let room = if listed.len() == lines && shown + 1 < items.len() {
            width - reserved.min(width)
        } else {
            width
        };
        if used + needed > room {
            if listed.len() == lines {
                break;
            }
            let heading = if listed.is_empty() { name } else { "" };
            listed.push(vec![Span::styled(text::fit(&format!(" {heading}"), NAMES), theme.faint())]);
            used = NAMES;
            if used + needed > width {
                continue;
            }
        }
        used += needed;
        shown += 1;
        if let Some(line) = listed.last_mut() {
            line.push(Span::styled(format!("{item}   "), *style));
        }
    }
    if let (Some(line), 1..) = (listed.last_mut(), items.len() - shown) {
        line.push(Span::styled(more(items.len() - shown), theme.faint()));
    }
    listed.into_iter().map(Line::from).collect()
}

/// The combinations of the class, or the multisets of rows of its people; those with most members first.
fn members(
    theme: Theme,
    shared: &Shared,
    explained: &Explanation,
    width: usize,
    room: usize,
) -> Vec<Line<'static>> {
    if room < 2 {
        return Vec::new();
    }
    let count = text::count(explained.combinations);
    let heading = match (shared.problem.people(), count.as_str()) {
        (None, "1") => "its combination".to_owned(),
        (None, _) => format!("its {count} combinations, most members first"),
        (Some(_), "1") => "the rows of each person".to_owned(),
        (Some(_), _) => format!("the rows of its people: {count} multisets, most members first"),
    };
    let rows = explained.members.iter().map(|member| {
        let people = format!("{}/{}", text::count(member.counts.private), text::count(member.counts.public));
        (people, together(&member.rows.iter().map(|row| plain(row)).collect::<Vec<_>>()))
    });
    let rows: Vec<(String, String)> = rows.collect();
    let number = rows.iter().map(|(people, _)| text::width(people)).max().unwrap_or(0);
    // As many columns as fit, so that a wide screen shows more combinations.
    let widest = rows.iter().map(|(_, texts)| text::width(texts)).max().unwrap_or(0) + number + 5;
    let columns = (width / widest.max(1)).clamp(1, 6);
    let height = (room - 1).min(rows.len().div_ceil(columns));
    let shown = (columns * height).min(rows.len());
    let remark = if shown < explained.combinations {
        format!("{shown} shown · members of T among individuals in P")
    } else {
        "members of T among individuals in P".to_owned()
    };
    let mut lines = vec![rule(theme, &heading, &remark, width, false)];
    if widest > width {
        // A combination wider than the screen continues on the next line.
        let room_for_texts = width.saturating_sub(number + 5);
        for (people, texts) in rows.iter().take(shown) {
            let wrapped = text::wrap_to(texts, room_for_texts, (room - lines.len().min(room)).max(1));
            for (index, line) in wrapped.into_iter().enumerate() {
                let people = if index == 0 { people } else { "" };
                lines.push(Line::raw(format!(" {}  {line}", text::right(people, number))));
            }
            if lines.len() >= room {
                break;
            }
        }
        lines.truncate(room);
        return lines;
    }
    for line in 0..height {
        let cells = (0..columns).filter_map(|column| rows.get(column * height + line));
        let cell = |(people, texts): &(String, String)| {
            text::fit(&format!(" {}  {texts}", text::right(people, number)), width / columns)
        };
        lines.push(Line::raw(cells.map(cell).collect::<String>()));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use palmtop_core::model::{Criteria, Delta, EmptyRegions};

    fn policy(min: &str, max: &str, k: Option<&str>) -> Policy {
        let delta = Delta::new(min.parse().unwrap(), max.parse().unwrap()).unwrap();
        let criteria = Criteria::read(k.map(|k| ("k", k))).unwrap();
        Policy::new(delta, EmptyRegions::Allow, criteria, Counts::new(1, 1))
    }

    #[test]
    fn a_class_says_how_many_people_it_lacks() {
        let policy = self::policy("1/4", "1/2", None);
        for (public, private, expected) in [
            (4, 2, "it keeps δ"),
            (47, 31, "over δmax 50 %: needs 15 more non-members, or 8 fewer members"),
            (9, 0, "under δmin 1/4: needs 3 more members"),
        ] {
            let counts = Counts::new(public, private);
            assert_eq!(shortfall(&policy, counts), expected);
        }
        let strict = self::policy("1", "1", None);
        assert!(shortfall(&strict, Counts::new(2, 1)).starts_with("under δmin 1: every individual"));
        let nobody = self::policy("0", "0", None);
        assert_eq!(
            shortfall(&self::policy("1/4", "1/2", Some("5")), Counts::new(4, 2)),
            "it keeps δ and breaks k = 5"
        );
        assert!(shortfall(&nobody, Counts::new(2, 1)).starts_with("over δmax 0: no class"));
    }
}
