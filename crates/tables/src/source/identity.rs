//! Refuses a file of a table that is an input a second time: by another name, as a copy, or packed.

use palmtop_core::located::LocatedError;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::file_id::FileId;
use super::input;
use super::packing::{Packing, Unpacked};

/// The use of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputRole {
    /// A file of P.
    Public,
    /// A file of T.
    Private,
    /// The hierarchy of an attribute.
    Hierarchy(String),
    /// The table of rates.
    Rates,
    /// The project file.
    Project,
}

/// How the user names the files of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Naming<'a> {
    /// In a project file in this folder.
    Project(&'a Path),
    /// By `--public` and `--private`.
    Options,
}

/// An input and its role.
pub type Input = (InputRole, PathBuf);

/// The number of bytes of each input that are compared first.
const START: u64 = 1 << 16;
/// The most files listed in a line to write.
const LISTED: usize = 8;

impl InputRole {
    fn is_table(&self) -> bool {
        matches!(self, Self::Public | Self::Private)
    }

    fn table(&self) -> &'static str {
        if *self == Self::Private { "T" } else { "P" }
    }
}

impl fmt::Display for InputRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Public => f.write_str("a file of P"),
            Self::Private => f.write_str("a file of T"),
            Self::Hierarchy(attribute) => write!(f, "the hierarchy of `{attribute}`"),
            Self::Rates => f.write_str("the table of rates"),
            Self::Project => f.write_str("the project file"),
        }
    }
}

/// What two inputs share.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shared {
    File,
    /// The bytes, packed or not.
    Content,
    Rows,
}

/// The error of a file of P with the rows of another input in another form.
pub(crate) fn same_rows(inputs: &[Input], first: &Input, second: &Input, naming: Naming) -> LocatedError {
    let remedy = remedy(inputs, first, second, naming);
    shared_input(first, second, Shared::Rows)
        .remedy(format!("{remedy}; if they are other people, put them and the rest of P into one file"))
}

/// The error of a file of a table that is also another input.
fn shared_input(kept: &Input, removed: &Input, shared: Shared) -> LocatedError {
    let ((first_role, first), (role, second)) = (kept, removed);
    let (one, other) = (first.display(), second.display());
    let found = match () {
        () if shared == Shared::Content => {
            format!("{other}, {role}, has the same content as {one}, {first_role}")
        }
        () if shared == Shared::Rows => {
            format!("{other}, {role}, has the rows of {one}, {first_role}, in another form")
        }
        () if first != second => format!("{one} and {other} are the same file, {first_role} and {role}"),
        () if first_role == role => format!("{other} is named twice among the files of {}", role.table()),
        () => format!("{other} is {first_role} and {role}"),
    };
    let consequence = match first_role {
        _ if first_role == role => "its people would be counted twice",
        InputRole::Private => "the people of T would be counted again in P",
        _ => "its lines would be counted as people",
    };
    LocatedError::new(format!("{found}: {consequence}"))
}

