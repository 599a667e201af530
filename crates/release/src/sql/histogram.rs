//! The statement that makes P's histogram, and the statement that counts its combinations.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::Dialect;
use palmtop_core::located::{Located, Place};
use palmtop_core::model::{Level, Role};
use palmtop_project::compatibility::{self, Command, Feature, Refused};
use palmtop_project::{Attribute, Project, PublicSource, Repeated};
use palmtop_tables::DataError;
use palmtop_tables::hierarchies::{LevelRule, level_rule};
use palmtop_tables::read::OneRow;
use palmtop_tables::telling::names_people;

/// The reason why a project has no such statement.
#[derive(Debug, thiserror::Error)]
pub enum SqlError {
    /// A hierarchy cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A level of a hierarchy has no rule, only a list that a statement cannot have.
    #[error(
        "`{attribute}`: level {level} of {} has no rule that SQL can follow; add a column with these labels to the database and name \
         it as `public_column`, or choose a lower `public_level`",
        path.display()
    )]
    NoRule {
        /// The name of the attribute.
        attribute: String,
        /// The path of its hierarchy.
        path: PathBuf,
        /// The level without a rule.
        level: Level,
    },
    /// A setting of the project excludes a histogram.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// Some counts are texts.
    #[error(
        "`count` of [public] has `texts` or `number`, but a database cannot add texts such as `{0}`; add a column with numbers to the database"
    )]
    CountTexts(String),
}

impl Located for SqlError {
    fn places(&self) -> Vec<Place> {
        match self {
            Self::Data(error) => error.places(),
            Self::NoRule { path, attribute: _, level: _ } => vec![Place::of(path)],
            Self::Refused(_) | Self::CountTexts(_) => Vec::new(),
        }
    }
}

/// The source of P's rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum From {
    /// A table, whose name may have a schema before a dot.
    Table(String),
    /// The result of a query.
    Query(String),
}

/// The histogram of P as a query: the distinct combinations of the columns that the project uses, each with its number of people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    from: From,
    /// The columns, each with the rule for its labels.
    columns: Vec<(String, LevelRule)>,
    /// The column with the number of people for whom a row stands.
    count: Option<String>,
    /// The columns that identify people, if P has them.
    identifiers: Vec<Identifier>,
    /// The texts that are no identifier.
    missing: BTreeSet<String>,
    /// The columns of P that the project names for something else.
    named: Vec<String>,
    /// The column whose different values are counted, not the rows.
    distinct: Option<String>,
}

/// A column that identifies the people of T, and of P if P has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identifier {
    /// The name of the attribute.
    pub attribute: String,
    /// The column of P.
    pub column: String,
    /// What rows of P with one value are.
    pub repeats: Repeats,
    /// Whether `person` of `[public]` names it, so that P has it.
    pub is_of_public: bool,
}

/// What rows of P with one identifier are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeats {
    /// The project does not say it.
    Unknown,
    /// One person, who is counted once.
    OnePerson,
    /// One person, whose first row counts.
    First,
    /// Different people.
    Different,
}

impl Identifier {
    /// Whether rows with one value are one person.
    pub fn is_person(&self) -> bool {
        matches!(self.repeats, Repeats::OnePerson | Repeats::First)
    }

    /// What rows with one value are, for the record of a fetch: `id: one person`.
    fn said(&self) -> String {
        let what = match self.repeats {
            Repeats::Unknown => "not said",
            Repeats::OnePerson | Repeats::First => "one person",
            Repeats::Different => "different people",
        };
        format!("{}: {what}", self.column)
    }
}

fn repeats(said: &Repeated) -> Repeats {
    match said {
        Repeated::Person(OneRow::Distinct) => Repeats::OnePerson,
        Repeated::Person(OneRow::FirstBy(_)) => Repeats::First,
        Repeated::Shared(Some(_)) => Repeats::Different,
        // Projects of earlier versions say `true` of columns that P lacks.
        Repeated::Shared(None) | Repeated::Unsaid => Repeats::Unknown,
    }
}

/// The identifiers of a project, each with what the project says of rows that share one.
pub fn identifiers(project: &Project) -> Vec<Identifier> {
    let attributes = project.attributes.iter().filter(|attribute| attribute.role == Role::Identifier);
    let identifier = |attribute: &Attribute| Identifier {
        attribute: attribute.name.clone(),
        column: attribute.public_column.clone(),
        repeats: repeats(&attribute.repeated),
        is_of_public: false,
    };
    let person = project.public.person.iter().map(|person| Identifier {
        attribute: person.column.clone(),
        column: person.column.clone(),
        repeats: repeats(&person.repeated),
        is_of_public: true,
    });
    attributes.map(identifier).chain(person).collect()
}

