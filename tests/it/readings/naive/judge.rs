//! Recounts what a release reveals, and about which people.

use std::collections::BTreeSet;

use super::{Fraction, Refusal, World, Written, csv, refuse, sets};

/// The result of a recount of a release.
#[derive(Clone, Debug)]
pub(crate) struct Judgement {
    /// Why the release is not faithful to T.
    pub(crate) unfaithful: Option<Refusal>,
    /// The least and the greatest presence of a faithful release.
    pub(crate) achieved: Option<(Fraction, Fraction)>,
    /// For a faithful release, the least number of members of a class and the least number of
    /// people of P.
    pub(crate) smallest: Option<(u128, u128)>,
    /// Whether the release is faithful, keeps δ, k and the limits of its quasi-identifiers, and has
    /// no empty class if those are forbidden.
    pub(crate) is_present: bool,
}

/// A distinct released row: for each quasi-identifier its text and its leaves, and the kept values
/// of its members.
struct Class {
    texts: Vec<String>,
    leaves: Vec<BTreeSet<String>>,
    kept: Vec<Vec<String>>,
}

impl Class {
    fn matches(&self, leaves: &[String]) -> bool {
        self.leaves.iter().zip(leaves).all(|(denoted, leaf)| denoted.contains(leaf))
    }
}

/// The least and the greatest presence, the people of the smallest class, and whether the policy is
/// kept.
type Recount = ((Fraction, Fraction), Option<(u128, u128)>, bool);

impl World {
    /// Recounts a release.
    pub(crate) fn judge(&self, release: &[u8]) -> Judgement {
        match self.recount(release) {
            Ok((achieved, smallest, is_present)) => {
                Judgement { unfaithful: None, achieved: Some(achieved), smallest, is_present }
            }
            Err(refusal) => {
                Judgement { unfaithful: Some(refusal), achieved: None, smallest: None, is_present: false }
            }
        }
    }

    fn recount(&self, release: &[u8]) -> Result<Recount, Refusal> {
        self.check_disguises()?;
        if self.is_too_large() {
            return refuse("more rows than are written");
        }
        let classes = self.classes_of(&self.rows(release)?)?;
        let mut people = vec![(0, 0); classes.len()];
        let mut unmatched = 0;
        for row in &self.public {
            let matched: Vec<usize> =
                (0..classes.len()).filter(|&nth| classes[nth].matches(&row.leaves)).collect();
            match matched[..] {
                [] => unmatched += row.people,
                [nth] => people[nth].1 += row.people,
                _ => return refuse(format!("{:?} match two rows", row.leaves)),
            }
        }
        for (nth, class) in classes.iter().enumerate() {
            let mut kept: Vec<Vec<String>> = Vec::new();
            for row in self.private.iter().filter(|row| class.matches(&row.leaves)) {
                for _ in 0..row.people {
                    kept.push(row.kept.clone());
                }
            }
            people[nth].0 = kept.len() as u128;
            let mut written = class.kept.clone();
            kept.sort();
            written.sort();
            if kept != written {
                return refuse(format!("{:?}: other people than T's", class.texts));
            }
        }
        if people.iter().map(|&(private, _)| private).sum::<u128>() != self.people().0 {
            return refuse("somebody of T is not published");
        }
        let mut presences: Vec<Fraction> =
            people.iter().map(|&(above, below)| Fraction { above, below }).collect();
        if unmatched > 0 {
            presences.push(Fraction { above: 0, below: 1 });
        }
        let mut achieved = (presences[0], presences[0]);
        for presence in presences {
            if presence < achieved.0 {
                achieved.0 = presence;
            }
            if presence > achieved.1 {
                achieved.1 = presence;
            }
        }
        // Every class of a release has members, because a class without members has no rows.
        let members = people.iter().map(|&(private, _)| private).min();
        let smallest = members.zip(people.iter().map(|&(_, public)| public).min());
        let is_large = people.iter().all(|&class| self.is_large(class));
        let is_limited = self.quasi.iter().enumerate().all(|(nth, quasi)| {
            let column: Vec<&str> = classes.iter().map(|class| class.texts[nth].as_str()).collect();
            sets::keeps_limits(quasi, &column)
        });
        let (min, max) = self.delta;
        let within = min <= achieved.0 && achieved.1 <= max;
        Ok((achieved, smallest, within && is_large && is_limited && !(self.forbid_empty && unmatched > 0)))
    }

    /// Whether a release would exceed the maximum number of rows.
    pub(crate) fn is_too_large(&self) -> bool {
        self.people().0 > 50_000_000
    }

    /// Whether a kept value contains a row of a release.
    pub(crate) fn has_disguises(&self) -> bool {
        self.check_disguises().is_err()
    }

    /// Refuses a kept value that contains a row of a release.
    fn check_disguises(&self) -> Result<(), Refusal> {
        for row in &self.private {
            for value in row.kept.iter().filter(|value| value.contains(['\n', '\r'])) {
                let mut lines = value.split(['\n', '\r']);
                if lines.any(|line| line.split(',').count() == self.columns.len()) {
                    return refuse(format!("{value:?} is a row in disguise"));
                }
            }
        }
        Ok(())
    }

    /// The rows of a release. The text has to be in the only form that a release may have.
    fn rows(&self, release: &[u8]) -> Result<Vec<Vec<String>>, Refusal> {
        let Ok(text) = std::str::from_utf8(release) else { return refuse("not UTF-8") };
        let mut rows = csv::records(text, b',')?;
        if rows.is_empty() {
            return refuse("not even a header");
        }
        let header = rows.remove(0);
        if header.iter().ne(self.columns.iter().map(|(name, _)| name)) {
            return refuse(format!("other columns than T's: {header:?}"));
        }
        let mut lines: Vec<String> = rows.iter().map(|row| csv::release_line(row)).collect();
        // The order includes the line feed, because a tabulator sorts before it.
        lines.sort_by_key(|line| format!("{line}\n"));
        let mut expected = csv::release_line(&header) + "\n";
        for line in lines {
            expected.push_str(&line);
            expected.push('\n');
        }
        if expected == text { Ok(rows) } else { refuse("not the text that would be written") }
    }

    /// The distinct rows, parsed.
    fn classes_of(&self, rows: &[Vec<String>]) -> Result<Vec<Class>, Refusal> {
        let mut classes: Vec<Class> = Vec::new();
        for row in rows {
            let mut texts = vec![String::new(); self.quasi.len()];
            let mut kept = Vec::new();
            for (value, (_, written)) in row.iter().zip(&self.columns) {
                match written {
                    Written::Quasi(nth) => texts[*nth].clone_from(value),
                    Written::Kept(_) => kept.push(value.clone()),
                }
            }
            if let Some(class) = classes.iter_mut().find(|class| class.texts == texts) {
                class.kept.push(kept);
                continue;
            }
            let mut leaves = Vec::new();
            for (quasi, text) in self.quasi.iter().zip(&texts) {
                leaves.push(sets::denoted(quasi, text)?);
            }
            classes.push(Class { texts, leaves, kept: vec![kept] });
        }
        Ok(classes)
    }
}
