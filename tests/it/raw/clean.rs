//! Random clean tables: each row is a person, each column has one kind of values, written in one
//! way; T's people are people of P.
#![allow(dead_code, reason = "each part uses a part of it")]

use super::form::Form;
use super::pair::Pair;
use crate::support::dice::Dice;

/// What the values of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A value for each person.
    Identifier,
    /// A code of digits, with leading zeros.
    Code,
    /// A whole number, such as an age.
    Number,
    /// A number with so many decimals.
    Amount(usize),
    /// A day, such as `1943-08-28`.
    Date,
    /// One of a few words.
    Category,
    /// One of a few words; a column that only T has.
    Sensitive,
}

/// A column; its values are in the rows of its table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) kind: Kind,
}

/// A table of texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Table {
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl Table {
    /// The columns of a kind, by index.
    pub(crate) fn of_kind(&self, is_wanted: impl Fn(Kind) -> bool) -> Vec<usize> {
        (0..self.columns.len()).filter(|&column| is_wanted(self.columns[column].kind)).collect()
    }

    /// The index of a column by its name.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }
}

/// P and T. Both have the quasi-identifiers under the same names; their other columns are their own.
#[derive(Clone, Debug)]
pub(crate) struct Clean {
    pub(crate) public: Table,
    pub(crate) private: Table,
}

const NAMES: [(Kind, &[&str]); 5] = [
    (Kind::Number, &["age", "alter", "height", "children", "household size"]),
    (Kind::Code, &["zip", "plz", "district", "region_code"]),
    (Kind::Date, &["born", "date of birth", "admitted", "moved_in"]),
    (Kind::Category, &["sex", "county", "education", "nationality", "occupation", "married", "type"]),
    (Kind::Amount(0), &["income", "weight_kg", "rent", "distance"]),
];

const WORDS: [&[&str]; 7] = [
    &["f", "m"],
    &["female", "male", "other"],
    &["Amstetten", "Bad Ischl", "Graz", "Hallein", "Lienz", "Sankt Pölten", "Wien", "Zell am See"],
    &["primary", "lower secondary", "upper secondary", "tertiary"],
    &["AT", "CH", "CZ", "DE", "FR", "HR", "HU", "IT", "PL", "RO", "RS", "SI", "SK", "TR"],
    &["yes", "no"],
    &["cook, baker", "driver", "farmer", "nurse", "smith", "teacher \"primary\"", "welder"],
];

const SENSITIVE: [(&str, &[&str]); 3] = [
    ("diagnosis", &["asthma", "bronchitis", "COPD", "flu", "pneumonia"]),
    ("outcome", &["cured", "died", "in treatment"]),
    ("therapy", &["A", "B", "none"]),
];

impl Clean {
    /// Draws both tables.
    pub(crate) fn draw(dice: &mut Dice) -> Self {
        let count = match dice.below(4) {
            0 => dice.within(40, 99),
            1 | 2 => dice.within(100, 400),
            _ => dice.within(400, 1500),
        };
        let columns = if dice.percent(20) { dice.within(6, 9) } else { dice.within(2, 5) };
        let mut names: Vec<(Kind, &str)> =
            NAMES.iter().flat_map(|(kind, names)| names.iter().map(|name| (*kind, *name))).collect();
        dice.shuffle(&mut names);
        let mut public = Table { columns: Vec::new(), rows: vec![Vec::new(); count] };
        for (kind, name) in names.into_iter().take(columns) {
            let kind = if let Kind::Amount(_) = kind { Kind::Amount(dice.within(1, 2)) } else { kind };
            let missing = if dice.percent(15) { dice.within(1, 8) } else { 0 };
            let values = Values::draw(kind, dice);
            for row in &mut public.rows {
                row.push(if dice.percent(missing) { String::new() } else { values.one(dice) });
            }
            public.columns.push(Column { name: name.to_owned(), kind });
        }
        let share = dice.within(5, 30);
        let members: Vec<usize> = (0..count).filter(|_| dice.percent(share)).collect();
        let members = if members.len() < 5 { (0..count / 5).collect() } else { members };
        let mut private = Table {
            columns: public.columns.clone(),
            rows: members.iter().map(|&member| public.rows[member].clone()).collect(),
        };
        match dice.below(4) {
            0 => {}
            1 => identify(&mut private, "patient", 'C', &(0..members.len()).collect::<Vec<_>>(), dice),
            2 => identify(&mut public, "resident", 'R', &(0..count).collect::<Vec<_>>(), dice),
            _ => {
                let state = dice.clone();
                identify(&mut public, "person", 'P', &(0..count).collect::<Vec<_>>(), dice);
                identify(&mut private, "person", 'P', &members, &mut state.clone());
            }
        }
        let (name, words) = *dice.pick(&SENSITIVE);
        private.columns.push(Column { name: name.to_owned(), kind: Kind::Sensitive });
        for row in &mut private.rows {
            row.push((*dice.pick(words)).to_owned());
        }
        dice.shuffle(&mut private.rows);
        Self { public, private }
    }

