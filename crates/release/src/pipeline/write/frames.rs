//! Analyses of frames: tables that the caller has in memory. Releases and classes are returned as
//! frames.
//!
//! The tables become files of a private folder, which is removed with the analysis. `verify` reads
//! these files by itself, as it reads all other tables. The release equals, byte for byte, the
//! release of the same tables on disk.

use std::fs;
use std::path::Path;

use polars::prelude::*;

use crate::pipeline::write::export;
use crate::pipeline::{Analysis, ExportOptions, Overrides, PipelineError};
use palmtop_core::located::LocatedError;
use palmtop_core::model::ClassColumns;
use palmtop_search::release::{Release, Verification};
use palmtop_tables::error::DataError;
use palmtop_tables::read::{Table, TableSpec};
use palmtop_tables::write::PrivateFolder;

/// The settings of an analysis of frames: the text of a project file without the files of its
/// tables.
///
/// `[public]` and `[private]` are optional. They are needed only for other keys, such as `count`,
/// `member` or `unlisted`. With `member`, T is part of P, and the private frame is ignored.
#[derive(Clone, Debug)]
pub struct FrameSettings<'a> {
    /// The text of the settings, as TOML.
    pub text: &'a str,
    /// The folder for relative paths of hierarchies and rates.
    pub folder: &'a Path,
}

impl Analysis {
    /// Loads two tables from frames in memory: P, and T, which is part of P.
    ///
    /// A column may have any type that a Parquet file supports. The type determines the text of
    /// each value, as `docs/tables-and-values.md` lists.
    ///
    /// The frames are written to a private folder (mode 0700) in the folder for temporary files.
    /// The folder is removed when the analysis is dropped.
    ///
    /// # Errors
    /// As [`load`](Self::load); [`PipelineError::Located`] if the settings name files of tables, or
    /// if a frame cannot be written.
    ///
    /// # Examples
    /// ```
    /// use palmtop_release::pipeline::{Analysis, FrameSettings};
    /// use palmtop_core::progress::unwatched;
    /// use palmtop_search::{Config, Strategy};
    /// use polars::prelude::*;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let public = df!("age" => [30, 31, 32, 33, 34, 35], "sex" => ["f", "m", "f", "m", "f", "m"])?;
    /// let private = df!("age" => [31, 34], "sex" => ["m", "f"], "diagnosis" => ["flu", "gout"])?;
    /// # let folder = tempfile::tempdir()?;
    /// # std::fs::write(folder.path().join("age.toml"), "type = \"interval\"\nwidths = [2, 6]\n")?;
    /// # std::fs::write(folder.path().join("sex.toml"), "type = \"flat\"\n")?;
    /// let text = r#"
    ///     delta = { max = "1/2" }
    ///     [[attribute]]
    ///     name = "age"
    ///     role = "quasi"
    ///     hierarchy = "age.toml"
    ///     [[attribute]]
    ///     name = "sex"
    ///     role = "quasi"
    ///     hierarchy = "sex.toml"
    ///     [[attribute]]
    ///     name = "diagnosis"
    ///     role = "sensitive"
    /// "#;
    /// let settings = FrameSettings { text, folder: folder.path() };
    /// let analysis = Analysis::of_frames(&public, &private, &settings)?;
    /// let found = analysis.search(analysis.problem(), Strategy::Spalm, &Config::default(), &mut unwatched);
    /// let (release, verification) = analysis.release_frame(&found.release.ok_or("there is none")?)?;
    /// assert_eq!(release.get_column_names(), ["age", "sex", "diagnosis"]);
    /// assert_eq!((release.height(), verification.achieved.max.to_string()), (2, "1/3".to_owned()));
    /// # Ok(())
    /// # }
    /// ```
    pub fn of_frames(
        public: &DataFrame,
        private: &DataFrame,
        settings: &FrameSettings,
    ) -> Result<Self, PipelineError> {
        let project = settings.project()?;
        let mut files = vec![(PROJECT, project.text.into_bytes()), (PUBLIC, bytes(PUBLIC, public)?)];
        if project.has_private {
            files.push((PRIVATE, bytes(PRIVATE, private)?));
        }
        let files = files.iter().map(|(name, bytes)| (Path::new(name), bytes.as_slice()));
        let folder = PrivateFolder::create("palmtop-frames-", files)?;
        let path = folder.path().join(PROJECT);
        let mut analysis = Self::load(&path, &Overrides::default())?;
        analysis.frames = Some(folder);
        Ok(analysis)
    }

