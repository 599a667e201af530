//! A table reduced, in one pass, to its distinct combinations of texts with their people; whatever must be known of every
//! row is looked at on the way: counts, memberships, identifiers, columns that nobody named.

use std::collections::HashSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::error::DataError;
use super::groups::Groups;
use super::place::At;
use super::prior::{PriorCell, PriorTally};
use super::read::{ReadFile, Table};
use super::reading::Misread;
use super::refused::{Held, Refusal, RefusedValue, RefusedValues};
use super::weight::{CountColumn, MemberColumn, whole_number};
use crate::model::Counts;
use crate::progress::Meter;

/// Which columns of a table mean what.
#[derive(Clone, Debug, Default)]
pub struct TallySpec<'a> {
    /// The quasi-identifiers' columns, in project order.
    pub quasi: Vec<&'a str>,
    /// The column that says for how many people a row stands; without it, for one.
    pub count: Option<&'a CountColumn>,
    /// The column that says whether a row's people are in T.
    pub member: Option<&'a MemberColumn>,
    /// The column that says how likely a row's people are to be in T.
    pub prior: Option<&'a str>,
    /// Columns that no two rows of T may share a value in; blank values are not compared.
    pub identifiers: Vec<&'a str>,
    /// Columns that nobody named.
    pub spare: Vec<&'a str>,
}

/// A table reduced to its distinct combinations.
#[derive(Clone, Debug)]
pub struct Tally {
    /// Per quasi-identifier, its distinct texts in the order of their appearance.
    texts: Vec<Texts>,
    pub(super) groups: Groups,
    /// The same by how likely they are to be in T, where a column says so.
    pub(super) priors: Option<PriorTally>,
    /// Its rows, the header not counted.
    pub rows: u64,
    /// The rows whose people are in T.
    pub member_rows: u64,
    /// The spare columns that look like counts: whole numbers from 1 in every row, some of them several times.
    pub count_like: Vec<String>,
    /// What was read of each file.
    pub files: Vec<ReadFile>,
}

impl Tally {
    /// The distinct values of a quasi-identifier, sorted.
    pub fn distinct(&self, attribute: usize) -> Vec<String> {
        let mut texts = self.texts(attribute).to_vec();
        texts.sort_unstable();
        texts.dedup();
        texts
    }

    /// The value of each distinct text of a quasi-identifier, by its number in the combinations.
    pub(super) fn texts(&self, attribute: usize) -> &[String] {
        let Texts { list, values, .. } = &self.texts[attribute];
        values.as_ref().unwrap_or(list)
    }

    /// Reads the texts of every quasi-identifier as `held` says of each.
    ///
    /// # Errors
    /// Every text that cannot be read, as [`DataError::Refused`].
    pub fn read(&mut self, table: &Table, held: &[Held]) -> Result<(), DataError> {
        let mut wrong = Vec::new();
        for (attribute, held) in held.iter().enumerate().filter(|(_, held)| !held.reading.is_plain()) {
            wrong.push(self.read_column(table, attribute, held));
        }
        DataError::all(wrong)
    }

    fn read_column(&mut self, table: &Table, attribute: usize, held: &Held) -> Result<(), DataError> {
        let list = &self.texts[attribute].list;
        let (mut values, mut refused) = (Vec::with_capacity(list.len()), Vec::new());
        for text in list {
            match held.reading.read(text) {
                Ok(value) => values.push(value.into_owned()),
                Err(misread) => refused.push((misread, text)),
            }
        }
        refused.sort_unstable();
        let Some(&(first, _)) = refused.first() else {
            self.texts[attribute].values = Some(values);
            return Ok(());
        };
        let alike: Vec<&String> =
            refused.into_iter().filter(|(misread, _)| *misread == first).map(|(_, text)| text).collect();
        let refusal = match first {
            Misread::Form => Refusal::Form(held.reading.form.expected()),
            Misread::IsLabel => Refusal::Label,
        };
        let values = RefusedValues::new(held, refusal, &alike, &|_| false, &[], None);
        Err(DataError::Refused(Box::new(values.with_places(&|text| self.place_of(table, attribute, text)))))
    }