/// What the project says of rows that share an identifier, for the record of a fetch. It has only identifiers that are columns of the
/// database.
pub fn persons(identifiers: &[Identifier], columns: &BTreeSet<String>) -> BTreeSet<String> {
    let known = identifiers.iter().filter(|identifier| columns.contains(&identifier.column));
    known.map(Identifier::said).collect()
}

/// The texts that decide which texts are identifiers: those of `missing` that are no blanks.
pub fn no_identifiers(missing: &[String]) -> BTreeSet<String> {
    missing.iter().filter(|text| !text.trim().is_empty()).cloned().collect()
}

impl Histogram {
    /// The histogram of a project's P. It has no data of T, except for the column that marks T's people if T is a part of P.
    ///
    /// # Errors
    /// A [`SqlError`] if a level has no rule, counts are texts, or people have several rows.
    pub fn of(project: &Project, from: From) -> Result<Self, SqlError> {
        let features = [project.features(), vec![Feature::Command(Command::Fetch)]].concat();
        compatibility::check(&features)?;
        let mut columns: Vec<(String, LevelRule)> = Vec::new();
        for attribute in project.attributes.iter().filter(|attribute| attribute.role == Role::Quasi) {
            let rule = match &attribute.hierarchy {
                Some(file) => level_rule(&file.path, file.public_level)?.ok_or_else(|| SqlError::NoRule {
                    attribute: attribute.name.clone(),
                    path: file.path.clone(),
                    level: file.public_level,
                })?,
                None => LevelRule::Value,
            };
            columns.push((attribute.public_column.clone(), rule));
        }
        columns.extend(project.member_column().map(|column| (column.to_owned(), LevelRule::Value)));
        if let Some((text, _)) = project.public.count.as_ref().and_then(|count| count.texts.first_key_value())
        {
            return Err(SqlError::CountTexts(text.clone()));
        }
        if project.public.count.as_ref().is_some_and(|count| count.number.is_some()) {
            return Err(SqlError::CountTexts("1,000".to_owned()));
        }
        let count = match &project.public.source {
            Some(source) => source.count.clone(),
            None => project.count_column().map(str::to_owned),
        };
        let (identifiers, missing) = (identifiers(project), no_identifiers(&project.missing));
        // T is a part of P, so that its columns are those of P.
        let named = project.member().map_or_else(Vec::new, |_| {
            project.attributes.iter().map(|attribute| attribute.public_column.clone()).collect()
        });
        Ok(Self { from, columns, count, identifiers, missing, named, distinct: None })
    }

    /// The name of the result's count column.
    pub fn count_column(&self) -> &str {
        self.count.as_deref().unwrap_or(PublicSource::COUNT)
    }

