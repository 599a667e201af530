//! An export stands whole and verified, or not at all: whatever the disk does, whatever happens to the inputs.
#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up should stop")]

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use palmtop::data::write::{Disk, RealDisk};
use palmtop::model::Level;
use palmtop::pipeline::{Analysis, ExportOptions, Overrides, PipelineError};
use palmtop::release::Release;
use tempfile::{NamedTempFile, TempDir};

/// Where the disk fails.
#[derive(Clone, Copy)]
enum Failure {
    AfterBytes(usize),
    AtSync,
    AtRename,
}

struct FailingDisk {
    failure: Failure,
    written: usize,
}

impl Disk for FailingDisk {
    fn write(&mut self, file: &mut File, bytes: &[u8]) -> io::Result<usize> {
        let room = match self.failure {
            Failure::AfterBytes(limit) => limit - self.written,
            Failure::AtSync | Failure::AtRename => bytes.len(),
        };
        if room == 0 {
            return Err(io::Error::new(io::ErrorKind::StorageFull, "no space left on device"));
        }
        let count = file.write(&bytes[..bytes.len().min(room)])?;
        self.written += count;
        Ok(count)
    }

    fn sync(&mut self, _: &File) -> io::Result<()> {
        match self.failure {
            Failure::AtSync => Err(io::Error::other("the disk is gone")),
            Failure::AfterBytes(_) | Failure::AtRename => Ok(()),
        }
    }

    fn rename(&mut self, file: NamedTempFile, target: &Path, overwrite: bool) -> io::Result<()> {
        match self.failure {
            Failure::AtRename => Err(io::Error::other("read-only")),
            Failure::AfterBytes(_) | Failure::AtSync => RealDisk.rename(file, target, overwrite),
        }
    }
}

/// A copy of the paper's project and the release of a node.
fn paper(levels: [u8; 3]) -> (TempDir, Analysis, Release) {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in ["sample-data/paper", "hierarchies"] {
        fs::create_dir_all(folder.path().join(name)).unwrap();
        for entry in fs::read_dir(root.join(name)).unwrap() {
            let path = entry.unwrap().path();
            fs::copy(&path, folder.path().join(name).join(path.file_name().unwrap())).unwrap();
        }
    }
    let project = folder.path().join("sample-data/paper/paper.toml");
    let analysis = Analysis::load(&project, &Overrides::default()).unwrap();
    let node = analysis.problem().lattice().node(&levels.map(Level)).unwrap();
    let release = analysis.by_hand(analysis.problem(), node);
    (folder, analysis, release)
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn a_disk_that_fails_at_any_byte_at_sync_or_at_rename_leaves_nothing() {
    let (_folder, analysis, release) = paper([3, 2, 2]);
    let target_folder = tempfile::tempdir().unwrap();
    let target = target_folder.path().join("out.csv");
    let whole = analysis.export(&release, &target, ExportOptions::default()).unwrap().bytes;
    fs::remove_file(&target).unwrap();
    let bytes = (0..usize::try_from(whole).unwrap()).map(Failure::AfterBytes);
    for failure in bytes.chain([Failure::AtSync, Failure::AtRename]) {
        let mut disk = FailingDisk { failure, written: 0 };
        let error = analysis.export_to(&mut disk, &release, &target, ExportOptions::default()).unwrap_err();
        assert!(matches!(error, PipelineError::Data(_)), "{error}");
        assert_eq!(names(target_folder.path()), Vec::<String>::new());
    }
}

#[test]
fn what_is_not_delta_present_is_refused_and_leaves_nothing() {
    let (_folder, analysis, release) = paper([1, 2, 3]);
    let target_folder = tempfile::tempdir().unwrap();
    let target = target_folder.path().join("out.csv");
    let error = analysis.export(&release, &target, ExportOptions::default()).unwrap_err();
    assert!(matches!(error, PipelineError::NotPresent { .. }), "{error}");
    assert_eq!(names(target_folder.path()), Vec::<String>::new());
    let admitted = ExportOptions { allow_not_present: true, ..ExportOptions::default() };
    assert_eq!(analysis.export(&release, &target, admitted).unwrap().verification.achieved, release.achieved);
}

#[test]
fn an_input_that_changed_since_it_was_loaded_is_noticed() {
    for changed in ["paper/public.csv", "paper/private.csv", "paper/paper.toml", "../hierarchies/zip.toml"] {
        let (folder, analysis, release) = paper([3, 2, 2]);
        let input = folder.path().join("sample-data").join(changed);
        let text = fs::read_to_string(&input).unwrap();
        fs::write(&input, format!("{text}\n")).unwrap();
        let target = folder.path().join("out.csv");
        let error = analysis.export(&release, &target, ExportOptions::default()).unwrap_err();
        assert!(matches!(&error, PipelineError::InputChanged { .. }), "{changed}: {error}");
        assert!(!target.exists());
    }
}