    /// A release as a frame of texts with sorted rows, and the result of its verification.
    ///
    /// The release is written to a private folder, verified as every export is, and removed.
    ///
    /// # Errors
    /// As [`export::write`](crate::pipeline::write::export::write).
    pub fn release_frame(&self, release: &Release) -> Result<(DataFrame, Verification), PipelineError> {
        let folder = PrivateFolder::create("palmtop-release-", [])?;
        let path = folder.path().join("release.csv");
        let written = export::write(self, release, &path, ExportOptions::default())?;
        let frame = Table::open(&TableSpec::of_all_rows(path))?.to_frame()?;
        Ok((frame, written.verification))
    }

    /// The classes of a release as a frame, with these columns:
    ///
    /// - one column of labels for each quasi-identifier,
    /// - `public` and `private`: the number of people of P and of T in the class,
    /// - `presence`: the ratio of `private` to `public`.
    ///
    /// # Errors
    /// [`PipelineError::Located`] if a quasi-identifier has the name of one of these three columns.
    pub fn classes_frame(&self, release: &Release) -> Result<DataFrame, PipelineError> {
        let problem = self.problem();
        let classes = ClassColumns::of(problem, &release.classes);
        let labels = problem.quasi().iter().enumerate().map(|(attribute, quasi)| {
            let labels = classes.labels(attribute);
            let texts: StringChunked = labels
                .label_of()
                .iter()
                .map(|&label| Some(labels.texts()[label as usize].as_str()))
                .collect();
            texts.with_name(quasi.name.as_str().into()).into_column()
        });
        let mut columns: Vec<Column> = labels.collect();
        let counts = || release.classes.all_counts();
        columns.push(Column::new("public".into(), counts().map(|counts| counts.public).collect::<Vec<_>>()));
        columns
            .push(Column::new("private".into(), counts().map(|counts| counts.private).collect::<Vec<_>>()));
        let presence = counts().map(|counts| counts.presence().to_f64()).collect::<Vec<f64>>();
        columns.push(Column::new("presence".into(), presence));
        DataFrame::new_infer_height(columns).map_err(|error| in_memory(&error.to_string()))
    }
}

const PROJECT: &str = "project.toml";
const PUBLIC: &str = "public.parquet";
const PRIVATE: &str = "private.parquet";

/// The text of a project file for the two tables.
struct Written {
    text: String,
    /// Whether T has a separate file.
    has_private: bool,
}

impl FrameSettings<'_> {
    /// The text of a project file in the folder of the two tables, with absolute paths of
    /// hierarchies and rates.
    fn project(&self) -> Result<Written, PipelineError> {
        let mut project: toml::Table = self
            .text
            .parse()
            .map_err(|error: toml::de::Error| in_memory(&format!("the settings are not TOML: {error}")))?;
        let folder = fs::canonicalize(self.folder).map_err(io(self.folder))?;
        let absolute = |value: &mut toml::Value| {
            if let Some(path) = value.as_str() {
                *value = folder.join(path).display().to_string().into();
            }
        };
        let attributes = project.get_mut("attribute").and_then(toml::Value::as_array_mut);
        for attribute in attributes.into_iter().flatten().filter_map(toml::Value::as_table_mut) {
            attribute.get_mut("hierarchy").map(absolute);
        }
        let has_private = project.get("public").is_none_or(|public| public.get("member").is_none());
        let tables = [("public", PUBLIC), ("private", PRIVATE)];
        for (table, file) in tables.into_iter().filter(|(table, _)| *table == "public" || has_private) {
            let keys = project.entry(table).or_insert_with(|| toml::Table::new().into());
            let keys =
                keys.as_table_mut().ok_or_else(|| in_memory(&format!("`{table}` is no table of keys")))?;
            if keys.contains_key("path") {
                return Err(in_memory(&format!(
                    "[{table}] names files, and its rows are a frame: leave `path` out"
                )));
            }
            keys.insert("path".to_owned(), file.into());
        }
        Ok(Written { text: project.to_string(), has_private })
    }
}

/// A frame as the bytes of a Parquet file.
fn bytes(name: &str, frame: &DataFrame) -> Result<Vec<u8>, PipelineError> {
    let (mut bytes, mut frame) = (Vec::new(), frame.clone());
    let writer = ParquetWriter::new(&mut bytes)
        .with_compression(ParquetCompression::Uncompressed)
        .with_statistics(StatisticsOptions::empty());
    let written = writer.finish(&mut frame);
    written.map_err(|error| in_memory(&format!("{name}: {error}")))?;
    Ok(bytes)
}

/// Frames or their settings allow no analysis; `fault` in words.
fn in_memory(fault: &str) -> PipelineError {
    LocatedError::new(format!("tables in memory: {fault}")).into()
}

fn io(path: &Path) -> impl FnOnce(std::io::Error) -> PipelineError {
    |source| DataError::io("read", path)(source).into()
}
