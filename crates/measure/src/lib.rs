//! What a release costs and reveals, in figures: estimates, risk, utility, and columns that betray a quasi-identifier.

pub mod estimate;
pub mod risk;
pub mod utility;
pub mod betrayal;
