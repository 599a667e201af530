//! A step from the current node.

use palmtop_release::history::{Action, RecodingRecipe};

use super::intent::{Edit, Intent};
use super::state::Shared;

/// Makes one attribute one level coarser or finer.
/// # Errors
/// The attribute has no such level.
pub(crate) fn step(shared: &Shared, attribute: usize, coarser: bool) -> Result<Intent, String> {
    let lattice = shared.problem.lattice();
    let node = &shared.ground.node;
    // From a release by region, the first step goes back to the last node.
    if matches!(shared.recipe(), RecodingRecipe::Search(search) if search.node.is_none()) {
        let message = format!("back at node {node}: steps apply to nodes");
        let back = Intent::Edit(Edit::Go { recipe: RecodingRecipe::from(node), how: Action::BackToNode });
        return Ok(Intent::Many(vec![Intent::Say(message), back]));
    }
    let name = &shared.problem.quasi()[attribute].name;
    let (next, end) = if coarser {
        (lattice.coarser(node, attribute), "coarsest")
    } else {
        (lattice.finer(node, attribute), "finest")
    };
    let next = next.ok_or_else(|| format!("{name} is at its {end} level already"))?;
    let how = if coarser { Action::Coarser(name.clone()) } else { Action::Finer(name.clone()) };
    Ok(Intent::Edit(Edit::Go { recipe: RecodingRecipe::from(&next), how }))
}
