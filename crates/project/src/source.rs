//! `[public.source]`: the database from which P is fetched, and the file to which P is written.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::keys;

/// The database of P: the connection, the rows, and the snapshot that all other commands read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicSource {
    /// The connection to the database.
    pub connection: Connection,
    /// The table or the query with the rows of P.
    pub rows: SourceRows,
    /// The file that `fetch` writes.
    pub snapshot: PathBuf,
    /// The column of the database with the number of people for whom a row stands.
    pub count: Option<String>,
}

impl PublicSource {
    /// The name of the snapshot's count column if the database has no such column.
    pub const COUNT: &str = "people";
}

/// A connection to a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Connection {
    /// A profile of the user or the system, by its name.
    Profile(String),
    /// A driver, with the address of the database.
    Driver {
        /// An absolute path, or the name of a manifest of the user or the system.
        driver: String,
        /// The address of the database; `{{ env_var(NAME) }}` stands for a variable of the environment.
        uri: Option<String>,
    },
}

impl Connection {
    /// The profile or the driver, as the project names it.
    pub fn name(&self) -> &str {
        match self {
            Self::Profile(profile) => profile,
            Self::Driver { driver, .. } => driver,
        }
    }
}

/// The rows of the database that are P.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceRows {
    /// All rows of a table; its name may have a schema before a dot.
    Table(String),
    /// The rows of the query in a file.
    Query(PathBuf),
}

keys! {
/// The keys as they are written in the project file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenSource {
    /// The ADBC profile of the connection.
    profile: Option<String>,
    /// Instead of `profile`: the ADBC driver, the name of a manifest or an absolute path.
    driver: Option<String>,
    /// The address of the database.
    uri: Option<String>,
    /// The table or view of P.
    table: Option<String>,
    /// Instead of `table`: a file with the query that gives P.
    query: Option<PathBuf>,
    /// The Parquet file that `fetch` writes and every other command reads as P.
    snapshot: Option<PathBuf>,
}
}

impl WrittenSource {
    /// Checks the keys. Paths are relative to `folder`.
    pub(super) fn settle(self, folder: &Path, count: Option<String>) -> Result<PublicSource, String> {
        let wrong = |detail: &str| Err(format!("[public.source]: {detail}"));
        let connection = match (self.profile, self.driver) {
            (Some(_), Some(_)) => {
                return wrong("`profile` and `driver` exclude each other; remove one of them");
            }
            (None, None) => return wrong("there is neither `profile` nor `driver`; add one of them"),
            (Some(_), None) if self.uri.is_some() => {
                return wrong("`uri` needs `driver`; a profile has its own; remove it");
            }
            (Some(profile), None) if is_path(&profile) => {
                return wrong(
                    "`profile` must be the name of a profile of the user or the system, not a path",
                );
            }
            (Some(profile), None) => Connection::Profile(profile),
            (None, Some(driver)) if is_path(&driver) && !Path::new(&driver).is_absolute() => {
                return wrong(
                    "`driver` must be an absolute path or the name of a manifest, because palmtop never loads a driver from the \
                     current folder",
                );
            }
            (None, Some(driver)) => {
                if let Some(what) = self.uri.as_deref().and_then(secret) {
                    return Err(format!(
                        "[public.source]: `uri` contains {what}, which must not be in a project file; write \
                         `{{{{ env_var(NAME) }}}}` instead and set NAME in the environment, or use a `profile`"
                    ));
                }
                Connection::Driver { driver, uri: self.uri.map(|uri| settled(&uri, folder)) }
            }
        };
        let rows = match (self.table, self.query) {
            (Some(table), None) => SourceRows::Table(table),
            (None, Some(query)) => SourceRows::Query(folder.join(query)),
            (Some(_), Some(_)) => return wrong("`table` and `query` exclude each other; remove one of them"),
            (None, None) => {
                return wrong("there is neither `table` nor `query`; add one of them for the rows of P");
            }
        };
        let Some(snapshot) = self.snapshot else {
            return wrong(
                "there is no `snapshot`; name the file that `palmtop fetch` writes, such as \"register.parquet\"",
            );
        };
        if snapshot.extension().is_none_or(|extension| !extension.eq_ignore_ascii_case("parquet")) {
            return wrong("`snapshot` must be a Parquet file with a name that ends in .parquet");
        }
        Ok(PublicSource { connection, rows, snapshot: folder.join(snapshot), count })
    }
}

