//! Compares the three readings of one project.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use palmtop::listing::Ranking;
use palmtop::model::{Level, Node, Presence, Standing};
use palmtop::pipeline::{self, Analysis, ExportOptions, Overrides, verify_file};
use palmtop::release::Release;
use palmtop::search::{Config, Strategy};
use palmtop::words::chain;

use super::mutate;
use super::naive::{self, Fraction, Judgement, People, Refusal, World};
use crate::support::dice::Dice;

/// The maximum number of nodes of a lattice to compare.
const NODES: u64 = 40;

/// A disagreement between two readings.
#[derive(Clone, Debug)]
pub(crate) struct Disagreement {
    /// A short description, the same for all disagreements of one kind.
    pub(crate) kind: &'static str,
    pub(crate) detail: String,
}

/// The counts of a project on which all readings agree.
#[derive(Clone, Debug, Default)]
pub(crate) struct Agreed {
    /// Whether the project loads.
    pub(crate) loads: bool,
    /// The number of releases and nodes that keep δ, then of those that do not.
    pub(crate) present: usize,
    pub(crate) broken: usize,
    /// The number of recounted files: the faithful ones, then the others.
    pub(crate) faithful: usize,
    pub(crate) unfaithful: usize,
    /// The releases that were written.
    pub(crate) written: Vec<Vec<u8>>,
}

type Outcome<T> = Result<T, Disagreement>;

fn disagree<T>(kind: &'static str, detail: impl Into<String>) -> Outcome<T> {
    Err(Disagreement { kind, detail: detail.into() })
}

/// Runs code that must not panic.
fn calm<T>(what: &'static str, run: impl FnOnce() -> T) -> Outcome<T> {
    catch_unwind(AssertUnwindSafe(run)).or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        disagree("panic", format!("{what}: {}", text.unwrap_or_default()))
    })
}

/// Converts a presence to the fraction type of the third reading.
fn fraction(presence: Presence) -> Fraction {
    Fraction { above: presence.numerator().into(), below: presence.denominator().into() }
}

/// How much is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// The loaded project, one node, and the verdicts on releases.
    Shallow,
    /// Also many nodes and some searches.
    Full,
}

/// Compares the loaded projects, the classes of nodes, the results of searches, and the verdicts on
/// these releases and on mutations of them.
pub(crate) fn compare(depth: Depth, project: &Path, releases: &[Vec<u8>], seed: u64) -> Outcome<Agreed> {
    let mut dice = Dice::new(seed);
    let mut agreed = Agreed::default();
    let naive = naive::load(project);
    let engine = calm("load", || Analysis::load(project, &Overrides::default()))?;
    match (&engine, &naive) {
        (Ok(_), Err(refusal)) => return disagree("check accepts", format!("the third reading: {refusal}")),
        (Err(error), Ok(_)) => return disagree("check refuses", format!("engine: {}", chain(error))),
        (Ok(analysis), Ok(world)) => {
            agreed.loads = true;
            analyse(depth, project, analysis, world, &mut dice, &mut agreed)?;
        }
        (Err(_), Err(_)) => (),
    }
    for release in releases {
        recount(project, &naive, release, &mut agreed)?;
    }
    let mistakes = if depth == Depth::Full { 3 } else { 1 };
    for _ in 0..mistakes {
        if let Some(first) = agreed.written.first().or(releases.first()) {
            let mutated = mutate::release(&mut dice, first, naive.as_ref().ok());
            recount(project, &naive, &mutated, &mut agreed)?;
        }
    }
    Ok(agreed)
}

