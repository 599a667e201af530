//! The output of a composition.

use palmtop::compose::{Beyond, Change, Composition, Judgement, Method, Worst};
use palmtop::model::{Counts, Delta};
use palmtop::pipeline::{Analysis, ReadRelease, Together};
use serde_json::json;

use palmtop_console::output::OutputRows;
use palmtop_console::result::Bounds;

/// A composition with the data for its output.
pub(in crate::cli) struct View<'a> {
    analysis: &'a Analysis,
    releases: &'a [&'a ReadRelease],
    together: Together,
    composition: &'a Composition,
    delta: Delta,
    pub(in crate::cli) judgement: Judgement,
}

impl<'a> View<'a> {
    pub(in crate::cli) fn of(
        analysis: &'a Analysis,
        releases: &'a [&'a ReadRelease],
        together: Together,
        composition: &'a Composition,
    ) -> Self {
        let delta = analysis.problem().delta();
        Self { analysis, releases, together, composition, delta, judgement: composition.judge(delta) }
    }

    /// Whether the composition found nobody outside δ and its search was complete.
    pub(in crate::cli) fn holds(&self) -> bool {
        self.judgement.holds() && self.composition.fit.is_none_or(|fit| fit.has_converged())
    }

    /// The text block. It may state that nobody was found outside δ, but never that a release is
    /// safe.
    pub(in crate::cli) fn lines(&self) -> String {
        let Judgement { certain, exact, estimated, .. } = self.judgement;
        let attacker = match self.releases.len() {
            2 => "an attacker who has both releases".to_owned(),
            all => format!("an attacker who has all {all} releases"),
        };
        let outside_delta = exact.people + estimated.people;
        let verdict = if self.holds() {
            let estimates =
                if self.composition.components.estimated > 0 { ", as far as estimates show" } else { "" };
            format!("✓ nobody is outside δ for {attacker}, by bounds or by expectation{estimates}")
        } else if outside_delta == 0 {
            format!("✗ nobody was found outside δ for {attacker}, but the estimates did not converge")
        } else {
            let are = if outside_delta == 1 { "is" } else { "are" };
            format!("✗ {} {are} outside δ for {attacker}", people(outside_delta))
        };
        let changed = match self.together.change {
            Change::Same => "all releases are of one T",
            Change::Added => "people were added to T from each release to the next",
            Change::Removed => "people were removed from T from each release to the next",
        };
        let mut rows = vec![("δ", format!("{} to {}", self.delta.min(), self.delta.max()))];
        for (name, release) in std::iter::once("alone").chain(std::iter::repeat("")).zip(self.releases) {
            let achieved = release.achieved();
            let keeps = self.delta.min() <= achieved.min && achieved.max <= self.delta.max();
            let withdrawn = match release.pool().private {
                0 => String::new(),
                1 => ", 1 member withdrawn".to_owned(),
                members => format!(", {members} members withdrawn"),
            };
            rows.push((
                name,
                format!(
                    "{} {}: {} to {}, {} rows in {} classes{withdrawn}",
                    if keeps { "✓" } else { "✗" },
                    release.path.display(),
                    achieved.min,
                    achieved.max,
                    release.rows(),
                    release.classes.len()
                ),
            ));
        }
        let groups = self.composition.atoms.len();
        rows.push(("together", format!("{changed}; {groups} groups of people with the same classes")));
        rows.push(("certain", format!("{}, whatever the attacker believes beforehand", outside(certain))));
        rows.push(("expected", format!("{} by exact expectations", outside(exact))));
        if self.composition.components.estimated > 0 {
            rows.push(("", format!("{} by {} expectations", outside(estimated), Method::Estimated.as_str())));
        }
        rows.push(("highest", self.worst(self.judgement.highest)));
        rows.push(("", self.classes(self.judgement.highest)));
        if self.delta.min().numerator() > 0 {
            rows.push(("lowest", self.worst(self.judgement.lowest)));
            rows.push(("", self.classes(self.judgement.lowest)));
        }
        rows.push(("method", self.method()));
        rows.push(("prior", self.prior().to_owned()));
        let lines = rows.iter().map(|(name, text)| format!("{name:9} {text}\n"));
        std::iter::once(verdict + "\n").chain(lines).collect()
    }

    /// The presence of a group of people, its method, and the values of one of its combinations.
    fn worst(&self, worst: Worst) -> String {
        let Some(atom) = self.composition.atoms.get(worst.atom) else { return String::new() };
        let members = atom.members[worst.table];
        let table = if self.composition.tables > 1 {
            format!(" in table {}", worst.table + 1)
        } else {
            String::new()
        };
        let mut combinations = self.composition.combinations_of(worst.atom);
        let first = combinations.next().map(|place| self.values(place).join(" · ")).unwrap_or_default();
        let others = match combinations.count() {
            0 => String::new(),
            1 => ", and those of 1 combination more".to_owned(),
            more => format!(", and those of {more} combinations more"),
        };
        format!(
            "{:.4}{table}, {}: {} to {} of {}: {first}{others}",
            worst.presence,
            atom.method.as_str(),
            members.least,
            members.most,
            people(atom.people)
        )
    }

    /// The class of a group of people in each release.
    fn classes(&self, worst: Worst) -> String {
        let Some(atom) = self.composition.atoms.get(worst.atom) else { return String::new() };
        let class = |(release, class): (&&ReadRelease, &Option<u32>)| {
            let path = release.path.display();
            match class {
                Some(class) => {
                    let class = &release.classes[*class as usize];
                    format!("{path} {}/{}: {}", class.rows, class.people, class.texts.join(" · "))
                }
                None => match release.pool() {
                    Counts { private: 0, .. } => format!("{path}: no row"),
                    pool => format!("{path} {}/{}: no row, or withdrawn", pool.private, pool.public),
                },
            }
        };
        let classes: Vec<String> = self.releases.iter().zip(&atom.classes).map(class).collect();
        classes.join("\n          ")
    }

    fn method(&self) -> String {
        let parts = self.composition.components;
        let tight = self.composition.atoms.iter().filter(|atom| atom.is_tight).count();
        let all = self.composition.atoms.len();
        let bounds = if tight == all {
            "bounds are the narrowest possible for all groups".to_owned()
        } else {
            format!("bounds are the narrowest possible for {tight} of {all} groups")
        };
        let fit = match self.composition.fit {
            None => String::new(),
            Some(fit) if fit.has_converged() => {
                format!(", {} estimated (fitted in at most {} sweeps)", parts.estimated, fit.sweeps)
            }
            Some(fit) => format!(
                ", {} estimated, which did NOT converge: the largest relative error of a margin is {:.1e}",
                parts.estimated, fit.deviation
            ),
        };
        format!("{} parts counted exactly{fit}; {bounds}", parts.exact)
    }

    fn prior(&self) -> &'static str {
        match self.together.change {
            Change::Same => "all T of this size are equally likely",
            Change::Added | Change::Removed => "all series of T of these sizes are equally likely",
        }
    }

    /// The labels of a combination's values.
    fn values(&self, place: usize) -> Vec<&str> {
        let problem = self.analysis.problem();
        let codes = problem.histogram().combination(place).into_iter().enumerate();
        codes.map(|(attribute, code)| problem.hierarchy(attribute).leaf(code)).collect()
    }

    /// The combinations whose people are outside δ, in the histogram's order: a line for each
    /// table.
    pub(super) fn people(&self) -> OutputRows {
        let quasi = self.analysis.problem().quasi().iter().map(|attribute| attribute.name.clone());
        let figures =
            ["people", "table", "least", "most", "expected_presence", "method", "certain", "verdict"];
        let header = quasi.chain(figures.map(ToOwned::to_owned)).collect();
        let counts = self.analysis.problem().histogram().counts();
        let mut lines = Vec::new();
        for (place, &atom) in self.composition.atom_of.iter().enumerate() {
            let atom = &self.composition.atoms[atom as usize];
            for (table, members) in atom.members.iter().enumerate() {
                let (certain, expected) = atom.judge(members, self.delta);
                let verdict = match expected {
                    (false, false) => continue,
                    (true, _) => "over",
                    (false, true) => "under",
                };
                let values = self.values(place).into_iter().map(ToOwned::to_owned);
                let figures = [
                    counts[place].public.to_string(),
                    (table + 1).to_string(),
                    format!("{}/{}", members.least, atom.people),
                    format!("{}/{}", members.most, atom.people),
                    format!("{:.6}", atom.presence(members)),
                    atom.method.as_str().to_owned(),
                    (certain.0 || certain.1).to_string(),
                    verdict.to_owned(),
                ];
                lines.push(values.chain(figures).collect());
            }
        }
        OutputRows { header, lines, numbers_from: 0 }
    }

    pub(in crate::cli) fn object(&self) -> serde_json::Value {
        let beyond =
            |beyond: Beyond| json!({"people": beyond.people, "over": beyond.over, "under": beyond.under});
        let release = |release: &&ReadRelease| {
            let achieved = release.achieved();
            json!({
                "file": release.path.display().to_string(),
                "rows": release.rows(),
                "suppressed": release.pool().private,
                "released_classes": release.classes.len(),
                "achieved": {"min": achieved.min.to_string(), "max": achieved.max.to_string()},
                "faithful": release.is_faithful(),
            })
        };
        let worst = |worst: Worst| {
            let atom = self.composition.atoms.get(worst.atom)?;
            let members = atom.members[worst.table];
            Some(json!({
                "presence": worst.presence,
                "method": atom.method.as_str(),
                "table": worst.table + 1,
                "people": atom.people,
                "least": members.least,
                "most": members.most,
            }))
        };
        let change = match self.together.change {
            Change::Same => "same",
            Change::Added => "added",
            Change::Removed => "removed",
        };
        let parts = self.composition.components;
        json!({
            "holds": self.holds(),
            "delta": Bounds::from(self.delta),
            "change": change,
            "linked": !self.together.is_unlinked,
            "releases": self.releases.iter().map(release).collect::<Vec<_>>(),
            "groups": self.composition.atoms.len(),
            "tight_groups": self.composition.atoms.iter().filter(|atom| atom.is_tight).count(),
            "certain": beyond(self.judgement.certain),
            "expected": {
                "exact": beyond(self.judgement.exact),
                "estimated": beyond(self.judgement.estimated),
            },
            "highest": worst(self.judgement.highest),
            "lowest": worst(self.judgement.lowest),
            "parts": {"exact": parts.exact, "estimated": parts.estimated},
            "fit": self.composition.fit.map(|fit| json!({
                "converged": fit.has_converged(), "deviation": fit.deviation, "sweeps": fit.sweeps,
            })),
        })
    }
}

/// The number of people outside δ, in words.
fn outside(beyond: Beyond) -> String {
    match beyond {
        Beyond { people: 0, .. } => "nobody outside δ".to_owned(),
        Beyond { people: all, over, under } => {
            format!("{} outside δ ({over} above δmax, {under} below δmin)", people(all))
        }
    }
}

fn people(count: u64) -> String {
    if count == 1 { "1 person".to_owned() } else { format!("{count} people") }
}
