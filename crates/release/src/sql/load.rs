//! The statements that load a release into a database.

use std::path::Path;

use super::Dialect;
use palmtop_tables::DataError;
use palmtop_tables::read::{Table, TableSpec};

/// The CREATE TABLE statement for a release, whose columns are all texts, and the statement or the lines that load it. `table` may have
/// a schema before a dot.
///
/// # Errors
/// A [`DataError`] if the release cannot be read.
pub fn load_statements(release: &Path, table: &str, dialect: Dialect) -> Result<String, DataError> {
    let opened = Table::open(&TableSpec::of_all_rows(release.to_owned()))?;
    let columns: Vec<&str> = opened.columns().iter().map(String::as_str).collect();
    let mut longest = vec![1; columns.len()];
    opened.visit(&columns, &mut palmtop_core::progress::unwatched, &mut |_, row| {
        for (longest, text) in longest.iter_mut().zip(row) {
            *longest = text.chars().count().max(*longest);
        }
        Ok(())
    })?;
    let name = dialect.table(table);
    let kind = |longest: usize| match dialect {
        Dialect::Postgresql | Dialect::Duckdb | Dialect::Sqlite => "TEXT".to_owned(),
        Dialect::Spark | Dialect::Bigquery => "STRING".to_owned(),
        Dialect::SqlServer if longest > 4000 => "NVARCHAR(MAX)".to_owned(),
        Dialect::SqlServer => format!("NVARCHAR({longest})"),
        Dialect::Oracle if longest > 4000 => "CLOB".to_owned(),
        Dialect::Oracle => format!("VARCHAR2({longest} CHAR)"),
        Dialect::Mysql if longest > 4000 => "LONGTEXT".to_owned(),
        Dialect::Ansi | Dialect::Mysql => format!("VARCHAR({longest})"),
    };
    let defined: Vec<String> = columns
        .iter()
        .zip(&longest)
        .map(|(column, &longest)| format!("{} {}", dialect.name(column), kind(longest)))
        .collect();
    let create = format!("CREATE TABLE {name} (\n  {}\n);\n", defined.join(",\n  "));
    let file = release.display().to_string();
    let path = dialect.text(&file);
    let list = columns.iter().map(|column| dialect.name(column)).collect::<Vec<_>>().join(", ");
    let load = match dialect {
        Dialect::Ansi => {
            format!(
                "-- The standard has no way to load a file. The columns of {file}, a CSV file with a header, in order:\n-- {list}\n"
            )
        }
        Dialect::Postgresql => {
            format!(
                "\\copy {name} ({list}) FROM {path} WITH (FORMAT csv, HEADER true, ENCODING 'UTF8', FORCE_NOT_NULL ({list}))\n"
            )
        }
        Dialect::SqlServer => {
            format!(
                "BULK INSERT {name} FROM {path}\nWITH (FORMAT = 'CSV', FIRSTROW = 2, CODEPAGE = '65001', ROWTERMINATOR = '0x0a');\n"
            )
        }
        Dialect::Oracle => format!(
            "-- With SQL*Loader: sqlldr userid=... control=release.ctl\n-- release.ctl:\n-- OPTIONS (SKIP=1)\n-- LOAD DATA CHARACTERSET AL32UTF8\n\
             -- INFILE {path}\n-- INTO TABLE {name}\n-- FIELDS CSV WITH EMBEDDED\n-- ({list})\n"
        ),
        Dialect::Mysql => format!(
            "LOAD DATA LOCAL INFILE {path} INTO TABLE {name} CHARACTER SET utf8mb4\n\
             FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '\"' ESCAPED BY '' LINES TERMINATED BY '\\n' IGNORE 1 LINES;\n"
        ),
        Dialect::Spark => format!(
            "INSERT INTO {name}\nSELECT * FROM read_files({path}, format => 'csv', header => true, inferSchema => false);\n"
        ),
        Dialect::Bigquery => format!(
            "LOAD DATA INTO {name}\nFROM FILES (format = 'CSV', skip_leading_rows = 1, allow_quoted_newlines = true, uris = [{path}]);\n"
        ),
        Dialect::Duckdb => format!(
            "COPY {name} FROM {path} (FORMAT csv, HEADER true, DELIMITER ',', QUOTE '\"', NULLSTR '\\N');\n"
        ),
        Dialect::Sqlite => {
            format!(".import --csv --skip 1 {path} {}\n", table.rsplit('.').next().unwrap_or(table))
        }
    };
    Ok(create + &load)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dialect_takes_a_release_in() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("release.csv");
        std::fs::write(&path, "age,\"the \"\"job\"\"\"\n30-39,\"a, b\"\n*,c\n").unwrap();
        let scripts: Vec<String> = Dialect::ALL
            .into_iter()
            .map(|(dialect, name)| {
                format!("-- {name}\n{}", load_statements(&path, "lab.release", dialect).unwrap())
            })
            .collect();
        let scripts = scripts.join("\n").replace(&path.display().to_string(), "release.csv");
        insta::assert_snapshot!(scripts);
    }
}
