use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;

/// A disk that fails after some bytes, at sync, or where a file gets its name; and perhaps knows no files without names.
#[derive(Clone, Copy)]
struct Odd {
    bytes_left: usize,
    sync: bool,
    name: bool,
    has_unnamed: bool,
}

const FLAWLESS: Odd = Odd { bytes_left: usize::MAX, sync: true, name: true, has_unnamed: true };

impl Disk for Odd {
    fn write(&mut self, file: &mut File, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes_left == 0 {
            return Err(io::Error::other("no space left on device"));
        }
        let count = file.write(&bytes[..bytes.len().min(self.bytes_left)])?;
        self.bytes_left -= count;
        Ok(count)
    }

    fn sync(&mut self, _: &File) -> io::Result<()> {
        if self.sync { Ok(()) } else { Err(io::Error::other("the disk is gone")) }
    }

    fn unnamed(&mut self, folder: &Path) -> io::Result<File> {
        if self.has_unnamed { RealDisk.unnamed(folder) } else { Err(io::ErrorKind::Unsupported.into()) }
    }

    fn link(&mut self, file: &File, name: &Path) -> io::Result<()> {
        if self.name { RealDisk.link(file, name) } else { Err(io::Error::other("read-only")) }
    }

    fn rename_folder(&mut self, temporary: &Path, name: &Path, overwrite: bool) -> io::Result<()> {
        if self.name {
            RealDisk.rename_folder(temporary, name, overwrite)
        } else {
            Err(io::Error::other("read-only"))
        }
    }

    fn rename(&mut self, temporary: &Path, name: &Path, overwrite: bool) -> io::Result<()> {
        if self.name {
            RealDisk.rename(temporary, name, overwrite)
        } else {
            Err(io::Error::other("read-only"))
        }
    }
}

impl Odd {
    /// Stages a folder with two files, and names it.
    fn put_folder(&mut self, target: &Path, overwrite: bool) -> Result<(), WriteError<Infallible>> {
        let files = vec!["send/a.csv".into(), "keep/b.html".into()];
        let plan = FolderPlan { target, subfolders: &["send", "keep"], files, overwrite };
        let mut gate = Gate::default();
        let staged = gate.stage(&plan)?;
        for file in &plan.files {
            gate.put(self, &staged.path().join(file), false, b"new\n")?;
        }
        gate.name_folder(self, staged, &plan)
    }
}

/// The disks of both kinds.
fn both() -> [Odd; 2] {
    [FLAWLESS, Odd { has_unnamed: false, ..FLAWLESS }]
}

fn put(disk: &mut dyn Disk, target: &Path, overwrite: bool) -> Result<(), WriteError<Infallible>> {
    Gate::default().put(disk, target, overwrite, b"new\n")
}

/// Writes a file that is looked at before it has its name.
fn look<T>(disk: &mut dyn Disk, target: &Path, look: impl FnOnce(&Path) -> T) -> T {
    let checked = |path: &Path| Ok::<T, Infallible>(look(path));
    Gate::default().write(disk, target, true, |out| out.write_all(b"rows\n"), checked).unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort_unstable();
    names
}

// holds: Verified, then named
#[test]
fn failed_write_keeps_the_old_file_whole() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("out.csv");
    for disk in both() {
        let bytes = (0..4).map(|bytes_left| Odd { bytes_left, ..disk });
        let failures = bytes.chain([Odd { sync: false, ..disk }, Odd { name: false, ..disk }]);
        for old in [None, Some("old\n")] {
            if let Some(old) = old {
                fs::write(&target, old).unwrap();
            }
            for mut failure in failures.clone() {
                let error = put(&mut failure, &target, true).unwrap_err();
                assert!(matches!(error, WriteError::Disk(_)), "{error}");
                assert_eq!(fs::read_to_string(&target).ok().as_deref(), old);
                assert_eq!(names(folder.path()).len(), usize::from(old.is_some()));
            }
        }
        put(&mut Odd { bytes_left: 4, ..disk }, &target, true).unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "new\n");
        assert_eq!(names(folder.path()), ["out.csv"]);
        fs::remove_file(&target).unwrap();
    }
}

#[test]
fn taken_name_is_never_overwritten_without_force() {
    for mut disk in both() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out.csv");
        let late = |_: &Path| {
            fs::write(&target, "theirs\n").unwrap();
            Ok::<(), String>(())
        };
        for _ in 0..2 {
            let ours = |out: &mut dyn Write| out.write_all(b"ours\n");
            let error = Gate::default().write(&mut disk, &target, false, ours, late).unwrap_err();
            assert!(matches!(error, WriteError::Target(TargetError::Exists { .. })), "{error}");
            assert_eq!(fs::read_to_string(&target).unwrap(), "theirs\n");
        }
        assert_eq!(names(folder.path()), ["out.csv"]);
    }
}

