//! Groups the released rows into classes, and matches them with the people of both tables.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::path::Path;

use hashbrown::HashTable;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHasher};

use super::criteria::{Recounted, Released};
use super::read_column::ReadColumn;
use super::seen::{Seen, sum};
use crate::labels::Leaves;
use crate::matching::{Match, Matches, Sides, match_rows};
use crate::people::{Combination, KeptRows, Part, People, Pseudonyms, Rows};
use crate::problems::finding::{list, matches, times};
use crate::problems::{Cell, Finding, FindingKind, Problems, VerifyError};
use crate::read::{ReleaseForm, Written};
use palmtop_terms::Presence;

/// A class: the released rows with the same texts of all quasi-identifiers.
#[derive(Debug)]
struct Class {
    /// The first line of the class.
    line: u64,
    /// The texts of the quasi-identifiers, in project order.
    texts: Vec<String>,
    /// Whether every text denotes leaves.
    is_readable: bool,
    /// The number of rows with each combination of kept values.
    kept: BTreeMap<Vec<String>, u64>,
    /// The number of individuals in P who match the class.
    public: u64,
    /// The number of members of T who match the class.
    private: u64,
}

impl Class {
    fn rows(&self) -> u64 {
        self.kept.values().sum()
    }
}

/// A distinct released row: one class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReleasedRow {
    /// The first line of the class. Line 1 is the header.
    pub line: u64,
    /// The texts of the quasi-identifiers, in project order.
    pub texts: Vec<String>,
    /// The number of rows in the class.
    pub rows: u64,
    /// The number of rows with each combination of texts of the other [columns](super::Matched::columns), sorted.
    pub kept: Vec<(Vec<String>, u64)>,
}

/// The hash of the texts of a class.
fn hash_of<'t>(texts: impl Iterator<Item = &'t str>) -> u64 {
    let mut hasher = FxHasher::default();
    texts.for_each(|text| text.hash(&mut hasher));
    hasher.finish()
}

/// The classes of a release with their matches.
#[derive(Debug)]
pub(crate) struct Classes {
    list: Vec<Class>,
    /// For each quasi-identifier and leaf, whether the leaf occurs in P. Empty before [`match_people`](Self::match_people).
    occurring: Vec<Vec<bool>>,
    /// The leaves that the texts denote. Empty before [`match_people`](Self::match_people).
    sides: Sides,
    /// The classes that the combinations match. Empty before [`match_people`](Self::match_people).
    matches: Matches,
    /// The number of individuals in P who match some class.
    matched_public: u64,
    /// The number of members who match no class, if members may be withdrawn.
    withdrawn: u64,
    /// The number of distinct texts beyond the limits.
    beyond_limits: u64,
    /// Whether a part of the file could not be read.
    is_partial: bool,
    /// The new pseudonyms.
    drawn: BTreeSet<String>,
    /// The released people, if people have several rows.
    people: ReleasedPeople,
}

/// The released people by pseudonym, if people have several rows: for each row of a person its class and the kept values.
pub(crate) type ReleasedPeople = BTreeMap<String, Vec<(usize, Vec<String>)>>;

/// The content of a release.
#[derive(Debug)]
pub(crate) struct Read {
    /// The number of rows, including those with a wrong number of fields.
    pub(crate) rows: u64,
    /// `None` if the header cannot be read or lacks a column.
    pub(crate) classes: Option<Classes>,
}

