//! The number of people by presence.

use palmtop_core::model::{Counts, Presence};
use palmtop_search::release::Achieved;

/// The number of people by presence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Presences {
    /// The number of people in P.
    pub people: u64,
    /// The number of people who are certain to be members: presence 1.
    pub certain: u64,
    /// The number of people with presence 1/2 or more.
    pub likely: u64,
    /// The number of people who are certain not to be members: presence 0.
    pub absent: u64,
    /// The least and greatest presence.
    pub achieved: Achieved,
}

impl Presences {
    /// Counts the people of classes. Each person of P must be in exactly one class.
    pub fn of(classes: impl IntoIterator<Item = Counts>) -> Self {
        let achieved = Achieved { min: Presence::ONE, max: Presence::ZERO };
        let none = Self { people: 0, certain: 0, likely: 0, absent: 0, achieved };
        classes.into_iter().filter(|counts| counts.public > 0).fold(none, |sum, counts| {
            let people_if = |holds: bool| if holds { counts.public } else { 0 };
            let presence = counts.presence();
            Self {
                people: sum.people + counts.public,
                certain: sum.certain + people_if(counts.private == counts.public),
                likely: sum.likely + people_if(2 * u128::from(counts.private) >= u128::from(counts.public)),
                absent: sum.absent + people_if(counts.private == 0),
                achieved: Achieved {
                    min: sum.achieved.min.min(presence),
                    max: sum.achieved.max.max(presence),
                },
            }
        })
    }
}
