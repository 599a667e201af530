//! What cautions about a written file are found from.

use std::path::Path;

use crate::pipeline::Analysis;

/// A project for the cautions of a recounted release. Only [`CautionBasis`] accepts it.
///
/// P is not read: its people are those that the verifier counted. So the inputs have no file of P,
/// and each person of P counts as a row. Nothing else can be measured or written from it.
#[derive(Debug)]
pub struct RecountedProject(pub(in crate::pipeline) Analysis);

/// What cautions about a written file are found from: a loaded project, or one that a recount shows.
#[derive(Clone, Copy, Debug)]
pub struct CautionBasis<'a>(&'a Analysis);

impl<'a> CautionBasis<'a> {
    pub(crate) fn analysis(self) -> &'a Analysis {
        self.0
    }

    /// The path of the project file.
    pub fn path(self) -> &'a Path {
        self.0.path()
    }
}

impl<'a> From<&'a Analysis> for CautionBasis<'a> {
    fn from(analysis: &'a Analysis) -> Self {
        Self(analysis)
    }
}

impl<'a> From<&'a RecountedProject> for CautionBasis<'a> {
    fn from(project: &'a RecountedProject) -> Self {
        Self(&project.0)
    }
}
