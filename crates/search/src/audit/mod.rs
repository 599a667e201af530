//! Audits of a release against an attacker who knows the algorithm.
//!
//! The exact posteriors of a search over a large table cannot be computed. So an audit conditions
//! on one event at a time that must have occurred before this release: all cuts of a region were
//! rejected. The posterior given that event alone is a mean over all T with the event. The complete
//! release can move it in either direction. So the count of people outside δ is an indication, not
//! a bound. Only [`simulatable`](mod@crate::simulatable) excludes that anyone is outside. If few T
//! are possible, the audit runs the search on all of them, and the posteriors are exact.
//!
//! The prior is uniform over all T ⊆ P of the size of T.

mod result;
mod event;
mod every_table;
mod finding;
mod parents;
mod rejected_cuts;
mod replay;
mod resampled;
mod sampler;
mod words;
#[cfg(test)]
mod tests;

#[cfg(test)]
pub(super) use self::every_table::every_count;
use self::every_table::{every_table, is_small};
pub use self::finding::{AuditFinding, AuditVerdict};
use self::parents::Parents;
use self::rejected_cuts::rejected_cuts;
pub use self::replay::is_transcript;
use self::replay::replayed;
use self::resampled::resampled;
use self::result::of_partition;
pub use self::result::{Audit, AuditConfig, AuditMethod, Beyond};
use crate::control::worker_pool::watched;
use crate::regions::mpalm::Rules;
use crate::{Config, Observer, Strategy};
use palmtop_core::model::{Problem, Raised, Recoding};

/// Audits the release of a strategy; `None` if the observer stops the audit.
///
/// `config` must have the options of the search. With other options, the runs on a small table
/// would not be those of the strategy.
///
/// If people have several rows, another T has other people, each with all of their rows.
pub fn audit(
    problem: &Problem,
    strategy: Strategy,
    recoding: &Recoding,
    config: &Config,
    how: AuditConfig,
    observer: &mut Observer,
) -> Option<Audit> {
    if let (Recoding::Regions(partition), false) = (recoding, problem.region_floors_are_the_base()) {
        // Values that no permitted release distinguishes count as one.
        let raised = Raised::of(problem);
        let recoding = Recoding::Regions(raised.raise_partition(partition));
        return audit(&raised.problem, strategy, &recoding, config, how, observer);
    }
    if strategy.family().is_simulatable() {
        return watched(observer, |pool| replayed(problem, recoding, pool));
    }
    // The choice of the withdrawn classes reveals facts, too, which no audit here covers. Criteria
    // on sensitive values depend on other facts about T, for which there is no prior.
    if matches!(recoding, Recoding::Withdrawn(_))
        || (strategy.family().withdraws() && !problem.policy().suppression().is_none())
        || problem.policy().criteria().need_values()
    {
        return Some(Audit::of(AuditMethod::None, problem, &[]));
    }
    // A run that was stopped by a clock cannot be repeated.
    if !config.is_open_ended(strategy) && is_small(problem.total()) {
        return watched(observer, |pool| every_table(problem, strategy, recoding, config, pool));
    }
    match recoding {
        Recoding::Withdrawn(_) | Recoding::Node(_) => {
            watched(observer, |pool| resampled(problem, strategy, recoding, config, how, pool))
        }
        Recoding::Regions(partition) => watched(observer, |pool| {
            let parents = match strategy.rules() {
                Some((column, value)) => {
                    let parents = Parents::of(problem, Rules { column, value }, partition, pool);
                    // If the strategy does not make this release, its rules reveal nothing about
                    // it.
                    pool.go_on().continue_value()?;
                    Some(parents?)
                }
                None => None,
            };
            if strategy.family().rejects_cuts() {
                rejected_cuts(problem, partition, parents.as_ref(), how, pool)
            } else {
                Some(Audit::of(AuditMethod::None, problem, &of_partition(problem, partition)))
            }
        }),
    }
}
