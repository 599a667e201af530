//! Loading and exporting report progress and can be cancelled at any stage. A cancelled run leaves
//! no file.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use palmtop::compatibility::Feature;
use palmtop::data::write::{RealDisk, TargetError};
use palmtop::model::Level;
use palmtop::pipeline::{
    self, Analysis, Export, ExportOptions, ExportStage, LoadStage, Overrides, PipelineError,
};
use palmtop::progress::Progress;
use palmtop::release::Release;
use tempfile::TempDir;

/// A project with this number of rows. T is every third row, in a separate table or as members.
fn project(rows: usize, is_member: bool) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: String| fs::write(folder.path().join(name), text).unwrap();
    let (mut public, mut private) = ("age,note,in\n".to_owned(), "age\n".to_owned());
    for row in 0..rows {
        let (age, is_in) = (row % 50, row % 3 == 0);
        public.push_str(&format!("{age},row number {row} and more text to fill the file,{is_in}\n"));
        if is_in {
            private.push_str(&format!("{age}\n"));
        }
    }
    write("public.csv", public);
    let source = if is_member {
        "[private]\nunlisted = \"drop\"\n[public]\npath = \"public.csv\"\nmember = \"in\""
    } else {
        write("private.csv", private);
        "[private]\npath = \"private.csv\"\n[public]\npath = \"public.csv\""
    };
    write("age.toml", "type = \"interval\"\nwidths = [5, 10]\n".to_owned());
    let attribute = "[[attribute]]\nname = \"age\"\nrole = \"quasi\"\nhierarchy = \"age.toml\"";
    write("p.toml", format!("{source}\n[delta]\nmax = \"3/4\"\n{attribute}\n"));
    folder
}

