//! Published columns that have the values of a column of P under another name.
//!
//! Every person of P has a value in such a column, and whoever reads P knows it: it is a quasi-identifier that nobody declared.
//! Two columns of the same values need not be the same, though: yes and no are everywhere. So P is asked whether it has a
//! person with the quasi-identifiers of each row of T and the row's value.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::betrayals::value;
use super::members::{MemberColumns, Persons};
use super::{Analysis, PipelineError, ReadRelease};
use crate::betrayal::{self, Members, NO_VALUE, Risk};
use crate::data::DataError;
use crate::data::encode::Whose;
use crate::data::likeness::{Likeness, Plain};
use crate::model::{Code, Presence, size};
use crate::progress::Meter;
use crate::release::Release;

/// The first rows of P tell which values its columns have.
const MOST_ROWS: u64 = 1_000_000;
/// A column with more distinct texts is not compared.
const MOST_TEXTS: usize = 200_000;
/// Fewer values than this may be in any column, unless the rows of P confirm them.
const COMMON_VALUES: usize = 3;
/// Rows beyond chance that confirm it.
const CONFIRMING: f64 = 10.0;

/// A published column that has the values of a column of P under another name.
#[derive(Clone, Debug, PartialEq)]
pub struct Renamed {
    /// The published column.
    pub column: String,
    /// The column of P.
    pub public_column: String,
    /// The rows of T with a value.
    pub rows: u64,
    /// Of these, the rows for which P has a person with the same quasi-identifiers and the same value.
    pub fitting: u64,
    /// How many would have one by chance.
    pub chance: f64,
    members: Members,
    /// The value of each row of T.
    values: Vec<u32>,
    /// The people of P, by combination and value.
    people: PeopleByValue,
}

/// The people of P, by combination and value.
type PeopleByValue = FxHashMap<(u32, u32), u64>;

/// The texts of a column, each with its rows; `None` if there are too many.
type Counted = Option<FxHashMap<String, u64>>;

/// A pair of columns that have the same values.
struct Pair<'a> {
    published: usize,
    public_column: &'a str,
    private: Plain,
    public: Plain,
}

impl Renamed {
    /// One sentence: which column has the values of which, and how surely.
    pub fn sentence(&self) -> String {
        format!(
            "`{}` has the values of P's column `{}`: for {} of {} rows P has a person with the row's quasi-identifiers and \
             this value; by chance it would for {:.0}",
            self.column, self.public_column, self.fitting, self.rows, self.chance
        )
    }

    /// What to do about it.
    pub fn remedy(&self) -> String {
        format!(
            "make `{0}` a quasi-identifier (`role = \"quasi\"`, `public_column = \"{1}\"`, and a hierarchy), or withhold it \
             (`role = \"identifier\"`)",
            self.column, self.public_column
        )
    }

    fn risk(&self, class_of: &[Option<u32>], delta_max: Presence) -> Risk {
        let class = |combination: u32| class_of[combination as usize];
        let people =
            self.people.iter().map(|(&(combination, value), people)| (class(combination), value, *people));
        let combinations = self.members.combinations.iter().zip(&self.values);
        let rows = combinations.zip(&self.members.people);
        let rows = rows.map(|((&combination, &value), &people)| (class(combination), value, people));
        Risk::of_values(people, rows, delta_max)
    }
}

