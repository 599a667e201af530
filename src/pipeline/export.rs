//! From a release to a verified file.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::progress::{self, ExportObserver, ExportStage};
use super::{Analysis, PipelineError};
use crate::data::error::DataError;
use crate::data::read;
use crate::data::tally;
use crate::data::watch::Meter;
use crate::data::write::{self, Disk, RealDisk, WriteError};
use crate::model::{Code, Delta, EmptyRegions};
use crate::project::{Attribute, PrivateSource, Project};
use crate::release::{Achieved, Release, Verification};
use crate::verify::{self, AttributeSpec, Findings, HierarchySource, TableSource, VerifySpec};

/// How to write a release.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExportOptions {
    /// Overwrite a file of that name.
    pub force: bool,
    /// Write it although it does not keep δ.
    pub allow_not_present: bool,
}

/// A release on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The file.
    pub path: PathBuf,
    /// Its rows, the header not counted.
    pub rows: u64,
    /// Its size.
    pub bytes: u64,
    /// What its verification found.
    pub verification: Verification,
}

impl Analysis {
    /// Writes a release: to a temporary file that is synced, verified against the raw tables, and only then renamed.
    ///
    /// # Errors
    /// A [`PipelineError`]; whatever it is, the target is as it was.
    pub fn export(
        &self,
        release: &Release,
        target: &Path,
        options: ExportOptions,
    ) -> Result<Written, PipelineError> {
        self.export_to(&mut RealDisk, release, target, options)
    }

    /// [`export`](Self::export), showing an observer how far it is; the observer answers whether to go on. Once the file
    /// has its name there is nothing to break off any more, and nothing is shown.
    ///
    /// # Errors
    /// As [`export`](Self::export); [`PipelineError::Cancelled`] where the observer says stop.
    pub fn export_watched(
        &self,
        release: &Release,
        target: &Path,
        options: ExportOptions,
        observer: &mut ExportObserver,
    ) -> Result<Written, PipelineError> {
        self.write_release(&mut RealDisk, release, target, options, observer)
    }

    /// [`export`](Self::export) to a disk that may fail.
    ///
    /// # Errors
    /// A [`PipelineError`]; whatever it is, the target is as it was.
    pub fn export_to(
        &self,
        disk: &mut dyn Disk,
        release: &Release,
        target: &Path,
        options: ExportOptions,
    ) -> Result<Written, PipelineError> {
        self.write_release(disk, release, target, options, &mut |_| ControlFlow::Continue(()))
    }

    fn write_release(
        &self,
        disk: &mut dyn Disk,
        release: &Release,
        target: &Path,
        options: ExportOptions,
        observer: &mut ExportObserver,
    ) -> Result<Written, PipelineError> {
        self.check_target(target)?;
        if !options.force && target.symlink_metadata().is_ok() {
            return Err(PipelineError::Exists { path: target.to_owned() });
        }
        if !release.is_present() && !options.allow_not_present {
            return Err(PipelineError::NotPresent { achieved: release.achieved, delta: release.delta });
        }
        let sizes: u64 = self.inputs.iter().map(|input| progress::size_of(&input.path)).sum();
        progress::metered(observer, ExportStage::Checking, sizes, |meter| self.check_inputs(meter))?;
        let (count, content) =
            progress::metered(observer, ExportStage::Reading, self.private_table_rows(), |meter| {
                let (header, rows) = self.rows(release, meter)?;
                let count = rows.len() as u64;
                Ok((count, write::render(&header, rows).map_err(DataError::io("write", target))?))
            })?;
        let bytes = content.len() as u64;
        progress::tell(observer, ExportStage::Writing, 0, bytes)?;
        let check = |temporary: &Path| {
            progress::tell(observer, ExportStage::Writing, bytes, bytes)?;
            progress::metered(observer, ExportStage::Verifying, self.raw_rows(), |meter| {
                self.check_written(release, temporary, options, meter)
            })
        };
        let verification = write::write_whole(disk, target, options.force, &content, check).map_err(
            |error| match error {
                WriteError::Exists { path } => PipelineError::Exists { path },
                WriteError::Disk(error) => error.into(),
                WriteError::Refused(error) => error,
            },
        )?;
        Ok(Written { path: target.to_owned(), rows: count, bytes, verification })
    }

    /// Verifies a written release against the raw tables and the hierarchies.
    ///
    /// # Errors
    /// [`PipelineError::Verify`] where an input cannot be read; what is wrong with the release is in the findings.
    pub fn verify(&self, delta: Delta, written: &Path) -> Result<Findings, PipelineError> {
        Ok(verify::verify(&verify_spec(&self.project, delta), written)?)
    }

    fn check_written(
        &self,
        release: &Release,
        temporary: &Path,
        options: ExportOptions,
        meter: &mut Meter,
    ) -> Result<Verification, PipelineError> {
        let spec = verify_spec(&self.project, release.delta);
        let findings = verify::verify_watched(&spec, temporary, meter)?;
        if !findings.is_faithful() {
            let problems: Vec<String> = findings.problems.iter().map(ToString::to_string).collect();
            return Err(PipelineError::Unfaithful(problems.join("; ")));
        }
        let achieved = Achieved { min: findings.achieved_min, max: findings.achieved_max };
        if !findings.is_present() && !options.allow_not_present {
            return Err(PipelineError::NotPresent { achieved, delta: release.delta });
        }
        if achieved != release.achieved {
            let (found, expected) = (achieved, release.achieved);
            return Err(PipelineError::Unfaithful(format!(
                "presence {} to {} instead of {} to {}",
                found.min, found.max, expected.min, expected.max
            )));
        }
        let Findings { rows, classes, unmatched, .. } = findings;
        Ok(Verification { achieved, rows, classes, unmatched })
    }

