//! A project of ARX (`.deid`): its table, the settings of its columns, its criteria, and the research
//! subset.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use csv::{QuoteStyle, StringRecord, WriterBuilder};

use super::archive::{Archive, TABLE};
use super::criterion::{Criterion, decimal};
use super::rows::{Form, Imported, NO_VALUE, is_value, of_rows};
use super::settings::{self, Assignment, Configuration};
use super::subset;
use crate::error::DataError;
use crate::hierarchies::read_rows;
use crate::read::Listed;
use crate::read::records::Records;
use palmtop_core::located::LocatedError;
use palmtop_core::model::Role;
use palmtop_core::words::chain;

/// A project of ARX.
#[derive(Clone, Debug)]
pub struct ArxProject {
    /// The version of ARX that wrote it.
    pub version: String,
    /// The columns, in the order of the table.
    pub attributes: Vec<ArxAttribute>,
    /// The criteria.
    pub criteria: Vec<Criterion>,
    /// The share of rows that ARX may suppress, a decimal.
    pub suppression_limit: Option<String>,
    /// The utility measure, as ARX names it.
    pub metric: Option<String>,
    records: Vec<StringRecord>,
    members: Option<Vec<bool>>,
}

/// A column of an ARX project.
#[derive(Clone, Debug)]
pub struct ArxAttribute {
    /// The name of the column.
    pub name: String,
    /// The role that ARX has for the column.
    pub role: Role,
    /// The hierarchy, or the reason why palmtop cannot have it.
    pub hierarchy: Option<Result<Imported, String>>,
    /// The finest and the coarsest level that ARX may use; `None` for any.
    pub levels: (Option<u8>, Option<u8>),
    /// The weight, a decimal.
    pub weight: Option<String>,
    /// The function of microaggregation, which in ARX replaces generalization.
    pub microaggregation: Option<String>,
}

impl ArxProject {
    /// Reads a project file.
    ///
    /// # Errors
    /// A [`DataError`] with the file and the part: it is damaged, lacks a part, or has something that
    /// ARX does not write.
    pub fn read(path: &Path) -> Result<Self, DataError> {
        let mut archive = Archive::open(path)?;
        let version = read_part(&mut archive, "metadata.xml", settings::version)?;
        let separator = read_part(&mut archive, "project.xml", settings::separator)?;
        let configuration = read_part(&mut archive, "input/config.xml", settings::configuration)?;
        let assignments = read_part(&mut archive, "input/definition.xml", settings::assignments)?;
        let (header, records) = read_table(&mut archive, path, separator)?;
        let members =
            read_part(&mut archive, "input/config.dat", |bytes| subset::read(bytes, records.len()))?;
        check_columns(&archive, &header, &assignments)?;
        let mut attributes = Vec::new();
        for name in header {
            let assignment = assignments.iter().find(|assignment| assignment.name == name);
            let assignment = assignment.cloned().unwrap_or_default();
            attributes.push(attribute(&mut archive, path, separator, name, assignment, &configuration)?);
        }
        Ok(Self {
            version,
            attributes,
            criteria: configuration.criteria.iter().map(|text| Criterion::read(text)).collect(),
            suppression_limit: configuration.suppression_limit.as_deref().and_then(decimal),
            metric: configuration.metric,
            records,
            members,
        })
    }

    /// Whether the project has a research subset: some of the rows, and not all.
    pub fn has_subset(&self) -> bool {
        self.members.is_some()
    }

    /// The names of the columns with one of these roles, in the order of the table.
    pub fn columns(&self, roles: &[Role]) -> Vec<&str> {
        let attributes = self.attributes.iter().filter(|attribute| roles.contains(&attribute.role));
        attributes.map(|attribute| attribute.name.as_str()).collect()
    }

    /// The table of all rows with the columns of these roles, for a file at a path.
    pub fn table(&self, path: &Path, roles: &[Role]) -> Listed {
        let rows = self.records.iter().map(|record| self.project(record, roles));
        self.listed(path, roles, rows.collect())
    }

    /// The table of the research subset with the columns of these roles, for a file at a path.
    pub fn subset(&self, path: &Path, roles: &[Role]) -> Listed {
        let members = self.members.iter().flatten().zip(&self.records).filter(|(is_member, _)| **is_member);
        self.listed(path, roles, members.map(|(_, record)| self.project(record, roles)).collect())
    }

