//! The distinct released rows, matched with the people of both tables.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rustc_hash::FxHashMap;

use super::Rows;
use super::combinations::Combination;
use super::criteria::{Recounted, Released};
use super::denote::{self, Leaves};
use super::error::VerifyError;
use super::finding::{Finding, Problems};
use super::matched::ReleasedRow;
use super::matching::{Match, Matches, Sides, match_rows};
use super::people::{KeptRows, Part, People};
use super::posterior::Believed;
use super::pseudonym::Pseudonyms;
use super::release::ReleaseForm;
use super::value::Chance;
use super::written::Written;
use palmtop_terms::Presence;

/// A distinct released row: what its quasi-identifiers' columns hold.
#[derive(Debug)]
struct Class {
    /// The first line that has it.
    line: u64,
    /// Its texts, per quasi-identifier in project order.
    texts: Vec<String>,
    /// Whether each text denotes something.
    is_readable: bool,
    /// How often it occurs with each combination of kept values.
    kept: BTreeMap<Vec<String>, u64>,
    /// The people of P and of T who match it.
    public: u64,
    private: u64,
}

impl Class {
    fn rows(&self) -> u64 {
        self.kept.values().sum()
    }
}

/// The distinct released rows, and whom they match.
#[derive(Debug)]
pub(super) struct Classes {
    list: Vec<Class>,
    /// What the texts denote, and which rows the combinations match, once counted.
    sides: Sides,
    matches: Matches,
    matched_public: u64,
    /// The people of T who match no row, where that is allowed.
    withdrawn: u64,
    /// The distinct texts that are beyond the limits.
    beyond_limits: u64,
    is_partial: bool,
    /// The new pseudonyms.
    drawn: BTreeSet<String>,
    /// Where people have several rows, the released ones.
    people: ReleasedPeople,
}

/// The released people, where they have several rows: by their pseudonym the rows of each, the distinct row and what is kept.
pub(super) type ReleasedPeople = BTreeMap<String, Vec<(usize, Vec<String>)>>;

/// What was read of a release.
#[derive(Debug)]
pub(super) struct Read {
    /// Its rows, whether they fit the header or not.
    pub(super) rows: u64,
    /// `None` where the header cannot be read, or lacks a column that it must have.
    pub(super) classes: Option<Classes>,
}