/// Refuses a file of P or T that is also another input: the same file, or a copy of its bytes,
/// packed or not.
///
/// If P is a single file, it may be a copy of T: then everyone in P is in T, and nobody counts
/// twice. Files that cannot be opened are skipped; their reader reports the error. Only files with
/// equal beginnings are read to the end.
///
/// # Errors
/// The first such file, and the line to write instead.
pub fn check(inputs: &[Input], naming: Naming) -> Result<(), LocatedError> {
    // Files of T come before those of P: if two are the same, the one of P must go. Inputs that are
    // not tables come first.
    let mut ordered: Vec<&Input> = inputs.iter().filter(|(role, _)| !role.is_table()).collect();
    ordered.extend(inputs.iter().filter(|(role, _)| *role == InputRole::Private));
    ordered.extend(inputs.iter().filter(|(role, _)| *role == InputRole::Public));
    let shared = |first: usize, second: usize, shared| {
        let (first, second) = (ordered[first], ordered[second]);
        Err(shared_input(first, second, shared).remedy(remedy(inputs, first, second, naming)))
    };
    let mut files: HashMap<FileId, usize> = HashMap::new();
    for (nth, (role, path)) in ordered.iter().enumerate() {
        let Some(id) = FileId::at(path) else { continue };
        let first = *files.entry(id).or_insert(nth);
        if first != nth && role.is_table() {
            return shared(first, nth, Shared::File);
        }
    }
    let mut starts: BTreeMap<Vec<u8>, Vec<usize>> = BTreeMap::new();
    for (nth, (_, path)) in ordered.iter().enumerate() {
        if let Ok(hash) = content_hash(path, START) {
            starts.entry(hash).or_default().push(nth);
        }
    }
    // A P of a single file may be a copy of T: nobody counts twice in it.
    let has_one_file = inputs.iter().filter(|(role, _)| *role == InputRole::Public).count() == 1;
    let is_all_of_public = |first: usize, second: usize| {
        has_one_file && (&ordered[first].0, &ordered[second].0) == (&InputRole::Private, &InputRole::Public)
    };
    for group in starts.into_values().filter(|group| group.len() > 1) {
        let mut contents: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
        for nth in group {
            let Ok(hash) = content_hash(&ordered[nth].1, u64::MAX) else { continue };
            let first = *contents.entry(hash).or_insert(nth);
            if first != nth && ordered[nth].0.is_table() && !is_all_of_public(first, nth) {
                return shared(first, nth, Shared::Content);
            }
        }
    }
    Ok(())
}

/// The SHA-256 of at most `most` bytes of a file, unpacked.
fn content_hash(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut content = Unpacked::new(Packing::of(path).0, input::open(path)?)?.take(most);
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match content.read(&mut buffer)? {
            0 => return Ok(hasher.finalize().to_vec()),
            count => hasher.update(&buffer[..count]),
        }
    }
}