#[test]
fn a_refused_file_is_never_seen() {
    for mut disk in both() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out.csv");
        let refuse = |_: &Path| Err::<(), _>("not δ-present");
        let refusal = Gate::default().write(&mut disk, &target, false, |out| out.write_all(b"x\n"), refuse);
        assert_eq!(refusal.unwrap_err().to_string(), "not δ-present");
        assert_eq!(names(folder.path()), Vec::<String>::new());
    }
}

#[test]
fn only_its_owner_may_read_a_written_file() {
    for mut disk in both() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out.csv");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(look(&mut disk, &target, mode), 0o600);
        assert_eq!(mode(&target), 0o600);
    }
}

#[test]
fn file_being_written_has_no_visible_name() {
    for mut disk in both() {
        let folder = tempfile::tempdir().unwrap();
        let (text, seen) = look(&mut disk, &folder.path().join("out.csv"), |path| {
            assert!(path.metadata().unwrap().is_file());
            (fs::read_to_string(path).unwrap(), names(folder.path()))
        });
        assert_eq!(text, "rows\n");
        let is_temporary = |name: &String| name.starts_with(".palmtop-");
        assert_eq!(seen.len(), usize::from(!disk.has_unnamed), "{seen:?}");
        assert!(seen.iter().all(is_temporary));
        assert_eq!(names(folder.path()), ["out.csv"]);
    }
}

#[test]
fn leftovers_of_killed_runs_are_removed_and_reported() {
    for mut disk in both() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let left = path(".palmtop-aBc123.tmp");
        fs::write(&left, "rows of T").unwrap();
        // None of these is a file that palmtop left.
        fs::write(path("palmtop-x.tmp"), "").unwrap();
        fs::write(path(".palmtop-x.csv"), "").unwrap();
        fs::create_dir(path(".palmtop-folder.tmp")).unwrap();
        symlink(path("palmtop-x.tmp"), path(".palmtop-link.tmp")).unwrap();
        rustix::fs::mknodat(
            rustix::fs::CWD,
            path(".palmtop-pipe.tmp"),
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
            0,
        )
        .unwrap();
        let others = names(folder.path()).len() - 1;
        let mut gate = Gate::default();
        let check = |_: &Path| {
            // Another run writes into the same folder meanwhile: it finds nothing to remove.
            let mut other = Gate::default();
            other.put(&mut RealDisk, &path("other.csv"), false, b"x").unwrap();
            Ok::<_, Infallible>(other.take_removed())
        };
        let target = path("out.csv");
        let of_other = gate.write(&mut disk, &target, false, |out| out.write_all(b"x"), check).unwrap();
        assert_eq!((gate.take_removed(), of_other), (vec![left.clone()], Vec::new()));
        assert!(gate.take_removed().is_empty() && !left.exists());
        assert_eq!(names(folder.path()).len(), others + 2);
    }
}

// holds: One gate
#[test]
fn guarded_files_are_known_by_device_and_inode() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for name in ["t.csv", "other.csv", "s.toml"] {
        fs::write(path(name), name).unwrap();
    }
    fs::create_dir(path("sub")).unwrap();
    symlink(folder.path(), path("sub/up")).unwrap();
    symlink(path("t.csv"), path("link.csv")).unwrap();
    fs::hard_link(path("t.csv"), path("hard.csv")).unwrap();
    let mut gate = Gate::guarding(Ward::Input, [path("t.csv").as_path()]);
    gate.guard(Ward::History, &path("sub/up/s.toml"));
    for name in ["t.csv", "./t.csv", "sub/../t.csv", "sub/up/t.csv", "link.csv", "hard.csv"] {
        for overwrite in [false, true] {
            let refused = gate.check(&path(name), overwrite).unwrap_err();
            assert!(matches!(refused, TargetError::IsInput { .. }), "{name}: {refused}");
        }
    }
    assert!(matches!(gate.check(&path("s.toml"), true), Err(TargetError::IsHistory { .. })));
    // The history of another project is not replaced either, unless by itself.
    fs::write(path("q.history.toml"), "").unwrap();
    assert!(matches!(gate.check(&path("q.history.toml"), true), Err(TargetError::IsHistory { .. })));
    Gate::of_history().check(&path("q.history.toml"), true).unwrap();
    assert!(matches!(gate.check(&path("other.csv"), false), Err(TargetError::Exists { .. })));
    gate.check(&path("other.csv"), true).unwrap();
    gate.check(&path("new.csv"), false).unwrap();
    // The file that was loaded stays guarded under another name, and so does whatever has its name now.
    fs::rename(path("t.csv"), path("moved.csv")).unwrap();
    fs::write(path("t.csv"), "new").unwrap();
    for name in ["moved.csv", "t.csv"] {
        assert!(matches!(gate.check(&path(name), true), Err(TargetError::IsInput { .. })), "{name}");
    }
    assert_eq!(fs::read_to_string(path("moved.csv")).unwrap(), "t.csv");
}

