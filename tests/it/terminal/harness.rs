//! Runs palmtop in a pseudo-terminal: tests send keys and read the screen.

use std::fs;
use std::io::{Read, Write};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};
use tempfile::TempDir;

/// How long a test waits for anything before it fails.
pub(crate) const PATIENCE: Duration = Duration::from_secs(40);

/// palmtop in a pseudo-terminal, in a temporary folder.
pub(crate) struct Terminal {
    pub(crate) folder: TempDir,
    pub(crate) child: Box<dyn Child + Send + Sync>,
    pub(crate) master: Box<dyn MasterPty + Send>,
    pub(crate) writer: Box<dyn Write + Send>,
    pub(crate) seen: Arc<Mutex<Seen>>,
}

/// The output of the program: raw, and as the screen of a terminal.
pub(crate) struct Seen {
    pub(crate) raw: Vec<u8>,
    pub(crate) parser: vt100::Parser,
}

pub(crate) const fn size(columns: u16, rows: u16) -> PtySize {
    PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }
}

impl Terminal {
    /// Starts palmtop with these arguments, in a terminal of 80 columns and 24 rows.
    pub(crate) fn start(arguments: &[&str]) -> Self {
        Self::start_in(tempfile::tempdir().unwrap(), arguments)
    }

    pub(crate) fn start_in(folder: TempDir, arguments: &[&str]) -> Self {
        Self::spawn(folder, env!("CARGO_BIN_EXE_palmtop"), arguments, &[])
    }

    pub(crate) fn spawn(
        folder: TempDir,
        program: &str,
        arguments: &[&str],
        environment: &[(&str, &str)],
    ) -> Self {
        Self::spawn_sized([size(80, 24); 2], folder, program, arguments, environment)
    }

    /// Does the same in a terminal of the second size that reports the first.
    pub(crate) fn spawn_sized(
        [claimed, actual]: [PtySize; 2],
        folder: TempDir,
        program: &str,
        arguments: &[&str],
        environment: &[(&str, &str)],
    ) -> Self {
        fs::create_dir_all(folder.path().join("tmp")).unwrap();
        let pair = native_pty_system().openpty(claimed).unwrap();
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        command.cwd(folder.path());
        command.env("TERM", "xterm-256color");
        command.env("TMPDIR", folder.path().join("tmp"));
        command.env_remove("NO_COLOR");
        command.env("XDG_CONFIG_HOME", folder.path().join("config"));
        command.env("LC_ALL", "C.UTF-8");
        for (name, value) in environment {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).unwrap();
        let seen = Arc::new(Mutex::new(Seen {
            raw: Vec::new(),
            parser: vt100::Parser::new(actual.rows, actual.cols, 0),
        }));
        let mut reader = pair.master.try_clone_reader().unwrap();
        let into = Arc::clone(&seen);
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                let mut seen = into.lock().unwrap();
                seen.raw.extend_from_slice(&bytes[..count]);
                seen.parser.process(&bytes[..count]);
            }
        });
        let writer = pair.master.take_writer().unwrap();
        Self { folder, child, master: pair.master, writer, seen }
    }

    pub(crate) fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn screen(&self) -> String {
        self.seen.lock().unwrap().parser.screen().contents()
    }

    pub(crate) fn raw(&self) -> Vec<u8> {
        self.seen.lock().unwrap().raw.clone()
    }

    /// Waits until the screen fulfils a condition.
    #[track_caller]
    pub(crate) fn wait_until(&self, what: &str, condition: impl Fn(&str) -> bool) {
        let started = Instant::now();
        while !condition(&self.screen()) {
            assert!(started.elapsed() < PATIENCE, "waited in vain for {what}:\n{}", self.screen());
            thread::sleep(Duration::from_millis(10));
        }
    }

    #[track_caller]
    pub(crate) fn wait_for(&self, text: &str) {
        self.wait_until(text, |screen| screen.contains(text));
    }

    /// Goes on with the newest sitting, as the workbench asks.
    #[track_caller]
    pub(crate) fn go_on(&mut self) {
        self.wait_for("The history has a sitting of this project.");
        self.keys("\r");
    }

    pub(crate) fn keys(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).unwrap();
        self.writer.flush().unwrap();
    }

    pub(crate) fn resize(&self, columns: u16, rows: u16) {
        self.seen.lock().unwrap().parser.screen_mut().set_size(rows, columns);
        self.master.resize(size(columns, rows)).unwrap();
    }

    pub(crate) fn signal(&self, name: &str) {
        let process = self.child.process_id().unwrap().to_string();
        assert!(Command::new("kill").args([&format!("-{name}"), &process]).status().unwrap().success());
    }

    #[track_caller]
    pub(crate) fn exit(&mut self) -> ExitStatus {
        let started = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(started.elapsed() < PATIENCE, "it does not end:\n{}", self.screen());
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Checks that the program ends with this status, restores the terminal, and leaves no
    /// temporary file.
    #[track_caller]
    pub(crate) fn expect_clean_end(&mut self, code: u32) {
        let status = self.exit();
        assert_eq!(status.exit_code(), code, "{status:?}\n{}", self.screen());
        self.wait_restored();
        let left: Vec<_> =
            fs::read_dir(self.path("tmp")).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert!(left.is_empty(), "{left:?}");
    }

    #[track_caller]
    pub(crate) fn wait_restored(&self) {
        let started = Instant::now();
        loop {
            let seen = self.seen.lock().unwrap();
            let screen = seen.parser.screen();
            if !screen.alternate_screen() && !screen.hide_cursor() && !screen.bracketed_paste() {
                return;
            }
            assert!(started.elapsed() < PATIENCE, "the terminal is not as it was");
            drop(seen);
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until all neighbours are counted and the program draws no more.
    #[track_caller]
    pub(crate) fn wait_idle(&self) {
        self.wait_until("an idle screen", |screen| {
            screen.contains(" step ") && !screen.contains("neighbours") && !screen.contains("counting")
        });
        let mut before = self.raw().len();
        loop {
            thread::sleep(Duration::from_millis(300));
            let now = self.raw().len();
            if now == before {
                return;
            }
            before = now;
        }
    }
}
