//! Whether a column alone identifies rows: nearly all its values are different.

/// The fewest rows in which different values are evidence; in fewer rows they may be chance.
pub const ROWS: u64 = 30;

/// Whether a part is nearly all: at least 95 in a hundred.
pub fn is_nearly_all(part: u64, all: u64) -> bool {
    u128::from(part) * 20 >= u128::from(all) * 19
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ninety_five_in_a_hundred_are_nearly_all() {
        for (part, all, is_so) in [(95, 100, true), (94, 100, false), (19, 20, true), (18, 20, false)] {
            assert_eq!(is_nearly_all(part, all), is_so, "{part} of {all}");
        }
    }
}
