use proptest::prelude::*;

use super::*;
use crate::people::Gathered;

/// A set of the first 16 leaves, as a bit mask.
type Mask = u16;

fn leaves(mask: Mask) -> Leaves {
    Leaves::from_ascending((0..16).filter(|leaf| mask >> leaf & 1 == 1))
}

/// The sides of rows, given as masks. Each distinct mask is stored once.
fn sides(rows: &[[Mask; 3]]) -> Sides {
    let mut sides = Sides { leaves: vec![Vec::new(); 3], texts: Vec::new() };
    let mut known: Vec<Vec<Mask>> = vec![Vec::new(); 3];
    for row in rows {
        for ((mask, known), all) in row.iter().zip(&mut known).zip(&mut sides.leaves) {
            let number = known.iter().position(|known| known == mask).unwrap_or_else(|| {
                known.push(*mask);
                all.push(leaves(*mask));
                known.len() - 1
            });
            sides.texts.push(u32::try_from(number).unwrap());
        }
    }
    sides
}

fn combinations(people: &[([Leaf; 3], u64, u64)]) -> Combinations {
    let mut gathered = Gathered::new(&[16; 3], people.len());
    for (codes, public, _) in people {
        gathered.add(codes, *public);
    }
    let mut sorted = gathered.sorted(&Stop::default());
    for (codes, _, private) in people {
        let index = sorted.find(codes).unwrap();
        sorted.add_private(index, *private);
    }
    sorted
}

/// Compares the matches with those of a naive comparison of each combination with each row.
fn check(people: &[([Leaf; 3], u64, u64)], rows: &[[Mask; 3]]) {
    let all = combinations(people);
    let (sides, stop) = (sides(rows), Stop::default());
    let found = match_rows(&all, &sides, &stop);
    let occurs = all.occurring(&all.limits(), false);
    for at_once in [1, 64, 70] {
        let in_turn = match_in_turn(&all, &sides, &occurs, at_once, &stop);
        assert!(in_turn.iter().eq(found.iter()), "{at_once} at once");
        assert_eq!((&in_turn.public, &in_turn.private), (&found.public, &found.private));
    }
    let (mut public, mut private) = (vec![0; rows.len()], vec![0; rows.len()]);
    for (index, combination) in all.iter().enumerate() {
        let is_matched = |row: &[Mask; 3]| (0..3).all(|nth| row[nth] >> combination.codes.get(nth) & 1 == 1);
        let matched: Vec<usize> = (0..rows.len()).filter(|row| is_matched(&rows[*row])).collect();
        for &row in &matched {
            public[row] += combination.public;
            private[row] += combination.private;
        }
        let expected = match matched[..] {
            [] => Match::None,
            [row] => Match::One(row),
            [first, second, ..] => Match::Several(first, second),
        };
        assert_eq!(found.of(index), expected, "{combination:?}");
    }
    assert_eq!((found.public, found.private), (public, private));
}

fn people() -> impl Strategy<Value = Vec<([Leaf; 3], u64, u64)>> {
    prop::collection::vec((prop::array::uniform3(0_u32..16), 0_u64..5, 0_u64..3), 1..200)
}

/// A range of leaves as a mask.
fn range() -> impl Strategy<Value = Mask> {
    (0_u32..16, 0_u32..16).prop_map(|(one, other)| {
        let (first, last) = (one.min(other), one.max(other));
        (Mask::MAX >> (15 - last)) & (Mask::MAX << first)
    })
}

/// Cuts rows into parts repeatedly, so that no two rows share a combination.
fn cut(seeds: &[(u8, Mask)]) -> Vec<[Mask; 3]> {
    let mut rows = vec![[Mask::MAX; 3]];
    for (step, (attribute, mask)) in seeds.iter().enumerate() {
        let row = rows.swap_remove(step * 7 % rows.len());
        for part in [*mask, !*mask] {
            let mut row = row;
            row[usize::from(attribute % 3)] &= part;
            rows.push(row);
        }
    }
    rows
}

proptest! {
    #[test]
    fn overlapping_sets_match_as_in_a_naive_twin(
        people in people(), rows in prop::collection::vec(prop::array::uniform3(any::<Mask>()), 0..150)
    ) {
        check(&people, &rows);
    }

    #[test]
    fn overlapping_ranges_match_as_in_a_naive_twin(
        people in people(), rows in prop::collection::vec(prop::array::uniform3(range()), 0..150)
    ) {
        check(&people, &rows);
    }

    #[test]
    fn split_rows_match_as_in_a_naive_twin(
        people in people(), seeds in prop::collection::vec((any::<u8>(), any::<Mask>()), 0..150)
    ) {
        check(&people, &cut(&seeds));
    }

    #[test]
    fn single_leaves_match_as_in_a_naive_twin(
        people in people(), rows in prop::collection::vec(prop::array::uniform3((0_u32..16).prop_map(|leaf| 1 << leaf)), 0..300)
    ) {
        check(&people, &rows);
    }
}

#[test]
fn nearly_all_rows_hold_nearly_everybody() {
    let rows: Vec<[Mask; 3]> =
        (0..300_u16).map(|row| [!(1 << (row % 16)), !(1 << (row / 16 % 16)), Mask::MAX]).collect();
    let people: Vec<([Leaf; 3], u64, u64)> = (0..4096)
        .map(|code| ([code % 16, code / 16 % 16, code / 256], u64::from(code % 3), u64::from(code % 2)))
        .collect();
    check(&people, &rows);
}

#[test]
fn columns_that_tell_nothing_apart_are_left_out() {
    let people: Vec<([Leaf; 3], u64, u64)> = (0..256).map(|code| ([code % 16, code / 16, 3], 1, 0)).collect();
    check(&people, &(0..16).map(|leaf| [Mask::MAX, 1 << leaf, 1 << 3]).collect::<Vec<_>>());
    check(&people, &[[Mask::MAX; 3]]);
    check(&people, &[[Mask::MAX; 3], [Mask::MAX; 3]]);
    check(&people, &[[0, Mask::MAX, Mask::MAX]]);
    check(&people, &[]);
}

#[test]
fn what_is_to_stop_finds_nothing_more() {
    let people: Vec<([Leaf; 3], u64, u64)> = (0..256).map(|code| ([code % 16, code / 16, 0], 1, 0)).collect();
    let all = combinations(&people);
    let rows: Vec<[Mask; 3]> = (0..16).map(|leaf| [1 << leaf, Mask::MAX, Mask::MAX]).collect();
    let found = |stop: &Stop| match_rows(&all, &sides(&rows), stop).public.iter().sum::<u64>();
    assert_eq!((found(&Stop::default()), found(&Stop::now())), (256, 0));
}
