//! The judgement of a composition by δ: who is outside δ for any prior, and who by expectation.

use super::{Atom, Composition, Members, Method};
use palmtop_core::model::{Presence, PresenceBounds};

/// The people who are outside δ for an attacker with all of the releases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judgement {
    /// Outside by the bounds, for any prior.
    pub certain: Beyond,
    /// Outside by an exact expectation, including those outside for any prior.
    pub exact: Beyond,
    /// Outside by an estimated expectation, including those outside for any prior.
    pub estimated: Beyond,
    /// The highest expected presence.
    pub highest: Worst,
    /// The lowest expected presence.
    pub lowest: Worst,
}

/// The numbers of people outside δ. A person who is outside in several tables counts once for each
/// bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Beyond {
    /// The number above δmax in some table.
    pub over: u64,
    /// The number below δmin in some table.
    pub under: u64,
    /// The number outside either bound.
    pub people: u64,
}

/// An atom and a table with an extreme expected presence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worst {
    /// The index of the atom.
    pub atom: usize,
    /// The index of the table, from 0.
    pub table: usize,
    /// The expected presence.
    pub presence: f64,
}

/// The relative error of an expectation. A presence that exceeds a bound by less counts as within.
const TOLERANCE: f64 = 1e-9;

impl Judgement {
    /// The number of people outside δ by expectation, exact or estimated.
    pub fn people(&self) -> u64 {
        self.exact.people + self.estimated.people
    }

    /// Whether everyone is within δ, as far as the bounds and estimates show.
    pub fn holds(&self) -> bool {
        [self.certain, self.exact, self.estimated].iter().all(|beyond| beyond.people == 0)
    }
}

impl Composition {
    /// Judges everyone's presence in every table. Bounds are compared exactly. Expectations have a
    /// tolerance of one part in 10⁹, so that rounding does not push a presence of exactly δmax out.
    pub fn judge(&self, bounds: PresenceBounds) -> Judgement {
        let (mut certain, mut exact) = (Beyond::default(), Beyond::default());
        let mut estimated = Beyond::default();
        let mut highest: Option<Worst> = None;
        let mut lowest: Option<Worst> = None;
        for (index, atom) in self.atoms.iter().enumerate() {
            certain.add(atom, |members| atom.certain(members, bounds));
            let expected = match atom.method {
                Method::Exact => &mut exact,
                Method::Estimated => &mut estimated,
            };
            expected.add(atom, |members| atom.by_expectation(members, bounds));
            for (table, members) in atom.members.iter().enumerate() {
                let worst = Worst { atom: index, table, presence: atom.presence(members) };
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
    /// Adds the people of an atom if they are above or below in any of its tables.
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
    /// Whether the presence is above δmax, and whether it is below the floor, in every possible
    /// table.
    fn certain(&self, members: &Members, bounds: PresenceBounds) -> (bool, bool) {
        let presence = |count: u64| Presence::new(count, self.people);
        let over = presence(members.least).is_ok_and(|least| least > bounds.max());
        // The floor is above 0 if no class may be empty: no one may be known not to be a member.
        let under = presence(members.most).is_ok_and(|most| most < bounds.floor());
        (over, under)
    }

    /// Whether the expected presence is above δmax, and whether it is below δmin, by more than its
    /// error.
    fn by_expectation(&self, members: &Members, bounds: PresenceBounds) -> (bool, bool) {
        let (over, under) = self.certain(members, bounds);
        // If the number is certain, the exact comparison decides.
        if members.least == members.most {
            return (over, under);
        }
        let presence = self.presence(members);
        let over = over || presence > bounds.max().to_f64() * (1.0 + TOLERANCE);
        let under = under || presence < bounds.delta().min().to_f64() * (1.0 - TOLERANCE);
        (over, under)
    }

    /// Whether the atom's people are above δmax or below δmin in a table: for any prior, and by
    /// expectation.
    pub fn judge(&self, members: &Members, bounds: PresenceBounds) -> ((bool, bool), (bool, bool)) {
        (self.certain(members, bounds), self.by_expectation(members, bounds))
    }

    /// The expected presence of each person of the atom.
    #[expect(clippy::cast_precision_loss, reason = "people of an atom, for an expectation")]
    pub fn presence(&self, members: &Members) -> f64 {
        if self.people == 0 { 0.0 } else { members.expected / self.people as f64 }
    }
}
