//! A connection by ADBC: the driver is loaded, the two statements are sent, the combinations come in batches.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use adbc_core::error::{Error, Status};
use adbc_core::options::{AdbcVersion, InfoCode, OptionDatabase, OptionValue};
use adbc_core::sync::{CancelHandle, Connection as _, Database, Driver, Statement};
use adbc_core::{LOAD_FLAG_SEARCH_ENV, LOAD_FLAG_SEARCH_SYSTEM, LOAD_FLAG_SEARCH_USER};
use adbc_driver_manager::{ManagedConnection, ManagedDatabase, ManagedDriver};
use arrow_array::{Array, RecordBatch, RecordBatchReader};
use polars::prelude::*;

use super::secrets::Address;
use super::{
    FetchError, FetchObserver, FetchStage, Fetched, Record, Statements, columns, dialect_of, record_path,
    source_of,
};
use crate::data::write::{Gate, RealDisk};
use crate::project::{Connection, Project, PublicSource};
use crate::sql::Histogram;

/// Drivers are found by manifests and profiles of the user, the system, or a folder that the environment names; never by a relative path.
const SEARCH: u32 = LOAD_FLAG_SEARCH_ENV | LOAD_FLAG_SEARCH_USER | LOAD_FLAG_SEARCH_SYSTEM;

/// How often the observer is asked while the database works.
const BEAT: Duration = Duration::from_millis(100);

/// How long a database may take to end what it was told to stop.
const PATIENCE: Duration = Duration::from_millis(800);

/// Fetches P of a project from its database: writes the snapshot (mode 0600) and the record beside it. With `force` an earlier snapshot
/// is overwritten.
///
/// # Errors
/// A [`FetchError`] that says what to do; whatever it is, an earlier snapshot and its record are as they were.
pub fn fetch(project: &Project, force: bool, observer: &mut FetchObserver) -> Result<Fetched, FetchError> {
    let (source, histogram) = source_of(project)?;
    let record_file = record_path(&source.snapshot);
    let mut gate = Gate::default();
    gate.check(&source.snapshot, force).map_err(FetchError::Target)?;
    gate.check(&record_file, force).map_err(FetchError::Target)?;
    let started = Instant::now();
    let mut record = Record {
        palmtop: env!("CARGO_PKG_VERSION").to_owned(),
        connection: source.connection.name().to_owned(),
        started: chrono::DateTime::<chrono::Utc>::from(SystemTime::now())
            .format("%Y-%m-%dT%H:%M:%SZ")
            .to_string(),
        ..Record::default()
    };
    let address = address(source)?;
    let frame = ask(source, &histogram, &address, &mut record, observer)?;
    tell(observer, FetchStage::Writing)?;
    let (frame, people) = settled(&frame, histogram.count_column())?;
    (record.combinations, record.people) = (frame.height() as u64, people);
    let bytes = parquet(frame)?;
    record.sha256 = crate::data::sha256(&bytes);
    record.seconds = started.elapsed().as_secs_f64();
    let text =
        serde_json::to_string_pretty(&record).map_err(|error| database("write the record", error))? + "\n";
    gate.put(&mut RealDisk, &source.snapshot, force, &bytes).map_err(write_error)?;
    gate.put(&mut RealDisk, &record_file, force, text.as_bytes()).map_err(write_error)?;
    Ok(Fetched { snapshot: source.snapshot.clone(), record })
}

fn write_error(error: crate::data::write::WriteError<std::convert::Infallible>) -> FetchError {
    use crate::data::write::WriteError;
    match error {
        WriteError::Target(error) => FetchError::Target(error),
        WriteError::Disk(error) => error.into(),
        WriteError::Refused(never) => match never {},
    }
}

fn address(source: &PublicSource) -> Result<Address, FetchError> {
    match &source.connection {
        Connection::Driver { uri: Some(uri), .. } => Address::read(uri, |name| std::env::var(name).ok()),
        Connection::Driver { .. } | Connection::Profile(_) => Ok(Address::default()),
    }
}