    /// The names of the result's columns, without the count column.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(name, _)| name.as_str())
    }

    /// The columns that identify people, if P has them.
    pub fn identifiers(&self) -> &[Identifier] {
        &self.identifiers
    }

    /// The texts that no identifier has.
    pub fn missing(&self) -> &BTreeSet<String> {
        &self.missing
    }

    /// The identifier of which the project says that rows with one value are one person.
    pub fn one_person(&self) -> Option<&Identifier> {
        self.identifiers.iter().find(|identifier| identifier.is_person() && self.count.is_none())
    }

    /// Whether a column that the project does not name may say who is a person. Nothing is known of the database's columns.
    pub fn may_ask_others(&self) -> bool {
        self.has_doubt(|identifier| identifier.is_of_public)
    }

    /// Whether no identifier that P has says who is a person.
    fn has_doubt(&self, is_in_p: impl Fn(&Identifier) -> bool) -> bool {
        let says_who =
            |identifier: &Identifier| is_in_p(identifier) && identifier.repeats != Repeats::Different;
        self.count.is_none() && !self.identifiers.iter().any(says_who)
    }

    /// The columns of the database that may say who is a person by their names, if no identifier among them does.
    pub fn maybe_persons<'a>(&'a self, columns: &'a BTreeSet<String>) -> impl Iterator<Item = &'a String> {
        let has_doubt = self.has_doubt(|identifier| columns.contains(&identifier.column));
        let is_used = |column: &str| {
            self.columns()
                .chain(self.identifiers.iter().map(|known| known.column.as_str()))
                .chain(self.named.iter().map(String::as_str))
                .any(|known| known == column)
        };
        columns.iter().filter(move |column| has_doubt && names_people(column) && !is_used(column))
    }

    /// Counts the different values of a column and not the rows.
    #[must_use]
    pub fn of_distinct(self, column: &str) -> Self {
        Self { distinct: Some(column.to_owned()), ..self }
    }

    /// The statement whose result has the columns of P and no row.
    pub fn source_columns(&self, dialect: Dialect) -> String {
        format!("SELECT *\nFROM {}\nWHERE 1 = 0", self.source(dialect))
    }

    /// The statement that counts the different values of a column, and the rows that have one.
    pub fn values(&self, column: &str, dialect: Dialect) -> String {
        format!(
            "SELECT COUNT(DISTINCT {}) AS {},\n       COUNT(*) AS {}\nFROM {}\nWHERE {}",
            dialect.bytes(&dialect.name(column)),
            dialect.name("identifiers"),
            dialect.name("rows"),
            self.source(dialect),
            dialect.is_given(column, &self.missing),
        )
    }

    /// The statement that looks for values of a column in several rows: how many there are, their rows, and how many of them
    /// have rows that differ in a quasi-identifier.
    pub fn repeats(&self, column: &str, dialect: Dialect) -> String {
        let [identifiers, rows, differing, row_count, combination_count] =
            ["identifiers", "rows", "differing", "row_count", "combination_count"]
                .map(|name| dialect.name(name));
        let (person, person_rows) = (dialect.grouped(column), dialect.name("person_rows"));
        let grouped = self.columns().map(|column| format!(",\n         {}", dialect.grouped(column)));
        format!(
            "SELECT COUNT(*) AS {identifiers},\n       COALESCE(SUM({person_rows}), 0) AS {rows},\n       \
             COALESCE(SUM(CASE WHEN {combination_count} > 1 THEN 1 ELSE 0 END), 0) AS {differing}\nFROM (\n\
             SELECT SUM({row_count}) AS {person_rows}, COUNT(*) AS {combination_count}\nFROM (\n\
             SELECT {}, COUNT(*) AS {row_count}\n{}\nWHERE {}\nGROUP BY {person}{}\n) {}\n\
             GROUP BY {person}\nHAVING SUM({row_count}) > 1\n) {}",
            dialect.name(column),
            self.labels(Some(column), dialect),
            dialect.is_given(column, &self.missing),
            grouped.collect::<String>(),
            dialect.name("combinations"),
            dialect.name("repeated"),
        )
    }

    /// The statement that counts the combinations of the histogram.
    pub fn combinations(&self, dialect: Dialect) -> String {
        format!(
            "SELECT COUNT(*) AS {}\nFROM (\nSELECT COUNT(*) AS {}\n{}\n) {}",
            dialect.name("combinations"),
            dialect.name("people"),
            self.groups(dialect),
            dialect.name("distinct_rows")
        )
    }

    /// The statement that makes the histogram.
    pub fn statement(&self, dialect: Dialect) -> String {
        let people = match (&self.count, &self.distinct) {
            (Some(column), _) => format!("SUM({})", dialect.name(column)),
            (None, Some(column)) => dialect.distinct(column, &self.missing),
            (None, None) => "COUNT(*)".to_owned(),
        };
        let mut selected: Vec<String> = self.columns().map(|column| dialect.name(column)).collect();
        selected.push(format!("{people} AS {}", dialect.name(self.count_column())));
        format!("SELECT {}\n{}", selected.join(",\n       "), self.groups(dialect))
    }

    /// The labels of all rows, grouped by the bytes of their texts, whatever the collation of a column says.
    fn groups(&self, dialect: Dialect) -> String {
        let grouped: Vec<String> = self.columns().map(|column| dialect.grouped(column)).collect();
        let labels = self.labels(self.distinct.as_deref(), dialect);
        format!("{labels}\nGROUP BY {}", grouped.join(",\n         "))
    }

    /// The labels of all rows, with another column if one is needed.
    fn labels(&self, other: Option<&str>, dialect: Dialect) -> String {
        let label = |(column, rule): &(String, LevelRule)| match rule {
            LevelRule::Value => dialect.name(column),
            rule => format!("{} AS {}", dialect.label(column, rule), dialect.name(column)),
        };
        let mut labels: Vec<String> = self.columns.iter().map(label).collect();
        labels.extend(self.count.as_deref().into_iter().chain(other).map(|column| dialect.name(column)));
        let (labels, source) = (labels.join(",\n       "), self.source(dialect));
        format!("FROM (\nSELECT {labels}\nFROM {source}\n) {}", dialect.name("labels"))
    }

    /// The lines of `[public]` that read the result from this file.
    pub fn public_lines(&self, file: &str) -> String {
        let quoted = toml::Value::from(file).to_string();
        let count = toml::Value::from(self.count_column()).to_string();
        let counts = if self.counts_people() { "counts = \"people\"\n" } else { "" };
        format!("[public]\npath = {quoted}\ncount = {count}\n{counts}")
    }

    /// Whether the statement counts people and not rows, as far as the project says who is a person.
    pub fn counts_people(&self) -> bool {
        let is_one = self.one_person().is_some_and(|identifier| {
            identifier.repeats == Repeats::OnePerson && self.distinct.as_ref() == Some(&identifier.column)
        });
        self.count.is_some() || is_one
    }

    fn source(&self, dialect: Dialect) -> String {
        match &self.from {
            From::Table(table) => dialect.table(table),
            From::Query(query) => {
                let query = query.trim().trim_end_matches(';');
                format!("(\n{query}\n) {}", dialect.name("register_rows"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn histogram() -> Histogram {
        let mask = LevelRule::Mask { length: 5, hidden: 2, hides_end: true, character: '*' };
        Histogram {
            from: From::Table("registry.persons".to_owned()),
            columns: vec![
                ("age".to_owned(), LevelRule::Band { width: 10, origin: 0 }),
                ("zip code".to_owned(), mask),
                ("sex".to_owned(), LevelRule::Value),
                ("born".to_owned(), LevelRule::Month),
                ("job".to_owned(), LevelRule::List(vec![("it's".to_owned(), "x".to_owned())])),
                ("country".to_owned(), LevelRule::Top),
            ],
            count: None,
            identifiers: Vec::new(),
            missing: BTreeSet::new(),
            named: Vec::new(),
            distinct: None,
        }
    }

    #[test]
    fn a_histogram_is_said_in_every_dialect() {
        let statements: Vec<String> = Dialect::ALL
            .into_iter()
            .map(|(dialect, name)| {
                format!(
                    "-- {name}\n{};\n{};\n",
                    histogram().combinations(dialect),
                    histogram().statement(dialect)
                )
            })
            .collect();
        insta::assert_snapshot!(statements.join("\n"));
    }

    #[test]
    fn repeats_are_looked_for_and_counted_once() {
        let from = From::Table("persons".to_owned());
        let columns = vec![("age".to_owned(), LevelRule::Value)];
        let (identifiers, missing) = (Vec::new(), BTreeSet::from(["k.A.".to_owned()]));
        let histogram =
            Histogram { from, columns, count: None, identifiers, missing, named: Vec::new(), distinct: None };
        let statements =
            [Dialect::Sqlite, Dialect::Oracle, Dialect::SqlServer, Dialect::Mysql].map(|dialect| {
                let repeats = histogram.repeats("id", dialect);
                format!("{repeats};\n{};\n", histogram.clone().of_distinct("id").statement(dialect))
            });
        insta::assert_snapshot!(statements.join("\n"));
    }

    #[test]
    fn query_is_wrapped_as_table_and_counts_summed() {
        let from = From::Query("SELECT * FROM persons WHERE alive;\n".to_owned());
        let histogram = Histogram {
            from,
            columns: vec![("age".to_owned(), LevelRule::Value)],
            count: Some("n".to_owned()),
            identifiers: Vec::new(),
            missing: BTreeSet::new(),
            named: Vec::new(),
            distinct: None,
        };
        assert_eq!(
            histogram.statement(Dialect::Postgresql),
            "SELECT \"age\",\n       SUM(\"n\") AS \"n\"\nFROM (\nSELECT \"age\",\n       \"n\"\nFROM (\nSELECT * FROM persons WHERE alive\n) \
             \"register_rows\"\n) \"labels\"\nGROUP BY \"age\", CAST(\"age\" AS TEXT) COLLATE \"C\""
        );
        assert_eq!(
            histogram.public_lines("p.csv"),
            "[public]\npath = \"p.csv\"\ncount = \"n\"\ncounts = \"people\"\n"
        );
        let rows = Histogram { count: None, ..histogram };
        assert_eq!(rows.public_lines("p.csv"), "[public]\npath = \"p.csv\"\ncount = \"people\"\n");
    }
}
