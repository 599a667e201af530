//! The history of the project as it was read last, for the cautions of a release.

use palmtop_core::model::Delta;
use palmtop_release::caution::{Circumstances, NextRelease, Surroundings};
use palmtop_release::history::{self, History, RecodingRecipe, Sitting};
use palmtop_release::pipeline::Analysis;

use crate::kit::terminal::Keeper as _;
use crate::shared::saver::Saver;

/// The history, and the place of this sitting in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Existing {
    history: History,
    place: Option<usize>,
}

impl Existing {
    /// Reads the history, after everything that waits for the disk is written. A built-in project has none.
    pub(crate) fn read(analysis: &Analysis, saver: &Saver) -> Self {
        if !saver.is_kept() {
            return Self::default();
        }
        saver.flush();
        // The next export reports a history that cannot be read.
        let history = history::of_project(analysis.path()).unwrap_or_default();
        Self { history, place: saver.index() }
    }

    /// What surrounds every release of the project.
    pub(crate) fn surroundings(&self, analysis: &Analysis, log: &Sitting) -> Surroundings {
        let (history, place) = self.history.clone().with_sitting(self.place, log.clone());
        Surroundings::of_project(analysis, &history, Some(place))
    }

    /// The circumstances of a release that is made in this sitting.
    pub(crate) fn circumstances(
        &self,
        (analysis, log): (&Analysis, &Sitting),
        recoding: &RecodingRecipe,
        delta: Delta,
    ) -> Circumstances {
        let (history, place) = self.history.clone().with_sitting(self.place, log.clone());
        let (sitting, file, reason) = (Some(place), None, None);
        let next = NextRelease { recoding, delta, sitting, file, reason };
        Circumstances::of_next(analysis, &history, &next)
    }
}