impl Analysis {
    /// The published columns that have the values of a column of P which the project does not use. One pass over T and one over the
    /// first rows of P; a second pass over P if there are any.
    ///
    /// # Errors
    /// A [`PipelineError`] if a table cannot be read or is not what was loaded; [`PipelineError::Cancelled`] if the meter says
    /// stop.
    pub fn renamed(&self, meter: &mut Meter) -> Result<Vec<Renamed>, PipelineError> {
        let published = self.published_beside();
        let is_readable = |column: &&String| self.public.is_readable(column);
        let spare: Vec<&str> = self.notes.unused.iter().filter(is_readable).map(String::as_str).collect();
        if published.is_empty() || spare.is_empty() || self.project.member().is_some() {
            return Ok(Vec::new());
        }
        let columns: Vec<&str> = published.iter().map(|own| own.column).collect();
        let entity = self.entity_column();
        let wanted = MemberColumns::new(self, columns.into_iter().chain(entity));
        let (mut persons, mut person_of_row) = (Persons::default(), Vec::new());
        let mut texts: Vec<Counted> = vec![Some(FxHashMap::default()); published.len()];
        let mut cells: Vec<Vec<Option<String>>> = vec![Vec::new(); published.len()];
        let mut members = Members::default();
        let changed = |at| DataError::Changed { path: self.private.file_of(at).to_owned() };
        self.visit_loaded(&self.private, &wanted.columns, meter, &mut |at, row| {
            let Some((combination, people)) = wanted.combination(at, row)? else { return Ok(()) };
            members.combinations.push(size::number(combination));
            members.people.push(people);
            person_of_row.extend(entity.map(|_| persons.number(row[published.len()])));
            let beside = published.iter().zip(row);
            for ((own, text), (counted, cells)) in beside.zip(texts.iter_mut().zip(&mut cells)) {
                let text = own.publisher.text(text).ok_or_else(|| changed(at))?;
                let text = value(own.attribute, text);
                if let Some(text) = text {
                    count(counted, text);
                }
                cells.push(text.map(str::to_owned));
            }
            Ok(())
        })?;
        if entity.is_some() {
            let rows = betrayal::one_row_each(&person_of_row);
            keep_rows(&mut members.combinations, &rows);
            keep_rows(&mut members.people, &rows);
            for cells in &mut cells {
                keep_rows(cells, &rows);
            }
        }
        let public_texts = self.public_texts(&spare, meter)?;
        let mut pairs = Vec::new();
        for (nth, private) in texts.iter().enumerate() {
            let Some(private) = private else { continue };
            let private = plain(private);
            for (&public_column, public) in spare.iter().zip(&public_texts) {
                let Some(public) = public.as_ref().map(plain) else { continue };
                if private.likeness(&public) == Likeness::Alike {
                    pairs.push(Pair { published: nth, public_column, private: private.clone(), public });
                }
            }
        }
        let people = self.people_by_value(&pairs, meter)?;
        let found = pairs.into_iter().zip(people).filter_map(|(pair, people)| {
            let column = &published[pair.published].attribute.name;
            Renamed::confirmed(column, &pair, &cells[pair.published], members.clone(), people)
        });
        Ok(found.collect())
    }

    /// What a renamed column costs a release of this problem.
    pub fn renamed_risk(&self, release: &Release, renamed: &Renamed, delta_max: Presence) -> Risk {
        let pool = release.classes.pool();
        let class_of =
            release.classes.class_of.iter().map(|&class| Some(class).filter(|_| pool != Some(class)));
        renamed.risk(&class_of.collect::<Vec<_>>(), delta_max)
    }

    /// What a renamed column costs a written release.
    pub fn renamed_risk_of_file(&self, read: &ReadRelease, renamed: &Renamed, delta_max: Presence) -> Risk {
        renamed.risk(&read.class_of, delta_max)
    }

    /// The texts of some columns of P, of its first rows.
    fn public_texts(&self, columns: &[&str], meter: &mut Meter) -> Result<Vec<Counted>, PipelineError> {
        let mut texts: Vec<Counted> = vec![Some(FxHashMap::default()); columns.len()];
        let (mut rows, mut is_full) = (0, false);
        let read = self.public.visit(columns, meter, &mut |_, row| {
            texts.iter_mut().zip(row).for_each(|(counted, text)| count(counted, text));
            rows += 1;
            is_full = rows == MOST_ROWS;
            // A reader of tables stops at errors alone.
            if is_full { Err(DataError::Cancelled) } else { Ok(()) }
        });
        match read {
            Err(DataError::Cancelled) if is_full => Ok(texts),
            read => Ok(read.map(|_| texts)?),
        }
    }