/// The line to write: the files that only this table has.
fn remedy(inputs: &[Input], first: &Input, second: &Input, naming: Naming) -> String {
    let (role, removed) = second;
    let table = role.table();
    let (section, option) = if table == "P" { ("[public]", "--public") } else { ("[private]", "--private") };
    let is_other_input = |path: &Path| {
        let id = FileId::at(path);
        inputs.iter().any(|(other, known)| other != role && FileId::at(known) == id)
    };
    // A file named twice remains once.
    let once = (first == second).then_some(removed);
    let mut kept: Vec<&PathBuf> =
        inputs.iter().filter(|(kind, _)| kind == role).map(|(_, path)| path).collect();
    kept.retain(|path| *path != removed && !is_other_input(path));
    kept.splice(0..0, once);
    if kept.is_empty() {
        return match (table, naming) {
            ("P", Naming::Project(_)) => format!(
                "name a separate file for P under {section}, or, if T is marked in P's rows, remove [private] and write `member = COLUMN` under {section}"
            ),
            ("P", Naming::Options) => {
                format!(
                    "name a separate file for P with {option}, or, if T is marked in P's rows, leave out --private"
                )
            }
            (_, Naming::Project(_)) => format!("name a separate file for T under {section}"),
            (_, Naming::Options) => format!("name a separate file for T with {option}"),
        };
    }
    if kept.len() > LISTED {
        return match naming {
            Naming::Project(_) => format!("leave {} out of the files under {section}", removed.display()),
            Naming::Options => format!("leave {} out of {option}", removed.display()),
        };
    }
    match naming {
        Naming::Project(folder) => {
            let name = |path: &&PathBuf| {
                let path = path.strip_prefix(folder).unwrap_or(path);
                format!("{:?}", path.display().to_string())
            };
            let names: Vec<String> = kept.iter().map(name).collect();
            match names.as_slice() {
                [name] => format!("write under {section}: path = {name}"),
                names => format!("write under {section}: path = [{}]", names.join(", ")),
            }
        }
        Naming::Options => {
            let names: Vec<String> =
                kept.iter().map(|path| palmtop_core::shell::quoted(&path.display().to_string())).collect();
            format!("write {option} {}", names.join(" "))
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::os::unix::fs::symlink;

    use super::super::packing::tests::pack;
    use super::*;

    fn message(inputs: &[(InputRole, &str)], folder: &Path) -> String {
        let inputs: Vec<Input> =
            inputs.iter().map(|(role, name)| (role.clone(), folder.join(name))).collect();
        match check(&inputs, Naming::Project(folder)) {
            Ok(()) => String::new(),
            Err(shared) => shared.to_string().replace(&format!("{}/", folder.display()), ""),
        }
    }

    /// Inputs: a part of each refusal, and the refusal.
    pub(crate) fn refusals() -> Vec<([&'static str; 2], String)> {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for (name, content) in
            [("p.csv", "q\n1\n2\n"), ("copy.csv", "q\n1\n2\n"), ("t.csv", "q\n1\n"), ("h.csv", "1;*\n2;*\n")]
        {
            std::fs::write(path(name), content).unwrap();
        }
        std::fs::write(path("p.csv.gz"), pack(Packing::Gzip, b"q\n1\n2\n")).unwrap();
        std::fs::write(path("p.csv.zst"), pack(Packing::Zstd, b"q\n1\n2\n")).unwrap();
        symlink(path("t.csv"), path("link.csv")).unwrap();
        std::fs::hard_link(path("h.csv"), path("hard.csv")).unwrap();
        let (public, private) = (InputRole::Public, InputRole::Private);
        let hierarchy = InputRole::Hierarchy("q".to_owned());
        [
            (
                vec![(public.clone(), "p.csv"), (public.clone(), "t.csv"), (private.clone(), "t.csv")],
                ["t.csv is a file", "[public]: path = \"p.csv\""],
            ),
            (
                vec![(public.clone(), "link.csv"), (private.clone(), "t.csv")],
                ["t.csv and link.csv are the same file", "`member = COLUMN`"],
            ),
            (
                vec![(public.clone(), "p.csv"), (public.clone(), "copy.csv")],
                ["copy.csv, a file of P", "[public]: path = \"p.csv\""],
            ),
            (
                vec![(public.clone(), "p.csv.zst"), (public.clone(), "p.csv.gz"), (public.clone(), "t.csv")],
                ["p.csv.gz, a file of P", "[public]: path = [\"p.csv.zst\", \"t.csv\"]"],
            ),
            (
                vec![(private.clone(), "t.csv"), (private.clone(), "t.csv"), (public.clone(), "p.csv")],
                ["t.csv is named twice", "[private]: path = \"t.csv\""],
            ),
            (
                vec![(hierarchy.clone(), "h.csv"), (public.clone(), "p.csv"), (public.clone(), "hard.csv")],
                ["h.csv and hard.csv are the same file", "[public]: path = \"p.csv\""],
            ),
            (vec![(public.clone(), "p.csv"), (private.clone(), "t.csv")], ["", ""]),
            (vec![(hierarchy.clone(), "h.csv"), (hierarchy, "hard.csv"), (public, "p.csv")], ["", ""]),
        ]
        .map(|(inputs, parts)| (parts, message(&inputs, folder.path())))
        .into()
    }

    #[test]
    fn inputs_are_identified_by_name_inode_and_content() {
        for ([what, remedy], message) in refusals() {
            assert!(message.starts_with(what) && message.contains(remedy), "{message}");
            assert_eq!(message.is_empty(), what.is_empty(), "{message}");
        }
    }

    #[test]
    fn files_that_begin_alike_are_compared_in_full() {
        let folder = tempfile::tempdir().unwrap();
        let long: String = (0..20_000).map(|_| "same\n").collect();
        for (name, end) in [("a.csv", "a\n"), ("b.csv", "b\n"), ("c.csv", "a\n")] {
            std::fs::write(folder.path().join(name), format!("{long}{end}")).unwrap();
        }
        let public = InputRole::Public;
        assert_eq!(message(&[(public.clone(), "a.csv"), (public.clone(), "b.csv")], folder.path()), "");
        let inputs = [(public.clone(), "a.csv"), (public.clone(), "b.csv"), (public, "c.csv")];
        let message = message(&inputs, folder.path());
        assert!(message.starts_with("c.csv, ") && message.contains("content as a.csv"), "{message}");
    }
}