    fn listed(&self, path: &Path, roles: &[Role], rows: Vec<StringRecord>) -> Listed {
        Listed::new(path, self.columns(roles).into_iter().map(ToOwned::to_owned).collect(), rows)
    }

    fn project(&self, record: &StringRecord, roles: &[Role]) -> StringRecord {
        let fields = record.iter().zip(&self.attributes);
        fields.filter(|(_, attribute)| roles.contains(&attribute.role)).map(|(field, _)| field).collect()
    }
}

/// Reads a part, and names it in errors.
fn read_part<T>(
    archive: &mut Archive,
    part: &str,
    read: impl FnOnce(&[u8]) -> Result<T, String>,
) -> Result<T, DataError> {
    let bytes = archive.require(part)?;
    read(&bytes)
        .map_err(|problem| archive.wrong(part, &problem).remedy("save the project in ARX 3.9 again").into())
}

/// The path of a part in messages.
fn path_of(path: &Path, part: &str) -> PathBuf {
    PathBuf::from(format!("{}, part {part}", path.display()))
}

/// The same CSV with every quote inside an unquoted field doubled, and the field quoted. ARX writes such a field, `5" pipe`,
/// as it is.
fn with_quoted_fields(bytes: &[u8], separator: u8) -> Vec<u8> {
    let is_end = |byte: u8| byte == separator || byte == b'\n' || byte == b'\r';
    let mut written = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(&first) = rest.first() {
        let length = if first == b'"' {
            // The field ends at a quote that is not one of a pair.
            let mut index = 1;
            while index < rest.len() && (rest[index] != b'"' || rest.get(index + 1) == Some(&b'"')) {
                index += if rest[index] == b'"' { 2 } else { 1 };
            }
            (index + 1).min(rest.len())
        } else {
            rest.iter().position(|byte| is_end(*byte)).unwrap_or(rest.len())
        };
        let (field, after) = rest.split_at(length);
        if first != b'"' && field.contains(&b'"') {
            written.push(b'"');
            for byte in field {
                written.extend(std::iter::repeat_n(*byte, if *byte == b'"' { 2 } else { 1 }));
            }
            written.push(b'"');
        } else {
            written.extend(field);
        }
        // What ends the field.
        let ends = after.iter().take(1);
        written.extend(ends);
        rest = after.get(1..).unwrap_or_default();
    }
    written
}

/// The header and the records of a part in CSV form.
fn read_records(path: &Path, bytes: &[u8], separator: u8) -> Result<Vec<StringRecord>, DataError> {
    let bytes = with_quoted_fields(bytes, separator);
    let mut records = Records::new(path, separator, Some(b'"'), bytes.as_slice());
    let mut read: Vec<StringRecord> = Vec::new();
    while let Some(record) = records.next()? {
        let fields = record.texts(&[]).collect::<Result<StringRecord, DataError>>()?;
        if let Some(first) = read.first().filter(|first| first.len() != fields.len()) {
            let (expected, found) = (first.len(), fields.len());
            return Err(LocatedError::new(format!("{found} fields, but the first line has {expected}"))
                .in_file(path)
                .at_line(record.line)
                .remedy("save the project in ARX again")
                .into());
        }
        read.push(fields);
    }
    Ok(read)
}

/// The columns and the rows of the table.
fn read_table(
    archive: &mut Archive,
    path: &Path,
    separator: u8,
) -> Result<(Vec<String>, Vec<StringRecord>), DataError> {
    let bytes = archive.require(TABLE)?;
    let mut records =
        read_records(&path_of(path, TABLE), &bytes, separator).map_err(|error| match error {
            // The remedy of a table, its encoding in a project, is none here.
            DataError::NotUtf8(field) => {
                let wrong = archive.wrong(TABLE, &format!("line {} is not UTF-8", field.line));
                DataError::from(wrong.remedy("save the project in ARX again"))
            }
            error => error,
        })?;
    if records.len() < 2 {
        return Err(archive
            .wrong(TABLE, "it has no rows")
            .remedy("import data in ARX, and save the project again")
            .into());
    }
    let rows = records.split_off(1);
    Ok((records[0].iter().map(ToOwned::to_owned).collect(), rows))
}

