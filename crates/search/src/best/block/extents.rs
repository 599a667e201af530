//! The extents of the smallest box around rows.

use super::Block;
use super::bins::ones;
use crate::best::frame::Frame;
use crate::regions::column_table::TableRows;
use crate::regions::cut_boxes::LimitedColumn;
use palmtop_core::model::description::Intervals;
use palmtop_core::model::size::number;
use palmtop_core::model::{Code, CutBox};

/// The extents of the published box around some rows with a cut box.
pub(crate) fn published_extents(frame: &Frame, rows: &TableRows, cut_box: Option<&CutBox>) -> Vec<u32> {
    let mut extents = extents_of(frame, rows);
    if let Some(cut_box) = cut_box {
        let codes = |column: usize| rows.iter().map(move |(codes, _)| codes[column]);
        widen(frame, cut_box, &mut extents, |column, limited| limited.tree.set(codes(column)));
    }
    add_terms(frame, rows, cut_box, &mut extents);
    extents
}

/// Writes the number of terms beyond the first into the last extent, if the metric counts them.
pub(crate) fn add_terms(frame: &Frame, rows: &TableRows, cut_box: Option<&CutBox>, extents: &mut [u32]) {
    if let (Some(terms), Some(extent)) = (&frame.terms, extents.last_mut()) {
        *extent = terms.beyond_the_first(&frame.problem, &frame.boxes, rows, cut_box);
    }
}

/// The same as [`published_extents`], for rows of a block with this signature. `extents` are those of the
/// box around the rows.
pub(crate) fn widen_block(
    frame: &Frame,
    block: &Block,
    signature: &[u64],
    rows: &TableRows,
    cut_box: &CutBox,
    extents: &mut [u32],
) {
    widen(frame, cut_box, extents, |column, limited| {
        let packed = &block.columns[column];
        if packed.is_coarse() {
            limited.tree.set(rows.iter().map(|(codes, _)| codes[column]))
        } else {
            limited.tree.set(packed.values(packed.of(signature)))
        }
    });
}

/// Widens the extents of limited columns to the published sets; `set` gives the values of the rows.
fn widen(
    frame: &Frame,
    cut_box: &CutBox,
    extents: &mut [u32],
    set: impl Fn(usize, &LimitedColumn) -> Intervals,
) {
    for (column, extent) in extents.iter_mut().enumerate().take(frame.width()) {
        let Some(limited) = frame.boxes.limited(column) else { continue };
        if let Some(published) = limited.published(&set(column, limited), &cut_box[column]) {
            let codes = limited.tree.codes(&published);
            *extent = codes.iter().map(|&code| frame.size(column, code)).sum::<u32>().saturating_sub(1);
        }
    }
}

/// The extents of the box around some rows, without terms.
pub(crate) fn extents_of(frame: &Frame, rows: &TableRows) -> Vec<u32> {
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
    (0..frame.extent_count()).map(|index| if index < frame.width() { extent(index) } else { 0 }).collect()
}
