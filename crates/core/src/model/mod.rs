//! The data types of δ-presence, which all other modules use. They need no disk, clock or terminal.

pub mod size;
pub mod values;
pub mod sensitive;
pub mod diversity;
pub mod closeness;
pub mod criterion;
pub mod suppression;
pub mod policy;
pub mod advice;
mod texts;
pub mod chains;
pub mod hierarchy;
pub mod histogram;
pub mod people;
pub mod prior;
pub mod lattice;
pub mod node_index;
pub mod label;
mod keys;
mod rollup;
pub mod partition;
pub mod class;
mod columns;
pub mod weights;
pub mod problem;
pub mod raised;
pub mod error;

pub use advice::{Advice, AdviceError, Stakes, advise};
pub use class::{ClassLabels, Classes, EquivalenceClass, Recoding, Withdrawal};
pub use columns::{ClassColumns, LabelColumn};
pub use columns::{dense_ranks, sort_by_rank};
pub use criterion::{ClassData, Criterion};
pub use error::ModelError;
pub use hierarchy::{Code, Hierarchy};
pub use histogram::Histogram;
pub use label::{Label, Side};
pub use lattice::{Lattice, Node};
pub use node_index::NodeIndex;
pub use palmtop_terms::{
    Counts, Delta, Fraction, Kind, Level, Presence, Role, TermError, Verdict, delta, fraction, presence, role,
};
pub use partition::{Partition, Region};
pub use people::{People, PeopleCounter};
pub use policy::{Criteria, Policy, Standing};
pub use prior::Prior;
pub use problem::{Cuts, EmptyRegions, Feasibility, Levels, Problem, QuasiIdentifier};
pub use raised::Raised;
pub use rollup::{Neighbourhood, NodeClasses, NodeTally, Rollup};
pub use sensitive::{ClassValues, SensitiveColumn, SensitiveValues, ValueTree};
pub use suppression::{Suppression, SuppressionError};
pub use texts::Texts;
pub use texts::Words;
pub use values::ValueCounts;
pub use weights::Weights;
