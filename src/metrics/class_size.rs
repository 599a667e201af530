//! Average class size: how many private people share a released class.

use crate::model::EquivalenceClass;

/// |T| over the number of released classes (those with private people); 0 where there is none.
#[expect(clippy::cast_precision_loss, reason = "an average to show")]
pub fn average(classes: &[EquivalenceClass]) -> f64 {
    let released = classes.iter().filter(|class| class.counts.private > 0);
    let (rows, count) =
        released.fold((0, 0), |(rows, count), class| (rows + class.counts.private, count + 1));
    if count == 0 { 0.0 } else { rows as f64 / f64::from(count) }
}