impl Classes {
    /// Reads a release and groups its rows.
    pub(crate) fn read(
        release: &Path,
        form: ReleaseForm,
        people: &People,
        problems: &mut Problems,
        progress: &mut Rows,
    ) -> Result<Read, VerifyError> {
        let Some(mut written) = Written::open(release, form, problems)? else {
            return Ok(Read { rows: 0, classes: None });
        };
        let columns = ReleaseColumns::find(written.header(), people, problems);
        // The classes, and the index of each by the hash of its texts.
        let (mut list, mut known): (Vec<Class>, HashTable<usize>) = (Vec::new(), HashTable::new());
        let mut seen: Vec<FxHashMap<String, u64>> = vec![FxHashMap::default(); people.pseudonyms.len()];
        // The pseudonym, the texts and the kept values of each row, if people have several rows.
        let mut owned: Vec<(String, Vec<String>, Vec<String>)> = Vec::new();
        let width = written.header().len();
        while let Some(row) = written.next(problems)? {
            progress.tick()?;
            let Some(columns) = &columns else { continue };
            let pick = |columns: &[usize]| -> Vec<String> {
                columns.iter().map(|&column| row.field(column).to_owned()).collect()
            };
            let kept = pick(&columns.kept);
            for (value, column) in kept.iter().zip(&columns.kept_names) {
                if contains_row(value, width) {
                    let problem = "a value contains a line with as many fields as a row, which some readers take for a row";
                    let cell = Cell { line: row.line, column, text: value };
                    problems.push(Finding::in_cell(FindingKind::RowInDisguise, cell, problem));
                }
            }
            for ((pseudonyms, &column), seen) in
                people.pseudonyms.iter().zip(&columns.pseudonyms).zip(&mut seen)
            {
                pseudonyms.check(row.line, row.field(column), seen, problems);
            }
            if let Some(column) = columns.entity {
                owned.push((row.field(column).to_owned(), pick(&columns.quasi), kept.clone()));
            }
            let texts = || columns.quasi.iter().map(|&column| row.field(column));
            let hash = hash_of(texts());
            let same = |&class: &usize| list[class].texts.iter().map(String::as_str).eq(texts());
            let class = known.find(hash, same).copied().unwrap_or_else(|| {
                let hash_again = |&class: &usize| hash_of(list[class].texts.iter().map(String::as_str));
                known.insert_unique(hash, list.len(), hash_again);
                list.push(Class {
                    line: row.line,
                    texts: pick(&columns.quasi),
                    is_readable: true,
                    kept: BTreeMap::new(),
                    public: 0,
                    private: 0,
                });
                list.len() - 1
            });
            let class = &mut list[class];
            *class.kept.entry(kept).or_default() += 1;
        }
        let is_drawn = |pseudonyms: &Pseudonyms| people.part(&pseudonyms.column) == Some(Part::Drawn);
        let drawn = people.pseudonyms.iter().zip(seen).filter(|(pseudonyms, _)| is_drawn(pseudonyms));
        let drawn = drawn.flat_map(|(_, seen)| seen.into_keys()).collect();
        let mut released = ReleasedPeople::new();
        list.sort_unstable_by(|left, right| left.texts.cmp(&right.texts));
        let texts: Vec<&Vec<String>> = list.iter().map(|class| &class.texts).collect();
        for (pseudonym, row, kept) in owned {
            // The classes are in the order of their texts, and each row has one.
            if let Ok(class) = texts.binary_search(&&row) {
                released.entry(pseudonym).or_default().push((class, kept));
            }
        }
        let classes = columns.map(|_| Self {
            people: released,
            list,
            occurring: Vec::new(),
            sides: Sides::default(),
            matches: Matches::default(),
            matched_public: 0,
            withdrawn: 0,
            beyond_limits: 0,
            is_partial: written.is_partial(),
            drawn,
        });
        Ok(Read { rows: written.rows_read(), classes })
    }

    pub(crate) fn len(&self) -> u64 {
        self.list.len() as u64
    }

    /// Whether a part of the file could not be read, so that its matches are unknown.
    pub(crate) fn is_partial(&self) -> bool {
        self.is_partial
    }

    /// Whether some combination matches several classes.
    pub(crate) fn is_ambiguous(&self) -> bool {
        self.matches.are_ambiguous()
    }

    /// The class that a combination matches, if it matches exactly one.
    pub(crate) fn one(&self, combination: usize) -> Option<usize> {
        self.matches.one(combination)
    }

    /// The released people, if people have several rows.
    pub(crate) fn people(&self) -> &ReleasedPeople {
        &self.people
    }

    /// The leaves of each distinct text of a quasi-identifier. Call [`match_people`](Self::match_people) first.
    pub(crate) fn denoted(&self, attribute: usize) -> BTreeMap<&str, &Leaves> {
        let leaves = &self.sides.leaves[attribute];
        let mut is_known = vec![false; leaves.len()];
        let mut denoted = BTreeMap::new();
        for (row, class) in self.list.iter().enumerate() {
            let text = self.sides.text(attribute, row);
            if !std::mem::replace(&mut is_known[text], true) {
                denoted.insert(class.texts[attribute].as_str(), &leaves[text]);
            }
        }
        denoted
    }

    /// For each quasi-identifier and leaf, whether the leaf occurs in P. Call [`match_people`](Self::match_people) first.
    pub(crate) fn occurring(&self) -> &[Vec<bool>] {
        &self.occurring
    }

