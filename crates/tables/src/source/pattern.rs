//! Patterns for the files of a table: `P*.csv`.

use std::path::{Path, PathBuf};

use glob::{MatchOptions, Pattern, glob_with};

use super::file_id::{FileId, folder_of};

const OPTIONS: MatchOptions =
    MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: true };

/// A pattern with `*`, `?` or `[…]` as in a shell, without `**`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePattern {
    /// The pattern as the user wrote it.
    written: String,
    /// The pattern with its folder.
    full: String,
}

impl FilePattern {
    /// Reads a path relative to a folder as a pattern; `None` if it names one file.
    ///
    /// # Errors
    /// What is wrong with the pattern.
    pub fn of(path: &Path, folder: &Path) -> Result<Option<Self>, String> {
        let is_pattern = path.to_str().is_some_and(|path| path.contains(['*', '?', '[']));
        // A file may have this name.
        if !is_pattern || folder.join(path).symlink_metadata().is_ok() {
            return Ok(None);
        }
        let written = path.display().to_string();
        let wrong = |detail: &str| Err(format!("pattern {written:?}: {detail}"));
        if written.contains("**") {
            return wrong("`**` is not supported; name the folder");
        }
        let full = match (path.is_absolute(), folder.to_str()) {
            (true, _) | (false, Some("")) => written,
            (false, Some(folder)) => format!("{}/{written}", Pattern::escape(folder)),
            (false, None) => return wrong("the folder's name is not UTF-8; list the files in `path`"),
        };
        Ok(Some(Self { written: path.display().to_string(), full }))
    }

    /// The files that match, sorted by name; at least one.
    ///
    /// # Errors
    /// What is wrong with the pattern.
    pub fn files(&self) -> Result<Vec<PathBuf>, String> {
        let wrong = |detail: String| format!("pattern {:?}: {detail}", self.written);
        let found = glob_with(&self.full, OPTIONS).map_err(|error| wrong(error.to_string()))?;
        let mut files = found.collect::<Result<Vec<_>, _>>().map_err(|error| wrong(error.to_string()))?;
        files.sort_unstable();
        if files.is_empty() { Err(wrong("no file matches".to_owned())) } else { Ok(files) }
    }

    /// Whether a path matches; no file needs to exist.
    pub fn matches(&self, path: &Path) -> bool {
        let (folders, name) = match self.full.rsplit_once('/') {
            Some(("", name)) => ("/", name),
            Some((folders, name)) => (folders, name),
            None => (".", self.full.as_str()),
        };
        let name_of_path = path.file_name().map(|text| text.to_string_lossy().into_owned());
        let is_named = name_of_path
            .is_some_and(|text| Pattern::new(name).is_ok_and(|pattern| pattern.matches_with(&text, OPTIONS)));
        let folder_id = FileId::at(folder_of(path));
        is_named
            && folder_id.is_some()
            && glob_with(folders, OPTIONS)
                .is_ok_and(|found| found.flatten().any(|folder| FileId::at(&folder) == folder_id))
    }
}

impl std::fmt::Display for FilePattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_pattern_also_matches_future_files() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("a[b]");
        std::fs::create_dir_all(folder.join("in")).unwrap();
        std::os::unix::fs::symlink(&folder, root.path().join("link")).unwrap();
        let matches = |pattern: &str, path: &str| {
            let pattern = FilePattern::of(Path::new(pattern), &folder).unwrap().unwrap();
            pattern.matches(&root.path().join(path))
        };
        for (pattern, path, expected) in [
            ("p*.csv", "a[b]/p2.csv", true),
            ("p*.csv", "a[b]/in/../p2.csv", true),
            ("p*.csv", "link/p2.csv", true),
            ("p*.csv", "a[b]/in/p2.csv", false),
            ("p*.csv", "p2.csv", false),
            ("p*.csv", "a[b]/q.csv", false),
            ("*.csv", "a[b]/.p.csv", false),
            ("i?/*.csv", "a[b]/in/p.csv", true),
            ("i?/*.csv", "a[b]/p.csv", false),
            ("in/*", "link/in/p.csv", true),
        ] {
            assert_eq!(matches(pattern, path), expected, "{pattern} {path}");
        }
        assert_eq!(FilePattern::of(Path::new("p.csv"), &folder), Ok(None));
    }
}
