//! Why a method has no estimate.

/// The reason why a method has no estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoEstimate {
    /// No person is alone in the sample.
    #[error("nobody is alone in a class of the sample")]
    NoUniques,
    /// Each person is alone in the sample.
    #[error("everybody is alone in a class of the sample")]
    AllUnique,
    /// No parameters of the model fit the sample.
    #[error("the model's equations have no solution for this sample")]
    NoSolution,
    /// Several parameters of the model fit the sample.
    #[error("the model's equations have several solutions for this sample")]
    Ambiguous,
}