    /// The classes, the matches and the new pseudonyms. The match of each combination is 1 + the index of the first class
    /// that it matches, or 0. Call [`match_people`](Self::match_people) first.
    pub(crate) fn released(self) -> (Vec<ReleasedRow>, Vec<u32>, BTreeSet<String>) {
        let row = |class: Class| ReleasedRow {
            line: class.line,
            rows: class.rows(),
            texts: class.texts,
            kept: class.kept.into_iter().collect(),
        };
        (self.list.into_iter().map(row).collect(), self.matches.into_first(), self.drawn)
    }

    /// The number of distinct texts beyond the limits of their quasi-identifiers.
    pub(crate) fn beyond_limits(&self) -> u64 {
        self.beyond_limits
    }

    /// The number of individuals in P who match some class.
    pub(crate) fn matched_public(&self) -> u64 {
        self.matched_public
    }

    /// The number of members who match no class, if members may be withdrawn. They are in the class of all who match none.
    pub(crate) fn withdrawn(&self) -> u64 {
        self.withdrawn
    }

    /// Finds the classes that each person matches. An individual in P must match at most one class. A member of T must match
    /// exactly one, except for the members who may be withdrawn.
    pub(crate) fn match_people(
        &mut self,
        people: &People,
        withdrawn_at_most: u64,
        problems: &mut Problems,
        progress: &mut Rows,
    ) -> Result<(), VerifyError> {
        self.sides = self.read_texts(people, problems, progress)?;
        let (combinations, sides) = (&people.combinations, &self.sides);
        self.matches = progress.watch(|stop| match_rows(combinations, sides, stop))?;
        let counts = self.matches.public.iter().zip(&self.matches.private);
        for (class, (&public, &private)) in self.list.iter_mut().zip(counts) {
            (class.public, class.private) = (public, private);
        }
        self.report_matches(people, withdrawn_at_most, problems);
        Ok(())
    }

    /// Reports people who match several classes, and members who match none.
    fn report_matches(&mut self, people: &People, withdrawn_at_most: u64, problems: &mut Problems) {
        let parts = (0..people.combinations.len()).into_par_iter().step_by(Seen::PART);
        let parts: Vec<Seen> = parts.map(|start| Seen::of(people, &self.matches, start)).collect();
        let (matched, overlapping) = (sum(&parts, |seen| seen.matched), sum(&parts, |seen| seen.overlapping));
        let unpublished = people.not_in_public + sum(&parts, |seen| seen.unpublished);
        let overlap = parts.iter().find_map(|seen| seen.overlap);
        let missing = parts.iter().find_map(|seen| seen.missing);
        self.matched_public = matched;
        if let Some((index, first, second)) = overlap {
            let row = |class: usize| (self.list[class].line, self.list[class].texts.as_slice());
            let rows = [row(first), row(second)];
            problems.push(Finding::overlap(overlapping, &people.texts(index), rows));
        }
        // A member who is not in P does not count as withdrawn.
        if withdrawn_at_most > 0 && people.not_in_public == 0 {
            self.withdrawn = unpublished;
            if unpublished > withdrawn_at_most && !self.is_partial {
                let person = missing.map(|index| people.texts(index)).unwrap_or_default();
                let problem = format!(
                    "{} no row, but `suppress_at_most` allows at most {withdrawn_at_most}",
                    matches(unpublished, "member", "of T")
                );
                problems.push(Finding::of_people(FindingKind::Withdrawn, unpublished, &person, problem));
            }
            return;
        }
        // Their rows may be in a part of the file that could not be read.
        if unpublished > 0 && !self.is_partial {
            let person = missing.map_or_else(|| people.unknown_member_texts(), |index| people.texts(index));
            let problem = format!("{} no row", matches(unpublished, "member", "of T"));
            problems.push(Finding::of_people(FindingKind::Unpublished, unpublished, &person, problem));
        }
    }

