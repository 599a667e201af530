//! A connection by ADBC: palmtop loads the driver, sends the two statements, and reads the combinations in batches.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use adbc_core::error::{Error, Status};
use adbc_core::options::{AdbcVersion, OptionStatement, OptionValue};
use adbc_core::sync::{CancelHandle, Connection as _, Database, Driver, Optionable, Statement};
use adbc_core::{LOAD_FLAG_SEARCH_ENV, LOAD_FLAG_SEARCH_SYSTEM, LOAD_FLAG_SEARCH_USER};
use adbc_driver_manager::{ManagedConnection, ManagedDatabase, ManagedDriver};
use arrow_array::{RecordBatch, RecordBatchReader};
use polars::prelude::*;

use super::access::Access;
use super::info::info;
use super::repeats::Repeated;
use super::snapshot::{Snapshot, people};
use super::{
    FetchError, FetchObserver, FetchStage, Fetched, Record, Statements, columns, database, dialect_of,
    record_path, source_of,
};
use crate::sql::{Dialect, Histogram, persons};
use palmtop_core::progress::CancelToken;
use palmtop_project::{PrivateSource, Project, PublicSource, SourceRows};
use palmtop_tables::telling::may_be_people;
use palmtop_tables::write::{Gate, RealDisk, Ward};

/// Drivers are found by manifests and profiles of the user, of the system, or of a folder in the environment; never by a relative path.
const SEARCH: u32 = LOAD_FLAG_SEARCH_ENV | LOAD_FLAG_SEARCH_USER | LOAD_FLAG_SEARCH_SYSTEM;

/// The time between two calls of the observer while the database works.
const BEAT: Duration = Duration::from_millis(100);

/// The time that a database may take to stop.
const PATIENCE: Duration = Duration::from_millis(800);

/// Fetches P of a project from its database, and writes the snapshot (mode 0600) and its record. With `force`, an earlier snapshot is
/// overwritten.
///
/// # Errors
/// A [`FetchError`] with the remedy. After every error, an earlier snapshot and its record are unchanged.
pub fn fetch(project: &Project, force: bool, observer: &mut FetchObserver) -> Result<Fetched, FetchError> {
    let (source, histogram) = source_of(project)?;
    let record_file = record_path(&source.snapshot);
    let mut gate = Gate::guarding(Ward::Input, inputs(project, source));
    gate.check(&source.snapshot, force).map_err(FetchError::Target)?;
    gate.check(&record_file, force).map_err(FetchError::Target)?;
    let started = Instant::now();
    let record = Record {
        palmtop: env!("CARGO_PKG_VERSION").to_owned(),
        connection: source.connection.name().to_owned(),
        started: chrono::DateTime::<chrono::Utc>::from(SystemTime::now())
            .format("%Y-%m-%dT%H:%M:%SZ")
            .to_string(),
        compared: Record::BYTES.to_owned(),
        ..Record::default()
    };
    let names: Vec<String> = histogram.columns().map(str::to_owned).collect();
    let count = histogram.count_column().to_owned();
    let (frame, mut record) = ask(source, histogram, record, observer)?;
    let (bytes, combinations, people) = while_asking(observer, FetchStage::Writing, move || {
        let snapshot = Snapshot::of(frame, &names, &count)?;
        Ok((snapshot.parquet()?, snapshot.combinations(), snapshot.people))
    })?;
    (record.combinations, record.people) = (combinations, people);
    record.sha256 = palmtop_tables::sha256(&bytes);
    record.seconds = started.elapsed().as_secs_f64();
    let text =
        serde_json::to_string_pretty(&record).map_err(|error| database("write the record", error))? + "\n";
    let files = [(source.snapshot.clone(), bytes), (record_file, text.into_bytes())];
    gate.put_all(&mut RealDisk, &files, force).map_err(write_error)?;
    Ok(Fetched { snapshot: source.snapshot.clone(), record })
}

/// Protects the files that a snapshot must not replace.
fn inputs<'a>(project: &'a Project, source: &'a PublicSource) -> Vec<&'a Path> {
    let mut inputs = vec![project.path.as_path()];
    if let PrivateSource::Table(table) = &project.private {
        inputs.extend(table.paths.iter().map(PathBuf::as_path));
    }
    if let SourceRows::Query(query) = &source.rows {
        inputs.push(query);
    }
    inputs
}

