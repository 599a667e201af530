//! The differences between databases: names, texts, and the functions for labels of a level.

use std::collections::BTreeSet;

use palmtop_tables::hierarchies::LevelRule;

/// A dialect of SQL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// Standard SQL, without extensions.
    #[default]
    Ansi,
    /// `PostgreSQL`.
    Postgresql,
    /// Microsoft SQL Server.
    SqlServer,
    /// Oracle Database.
    Oracle,
    /// `MySQL` and `MariaDB`.
    Mysql,
    /// Apache Spark, and databases with the same dialect.
    Spark,
    /// Google `BigQuery`.
    Bigquery,
    /// `DuckDB`.
    Duckdb,
    /// `SQLite`.
    Sqlite,
}

impl Dialect {
    /// All dialects, each with its name.
    pub const ALL: [(Self, &'static str); 9] = [
        (Self::Ansi, "ansi"),
        (Self::Postgresql, "postgresql"),
        (Self::SqlServer, "sqlserver"),
        (Self::Oracle, "oracle"),
        (Self::Mysql, "mysql"),
        (Self::Spark, "spark"),
        (Self::Bigquery, "bigquery"),
        (Self::Duckdb, "duckdb"),
        (Self::Sqlite, "sqlite"),
    ];

    /// A quoted name. Quotes in the name are doubled or escaped.
    pub fn name(self, name: &str) -> String {
        match self {
            Self::SqlServer => format!("[{}]", name.replace(']', "]]")),
            // SQLite makes a text of an unknown name between double quotes.
            Self::Mysql | Self::Spark | Self::Sqlite => format!("`{}`", name.replace('`', "``")),
            Self::Bigquery => format!("`{}`", name.replace('\\', "\\\\").replace('`', "\\`")),
            _ => format!("\"{}\"", name.replace('"', "\"\"")),
        }
    }

    /// The quoted name of a table, which may have a schema before a dot.
    pub fn table(self, name: &str) -> String {
        name.split('.').map(|part| self.name(part)).collect::<Vec<_>>().join(".")
    }

    /// A text as an SQL literal.
    pub fn text(self, text: &str) -> String {
        match self {
            Self::Mysql | Self::Spark | Self::Bigquery => {
                format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
            }
            Self::SqlServer => format!("N'{}'", text.replace('\'', "''")),
            _ => format!("'{}'", text.replace('\'', "''")),
        }
    }

    /// An expression that is the same for two values if and only if their texts have the same bytes. Columns may compare texts in
    /// another way: without case, accents or blanks at the end.
    pub(super) fn bytes(self, value: &str) -> String {
        match self {
            // The dot keeps blanks at the end from being padding.
            Self::Ansi => format!("(CAST({value} AS VARCHAR(4000)) || '.') COLLATE UCS_BASIC"),
            Self::Postgresql => format!("CAST({value} AS TEXT) COLLATE \"C\""),
            Self::SqlServer => format!("CAST(CAST({value} AS NVARCHAR(4000)) + N'.' AS VARBINARY(8000))"),
            Self::Oracle => format!("RAWTOHEX({value})"),
            // utf8mb4_bin would ignore blanks at the end.
            Self::Mysql => format!("CAST(CONVERT({value} USING utf8mb4) AS BINARY)"),
            Self::Spark => format!("CAST(CAST({value} AS STRING) AS BINARY)"),
            Self::Bigquery => format!("CAST(CAST({value} AS STRING) AS BYTES)"),
            Self::Duckdb => format!("ENCODE(CAST({value} AS VARCHAR))"),
            // Values of other types would not be compared as texts.
            Self::Sqlite => format!("CAST({value} AS TEXT) COLLATE BINARY"),
        }
    }

    /// Whether a column has an identifier: a text other than blanks and `missing`.
    pub(super) fn is_given(self, column: &str, missing: &BTreeSet<String>) -> String {
        let value = self.name(column);
        let is_blank = match self {
            // The empty text is NULL.
            Self::Oracle => format!("TRIM({value}) IS NOT NULL"),
            Self::SqlServer => self.differs(&format!("LTRIM(RTRIM({}))", self.whole_text(&value)), ""),
            _ => self.differs(&format!("TRIM({})", self.whole_text(&value)), ""),
        };
        let others = missing.iter().map(|text| self.differs(&value, text));
        let all = [format!("{value} IS NOT NULL"), is_blank].into_iter().chain(others);
        all.collect::<Vec<_>>().join(" AND ")
    }

    /// Whether the text of a value is not this text.
    fn differs(self, value: &str, text: &str) -> String {
        format!("{} <> {}", self.bytes(value), self.bytes(&self.text(text)))
    }

    /// A value as a text of any length.
    fn whole_text(self, value: &str) -> String {
        match self {
            Self::Ansi => format!("CAST({value} AS VARCHAR(4000))"),
            Self::SqlServer => format!("CAST({value} AS NVARCHAR(4000))"),
            Self::Oracle => value.to_owned(),
            Self::Mysql => format!("CAST({value} AS CHAR)"),
            Self::Spark | Self::Bigquery => format!("CAST({value} AS STRING)"),
            Self::Duckdb => format!("CAST({value} AS VARCHAR)"),
            Self::Postgresql | Self::Sqlite => format!("CAST({value} AS TEXT)"),
        }
    }

    /// The number of different identifiers of a column, and one for each row without one.
    pub(super) fn distinct(self, column: &str, missing: &BTreeSet<String>) -> String {
        let (is_given, value) = (self.is_given(column, missing), self.name(column));
        let given = self.bytes(&format!("(CASE WHEN {is_given} THEN {value} END)"));
        format!("COUNT(DISTINCT {given}) + SUM(CASE WHEN {is_given} THEN 0 ELSE 1 END)")
    }

    /// The terms of GROUP BY for a column: by its bytes, and by itself, so that it may be selected.
    pub(super) fn grouped(self, column: &str) -> String {
        let value = self.name(column);
        let bytes = self.bytes(&value);
        // SQLite selects a column that is not grouped.
        if self == Self::Sqlite { bytes } else { format!("{value}, {bytes}") }
    }

    /// The expression for a column's label. NULL stays NULL, except at the top level, where every value has the label `*`.
    pub(super) fn label(self, column: &str, rule: &LevelRule) -> String {
        let value = self.name(column);
        let label = match rule {
            LevelRule::Value => return value,
            LevelRule::Top => return self.text("*"),
            LevelRule::Mask { length, hidden, hides_end, character } => {
                let stars = self.text(&character.to_string().repeat(*hidden));
                let shown = length - hidden;
                let label = if *hides_end {
                    self.join(&[self.part(&value, 1, shown), stars])
                } else {
                    self.join(&[stars, self.part(&value, hidden + 1, shown)])
                };
                // A code of another length is not changed; palmtop refuses it when it reads the result.
                return format!("CASE WHEN {} = {length} THEN {label} ELSE {value} END", self.length(&value));
            }
            LevelRule::Band { width, origin } => {
                let low = self.band(&value, *width, *origin);
                if *width == 1 {
                    self.as_text(&low)
                } else {
                    let high = format!("{low} + {}", width - 1);
                    self.join(&[self.as_text(&low), self.text("-"), self.as_text(&high)])
                }
            }
            LevelRule::Year => self.as_text(&self.year(&value)),
            LevelRule::Month => {
                let month = self.as_text(&format!("100 + {}", self.month(&value)));
                self.join(&[self.as_text(&self.year(&value)), self.text("-"), self.part(&month, 2, 2)])
            }
            LevelRule::Quarter => {
                let quarter = self.integer_quotient(&format!("({} + 2)", self.month(&value)), 3);
                self.join(&[self.as_text(&self.year(&value)), self.text("-Q"), self.as_text(&quarter)])
            }
            LevelRule::Decade => {
                let decade = format!("{} * 10", self.integer_quotient(&self.year(&value), 10));
                self.join(&[self.as_text(&decade), self.text("s")])
            }
            LevelRule::List(labels) => {
                let when = |(value, label): &(String, String)| {
                    format!("WHEN {} THEN {}", self.bytes(&self.text(value)), self.text(label))
                };
                let cases: Vec<String> = labels.iter().map(when).collect();
                return format!("CASE {} {} ELSE {value} END", self.bytes(&value), cases.join(" "));
            }
        };
        let is_day = !matches!(rule, LevelRule::Band { .. });
        match self.fits(&value, is_day) {
            Some(fits) => {
                let text = self.whole_text(&value);
                format!("CASE WHEN {value} IS NULL THEN NULL WHEN {fits} THEN {label} ELSE {text} END")
            }
            None => format!("CASE WHEN {value} IS NULL THEN NULL ELSE {label} END"),
        }
    }

    /// Whether a value is a number, or a day written as `2024-01-31` with or without a time, in the databases that would make a
    /// number or a day of other texts, too; the others refuse such a text.
    fn fits(self, value: &str, is_day: bool) -> Option<String> {
        /// `1990` and `24-1-5` would be days, too.
        const DAY: &str = "'^[0-9]{4}-[0-9]{2}-[0-9]{2}([ T]|$)'";
        let text = self.whole_text(value);
        match (self, is_day) {
            (Self::Sqlite, true) => Some(format!("DATE({value}) = SUBSTR({value}, 1, 10)")),
            (Self::Sqlite, false) => {
                Some(format!("(TYPEOF({value}) = 'real' OR CAST(CAST({value} AS INTEGER) AS TEXT) = {text})"))
            }
            (Self::Mysql, true) => Some(format!("{text} REGEXP {DAY} AND EXTRACT(DAY FROM {value}) > 0")),
            (Self::Spark, true) => {
                Some(format!("{text} RLIKE {DAY} AND EXTRACT(DAY FROM {value}) IS NOT NULL"))
            }
            // Style 23 is `2024-01-31` for dates and times of every type, and changes no text.
            (Self::SqlServer, true) => Some(format!(
                "CONVERT(NVARCHAR(10), {}, 23) = LEFT(CONVERT(NVARCHAR(4000), {value}, 23), 10)",
                self.day(value)
            )),
            (Self::Mysql, false) => Some(format!("{text} REGEXP '^-?[0-9]+([.][0-9]*)?$'")),
            (Self::Spark, false) => Some(format!("{text} RLIKE '^-?[0-9]+([.][0-9]*)?$'")),
            (Self::SqlServer, false) => Some(self.differs(value, "")),
            (Self::Ansi | Self::Postgresql | Self::Oracle | Self::Bigquery | Self::Duckdb, _) => None,
        }
    }

    /// The lower end of a number's band. Division rounds down, also for negative numbers.
    fn band(self, value: &str, width: i64, origin: i64) -> String {
        let from_origin = match origin {
            0 => value.to_owned(),
            _ => format!("({value} - ({origin}))"),
        };
        let low = format!("{} * {width}", self.floor(&from_origin, width));
        if origin == 0 { low } else { format!("{low} + ({origin})") }
    }

    /// A number divided by a whole number, rounded down.
    fn floor(self, value: &str, divisor: i64) -> String {
        match self {
            // SQLite may lack FLOOR. CAST rounds towards 0; the comparison subtracts 1 if that is above the quotient.
            Self::Sqlite => {
                let quotient = format!("({value} * 1.0 / {divisor})");
                format!("(CAST({quotient} AS INTEGER) - ({quotient} < CAST({quotient} AS INTEGER)))")
            }
            _ => format!("CAST(FLOOR({value} * 1.0 / {divisor}) AS {})", self.integer_type()),
        }
    }

    /// A non-negative whole number divided by a whole number, rounded down.
    fn integer_quotient(self, value: &str, divisor: i64) -> String {
        self.floor(value, divisor)
    }

    fn integer_type(self) -> &'static str {
        match self {
            Self::Oracle => "NUMBER(19)",
            Self::Mysql => "SIGNED",
            Self::Bigquery => "INT64",
            _ => "BIGINT",
        }
    }

