//! Nodes as steps above the floors, one for each quasi-identifier.

use palmtop_core::model::Level;

/// The levels of the node that is `steps` above these floors.
pub(crate) fn levels_at(floors: &[Level], steps: &[u8]) -> Vec<Level> {
    floors.iter().zip(steps).map(|(floor, step)| Level(floor.0 + step)).collect()
}

/// The number of steps of each level above its floor.
pub(crate) fn steps_to(levels: &[Level], floors: &[Level]) -> Vec<u8> {
    levels.iter().zip(floors).map(|(level, floor)| level.0 - floor.0).collect()
}

/// The node one step finer in one quasi-identifier, if it exists.
pub(crate) fn one_finer(steps: &[u8], attribute: usize) -> Option<Vec<u8>> {
    let mut finer = steps.to_vec();
    finer[attribute] = finer[attribute].checked_sub(1)?;
    Some(finer)
}

/// Whether a node equals `other` or is a specialization of it.
pub(crate) fn is_below(steps: &[u8], other: &[u8]) -> bool {
    steps.iter().zip(other).all(|(step, other)| step <= other)
}
