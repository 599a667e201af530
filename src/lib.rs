//! palmtop's engine: δ-presence from two tables to a verified release.
//!
//! A table of people whose mere presence in it is sensitive, T, is part of a table that everybody may know, P. A release
//! of T is **δ-present** if, for everybody in P, the probability of being in T that it shows lies between δmin and δmax
//! (Nergiz, Atzori, Clifton, *Hiding the Presence of Individuals from Shared Databases*, SIGMOD 2007).
//!
//! The whole flow, on the paper's Table 1:
//!
//! ```
//! use std::path::Path;
//!
//! use palmtop::pipeline::{Analysis, ExportOptions, Overrides, export};
//! use palmtop::progress::unwatched;
//! use palmtop::search::{Config, Strategy};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let root = Path::new(env!("CARGO_MANIFEST_DIR"));
//! # let folder = tempfile::tempdir()?;
//! // T, P and the hierarchies are read, and reduced to the distinct combinations with their counts.
//! let analysis = Analysis::load(&root.join("sample-data/paper/paper.toml"), &Overrides::default())?;
//! let problem = analysis.problem();
//! assert_eq!(problem.lattice().len(), 72);
//!
//! // The best node that keeps δ = (1/2, 2/3); the observer sees each step and may stop the search.
//! let found = analysis.search(problem, Strategy::Spalm, &Config::default(), &mut unwatched);
//! let release = found.release.ok_or("there is none")?;
//! assert_eq!(release.recoding.node().map(ToString::to_string).as_deref(), Some("3,2,2"));
//!
//! // Written to a temporary file, recounted from the raw tables there, and only then given its name.
//! let target = folder.path().join("release.csv");
//! let written = export::write(&analysis, &release, &target, ExportOptions::default())?;
//! assert_eq!(written.verification.achieved.max.to_string(), "2/3");
//! assert!(std::fs::read_to_string(&target)?.starts_with("zip,age,nationality\n47***,*,America\n"));
//! # Ok(())
//! # }
//! ```
//!
//! # What others may build on
//!
//! [`Analysis`] is a loaded project; the modules of [`pipeline`] answer questions about it: [`pipeline::export`] writes
//! and verifies releases, [`pipeline::risk`] and [`pipeline::utility`] measure them. A [`Problem`] is what searches
//! take, and a [`Release`] what they give; [`search`] has the strategies and [`verify`](mod@verify) the recount of a
//! written file; [`model`] and [`metrics`] are the nouns that these speak in. `examples/` has a program for each use. The modules that are hidden here serve the
//! program `palmtop` alone, and may change with any version.

// In this order: each uses only those above it.
#[doc(hidden)]
pub mod text;
pub mod progress;
pub mod model;
pub mod estimate;
pub mod metrics;
pub mod search;
pub mod compose;
pub mod release;
#[doc(hidden)]
pub mod listing;
#[doc(hidden)]
pub mod risk;
#[doc(hidden)]
pub mod utility;
#[doc(hidden)]
pub mod betrayal;
#[doc(hidden)]
pub mod explain;
#[doc(hidden)]
pub mod data;
pub mod verify;
#[doc(hidden)]
pub mod project;
#[doc(hidden)]
pub mod sql;
#[doc(hidden)]
pub mod fetch;
pub mod pipeline;
#[doc(hidden)]
pub mod session;
#[doc(hidden)]
pub mod register;
#[doc(hidden)]
pub mod caution;
#[doc(hidden)]
pub mod svg;
#[doc(hidden)]
pub mod report;
#[doc(hidden)]
pub mod proposal;

pub use model::Problem;
pub use pipeline::Analysis;
pub use release::Release;
