//! Completion of a path from the disk.

use std::fs;

/// The characters that complete a path: the common continuation of all names that start with the
/// typed text. If only a folder matches, a slash follows.
pub(crate) fn rest_of_path(typed: &str) -> String {
    let (folder, start) = typed
        .rsplit_once('/')
        .map_or((".", typed), |(folder, start)| (if folder.is_empty() { "/" } else { folder }, start));
    let Ok(entries) = fs::read_dir(folder) else { return String::new() };
    let mut rests: Vec<(String, bool)> = Vec::new();
    for entry in entries.flatten() {
        let name = entry.file_name();
        // A hidden file is completed only if its dot is typed.
        let Some(rest) = name.to_str().and_then(|name| name.strip_prefix(start)) else { continue };
        let is_hidden = start.is_empty() && rest.starts_with('.');
        let is_plain = !rest.chars().any(char::is_control);
        if is_plain && !is_hidden {
            rests.push((rest.to_owned(), entry.path().is_dir()));
        }
    }
    let Some((first, is_folder)) = rests.first().cloned() else { return String::new() };
    let shared = rests.iter().fold(first.as_str(), |shared, (rest, _)| {
        let same = shared.chars().zip(rest.chars()).take_while(|(left, right)| left == right);
        &shared[..same.map(|(character, _)| character.len_utf8()).sum()]
    });
    if rests.len() == 1 && is_folder { format!("{shared}/") } else { shared.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_completion_stops_where_names_differ() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["private.csv", "public.csv", ".hidden"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        fs::create_dir(folder.path().join("data")).unwrap();
        let rest = |start: &str| rest_of_path(&format!("{}/{start}", folder.path().display()));
        assert_eq!(rest("p"), "");
        assert_eq!(rest("pr"), "ivate.csv");
        assert_eq!(rest("d"), "ata/");
        assert_eq!((rest("x"), rest(".h")), (String::new(), "idden".to_owned()));
        assert_eq!(rest_of_path("/nowhere-at-all/x"), "");
    }
}
