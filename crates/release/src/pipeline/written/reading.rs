//! Reads a written release: maps each combination of the histogram to the row that it matches.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::pipeline::rows::of_release;
use crate::pipeline::written::spec::verify_spec;
use crate::pipeline::{Analysis, CautionBasis, PipelineError};
use palmtop_core::located::LocatedError;
use palmtop_core::metrics::Readability;
use palmtop_core::model::{Classes, Code, Counts, Delta, Partition, People, Presence, Problem, Side, size};
use palmtop_core::progress::{Meter, unwatched};
use palmtop_search::release::Achieved;
use palmtop_tables::encode::Encoder;
use palmtop_tables::trial;
use palmtop_verify::{
    self as verify, DenotedTexts, Findings, Matched, ReleaseForm, ReleasedPerson, ReleasedRow, VerifySpec,
};

/// A written release of this project's P, as the verifier reads it. The release may have been made
/// from an earlier version of T.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadRelease {
    /// The path of the release.
    pub path: PathBuf,
    /// The class of each combination of the histogram, as an index into `classes`. `None` if no
    /// member of T had the combination, or if the members with it are withdrawn.
    pub class_of: Vec<Option<u32>>,
    /// The released classes: the distinct rows.
    pub classes: Vec<ReadClass>,
    /// What the distinct texts of each quasi-identifier denote, in project order.
    pub denoted: Vec<DenotedTexts>,
    /// The columns of [`ReadClass::kept`], in T's order: published unchanged, or as keyed
    /// pseudonyms.
    pub columns: Vec<String>,
    /// The new pseudonyms of the release, which were drawn at random.
    pub drawn: BTreeSet<String>,
    /// The people of the release; `None` if each row is a person. The other numbers here are of rows.
    pub people: Option<ReadPeople>,
    /// The findings of the verifier, such as whether the release is faithful to the present T, and
    /// its presence under the present δ.
    pub findings: Findings,
}

/// The classes of people of a written release, if people have several rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadPeople {
    /// The class of each multiset of the problem, as an index into `classes`. `None` if no released
    /// person has these rows.
    pub class_of: Vec<Option<u32>>,
    /// The classes: the distinct multisets of rows of released people, in ascending order.
    pub classes: Vec<ReadPeopleClass>,
}

/// The released people who have the same rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadPeopleClass {
    /// The rows of each person, ascending, as indices into [`ReadRelease::classes`].
    pub rows: Vec<u32>,
    /// The number of people of P who match these rows.
    pub people: u64,
    /// The members: for each one the texts of the other [columns](ReadRelease::columns), row by row.
    pub members: Vec<Vec<Vec<String>>>,
}

impl ReadPeopleClass {
    /// The people of P and the members.
    pub fn counts(&self) -> Counts {
        Counts::new(self.people, self.members.len() as u64)
    }
}

/// A distinct row of a written release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadClass {
    /// The line of its first occurrence; the first line of the file is 1.
    pub line: u64,
    /// The texts of its quasi-identifiers, in project order.
    pub texts: Vec<String>,
    /// The number of its occurrences, which is the number of members of T in the class.
    pub rows: u64,
    /// The number of people of P who match it.
    pub people: u64,
    /// The number of its occurrences with each combination of texts of the other
    /// [columns](ReadRelease::columns), sorted by these texts.
    pub kept: Vec<(Vec<String>, u64)>,
}

impl ReadRelease {
    /// Whether the file is a faithful release of the present T.
    pub fn is_faithful(&self) -> bool {
        self.findings.is_faithful()
    }

    /// The position of a column among the texts of [`ReadClass::kept`].
    ///
    /// # Errors
    /// [`PipelineError::Located`] if the release was read without that column.
    pub(in crate::pipeline) fn position(&self, column: &str) -> Result<usize, PipelineError> {
        let position = self.columns.iter().position(|known| known == column);
        position.ok_or_else(|| PipelineError::not_read(&self.path, column))
    }

