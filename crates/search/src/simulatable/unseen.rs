//! A problem whose T cannot be seen.

use palmtop_core::model::Problem;

/// The public part of a problem: P, |T|, the policy and the declarations. Its T is replaced by the first |T|
/// people of P, so that nothing that takes this type can depend on T.
#[derive(Debug)]
pub(crate) struct Unseen(Problem);

impl Unseen {
    /// The public part of a problem. O(combinations).
    pub(crate) fn of(problem: &Problem) -> Self {
        let mut left = problem.histogram().total().private;
        let first = problem.histogram().counts().iter().map(|counts| {
            let members = left.min(counts.public);
            left -= members;
            members
        });
        Self(with_members(problem, &first.collect::<Vec<u64>>()))
    }

    /// The problem with the replaced T.
    pub(crate) fn problem(&self) -> &Problem {
        &self.0
    }
}

fn with_members(problem: &Problem, members: &[u64]) -> Problem {
    problem.with_members(members).expect("a T of the same size from the same people")
}

#[cfg(test)]
mod tests {
    use super::*;
    use palmtop_core::model::{
        Counts, Delta, EmptyRegions, Hierarchy, Histogram, Kind, Level, QuasiIdentifier,
    };

    /// A hundred people of each of three ages, with these members.
    fn problem(members: [u64; 3]) -> Problem {
        let chains: Vec<Vec<String>> = (0..3).map(|age| vec![age.to_string(), "*".to_owned()]).collect();
        let hierarchy = Hierarchy::new(Kind::Number, Level(0), &chains).unwrap();
        let counts = members.map(|members| Counts::new(100, members)).to_vec();
        let histogram = Histogram::new(vec![(0..3).collect()], counts).unwrap();
        let delta = Delta::new("0".parse().unwrap(), "1/2".parse().unwrap()).unwrap();
        let quasi = vec![QuasiIdentifier { name: "age".to_owned(), hierarchy }];
        Problem::new(quasi, histogram, delta, EmptyRegions::Allow).unwrap()
    }

    fn members(problem: &Problem) -> Vec<u64> {
        problem.histogram().counts().iter().map(|counts| counts.private).collect()
    }

    // holds: Beliefs are harmless
    #[test]
    fn unseen_tables_of_equal_size_are_indistinguishable() {
        let (one, other) = (Unseen::of(&problem([30, 0, 0])), Unseen::of(&problem([5, 5, 20])));
        assert_eq!(one.problem().histogram(), other.problem().histogram());
        assert_eq!(members(one.problem()), members(other.problem()));
    }
}
