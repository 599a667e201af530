//! An error as fields, for a program that reads the messages as JSON.

use std::error::Error;
use std::path::Path;

use palmtop_core::located::{LocatedError, Position};
use palmtop_proposal::ProposalError;
use palmtop_release::fetch::FetchError;
use palmtop_release::history::HistoryError;
use palmtop_release::pipeline::PipelineError;
use palmtop_release::report::ReportError;
use palmtop_tables::error::DataError;
use palmtop_tables::write::TargetError;
use palmtop_verify::VerifyError;
use serde::Serialize;

/// Where an error is, and what was expected there. What the error does not name is absent.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Fault {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// A line of a text file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    /// A row of a table, from 1. The header does not count.
    #[serde(skip_serializing_if = "Option::is_none")]
    row: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remedy: Option<String>,
}

/// The positions of an error, one for each file, column and value that it names.
pub(crate) fn faults(error: &anyhow::Error) -> Vec<Fault> {
    let mut faults = Vec::new();
    for cause in error.chain() {
        of_cause(cause, &mut faults);
    }
    faults
}

/// Adds the positions of one error of a chain. An error that passes on another one hides its type from the chain.
fn of_cause(cause: &(dyn Error + 'static), faults: &mut Vec<Fault>) {
    if let Some(located) = cause.downcast_ref::<LocatedError>() {
        faults.push(of_located(located));
    } else if let Some(data) = cause.downcast_ref::<DataError>() {
        of_data(data, faults);
    } else if let Some(VerifyError::Located(located)) = cause.downcast_ref() {
        faults.push(of_located(located));
    } else if let Some(error) = cause.downcast_ref::<PipelineError>() {
        of_pipeline(error, faults);
    } else if let Some(ProposalError::Data(data)) = cause.downcast_ref() {
        of_data(data, faults);
    } else if let Some(FetchError::Data(data)) = cause.downcast_ref() {
        of_data(data, faults);
    } else if let Some(error) = cause.downcast_ref::<HistoryError>() {
        match error {
            HistoryError::Located(located) => faults.push(of_located(located)),
            HistoryError::Data(data) => of_data(data, faults),
            _ => {}
        }
    } else if let Some(error) = cause.downcast_ref::<ReportError>() {
        match error {
            ReportError::Pipeline(error) => of_pipeline(error, faults),
            ReportError::History(history) => of_cause(history, faults),
            ReportError::Data(data) => of_data(data, faults),
            ReportError::Located(located) => faults.push(of_located(located)),
            _ => {}
        }
    }
}

fn of_pipeline(error: &PipelineError, faults: &mut Vec<Fault>) {
    match error {
        PipelineError::Located(located)
        | PipelineError::SeveralValues(located)
        | PipelineError::BeyondPublic(located)
        | PipelineError::UnusableEarlierRelease(located)
        | PipelineError::Verify(VerifyError::Located(located)) => faults.push(of_located(located)),
        PipelineError::Data(data) => of_data(data, faults),
        PipelineError::Refused { path, .. } | PipelineError::InputChanged { path } => {
            faults.push(Fault { file: Some(name(path)), ..Fault::default() });
        }
        PipelineError::Target(target) => of_target(target, faults),
        PipelineError::Record(error) => of_cause(error.as_ref(), faults),
        _ => {}
    }
}

fn of_target(error: &TargetError, faults: &mut Vec<Fault>) {
    match error {
        TargetError::Disk(data) => of_data(data, faults),
        TargetError::Exists { path }
        | TargetError::IsInput { path }
        | TargetError::IsMatched { path, .. }
        | TargetError::IsHistory { path }
        | TargetError::IsWritten { path }
        | TargetError::IsNoFile { path } => faults.push(Fault { file: Some(name(path)), ..Fault::default() }),
    }
}

fn of_data(error: &DataError, faults: &mut Vec<Fault>) {
    match error {
        DataError::Located(located) => faults.push(of_located(located)),
        DataError::NotUtf8(field) => faults.push(Fault {
            file: Some(name(&field.path)),
            line: Some(field.line),
            column: field.column.clone(),
            ..Fault::default()
        }),
        DataError::Refused(refused) => faults.extend(refused.values.iter().map(|value| Fault {
            file: Some(name(&refused.table)),
            row: value.row.as_ref().map(|position| position.row),
            column: Some(refused.column.clone()),
            value: Some(value.text.clone()),
            remedy: Some(refused.advice.join("\n")),
            ..Fault::default()
        })),
        DataError::NotInPublic(outside) => faults.extend(outside.excess.rows.iter().map(|position| Fault {
            file: Some(name(&outside.excess.private)),
            row: Some(position.row),
            ..Fault::default()
        })),
        DataError::Several(errors) => errors.iter().for_each(|error| of_data(error, faults)),
        _ => {}
    }
}

fn of_located(error: &LocatedError) -> Fault {
    let mut fault = Fault {
        file: error.file().map(name),
        problem: Some(error.problem().to_owned()).filter(|problem| !problem.is_empty()),
        expected: error.expectation().map(str::to_owned),
        remedy: error.advice().map(str::to_owned),
        ..Fault::default()
    };
    for position in error.positions() {
        match position {
            Position::Line(line) => fault.line = Some(*line),
            Position::Row(row) => fault.row = Some(*row),
            Position::Column(column) => fault.column = Some(column.clone()),
            Position::Character(_) | Position::Sheet(_) | Position::Cell(_) => {}
        }
    }
    fault
}

fn name(path: &Path) -> String {
    path.display().to_string()
}
