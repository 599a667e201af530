//! The time of processors, where the system tells.

use std::fs;

/// The seconds of processors that this process took, with the children that it waited for, where the system tells.
pub(crate) fn seconds() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in parentheses, may hold blanks. Behind it the 12th to the 15th are in hundredths.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: Vec<f64> = fields.get(11..15)?.iter().filter_map(|field| field.parse().ok()).collect();
    Some(ticks.iter().sum::<f64>() / 100.0)
}
