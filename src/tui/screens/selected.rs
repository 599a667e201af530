//! The class under the cursor explains itself: its people, how far it is out, what would mend it.
//!
//! ```text
//! ─ selected class ────────────────────────────────────────── Tab, then j and k ─
//!  zip 47*** · age <=40 · nationality Brazil
//!  31 of 47 public people are private   presence 31/47 = 0.6596
//!  over δmax 1/2: it lacks 15 people who are not private
//!  one step coarser makes it   zip 40/120 ✓   age 35/61 ✗   nationality 31/47 ✗
//! ```

use palmtop::model::{Counts, Delta, Label, Level, Node, Presence, Problem, Verdict};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use crate::tui::app::Session;
use crate::tui::theme::Theme;
use crate::tui::view::RankedClass;
use crate::tui::widgets::rule::rule;
use crate::tui::widgets::text;

/// With more combinations than this, counting at each frame what a class would grow into would be felt.
const COUNTED: usize = 200_000;

/// Draws the pane.
pub(crate) fn render(frame: &mut Frame, area: Rect, theme: Theme, session: &Session) {
    if area.height == 0 {
        return;
    }
    let width = usize::from(area.width);
    let mut lines = vec![rule(theme, "selected class", "Tab, then j and k", width, false)];
    if let Some(class) = session.view.classes.get(session.class_cursor) {
        let counts = class.class.counts;
        let named = session.problem.quasi().iter().zip(&class.texts);
        let named: Vec<String> = named.map(|(quasi, text)| format!("{} {text}", quasi.name)).collect();
        let forms = [named.join(" · "), class.texts.join(" · ")];
        let labels = text::longest_that_fits(&forms, width.saturating_sub(2));
        lines.push(Line::styled(text::fit(&format!(" {labels}"), width), theme.strong()));
        let who = format!(
            " {} of {} public people are private   presence {} = {:.4}",
            text::count(counts.private),
            text::count(counts.public),
            counts.presence(),
            counts.presence().to_f64()
        );
        lines.push(Line::raw(text::fit(&who, width)));
        let said = explanation(counts, class.verdict, session.problem.delta());
        lines.push(Line::styled(text::fit(&format!(" {said}"), width), theme.verdict(class.verdict)));
        lines.push(growth(theme, session, class, width));
    }
    frame.render_widget(Paragraph::new(lines), area);
}

/// How far a class is out, in people.
fn explanation(counts: Counts, verdict: Verdict, delta: Delta) -> String {
    let (private, public) = (u128::from(counts.private), u128::from(counts.public));
    let ratio = |bound: Presence| (u128::from(bound.numerator()), u128::from(bound.denominator()));
    let lacks = |count: u128, who: &str| match count {
        1 => format!("it lacks 1 person who is {who}"),
        count => {
            format!("it lacks {} people who are {who}", text::count(u64::try_from(count).unwrap_or(u64::MAX)))
        }
    };
    match verdict {
        Verdict::Ok => "it keeps δ".to_owned(),
        Verdict::Over => {
            // The fewest more public people, none of them private, that bring private/public down to δmax.
            let (above, below) = ratio(delta.max());
            if above == 0 {
                return "over δmax 0: no class may have anybody private".to_owned();
            }
            let needed = (private * below).div_ceil(above) - public;
            format!("over δmax {}: {}", delta.max(), lacks(needed, "not private"))
        }
        Verdict::Under => {
            // The fewest more people, all of them private, that bring private/public up to δmin.
            let (above, below) = ratio(delta.min());
            if above == below {
                return "under δmin 1: everybody public in it must be private".to_owned();
            }
            let needed = (above * public - private * below).div_ceil(below - above);
            format!("under δmin {}: {}", delta.min(), lacks(needed, "private"))
        }
    }
}

/// What one step coarser in each attribute would make of the class.
fn growth(theme: Theme, session: &Session, class: &RankedClass, width: usize) -> Line<'static> {
    let problem = &session.problem;
    let node = session.view.release.recoding.node();
    let Some(node) = node.filter(|_| class.verdict != Verdict::Ok && problem.histogram().len() <= COUNTED)
    else {
        return Line::raw("");
    };
    let mut spans = vec![Span::raw(" one step coarser makes it")];
    let mut used = spans[0].width();
    for (place, quasi) in problem.quasi().iter().enumerate() {
        let Some(coarser) = problem.lattice().coarser(node, place) else { continue };
        let counts = grown(problem, &coarser, class, place);
        let kept = problem.delta().allows(counts);
        let (mark, style) = if kept { ("✓", theme.good()) } else { ("✗", theme.bad()) };
        let name = text::fit(&quasi.name, text::width(&quasi.name).min(12));
        let said = format!("   {name} {}/{} {mark}", text::count(counts.private), text::count(counts.public));
        if used + text::width(&said) > width {
            break;
        }
        used += text::width(&said);
        spans.push(Span::styled(said, style));
    }
    if spans.len() == 1 {
        return Line::raw("");
    }
    Line::from(spans)
}

/// The people of the coarser node's class that a class becomes part of; `place` is the attribute that is coarser.
fn grown(problem: &Problem, coarser: &Node, class: &RankedClass, place: usize) -> Counts {
    let histogram = problem.histogram();
    // A label of a node is a label of its hierarchy, and any of its leaves leads to the label above it.
    let wanted: Vec<(&[u32], u32)> = (0..problem.quasi().len())
        .map(|attribute| {
            let hierarchy = problem.hierarchy(attribute);
            let level: Level = coarser.levels()[attribute];
            let above = hierarchy.labels_of(level);
            let label = match &class.class.labels[attribute] {
                Label::Of(_, label) if attribute != place => *label,
                label => {
                    let leaf = (0..).zip(above).find(|(code, _)| label.denotes(hierarchy, *code));
                    leaf.map_or(0, |(_, above)| *above)
                }
            };
            (above, label)
        })
        .collect();
    let is_in = |index: &usize| {
        wanted.iter().enumerate().all(|(attribute, (labels, label))| {
            labels[histogram.column(attribute)[*index] as usize] == *label
        })
    };
    (0..histogram.len()).filter(is_in).map(|index| histogram.counts()[index]).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_says_how_many_people_it_lacks() {
        let delta = Delta::new("1/4".parse().unwrap(), "1/2".parse().unwrap()).unwrap();
        for (public, private, said) in [
            (4, 2, "it keeps δ"),
            (47, 31, "over δmax 1/2: it lacks 15 people who are not private"),
            (9, 0, "under δmin 1/4: it lacks 3 people who are private"),
        ] {
            let counts = Counts::new(public, private);
            assert_eq!(explanation(counts, delta.judge(counts), delta), said);
        }
        let strict = Delta::new(Presence::ONE, Presence::ONE).unwrap();
        assert!(
            explanation(Counts::new(2, 1), Verdict::Under, strict).starts_with("under δmin 1: everybody")
        );
        let nobody = Delta::new(Presence::ZERO, Presence::ZERO).unwrap();
        assert!(explanation(Counts::new(2, 1), Verdict::Over, nobody).starts_with("over δmax 0: no class"));
    }
}