    /// Where a value of a quasi-identifier stands first in the table that this is of, and for how many people.
    pub fn place_of(&self, table: &Table, attribute: usize, value: &str) -> RefusedValue {
        let numbers = self.texts(attribute).iter().zip(0_u32..).filter(|(text, _)| *text == value);
        let numbers: Vec<u32> = numbers.map(|(_, number)| number).collect();
        let rows = numbers.iter().map(|&number| self.texts[attribute].rows[number as usize]);
        let of_value = self.groups.iter().filter(|(row, _)| numbers.contains(&row[attribute]));
        RefusedValue {
            text: value.to_owned(),
            row: rows.min().map(|at| table.place(at)),
            people: of_value.map(|(_, counts)| counts.public).sum(),
        }
    }

    /// How many distinct combinations there are.
    pub fn combinations(&self) -> usize {
        self.groups.len()
    }
}

impl Table {
    /// Reads the whole table once and reduces it. People of a table without a `member` column are counted as public ones.
    ///
    /// # Errors
    /// A [`DataError`] with file and line or row: the form is wrong, a count or a membership is none, an identifier
    /// repeats, there are more people than can be counted; [`DataError::Cancelled`] where the meter says stop.
    pub fn tally(&self, spec: &TallySpec, meter: &mut Meter) -> Result<Tally, DataError> {
        let width = spec.quasi.len();
        let mut columns = spec.quasi.clone();
        columns.extend(spec.count.map(|count| count.column.as_str()));
        columns.extend(spec.member.map(|member| member.column.as_str()));
        columns.extend(spec.prior);
        let identifiers_from = columns.len();
        columns.extend(&spec.identifiers);
        let spare_from = columns.len();
        columns.extend(&spec.spare);

        let mut texts: Vec<Texts> = spec.quasi.iter().map(|_| Texts::default()).collect();
        let mut groups = Groups::new(width);
        let mut priors = spec.prior.map(|_| PriorTally::new(width));
        let mut identifiers: Vec<Seen> = spec.identifiers.iter().map(|_| Seen::default()).collect();
        let mut spare: Vec<Option<Numbers>> = spec.spare.iter().map(|_| Some(Numbers::default())).collect();
        let mut ids = Vec::with_capacity(width);
        let (mut rows, mut member_rows) = (0_u64, 0_u64);
        let files = self.visit(&columns, meter, &mut |at, row| {
            rows += 1;
            let mut special = row[width..identifiers_from].iter();
            let people = match spec.count.and_then(|count| Some((count, special.next()?))) {
                Some((count, text)) => {
                    count.people(text).ok_or_else(|| self.not_a_count(at, &count.column, text))?
                }
                None => 1,
            };
            let is_member = match spec.member.and_then(|member| Some((member, special.next()?))) {
                Some((member, text)) => {
                    let said = member.is_member(text);
                    said.ok_or_else(|| self.not_a_membership(at, &member.column, text))?
                }
                None => false,
            };
            member_rows += u64::from(is_member);
            if people == 0 {
                // Nobody: what the row says occurs nowhere.
                return Ok(());
            }
            ids.clear();
            ids.extend(texts.iter_mut().zip(row).map(|(texts, text)| texts.number(text, at)));
            let private = if is_member { people } else { 0 };
            groups.add(&ids, Counts::new(people, private)).map_err(|_| self.too_many_people())?;
            if let (Some(priors), Some(column), Some(text)) = (&mut priors, spec.prior, special.next()) {
                let row = PriorCell { table: self, at, column, text };
                priors.add(&ids, Counts::new(people, private), row)?;
            }
            if spec.member.is_none() || is_member {
                for (seen, text) in identifiers.iter_mut().zip(&row[identifiers_from..spare_from]) {
                    seen.look(text, at, people);
                }
            }
            for (numbers, text) in spare.iter_mut().zip(&row[spare_from..]) {
                if numbers.as_mut().is_some_and(|numbers| !numbers.look(text)) {
                    *numbers = None;
                }
            }
            Ok(())
        })?;
        for (column, seen) in spec.identifiers.iter().zip(identifiers) {
            if let Some((first, second)) = seen.repeated {
                let (path, column, count) = (self.path().to_owned(), (*column).to_owned(), seen.count);
                let (first, second) = (self.place(first), self.place(second));
                return Err(DataError::RepeatedIdentifier { path, column, first, second, count });
            }
        }
        let count_like = spec.spare.iter().zip(spare);
        let count_like = count_like
            .filter(|(_, numbers)| rows > 0 && numbers.as_ref().is_some_and(|numbers| numbers.repeats))
            .map(|(column, _)| (*column).to_owned());
        Ok(Tally { count_like: count_like.collect(), texts, groups, priors, rows, member_rows, files })
    }

