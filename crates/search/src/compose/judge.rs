//! What a composition means for δ: who leaves it whatever the prior, and who by expectation.

use super::{Atom, Composition, Members, Method};
use palmtop_core::model::{Delta, Presence};

/// Who leaves δ for whoever holds all of the releases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judgement {
    /// By the bounds: whatever the prior.
    pub certain: Beyond,
    /// By an exact expectation, those who are certain too.
    pub exact: Beyond,
    /// By an estimated expectation, those who are certain too.
    pub estimated: Beyond,
    /// Where the expected presence is highest.
    pub highest: Worst,
    /// Where it is lowest.
    pub lowest: Worst,
}

/// How many people leave δ; one who does so in several tables counts once for each bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Beyond {
    /// Above δmax, in some table.
    pub over: u64,
    /// Below δmin, in some table.
    pub under: u64,
    /// Either.
    pub people: u64,
}

/// An atom and a table where somebody's presence is extreme.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worst {
    /// The atom.
    pub atom: usize,
    /// The table, from 0.
    pub table: usize,
    /// The expected presence.
    pub presence: f64,
}

/// By how much an expectation may be wrong, as a share: nobody leaves δ by less.
const TOLERANCE: f64 = 1e-9;

impl Judgement {
    /// Whether nobody leaves δ, as far as can be told.
    pub fn holds(&self) -> bool {
        [self.certain, self.exact, self.estimated].iter().all(|beyond| beyond.people == 0)
    }
}

impl Composition {
    /// Judges everybody's presence in every table. Bounds are compared exactly; expectations with a tolerance of one part
    /// in 10⁹, so that a presence that is δmax itself does not leave it by a rounding error.
    pub fn judge(&self, delta: Delta) -> Judgement {
        let (mut certain, mut exact) = (Beyond::default(), Beyond::default());
        let mut estimated = Beyond::default();
        let mut highest: Option<Worst> = None;
        let mut lowest: Option<Worst> = None;
        for (place, atom) in self.atoms.iter().enumerate() {
            certain.add(atom, |members| atom.certain(members, delta));
            let expected = match atom.method {
                Method::Exact => &mut exact,
                Method::Estimated => &mut estimated,
            };
            expected.add(atom, |members| atom.by_expectation(members, delta));
            for (table, members) in atom.members.iter().enumerate() {
                let worst = Worst { atom: place, table, presence: atom.presence(members) };
                highest =
                    Some(highest.map_or(worst, |known| known.or(worst, worst.presence > known.presence)));
                lowest = Some(lowest.map_or(worst, |known| known.or(worst, worst.presence < known.presence)));
            }
        }
        let none = Worst { atom: 0, table: 0, presence: 0.0 };
        Judgement {
            certain,
            exact,
            estimated,
            highest: highest.unwrap_or(none),
            lowest: lowest.unwrap_or(none),
        }
    }
}

impl Worst {
    fn or(self, other: Self, is_worse: bool) -> Self {
        if is_worse { other } else { self }
    }
}

impl Beyond {
    /// Adds the people of an atom where any of its tables is above or below.
    fn add(&mut self, atom: &Atom, judge: impl Fn(&Members) -> (bool, bool)) {
        let judged = || atom.members.iter().map(&judge);
        let (over, under) = (judged().any(|(over, _)| over), judged().any(|(_, under)| under));
        let people = |is_beyond: bool| if is_beyond { atom.people } else { 0 };
        self.over += people(over);
        self.under += people(under);
        self.people += people(over || under);
    }
}

impl Atom {
    /// Whether everybody's presence is above δmax, and below what δ accepts, in every table that the releases allow.
    fn certain(&self, members: &Members, delta: Delta) -> (bool, bool) {
        let presence = |count: u64| Presence::new(count, self.people);
        let over = presence(members.least).is_ok_and(|least| least > delta.max());
        // The floor is above 0 where no class may be empty: nobody may be known to be no member.
        let under = presence(members.most).is_ok_and(|most| most < delta.floor());
        (over, under)
    }

    /// Whether the expected presence is above δmax, and below δmin, by more than it may be wrong.
    fn by_expectation(&self, members: &Members, delta: Delta) -> (bool, bool) {
        let (over, under) = self.certain(members, delta);
        // Where all is certain, the fractions have said it.
        if members.least == members.most {
            return (over, under);
        }
        let presence = self.presence(members);
        let over = over || presence > delta.max().to_f64() * (1.0 + TOLERANCE);
        let under = under || presence < delta.min().to_f64() * (1.0 - TOLERANCE);
        (over, under)
    }

    /// Whether its people are outside δ in a table, above δmax or below δmin: for certain, and by expectation.
    pub fn judge(&self, members: &Members, delta: Delta) -> ((bool, bool), (bool, bool)) {
        (self.certain(members, delta), self.by_expectation(members, delta))
    }

    /// The expected presence of each of its people.
    #[expect(clippy::cast_precision_loss, reason = "people of an atom, for an expectation")]
    pub fn presence(&self, members: &Members) -> f64 {
        if self.people == 0 { 0.0 } else { members.expected / self.people as f64 }
    }
}
