//! The program that is measured.

use std::path::PathBuf;

/// `palmtop`, beside the folder of this benchmark. `cargo build --release` in the root builds it.
pub(crate) fn palmtop() -> PathBuf {
    let own = std::env::current_exe().expect("the path of this benchmark");
    let program = own.ancestors().nth(2).expect("a folder for programs").join("palmtop");
    assert!(program.is_file(), "no {}; run `cargo build --release` in the root first", program.display());
    program
}