    fn not_a_count(&self, at: At, column: &str, value: &str) -> DataError {
        let (path, row) = (self.file_of(at).to_owned(), at.row);
        let (column, value) = (column.to_owned(), value.to_owned());
        DataError::NotACount { path, row, column, value }
    }

    fn not_a_membership(&self, at: At, column: &str, value: &str) -> DataError {
        let (path, row) = (self.file_of(at).to_owned(), at.row);
        let (column, value) = (column.to_owned(), value.to_owned());
        DataError::NotAMembership { path, row, column, value }
    }

    pub(super) fn too_many_people(&self) -> DataError {
        DataError::TooManyPeople { path: self.path().to_owned() }
    }
}

/// The distinct texts of one column, numbered as they appear.
#[derive(Clone, Debug, Default)]
struct Texts {
    list: Vec<String>,
    /// What each is read as, where that is not always the text itself.
    values: Option<Vec<String>>,
    /// Of each, the row where it stands first.
    rows: Vec<At>,
    numbers: FxHashMap<String, u32>,
}

impl Texts {
    fn number(&mut self, text: &str, row: At) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        // Rows are numbered by 32 bits as well, and there are no more texts than rows.
        let number = u32::try_from(self.list.len()).expect("fewer texts than 32 bits can number");
        self.list.push(text.to_owned());
        self.rows.push(row);
        self.numbers.insert(text.to_owned(), number);
        number
    }
}

/// The values of an identifier that were seen, and the rows that had one again.
#[derive(Debug, Default)]
struct Seen {
    rows: FxHashMap<String, At>,
    /// The first two rows that share a value.
    repeated: Option<(At, At)>,
    /// How many rows have a value that an earlier one has.
    count: u64,
}

impl Seen {
    fn look(&mut self, text: &str, row: At, people: u64) {
        if text.is_empty() {
            return;
        }
        let first = self.rows.get(text).copied().or((people > 1).then_some(row));
        match first {
            Some(first) => {
                self.repeated.get_or_insert((first, row));
                self.count += 1;
            }
            None => drop(self.rows.insert(text.to_owned(), row)),
        }
    }
}

/// What is seen of a column whose values were all whole numbers from 1 so far.
#[derive(Debug, Default)]
struct Numbers {
    seen: FxHashSet<u64>,
    repeats: bool,
}

impl Numbers {
    /// After so many different values it is a number for each row, and none of how many people it stands for.
    const MOST: usize = 10_000;

    /// Looks at a value; answers whether the column may still be one of counts.
    fn look(&mut self, text: &str) -> bool {
        let Some(number) = whole_number(text).filter(|&number| number > 0) else { return false };
        self.repeats |= !self.seen.insert(number);
        self.repeats || self.seen.len() < Self::MOST
    }
}

/// The names that occur more than once.
pub(super) fn first_repeated(names: &[String]) -> Option<&String> {
    let mut seen = HashSet::new();
    names.iter().find(|name| !seen.insert(*name))
}