    /// Writes both tables, as `public.csv` and `private.csv` or with other endings.
    pub(crate) fn write(&self, form: Form) -> Pair {
        Pair::new(form.write(&self.public), form.write(&self.private), form.ending(), &self.private)
    }
}

/// Puts a column with the identifier of each row before the others.
fn identify(table: &mut Table, name: &str, letter: char, people: &[usize], dice: &mut Dice) {
    let is_number = dice.percent(50);
    table.columns.insert(0, Column { name: name.to_owned(), kind: Kind::Identifier });
    for (row, person) in table.rows.iter_mut().zip(people) {
        let digits = 100_003 + person * 37;
        row.insert(0, if is_number { digits.to_string() } else { format!("{letter}-{digits}") });
    }
}

/// How the values of a column are drawn.
struct Values {
    kind: Kind,
    words: Vec<String>,
    /// The least value and the number of values.
    from: usize,
    width: usize,
    is_skewed: bool,
}

impl Values {
    fn draw(kind: Kind, dice: &mut Dice) -> Self {
        let (from, width) = match kind {
            Kind::Number => (*dice.pick(&[0, 18, 50]), dice.within(8, 60)),
            Kind::Amount(_) => (dice.within(1, 900), dice.within(30, 2000)),
            Kind::Code => (dice.within(80, 900), dice.within(4, 30)),
            Kind::Date => (dice.within(1930, 1980), dice.within(2, 25)),
            _ => (0, 1),
        };
        let words = dice.pick(&WORDS).iter().map(|&word| word.to_owned()).collect();
        Self { kind, words, from, width, is_skewed: dice.percent(40) }
    }

    fn index(&self, of: usize, dice: &mut Dice) -> usize {
        let one = dice.below(of);
        if self.is_skewed { one * dice.below(of) / of } else { one }
    }

    fn one(&self, dice: &mut Dice) -> String {
        match self.kind {
            Kind::Number => (self.from + self.index(self.width, dice)).to_string(),
            Kind::Amount(decimals) => {
                let whole = self.from + self.index(self.width, dice);
                // The last digit is not 0, so typed and written numbers have the same text.
                let part =
                    if decimals == 1 { dice.within(1, 9) } else { dice.below(10) * 10 + dice.within(1, 9) };
                format!("{whole}.{part:0decimals$}")
            }
            Kind::Code => format!("{:05}", self.from + self.index(self.width, dice)),
            Kind::Date => {
                let year = self.from + self.index(self.width, dice);
                format!("{year}-{:02}-{:02}", dice.within(1, 12), dice.within(1, 28))
            }
            Kind::Identifier | Kind::Category | Kind::Sensitive => {
                self.words[self.index(self.words.len(), dice)].clone()
            }
        }
    }
}
