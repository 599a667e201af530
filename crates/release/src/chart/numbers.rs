//! The numbers of one line of a chart.

/// The numbers of one subject, one for each position of a sweep; `None` if no number exists.
pub type Numbers<S> = (S, Vec<Option<f64>>);

/// The least and greatest number of some strategies, for each of `count` positions.
pub fn spans<S>(lines: &[Numbers<S>], count: usize) -> Vec<Option<(f64, f64)>> {
    let span = |index: usize| {
        let numbers = lines.iter().filter_map(|(_, numbers)| numbers[index]);
        numbers.fold(None, |span: Option<(f64, f64)>, number| {
            Some(span.map_or((number, number), |(least, most)| (least.min(number), most.max(number))))
        })
    };
    (0..count).map(span).collect()
}
