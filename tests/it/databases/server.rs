//! A `PostgreSQL` server in a temporary folder, which ends with the test.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, geteuid, kill_process};
use tempfile::TempDir;

/// The user `nobody`, because the server refuses to run as root.
const NOBODY: u32 = 65_534;

pub(crate) struct Server {
    programs: PathBuf,
    pub(crate) folder: TempDir,
    pub(crate) port: u16,
    process: Child,
}

impl Server {
    /// Starts a server with the superuser `owner` and the user `reader`, whose password is
    /// `quiet7`.
    pub(crate) fn start(programs: &Path) -> Self {
        let folder = tempfile::Builder::new().prefix("pg").tempdir().unwrap();
        let data = folder.path().join("data");
        if geteuid().is_root() {
            chown(folder.path(), Some(NOBODY), Some(NOBODY)).unwrap();
        }
        let made = program(programs, "initdb")
            .args(["--no-sync", "--username=owner", "--auth-local=trust", "--auth-host=scram-sha-256"])
            .args(["--encoding=UTF8", "--locale=C", "-D"])
            .arg(&data)
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let process = program(programs, "postgres")
            .arg("-D")
            .arg(&data)
            .arg("-k")
            .arg(folder.path())
            .args(["-h", "127.0.0.1", "-F", "-p", &port.to_string()])
            .current_dir(folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let server = Self { programs: programs.to_owned(), folder, port, process };
        wait_for("the server", || TcpStream::connect(("127.0.0.1", port)).is_ok().then_some(()));
        wait_for("the server", || server.ask("SELECT 1").ok());
        server.sql("CREATE USER reader PASSWORD 'quiet7'");
        server
    }

    fn ask(&self, statement: &str) -> Result<String, String> {
        let file = self.folder.path().join("statement.sql");
        fs::write(&file, statement).unwrap();
        let output = Command::new(self.programs.join("psql"))
            .args(["-X", "-q", "-t", "-A", "-v", "ON_ERROR_STOP=1", "-U", "owner", "-d", "postgres", "-h"])
            .arg(self.folder.path())
            .args(["-p", &self.port.to_string(), "-f"])
            .arg(&file)
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap().trim().to_owned();
        if output.status.success() { Ok(text) } else { Err(String::from_utf8(output.stderr).unwrap()) }
    }

    /// The result of a statement, run as the owner.
    pub(crate) fn sql(&self, statement: &str) -> String {
        self.ask(statement).unwrap_or_else(|error| panic!("{statement}: {error}"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = kill_process(Pid::from_child(&self.process), Signal::INT);
        let _ = self.process.wait();
    }
}

fn program(programs: &Path, name: &str) -> Command {
    let mut command = Command::new(programs.join(name));
    if geteuid().is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}

/// Repeats the question until there is an answer, for at most half a minute.
pub(crate) fn wait_for<R>(what: &str, answer: impl Fn() -> Option<R>) -> R {
    let until = Instant::now() + Duration::from_secs(30);
    loop {
        if let Some(answer) = answer() {
            return answer;
        }
        assert!(Instant::now() < until, "{what}: nothing after 30 seconds");
        std::thread::sleep(Duration::from_millis(20));
    }
}
