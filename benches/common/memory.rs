//! The peak of memory, if the system reports it.

use std::fs;

/// Resets the measurement of the peak.
pub(crate) fn reset_peak() {
    // A system without this file reports no peak either.
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// The peak of memory since [`reset_peak`] in bytes, if the system reports it.
pub(crate) fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}