impl Classes {
    /// Reads a release and groups its rows.
    pub(super) fn read(
        release: &Path,
        form: ReleaseForm,
        people: &People,
        problems: &mut Problems,
        progress: &mut Rows,
    ) -> Result<Read, VerifyError> {
        let Some(mut written) = Written::open(release, form, problems)? else {
            return Ok(Read { rows: 0, classes: None });
        };
        let places = Places::find(written.header(), people, problems);
        let mut grouped: BTreeMap<Vec<String>, Class> = BTreeMap::new();
        let mut given: Vec<FxHashMap<String, u64>> = vec![FxHashMap::default(); people.pseudonyms.len()];
        let mut whose: Vec<(String, Vec<String>, Vec<String>)> = Vec::new();
        let width = written.header().len();
        while let Some(row) = written.next(problems)? {
            progress.tick()?;
            let Some(places) = &places else { continue };
            let pick = |places: &[usize]| -> Vec<String> {
                places.iter().map(|&place| row.field(place).to_owned()).collect()
            };
            let kept = pick(&places.kept);
            for (value, column) in kept.iter().zip(&places.kept_names) {
                if is_disguised(value, width) {
                    let (line, column, value) = (row.line, column.clone(), value.clone());
                    problems.push(Finding::RowInDisguise { line, column, value });
                }
            }
            for ((pseudonyms, &place), given) in
                people.pseudonyms.iter().zip(&places.pseudonyms).zip(&mut given)
            {
                pseudonyms.check((row.line, row.field(place)), given, problems);
            }
            let texts = pick(&places.quasi);
            if let Some(place) = places.entity {
                whose.push((row.field(place).to_owned(), texts.clone(), kept.clone()));
            }
            let class = match grouped.get_mut(&texts) {
                Some(class) => class,
                None => grouped.entry(texts.clone()).or_insert(Class {
                    line: row.line,
                    texts,
                    is_readable: true,
                    kept: BTreeMap::new(),
                    public: 0,
                    private: 0,
                }),
            };
            *class.kept.entry(kept).or_default() += 1;
        }
        let is_drawn = |own: &Pseudonyms| people.part(&own.column) == Some(Part::Drawn);
        let drawn = people.pseudonyms.iter().zip(given).filter(|(own, _)| is_drawn(own));
        let drawn = drawn.flat_map(|(_, given)| given.into_keys()).collect();
        let mut released = ReleasedPeople::new();
        let texts: Vec<&Vec<String>> = grouped.keys().collect();
        for (pseudonym, own, kept) in whose {
            // They are in the order of their texts, and all are there.
            if let Ok(class) = texts.binary_search(&&own) {
                released.entry(pseudonym).or_default().push((class, kept));
            }
        }
        let classes = places.map(|_| Self {
            people: released,
            list: grouped.into_values().collect(),
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

    pub(super) fn len(&self) -> u64 {
        self.list.len() as u64
    }

    /// Whether nothing is known of who matches some part of the file.
    pub(super) fn is_partial(&self) -> bool {
        self.is_partial
    }

    /// Whether somebody matches several rows.
    pub(super) fn is_ambiguous(&self) -> bool {
        self.matches.are_ambiguous()
    }

    /// The one row that a combination matches.
    pub(super) fn one(&self, combination: usize) -> Option<usize> {
        self.matches.one(combination)
    }

    /// The released people, where they have several rows.
    pub(super) fn people(&self) -> &ReleasedPeople {
        &self.people
    }

    /// The leaves of each distinct text of a quasi-identifier, once counted.
    pub(super) fn denoted(&self, attribute: usize) -> BTreeMap<&str, &Leaves> {
        let texts = self.list.iter().enumerate().map(|(row, class)| {
            (class.texts[attribute].as_str(), &self.sides.leaves[attribute][self.sides.text(attribute, row)])
        });
        texts.collect()
    }

    /// Each distinct row as it was read, of each combination, once counted, one more than the first row that it matches, or 0, and the
    /// new pseudonyms.
    pub(super) fn released(self) -> (Vec<ReleasedRow>, Vec<u32>, BTreeSet<String>) {
        let row = |class: Class| ReleasedRow {
            line: class.line,
            rows: class.rows(),
            texts: class.texts,
            kept: class.kept.into_iter().collect(),
        };
        (self.list.into_iter().map(row).collect(), self.matches.into_first(), self.drawn)
    }

    /// How many distinct texts are beyond the limits of their quasi-identifiers.
    pub(super) fn beyond_limits(&self) -> u64 {
        self.beyond_limits
    }

    /// The people of P who match some released row.
    pub(super) fn matched_public(&self) -> u64 {
        self.matched_public
    }

    /// The people of T who match no row, where that is allowed: their class is that of everybody who matches none.
    pub(super) fn withdrawn(&self) -> u64 {
        self.withdrawn
    }

    /// Finds the rows that each person matches: every public person at most one, every private one exactly one, but for so
    /// many who may be withdrawn.
    pub(super) fn count(
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
        self.note_matches(people, withdrawn_at_most, problems);
        Ok(())
    }

    /// Whoever matches several rows, and members who match none.
    fn note_matches(&mut self, people: &People, withdrawn_at_most: u64, problems: &mut Problems) {
        let mut matched = 0;
        let (mut overlapping, mut overlap) = (0, None);
        let (mut unpublished, mut missing) = (people.strangers, None);
        for (place, (combination, found)) in people.combinations.iter().zip(self.matches.iter()).enumerate() {
            match found {
                Match::None if combination.private > 0 => {
                    unpublished += combination.private;
                    missing = missing.or(Some(place));
                }
                Match::Several(first, second) => {
                    overlapping += combination.public;
                    overlap = overlap.or(Some((place, first, second)));
                }
                Match::None | Match::One(_) => {}
            }
            if found != Match::None {
                matched += combination.public;
            }
        }
        self.matched_public = matched;
        if let Some((place, first, second)) = overlap {
            let row = |class: usize| (self.list[class].line, self.list[class].texts.clone());
            let (person, rows) = (people.texts(place), [row(first), row(second)]);
            problems.push(Finding::Overlap { people: overlapping, person, rows });
        }
        // Who is not in P at all is no member who is withdrawn.
        if withdrawn_at_most > 0 && people.strangers == 0 {
            self.withdrawn = unpublished;
            if unpublished > withdrawn_at_most && !self.is_partial {
                let person = missing.map(|place| people.texts(place)).unwrap_or_default();
                problems.push(Finding::Withdrawn { people: unpublished, most: withdrawn_at_most, person });
            }
            return;
        }
        // Where part of the file cannot be read, they may stand there.
        if unpublished > 0 && !self.is_partial {
            let person = missing.map_or_else(|| people.stranger_texts(), |place| people.texts(place));
            problems.push(Finding::Unpublished { people: unpublished, person });
        }
    }

    /// Reads every distinct text once: what it denotes, and per class the number of its text.
    fn read_texts(
        &mut self,
        people: &People,
        problems: &mut Problems,
        progress: &mut Rows,
    ) -> Result<Sides, VerifyError> {
        let width = people.quasi.len();
        let mut texts = vec![0; self.list.len() * width];
        let mut sides = Vec::with_capacity(width);
        let occurring = people.combinations.occurring(&people.leaf_counts(), true);
        for (attribute, quasi) in people.quasi.iter().enumerate() {
            let mut numbers: FxHashMap<&str, u32> = FxHashMap::default();
            let mut leaves: Vec<Option<Leaves>> = Vec::new();
            let occurs = &occurring[attribute];
            for (class, row) in self.list.iter_mut().zip(texts.chunks_mut(width)) {
                progress.tick()?;
                let text = class.texts[attribute].as_str();
                let number = if let Some(&number) = numbers.get(text) {
                    number
                } else {
                    progress.step(text.len())?;
                    let number = u32::try_from(leaves.len())
                        .expect("a release has fewer rows than 32 bits can number");
                    let (line, column) = (class.line, || people.quasi_column(attribute));
                    let read = denote::leaves(&quasi.hierarchy, text).map_err(|expected| {
                        let (column, value) = (column(), text.to_owned());
                        problems.push(Finding::Unreadable { line, column, value, expected });
                    });
                    if let Ok(leaves) = &read
                        && let Some(expected) = quasi.limits.broken(&quasi.hierarchy, (text, leaves), occurs)
                    {
                        let (column, value) = (column(), text.to_owned());
                        problems.push(Finding::BeyondLimits { line, column, value, expected });
                        self.beyond_limits += 1;
                    }
                    leaves.push(read.ok());
                    numbers.insert(text, number);
                    number
                };
                row[attribute] = number;
                class.is_readable &= leaves[number as usize].is_some();
                self.is_partial |= leaves[number as usize].is_none();
            }
            sides.push(leaves.into_iter().map(Option::unwrap_or_default).collect());
        }
        Ok(Sides { leaves: sides, texts })
    }

    /// Where every class must hold somebody of T, everybody in P must match a row, unless members are among those who do not.
    pub(super) fn check_filled(&self, people: &People, problems: &mut Problems) {
        // Where part of the file cannot be read, they may stand there; it is refused for that.
        if self.is_partial || self.matched_public == people.public || self.withdrawn > 0 {
            return;
        }
        let is_left =
            |(combination, found): (Combination, Match)| combination.public > 0 && found == Match::None;
        if let Some(place) = people.combinations.iter().zip(self.matches.iter()).position(is_left) {
            let (people, person) = (people.public - self.matched_public, people.texts(place));
            problems.push(Finding::EmptyClass { people, person });
        }
    }

    /// Compares each class with the people of T who match it: how many they are, and what they keep.
    pub(super) fn compare(&self, people: &People, problems: &mut Problems) {
        let is_several = |rows: &KeptRows| matches!(self.matches.of(rows.combination), Match::Several(..));
        // Somebody of T in several classes is a problem already, and could be meant by the rows of any of them.
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
            let (line, row) = (class.line, || class.texts.clone());
            let (rows, private, public) = (class.rows(), class.private, class.public);
            if public == 0 {
                problems.push(Finding::Nobody { line, row: row() });
            } else if private > public {
                problems.push(Finding::AboveOne { line, row: row(), private, public });
            }
            if rows != private {
                problems.push(Finding::Count { line, row: row(), rows, people: private });
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
                    let values = values.to_vec();
                    problems.push(Finding::Kept { line, row: row(), values, rows, people });
                }
            }
        }
    }

    /// Every distinct row, as criteria see it; `None` where part of the file cannot be read.
    pub(super) fn recounted(&self, people: &People) -> Option<Released> {
        let sensitive = |class: &Class, place: usize| {
            let mut values: BTreeMap<String, u64> = BTreeMap::new();
            for (kept, rows) in &class.kept {
                *values.entry(kept[place].clone()).or_default() += rows;
            }
            values
        };
        let recounted = |class: &Class| Recounted {
            rows: class.rows(),
            private: class.private,
            public: class.public,
            sensitive: people.sensitive.iter().map(|own| sensitive(class, own.place)).collect(),
        };
        (!self.is_partial).then(|| Released {
            rows: self.list.iter().map(recounted).collect(),
            sensitive: people.sensitive_values(),
        })
    }

    /// Every class with its people by how likely they are to be in T, and its members; whoever matches no row is in one
    /// with those who are withdrawn. `None` where nobody was asked how likely they are, or not everybody's class is known.
    pub(super) fn believed(&self, people: &People) -> Option<Vec<Believed>> {
        let prior = people.prior.as_ref().filter(|_| !self.is_partial)?;
        let mut classes: Vec<(BTreeMap<Chance, u64>, u64)> =
            self.list.iter().map(|class| (BTreeMap::new(), class.private)).collect();
        classes.push((BTreeMap::new(), self.withdrawn));
        for (found, alike) in self.matches.iter().zip(prior) {
            let class = match found {
                Match::One(class) => class,
                Match::None => self.list.len(),
                Match::Several(..) => return None,
            };
            for (chance, count) in alike {
                *classes[class].0.entry(*chance).or_default() += count;
            }
        }
        Some(classes.into_iter().map(|(people, members)| (people.into_iter().collect(), members)).collect())
    }

    /// The least and the greatest presence of anybody in P.
    pub(super) fn presence(&self, people: &People) -> (Presence, Presence) {
        if self.is_partial {
            return (Presence::ZERO, Presence::ONE);
        }
        // Where there are more private people than public ones, or none at all, the worst is assumed.
        let presence = |class: &Class| Presence::new(class.private, class.public).unwrap_or(Presence::ONE);
        let pool = people.public.saturating_sub(self.matched_public);
        let unmatched = (pool > 0).then(|| Presence::new(self.withdrawn, pool).unwrap_or(Presence::ONE));
        let all = self.list.iter().map(presence).chain(unmatched);
        let least = all.clone().min().unwrap_or(Presence::ZERO);
        (least, all.max().unwrap_or(Presence::ONE))
    }
}

/// Whether a value holds a line that a reader who knows no quotes takes for a row of so many fields.
fn is_disguised(value: &str, width: usize) -> bool {
    value.contains(['\n', '\r']) && value.split(['\n', '\r']).any(|line| line.split(',').count() == width)
}

/// Where in a release the columns are that it must have.
struct Places {
    /// The quasi-identifiers, in project order.
    quasi: Vec<usize>,
    /// The kept columns, in T's order.
    kept: Vec<usize>,
    kept_names: Vec<String>,
    /// Those with pseudonyms, of which some are kept columns, too.
    pseudonyms: Vec<usize>,
    /// Where people have several rows, that of whose they are.
    entity: Option<usize>,
}

impl Places {
    /// `None` where the header lacks a column. Whatever differs from T's columns is a problem.
    fn find(header: &[String], people: &People, problems: &mut Problems) -> Option<Self> {
        let expected: Vec<&String> = people.columns.iter().map(|column| &column.name).collect();
        let mut is_complete = true;
        for (place, column) in header.iter().enumerate() {
            let column = column.clone();
            if people.identifiers.contains(&column) {
                problems.push(Finding::Identifier { column });
            } else if !expected.contains(&&column) {
                problems.push(Finding::ExtraColumn { place: place + 1, column });
            } else if header[..place].contains(&column) {
                problems.push(Finding::RepeatedColumn { column });
                is_complete = false;
            }
        }
        for column in &expected {
            if !header.contains(column) {
                problems.push(Finding::MissingColumn { column: (*column).clone() });
                is_complete = false;
            }
        }
        if !is_complete {
            return None;
        }
        let found: Vec<&String> = header.iter().filter(|column| expected.contains(column)).collect();
        if found != expected {
            let owned = |columns: Vec<&String>| columns.into_iter().cloned().collect();
            problems.push(Finding::ColumnOrder { found: owned(found), expected: owned(expected) });
        }
        let place = |column: &String| header.iter().position(|name| name == column);
        let mut places = Self {
            quasi: vec![0; people.quasi.len()],
            kept: Vec::new(),
            kept_names: Vec::new(),
            pseudonyms: people.pseudonyms.iter().map(|own| place(&own.column)).collect::<Option<_>>()?,
            entity: None,
        };
        let shared = people.pseudonyms.iter().find(|own| own.are_shared);
        places.entity = shared.and_then(|own| place(&own.column));
        for column in &people.columns {
            let place = place(&column.name)?;
            match column.part {
                Part::Quasi(number) => places.quasi[number] = place,
                Part::Kept(_) => {
                    places.kept.push(place);
                    places.kept_names.push(column.name.clone());
                }
                Part::Drawn => {}
            }
        }
        Some(places)
    }
}
