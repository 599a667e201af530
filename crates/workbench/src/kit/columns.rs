//! Columns that share a width: each gets the width that it needs; if room is short, the widest are
//! cut first.

/// Fits the wished widths into `room`: takes columns off the widest ones, down to `least`.
pub(crate) fn fit(wished: &[usize], room: usize, least: usize) -> Vec<usize> {
    let mut widths = wished.to_vec();
    let mut total: usize = widths.iter().sum();
    while total > room {
        let Some(widest) = widths.iter_mut().max().filter(|widest| **widest > least) else {
            break;
        };
        *widest -= 1;
        total -= 1;
    }
    widths
}

#[cfg(test)]
mod tests {
    use crate::kit::columns::fit;

    #[test]
    fn the_widest_columns_are_cut_first() {
        assert_eq!(fit(&[3, 20, 10], 40, 2), [3, 20, 10]);
        assert_eq!(fit(&[3, 20, 10], 20, 2), [3, 9, 8]);
        assert_eq!(fit(&[9, 9], 2, 3), [3, 3]);
    }
}
