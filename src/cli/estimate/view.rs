//! The text output of the estimates.

use palmtop::columns::Table;
use palmtop::estimate::Method;
use palmtop::model::Presence;
use palmtop::words::plural;

use super::figures::{Estimated, Row, Share};
use palmtop_console::answer::Answer;
use palmtop_console::output;
use serde::Serialize;

/// The number of classes in the text output. CSV and JSON have all classes.
const LISTED: usize = 10;

impl Answer for Estimated<'_> {
    fn text(&self) -> String {
        let mut text = format!(
            "estimates   no verdict: each holds as far as its assumptions do\n\
             project     {}\n\
             node        {}\n\
             T           {} in {}\n\
             population  {} people, of whom T is {}\n",
            output::shown(self.project),
            self.node,
            plural(self.members, "member"),
            plural(self.classes.len() as u64, "class"),
            self.asked.population,
            percent(self.asked.sampling)
        );
        text += &self.presence_lines();
        text += &self.k_map_lines();
        text += &self.uniques_lines();
        let (share, people) = self.evenly();
        text += &format!(
            "evenly      {} of labels: if people were spread evenly over them, {people:.0} ({}) would share theirs with nobody\n",
            plural(self.combinations, "combination"),
            percent(share)
        );
        let noted: Vec<&Row> = self.classes.iter().filter(|row| self.is_noted(row)).collect();
        let (listed, others) = noted.split_at(noted.len().min(LISTED));
        if !listed.is_empty() {
            text += &format!("\n{}", output::to_table(&self.rows(listed)));
        }
        if !others.is_empty() {
            text += &format!("and {} more: --format csv lists every class\n", others.len());
        }
        text
    }

    fn table(&self) -> Table {
        self.rows(&self.classes.iter().collect::<Vec<_>>())
    }

    fn object(&self) -> impl Serialize {
        self.result()
    }
}

impl Estimated<'_> {
    fn presence_lines(&self) -> String {
        let (Some((sample, lacking)), Some(at_most)) = (self.sample, self.at_most()) else {
            return "presence    none: δ is never inferred from T alone\n".to_owned();
        };
        let confidence = self.asked.confidence.level();
        let mut text = format!(
            "P           {} people, taken to be drawn at random; {lacking} of T's members are not among them\n\
             presence    at most {} in every class, with confidence {confidence} for all of them together\n",
            sample.people(),
            with_decimal(at_most)
        );
        if let Some(most) = self.delta_max {
            let share = self.above();
            text += &match share.classes {
                0 => format!("            the bound of no class is above δmax {most}\n"),
                _ => format!("            {} a bound above δmax {most}\n", of_classes(share, "has", "have")),
            };
        }
        if self.has_delta_min {
            text += "            nothing is estimated of δmin: presence is bounded from above alone\n";
        }
        text
    }

    fn k_map_lines(&self) -> String {
        let (least, k) = (self.least, self.asked.k_map);
        let short = |least| match self.short_of(least) {
            Share { classes: 0, .. } => "no class falls short".to_owned(),
            share => format!("{} short", of_classes(share, "falls", "fall")),
        };
        format!(
            "k-map       for k = {k} a class needs so many members that one of {k} people would have them with a chance of \
             {} at most, if T was drawn at random:\n            \
             {} (Poisson): {}\n            \
             {} (zero-truncated): {}\n",
            self.asked.alpha,
            least.poisson,
            short(least.poisson),
            least.truncated,
            short(least.truncated)
        )
    }

    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    fn uniques_lines(&self) -> String {
        let uniques = &self.uniques;
        let (table, alone) = (if self.sample.is_some() { "P" } else { "T" }, uniques.in_sample);
        let share = |count: f64| format!("{count:.0} ({})", percent(count / uniques.population as f64));
        let mut text = format!(
            "uniques     {alone} of {table} are alone in their class; in the population, if {table} was drawn at random:\n"
        );
        for (method, estimate) in &uniques.estimates {
            let estimated = estimate.map_or_else(|why| format!("no estimate: {why}"), share);
            text += &format!("            {:8} {estimated}\n", title(*method));
        }
        text += &match (uniques.by_rule(), uniques.range()) {
            (Some((method, by_rule)), Some((min, max))) => format!(
                "            between {min:.0} and {max:.0}; by Dankar's rule for {} of the population {}: {by_rule:.0}\n",
                percent(uniques.sampling),
                title(method)
            ),
            (None, Some((min, max))) => {
                format!("            between {min:.0} and {max:.0}; Dankar's rule has none\n")
            }
            (_, None) => String::new(),
        };
        if uniques.sampling <= 0.02 {
            text += "            so small a sample says little: an error of a half and more is common\n";
        }
        text
    }
}

fn title(method: Method) -> &'static str {
    match method {
        Method::Zayatz => "Zayatz",
        Method::Pitman => "Pitman",
        Method::Slide => "SNB",
    }
}

fn of_classes(share: Share, one: &str, many: &str) -> String {
    let Share { classes, members } = share;
    let verb = if classes == 1 { one } else { many };
    format!("{} with {} {verb}", plural(classes, "class"), plural(members, "member"))
}

fn with_decimal(presence: Presence) -> String {
    format!("{presence} = {:.6}", presence.to_f64())
}

/// A share in percent: one decimal from 10 %, two from 1 %, four below.
fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    match percent {
        10.0.. => format!("{percent:.1} %"),
        1.0..10.0 => format!("{percent:.2} %"),
        _ => format!("{percent:.4} %"),
    }
}
