//! What the workbench shows of one position: its release, ranked and summed up.

use std::sync::Arc;

use palmtop::model::{EquivalenceClass, Node, Problem, Verdict};
use palmtop::pipeline::Analysis;
use palmtop::release::Release;
use palmtop::search::Strategy;

/// Where the analyst stands: at a node, or at the result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Position {
    /// A node.
    Node(Node),
    /// The release of a strategy that has run.
    Run(Strategy),
}

/// A position's release, its classes ranked worst first.
pub(crate) struct View {
    pub(crate) position: Position,
    pub(crate) release: Arc<Release>,
    pub(crate) classes: Vec<RankedClass>,
    pub(crate) summary: Summary,
}

/// A node that steps start from, measured.
pub(crate) struct Ground {
    pub(crate) node: Node,
    pub(crate) release: Arc<Release>,
}

impl Ground {
    /// Measures a node.
    pub(crate) fn new(analysis: &Analysis, problem: &Problem, node: Node) -> Self {
        let release = Arc::new(analysis.by_hand(problem, node.clone()));
        Self { node, release }
    }

    /// What a step from here starts from: the violations and the loss.
    pub(crate) fn start(&self) -> (usize, f64) {
        let delta = self.release.delta;
        let broken = |class: &&EquivalenceClass| !delta.allows(class.counts);
        let violations = self.release.classes.classes.iter().filter(broken).count();
        (violations, self.release.metrics.loss.mean())
    }
}

/// A class with its texts and its verdict.
pub(crate) struct RankedClass {
    pub(crate) class: EquivalenceClass,
    pub(crate) texts: Vec<String>,
    pub(crate) verdict: Verdict,
}

/// The verdict line in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    pub(crate) classes: usize,
    pub(crate) over: usize,
    pub(crate) under: usize,
    /// Private people in classes that break δ.
    pub(crate) exposed: u64,
}

impl Summary {
    /// How many classes break δ.
    pub(crate) fn violations(self) -> usize {
        self.over + self.under
    }
}

impl View {
    /// The view of a release.
    pub(crate) fn new(problem: &Problem, position: Position, release: Arc<Release>) -> Self {
        let delta = problem.delta();
        let ranked = release.classes.worst_first(problem);
        let classes: Vec<RankedClass> = ranked
            .into_iter()
            .map(|class| RankedClass {
                texts: class.texts(problem),
                verdict: delta.judge(class.counts),
                class: class.clone(),
            })
            .collect();
        let mut summary = Summary { classes: classes.len(), ..Summary::default() };
        for class in &classes {
            match class.verdict {
                Verdict::Ok => continue,
                Verdict::Over => summary.over += 1,
                Verdict::Under => summary.under += 1,
            }
            summary.exposed += class.class.counts.private;
        }
        Self { position, release, classes, summary }
    }

    /// How the position is called: `node 3,2,2`, `spalm: node 3,2,2`, or a strategy that makes regions.
    pub(crate) fn name(&self) -> String {
        match (&self.position, self.release.recoding.node()) {
            (Position::Node(node), _) => format!("node {node}"),
            (Position::Run(strategy), Some(node)) => format!("{strategy}: node {node}"),
            (Position::Run(strategy), None) => strategy.to_string(),
        }
    }
}
