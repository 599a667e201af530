//! Processor time, if the system reports it.

use std::fs;

/// The processor seconds of this process and of the children that it waited for, if the system
/// reports them.
pub(crate) fn seconds() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in parentheses, may contain blanks. After it, fields 12 to 15 are in
    // hundredths of a second.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: Vec<f64> = fields.get(11..15)?.iter().filter_map(|field| field.parse().ok()).collect();
    Some(ticks.iter().sum::<f64>() / 100.0)
}