/// Runs work on a thread, and calls the observer meanwhile. Stopped work ends with the program.
fn while_asking<R: Send + 'static>(
    observer: &mut FetchObserver,
    stage: FetchStage,
    work: impl FnOnce() -> Result<R, FetchError> + Send + 'static,
) -> Result<R, FetchError> {
    let (give, take) = sync_channel(1);
    thread::spawn(move || {
        let _ = give.send(work());
    });
    loop {
        if observer(stage).is_break() {
            return Err(FetchError::Cancelled);
        }
        match take.recv_timeout(BEAT) {
            Ok(done) => return done,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(database("write the snapshot", "the work ended"));
            }
        }
    }
}

fn write_error(error: palmtop_tables::write::WriteError<std::convert::Infallible>) -> FetchError {
    use palmtop_tables::write::WriteError;
    match error {
        WriteError::Target(error) => FetchError::Target(error),
        WriteError::Disk(error) => error.into(),
        WriteError::Refused(never) => match never {},
    }
}

/// A handle that stops the work of a connection.
type Handles = Arc<[Box<dyn CancelHandle>]>;

/// A message of the worker.
enum Message {
    Stage(FetchStage),
    /// The handle that stops the worker's current work.
    Cancel(Handles),
    Frame(DataFrame),
    Done(Result<Box<Record>, FetchError>),
}

/// Runs the statements on a separate thread, so that the observer is called during a long statement.
fn ask(
    source: &PublicSource,
    histogram: Histogram,
    record: Record,
    observer: &mut FetchObserver,
) -> Result<(DataFrame, Record), FetchError> {
    let (give, take) = sync_channel(4);
    let stopped = CancelToken::default();
    let worker = Worker { access: Access::of(source)?, histogram, record, give, stopped: stopped.clone() };
    // If a driver does not stop, its thread ends with the program.
    thread::spawn(move || {
        let Worker { give, .. } = &worker;
        let give = give.clone();
        let done = worker.run();
        let _ = give.send(Message::Done(done));
    });
    let mut frames: Option<DataFrame> = None;
    let mut cancel = Handles::default();
    let mut stage = FetchStage::Connecting;
    loop {
        match take.recv_timeout(BEAT) {
            Ok(Message::Stage(next)) => stage = next,
            Ok(Message::Cancel(handles)) => cancel = handles,
            Ok(Message::Frame(frame)) => match &mut frames {
                None => frames = Some(frame),
                Some(frames) => {
                    let added = frames.vstack_mut(&frame).map(|_| ());
                    added.map_err(|error| database("read the result", error))?;
                }
            },
            Ok(Message::Done(done)) => {
                let record = *done?;
                let frames = frames.ok_or_else(|| database("read the result", "it has no columns"))?;
                return Ok((frames, record));
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(database("ask the database", "its driver ended"));
            }
        }
        if observer(stage).is_break() {
            stopped.cancel();
            stop(cancel, &take);
            return Err(FetchError::Cancelled);
        }
    }
}

/// Repeats the request to stop, because a statement may be about to start, and waits for the end for a short time.
fn stop(mut cancel: Handles, take: &Receiver<Message>) {
    /// The time between two requests to stop.
    const AGAIN: Duration = Duration::from_millis(200);
    let until = Instant::now() + PATIENCE;
    tell_to_stop(&cancel);
    while Instant::now() < until {
        match take.recv_timeout(AGAIN) {
            Ok(Message::Cancel(handles)) => {
                cancel = handles;
                tell_to_stop(&cancel);
            }
            Ok(Message::Done(_)) | Err(RecvTimeoutError::Disconnected) => break,
            Ok(_) => {}
            Err(RecvTimeoutError::Timeout) => tell_to_stop(&cancel),
        }
    }
}

/// Sends one request to stop, on a thread, because an unreachable server may block the call. Some drivers stop a statement, others the
/// connection.
fn tell_to_stop(cancel: &Handles) {
    let handles = Arc::clone(cancel);
    thread::spawn(move || {
        for handle in handles.iter() {
            let _ = handle.try_cancel();
        }
    });
}

/// The work on the thread of the connection.
struct Worker {
    access: Access,
    histogram: Histogram,
    record: Record,
    give: SyncSender<Message>,
    stopped: CancelToken,
}

