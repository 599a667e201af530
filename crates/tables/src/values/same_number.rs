//! Numbers that a column writes in several ways, such as `250` and `250.0`: codes or numbers?

use std::collections::{BTreeMap, BTreeSet};

use super::reading::NumberForm;

/// The texts that are the same number as another of these texts, by their number.
pub fn same_numbers<'a>(texts: impl Iterator<Item = &'a str> + Clone) -> Vec<BTreeSet<&'a str>> {
    // Fast path: most columns have plain numbers only.
    let is_odd = |text: &str| NumberForm::POINT.read_exact(text).is_some_and(|number| number != text);
    if !texts.clone().any(is_odd) {
        return Vec::new();
    }
    let mut by_number: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for text in texts {
        if let Some(number) = NumberForm::POINT.read_exact(text) {
            by_number.entry(number).or_default().insert(text);
        }
    }
    by_number.into_values().filter(|texts| texts.len() > 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_one_number_are_found() {
        for (texts, found) in [
            (&["250", "250.0", "250.00", "401.9"][..], vec![vec!["250", "250.0", "250.00"]]),
            (&["01", "1", "2", "V45"], vec![vec!["01", "1"]]),
            (&["+7", "7", "-0", "0"], vec![vec!["-0", "0"], vec!["+7", "7"]]),
            (&["1.50", "2.00", "3.25"], vec![]),
            (&["007", "008", "x"], vec![]),
            (&["1,0", "1"], vec![]),
        ] {
            let same: Vec<Vec<&str>> = same_numbers(texts.iter().copied())
                .into_iter()
                .map(|set| set.into_iter().collect())
                .collect();
            assert_eq!(same, found, "{texts:?}");
        }
    }
}