fn tell(observer: &mut FetchObserver, stage: FetchStage) -> Result<(), FetchError> {
    if observer(stage).is_break() { Err(FetchError::Cancelled) } else { Ok(()) }
}

fn database(action: &'static str, error: impl std::fmt::Display) -> FetchError {
    FetchError::Database { action, detail: error.to_string(), remedy: "" }
}

/// What a worker tells.
enum Message {
    Stage(FetchStage),
    /// How to stop what it does now.
    Cancel(Box<dyn CancelHandle>),
    Frame(DataFrame),
    Done(Result<Box<Record>, FetchError>),
}

/// Asks the database on a thread of its own, so that the observer is asked however long a statement takes.
fn ask(
    source: &PublicSource,
    histogram: &Histogram,
    address: &Address,
    record: &mut Record,
    observer: &mut FetchObserver,
) -> Result<DataFrame, FetchError> {
    let (give, take) = sync_channel(4);
    let worker = Worker {
        source: source.clone(),
        histogram: histogram.clone(),
        address: address.clone(),
        record: record.clone(),
        give,
    };
    // A driver that does not stop is left behind; the thread ends with the program.
    thread::spawn(move || {
        let Worker { give, .. } = &worker;
        let give = give.clone();
        let done = worker.run();
        let _ = give.send(Message::Done(done));
    });
    let mut frames: Option<DataFrame> = None;
    let mut cancel: Option<Box<dyn CancelHandle>> = None;
    let mut stage = FetchStage::Connecting;
    loop {
        match take.recv_timeout(BEAT) {
            Ok(Message::Stage(next)) => stage = next,
            Ok(Message::Cancel(handle)) => cancel = Some(handle),
            Ok(Message::Frame(frame)) => match &mut frames {
                None => frames = Some(frame),
                Some(frames) => {
                    let added = frames.vstack_mut(&frame).map(|_| ());
                    added.map_err(|error| database("read the result", error))?;
                }
            },
            Ok(Message::Done(done)) => {
                *record = *done?;
                return frames.ok_or_else(|| database("read the result", "it has no columns"));
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(database("ask the database", "its driver ended"));
            }
        }
        if observer(stage).is_break() {
            stop(cancel.as_deref(), &take);
            return Err(FetchError::Cancelled);
        }
    }
}

/// Tells the database to stop, and waits a little for it.
fn stop(cancel: Option<&dyn CancelHandle>, take: &Receiver<Message>) {
    let _ = cancel.map(CancelHandle::try_cancel);
    let until = Instant::now() + PATIENCE;
    while let Some(left) = until.checked_duration_since(Instant::now()) {
        match take.recv_timeout(left) {
            Ok(Message::Done(_)) | Err(_) => break,
            Ok(_) => {}
        }
    }
}

/// What is done on the thread of the connection.
struct Worker {
    source: PublicSource,
    histogram: Histogram,
    address: Address,
    record: Record,
    give: SyncSender<Message>,
}

impl Worker {
    fn run(mut self) -> Result<Box<Record>, FetchError> {
        let database = self.open()?;
        let mut connection =
            database.new_connection().map_err(|error| self.said("connect to the database", &error))?;
        let (driver, server) = Self::info(&connection);
        let named = format!("{server} {driver} {}", self.record.connection);
        (self.record.driver, self.record.server) = (driver, server);
        let statements = Statements::of(&self.histogram, dialect_of(&named));
        self.tell(FetchStage::Counting)?;
        let combinations = self.combinations(&mut connection, &statements.combinations)?;
        self.tell(FetchStage::Grouping { combinations })?;
        let mut rows = 0;
        self.each_batch(&mut connection, &statements.histogram, |worker, batch| {
            let schema = batch.schema();
            let made = schema.fields().iter().zip(batch.columns());
            let made = made.map(|(field, values)| columns::column(field, values.as_ref()));
            let made = made.collect::<Result<Vec<_>, _>>()?;
            let frame = DataFrame::new(batch.num_rows(), made);
            let frame = frame.map_err(|error| self::database("read the result", error))?;
            rows += batch.num_rows() as u64;
            worker.send(Message::Frame(frame))?;
            worker.tell(FetchStage::Reading { rows, combinations })
        })?;
        if rows != combinations {
            return Err(FetchError::Incomplete { expected: combinations, found: rows });
        }
        self.record.statements = vec![statements.combinations, statements.histogram];
        Ok(Box::new(self.record))
    }