    fn as_text(self, value: &str) -> String {
        match self {
            Self::Oracle => format!("TO_CHAR({value})"),
            Self::Mysql => format!("CAST({value} AS CHAR)"),
            Self::Spark | Self::Bigquery => format!("CAST({value} AS STRING)"),
            Self::Sqlite => format!("CAST({value} AS TEXT)"),
            Self::Ansi | Self::Postgresql | Self::SqlServer | Self::Duckdb => {
                format!("CAST({value} AS VARCHAR(40))")
            }
        }
    }

    fn join(self, parts: &[String]) -> String {
        match self {
            Self::Mysql => format!("CONCAT({})", parts.join(", ")),
            Self::SqlServer => parts.join(" + "),
            _ => parts.join(" || "),
        }
    }

    fn part(self, text: &str, from: usize, length: usize) -> String {
        match self {
            Self::Ansi => format!("SUBSTRING({text} FROM {from} FOR {length})"),
            Self::Oracle | Self::Bigquery | Self::Sqlite => format!("SUBSTR({text}, {from}, {length})"),
            _ => format!("SUBSTRING({text}, {from}, {length})"),
        }
    }

    fn length(self, text: &str) -> String {
        match self {
            // LEN does not count blanks at the end.
            Self::SqlServer => format!("(LEN(CAST({text} AS NVARCHAR(4000)) + N'.') - 1)"),
            Self::Oracle | Self::Sqlite | Self::Duckdb | Self::Bigquery => format!("LENGTH({text})"),
            _ => format!("CHAR_LENGTH({text})"),
        }
    }

    /// A value as a day. The settings of a session do not change the order of its parts.
    fn day(self, value: &str) -> String {
        match self {
            Self::SqlServer => format!("TRY_CONVERT(DATE, {value}, 23)"),
            _ => value.to_owned(),
        }
    }

    fn year(self, date: &str) -> String {
        match self {
            Self::SqlServer => format!("YEAR({})", self.day(date)),
            Self::Sqlite => format!("CAST(STRFTIME('%Y', {date}) AS INTEGER)"),
            _ => format!("EXTRACT(YEAR FROM {date})"),
        }
    }

    fn month(self, date: &str) -> String {
        match self {
            Self::SqlServer => format!("MONTH({})", self.day(date)),
            Self::Sqlite => format!("CAST(STRFTIME('%m', {date}) AS INTEGER)"),
            _ => format!("EXTRACT(MONTH FROM {date})"),
        }
    }
}

impl std::str::FromStr for Dialect {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|(_, name)| *name == text);
        found.map(|(dialect, _)| dialect).ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|(_, name)| *name).collect();
            format!("there is no dialect {text:?}; expected one of {}", names.join(", "))
        })
    }
}