    /// Whether the release publishes the classes of a recoding, each with the same number of rows. If
    /// people have several rows, it also publishes the classes of people, each with the same number
    /// of members.
    pub fn is_of(&self, classes: &Classes) -> bool {
        let of_rows = classes.of_rows();
        let counts_people = !std::ptr::eq(of_rows, classes);
        let rows = |class: usize| self.classes[class].rows;
        let has_people = match &self.people {
            None => !counts_people,
            Some(people) => {
                let members = |class: usize| people.classes[class].counts().private;
                counts_people && has_classes(classes, &people.class_of, members)
            }
        };
        has_people && has_classes(of_rows, &self.class_of, rows)
    }

    /// The counts of each released class, in the unit of counting.
    pub fn counts(&self) -> Vec<Counts> {
        match &self.people {
            Some(people) => people.classes.iter().map(ReadPeopleClass::counts).collect(),
            None => self.classes.iter().map(|class| Counts::new(class.people, class.rows)).collect(),
        }
    }

    /// Whether somebody of P matches no row, or, with several rows, has the rows of no released
    /// person.
    pub fn has_unmatched(&self) -> bool {
        self.people.as_ref().map_or(&self.class_of, |people| &people.class_of).contains(&None)
    }

    /// The text of each quasi-identifier of a released class, in the unit of counting. A class of
    /// people has the texts of all rows of a person.
    pub(in crate::pipeline) fn labels(&self, class: usize) -> Vec<String> {
        let Some(people) = &self.people else { return self.classes[class].texts.clone() };
        let text = |attribute: usize| {
            let rows = people.classes[class].rows.iter();
            let texts: Vec<&str> =
                rows.map(|&row| self.classes[row as usize].texts[attribute].as_str()).collect();
            texts.join(" · ")
        };
        (0..self.denoted.len()).map(text).collect()
    }

    /// The regions that the release publishes. A combination without a matching row is a region of
    /// one.
    pub fn partition(&self, problem: &Problem) -> Partition {
        let mut regions = vec![Vec::new(); self.classes.len()];
        for (combination, class) in (0..).zip(&self.class_of) {
            match class {
                Some(class) => regions[*class as usize].push(combination),
                None => regions.push(vec![combination]),
            }
        }
        let classes = self.classes.iter().map(Some).chain(std::iter::repeat(None));
        let regions: Vec<(Vec<u32>, Option<&ReadClass>)> =
            regions.into_iter().zip(classes).filter(|(region, _)| !region.is_empty()).collect();
        let combinations: Vec<Vec<u32>> = regions.iter().map(|(region, _)| region.clone()).collect();
        let partition = Partition::of_regions(problem, &combinations, &[]);
        // A limited set may have more values than the region's people, so the file says which.
        let limited = (0..problem.quasi().len()).filter(|&attribute| problem.terms(attribute).is_some());
        limited.fold(partition, |partition, attribute| {
            let codes = problem.histogram().column(attribute);
            let known = self.sides(problem, attribute);
            let side = |(region, class): &(Vec<u32>, Option<&ReadClass>)| match class {
                Some(class) => known[class.texts[attribute].as_str()].clone(),
                None => Side::Set(vec![codes[region[0] as usize]]),
            };
            partition.with_sides(attribute, regions.iter().map(side).collect())
        })
    }

    /// The occurring leaves that each text of a quasi-identifier denotes.
    fn sides(&self, problem: &Problem, attribute: usize) -> BTreeMap<&str, Side> {
        let leaves = 0..size::number(problem.hierarchy(attribute).leaf_count());
        let occurring: Vec<Code> = leaves.filter(|&code| problem.occurs(attribute, code)).collect();
        let side = |runs: &[(usize, usize)]| {
            Side::Set(runs.iter().flat_map(|&(low, high)| occurring[low..high].iter().copied()).collect())
        };
        let texts = &self.denoted[attribute].texts;
        texts.iter().map(|(text, denoted)| (text.as_str(), side(&denoted.runs))).collect()
    }