    /// Reads every distinct text once, the columns on all threads. Returns the leaves of the texts, and for each class the numbers
    /// of its texts.
    fn read_texts(
        &mut self,
        people: &People,
        problems: &mut Problems,
        progress: &mut Rows,
    ) -> Result<Sides, VerifyError> {
        let width = people.quasi.len();
        let list = &self.list;
        let (occurring, columns): (_, Vec<ReadColumn>) = progress.watch(|stop| {
            let occurring = people.combinations.occurring(&people.leaf_counts(), true);
            let columns = occurring.par_iter().enumerate().with_max_len(1);
            let columns = columns.map(|(attribute, occurs)| {
                let texts = list.iter().map(|class| (class.line, class.texts[attribute].as_str()));
                ReadColumn::of(texts, people, attribute, occurs, stop)
            });
            let columns = columns.collect();
            (occurring, columns)
        })?;
        self.occurring = occurring;
        let mut texts = vec![0; self.list.len() * width];
        let mut sides = Vec::with_capacity(width);
        for (attribute, column) in columns.into_iter().enumerate() {
            for ((class, row), number) in
                self.list.iter_mut().zip(texts.chunks_mut(width)).zip(column.numbers)
            {
                row[attribute] = number;
                class.is_readable &= column.leaves[number as usize].is_some();
                self.is_partial |= column.leaves[number as usize].is_none();
            }
            column.problems.into_iter().for_each(|problem| problems.push(problem));
            self.beyond_limits += column.beyond_limits;
            sides.push(column.leaves.into_iter().map(Option::unwrap_or_default).collect());
        }
        Ok(Sides { leaves: sides, texts })
    }

    /// Checks that everyone in P matches a class, for projects that forbid empty classes. If members are withdrawn, the class of
    /// all who match none is not empty.
    pub(crate) fn check_filled(&self, people: &People, problems: &mut Problems) {
        // If a part of the file could not be read, the release is refused for that reason.
        if self.is_partial || self.matched_public == people.public || self.withdrawn > 0 {
            return;
        }
        let is_unmatched =
            |(combination, found): (Combination, Match)| combination.public > 0 && found == Match::None;
        if let Some(index) = people.combinations.iter().zip(self.matches.iter()).position(is_unmatched) {
            let unmatched = people.public - self.matched_public;
            problems.push(Finding::empty_class(unmatched, &people.texts(index)));
        }
    }

    /// Compares each class with the members of T who match it: their number and their kept values.
    pub(crate) fn compare(&self, people: &People, problems: &mut Problems) {
        let is_several = |rows: &KeptRows| matches!(self.matches.of(rows.combination), Match::Several(..));
        // A member who matches several classes is reported elsewhere. The rows of any of these classes may be theirs.
        let is_ambiguous = people.kept.iter().any(is_several);
        let mut expected: Vec<BTreeMap<&[String], u64>> = vec![BTreeMap::new(); self.list.len()];
        for rows in &people.kept {
            if let Some(class) = self.matches.one(rows.combination) {
                *expected[class].entry(rows.values.as_slice()).or_default() += rows.people;
            }
        }
        let mut by_line: Vec<(&Class, BTreeMap<&[String], u64>)> = self.list.iter().zip(expected).collect();
        by_line.sort_unstable_by_key(|(class, _)| class.line);
        for (class, mut expected) in by_line {
            if !class.is_readable {
                continue;
            }
            let mut refuse = |kind, problem: String, details: String| {
                problems.push(Finding::at_line(kind, class.line, problem).with_details(details));
            };
            let row = || list(&class.texts);
            let (rows, private, public) = (class.rows(), class.private, class.public);
            if public == 0 {
                refuse(FindingKind::Nobody, "nobody in the public table matches it".to_owned(), row());
            } else if private > public {
                let problem = format!("{private} members of T match it, but only {public} individuals in P");
                refuse(FindingKind::AboveOne, problem, row());
            }
            if rows != private {
                let (found, members) = (times(rows), matches(private, "member", "of T"));
                let problem = format!("its quasi-identifiers occur {found}, but {members} them");
                refuse(FindingKind::Count, problem, row());
            }
            if rows != private || is_ambiguous {
                continue;
            }
            for values in class.kept.keys() {
                expected.entry(values.as_slice()).or_default();
            }
            for (values, people) in expected {
                let rows = class.kept.get(values).copied().unwrap_or(0);
                if rows != people {
                    let (found, expected) = (times(rows), times(people));
                    let problem = format!(
                        "some kept values occur {found} with its quasi-identifiers, expected {expected} as in T"
                    );
                    refuse(FindingKind::Kept, problem, format!("{} with {}", row(), list(values)));
                }
            }
        }
    }

    /// The classes for the other criteria; `None` if a part of the file cannot be read.
    pub(crate) fn recounted(&self, people: &People) -> Option<Released> {
        let sensitive = |class: &Class, index: usize| {
            let mut values: BTreeMap<String, u64> = BTreeMap::new();
            for (kept, rows) in &class.kept {
                *values.entry(kept[index].clone()).or_default() += rows;
            }
            values
        };
        let recounted = |class: &Class| Recounted {
            rows: class.rows(),
            private: class.private,
            public: class.public,
            sensitive: people
                .sensitive
                .iter()
                .map(|attribute| sensitive(class, attribute.kept_index))
                .collect(),
        };
        (!self.is_partial).then(|| Released {
            rows: self.list.iter().map(recounted).collect(),
            sensitive: people.sensitive_values(),
        })
    }

