//! The exit status for an error.

use palmtop::history::ReplayError;
use palmtop::model::ModelError;
use palmtop::pipeline::PipelineError;

use palmtop_console::status::{Status, Usage};

use super::cautions::Unanswered;

/// Chooses the exit status for an error.
pub(crate) fn status_of(error: &anyhow::Error) -> Status {
    if error.is::<Usage>() || matches!(error.downcast_ref(), Some(ModelError::NotANode { .. })) {
        return Status::Usage;
    }
    let none_exists = matches!(error.downcast_ref(), Some(ReplayError::FindsNothing { .. }));
    if error.is::<Unanswered>() {
        return Status::NotPresent;
    }
    match error.downcast_ref() {
        Some(PipelineError::NotPresent { .. } | PipelineError::NotPresentTogether { .. }) => {
            Status::NotPresent
        }
        Some(PipelineError::Refused { refused, .. }) if refused.is_usage() => Status::Usage,
        _ if none_exists => Status::NotPresent,
        _ => Status::Error,
    }
}
