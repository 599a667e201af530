//! The nouns of the field: what every other room talks about. No disk, no clock, no terminal.

pub(crate) mod size;
pub mod role;
pub mod presence;
pub mod delta;
pub mod fraction;
pub mod criterion;
pub mod policy;
pub mod advice;
pub mod hierarchy;
pub mod histogram;
pub mod lattice;
pub mod label;
mod rollup;
pub mod partition;
pub mod class;
mod columns;
pub mod problem;
pub mod error;

pub use advice::{Advice, AdviceError, Stakes, advise};
pub use class::{Classes, EquivalenceClass, Recoding};
pub use columns::{ClassColumns, LabelColumn};
pub(crate) use columns::{dense_ranks, sort_by_rank};
pub use criterion::{ClassData, Criterion};
pub use delta::{Delta, Verdict};
pub use error::ModelError;
pub use fraction::Fraction;
pub use hierarchy::{Code, Hierarchy, Kind, Level};
pub use histogram::Histogram;
pub use label::{Label, Side};
pub use lattice::{Lattice, Node};
pub use partition::{Partition, Region};
pub use policy::{Criteria, Policy, Standing};
pub use presence::{Counts, Presence};
pub use problem::{EmptyRegions, Feasibility, Problem, QuasiIdentifier};
pub use role::Role;
pub use rollup::{NodeClasses, Rollup};
