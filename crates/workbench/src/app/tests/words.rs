//! No screen and no window is wordy: whoever reads it is tired.

use super::opening_keys;
use crate::testing::Bench;

/// The most words of a screen or a window at 80 x 24, outside the rows of its tables and lists.
const MOST: usize = 110;

// holds: Few words
#[test]
fn no_screen_has_more_than_its_words() {
    let windows = ["?", ":", "$", ":history<Enter>", "e"].map(str::to_owned);
    let mut wordy = Vec::new();
    for keys in opening_keys().chain(windows) {
        let mut bench = Bench::clinic();
        bench.keys("lljl").keys(&keys);
        let count = bench.words();
        if count > MOST {
            wordy.push(format!("{keys}: {count} words\n{}", bench.screen(80, 24)));
        }
    }
    assert!(wordy.is_empty(), "{}", wordy.join("\n"));
}