/// Refuses columns with one name, and settings of a column that the table lacks.
fn check_columns(archive: &Archive, header: &[String], assignments: &[Assignment]) -> Result<(), DataError> {
    let mut seen = BTreeSet::new();
    if let Some(name) = header.iter().find(|name| !seen.insert(name.as_str())) {
        let problem = format!("two columns have the name `{name}`");
        return Err(archive.wrong(TABLE, &problem).remedy("rename one of them in ARX").into());
    }
    let mut assigned = BTreeSet::new();
    for Assignment { name, .. } in assignments {
        let problem = if !seen.contains(name.as_str()) {
            format!("it has settings of `{name}`, a column that the table lacks")
        } else if !assigned.insert(name) {
            format!("it has settings of the column `{name}` twice")
        } else {
            continue;
        };
        let wrong = archive.wrong("input/definition.xml", &problem);
        return Err(wrong.remedy("save the project in ARX again").into());
    }
    Ok(())
}

/// The settings of a column.
fn attribute(
    archive: &mut Archive,
    path: &Path,
    separator: u8,
    name: String,
    assignment: Assignment,
    configuration: &Configuration,
) -> Result<ArxAttribute, DataError> {
    let role = match assignment.role.as_str() {
        "QUASI_IDENTIFYING_ATTRIBUTE" => Role::Quasi,
        "SENSITIVE_ATTRIBUTE" => Role::Sensitive,
        "INSENSITIVE_ATTRIBUTE" => Role::Insensitive,
        // ARX takes a column without a role for an identifying one.
        "IDENTIFYING_ATTRIBUTE" | "" => Role::Identifier,
        other => {
            let problem = format!("the type of `{name}` is {other:?}, which is no type of ARX");
            let wrong = archive.wrong("input/definition.xml", &problem);
            return Err(wrong.remedy("save the project in ARX again").into());
        }
    };
    let (mut hierarchy, mut levels) = (None, assignment.levels);
    if let (Role::Quasi, Some(reference)) = (role, &assignment.hierarchy) {
        let part = format!("input/{reference}");
        hierarchy = match archive.find(&part)? {
            None => Some(Err(format!("the project lacks its part `{part}`"))),
            Some(bytes) => match read_records(&path_of(path, &part), &bytes, separator) {
                Err(DataError::NotUtf8(field)) => {
                    Some(Err(format!("line {} of its part `{part}` is not UTF-8", field.line)))
                }
                Err(error) => Some(Err(error.to_string())),
                Ok(records) => Some(imported(&part, records, &mut levels)),
            },
        };
    }
    let written = configuration.weights.get(&name).map(String::as_str);
    Ok(ArxAttribute {
        // ARX gives a column without a weight this one.
        weight: decimal(written.unwrap_or("0.5")),
        name,
        role,
        hierarchy,
        levels,
        microaggregation: assignment.microaggregation,
    })
}

/// The hierarchy of a part. Levels that are no limit are dropped.
fn imported(
    part: &str,
    mut records: Vec<StringRecord>,
    levels: &mut (Option<u8>, Option<u8>),
) -> Result<Imported, String> {
    let all = records.len();
    records.retain(|record| record.get(0).is_some_and(is_value));
    let top = records.first().map_or(0, |record| record.len().saturating_sub(1));
    let tops: BTreeSet<&str> = records.iter().filter_map(|record| record.iter().next_back()).collect();
    // A level `*` is put above a last level with several labels.
    let is_coarsest = |level: &u8| usize::from(*level) >= top && tops.len() == 1;
    levels.0 = levels.0.filter(|finest| *finest > 0);
    levels.1 = levels.1.filter(|coarsest| !is_coarsest(coarsest));
    let mut imported = translate(Path::new(part), &records)?;
    imported.notes.extend((records.len() < all).then(|| NO_VALUE.to_owned()));
    imported.notes.extend((tops.len() > 1).then(|| {
        format!(
            "its last level has {} labels; here, a level `*` is above it, which `levels = \"-{top}\"` forbids",
            tops.len()
        )
    }));
    Ok(imported)
}

/// Translates a hierarchy, or returns the reason why it is none of palmtop.
fn translate(part: &Path, records: &[StringRecord]) -> Result<Imported, String> {
    // The reader of hierarchies finds the separator by itself, so every field gets quotes.
    let mut writer =
        WriterBuilder::new().delimiter(b';').quote_style(QuoteStyle::Always).from_writer(Vec::new());
    for record in records {
        writer.write_record(record).map_err(|error| error.to_string())?;
    }
    let bytes = writer.into_inner().map_err(|error| error.to_string())?;
    let imported = read_rows(part, &bytes).and_then(|rows| of_rows(part, rows, Form::Csv));
    imported.map_err(|error| chain(&error))
}

#[cfg(test)]
pub(crate) mod tests;
