//! Figures on the cost and the disclosure of a release: estimates, risk, utility, and columns that
//! betray a quasi-identifier.

pub mod estimate;
pub mod risk;
pub mod utility;
pub mod betrayal;
#[cfg(test)]
mod messages;
