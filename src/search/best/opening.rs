//! The opening: trees grown with several settings, and the paper's ten strategies.

use std::sync::Mutex;
use std::sync::PoisonError;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::super::crew::Crew;
use super::super::mpalm::mpalm_within;
use super::super::pace::Pace;
use super::super::sheet::Sheet;
use super::super::spalm::spalm_at;
use super::super::{Config, Step, Strategy};
use super::frame::{Cost, Frame};
use super::grow::Grower;
use super::improve::Contender;
use super::setting::Setting;
use super::tree::Tree;
use super::value_of;
use crate::model::{Problem, Recoding};

/// How many trees are grown, and how many of them go on.
const TREES: usize = 12;
const CONTENDERS: usize = 4;
/// Up to so many combinations that many trees are grown; beyond, fewer, since each holds all combinations.
const MANY: usize = 1 << 17;
/// Every so many columns, a combination counts once more.
const WIDE: usize = 16;
/// Beyond so many combinations, one tree is grown, and what else runs does so one after another.
const HUGE: usize = 1 << 20;

/// How many look-ups SPALM may do: a second or two. What it has by then is compared.
const SPALM: u64 = 1 << 30;

/// What the opening leaves.
pub(super) struct Opening {
    /// The best trees, best first; at least one.
    pub(super) contenders: Vec<Contender>,
    /// The best release of the paper's ten strategies with its metric.
    pub(super) of_the_paper: Option<(f64, Recoding)>,
}

impl Opening {
    /// Plays it. Stopped, it leaves what it has: the first tree at least, perhaps not grown to its end.
    pub(super) fn play(problem: &Problem, frame: &Frame, config: &Config, crew: &Crew) -> Self {
        // A tree holds all combinations with all their columns.
        let size = problem.histogram().len().saturating_mul(problem.quasi().len().div_ceil(WIDE));
        let trees = if size <= MANY {
            TREES
        } else if size <= HUGE {
            CONTENDERS
        } else {
            1
        };
        let mut settings = Setting::proven(config.metric);
        let mut random = ChaCha8Rng::seed_from_u64(config.seed);
        while settings.len() < trees {
            settings.push(Setting::draw(&mut random, config.metric));
        }
        settings.truncate(trees);
        let sheet = Sheet::of(problem.histogram());
        let strategies: Vec<Strategy> = Strategy::of_the_paper().collect();
        let progress = Progress { total: trees + strategies.len(), told: Mutex::new((0, None)) };
        // Alone, so that there is something valid as soon as possible.
        let first = grow(problem, frame, sheet, settings[0], 0, crew);
        progress.tell(Some(first.value), crew);
        let rest = &settings[1..];
        let strategy = |&strategy: &Strategy| {
            crew.go_on().continue_value()?;
            let found = of_the_paper(problem, strategy, config, crew);
            progress.tell(found.as_ref().map(|(value, _)| *value), crew);
            found
        };
        let better =
            |left: (f64, Recoding), right: (f64, Recoding)| if right.0 < left.0 { right } else { left };
        let mut contenders = vec![first];
        let of_the_paper = if size > HUGE {
            strategies.iter().filter_map(strategy).reduce(better)
        } else {
            let original = Sheet::of(problem.histogram());
            let tree = |(index, &setting): (usize, &Setting)| {
                crew.go_on().continue_value()?;
                let contender = grow(problem, frame, original.clone(), setting, index as u64 + 1, crew);
                progress.tell(Some(contender.value), crew);
                Some(contender)
            };
            let (found, grown) = rayon::join(
                || strategies.par_iter().filter_map(strategy).collect::<Vec<_>>(),
                || rest.par_iter().enumerate().filter_map(tree).collect::<Vec<_>>(),
            );
            contenders.extend(grown);
            found.into_iter().reduce(better)
        };
        if crew.go_on().is_continue() {
            contenders.sort_by(|left, right| left.value.total_cmp(&right.value));
            contenders.truncate(CONTENDERS);
        } else {
            // One that was not grown to its end has a value that means nothing.
            contenders.truncate(1);
        }
        Self { contenders, of_the_paper }
    }
}

/// How much of the opening is over, and the best metric so far.
struct Progress {
    total: usize,
    told: Mutex<(u64, Option<f64>)>,
}

impl Progress {
    fn tell(&self, value: Option<f64>, crew: &Crew) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.0 += 1;
        told.1 = [told.1, value].into_iter().flatten().reduce(f64::min);
        // What is found does not depend on whether this is heard.
        let _ = crew.report(Step { done: told.0, total: self.total as u64, best: told.1, rounds: None });
    }
}

/// A tree over all combinations.
fn grow(
    problem: &Problem,
    frame: &Frame,
    mut sheet: Sheet,
    setting: Setting,
    seed: u64,
    crew: &Crew,
) -> Contender {
    let pull = frame.pull(&Cost::none(frame.width()));
    let mut tree = Tree::new(frame.width(), problem.histogram().len(), problem.histogram().total());
    Grower::new(frame, &pull, crew).grow(&mut tree, sheet.rows(), setting, seed);
    tree.weigh(|counts, extents| frame.weight(&pull, counts, extents));
    Contender::new(frame, sheet, tree, setting)
}

/// What one of the paper's strategies finds, with its metric.
fn of_the_paper(
    problem: &Problem,
    strategy: Strategy,
    config: &Config,
    crew: &Crew,
) -> Option<(f64, Recoding)> {
    let recoding = if let Strategy::Mpalm(column, value) = strategy {
        mpalm_within(problem, column, value, &crew.quiet())
    } else {
        // SPALM, the only other one of the ten. It may go through more nodes than anybody can wait for.
        let mut go_on = |_: Step| crew.go_on();
        spalm_at(problem, config, &mut Pace::new(&mut go_on, 0).within(SPALM)).0
    }?;
    Some((value_of(problem, &recoding, config.metric), recoding))
}
