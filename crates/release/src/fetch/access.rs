//! Access to a database: the driver and its options, from the project or from a profile of the user or the system.
//!
//! palmtop finds profiles itself. The driver manager would use a file of the working folder first, print lines of a broken
//! profile, and replace an unset variable by an empty text.

use std::path::{Path, PathBuf};

use adbc_core::options::{OptionDatabase, OptionValue};

use super::FetchError;
use super::secrets::Secrets;
use palmtop_project::{Connection, PublicSource};

/// A driver with its options. The type has no `Debug`, because options may be secrets.
#[derive(Clone)]
pub(super) struct Access {
    /// An absolute path, or the name of a manifest.
    pub(super) driver: String,
    pub(super) options: Vec<(OptionDatabase, OptionValue)>,
    pub(super) secrets: Secrets,
}

impl Access {
    /// Finds the access of a source, with the variables of the environment.
    pub(super) fn of(source: &PublicSource) -> Result<Self, FetchError> {
        let variable = |name: &str| std::env::var(name).ok();
        match &source.connection {
            Connection::Profile(name) => Self::of_profile(name, &folders(), variable),
            Connection::Driver { driver, uri } => {
                let mut secrets = Secrets::default();
                // DuckDB needs a path instead of an address.
                let is_duckdb = driver.contains("duckdb");
                let key =
                    if is_duckdb { OptionDatabase::Other("path".to_owned()) } else { OptionDatabase::Uri };
                let mut options = Vec::new();
                if let Some(uri) = uri {
                    options.push((key, OptionValue::String(secrets.replace(uri, variable)?)));
                }
                Ok(Self { driver: driver.clone(), options, secrets })
            }
        }
    }

