//! The extents of the smallest box around rows.

use super::super::column_table::TableRows;
use super::bins::ones;
use super::frame::Frame;
use palmtop_core::model::Code;
use palmtop_core::model::size::number;

/// The extents of the box around some rows.
pub(super) fn extents_of(frame: &Frame, rows: &TableRows) -> Vec<u32> {
    let mut lows = vec![Code::MAX; frame.width()];
    let mut highs = vec![0; frame.width()];
    let mut seen: Vec<Vec<u64>> = frame
        .leaves
        .iter()
        .zip(&frame.ordered)
        .map(|(leaves, ordered)| if *ordered { Vec::new() } else { vec![0; leaves.div_ceil(64)] })
        .collect();
    for (codes, _) in rows.iter() {
        for (column, &code) in codes.iter().enumerate() {
            if frame.ordered[column] {
                (lows[column], highs[column]) = (lows[column].min(code), highs[column].max(code));
            } else {
                seen[column][(code >> 6) as usize] |= 1 << (code & 63);
            }
        }
    }
    let extent = |column: usize| {
        if let Some(tree) = &frame.trees[column] {
            return tree.extent_around(rows.iter().map(|(codes, _)| codes[column]));
        }
        if frame.ordered[column] {
            if lows[column] > highs[column] { 0 } else { frame.range(column, lows[column], highs[column]) }
        } else if frame.before[column].is_none() {
            seen[column].iter().map(|word| word.count_ones()).sum::<u32>().saturating_sub(1)
        } else {
            let words = (0..).step_by(64).zip(&seen[column]);
            let codes = words.flat_map(|(base, &word)| ones(word).map(move |bit| base + number(bit)));
            codes.map(|code| frame.size(column, code)).sum::<u32>().saturating_sub(1)
        }
    };
    (0..frame.width()).map(extent).collect()
}