#[test]
fn only_regular_files_of_earlier_runs_are_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("folder")).unwrap();
    fs::write(path("file"), "").unwrap();
    symlink(path("file"), path("link")).unwrap();
    symlink(path("nothing"), path("dangling")).unwrap();
    let odd = ["folder", "link", "dangling"].map(path);
    for name in odd.iter().map(PathBuf::as_path).chain([Path::new("/dev/null"), Path::new("/")]) {
        for overwrite in [false, true] {
            let refused = put(&mut RealDisk, name, overwrite).unwrap_err();
            let is_it = matches!(refused, WriteError::Target(TargetError::IsNoFile { .. }));
            assert!(is_it, "{}: {refused}", name.display());
        }
    }
    let before = names(folder.path());
    let mut gate = Gate::default();
    gate.put(&mut RealDisk, &path("file"), true, b"release").unwrap();
    for name in ["file", "./file", "folder/../file"] {
        let refused = gate.put(&mut RealDisk, &path(name), true, b"report").unwrap_err();
        assert!(matches!(refused, WriteError::Target(TargetError::IsWritten { .. })), "{refused}");
    }
    assert_eq!(fs::read_to_string(path("file")).unwrap(), "release");
    assert_eq!(names(folder.path()), before);
}

#[test]
fn two_names_for_one_place_are_detected_beforehand() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("sub")).unwrap();
    for (one, other, is_same) in [
        ("r.csv", "r.csv", true),
        ("r.csv", "./r.csv", true),
        ("r.csv", "sub/../r.csv", true),
        ("r.csv", "sub/r.csv", false),
        ("r.csv", "s.csv", false),
        ("no/r.csv", "no/s.csv", false),
    ] {
        assert_eq!(is_same_file(&path(one), &path(other)), is_same, "{one} {other}");
    }
    assert!(is_same_file(Path::new("r.csv"), Path::new("./r.csv")));
    fs::write(path("r.csv"), "").unwrap();
    fs::hard_link(path("r.csv"), path("s.csv")).unwrap();
    assert!(is_same_file(&path("r.csv"), &path("s.csv")));
}

#[test]
fn first_free_file_name_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    let names = || (1..9).map(|number| folder.path().join(format!("f-{number}.txt")));
    fs::write(folder.path().join("f-1.txt"), "").unwrap();
    fs::create_dir(folder.path().join("f-2.txt")).unwrap();
    for number in [3, 4] {
        let path = Gate::default().put_new(names(), b"x").unwrap();
        assert_eq!(path, folder.path().join(format!("f-{number}.txt")));
    }
}

