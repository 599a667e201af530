//! P from a `PostgreSQL` server: every kind of value, every error, a lost connection, and a
//! cancelled fetch.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::collations;
use super::engine::{Engine, asked, python};
use super::server::{Server, wait_for};
use super::values::{KINDS, Row, compare, rest, rows};

/// The folder of the server's programs, and the driver.
fn found() -> Option<(PathBuf, String)> {
    let python = python()?;
    let Some(programs) = std::env::var_os("PALMTOP_POSTGRESQL") else {
        eprintln!("skipped: PALMTOP_POSTGRESQL names no folder with PostgreSQL's programs");
        return None;
    };
    let driver = asked(&python, "import adbc_driver_postgresql as d; print(d._driver_path())");
    Some((PathBuf::from(programs), driver))
}

fn engine(driver: &str, port: u16, password: &str) -> Engine {
    let uri = format!("postgresql://reader:{password}@127.0.0.1:{port}/postgres");
    let connection = format!("driver = {driver:?}\nuri = {uri:?}\n");
    Engine { name: "postgresql", connection, preload: None, manifests: None }
}

fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn make_table(server: &Server, rows: &[Row]) {
    let columns: Vec<String> =
        KINDS.iter().map(|kind| format!("{} {}", kind.name, kind.postgresql)).collect();
    let mut script = "CREATE TYPE mood AS ENUM ('so ''so''', 'fine');\n".to_owned();
    script += &format!("CREATE TABLE kinds ({});\n", columns.join(", "));
    for row in rows {
        let values: Vec<String> = row
            .iter()
            .map(|value| value.as_ref().map_or("NULL".to_owned(), |value| literal(&value.inserted)))
            .collect();
        script += &format!("INSERT INTO kinds VALUES ({});\n", values.join(", "));
    }
    server.sql(&format!("{script}GRANT SELECT ON kinds TO reader;"));
}

/// The files of a folder.
fn files(folder: &Path) -> BTreeSet<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

// holds: Snapshots are whole
#[test]
fn postgresql_gives_the_histogram_of_the_file() {
    let Some((programs, driver)) = found() else { return };
    let server = Server::start(&programs);
    let folder = tempfile::tempdir().unwrap();
    let rows = rows(7, 60);
    fs::write(folder.path().join("flat.toml"), "type = \"flat\"\n").unwrap();
    make_table(&server, &rows);
    // The password is in the environment, and the profile is the user's.
    let good = Engine {
        connection: "profile = \"register\"\n".to_owned(),
        ..engine(&driver, server.port, "quiet7")
    };
    let folder = folder.path();
    let uri = format!("postgresql://reader:{{{{ env_var(PGHUSH) }}}}@127.0.0.1:{}/postgres", server.port);
    let profile = format!("profile_version = 1\ndriver = {driver:?}\n[Options]\nuri = {uri:?}\n");
    fs::create_dir(folder.join("profiles")).unwrap();
    fs::write(folder.join("profiles/register.toml"), profile).unwrap();
    let project = good.project(folder, "kinds", &rest(&[0, 1]));
    let fetched = good
        .command(folder, &["fetch", project.to_str().unwrap()])
        .env("ADBC_PROFILE_PATH", folder.join("profiles"))
        .env("PGHUSH", "quiet7")
        .output()
        .unwrap();
    assert!(fetched.status.success(), "{}", String::from_utf8_lossy(&fetched.stderr));
    let record = fs::read_to_string(folder.join("postgresql.parquet.source.json")).unwrap();
    assert!(!record.contains("quiet7") && record.contains("PostgreSQL"), "{record}");

    let plain = with_environment(&driver, server.port, "hush42", &server);
    for columns in (0..KINDS.len()).map(|column| vec![column, (column + 1) % KINDS.len()]) {
        compare(&plain, folder, &rows, &columns);
    }
    compare(&plain, folder, &rows, &(0..KINDS.len()).collect::<Vec<_>>());
    sums_are_numbers(&server, &plain, folder);
    errors_are_clear(&server, &driver, folder);
}

/// Changes the user's password to `password`. Returns an engine that reads the password from the
/// variable `PALMTOP_HUSH`.
fn with_environment(driver: &str, port: u16, password: &str, server: &Server) -> Engine {
    server.sql(&format!("ALTER USER reader PASSWORD '{password}'"));
    engine(driver, port, "{{ env_var(PALMTOP_HUSH) }}")
}

/// `sum(bigint)` is a NUMERIC, which arrives as a text.
fn sums_are_numbers(server: &Server, engine: &Engine, folder: &Path) {
    server.sql(
        "CREATE TABLE counted AS SELECT plain, number, 3000000000::bigint AS n FROM kinds; GRANT SELECT ON counted TO reader",
    );
    let path = engine.project(folder, "counted", &rest(&[0, 8]));
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("[public]\ncount = \"n\"\ncounts = \"people\"\n{text}")).unwrap();
    let fetched = engine.palmtop(folder, &["fetch", path.to_str().unwrap(), "--force"]);
    assert!(fetched.status.success(), "{}", String::from_utf8_lossy(&fetched.stderr));
    assert!(String::from_utf8_lossy(&fetched.stdout).contains("180000000000 people"));
}