    /// The people of P who match no row, and the withdrawn members among them. If the release is not
    /// [faithful](Self::is_faithful), the members may be those of another T.
    pub fn pool(&self) -> Counts {
        Counts::new(self.findings.unmatched, self.findings.withdrawn)
    }

    /// The least and the greatest presence that the release shows by itself, for an attacker who
    /// knows |T|. The people of P who match no row are one class, the [pool](Self::pool).
    pub fn achieved(&self) -> Achieved {
        let (counts, pool) = (self.counts(), self.pool());
        let pool = (pool.public > 0).then(|| pool.presence());
        let all = || counts.iter().map(|counts| counts.presence()).chain(pool);
        Achieved { min: all().min().unwrap_or(Presence::ZERO), max: all().max().unwrap_or(Presence::ZERO) }
    }

    /// The number of rows. If each row is a person, this is the number of members.
    pub fn rows(&self) -> u64 {
        self.classes.iter().map(|class| class.rows).sum()
    }

    /// How long the cells of the file are.
    pub fn readability(&self, problem: &Problem) -> Readability {
        let texts = |attribute: usize| {
            self.classes.iter().map(move |class| (class.texts[attribute].as_str(), class.rows))
        };
        Readability::of_texts(problem, (0..self.denoted.len()).map(texts))
    }

    /// The distinct texts of each quasi-identifier, in project order, each with the values of P that it
    /// denotes.
    ///
    /// # Errors
    /// [`PipelineError::InputChanged`] if the release was read with another P.
    pub fn codes_by_text(
        &self,
        analysis: &Analysis,
    ) -> Result<Vec<BTreeMap<&str, Vec<Code>>>, PipelineError> {
        let changed = || PipelineError::changed(analysis.public.path());
        let codes_of = codes_of(&analysis.encoder, &self.denoted).ok_or_else(changed)?;
        let of_text = |runs: &[(usize, usize)], codes: &[Code]| {
            let codes = runs.iter().flat_map(|&(begin, end)| codes[begin..end].iter().copied());
            let mut codes: Vec<Code> = codes.collect();
            codes.sort_unstable();
            codes
        };
        let texts = self.denoted.iter().map(|denoted| denoted.texts.iter());
        let with_codes = texts.zip(&codes_of);
        Ok(with_codes
            .map(|(texts, codes)| {
                texts.map(|(text, own)| (text.as_str(), of_text(&own.runs, codes))).collect()
            })
            .collect())
    }
}

/// Whether each unit is read in the class of a recoding, with as many members as `members` has for the
/// read class.
fn has_classes(classes: &Classes, read: &[Option<u32>], members: impl Fn(usize) -> u64) -> bool {
    let mut read_as: Vec<Option<u32>> = vec![None; classes.len()];
    let is_same = |(&read, &class): (&Option<u32>, &u32)| {
        let private = classes.counts(class).private;
        match read {
            None => private == 0 || classes.pool() == Some(class),
            Some(_) if classes.pool() == Some(class) => false,
            Some(read) => {
                members(read as usize) == private && *read_as[class as usize].get_or_insert(read) == read
            }
        }
    };
    read.len() == classes.class_of.len() && read.iter().zip(&classes.class_of).all(is_same)
}

/// Reads a written release of this P with the verifier's reader.
///
/// The release need not be faithful, because T may have changed since. The findings report this.
///
/// # Errors
/// A [`PipelineError`] with file and line if the file:
///
/// - cannot be read,
/// - reveals more than its rows, or
/// - cannot be a release of a part of this P.
pub fn read(analysis: &Analysis, path: &Path) -> Result<ReadRelease, PipelineError> {
    read_watched(analysis, path, &mut unwatched)
}