    /// The least and the greatest presence in P. If a part of the file cannot be read, 0 and 1.
    pub(crate) fn presence(&self, people: &People) -> (Presence, Presence) {
        if self.is_partial {
            return (Presence::ZERO, Presence::ONE);
        }
        // A class with more members than individuals, or without individuals, has no presence: the worst case is assumed.
        let presence = |class: &Class| Presence::new(class.private, class.public).unwrap_or(Presence::ONE);
        let pool = people.public.saturating_sub(self.matched_public);
        let unmatched = (pool > 0).then(|| Presence::new(self.withdrawn, pool).unwrap_or(Presence::ONE));
        let all = self.list.iter().map(presence).chain(unmatched);
        let least = all.clone().min().unwrap_or(Presence::ZERO);
        (least, all.max().unwrap_or(Presence::ONE))
    }
}

/// Whether a value contains a line with `width` fields, which a reader that ignores quotes would take for a row.
fn contains_row(value: &str, width: usize) -> bool {
    value.contains(['\n', '\r']) && value.split(['\n', '\r']).any(|line| line.split(',').count() == width)
}

/// The indices of the required columns in a release.
struct ReleaseColumns {
    /// The quasi-identifiers, in project order.
    quasi: Vec<usize>,
    /// The kept columns, in T's order.
    kept: Vec<usize>,
    kept_names: Vec<String>,
    /// The columns with pseudonyms. Those made by a key are also kept columns.
    pseudonyms: Vec<usize>,
    /// The entity, if people have several rows.
    entity: Option<usize>,
}

impl ReleaseColumns {
    /// Finds the columns and reports differences from T's columns. `None` if the header lacks a column or repeats one.
    fn find(header: &[String], people: &People, problems: &mut Problems) -> Option<Self> {
        let expected: Vec<&String> = people.columns.iter().map(|column| &column.name).collect();
        let mut is_complete = true;
        for (index, column) in header.iter().enumerate() {
            if people.identifiers.contains(column) {
                let problem = format!("column `{column}` is an identifier and must never be in a release");
                problems.push(Finding::new(FindingKind::Identifier, problem));
            } else if !expected.contains(&column) {
                let problem = format!("column {} does not belong in a release of T", index + 1);
                let extra = Finding::at_line(FindingKind::ExtraColumn, 1, problem);
                problems.push(extra.with_details(format!("`{column}`")));
            } else if header[..index].contains(column) {
                let problem = format!("column `{column}` occurs twice");
                problems.push(Finding::new(FindingKind::RepeatedColumn, problem));
                is_complete = false;
            }
        }
        for column in &expected {
            if !header.contains(column) {
                let problem = format!("column `{column}` of T is missing");
                problems.push(Finding::new(FindingKind::MissingColumn, problem));
                is_complete = false;
            }
        }
        if !is_complete {
            return None;
        }
        let found: Vec<&String> = header.iter().filter(|column| expected.contains(column)).collect();
        if found != expected {
            let listed = |columns: Vec<&String>| list(&columns.into_iter().cloned().collect::<Vec<_>>());
            let problem =
                format!("the columns are {}; expected T's order, {}", listed(found), listed(expected));
            problems.push(Finding::new(FindingKind::ColumnOrder, problem));
        }
        let index_of = |column: &String| header.iter().position(|name| name == column);
        let shared = people.pseudonyms.iter().find(|pseudonyms| pseudonyms.are_shared);
        let mut found = Self {
            quasi: vec![0; people.quasi.len()],
            kept: Vec::new(),
            kept_names: Vec::new(),
            pseudonyms: people.pseudonyms.iter().map(|one| index_of(&one.column)).collect::<Option<_>>()?,
            entity: shared.and_then(|pseudonyms| index_of(&pseudonyms.column)),
        };
        for column in &people.columns {
            let index = index_of(&column.name)?;
            match column.part {
                Part::Quasi(number) => found.quasi[number] = index,
                Part::Kept(_) => {
                    found.kept.push(index);
                    found.kept_names.push(column.name.clone());
                }
                Part::Drawn => {}
            }
        }
        Some(found)
    }
}
