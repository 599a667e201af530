//! Average class size: the mean number of private people in a released class.

use crate::model::Classes;

/// The number of private people who are not withdrawn, divided by the number of released classes; 0
/// without released classes.
#[expect(clippy::cast_precision_loss, reason = "an average to show")]
pub fn average(classes: &Classes) -> f64 {
    let rows: u64 = classes.spread().iter().map(|(data, classes)| data.counts().private * classes).sum();
    let rows = rows - classes.withdrawn();
    match classes.released() {
        0 => 0.0,
        released => rows as f64 / released as f64,
    }
}