    /// For each pair the people of P by combination and value, of the values that T has.
    fn people_by_value(
        &self,
        pairs: &[Pair],
        meter: &mut Meter,
    ) -> Result<Vec<PeopleByValue>, PipelineError> {
        let mut people = vec![FxHashMap::default(); pairs.len()];
        if pairs.is_empty() {
            return Ok(people);
        }
        let project = &self.project;
        let mut columns: Vec<&str> =
            project.quasi().map(|(attribute, _)| attribute.public_column.as_str()).collect();
        let quasi = columns.len();
        columns.extend(pairs.iter().map(|pair| pair.public_column));
        columns.extend(project.count_column());
        let changed = || DataError::Changed { path: self.public.path().to_owned() };
        let numbers: Vec<BTreeMap<&str, u32>> =
            pairs.iter().map(|pair| pair.private.values().zip(0..).collect()).collect();
        let histogram = self.problem.histogram();
        self.visit_loaded(&self.public, &columns, meter, &mut |_, row| {
            let of_row = match &project.public.count {
                Some(count) => row.last().and_then(|text| count.people(text)).ok_or_else(changed)?,
                None => 1,
            };
            let codes = (0..quasi).map(|nth| self.encoder.read(Whose::Public, nth, row[nth]));
            let codes: Option<Vec<Code>> = codes.collect();
            // People with a count of 0 are in no combination.
            let Some(combination) = codes.and_then(|codes| histogram.find(&codes)) else { return Ok(()) };
            for (((pair, numbers), people), text) in
                pairs.iter().zip(&numbers).zip(&mut people).zip(&row[quasi..])
            {
                let value = pair.public.value(text);
                if let Some(&value) = value.as_deref().and_then(|value| numbers.get(value)) {
                    *people.entry((size::number(combination), value)).or_default() += of_row;
                }
            }
            Ok(())
        })?;
        Ok(people)
    }
}

impl Renamed {
    /// A pair of columns that the rows confirm to be the same.
    #[expect(clippy::cast_precision_loss, reason = "counts of rows")]
    fn confirmed(
        column: &str,
        pair: &Pair,
        cells: &[Option<String>],
        members: Members,
        people: PeopleByValue,
    ) -> Option<Self> {
        let numbers: BTreeMap<&str, u32> = pair.private.values().zip(0..).collect();
        let number = |cell: &Option<String>| {
            let value = cell.as_deref().and_then(|text| pair.private.value(text));
            value.and_then(|value| numbers.get(value.as_str()).copied()).unwrap_or(NO_VALUE)
        };
        let values: Vec<u32> = cells.iter().map(number).collect();
        let mut own = vec![0_u64; numbers.len()];
        values.iter().filter(|&&value| value != NO_VALUE).for_each(|&value| own[value as usize] += 1);
        let rows: u64 = own.iter().sum();
        let mut rows_of_combination: FxHashMap<u32, u64> = FxHashMap::default();
        let mut fitting = 0;
        for (&combination, &value) in
            members.combinations.iter().zip(&values).filter(|(_, value)| **value != NO_VALUE)
        {
            *rows_of_combination.entry(combination).or_default() += 1;
            fitting += u64::from(people.contains_key(&(combination, value)));
        }
        let chance = people.keys().map(|&(combination, value)| {
            let rows_here = rows_of_combination.get(&combination).copied().unwrap_or(0);
            (rows_here * own[value as usize]) as f64 / rows as f64
        });
        let chance = chance.sum::<f64>();
        let shared: BTreeSet<u32> = people.keys().map(|&(_, value)| value).collect();
        let is_confirmed = fitting as f64 - chance >= CONFIRMING || shared.len() > COMMON_VALUES;
        (fitting * 20 >= rows * 19 && rows > 0 && is_confirmed).then(|| Self {
            column: column.to_owned(),
            public_column: pair.public_column.to_owned(),
            rows,
            fitting,
            chance,
            members,
            values,
            people,
        })
    }
}

/// Keeps the rows with these numbers, which ascend.
fn keep_rows<T: Clone>(all: &mut Vec<T>, rows: &[u32]) {
    *all = rows.iter().map(|&row| all[row as usize].clone()).collect();
}

fn count(counted: &mut Counted, text: &str) {
    let Some(texts) = counted else { return };
    if let Some(rows) = texts.get_mut(text) {
        *rows += 1;
    } else if texts.len() < MOST_TEXTS {
        texts.insert(text.to_owned(), 1);
    } else {
        *counted = None;
    }
}

fn plain(texts: &FxHashMap<String, u64>) -> Plain {
    Plain::of(texts.iter().map(|(text, rows)| (text.as_str(), *rows)), true)
}