    /// Refuses, whatever was said about overwriting, a name that is an input's, or that is no file's.
    fn check_target(&self, target: &Path) -> Result<(), PipelineError> {
        let Ok(metadata) = target.symlink_metadata() else { return Ok(()) };
        // Two names of one file are found out by where they lead; a link is followed to see whether it is an input's.
        if let Ok(real) = target.canonicalize()
            && self.inputs.iter().any(|input| input.path.canonicalize().is_ok_and(|own| own == real))
        {
            return Err(PipelineError::TargetIsInput { path: target.to_owned() });
        }
        if metadata.is_file() {
            Ok(())
        } else {
            Err(PipelineError::TargetIsNoFile { path: target.to_owned() })
        }
    }

    /// Refuses where a file is no longer the one that was loaded.
    fn check_inputs(&self, meter: &mut Meter) -> Result<(), PipelineError> {
        let mut before = 0;
        for input in &self.inputs {
            if read::hash_watched(&input.path, &mut |done| meter(before + done))? != input.sha256 {
                return Err(PipelineError::InputChanged { path: input.path.clone() });
            }
            before += progress::size_of(&input.path);
        }
        Ok(())
    }

    /// The rows of the file that T is in.
    fn private_table_rows(&self) -> u64 {
        if self.project.member_column().is_some() { self.public_rows } else { self.private_rows }
    }

    /// The rows of P's file, and of T's where it has its own.
    fn raw_rows(&self) -> u64 {
        let own = if self.project.member_column().is_some() { 0 } else { self.private_rows };
        self.public_rows + own
    }

    /// The header and the rows of a release, in T's order. The meter is told of the rows of T's file that are done.
    pub(super) fn rows(
        &self,
        release: &Release,
        meter: &mut Meter,
    ) -> Result<(Vec<String>, Vec<Vec<String>>), PipelineError> {
        /// How many rows are done between two tellings.
        const STRIDE: usize = 1 << 14;
        let is_written = |column: &&String| {
            let attribute = self.attribute_of(column);
            attribute.is_some_and(|attribute| attribute.role.is_written())
        };
        let header: Vec<String> = self.private.columns().iter().filter(is_written).cloned().collect();
        let quasi: Vec<&str> =
            self.project.quasi().map(|(attribute, _)| self.project.private_column(attribute)).collect();
        let weight = self.project.public.count.as_deref().filter(|_| self.project.member_column().is_some());
        let wanted: Vec<&str> =
            header.iter().map(String::as_str).chain(weight).chain(self.project.member_column()).collect();
        let texts = self.private.rows(&wanted)?;
        let place = |column: &str| wanted.iter().position(|wanted| *wanted == column).unwrap_or_default();
        let quasi_places: Vec<usize> = quasi.iter().map(|column| place(column)).collect();
        let labels: Vec<Vec<String>> =
            release.classes.classes.iter().map(|class| class.texts(&self.problem)).collect();
        let changed = || DataError::Changed { path: self.private.path().to_owned() };
        let mut written = Vec::new();
        for row in 0..texts.first().map_or(0, Vec::len) {
            if row % STRIDE == 0 && meter(row as u64).is_break() {
                return Err(PipelineError::Cancelled);
            }
            if self
                .project
                .member_column()
                .is_some_and(|member| tally::is_member(&texts[place(member)][row]) != Some(true))
            {
                continue;
            }
            let codes =
                (0..).zip(&quasi_places).map(|(nth, &place)| self.encoder.code(nth, &texts[place][row]));
            let codes: Vec<Code> = codes.collect::<Option<_>>().ok_or_else(changed)?;
            let combination = self.problem.histogram().find(&codes).ok_or_else(changed)?;
            let class = release.classes.class_of[combination] as usize;
            let mut fields: Vec<String> =
                texts[..header.len()].iter().map(|column| column[row].clone()).collect();
            for (nth, &place) in quasi_places.iter().enumerate() {
                fields[place].clone_from(&labels[class][nth]);
            }
            let people = weight.map_or(Some(1), |count| tally::count_of(&texts[place(count)][row]));
            written.extend(std::iter::repeat_n(
                fields,
                usize::try_from(people.ok_or_else(changed)?).unwrap_or(0),
            ));
        }
        if written.len() as u64 != self.problem.histogram().total().private {
            return Err(changed().into());
        }
        Ok((header, written))
    }

    /// The attribute of a column of T.
    fn attribute_of(&self, column: &str) -> Option<&Attribute> {
        self.project.attributes.iter().find(|attribute| self.project.private_column(attribute) == column)
    }
}

/// What the verifier needs to know of a project.
pub(super) fn verify_spec(project: &Project, delta: Delta) -> VerifySpec {
    let attribute = |attribute: &Attribute| AttributeSpec {
        name: attribute.name.clone(),
        role: attribute.role,
        public_column: attribute.public_column.clone(),
        private_column: project.private_column(attribute).to_owned(),
        hierarchy: attribute.hierarchy.as_ref().map(|file| HierarchySource {
            path: file.path.clone(),
            kind: file.kind,
            public_level: file.public_level,
        }),
        repeats: attribute.repeats,
    };
    VerifySpec {
        public: TableSource { path: project.public.path.clone(), separator: project.public.separator },
        count: project.public.count.clone(),
        private: match &project.private {
            PrivateSource::Table { path, separator } => {
                verify::PrivateSource::Table(TableSource { path: path.clone(), separator: *separator })
            }
            PrivateSource::Member { column } => verify::PrivateSource::Member(column.clone()),
        },
        attributes: project.attributes.iter().map(attribute).collect(),
        unlisted_dropped: project.drop_unlisted,
        delta,
        forbids_empty: project.empty_regions == EmptyRegions::Forbid,
    }
}
