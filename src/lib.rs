//! palmtop's engine: δ-presence from two tables to a verified release.
//!
//! The private table T is part of the public table P, which everybody may know. To be in T is
//! sensitive. A release of T shows a probability of being in T for each person in P. The release is
//! **δ-present** if all these probabilities lie between δmin and δmax (Nergiz, Atzori, Clifton,
//! *Hiding the Presence of Individuals from Shared Databases*, SIGMOD 2007).
//!
//! An example, from loading to a verified file, with the paper's Table 1:
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
//! # Public interface
//!
//! [`Analysis`] is a loaded project. The modules of [`pipeline`] answer questions about it:
//! [`pipeline::export`] writes and verifies releases, [`pipeline::risk`] and [`pipeline::utility`]
//! measure them. A [`Problem`] is the input of a search, and a [`Release`] its result. [`search`]
//! has the strategies, and [`verify`] recounts a written file. [`model`] and [`metrics`] have the
//! types that all of them share. `examples/` has a program for each use.
//!
//! This library only re-exports: each module is a crate in `crates/`, or a module of such a crate.

pub use palmtop_core::{escape, metrics, model, progress, shell, strategy, words};
pub use palmtop_measure::{betrayal, estimate, risk, utility};
pub use palmtop_project::{self as project, compatibility, keys};
pub use palmtop_proposal as proposal;
pub use palmtop_release::{
    caution, chart, codebook, columns, explain, fetch, figures, history, listing, package, pipeline, report,
    sql, svg,
};
pub use palmtop_search::{self as search, compose, release};
pub use palmtop_tables as data;
pub use palmtop_verify as verify;

pub use model::Problem;
pub use pipeline::Analysis;
pub use release::Release;
