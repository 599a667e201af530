//! The peak of memory, where the system tells.

use std::fs;

/// Begins to measure the peak of memory anew.
pub(crate) fn reset_peak() {
    // Where there is no such file, there is no peak either.
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// The most memory held since [`reset_peak`], in bytes, where the system tells.
pub(crate) fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}
