//! The distinct combinations of leaf codes, with their public and private counts.

use rayon::prelude::*;

use super::error::ModelError;
use super::hierarchy::Code;
use super::presence::Counts;

/// The two tables, reduced to the distinct combinations that occur in the public table.
///
/// Combinations are distinct and in lexicographic order of their codes. Each has `public > 0` and
/// `private ≤ public`. Codes are stored in columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    columns: Vec<Vec<Code>>,
    counts: Vec<Counts>,
    total: Counts,
}

impl Histogram {
    /// The largest |T|. Up to this number, the sum of the squares of T's counts fits 64 bits.
    pub const MOST_PRIVATE: u64 = u32::MAX as u64;
    /// The largest |P|.
    pub const MOST_PUBLIC: u64 = i64::MAX as u64;

    /// Creates a histogram from one column of codes for each quasi-identifier, as long as `counts`.
    /// Combinations may have any order.
    ///
    /// # Errors
    /// A [`ModelError`] if lengths differ, a combination occurs twice, has no public person, or has
    /// more private than public people; or beyond the limits.
    pub fn new(columns: Vec<Vec<Code>>, counts: Vec<Counts>) -> Result<Self, ModelError> {
        let wrong = |detail: String| Err(ModelError::histogram(&detail));
        if let Some(column) = columns.iter().find(|column| column.len() != counts.len()) {
            return wrong(format!("a column has {} codes for {} counts", column.len(), counts.len()));
        }
        let pairs = counts.par_iter().with_min_len(LOT);
        if let Some(bad) = pairs.find_first(|counts| counts.public == 0 || counts.private > counts.public) {
            return wrong(format!(
                "a combination has {} private of {} public people",
                bad.private, bad.public
            ));
        }
        let compare = |&left: &u32, &right: &u32| {
            let (left, right) = (left as usize, right as usize);
            columns.iter().map(|column| column[left].cmp(&column[right])).find(|order| order.is_ne())
        };
        let Ok(length) = u32::try_from(counts.len()) else {
            return wrong(format!("{} combinations are more than 32 bits can number", counts.len()));
        };
        if are_ascending(&columns, counts.len()) {
            let total = total(&counts)?;
            return Ok(Self { columns, counts, total });
        }
        let mut order: Vec<u32> = (0..length).collect();
        let equal = std::cmp::Ordering::Equal;
        order.sort_unstable_by(|left, right| compare(left, right).unwrap_or(equal));
        if order.windows(2).any(|pair| compare(&pair[0], &pair[1]).is_none()) {
            return wrong("a combination occurs twice".to_owned());
        }
        let columns = columns
            .into_iter()
            .map(|column| order.iter().map(|&index| column[index as usize]).collect())
            .collect();
        let counts: Vec<Counts> = order.iter().map(|&index| counts[index as usize]).collect();
        let total = total(&counts)?;
        Ok(Self { columns, counts, total })
    }

    /// The same P with another T. `members` has combination indices with their numbers of private
    /// people; all other combinations have none.
    ///
    /// # Errors
    /// As [`new`](Self::new), if a combination has more private than public people, or if T exceeds
    /// the limit.
    pub fn with_members(
        mut self,
        members: impl IntoIterator<Item = (usize, u64)>,
    ) -> Result<Self, ModelError> {
        self.counts.iter_mut().for_each(|counts| counts.private = 0);
        for (index, people) in members {
            let counts = &mut self.counts[index];
            counts.private = people;
            if people > counts.public {
                let detail = format!("a combination has {people} private of {} public people", counts.public);
                return Err(ModelError::histogram(&detail));
            }
        }
        self.total = total(&self.counts)?;
        Ok(self)
    }

    /// The number of distinct combinations.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether there are no combinations.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The number of quasi-identifiers.
    pub fn width(&self) -> usize {
        self.columns.len()
    }

    /// The code of each combination in one quasi-identifier.
    pub fn column(&self, attribute: usize) -> &[Code] {
        &self.columns[attribute]
    }

    /// The codes of all combinations, row by row.
    pub fn codes_by_row(&self) -> Vec<Code> {
        /// The rows that a core writes at a time: they stay in its cache.
        const SHARE: usize = 1 << 12;
        let width = self.width();
        let mut codes = vec![0; self.len() * width];
        codes.par_chunks_mut(SHARE * width.max(1)).enumerate().for_each(|(share, codes)| {
            for (attribute, column) in self.columns.iter().enumerate() {
                let to = codes[attribute..].iter_mut().step_by(width);
                to.zip(&column[share * SHARE..]).for_each(|(to, &code)| *to = code);
            }
        });
        codes
    }

    /// The public and private counts of each combination.
    pub fn counts(&self) -> &[Counts] {
        &self.counts
    }

    /// The size of the tables: |P| and |T|.
    pub fn total(&self) -> Counts {
        self.total
    }

    /// The codes of one combination, one per quasi-identifier.
    pub fn combination(&self, index: usize) -> Vec<Code> {
        self.columns.iter().map(|column| column[index]).collect()
    }

    /// The index of a combination, by binary search: O(log c) comparisons of c combinations.
    pub fn find(&self, combination: &[Code]) -> Option<usize> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            let here = self.columns.iter().map(|column| column[middle]);
            match here.cmp(combination.iter().copied()) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(middle),
            }
        }
        None
    }
}

/// The number of combinations for which a second thread pays off.
const LOT: usize = 1 << 14;

