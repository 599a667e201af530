//! A hierarchy as a CSV file of ARX: no header, `;`, one leaf a line, finest first.

use csv::QuoteStyle;

use palmtop_core::model::Hierarchy;

/// The file of a hierarchy, from its finest level to the top, leaves in their order. Read as a CSV hierarchy again it has
/// the same labels over the same leaves.
///
/// # Errors
/// What the writer of CSV fails with, which writes to memory.
pub fn to_csv(hierarchy: &Hierarchy) -> Result<Vec<u8>, csv::Error> {
    let levels: Vec<_> = hierarchy.levels().collect();
    // One column has no separator to be known by, and a mark at the beginning would be taken for the file's.
    let is_odd = levels.len() == 1 || hierarchy.leaf(0).starts_with('\u{feff}');
    let style = if is_odd { QuoteStyle::Always } else { QuoteStyle::Necessary };
    let mut writer = csv::WriterBuilder::new().delimiter(b';').quote_style(style).from_writer(Vec::new());
    for leaf in 0..hierarchy.leaf_count() {
        let labels = levels.iter().map(|&level| {
            let label = hierarchy.labels_of(level)[leaf];
            &hierarchy.labels(level)[label as usize]
        });
        writer.write_record(labels)?;
    }
    writer.into_inner().map_err(|error| csv::Error::from(error.into_error()))
}