/// The verifier's findings, and the release if the file could be read, from one recount.
#[derive(Clone, Debug)]
pub struct Recounted {
    /// The findings under the δ of the recount.
    pub findings: Findings,
    /// The release; `None` if it cannot be read, or cannot be a release of a part of P.
    pub read: Option<ReadRelease>,
}

impl Recounted {
    /// Recounts a written release under a δ.
    ///
    /// # Errors
    /// As [`read`], but faults of the release are findings.
    pub fn of(analysis: &Analysis, delta: Delta, path: &Path) -> Result<Self, PipelineError> {
        trial::check_release(path)?;
        let spec = verify_spec(&analysis.project, delta)?;
        Self::of_spec(analysis, &spec, (path, path), &mut unwatched)
    }

    /// Recounts a file that will have this name, with a meter as [`read_watched`].
    pub(in crate::pipeline) fn of_spec(
        analysis: &Analysis,
        spec: &VerifySpec,
        (file, name): (&Path, &Path),
        meter: &mut Meter,
    ) -> Result<Self, PipelineError> {
        let (findings, matched) = verify::verify_and_match_as(spec, file, ReleaseForm::of(name), meter)?;
        match matched.map(|matched| read_matched(analysis, name, matched)).transpose() {
            Ok(read) => Ok(Self { findings, read }),
            Err(PipelineError::BeyondPublic(_)) => Ok(Self { findings, read: None }),
            Err(error) => Err(error),
        }
    }
}

/// [`read_release`](read), which reports the number of rows read from the raw tables to a meter.
///
/// # Errors
/// As [`read_release`](read); [`PipelineError::Cancelled`] if the meter stops the reading.
pub fn read_watched(
    analysis: &Analysis,
    path: &Path,
    meter: &mut Meter,
) -> Result<ReadRelease, PipelineError> {
    trial::check_release(path)?;
    let spec = verify_spec(&analysis.project, analysis.problem.delta())?;
    read_matched(analysis, path, verify::match_release(&spec, path, meter)?)
}

/// A written release of this P, from the result of the verifier.
///
/// # Errors
/// - [`PipelineError::InputChanged`] if the verifier read another P.
/// - [`PipelineError::BeyondPublic`] if a row occurs more often than people of P match it.
pub fn read_matched<'a>(
    basis: impl Into<CautionBasis<'a>>,
    path: &Path,
    matched: Matched,
) -> Result<ReadRelease, PipelineError> {
    read_matched_by(basis.into().analysis(), path, matched)
}

fn read_matched_by(analysis: &Analysis, path: &Path, matched: Matched) -> Result<ReadRelease, PipelineError> {
    let Matched { rows, combinations, denoted, columns, drawn, people, findings } = matched;
    let histogram = analysis.problem.histogram();
    let mut classes: Vec<ReadClass> = rows.into_iter().map(ReadClass::from).collect();
    let mut class_of = vec![None; histogram.len()];
    let changed = || PipelineError::changed(analysis.public.path());
    if combinations.len() != histogram.len() {
        return Err(changed());
    }
    let codes_of = codes_of(&analysis.encoder, &denoted).ok_or_else(changed)?;
    // The verifier has the combinations in the order of the histogram, or most of them: then the next index is tried first.
    let is_aligned = codes_of
        .iter()
        .enumerate()
        .all(|(nth, codes)| combinations.column(nth, codes) == histogram.column(nth));
    let (mut codes, mut next) = (Vec::<Code>::with_capacity(codes_of.len()), 0);
    for combination in combinations.iter() {
        let mut is_next = is_aligned;
        if !is_aligned {
            codes.clear();
            for (leaf, codes_of) in combination.leaves().zip(&codes_of) {
                codes.push(codes_of[leaf as usize]);
            }
            is_next =
                codes.iter().enumerate().all(|(nth, code)| histogram.column(nth).get(next) == Some(code));
        }
        let index = if is_next { next } else { histogram.find(&codes).ok_or_else(changed)? };
        next = index + 1;
        if histogram.counts()[index].public != combination.people {
            return Err(changed());
        }
        if let Some(row) = combination.row {
            classes[row].people += combination.people;
            class_of[index] = Some(size::number(row));
        }
    }
    if let Some(&ReadClass { line, rows, people, .. }) =
        classes.iter().find(|class| class.rows > class.people)
    {
        return Err(beyond_public(path, line, rows, people));
    }
    let people = match (people, analysis.problem.people()) {
        (Some(released), Some(people)) => Some(read_people(released, &class_of, people)),
        _ => None,
    };
    let too_many = |class: &&ReadPeopleClass| class.counts().private > class.people;
    if let Some(class) = people.iter().flat_map(|people| &people.classes).find(too_many) {
        let line = class.rows.first().map_or(1, |&row| classes[row as usize].line);
        let Counts { public: people, private: rows } = class.counts();
        return Err(beyond_public(path, line, rows, people));
    }
    let path = path.to_owned();
    Ok(ReadRelease { path, class_of, classes, denoted, columns, drawn, people, findings })
}