    fn send(&self, message: Message) -> Result<(), FetchError> {
        self.give.send(message).map_err(|_| FetchError::Cancelled)
    }

    fn tell(&self, stage: FetchStage) -> Result<(), FetchError> {
        self.send(Message::Stage(stage))
    }

    fn open(&self) -> Result<ManagedDatabase, FetchError> {
        let version = AdbcVersion::V110;
        match &self.source.connection {
            Connection::Profile(profile) => {
                let uri = format!("profile://{profile}");
                ManagedDatabase::from_uri(&uri, None, version, SEARCH, None)
                    .map_err(|error| self.said("open the profile", &error))
            }
            Connection::Driver { driver, entrypoint, uri } => {
                let entrypoint = entrypoint.as_deref().map(str::as_bytes);
                let mut loaded = ManagedDriver::load_from_name(driver, entrypoint, version, SEARCH, None)
                    .map_err(|error| self.not_loaded(driver, &error))?;
                let key = if driver.contains("duckdb") {
                    OptionDatabase::Other("path".to_owned())
                } else {
                    OptionDatabase::Uri
                };
                let options =
                    uri.iter().map(|_| (key.clone(), OptionValue::String(self.address.uri.clone())));
                loaded.new_database_with_opts(options).map_err(|error| self.said("open the database", &error))
            }
        }
    }

    fn not_loaded(&self, driver: &str, error: &Error) -> FetchError {
        let remedy = if Path::new(driver).is_absolute() && !Path::new(driver).exists() {
            "there is no such file; correct `driver` of [public.source]"
        } else if Path::new(driver).is_absolute() {
            "is it a driver for ADBC, for this system? some need an `entrypoint`"
        } else {
            "install its manifest for the user or the system, or give its absolute path"
        };
        FetchError::Driver {
            driver: driver.to_owned(),
            detail: self.address.scrubbed(&error.message),
            remedy,
        }
    }

    fn said(&self, action: &'static str, error: &Error) -> FetchError {
        let remedy = match error.status {
            Status::Unauthenticated | Status::Unauthorized => "; is the user's name or password right?",
            Status::Cancelled => return FetchError::Cancelled,
            Status::NotFound => "; is the name of the table or the column right?",
            _ => "",
        };
        FetchError::Database { action, detail: self.address.scrubbed(&error.message), remedy }
    }

    /// The driver's and the database's names and versions, as far as they tell.
    fn info(connection: &ManagedConnection) -> (String, String) {
        let text = |code: InfoCode| -> String {
            let codes = std::collections::HashSet::from([code]);
            let Ok(reader) = connection.get_info(Some(codes)) else { return String::new() };
            let found = reader.flatten().find_map(|batch| first_text(&batch));
            found.unwrap_or_default()
        };
        let both =
            |name: InfoCode, version: InfoCode| format!("{} {}", text(name), text(version)).trim().to_owned();
        (
            both(InfoCode::DriverName, InfoCode::DriverVersion),
            both(InfoCode::VendorName, InfoCode::VendorVersion),
        )
    }

    fn combinations(&self, connection: &mut ManagedConnection, sql: &str) -> Result<u64, FetchError> {
        let mut found = None;
        self.each_batch(connection, sql, |_, batch| {
            let schema = batch.schema();
            if let (Some(field), true) = (schema.fields().first(), batch.num_rows() == 1) {
                let column = columns::column(field, batch.column(0).as_ref())?;
                found = people(&column, field.name())?.first().copied();
            }
            Ok(())
        })?;
        found.ok_or_else(|| database("count the combinations", "the database gave no number"))
    }