/// Compares nodes and searches of a project that loads.
fn analyse(
    depth: Depth,
    project: &Path,
    analysis: &Analysis,
    world: &World,
    dice: &mut Dice,
    agreed: &mut Agreed,
) -> Outcome<()> {
    let problem = analysis.problem();
    let lattice = problem.lattice();
    let width: u64 = world.quasi.iter().map(|quasi| (quasi.top() - quasi.base + 1) as u64).product();
    if lattice.len() != width {
        return disagree("lattice", format!("{} nodes instead of {width}", lattice.len()));
    }
    let mut any_present = false;
    let most = if depth == Depth::Full { NODES } else { 1 };
    let all = width <= most;
    for nth in 0..width.min(most) {
        let node = lattice.unrank(if all { nth } else { dice.next() % width });
        let release = calm("node", || analysis.by_hand(problem, node.clone()))?;
        let is_present = compare_node(analysis, world, &node, &release)?;
        any_present |= is_present;
        if is_present {
            agreed.present += 1;
        } else {
            agreed.broken += 1;
        }
        if nth == 0 || dice.below(10) == 0 {
            export(project, analysis, world, &release, agreed)?;
        }
    }
    if depth == Depth::Shallow {
        return Ok(());
    }
    let mut strategies: Vec<Strategy> =
        Strategy::all().filter(|strategy| *strategy != Strategy::Best).collect();
    dice.shuffle(&mut strategies);
    strategies.truncate(3);
    strategies.push(Strategy::Spalm);
    if dice.percent(25) {
        strategies.push(Strategy::Best);
    }
    for strategy in strategies {
        let config = Config { rounds: Some(2), ..Config::default() };
        let found = calm("search", || {
            analysis.search(problem, strategy, &config, &mut |_| ControlFlow::Continue(()))
        })?;
        match found.release {
            Some(release) => {
                if !release.is_present() {
                    return disagree("search finds what breaks δ", strategy.to_string());
                }
                agreed.present += 1;
                export(project, analysis, world, &release, agreed)?;
            }
            None if strategy == Strategy::Spalm && any_present => {
                return disagree("spalm finds none", "a node keeps δ");
            }
            None => (),
        }
        if strategy == Strategy::Spalm && all && !any_present && found.report.stop.as_str() == "done" {
            return disagree("spalm finds one", "no node keeps δ");
        }
    }
    Ok(())
}

/// Compares the classes and the verdict of a node. Returns whether it keeps δ.
fn compare_node(analysis: &Analysis, world: &World, node: &Node, release: &Release) -> Outcome<bool> {
    let levels: Vec<usize> = node.levels().iter().map(|&Level(level)| usize::from(level)).collect();
    let expected = world.classes(&levels);
    let ranking = Ranking::new(analysis.problem(), release);
    let mut found: BTreeMap<Vec<String>, People> = BTreeMap::new();
    for &class in ranking.worst_first() {
        let texts: Vec<String> =
            (0..levels.len()).map(|attribute| ranking.text(class, attribute).to_owned()).collect();
        let counts = ranking.counts(class);
        if found.insert(texts.clone(), (counts.private.into(), counts.public.into())).is_some() {
            return disagree("classes", format!("node {node}: {texts:?} twice"));
        }
    }
    if found != expected {
        let detail = format!("node {node}: engine {found:?}, third reading {expected:?}");
        return disagree("classes", detail);
    }
    let is_present = expected.values().all(|&people| world.allows(people));
    if release.is_present() != is_present {
        return disagree("verdict of a node", format!("node {node}: engine {}", release.is_present()));
    }
    Ok(is_present)
}