impl Worker {
    fn run(mut self) -> Result<Box<Record>, FetchError> {
        let opened = self.open()?;
        let mut connection =
            opened.new_connection().map_err(|error| self.error("connect to the database", &error))?;
        let (driver, server) = info(&connection);
        let named = format!("{server} {driver} {}", self.record.connection);
        (self.record.driver, self.record.server) = (driver, server);
        let dialect = dialect_of(&named);
        self.tell(FetchStage::Counting)?;
        self.look_for_repeats(&mut connection, dialect)?;
        let statements = Statements::of(&self.histogram, dialect);
        let [combinations] = self.numbers(&mut connection, &statements.combinations)?;
        self.tell(FetchStage::Grouping { combinations })?;
        let mut rows = 0;
        // SQLite has no column types: its driver takes the type of the first rows.
        let typed_by = (dialect == Dialect::Sqlite).then_some(combinations);
        self.each_batch(&mut connection, &statements.histogram, typed_by, |worker, batch| {
            let schema = batch.schema();
            let made = schema.fields().iter().zip(batch.columns());
            let made = made.map(|(field, values)| columns::column(field, values.as_ref()));
            let made = made.collect::<Result<Vec<_>, _>>()?;
            let frame = DataFrame::new(batch.num_rows(), made);
            let frame = frame.map_err(|error| database("read the result", error))?;
            rows += batch.num_rows() as u64;
            worker.send(Message::Frame(frame))?;
            worker.tell(FetchStage::Reading { rows, combinations })
        })?;
        if rows != combinations {
            return Err(FetchError::Incomplete { expected: combinations, found: rows });
        }
        self.record.statements.extend([statements.combinations, statements.histogram]);
        Ok(Box::new(self.record))
    }

    fn send(&self, message: Message) -> Result<(), FetchError> {
        if self.stopped.is_cancelled() {
            return Err(FetchError::Cancelled);
        }
        self.give.send(message).map_err(|_| FetchError::Cancelled)
    }

    fn tell(&self, stage: FetchStage) -> Result<(), FetchError> {
        self.send(Message::Stage(stage))
    }

    fn open(&self) -> Result<ManagedDatabase, FetchError> {
        let Access { driver, options, .. } = &self.access;
        let mut loaded = ManagedDriver::load_from_name(driver, None, AdbcVersion::V110, SEARCH, None)
            .map_err(|error| self.not_loaded(driver, &error))?;
        let opened = loaded.new_database_with_opts(options.iter().cloned());
        opened.map_err(|error| self.error("open the database", &error))
    }

    fn not_loaded(&self, driver: &str, error: &Error) -> FetchError {
        let remedy = if Path::new(driver).is_absolute() && !Path::new(driver).exists() {
            "there is no such file; correct `driver` of [public.source]"
        } else if Path::new(driver).is_absolute() {
            "check that it is an ADBC driver for this system; some need a manifest with an `entrypoint`"
        } else {
            "install its manifest for the user or the system, or give its absolute path"
        };
        FetchError::Driver {
            driver: driver.to_owned(),
            detail: self.access.secrets.scrubbed(&error.message),
            remedy,
        }
    }

    fn error(&self, action: &'static str, error: &Error) -> FetchError {
        let detail = self.access.secrets.scrubbed(&error.message);
        FetchError::Database { action, detail, remedy: remedy(error) }
    }

    /// Asks whether identifiers of P are in several rows, and counts people as the project says.
    fn look_for_repeats(
        &mut self,
        connection: &mut ManagedConnection,
        dialect: Dialect,
    ) -> Result<(), FetchError> {
        let Statements { columns: statement, repeats, .. } = Statements::of(&self.histogram, dialect);
        let mut columns = BTreeSet::new();
        self.each_batch(connection, &statement, None, |_, batch| {
            columns = batch.schema().fields().iter().map(|field| field.name().clone()).collect();
            Ok(())
        })?;
        self.record.statements.push(statement);
        self.record.persons = Some(persons(self.histogram.identifiers(), &columns));
        self.record.columns.clone_from(&columns);
        for (identifier, (column, statement)) in self.histogram.identifiers().to_vec().iter().zip(repeats) {
            if !columns.contains(&column) {
                if identifier.is_of_public {
                    let missing = format!("there is no column `{column}`, which `person` of [public] names");
                    return Err(database("look for repeated identifiers", missing));
                }
                continue;
            }
            if self.repeated(connection, statement)?.is_one_person(identifier)? {
                self.histogram = self.histogram.clone().of_distinct(&column);
            }
        }
        let maybe_persons: Vec<String> = self.histogram.maybe_persons(&columns).cloned().collect();
        for column in maybe_persons {
            let statement = self.histogram.values(&column, dialect);
            let [values, rows] = self.identifying(connection, statement)?;
            if !may_be_people(values, rows) {
                continue;
            }
            let repeated = self.repeated(connection, self.histogram.repeats(&column, dialect))?;
            if repeated.identifiers > 0 {
                let person = self.histogram.identifiers().iter().find(|identifier| identifier.is_of_public);
                return Err(repeated.asked(&column, person));
            }
        }
        Ok(())
    }