    fn each_batch(
        &self,
        connection: &mut ManagedConnection,
        sql: &str,
        mut each: impl FnMut(&Self, &RecordBatch) -> Result<(), FetchError>,
    ) -> Result<(), FetchError> {
        let action = "ask the database";
        let mut statement = connection.new_statement().map_err(|error| self.said(action, &error))?;
        statement.set_sql_query(sql).map_err(|error| self.said(action, &error))?;
        self.send(Message::Cancel(statement.get_cancel_handle()))?;
        let reader = statement.execute().map_err(|error| self.said(action, &error))?;
        let schema = reader.schema();
        each(self, &RecordBatch::new_empty(Arc::clone(&schema)))?;
        for batch in reader {
            let lost = |error: arrow_schema::ArrowError| {
                let detail = self.address.scrubbed(&error.to_string());
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

/// The first text in what a driver tells of itself: a union of texts and numbers.
fn first_text(batch: &RecordBatch) -> Option<String> {
    use arrow_array::cast::AsArray;
    let values = batch.column_by_name("info_value")?.as_any().downcast_ref::<arrow_array::UnionArray>()?;
    if values.is_empty() {
        return None;
    }
    let value = values.value(0);
    value.as_string_opt::<i32>().filter(|texts| !texts.is_empty()).map(|texts| texts.value(0).to_owned())
}

/// Whole numbers of people, whatever type the database counts in.
fn people(column: &Column, name: &str) -> Result<Vec<u64>, FetchError> {
    let texts = crate::data::texts_of(column).map_err(|error| database("read the result", error))?;
    let number = |text: Option<&str>| {
        let text = text.unwrap_or("no value");
        // Sums may come as decimals, `12.0`.
        let whole = text
            .split_once('.')
            .map_or(text, |(whole, rest)| if rest.bytes().all(|byte| byte == b'0') { whole } else { text });
        whole.parse().map_err(|_| FetchError::People { column: name.to_owned(), value: text.to_owned() })
    };
    texts.iter().map(number).collect()
}

/// The histogram as every database gives it: texts and whole numbers, in the order of the texts; and how many people it has.
fn settled(frame: &DataFrame, count: &str) -> Result<(DataFrame, u64), FetchError> {
    let wrong = |error: PolarsError| database("read the result", error);
    let counted = frame.columns().iter().find(|column| column.name().eq_ignore_ascii_case(count));
    let counted =
        counted.ok_or_else(|| database("read the result", format!("it lacks the column `{count}`")))?;
    let counts = people(counted, count)?;
    let mut total: u64 = 0;
    for &people in &counts {
        let too_many = || FetchError::People {
            column: count.to_owned(),
            value: "more people than can be counted".to_owned(),
        };
        total = total.checked_add(people).ok_or_else(too_many)?;
    }
    let mut texts: Vec<StringChunked> = Vec::new();
    for column in frame.columns().iter().filter(|column| column.name() != counted.name()) {
        let text = crate::data::texts_of(column).map_err(|error| database("read the result", error))?;
        texts.push(text.with_name(column.name().clone()));
    }
    let rows: Vec<Vec<Option<&str>>> = texts.iter().map(|texts| texts.iter().collect()).collect();
    let mut order: Vec<IdxSize> = (0..).take(frame.height()).collect();
    order.sort_by(|&left, &right| {
        let key = |row: IdxSize| rows.iter().map(move |column| column[row as usize]);
        key(left).cmp(key(right))
    });
    let mut columns = Vec::with_capacity(texts.len() + 1);
    for texts in &texts {
        columns.push(texts.clone().into_column().take_slice(&order).map_err(wrong)?);
    }
    columns.push(Column::new(count.into(), counts).take_slice(&order).map_err(wrong)?);
    Ok((DataFrame::new(frame.height(), columns).map_err(wrong)?, total))
}

fn parquet(mut frame: DataFrame) -> Result<Vec<u8>, FetchError> {
    let mut bytes = Vec::new();
    frame.rechunk_mut();
    let writer = ParquetWriter::new(&mut bytes)
        .with_compression(ParquetCompression::Zstd(None))
        .with_statistics(StatisticsOptions::empty())
        .with_row_group_size(Some(1 << 20));
    writer.finish(&mut frame).map_err(|error| database("write the snapshot", error))?;
    Ok(bytes)
}