/// The error for a row of a release that occurs more often than people of P match it.
fn beyond_public(path: &Path, line: u64, rows: u64, people: u64) -> PipelineError {
    let problem =
        format!("its quasi-identifiers occur {rows} times, but only {people} individuals in P match them");
    let remedy = "the file is not a release of a part of this public table";
    PipelineError::BeyondPublic(LocatedError::new(problem).in_file(path).at_line(line).remedy(remedy))
}

/// The released people in classes, and the class of each multiset. `class_of` has the row that each
/// combination matches.
fn read_people(released: Vec<ReleasedPerson>, class_of: &[Option<u32>], people: &People) -> ReadPeople {
    let mut members: BTreeMap<Vec<u32>, Vec<Vec<Vec<String>>>> = BTreeMap::new();
    for person in released {
        let (rows, texts): (Vec<u32>, Vec<_>) =
            person.into_iter().map(|(row, texts)| (size::number(row), texts)).unzip();
        members.entry(rows).or_default().push(texts);
    }
    let mut classes: Vec<ReadPeopleClass> =
        members.into_iter().map(|(rows, members)| ReadPeopleClass { rows, people: 0, members }).collect();
    let mut class_of_multiset = |(multiset, counts): (&[u32], &Counts)| -> Option<u32> {
        let rows = multiset.iter().map(|&combination| class_of[combination as usize]);
        let mut rows: Vec<u32> = rows.collect::<Option<_>>()?;
        rows.sort_unstable();
        let class = classes.binary_search_by(|class| class.rows.cmp(&rows)).ok()?;
        classes[class].people += counts.public;
        Some(size::number(class))
    };
    let class_of = people.multisets().zip(people.counts()).map(&mut class_of_multiset).collect();
    ReadPeople { class_of, classes }
}

/// The code of each occurring leaf, for each quasi-identifier. `None` if the engine lacks a leaf.
pub(in crate::pipeline) fn codes_of(encoder: &Encoder, denoted: &[DenotedTexts]) -> Option<Vec<Vec<Code>>> {
    let of_attribute = |(nth, denoted): (usize, &DenotedTexts)| {
        denoted.occurring.iter().map(|text| encoder.code(nth, text)).collect()
    };
    denoted.iter().enumerate().map(of_attribute).collect()
}

/// The number of rows of the raw tables: the total of the meter when a release is read.
pub fn rows_to_recount(analysis: &Analysis) -> u64 {
    of_release::raw_rows(analysis)
}

impl From<ReleasedRow> for ReadClass {
    fn from(row: ReleasedRow) -> Self {
        let ReleasedRow { line, texts, rows, kept } = row;
        Self { line, texts, rows, people: 0, kept }
    }
}