/// Whether each of so many combinations comes after the one before it. Column by column, because most have
/// many codes in common with the one before.
fn are_ascending(columns: &[Vec<Code>], length: usize) -> bool {
    (0..length.div_ceil(LOT)).into_par_iter().all(|lot| {
        let (start, end) = ((lot * LOT).max(1), ((lot + 1) * LOT).min(length));
        // 1 for a combination that is known to come after the one before it: numbers, so that a loop needs no branch.
        let mut after = vec![0_u32; end - start];
        for column in columns {
            let mut before_it = 0;
            let pairs = column[start - 1..end - 1].iter().zip(&column[start..end]);
            for (after, (before, here)) in after.iter_mut().zip(pairs) {
                before_it |= !*after & u32::from(here < before);
                *after |= u32::from(before < here);
            }
            if before_it > 0 {
                return false;
            }
        }
        !after.contains(&0)
    })
}

/// The sums of the counts. Within the limits, products of two counts of T, and of a count of P with
/// a bound, are exact.
fn total(counts: &[Counts]) -> Result<Counts, ModelError> {
    let sum = |people: fn(&Counts) -> u64| {
        let lots = counts
            .par_chunks(LOT)
            .map(|counts| counts.iter().try_fold(0_u64, |sum, counts| sum.checked_add(people(counts))));
        lots.try_reduce(|| 0, u64::checked_add)
    };
    let private = sum(|counts| counts.private).filter(|&people| people <= Histogram::MOST_PRIVATE);
    let public = sum(|counts| counts.public).filter(|&people| people <= Histogram::MOST_PUBLIC);
    let too_many = |table, most| {
        ModelError::Invalid(format!("the {table} table has more than {most} people; correct its counts"))
    };
    Ok(Counts::new(
        public.ok_or_else(|| too_many("public", Histogram::MOST_PUBLIC))?,
        private.ok_or_else(|| too_many("private", Histogram::MOST_PRIVATE))?,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_come_sorted_with_their_counts() {
        let counts = vec![Counts::new(3, 1), Counts::new(2, 0), Counts::new(1, 1)];
        let histogram = Histogram::new(vec![vec![1, 0, 0], vec![0, 1, 0]], counts).unwrap();
        assert_eq!(histogram.combination(0), [0, 0]);
        assert_eq!(histogram.counts()[2], Counts::new(3, 1));
        assert_eq!(histogram.total(), Counts::new(6, 2));
        assert_eq!((histogram.find(&[0, 1]), histogram.find(&[1, 1])), (Some(1), None));
    }

    #[test]
    fn combinations_out_of_order_are_found_anywhere() {
        let length = 3 * LOT + 5;
        let columns: Vec<Vec<Code>> = [(100, Code::MAX), (1, 100)]
            .map(|(one, all)| (0..).take(length).map(|row| row / one % all).collect())
            .into();
        let counts: Vec<Counts> = (1..).take(length).map(|people| Counts::new(people, 0)).collect();
        let histogram = Histogram::new(columns.clone(), counts.clone()).unwrap();
        assert_eq!(histogram.counts(), counts);
        for row in [1, 2, 99, 100, LOT - 1, LOT, LOT + 1, 2 * LOT, 3 * LOT, length - 1] {
            let (mut turned, mut turned_counts) = (columns.clone(), counts.clone());
            for column in &mut turned {
                column.swap(row - 1, row);
            }
            turned_counts.swap(row - 1, row);
            assert_eq!(Histogram::new(turned, turned_counts).unwrap(), histogram, "{row}");
            let mut twice = columns.clone();
            for column in &mut twice {
                column[row] = column[row - 1];
            }
            assert!(Histogram::new(twice, counts.clone()).is_err(), "{row}");
        }
    }

    #[test]
    fn members_never_exceed_the_people_of_a_combination() {
        let histogram = || {
            Histogram::new(vec![vec![0, 1, 2]], vec![Counts::new(3, 1), Counts::new(2, 0), Counts::new(4, 0)])
        };
        let members = |members: Vec<(usize, u64)>| histogram().unwrap().with_members(members);
        let expected = vec![Counts::new(3, 0), Counts::new(2, 2), Counts::new(4, 1)];
        let found = members(vec![(2, 1), (1, 2)]).unwrap();
        assert_eq!((found.counts(), found.total()), (&expected[..], Counts::new(9, 3)));
        assert_eq!(found, Histogram::new(vec![vec![0, 1, 2]], expected).unwrap());
        assert!(members(vec![(1, 3)]).is_err());
    }

    // holds: Regular files
    #[test]
    fn more_people_than_can_be_counted_are_refused() {
        let table = |counts: &[Counts]| {
            let codes = (0..).take(counts.len()).collect();
            Histogram::new(vec![codes], counts.to_vec()).map(|histogram| histogram.total())
        };
        let most = Counts::new(1 << 40, u64::from(u32::MAX));
        assert_eq!(table(&[most]), Ok(most));
        assert!(table(&[most, Counts::new(1, 1)]).is_err());
        assert!(table(&[Counts::new(i64::MAX as u64, 0), Counts::new(1, 0)]).is_err());
        assert!(table(&[Counts::new(u64::MAX, 0), Counts::new(u64::MAX, 0)]).is_err());
    }

    #[test]
    fn excess_private_counts_and_repeated_combinations_are_refused() {
        assert!(Histogram::new(vec![vec![0]], vec![Counts::new(1, 2)]).is_err());
        assert!(Histogram::new(vec![vec![0]], vec![Counts::new(0, 0)]).is_err());
        assert!(Histogram::new(vec![vec![0, 0]], vec![Counts::new(1, 0); 2]).is_err());
        assert!(Histogram::new(vec![vec![0]], vec![Counts::new(1, 0); 2]).is_err());
    }
}
