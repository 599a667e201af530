//! The statement that makes P's histogram, and the statement that counts its combinations.

use std::path::PathBuf;

use super::Dialect;
use crate::compatibility::{self, Command, Feature, Refused};
use crate::project::{Project, PublicSource};
use palmtop_core::model::{Level, Role};
use palmtop_tables::DataError;
use palmtop_tables::hierarchies::{LevelRule, level_rule};

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
}

impl Histogram {
    /// The histogram of a project's P. It has no data of T, except for the column that marks T's people if T is a part of P.
    ///
    /// # Errors
    /// A [`SqlError`] if a level has no rule, counts are texts, or people have several rows.
    pub fn of(project: &Project, from: From) -> Result<Self, SqlError> {
        let features = [project.features(), vec![Feature::Command(Command::Sql)]].concat();
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
        let special = [project.member_column(), project.prior_column()];
        columns.extend(special.into_iter().flatten().map(|column| (column.to_owned(), LevelRule::Value)));
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
        Ok(Self { from, columns, count })
    }

    /// The name of the result's count column.
    pub fn count_column(&self) -> &str {
        self.count.as_deref().unwrap_or(PublicSource::COUNT)
    }

    /// The names of the result's columns, without the count column.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(name, _)| name.as_str())
    }

    /// The statement that counts the combinations of the histogram.
    pub fn combinations(&self, dialect: Dialect) -> String {
        let columns = self.labels(dialect).join(", ");
        format!(
            "SELECT COUNT(*) AS {}\nFROM (SELECT DISTINCT {columns} FROM {}) {}",
            dialect.name("combinations"),
            self.source(dialect),
            dialect.name("distinct_rows")
        )
    }

    /// The statement that makes the histogram.
    pub fn statement(&self, dialect: Dialect) -> String {
        let people = match &self.count {
            Some(column) => format!("SUM({})", dialect.name(column)),
            None => "COUNT(*)".to_owned(),
        };
        let mut selected = self.labels(dialect);
        selected.push(format!("{people} AS {}", dialect.name(self.count_column())));
        let mut statement = format!("SELECT {}\nFROM {}", selected.join(",\n       "), self.source(dialect));
        // The top level has the same label for all rows, so it does not need to be grouped.
        let grouped = self.columns.iter().filter(|(_, rule)| *rule != LevelRule::Top);
        let grouped: Vec<String> = grouped.map(|(column, rule)| dialect.label(column, rule)).collect();
        if !grouped.is_empty() {
            statement += &format!("\nGROUP BY {}", grouped.join(",\n         "));
        }
        statement
    }

    /// The lines of `[public]` that read the result from this file.
    pub fn public_lines(&self, file: &str) -> String {
        let quoted = toml::Value::from(file).to_string();
        let count = toml::Value::from(self.count_column()).to_string();
        format!("[public]\npath = {quoted}\ncount = {count}\n")
    }

    fn labels(&self, dialect: Dialect) -> Vec<String> {
        let label = |(column, rule): &(String, LevelRule)| match rule {
            LevelRule::Value => dialect.name(column),
            rule => format!("{} AS {}", dialect.label(column, rule), dialect.name(column)),
        };
        self.columns.iter().map(label).collect()
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
    fn a_query_is_a_table_of_its_rows_and_counts_are_added_up() {
        let from = From::Query("SELECT * FROM persons WHERE alive;\n".to_owned());
        let histogram = Histogram {
            from,
            columns: vec![("age".to_owned(), LevelRule::Value)],
            count: Some("n".to_owned()),
        };
        assert_eq!(
            histogram.statement(Dialect::Postgresql),
            "SELECT \"age\",\n       SUM(\"n\") AS \"n\"\nFROM (\nSELECT * FROM persons WHERE alive\n) \"register_rows\"\n\
             GROUP BY \"age\""
        );
        assert_eq!(histogram.public_lines("p.csv"), "[public]\npath = \"p.csv\"\ncount = \"n\"\n");
    }
}