fn is_path(name: &str) -> bool {
    name.contains(['/', '\\'])
}

/// Makes the path of a database file relative to the project's folder; other addresses stay unchanged.
fn settled(uri: &str, folder: &Path) -> String {
    let is_file = !uri.is_empty() && !uri.contains([':', '{', '=', ';']) && !Path::new(uri).is_absolute();
    if is_file { folder.join(uri).display().to_string() } else { uri.to_owned() }
}

/// The kind of secret in an address; `None` if no part looks like a secret.
fn secret(uri: &str) -> Option<&'static str> {
    let lower = uri.to_lowercase();
    let user = uri.split_once("://").and_then(|(_, rest)| rest.split(['/', '?']).next()?.rsplit_once('@'));
    let of_user = user.and_then(|(user, _)| user.split_once(':')).map(|(_, password)| password);
    let of_key = ["password=", "pwd=", "passwd=", "token=", "secret="].into_iter().find_map(|key| {
        let start = lower.find(key)? + key.len();
        uri.get(start..)?.split(['&', ';', ' ']).next()
    });
    let is_literal = |value: &str| !value.is_empty() && !value.contains("{{");
    of_user.into_iter().chain(of_key).any(is_literal).then_some("a password")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settle(text: &str) -> Result<PublicSource, String> {
        let written: WrittenSource = toml::from_str(text).map_err(|error| error.to_string())?;
        written.settle(Path::new("/p"), None)
    }

    #[test]
    fn database_source_has_connection_query_and_snapshot() {
        let source = settle(
            "driver = \"sqlite\"\nuri = \"register.db\"\ntable = \"persons\"\nsnapshot = \"r.parquet\"",
        )
        .unwrap();
        let driver =
            Connection::Driver { driver: "sqlite".to_owned(), uri: Some("/p/register.db".to_owned()) };
        assert_eq!((source.connection, source.snapshot), (driver, PathBuf::from("/p/r.parquet")));
        let profile = settle("profile = \"register\"\nquery = \"q.sql\"\nsnapshot = \"r.parquet\"").unwrap();
        assert_eq!(profile.rows, SourceRows::Query(PathBuf::from("/p/q.sql")));
    }

    #[test]
    fn secrets_and_local_drivers_are_refused() {
        let rest = "table = \"t\"\nsnapshot = \"r.parquet\"\n";
        for uri in ["postgresql://me:hush@host/db", "server=x;password=hush", "https://h/?token=hush"] {
            let error = settle(&format!("driver = \"pg\"\nuri = \"{uri}\"\n{rest}")).unwrap_err();
            assert!(error.contains("contains a password") && !error.contains("hush"), "{error}");
        }
        for uri in
            ["postgresql://me:{{ env_var(PASSWORD) }}@host/db", "postgresql://me@host/db", "/var/lib/r.db"]
        {
            settle(&format!("driver = \"pg\"\nuri = \"{uri}\"\n{rest}")).unwrap();
        }
        for (keys, what) in [
            ("driver = \"./evil.so\"", "absolute path"),
            ("driver = \"lib/evil.so\"", "absolute path"),
            ("profile = \"../p\"", "not a path"),
            ("profile = \"p\"\nuri = \"x\"", "needs `driver`"),
            ("", "neither `profile` nor `driver`"),
        ] {
            let error = settle(&format!("{keys}\n{rest}")).unwrap_err();
            assert!(error.contains(what), "{error}");
        }
        assert!(
            settle("driver = \"x\"\ntable = \"t\"\nsnapshot = \"r.csv\"").unwrap_err().contains(".parquet")
        );
    }
}
