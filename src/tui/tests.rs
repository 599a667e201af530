//! The workbench by key macros, and its screens as snapshots.