fn errors_are_clear(server: &Server, driver: &str, folder: &Path) {
    let _ = fs::remove_file(folder.join("postgresql.parquet"));
    let _ = fs::remove_file(folder.join("postgresql.parquet.source.json"));
    server.sql("CREATE TABLE odd (plain bytea, number int[], born date, amount money); GRANT SELECT ON odd TO reader");
    server.sql("CREATE TABLE closed AS SELECT * FROM kinds");
    let refused = |engine: &Engine, table: &str, columns: &[usize]| {
        let project = engine.project(folder, table, &rest(columns));
        let before = files(folder);
        let output = engine.palmtop(folder, &["fetch", project.to_str().unwrap()]);
        let text = String::from_utf8(output.stderr).unwrap() + &String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert_eq!(files(folder), before, "{text}");
        assert!(!text.contains("hush42"), "{text}");
        text
    };
    let good = engine(driver, server.port, "{{ env_var(PALMTOP_HUSH) }}");
    let has = |text: String, what: &str| assert!(text.contains(what), "{text}");
    has(refused(&good, "nobody", &[0]), "check the name of the table");
    has(refused(&good, "kinds_without", &[0]), "kinds_without");
    has(refused(&good, "odd", &[4, 5]), "check the name of the column");
    has(refused(&good, "odd", &[0]), "column `plain` of the result has values of type Binary");
    has(refused(&good, "odd", &[8]), "cannot be read as texts");
    has(refused(&good, "odd", &[3]), "values of type money");
    has(refused(&good, "closed", &[0]), "permission denied");
    server.sql("ALTER USER reader PASSWORD 'other'");
    has(refused(&good, "kinds", &[0]), "check the user's name and password");
    server.sql("ALTER USER reader PASSWORD 'hush42'");
    // No server listens at port 1.
    has(
        refused(&engine(driver, 1, "{{ env_var(PALMTOP_HUSH) }}"), "kinds", &[0]),
        "check that the server runs",
    );
}

#[test]
fn texts_are_counted_by_their_bytes_under_icu() {
    let Some((programs, driver)) = found() else { return };
    let server = Server::start(&programs);
    let folder = tempfile::tempdir().unwrap();
    collations::write(folder.path());
    // Neither case nor accents count.
    let mut script =
        "CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false);\n\
        CREATE TABLE texts (word text COLLATE loose, job varchar(9) COLLATE loose);\n"
            .to_owned();
    for text in collations::ROWS.map(literal) {
        script += &format!("INSERT INTO texts VALUES ({text}, {text});\n");
    }
    server.sql(&format!("{script}GRANT SELECT ON texts TO reader;"));
    let engine = with_environment(&driver, server.port, "hush42", &server);
    collations::check(&engine, folder.path());
}

/// Starts a fetch of a query.
fn start(engine: &Engine, folder: &Path, query: &str, columns: &[usize]) -> Child {
    fs::write(folder.join("rows.sql"), query).unwrap();
    let project = engine.project(folder, "rows.sql", &rest(columns));
    let mut command = engine.command(folder, &["fetch", project.to_str().unwrap()]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

// holds: Snapshots are whole
#[test]
fn a_lost_connection_or_stop_leaves_nothing_behind() {
    let Some((programs, driver)) = found() else { return };
    let server = Server::start(&programs);
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("flat.toml"), "type = \"flat\"\n").unwrap();
    let engine = with_environment(&driver, server.port, "hush42", &server);
    // Cancelled while a statement runs.
    for (signal, status) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let slow = "SELECT 1 AS number FROM (SELECT pg_sleep(60)) AS slept";
        let child = start(&engine, folder, slow, &[8]);
        let before = files(folder);
        let working = "SELECT pid FROM pg_stat_activity WHERE usename = 'reader' AND state = 'active' AND query LIKE '%pg_sleep%'";
        wait_for("a statement", || (!server.sql(working).is_empty()).then_some(()));
        let asked = Instant::now();
        kill_process(Pid::from_child(&child), signal).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(asked.elapsed() < Duration::from_secs(1), "{:?}", asked.elapsed());
        assert_eq!(output.status.code(), Some(status), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(files(folder), before);
        wait_for("the end of the statement", || server.sql(working).is_empty().then_some(()));
    }
    // The connection is lost while rows arrive. The test halts palmtop first, so that the server
    // still has rows to send.
    let many = "SELECT g AS number, repeat('x', 60) || g AS plain FROM generate_series(1, 500000) AS g";
    let child = start(&engine, folder, many, &[0, 8]);
    let before = files(folder);
    let grouping = "SELECT pid FROM pg_stat_activity WHERE usename = 'reader' AND state = 'active' AND query LIKE '%GROUP BY%' AND query NOT LIKE '%combinations%'";
    wait_for("the histogram", || (!server.sql(grouping).is_empty()).then_some(()));
    kill_process(Pid::from_child(&child), Signal::STOP).unwrap();
    let sending = format!("{grouping} AND wait_event = 'ClientWrite'");
    wait_for("rows", || (!server.sql(&sending).is_empty()).then_some(()));
    server.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'reader'");
    wait_for("the loss", || server.sql(grouping).is_empty().then_some(()));
    kill_process(Pid::from_child(&child), Signal::CONT).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("nothing was written"), "{text}");
    assert_eq!(files(folder), before);
}
