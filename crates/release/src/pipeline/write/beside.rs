//! What a release that is not written yet reveals together with earlier ones.

use std::path::{Path, PathBuf};

use super::export;
use crate::pipeline::rows::of_release::{ReleaseRows, release_rows};
use crate::pipeline::rows::pseudonyms::Pseudonyms;
use crate::pipeline::written::{reading, together};
use crate::pipeline::{Analysis, PipelineError, ReadRelease, Together};
use palmtop_core::progress::Meter;
use palmtop_project::compatibility::{Command, Feature};
use palmtop_search::release::Release;
use palmtop_tables::write::ReleaseFormat;

/// The number of people who are outside δ, by expectation, for an attacker who has all of these files and the release. The rows are
/// read back from a file without a name in the folder of `target`; then it is gone.
///
/// # Errors
/// As [`together::of_releases`]; and if the disk fails.
pub fn people_outside(
    analysis: &Analysis,
    release: &Release,
    earlier: &[PathBuf],
    target: &Path,
    meter: &mut Meter,
) -> Result<u64, PipelineError> {
    analysis.check(&[Feature::Command(Command::Compose)])?;
    let read = earlier.iter().map(|path| reading::read_watched(analysis, path, meter));
    let earlier: Vec<ReadRelease> = read.collect::<Result<_, _>>()?;
    let mut pseudonyms = Pseudonyms::prepare(analysis, meter)?;
    let ReleaseRows { lines, .. } = release_rows(analysis, release, &mut pseudonyms, meter)?;
    export::gate(analysis)
        .rehearse(
            target,
            |out| lines.write_as(ReleaseFormat::Csv, out, &mut |_| std::ops::ControlFlow::Continue(())),
            |unnamed| {
                let own = ReadRelease {
                    path: target.to_owned(),
                    ..reading::read_watched(analysis, unnamed, meter)?
                };
                let all: Vec<&ReadRelease> = earlier.iter().chain([&own]).collect();
                let composition = together::of_releases(analysis, &all, Together::default(), meter)?;
                Ok::<u64, PipelineError>(composition.judge(release.policy.bounds()).people())
            },
        )
        .map_err(Into::into)
}
