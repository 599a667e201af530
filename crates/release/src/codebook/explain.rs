//! Explains the texts of a quasi-identifier: a label by its values, every other text by the labels and values that it names.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::form::TextForm;
use super::text::CodedText;
use super::values::{ValueRange, ascends, runs};
use palmtop_core::model::description::{Description, Term};
use palmtop_core::model::{Code, DescriptionTree, Hierarchy};

/// A quasi-identifier whose texts are explained.
pub(super) struct Explainer<'a> {
    hierarchy: &'a Hierarchy,
    /// The people of P with each value. A value that only added members have is no value of P.
    people: &'a [u64],
    /// Whether values can be listed as ranges.
    ascends: bool,
    /// The values of P with the labels that group them.
    tree: DescriptionTree,
    /// The labels of the hierarchy by their texts, the finest one of each text.
    labels: BTreeMap<&'a str, Term>,
}

/// What a text means: names, ranges, and the names of what it leaves out.
#[derive(Default)]
struct Meaning {
    means: Vec<String>,
    ranges: Vec<ValueRange>,
    except: Vec<String>,
    /// The labels among the names.
    labels: Vec<Term>,
}

impl<'a> Explainer<'a> {
    /// An explainer for a hierarchy, with the people of P who have each of its values.
    pub(super) fn of(hierarchy: &'a Hierarchy, people: &'a [u64]) -> Self {
        let of_level =
            |level| hierarchy.labels(level).iter().zip(0..).map(move |(text, label)| (text, (level, label)));
        Self {
            hierarchy,
            people,
            ascends: ascends(hierarchy, people),
            tree: DescriptionTree::over(hierarchy, hierarchy.base(), |code| people[code as usize] > 0),
            labels: hierarchy.levels().rev().flat_map(of_level).collect(),
        }
    }

    /// Whether no two texts share a value of P. `texts` has the values of each.
    pub(super) fn are_disjoint(&self, texts: &BTreeMap<String, Vec<Code>>) -> bool {
        let mut seen = BTreeSet::new();
        texts.values().all(|codes| self.of_public(codes).into_iter().all(|code| seen.insert(code)))
    }

    /// The entries of the texts, and of the labels in them. A wider text precedes the texts inside it.
    pub(super) fn entries(&self, texts: &BTreeMap<String, Vec<Code>>) -> Vec<CodedText> {
        let mut named = BTreeSet::new();
        let mut entries: Vec<(Vec<Code>, CodedText)> = Vec::new();
        for (text, codes) in texts {
            let codes = self.of_public(codes);
            let (entry, labels) = self.explain(text, &codes);
            named.extend(labels);
            entries.push((codes, entry));
        }
        let missing =
            self.hierarchy.missing().filter(|code| entries.iter().any(|(codes, _)| codes.contains(code)));
        let missing = missing.map(|code| (self.hierarchy.leaf(code), vec![code]));
        let labels = named.iter().map(|&term| (self.text(term), self.codes(term)));
        for (text, codes) in labels.chain(missing).filter(|(text, _)| !texts.contains_key(*text)) {
            let (entry, _) = self.explain(text, &codes);
            entries.push((codes, entry));
        }
        entries.sort_by_cached_key(|(codes, entry)| {
            (codes.first().copied().unwrap_or(Code::MAX), Reverse(codes.len()), entry.text.clone())
        });
        entries.into_iter().map(|(_, entry)| entry).collect()
    }

    /// The entry of a text with these values of P, and the labels that it names.
    pub(super) fn explain(&self, text: &str, codes: &[Code]) -> (CodedText, Vec<Term>) {
        let form = self.form(text, codes);
        let is_formula = !matches!(form, TextForm::Value | TextForm::Missing | TextForm::Label);
        let meaning = if is_formula && !self.hierarchy.kind().is_ordered() && !codes.is_empty() {
            self.by_labels(codes)
        } else {
            self.by_values(codes)
        };
        let Meaning { means, ranges, except, labels } = meaning;
        let people = codes.iter().map(|&code| self.people[code as usize]).sum();
        let count = codes.len() as u64;
        (CodedText { text: text.to_owned(), form, means, ranges, except, count, people }, labels)
    }

    /// The form of a text. A text that is a label of the hierarchy always means this label.
    fn form(&self, text: &str, codes: &[Code]) -> TextForm {
        let missing = self.hierarchy.missing();
        match (self.labels.get(text), self.hierarchy.code(text)) {
            (_, Some(leaf)) if missing == Some(leaf) => TextForm::Missing,
            (_, Some(leaf)) if codes.iter().all(|&code| code == leaf) => TextForm::Value,
            (Some(_), _) => TextForm::Label,
            (None, _) => TextForm::of_formula(text),
        }
    }

    /// The values one by one, or as ranges.
    fn by_values(&self, codes: &[Code]) -> Meaning {
        let leaf = |code: Code| self.hierarchy.leaf(code).to_owned();
        let mut meaning = Meaning::default();
        for (low, high) in runs(self.hierarchy, codes, (self.people, self.ascends)) {
            if low == high {
                meaning.means.push(leaf(low));
            } else {
                meaning.ranges.push(ValueRange { low: leaf(low), high: leaf(high) });
            }
        }
        meaning
    }

    /// The fewest labels that give a set of categories, which is not empty.
    fn by_labels(&self, codes: &[Code]) -> Meaning {
        let set = self.tree.set(codes.iter().copied());
        let (terms, except) = match self.tree.describe(self.hierarchy, &set) {
            Description::Label(term) => (vec![term], Vec::new()),
            Description::Union(terms) => (terms, Vec::new()),
            Description::Except(around, exceptions) => (vec![around], exceptions),
        };
        let names = |terms: &[Term]| terms.iter().map(|&term| self.text(term).to_owned()).collect();
        let (means, without) = (names(&terms), names(&except));
        let labels = terms.into_iter().chain(except).filter(|(level, _)| *level > self.hierarchy.base());
        Meaning { means, ranges: Vec::new(), except: without, labels: labels.collect() }
    }

    fn text(&self, (level, label): Term) -> &'a str {
        &self.hierarchy.labels(level)[label as usize]
    }

    /// The values of P under a label.
    fn codes(&self, (level, label): Term) -> Vec<Code> {
        let labels = (0..).zip(self.hierarchy.labels_of(level));
        let codes: Vec<Code> = labels.filter(|(_, own)| **own == label).map(|(code, _)| code).collect();
        self.of_public(&codes)
    }

    fn of_public(&self, codes: &[Code]) -> Vec<Code> {
        codes.iter().copied().filter(|&code| self.people[code as usize] > 0).collect()
    }
}