/// Writes a release and compares the verdicts on it.
fn export(
    project: &Path,
    analysis: &Analysis,
    world: &World,
    release: &Release,
    agreed: &mut Agreed,
) -> Outcome<()> {
    let name = release.origin.name();
    let target = project.with_file_name("written.csv");
    let options = ExportOptions { force: true, allow_not_present: true };
    match calm("export", || pipeline::export::write(analysis, release, &target, options))? {
        Err(error) => {
            if world.has_disguises() || world.is_too_large() {
                return Ok(());
            }
            disagree("export refuses", format!("{name}: {}", chain(&error)))
        }
        Ok(written) => {
            let content = fs::read(&target).unwrap_or_default();
            let judgement = world.judge(&content);
            let text = || String::from_utf8_lossy(&content).into_owned();
            if let Some(refusal) = judgement.unfaithful {
                return disagree("export is unfaithful", format!("{name}: {refusal}\n{}", text()));
            }
            if judgement.is_present != release.is_present() {
                let detail = format!("{name}: engine {}\n{}", release.is_present(), text());
                return disagree("verdict of a release", detail);
            }
            let achieved = written.verification.achieved;
            if judgement.achieved != Some((fraction(achieved.min), fraction(achieved.max))) {
                let detail = format!("{name}: {achieved:?} instead of {:?}\n{}", judgement.achieved, text());
                return disagree("achieved presence", detail);
            }
            check_smallest(
                &judgement,
                &release.standings().iter().map(achieved_of).collect::<Vec<_>>(),
                &name,
            )?;
            recount(project, &Ok(world.clone()), &content, agreed)?;
            agreed.written.push(content);
            Ok(())
        }
    }
}

/// The name of a criterion and the value that it achieves.
fn achieved_of(standing: &Standing) -> (&'static str, Option<String>) {
    (standing.criterion, standing.achieved.clone())
}

/// Compares the reported k and k-map with the people of the smallest classes.
fn check_smallest(
    judgement: &Judgement,
    achieved: &[(&'static str, Option<String>)],
    detail: &str,
) -> Outcome<()> {
    let smallest = judgement.smallest.unzip();
    for (key, expected) in [("k", smallest.0), ("k_map", smallest.1)] {
        let expected = expected.map(|smallest| smallest.to_string());
        let found = achieved.iter().find(|(criterion, _)| *criterion == key);
        if found.is_none_or(|(_, found)| *found != expected) {
            return disagree("achieved k", format!("{key}: {found:?} instead of {expected:?}; {detail}"));
        }
    }
    Ok(())
}

/// Compares the findings of `verify` and of the third reading on a file.
fn recount(
    project: &Path,
    naive: &Result<World, Refusal>,
    release: &[u8],
    agreed: &mut Agreed,
) -> Outcome<()> {
    let path: PathBuf = project.with_file_name("recounted.csv");
    if fs::write(&path, release).is_err() {
        return disagree("harness", "cannot write");
    }
    let findings = calm("verify", || verify_file(project, &Overrides::default(), &path))?;
    let text = || format!("of\n{}", String::from_utf8_lossy(release));
    let judgement = match naive {
        Ok(world) => world.judge(release),
        Err(refusal) => {
            return match findings {
                Ok(findings) if findings.is_faithful() => {
                    disagree("verify accepts inputs", format!("third reading: {refusal}; {}", text()))
                }
                _ => Ok(()),
            };
        }
    };
    match (findings, judgement.unfaithful.clone()) {
        (Ok(findings), None) => {
            agreed.faithful += 1;
            let accepts = findings.is_faithful() && findings.is_present();
            if accepts != judgement.is_present {
                let problems: Vec<String> = findings.problems.iter().map(ToString::to_string).collect();
                let detail = format!("verify {accepts}, problems {problems:?}; {}", text());
                return disagree("verdict of verify", detail);
            }
            let achieved = (fraction(findings.achieved_min), fraction(findings.achieved_max));
            if findings.is_faithful() && judgement.achieved != Some(achieved) {
                let detail = format!("{achieved:?} instead of {:?}; {}", judgement.achieved, text());
                return disagree("achieved presence of verify", detail);
            }
            if findings.is_faithful() {
                let achieved = findings.criteria.iter().map(|one| (one.criterion, one.achieved.clone()));
                check_smallest(&judgement, &achieved.collect::<Vec<_>>(), "verify")?;
            }
            Ok(())
        }
        (Err(error), None) => disagree("verify refuses", format!("{}; {}", chain(&error), text())),
        (Ok(findings), Some(refusal)) if findings.is_faithful() => {
            disagree("verify accepts a release", format!("third reading: {refusal}; {}", text()))
        }
        (_, Some(_)) => {
            agreed.unfaithful += 1;
            Ok(())
        }
    }
}