#[test]
fn private_folder_is_unreadable_to_others_and_removed() {
    let files: [(&Path, &[u8]); 2] = [(Path::new("a/b.csv"), b"x"), (Path::new("c.toml"), b"y")];
    let prefix = format!("palmtop-test-{}-", std::process::id());
    let folder = PrivateFolder::create(&prefix, files).unwrap();
    let mode = |name: &str| fs::metadata(folder.path().join(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!(["", "a", "a/b.csv", "c.toml", ".lock"].map(mode), [0o700, 0o700, 0o600, 0o600, 0o600]);
    // What killed runs left goes with the next; what another of us holds does not.
    let left = std::env::temp_dir().join(format!("{prefix}left"));
    let empty = std::env::temp_dir().join(format!("{prefix}empty"));
    for path in [&left, &empty] {
        fs::create_dir(path).unwrap();
    }
    fs::write(left.join(".lock"), "").unwrap();
    fs::write(left.join("private.csv"), "x").unwrap();
    let other = PrivateFolder::create(&prefix, files).unwrap();
    assert!(!left.exists() && !empty.exists() && folder.path().join("c.toml").exists());
    let paths = [folder.path().to_owned(), other.path().to_owned()];
    drop((folder, other));
    assert!(paths.iter().all(|path| !path.exists()));
}

// holds: All or none
#[test]
fn several_files_are_written_all_or_none() {
    let folder = tempfile::tempdir().unwrap();
    let files: Vec<(PathBuf, Vec<u8>)> =
        ["a", "b", "c"].map(|name| (folder.path().join(name), name.as_bytes().to_vec())).to_vec();
    for disk in both() {
        for (bytes_left, sync, name) in
            [(0, true, true), (usize::MAX, false, true), (usize::MAX, true, false)]
        {
            let mut disk = Odd { bytes_left, sync, name, ..disk };
            assert!(Gate::default().put_all(&mut disk, &files, false).is_err());
            assert_eq!(names(folder.path()), Vec::<String>::new());
        }
    }
    // A name that is taken keeps all from being written.
    fs::write(&files[2].0, "old").unwrap();
    assert!(Gate::default().put_all(&mut RealDisk, &files, false).is_err());
    assert_eq!(names(folder.path()), ["c"]);
    let mut gate = Gate::default();
    gate.put_all(&mut RealDisk, &files, true).unwrap();
    assert_eq!(fs::read(&files[2].0).unwrap(), b"c");
    assert_eq!(names(folder.path()), ["a", "b", "c"]);
    assert!(matches!(gate.check(&files[1].0, true), Err(TargetError::IsWritten { .. })));
}

// holds: All or none
#[test]
fn a_folder_is_named_as_a_whole() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("out");
    let old = target.join("send/old.csv");
    for disk in both() {
        let bytes = (0..8).map(|bytes_left| Odd { bytes_left, ..disk });
        let failures = bytes.chain([Odd { sync: false, ..disk }, Odd { name: false, ..disk }]);
        for is_old in [false, true] {
            if is_old {
                fs::create_dir_all(old.parent().unwrap()).unwrap();
                fs::write(&old, "old\n").unwrap();
            }
            for mut failure in failures.clone() {
                let error = failure.put_folder(&target, true).unwrap_err();
                assert!(matches!(error, WriteError::Disk(_)), "{error}");
                assert_eq!(fs::read_to_string(&old).ok().as_deref(), is_old.then_some("old\n"));
                assert_eq!(names(folder.path()).len(), usize::from(is_old));
            }
        }
        let error = { disk }.put_folder(&target, false).unwrap_err();
        assert!(matches!(error, WriteError::Target(TargetError::Exists { .. })), "{error}");
        { disk }.put_folder(&target, true).unwrap();
        assert_eq!(
            (names(folder.path()), names(&target)),
            (vec!["out".to_owned()], vec!["keep".to_owned(), "send".to_owned()])
        );
        assert_eq!(names(&target.join("send")), ["a.csv"], "the old file is gone");
        for private in [target.clone(), target.join("send"), target.join("keep/b.html")] {
            assert_eq!(private.metadata().unwrap().permissions().mode() & 0o077, 0, "{}", private.display());
        }
        fs::remove_dir_all(&target).unwrap();
    }
}

// holds: One gate
#[test]
fn a_folder_with_other_files_is_never_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("out");
    let mut disk = FLAWLESS;
    for other in ["mine.txt", "send/deeper/mine.txt", "mine/a.csv"] {
        let path = target.join(other);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "mine\n").unwrap();
        let error = disk.put_folder(&target, true).unwrap_err();
        assert!(matches!(error, WriteError::Target(TargetError::HasOtherFiles { .. })), "{other}: {error}");
        assert!(path.exists());
        fs::remove_dir_all(&target).unwrap();
    }
    fs::write(&target, "mine\n").unwrap();
    let error = disk.put_folder(&target, true).unwrap_err();
    assert!(matches!(error, WriteError::Target(TargetError::IsNoFolder { .. })), "{error}");
}

#[test]
fn the_folder_of_a_killed_run_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("out");
    let plan = FolderPlan {
        target: &target,
        subfolders: &["send"],
        files: vec!["send/a.csv".into()],
        overwrite: false,
    };
    let killed = folder.path().join(".palmtop-killed.tmp");
    fs::create_dir_all(killed.join("send")).unwrap();
    fs::write(killed.join("send/a.csv"), "half").unwrap();
    let living = Gate::default().stage(&plan).unwrap();
    assert!(!killed.exists());
    let mut gate = Gate::default();
    gate.tidy(folder.path());
    assert!(living.path().exists() && gate.take_removed().is_empty(), "another run is writing it");
    let path = living.path().to_owned();
    drop(living);
    assert!(!path.exists());
}
