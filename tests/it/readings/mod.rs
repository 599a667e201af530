//! Compares three readings of random projects: the engine's, the one of `verify`, and one in
//! `naive` that is written from the pages of `docs/` alone.
//!
//! `PALMTOP_PROJECTS=200000 cargo test --test it readings::` compares that many projects;
//! `PALMTOP_SEED=N` compares the project of one seed. Random projects do not use the keys for
//! values as they come (`missing`, `number`, `trim`, `values`) nor `not_in_public = "add"`.
//! For those keys, `tests/it/values` compares the engine and `verify` alone. If two readings disagree,
//! the test shrinks the project and saves it under the target folder.

mod binary;
mod cases;
pub(crate) mod compare;
mod limited;
mod mutate;
mod naive;
pub(crate) mod random;
mod shrink;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use compare::{Agreed, Depth, Disagreement};
use random::{Case, Project};

/// How many disagreements of one kind are shrunk and saved, unless the environment sets another
/// number.
const KEPT: u64 = 4;

/// How many disagreements of one kind are shown.
const SHOWN: usize = 30;

/// A number from the environment.
fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap())
}

#[derive(Default)]
struct Totals {
    projects: u64,
    loading: u64,
    agreed: Agreed,
    disagreements: BTreeMap<&'static str, Vec<String>>,
}

/// A folder in memory, if the system has one.
fn workplace() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() {
        tempfile::Builder::new().prefix("palmtop-readings-").tempdir_in(memory).unwrap()
    } else {
        tempfile::tempdir().unwrap()
    }
}

// holds: Nobody counts twice
// holds: Independent verifier
// holds: One source of published columns
#[test]
fn the_three_readings_agree_on_random_projects() {
    let one = number("PALMTOP_SEED");
    let count = one.map_or_else(|| number("PALMTOP_PROJECTS").unwrap_or(300), |_| 1);
    let first = one.unwrap_or(0);
    let by_program = if count > 10_000 { 200 } else { 10 };
    let kept = usize::try_from(number("PALMTOP_KEEP").unwrap_or(KEPT)).unwrap();
    let next = AtomicU64::new(0);
    let totals = Mutex::new(Totals::default());
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let work = workplace();
                loop {
                    let nth = next.fetch_add(1, Ordering::Relaxed);
                    if nth >= count {
                        break;
                    }
                    let seed = first + nth;
                    case(seed, nth.is_multiple_of(by_program), work.path(), kept, &totals);
                    let done = nth + 1;
                    if done.is_multiple_of(10_000) {
                        eprintln!("{done} projects");
                    }
                }
            });
        }
    });
    let totals = totals.into_inner().unwrap();
    let Agreed { present, broken, faithful, unfaithful, .. } = totals.agreed;
    println!(
        "{} projects, {} load; {present} recodings keep δ, {broken} do not; {faithful} faithful files, {unfaithful} others",
        totals.projects, totals.loading
    );
    if one.is_none() {
        assert!(totals.loading * 10 > totals.projects * 3, "too few projects load to say anything");
        assert!(present > broken / 10 && broken > present / 10, "one verdict alone says little");
    }
    let report: Vec<String> = totals
        .disagreements
        .iter()
        .map(|(kind, all)| {
            format!("{kind}: {} times\n  {}", all.len(), all[..all.len().min(SHOWN)].join("\n  "))
        })
        .collect();
    assert!(report.is_empty(), "{}", report.join("\n"));
}

/// Compares the project of a seed, and the project after a mistake.
fn case(seed: u64, by_program: bool, work: &Path, most: usize, totals: &Mutex<Totals>) {
    let Case { project, malformed } = Case::of(seed);
    let mut project = project;
    for (nth, malformed) in [None, malformed].into_iter().enumerate() {
        if nth == 1 {
            let Some(malformed) = malformed else { break };
            // The release of the project without the mistake is a forger's best guess.
            let releases = std::mem::take(&mut project.guesses);
            project = malformed;
            project.guesses.extend(releases.into_iter().skip(2));
        }
        let path = project.write(&work.join("project")).unwrap();
        let result = compare::compare(Depth::Full, &path, &project.guesses, seed).and_then(|agreed| {
            if by_program {
                binary::compare(&path, &project.guesses, seed)?;
            }
            Ok(agreed)
        });
        let kept = {
            let mut totals = totals.lock().unwrap();
            totals.projects += 1;
            match &result {
                Ok(agreed) => {
                    totals.loading += u64::from(agreed.loads);
                    totals.agreed.present += agreed.present;
                    totals.agreed.broken += agreed.broken;
                    totals.agreed.faithful += agreed.faithful;
                    totals.agreed.unfaithful += agreed.unfaithful;
                    None
                }
                Err(disagreement) => {
                    let all = totals.disagreements.entry(disagreement.kind).or_default();
                    let detail: String = disagreement.detail.chars().take(300).collect();
                    all.push(format!("seed {seed}: {detail}"));
                    (all.len() <= most).then(|| all.len() - 1)
                }
            }
        };
        match result {
            Ok(agreed) => project.guesses.extend(agreed.written.into_iter().take(2)),
            Err(disagreement) => {
                if let Some(nth) = kept {
                    let kind = disagreement.kind;
                    let line = keep(seed, &project, disagreement, work);
                    totals.lock().unwrap().disagreements.entry(kind).or_default()[nth] = line;
                }
            }
        }
    }
}

/// Shrinks a disagreement and saves its files. Returns a line with the path and the disagreement.
fn keep(seed: u64, project: &Project, disagreement: Disagreement, work: &Path) -> String {
    let (project, disagreement) = if disagreement.kind == "the program" {
        (project.clone(), disagreement)
    } else {
        shrink::shrink(project.clone(), seed, &work.join("smaller"), disagreement)
    };
    let Disagreement { kind, detail } = disagreement;
    let folder: PathBuf = [env!("CARGO_TARGET_TMPDIR"), "readings", &kind.replace(' ', "-")].iter().collect();
    let folder = folder.join(seed.to_string());
    project.write(&folder).unwrap();
    for (nth, guess) in project.guesses.iter().enumerate() {
        fs::write(folder.join(format!("guess-{nth}.csv")), guess).unwrap();
    }
    fs::write(folder.join("report.txt"), format!("{kind}\n{detail}\n")).unwrap();
    let detail: String = detail.chars().take(300).collect();
    format!("seed {seed}: {}: {detail}", folder.display())
}
