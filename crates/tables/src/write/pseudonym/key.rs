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
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_key_is_a_file_of_its_own_that_nobody_else_reads() {
        let root = tempfile::tempdir().unwrap();
        let at = root.path().canonicalize().unwrap();
        let project = at.join("project");
        fs::create_dir_all(project.join("deep")).unwrap();
        fs::create_dir(at.join("keys")).unwrap();
        let random: Vec<u8> = (0..32).collect();
        let put = |name: &str, bytes: &[u8], mode: u32| {
            let path = at.join(name);
            fs::write(&path, bytes).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            path
        };
        let refused = |path: &Path| {
            let error = Key::read(path, &project).unwrap_err().to_string();
            error.replace(&format!("{}/", at.display()), "")
        };
        let key = put("keys/a.key", &random, 0o600);
        assert_eq!(Key::read(&key, &project).unwrap().bytes(), random);
        assert_eq!(Key::read(&put("keys/b.key", &random, 0o400), &project).unwrap().bytes(), random);
        assert!(Key::read(&project.join("../keys/a.key"), &project).is_ok());
        let make = "make one: (umask 077; head -c 32 /dev/urandom > keys/c.key)";
        for mode in [0o644, 0o640, 0o660, 0o606, 0o700, 0o000] {
            assert_eq!(
                refused(&put("keys/c.key", &random, mode)),
                if mode == 0 && rustix::process::geteuid().as_raw() != 0 {
                    format!(
                        "key keys/c.key: Permission denied (os error 13); {}",
                        make.replace("one:", "one outside the project's folder:")
                    )
                } else {
                    format!(
                        "key keys/c.key has mode {mode:04o}, expected 0600; if nobody else can have read it, run: chmod 600 keys/c.key"
                    )
                }
            );
            fs::remove_file(at.join("keys/c.key")).unwrap();
        }
        assert_eq!(
            refused(&put("keys/c.key", &random[..31], 0o600)),
            format!("key keys/c.key has 31 bytes, expected 32 to 4096; {make}")
        );
        assert_eq!(
            refused(&put("keys/c.key", &[7; 5000], 0o600)),
            format!("key keys/c.key has 5000 bytes, expected 32 to 4096; {make}")
        );
        assert_eq!(
            refused(&put("keys/c.key", &[7; 40], 0o600)),
            format!("key keys/c.key has only 1 different bytes, expected random ones; {make}")
        );
        for name in ["project/k.key", "project/deep/k.key"] {
            assert_eq!(
                refused(&put(name, &random, 0o600)),
                format!(
                    "key {name} is in the project's folder, project, and would be shared with it; move it to \
                     another folder and correct its path"
                )
            );
        }
        std::os::unix::fs::symlink(&key, at.join("keys/link")).unwrap();
        for (name, found) in [("keys/link", "a link"), ("keys", "a folder")] {
            assert_eq!(
                refused(&at.join(name)),
                format!("key {name} is {found}, expected a regular file; name the file itself")
            );
        }
        let device = Key::read(Path::new("/dev/zero"), &project).unwrap_err().to_string();
        assert_eq!(device, "key /dev/zero is a device, expected a regular file; name the file itself");
        fs::hard_link(&key, project.join("second")).unwrap();
        assert_eq!(
            refused(&key),
            "key keys/a.key has 2 names (hard links), expected one; remove the others, which may be in any folder"
        );
        assert_eq!(
            refused(&at.join("keys/none")),
            "key keys/none: No such file or directory (os error 2); make one outside the project's folder: (umask 077; head \
             -c 32 /dev/urandom > keys/none)"
        );
        // Only a user who may give files away can test the owner.
        if rustix::process::geteuid().as_raw() == 0 {
            let foreign = put("keys/d.key", &random, 0o600);
            std::os::unix::fs::chown(&foreign, Some(12), None).unwrap();
            assert_eq!(
                refused(&foreign),
                "key keys/d.key belongs to user 12, expected user 0, who runs palmtop; use your own key"
            );
        }
    }
}