/// Loads a project and cancels if `stop` returns true. Returns the reported progress.
fn load(
    folder: &Path,
    stop: impl Fn(&Progress<LoadStage>) -> bool,
) -> (Vec<Progress<LoadStage>>, Result<Analysis, PipelineError>) {
    let mut reports = Vec::new();
    let (project, asked) = (folder.join("p.toml"), [Feature::Verdict, Feature::RowCount]);
    let loaded = Analysis::load_for(&project, &Overrides::default(), &asked, &mut |progress| {
        reports.push(progress);
        if stop(&progress) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    (reports, loaded)
}

/// Exports a release and cancels if `stop` returns true. Returns the reported progress and the
/// result.
fn export(
    analysis: &Analysis,
    release: &Release,
    target: &Path,
    stop: impl Fn(&Progress<ExportStage>) -> bool,
) -> (Vec<Progress<ExportStage>>, Result<(), PipelineError>) {
    let mut reports = Vec::new();
    let options = ExportOptions { force: true, ..ExportOptions::default() };
    let export = Export { release, target, options, earlier: None };
    let mut gate = pipeline::export::gate(analysis);
    let written =
        pipeline::export::write_through(analysis, export, &mut gate, &mut RealDisk, &mut |progress| {
            reports.push(progress);
            if stop(&progress) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
    (reports, written.map(drop))
}

fn top_release(analysis: &Analysis) -> Release {
    let problem = analysis.problem();
    analysis.by_hand(problem, problem.lattice().node(&[Level(3)]).unwrap())
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// Every expected stage begins at zero and ends at its total. Progress never exceeds the total and
/// never decreases.
fn check_course<S: Copy + Ord + std::fmt::Debug>(reports: &[Progress<S>], expected: &[S]) {
    let mut stages: Vec<S> = reports.iter().map(|progress| progress.stage).collect();
    assert!(stages.is_sorted(), "{stages:?}");
    stages.dedup();
    assert_eq!(stages, expected);
    for stage in stages {
        let of_it: Vec<_> = reports.iter().filter(|progress| progress.stage == stage).collect();
        assert!(of_it.iter().all(|progress| progress.total == of_it[0].total && progress.total > 0));
        assert!(of_it.is_sorted_by_key(|progress| progress.done), "{of_it:?}");
        let (first, last) = (of_it[0], of_it[of_it.len() - 1]);
        assert_eq!((first.done, last.done), (0, last.total), "{stage:?}");
    }
}

#[test]
fn loading_reports_each_stage_from_start_to_end() {
    let folder = project(30, false);
    let (reports, loaded) = load(folder.path(), |_| false);
    check_course(&reports, &LoadStage::ALL);
    assert_eq!(loaded.unwrap().problem().histogram().total().private, 10);
    let bytes = |name: &str| fs::metadata(folder.path().join(name)).unwrap().len();
    let total = |stage| reports.iter().find(|progress| progress.stage == stage).unwrap().total;
    assert_eq!(total(LoadStage::Public), bytes("public.csv"));
    assert_eq!(total(LoadStage::Private), bytes("private.csv"));
}

#[test]
fn t_inside_p_needs_no_private_table() {
    let folder = project(30, true);
    let (reports, loaded) = load(folder.path(), |_| false);
    let stages: Vec<LoadStage> =
        LoadStage::ALL.into_iter().filter(|stage| *stage != LoadStage::Private).collect();
    check_course(&reports, &stages);
    let (reports, written) = export_top(&loaded.unwrap());
    check_course(&reports, &ExportStage::ALL);
    written.unwrap();
}

fn export_top(analysis: &Analysis) -> (Vec<Progress<ExportStage>>, Result<(), PipelineError>) {
    let folder = tempfile::tempdir().unwrap();
    export(analysis, &top_release(analysis), &folder.path().join("out.csv"), |_| false)
}

#[test]
fn large_tables_report_and_stop_every_mebibyte() {
    let mebibyte = 1 << 20;
    let folder = project(100_000, false);
    let (reports, loaded) = load(folder.path(), |_| false);
    check_course(&reports, &LoadStage::ALL);
    loaded.unwrap();
    let public: Vec<u64> =
        reports.iter().filter(|report| report.stage == LoadStage::Public).map(|report| report.done).collect();
    assert!(public.len() > 4, "{public:?}");
    // The last step may be smaller.
    assert!(public.windows(2).all(|pair| pair[1] - pair[0] <= 2 * mebibyte), "{public:?}");
    let (reports, loaded) =
        load(folder.path(), |progress| progress.stage == LoadStage::Public && progress.done >= 2 * mebibyte);
    assert!(matches!(loaded, Err(PipelineError::Cancelled)));
    assert!(reports[reports.len() - 1].done < 4 * mebibyte);
}

// holds: Watched to the end
#[test]
fn loading_can_be_stopped_at_every_stage() {
    let folder = project(3000, false);
    for stage in LoadStage::ALL {
        for at_end in [false, true] {
            let (reports, loaded) =
                load(folder.path(), |progress| progress.stage == stage && (progress.done > 0) == at_end);
            let error = loaded.unwrap_err();
            assert!(matches!(error, PipelineError::Cancelled), "{stage}: {error}");
            assert_eq!(reports[reports.len() - 1].stage, stage);
        }
    }
}

#[test]
fn exporting_reports_each_stage_from_start_to_end() {
    let folder = project(60_000, false);
    let analysis = load(folder.path(), |_| false).1.unwrap();
    let target = folder.path().join("out.csv");
    let (reports, written) = export(&analysis, &top_release(&analysis), &target, |_| false);
    written.unwrap();
    check_course(&reports, &ExportStage::ALL);
    let verified = reports.iter().filter(|report| report.stage == ExportStage::Verifying).count();
    assert!(verified > 5, "{verified}");
    let total = |stage| reports.iter().find(|progress| progress.stage == stage).unwrap().total;
    assert_eq!(total(ExportStage::Reading), 20_000);
    assert_eq!(total(ExportStage::Writing), fs::metadata(&target).unwrap().len());
    assert_eq!(total(ExportStage::Verifying), 80_000);
}

// holds: Watched to the end
#[test]
fn a_stopped_export_leaves_the_target_unchanged() {
    let folder = project(60_000, false);
    let analysis = load(folder.path(), |_| false).1.unwrap();
    let release = top_release(&analysis);
    let mut all = export_top(&analysis).0;
    all.dedup();
    let target_folder = tempfile::tempdir().unwrap();
    let target = target_folder.path().join("out.csv");
    for old in [None, Some("old\n")] {
        if let Some(old) = old {
            fs::write(&target, old).unwrap();
        }
        // The file has no name yet at every report of progress, including the last. How far the recount is
        // at a report depends on the threads, so the next run may pass that point without a report.
        for progress in &all {
            let is_there = |now: &Progress<_>| (now.stage, now.done) >= (progress.stage, progress.done);
            let (reports, written) = export(&analysis, &release, &target, is_there);
            assert!(matches!(written, Err(PipelineError::Cancelled)), "{progress:?}");
            let last = &reports[reports.len() - 1];
            if progress.stage == ExportStage::Verifying {
                assert!(last.stage == progress.stage && is_there(last), "{last:?}, {progress:?}");
            } else {
                assert_eq!(last, progress);
            }
            assert!(!reports[..reports.len() - 1].iter().any(is_there), "{reports:?}");
            assert_eq!(fs::read_to_string(&target).ok().as_deref(), old, "{progress:?}");
            assert_eq!(names(target_folder.path()).len(), usize::from(old.is_some()), "{progress:?}");
        }
    }
    export(&analysis, &release, &target, |_| false).1.unwrap();
    assert!(fs::read_to_string(&target).unwrap().starts_with("age\n*\n"));
}

#[test]
fn project_and_irregular_files_are_never_overwritten() {
    let folder = project(60, false);
    let analysis = load(folder.path(), |_| false).1.unwrap();
    let release = top_release(&analysis);
    let path = |name: &str| folder.path().join(name);
    let options = ExportOptions { force: true, allow_not_present: true };
    for name in ["private.csv", "public.csv", "p.toml", "age.toml"] {
        let before = fs::read(path(name)).unwrap();
        let error = pipeline::export::write(&analysis, &release, &path(name), options).unwrap_err();
        assert!(matches!(error, PipelineError::Target(TargetError::IsInput { .. })), "{error}");
        assert_eq!(fs::read(path(name)).unwrap(), before);
    }
    fs::create_dir(path("folder")).unwrap();
    let error = pipeline::export::write(&analysis, &release, &path("folder"), options).unwrap_err();
    assert!(matches!(error, PipelineError::Target(TargetError::IsNoFile { .. })), "{error}");
    #[cfg(unix)]
    for (link, to) in [("to-t.csv", "private.csv"), ("to-nothing.csv", "nothing.csv")] {
        std::os::unix::fs::symlink(path(to), path(link)).unwrap();
        let error = pipeline::export::write(&analysis, &release, &path(link), options).unwrap_err();
        let is_refused = matches!(
            error,
            PipelineError::Target(TargetError::IsInput { .. } | TargetError::IsNoFile { .. })
        );
        assert!(is_refused, "{link}: {error}");
    }
    // A file that is not an input may be overwritten with `force`.
    fs::write(path("old.csv"), "old").unwrap();
    pipeline::export::write(&analysis, &release, &path("old.csv"), options).unwrap();
}

#[test]
fn stages_speak_in_words() {
    assert_eq!(LoadStage::Public.to_string(), "reading the public table");
    assert_eq!(ExportStage::Verifying.to_string(), "verifying the release");
}
