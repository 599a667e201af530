//! The file of a key: its rights, its owner, its folder.

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

use rustix::fs::{Mode, OFlags};

/// The bytes of a key, as its file has them.
pub struct Key(Vec<u8>);

/// Debug output must not reveal the key.
impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key(…)")
    }
}

/// The reason why a file cannot be a key. The message has the finding and the remedy, and nothing
/// of the key.
#[derive(Debug, thiserror::Error)]
#[error("key {0}")]
pub struct KeyError(String);

impl Key {
    /// The fewest bytes of a key: the output size of SHA-256.
    const LEAST: u64 = 32;
    /// The most bytes of a key; a larger file is not a key.
    const MOST: u64 = 4096;
    /// The fewest distinct bytes. Thirty-two random hexadecimal digits have fewer in one of some
    /// hundred thousand cases.
    const DIFFERENT: usize = 8;

    /// Reads a key: a regular file with one name, mode 0600 (or 0400), owned by the current user,
    /// outside `folder`.
    ///
    /// # Errors
    /// [`KeyError`]
    pub fn read(path: &Path, folder: &Path) -> Result<Self, KeyError> {
        let shown = path.display();
        let make = format!("(umask 077; head -c 32 /dev/urandom > {shown})");
        let io = |source: io::Error| {
            KeyError(format!("{shown}: {source}; make one outside the project's folder: {make}"))
        };
        let wrong = |problem: String| Err(KeyError(format!("{shown} {problem}")));
        let no_file =
            |found: &str| wrong(format!("is {found}, expected a regular file; name the file itself"));
        let found = path.symlink_metadata().map_err(io)?;
        let kind = found.file_type();
        if !found.is_file() {
            let found = match () {
                () if kind.is_symlink() => "a link",
                () if kind.is_dir() => "a folder",
                () if kind.is_fifo() || kind.is_socket() => "a pipe",
                () => "a device",
            };
            return no_file(found);
        }
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let folder = fs::canonicalize(folder).map_err(io)?;
        if fs::canonicalize(path).map_err(io)?.starts_with(&folder) {
            return wrong(format!(
                "is in the project's folder, {}, and would be shared with it; move it to another folder and correct its path",
                folder.display()
            ));
        }
        // The open file is examined and read, even if the name leads to another one by then.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = rustix::fs::open(path, flags, Mode::empty()).map_err(|error| io(error.into()))?;
        let file = File::from(file);
        let found = file.metadata().map_err(io)?;
        if !found.is_file() {
            return no_file("no longer a file");
        }
        let user = rustix::process::geteuid().as_raw();
        if found.uid() != user {
            return wrong(format!(
                "belongs to user {}, expected user {user}, who runs palmtop; use your own key",
                found.uid()
            ));
        }
        let mode = found.mode() & 0o7777;
        if !matches!(mode, 0o600 | 0o400) {
            return wrong(format!(
                "has mode {mode:04o}, expected 0600; if nobody else can have read it, run: chmod 600 {shown}"
            ));
        }
        if found.nlink() != 1 {
            return wrong(format!(
                "has {} names (hard links), expected one; remove the others, which may be in any folder",
                found.nlink()
            ));
        }
        let (least, most) = (Self::LEAST, Self::MOST);
        let size =
            |bytes: u64| wrong(format!("has {bytes} bytes, expected {least} to {most}; make one: {make}"));
        if !(Self::LEAST..=Self::MOST).contains(&found.len()) {
            return size(found.len());
        }
        let mut bytes = Vec::new();
        file.take(Self::MOST + 1).read_to_end(&mut bytes).map_err(io)?;
        if bytes.len() as u64 != found.len() {
            return size(bytes.len() as u64);
        }
        let mut different = bytes.clone();
        different.sort_unstable();
        different.dedup();
        let different = different.len();
        if different < Self::DIFFERENT {
            return wrong(format!(
                "has only {different} different bytes, expected random ones; make one: {make}"
            ));
        }
        Ok(Self(bytes))
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// A key of some bytes.
    #[cfg(test)]
    pub(super) fn of_bytes(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::path::PathBuf;

    use super::*;

    /// A folder with a key, and beside it a project.
    struct Keys(tempfile::TempDir);

    impl Keys {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            fs::create_dir_all(folder.path().join("project/deep")).unwrap();
            fs::create_dir(folder.path().join("keys")).unwrap();
            let keys = Self(folder);
            keys.put("keys/a.key", &random(), 0o600);
            keys
        }

        fn folder(&self) -> PathBuf {
            self.0.path().canonicalize().unwrap()
        }

        fn at(&self, name: &str) -> PathBuf {
            self.folder().join(name)
        }

        fn put(&self, name: &str, bytes: &[u8], mode: u32) {
            let path = self.at(name);
            fs::write(&path, bytes).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        }

        fn read(&self, name: &str) -> Result<Key, KeyError> {
            Key::read(&self.at(name), &self.at("project"))
        }

        fn refused(&self, name: &str) -> String {
            self.read(name).unwrap_err().to_string().replace(&format!("{}/", self.folder().display()), "")
        }
    }

    fn random() -> Vec<u8> {
        (0..32).collect()
    }

    /// Files that are no keys: the beginning of each refusal, a part of its remedy, and the refusal.
    pub(crate) fn refusals() -> Vec<(&'static str, &'static str, String)> {
        let keys = Keys::new();
        let device = Key::read(Path::new("/dev/zero"), &keys.at("project")).unwrap_err().to_string();
        std::os::unix::fs::symlink(keys.at("keys/a.key"), keys.at("keys/link")).unwrap();
        keys.put("keys/mode.key", &random(), 0o644);
        keys.put("keys/short.key", &random()[..31], 0o600);
        keys.put("keys/long.key", &[7; 5000], 0o600);
        keys.put("keys/same.key", &[7; 40], 0o600);
        keys.put("project/k.key", &random(), 0o600);
        keys.put("project/deep/k.key", &random(), 0o600);
        keys.put("keys/two.key", &random(), 0o600);
        fs::hard_link(keys.at("keys/two.key"), keys.at("project/second")).unwrap();
        let make = "(umask 077; head -c 32 /dev/urandom > keys/";
        let cases = [
            ("keys/mode.key", "key keys/mode.key has mode 0644, expected 0600", "chmod 600 keys/mode.key"),
            ("keys/short.key", "key keys/short.key has 31 bytes", make),
            ("keys/long.key", "key keys/long.key has 5000 bytes", make),
            ("keys/same.key", "key keys/same.key has only 1", make),
            ("project/k.key", "key project/k.key is in the project", "move it"),
            ("project/deep/k.key", "key project/deep/k.key is in the project", "move it"),
            ("keys/link", "key keys/link is a link", "name the file itself"),
            ("keys", "key keys is a folder", "name the file itself"),
            ("keys/two.key", "key keys/two.key has 2 names", "remove the others"),
            ("keys/none", "key keys/none: No such file", make),
        ];
        let cases = cases.map(|(name, what, remedy)| (what, remedy, keys.refused(name)));
        cases.into_iter().chain([("key /dev/zero is a device", "name the file itself", device)]).collect()
    }

    // holds: Pseudonyms need a key
    #[test]
    fn pseudonym_key_is_a_private_separate_file() {
        for (what, remedy, found) in refusals() {
            assert!(found.starts_with(what) && found.contains(remedy), "expected {what}\n   found {found}");
        }
        let keys = Keys::new();
        assert_eq!(keys.read("keys/a.key").unwrap().bytes(), random());
        keys.put("keys/b.key", &random(), 0o400);
        assert_eq!(keys.read("keys/b.key").unwrap().bytes(), random());
        assert!(keys.read("project/../keys/a.key").is_ok());
        let is_root = rustix::process::geteuid().as_raw() == 0;
        for mode in [0o644, 0o640, 0o660, 0o606, 0o700, 0o000] {
            keys.put("keys/c.key", &random(), mode);
            let expected = if mode == 0 && !is_root {
                "key keys/c.key: Permission denied".to_owned()
            } else {
                format!("key keys/c.key has mode {mode:04o}, expected 0600")
            };
            assert!(keys.refused("keys/c.key").starts_with(&expected), "{mode:o}");
            fs::remove_file(keys.at("keys/c.key")).unwrap();
        }
        // Only a user who may give files away can test the owner.
        if is_root {
            keys.put("keys/d.key", &random(), 0o600);
            std::os::unix::fs::chown(keys.at("keys/d.key"), Some(12), None).unwrap();
            assert_eq!(
                keys.refused("keys/d.key"),
                "key keys/d.key belongs to user 12, expected user 0, who runs palmtop; use your own key"
            );
        }
    }
}