    fn of_profile(
        name: &str,
        folders: &[PathBuf],
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, FetchError> {
        let wrong = |detail: String| FetchError::Profile { profile: name.to_owned(), detail };
        let file =
            folders.iter().map(|folder| folder.join(format!("{name}.toml"))).find(|file| file.is_file());
        let file = file.ok_or_else(|| {
            let searched: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
            wrong(format!("was not found; expected {name}.toml in one of: {}", searched.join(", ")))
        })?;
        let text = std::fs::read_to_string(&file)
            .map_err(|error| wrong(format!("cannot be read: {}: {error}", file.display())))?;
        // The parser's message has the line of the file, which may have a secret.
        let profile: toml::Table = toml::from_str(&text).map_err(|error| {
            let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            wrong(format!("is not TOML: {}, line {}", file.display(), before.matches('\n').count() + 1))
        })?;
        if profile.get("profile_version").and_then(toml::Value::as_integer) != Some(1) {
            return Err(wrong(format!("has no `profile_version = 1`: {}", file.display())));
        }
        let driver = profile.get("driver").and_then(toml::Value::as_str);
        let driver = driver.ok_or_else(|| wrong(format!("has no `driver`: {}", file.display())))?;
        if driver.contains(['/', '\\']) && !Path::new(driver).is_absolute() {
            return Err(wrong(format!(
                "has a relative path as `driver`; write an absolute path, or the name of a manifest: {}",
                file.display()
            )));
        }
        let Some(toml::Value::Table(table)) = profile.get("Options") else {
            return Err(wrong(format!("has no table [Options]: {}", file.display())));
        };
        let mut access = Self { driver: driver.to_owned(), options: Vec::new(), secrets: Secrets::default() };
        access.add(table, "", &variable).map_err(|error| match error {
            OptionError::Key(key) => wrong(format!("has an option that is a list or a date: `{key}`")),
            OptionError::Fetch(error) => *error,
        })?;
        Ok(access)
    }

    /// Adds the options of a table. An option of an inner table has the inner table's name and a dot before its own name.
    fn add(
        &mut self,
        table: &toml::Table,
        prefix: &str,
        variable: &impl Fn(&str) -> Option<String>,
    ) -> Result<(), OptionError> {
        for (key, value) in table {
            let key = format!("{prefix}{key}");
            let value = match value {
                toml::Value::Table(inner) => {
                    self.add(inner, &format!("{key}."), variable)?;
                    continue;
                }
                toml::Value::String(text) => {
                    let text = self
                        .secrets
                        .replace(text, variable)
                        .map_err(|error| OptionError::Fetch(Box::new(error)))?;
                    if is_secret(&key) {
                        self.secrets.hide(&text);
                    }
                    if let Some(password) = password(&text) {
                        self.secrets.hide(password);
                    }
                    OptionValue::String(text)
                }
                toml::Value::Integer(number) => OptionValue::Int(*number),
                toml::Value::Float(number) => OptionValue::Double(*number),
                toml::Value::Boolean(flag) => OptionValue::String(flag.to_string()),
                toml::Value::Array(_) | toml::Value::Datetime(_) => return Err(OptionError::Key(key)),
            };
            self.options.push((OptionDatabase::from(key.as_str()), value));
        }
        Ok(())
    }
}

/// The reason why an option cannot be used.
enum OptionError {
    /// Options cannot have a value of this type.
    Key(String),
    Fetch(Box<FetchError>),
}

/// Whether the name of an option shows that its value is a secret.
fn is_secret(key: &str) -> bool {
    let key = key.to_lowercase();
    ["password", "token", "secret", "auth", "credential", "private_key", "api_key"]
        .iter()
        .any(|part| key.contains(part))
}

/// The password of an address such as `postgresql://user:password@host`.
fn password(uri: &str) -> Option<&str> {
    let (user, _) = uri.split_once("://")?.1.split(['/', '?']).next()?.rsplit_once('@')?;
    user.split_once(':').map(|(_, password)| password)
}

/// The folders of profiles: those in `ADBC_PROFILE_PATH`, the user's folder, and the system's folder. A relative path is left
/// out.
fn folders() -> Vec<PathBuf> {
    let named = std::env::var_os("ADBC_PROFILE_PATH");
    let mut folders: Vec<PathBuf> = named.iter().flat_map(std::env::split_paths).collect();
    let home = std::env::var_os("HOME").map(PathBuf::from);
    if cfg!(target_os = "macos") {
        folders.extend(home.map(|home| home.join("Library/Application Support/ADBC/Profiles")));
        folders.push("/Library/Application Support/ADBC/Profiles".into());
    } else {
        let settings = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from);
        folders.extend(
            settings
                .or_else(|| home.map(|home| home.join(".config")))
                .map(|folder| folder.join("adbc/profiles")),
        );
        folders.push("/etc/adbc/profiles".into());
    }
    folders.retain(|folder| folder.is_absolute());
    folders
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Access, FetchError> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("register.toml"), text).unwrap();
        let variable = |name: &str| (name == "PASSWORD").then(|| "hush".to_owned());
        Access::of_profile("register", &[folder.path().to_owned()], variable)
    }

    fn refused(text: &str) -> String {
        read(text).map(|access| access.driver).unwrap_err().to_string()
    }

    #[test]
    fn connection_profile_hides_its_secrets() {
        let access = read(
            "profile_version = 1\ndriver = \"flightsql\"\n[Options]\nuri = \"grpc://me:quiet@host\"\nusername = \"me\"\n\
             password = \"{{ env_var(PASSWORD) }}\"\nport = 7\nadbc.spark.token = \"still\"\n",
        )
        .unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(access.driver, "flightsql");
        let has = |key: OptionDatabase, text: &str| {
            let found = access.options.iter().find(|(found, _)| *found == key);
            assert!(matches!(found, Some((_, OptionValue::String(value))) if value == text));
        };
        has(OptionDatabase::Password, "hush");
        has(OptionDatabase::Other("adbc.spark.token".to_owned()), "still");
        assert_eq!(access.secrets.scrubbed("me hush still quiet host"), "me … … … host");
    }

    // holds: Snapshots are whole
    #[test]
    fn broken_profile_is_refused_without_showing_its_lines() {
        let head = "profile_version = 1\ndriver = \"x\"\n[Options]\n";
        let broken = refused(&format!("{head}password = \"hush"));
        assert!(broken.contains("line 4") && !broken.contains("hush"), "{broken}");
        assert!(refused(&format!("{head}a = \"{{{{ env_var(NOT_SET) }}}}\"")).contains("NOT_SET"));
        assert!(refused(&format!("{head}a = [1]")).contains("`a`"));
        assert!(refused("driver = \"x\"\n[Options]\n").contains("profile_version"));
        assert!(refused("profile_version = 1\n[Options]\n").contains("driver"));
        assert!(refused("profile_version = 1\ndriver = \"./evil\"\n[Options]\n").contains("relative"));
        assert!(refused("profile_version = 1\ndriver = \"x\"\n").contains("[Options]"));
    }

    #[test]
    fn a_profile_of_another_folder_is_not_found() {
        let error = Access::of_profile("Cargo", &["/nowhere".into()], |_| None).map(|access| access.driver);
        let error = error.unwrap_err().to_string();
        assert!(error.contains("was not found") && error.contains("/nowhere"), "{error}");
    }
}
