//! Recovers the recoding of a written release from its rows, so that a release of any origin can be
//! measured.

use crate::pipeline::ReadRelease;
use palmtop_core::metrics::Metric;
use palmtop_core::model::{Classes, Level, Node, Problem, Recoding};
use palmtop_search::Strategy;
use palmtop_search::release::{Origin, Release};

/// The written release, counted and measured under a problem's policy.
///
/// Its recoding is a node if a node publishes these texts, and else the regions that its rows
/// match. The result is `None` if neither publishes the rows of the file. If people have several rows,
/// only a node can publish them, and the file must also have the classes of people.
///
/// Combinations that have members of T and match no row are withdrawn. The origin is the node, or
/// `best` for regions. It must not be shown, because the file does not record it. Takes O(c·m) for
/// c combinations and m quasi-identifiers.
pub fn of_file(problem: &Problem, read: &ReadRelease) -> Option<Release> {
    let as_node = node_of(problem, read).map(|node| (Origin::ByHand(node.clone()), Recoding::Node(node)));
    as_node
        .and_then(|made| recovered_as(problem, read, made))
        .or_else(|| recovered_as(problem, read, regions(problem, read)?))
}

/// `of_file` for one node, or for regions without a node. `None` if the file does not have the rows
/// that the recoding publishes.
pub fn of_node(problem: &Problem, read: &ReadRelease, node: Option<Node>) -> Option<Release> {
    let made = match node {
        Some(node) => (Origin::ByHand(node.clone()), Recoding::Node(node)),
        None => regions(problem, read)?,
    };
    recovered_as(problem, read, made)
}

/// The regions of a file's rows; `None` if people have several rows. Their origin is unknown.
fn regions(problem: &Problem, read: &ReadRelease) -> Option<(Origin, Recoding)> {
    let made = || (Origin::Search(Strategy::Best, Metric::Loss), Recoding::Regions(read.partition(problem)));
    problem.people().is_none().then(made)
}

/// The release of a recoding without the classes whose members match no row, if the file has its
/// rows.
fn recovered_as(
    problem: &Problem,
    read: &ReadRelease,
    (origin, recoding): (Origin, Recoding),
) -> Option<Release> {
    let recoding = withdrawing(problem, recoding, read);
    let release = Release::new(problem, origin, recoding, None);
    publishes(problem, &release.classes, read).then_some(release)
}

/// The finest node that has all texts as labels; `None` if a text is a label of no level.
fn node_of(problem: &Problem, read: &ReadRelease) -> Option<Node> {
    let level_of = |attribute: usize| -> Option<Level> {
        let hierarchy = problem.hierarchy(attribute);
        let mut texts: Vec<&str> = read.classes.iter().map(|class| class.texts[attribute].as_str()).collect();
        texts.sort_unstable();
        texts.dedup();
        hierarchy.levels().find(|&level| {
            let mut labels: Vec<&str> = hierarchy.labels(level).iter().collect();
            labels.sort_unstable();
            texts.iter().all(|text| labels.binary_search(text).is_ok())
        })
    };
    let levels: Vec<Level> = (0..problem.quasi().len()).map(level_of).collect::<Option<_>>()?;
    problem.lattice().node(&levels).ok()
}

/// A recoding without the classes whose members match no row. People with several rows are not
/// withdrawn.
fn withdrawing(problem: &Problem, recoding: Recoding, read: &ReadRelease) -> Recoding {
    if problem.people().is_some() {
        return recoding;
    }
    let counts = problem.histogram().counts();
    let is_withdrawn =
        |combination: &usize| read.class_of[*combination].is_none() && counts[*combination].private > 0;
    let withdrawn: Vec<usize> = (0..counts.len()).filter(is_withdrawn).collect();
    if withdrawn.is_empty() {
        return recoding;
    }
    let class_of = Classes::of(problem, &recoding).class_of;
    recoding.withdrawing(withdrawn.into_iter().map(|combination| class_of[combination]).collect())
}

/// Whether a written release has the rows that a recoding publishes. The classes, their numbers of
/// rows and their texts must be equal, and so must the classes of people and their members.
pub fn publishes(problem: &Problem, classes: &Classes, read: &ReadRelease) -> bool {
    if !read.is_of(classes) {
        return false;
    }
    let classes = classes.of_rows();
    let mut example = vec![None; read.classes.len()];
    for (class, row) in classes.class_of.iter().zip(&read.class_of) {
        if let Some(row) = row {
            example[*row as usize] = Some(*class);
        }
    }
    let is_same = |(row, class): (usize, &Option<u32>)| {
        class.is_some_and(|class| classes.class(class).texts(problem) == read.classes[row].texts)
    };
    example.iter().enumerate().all(is_same)
}