    /// The answer of a statement that looks for an identifier in several rows.
    fn repeated(
        &mut self,
        connection: &mut ManagedConnection,
        statement: String,
    ) -> Result<Repeated, FetchError> {
        let [identifiers, rows, differing] = self.identifying(connection, statement)?;
        Ok(Repeated { identifiers, rows, differing })
    }

    /// The numbers that a statement with a condition returns: which texts are identifiers.
    fn identifying<const N: usize>(
        &mut self,
        connection: &mut ManagedConnection,
        statement: String,
    ) -> Result<[u64; N], FetchError> {
        let numbers = self.numbers(connection, &statement)?;
        self.record.statements.push(statement);
        self.record.missing = Some(self.histogram.missing().clone());
        Ok(numbers)
    }

    /// The numbers in the only row of a result.
    fn numbers<const N: usize>(
        &self,
        connection: &mut ManagedConnection,
        sql: &str,
    ) -> Result<[u64; N], FetchError> {
        let mut found: Vec<u64> = Vec::new();
        self.each_batch(connection, sql, None, |_, batch| {
            if batch.num_rows() == 1 {
                for (field, values) in batch.schema().fields().iter().zip(batch.columns()) {
                    let column = columns::column(field, values.as_ref())?;
                    found.extend(people(&column, field.name())?);
                }
            }
            Ok(())
        })?;
        found.try_into().map_err(|_| database("count in the database", "it did not return the numbers"))
    }

    fn each_batch(
        &self,
        connection: &mut ManagedConnection,
        sql: &str,
        typed_by: Option<u64>,
        mut each: impl FnMut(&Self, &RecordBatch) -> Result<(), FetchError>,
    ) -> Result<(), FetchError> {
        let action = "ask the database";
        let mut statement = connection.new_statement().map_err(|error| self.error(action, &error))?;
        statement.set_sql_query(sql).map_err(|error| self.error(action, &error))?;
        if let Some(rows) = typed_by {
            let rows = rows.clamp(1_024, 1 << 30).cast_signed();
            let option = OptionStatement::Other("adbc.sqlite.query.batch_rows".to_owned());
            statement
                .set_option(option, OptionValue::Int(rows))
                .map_err(|error| self.error(action, &error))?;
        }
        let handles: Handles = Arc::from([statement.get_cancel_handle(), connection.get_cancel_handle()]);
        self.send(Message::Cancel(handles))?;
        let reader = statement.execute().map_err(|error| self.error(action, &error))?;
        let schema = reader.schema();
        each(self, &RecordBatch::new_empty(Arc::clone(&schema)))?;
        for batch in reader {
            let lost = |error: arrow_schema::ArrowError| {
                let detail = self.access.secrets.scrubbed(&error.to_string());
                FetchError::Database {
                    action: "read the result",
                    detail,
                    remedy: "; nothing was written, fetch again",
                }
            };
            each(self, &batch.map_err(lost)?)?;
        }
        Ok(())
    }
}

/// The remedy of an error, by its status or its SQLSTATE; empty if it is not known.
fn remedy(error: &Error) -> &'static str {
    const LOGIN: &str = "; check the user's name and password";
    let state: String =
        error.sqlstate.iter().map(|&unit| char::from(u8::try_from(unit).unwrap_or(b'?'))).collect();
    // PostgreSQL's driver gives no state before there is a connection.
    let is_login = error.message.contains("authentication failed");
    match (error.status, state.as_str()) {
        (Status::Unauthenticated | Status::Unauthorized, _) | (_, "28P01" | "28000") => LOGIN,
        _ if is_login => LOGIN,
        (_, "42P01" | "3F000") => "; check the name of the table",
        (_, "42703") => "; check the name of the column in `public_column`",
        (_, "42501") => "; give the user the right to read it",
        (Status::NotFound, _) => "; check the names of the table and its columns",
        (Status::IO, _) => "; nothing was written; check that the server runs, and its address",
        _ => "",
    }
}
