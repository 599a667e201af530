//! Writes a hierarchy as a CSV file of ARX: no header, `;`, one leaf per line, finest level first.

use csv::QuoteStyle;

use palmtop_core::model::Hierarchy;

/// The file of a hierarchy, from its finest level to the top, leaves in order. Read as a CSV
/// hierarchy, it gives the same labels for the same leaves.
///
/// # Errors
/// Errors of the CSV writer, which writes to memory.
pub fn to_csv(hierarchy: &Hierarchy) -> Result<Vec<u8>, csv::Error> {
    let levels: Vec<_> = hierarchy.levels().collect();
    // A single column has no separator to detect, and a leading byte-order mark would be read as
    // the file's.
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
