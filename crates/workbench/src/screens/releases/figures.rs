//! The table as text for the clipboard, and as a command line.

use palmtop_release::figures::{FIGURES, Facts};
use palmtop_release::history::RecodingRecipe;

use super::set::ColumnSet;
use super::state::{Releases, knows_algorithm};
use crate::shared::command_line;
use crate::shared::intent::Figures;
use crate::shared::state::Shared;
use crate::shared::view::{Candidate, recipe_name};

/// All releases as a Markdown table: for loss, every figure that `compare` prints.
///
/// # Errors
/// There is no release yet, or one is not measured.
pub(super) fn as_table(screen: &Releases, shared: &Shared) -> Result<Figures, String> {
    let candidates = shared.candidates();
    if candidates.is_empty() {
        return Err("no figures yet".to_owned());
    }
    let what = match screen.set {
        ColumnSet::Loss => "the comparison",
        ColumnSet::Risk => "the risks",
        ColumnSet::Utility => "the utility",
    };
    let (heads, rows) = match screen.set {
        ColumnSet::Loss => by_loss(shared, &candidates),
        set => measured(screen, shared, &candidates, set)?,
    };
    let rule = "---:|".repeat(heads.len());
    let mut lines = vec![format!("| release | {} |", heads.join(" | ")), format!("|---|{rule}")];
    for (candidate, cells) in candidates.iter().zip(rows) {
        let name = recipe_name(&candidate.recipe, shared.delta());
        lines.push(format!("| {name} | {} |", cells.join(" | ")));
    }
    let delta = shared.delta();
    let content = format!("δ {} to {}\n\n{}\n", delta.min(), delta.max(), lines.join("\n"));
    Ok(Figures { what, content })
}

/// The headings, and the cells of each release.
type Table = (Vec<String>, Vec<Vec<String>>);

fn by_loss(shared: &Shared, candidates: &[Candidate]) -> Table {
    let verdicts = ["δ-present", "attacker who knows the algorithm"].map(ToOwned::to_owned);
    let names = FIGURES.map(|figure| figure.head.name.replace('_', " "));
    let row = |candidate: &Candidate| {
        let facts = Facts { release: &candidate.measured.release, utility: None, seconds: candidate.seconds };
        let is_present = candidate.measured.broken(shared.problem.policy()) == 0;
        let verdict = if is_present { "yes" } else { "no" };
        let verdicts = [verdict.to_owned(), knows_algorithm(shared, candidate).words()];
        verdicts.into_iter().chain(FIGURES.map(|figure| (figure.value)(&facts).to_cell())).collect()
    };
    (verdicts.into_iter().chain(names).collect(), candidates.iter().map(row).collect())
}

fn measured(
    screen: &Releases,
    shared: &Shared,
    candidates: &[Candidate],
    set: ColumnSet,
) -> Result<Table, String> {
    let mut heads = Vec::new();
    let mut rows = Vec::new();
    for candidate in candidates {
        match set {
            ColumnSet::Utility => is_measured(screen.utilities.of(candidate))?,
            _ => is_measured(screen.risks.of(candidate))?,
        }
        let measures = screen.measures(shared, candidate, set);
        heads = measures.iter().map(|measure| measure.head.clone()).collect();
        rows.push(measures.into_iter().map(|measure| measure.text).collect());
    }
    Ok((heads, rows))
}

fn is_measured<T>(measure: Option<&Result<T, String>>) -> Result<(), String> {
    match measure {
        None => Err("not measured yet".to_owned()),
        Some(Err(why)) => Err(why.clone()),
        Some(Ok(_)) => Ok(()),
    }
}

/// The command that prints the table.
pub(super) fn command_line(shared: &Shared, set: ColumnSet) -> Option<(&'static str, String)> {
    if set == ColumnSet::Loss {
        return None;
    }
    let candidates = shared.candidates();
    let named: String = candidates
        .iter()
        .filter_map(|candidate| match &candidate.recipe {
            RecodingRecipe::Node(_) => Some(format!(" {}", candidate.recipe)),
            // A search that was stopped, or one under another δ, has no name on a command line.
            RecodingRecipe::Search(search) if search.complete && search.delta == shared.delta() => {
                Some(format!(" {}", search.strategy))
            }
            RecodingRecipe::Search(_) => None,
        })
        .collect();
    let delta = command_line::delta_options(&shared.analysis, shared.delta());
    Some(("compare", format!("{named} --show {}{delta}", set.name())))
}
