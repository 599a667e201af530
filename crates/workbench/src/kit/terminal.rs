//! The terminal: taken over at the start, and given back on every exit.

use std::cell::RefCell;
use std::io::{self, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use crossterm::clipboard::CopyToClipboard;
use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use crossterm::terminal::{
    BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen,
    LeaveAlternateScreen,
};
use crossterm::{cursor, execute, queue};
use ratatui::{Frame, Terminal};
use signal_hook::consts::{SIGALRM, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGUSR1, SIGUSR2, SIGXCPU};
use signal_hook::iterator::Signals;

use crate::kit::canvas::Canvas;
use crate::kit::keyboard::{self, Typed};
use crate::kit::link::Link;
use crate::kit::symbols::{self, Symbols};
use crate::kit::text;

/// The work to do on every exit.
pub(crate) type OnExit = Box<dyn FnOnce() + Send>;

/// Data that must be on disk before the terminal is given back.
pub(crate) trait Keeper: Send + Sync {
    /// Waits until everything is written, but only for a limited time.
    fn flush(&self);
    /// The file with all the data; none if no file exists or the last write failed.
    fn saved(&self) -> Option<PathBuf>;
}

/// The screen. Frames are made in a buffer and written at once.
/// Dropping it gives the terminal back and does the work of an exit.
pub(crate) struct Screen {
    terminal: Terminal<Canvas<Buffer>>,
    buffer: Buffer,
    claim: Arc<Claim>,
    symbols: Symbols,
}

/// The bytes of a frame until it is complete.
#[derive(Clone, Default)]
pub(crate) struct Buffer(Rc<RefCell<Vec<u8>>>);

impl Buffer {
    /// Takes the bytes of the frame.
    pub(crate) fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.0.borrow_mut())
    }
}

impl Write for Buffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Screen {
    /// Takes the terminal over. Keys and sizes become messages from now on.
    pub(crate) fn enter(on_exit: OnExit, symbols: Symbols, link: Link<Typed>) -> anyhow::Result<Self> {
        let claim = Arc::new(Claim {
            held: Mutex::new(false),
            mouse: AtomicBool::new(false),
            saver: Mutex::new(None),
            on_exit: Mutex::new(Some(on_exit)),
        });
        let entered = Self::open(&claim, symbols, link);
        if entered.is_err() {
            claim.end();
        }
        entered.context("cannot open the workbench on this terminal")
    }

    fn open(claim: &Arc<Claim>, symbols: Symbols, link: Link<Typed>) -> io::Result<Self> {
        leave_on_signal(claim)?;
        leave_on_panic(claim);
        claim.take()?;
        let buffer = Buffer::default();
        let terminal = Terminal::new(Canvas::new(buffer.clone()))?;
        keyboard::listen(link)?;
        Ok(Self { terminal, buffer, claim: Arc::clone(claim), symbols })
    }

    /// Draws a frame: one write within a synchronized update. Returns the value of `paint`.
    pub(crate) fn draw<T>(&mut self, paint: impl FnOnce(&mut Frame) -> T) -> anyhow::Result<Option<T>> {
        let result = draw_on(&mut self.terminal, self.symbols, paint)?;
        let frame = self.buffer.take();
        if !is_idle(&frame) {
            let mut update = Vec::with_capacity(frame.len() + 32);
            queue!(update, BeginSynchronizedUpdate)?;
            update.extend_from_slice(&frame);
            queue!(update, EndSynchronizedUpdate)?;
            self.claim.write(&update)?;
        }
        Ok(result)
    }

    /// Makes the next frame draw everything again.
    pub(crate) fn redraw(&mut self) -> anyhow::Result<()> {
        let mut cleared = Vec::new();
        queue!(cleared, Clear(ClearType::All))?;
        self.claim.write(&cleared)?;
        self.terminal = Terminal::new(Canvas::new(self.buffer.clone()))?;
        Ok(())
    }

    /// Turns reports of the mouse on or off.
    pub(crate) fn listen_to_mouse(&self, on: bool) -> anyhow::Result<()> {
        self.claim.mouse.store(on, Ordering::Relaxed);
        let mut bytes = Vec::new();
        if on {
            queue!(bytes, EnableMouseCapture)?;
        } else {
            queue!(bytes, DisableMouseCapture)?;
        }
        self.claim.write(&bytes)?;
        Ok(())
    }

    /// Puts a text into the terminal's clipboard (OSC 52).
    pub(crate) fn to_clipboard(&self, text: &str) -> anyhow::Result<()> {
        let mut bytes = Vec::new();
        queue!(bytes, CopyToClipboard::to_clipboard_from(text))?;
        self.claim.write(&bytes)?;
        Ok(())
    }

    /// Sets the keeper that an exit waits for.
    pub(crate) fn keep(&self, saver: Option<Arc<dyn Keeper>>) {
        *self.claim.saver.lock().unwrap_or_else(PoisonError::into_inner) = saver;
    }

    /// Gives the terminal back to the shell until the program is continued; returns whether a shell
    /// took over.
    pub(crate) fn suspend(&mut self) -> anyhow::Result<bool> {
        self.claim.give_back();
        // SIGTSTP, not SIGSTOP: the system ignores it if no shell could continue the program (`ssh
        // -t host palmtop`).
        let asked = Instant::now();
        signal_hook::low_level::raise(SIGTSTP)?;
        let stopped = asked.elapsed() > Duration::from_millis(100);
        if !stopped {
            // Long enough to be seen: a short flicker looks like an error.
            thread::sleep(Duration::from_millis(300));
        }
        self.claim.take()?;
        // The content of the terminal is unknown now, and its size may have changed.
        self.terminal = Terminal::new(Canvas::new(self.buffer.clone()))?;
        Ok(stopped)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.claim.end();
    }
}

/// The claim on the terminal. The loop, the signals' thread and the panic hook share it; the first
/// to exit gives the terminal back.
struct Claim {
    /// Whether the terminal is claimed; locked during each write.
    held: Mutex<bool>,
    /// Whether the terminal reports the mouse.
    mouse: AtomicBool,
    /// The data that must be on disk before the exit.
    saver: Mutex<Option<Arc<dyn Keeper>>>,
    on_exit: Mutex<Option<OnExit>>,
}

impl Claim {
    fn take(&self) -> io::Result<()> {
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = true;
        crossterm::terminal::enable_raw_mode()?;
        let clear = Clear(ClearType::All);
        execute!(io::stdout(), EnterAlternateScreen, EnableBracketedPaste, clear, cursor::Hide)?;
        if self.mouse.load(Ordering::Relaxed) {
            execute!(io::stdout(), EnableMouseCapture)?;
        }
        Ok(())
    }

    /// Writes a frame, unless the terminal was given back.
    fn write(&self, frame: &[u8]) -> io::Result<()> {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if !*held {
            return Ok(());
        }
        let mut stdout = io::stdout().lock();
        stdout.write_all(frame)?;
        stdout.flush()
    }

    /// Restores the terminal. An error means that the terminal is gone, so nothing is left to
    /// restore.
    /// A terminal that accepts no more output must not block the exit: after a while it is left
    /// as it is.
    fn give_back(&self) {
        for _ in 0..20 {
            let mut held = match self.held.try_lock() {
                Ok(held) => held,
                Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
                Err(TryLockError::WouldBlock) => {
                    thread::sleep(Duration::from_millis(10));
                    continue;
                }
            };
            // Only once: a second time would move the cursor over later output.
            if std::mem::take(&mut *held) {
                if self.mouse.load(Ordering::Relaxed) {
                    let _ = execute!(io::stdout(), DisableMouseCapture);
                }
                // Clears first: after a change of size, tmux leaves parts of the screen, which may
                // show T.
                let _ = execute!(
                    io::stdout(),
                    EndSynchronizedUpdate,
                    DisableBracketedPaste,
                    Clear(ClearType::All),
                    LeaveAlternateScreen,
                    cursor::Show
                );
                let _ = crossterm::terminal::disable_raw_mode();
            }
            return;
        }
    }

    /// Ends the claim: saves the sitting and removes unpacked files first, since giving back may
    /// take time.
    fn end(&self) {
        let saver = self.saver.try_lock().ok().and_then(|mut saver| saver.take());
        if let Some(saver) = saver {
            saver.flush();
        }
        // The sitting is on disk. A file still being written is a release that nobody has verified.
        palmtop_release::pipeline::remove_unfinished();
        let on_exit = self.on_exit.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(on_exit) = on_exit {
            on_exit();
        }
        self.give_back();
    }
}

/// Whether a frame changes nothing visible: it only hides the hidden cursor.
fn is_idle(frame: &[u8]) -> bool {
    const NOTHING: [&[u8]; 6] =
        [b"\x1b[?25l", b"\x1b[39m", b"\x1b[49m", b"\x1b[59m", b"\x1b[0m", b"\x1b[39;49m"];
    let mut rest = frame;
    while !rest.is_empty() {
        let Some(known) = NOTHING.iter().find(|known| rest.starts_with(known)) else {
            return false;
        };
        rest = &rest[known.len()..];
    }
    true
}

/// The signals that end a program which does not listen to them, without giving the terminal back.
const ENDING: [i32; 8] = [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU];

/// Runs in a separate thread, because a terminal that is gone can block everything else forever.
fn leave_on_signal(claim: &Arc<Claim>) -> io::Result<()> {
    let mut signals = Signals::new(ENDING)?;
    let claim = Arc::clone(claim);
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        if let Some(signal) = signals.forever().next() {
            // A panic must not stop the exit.
            let _ = panic::catch_unwind(AssertUnwindSafe(|| claim.end()));
            std::process::exit(128 + signal);
        }
    })?;
    Ok(())
}

/// Only a panic of the screen's thread gives the terminal back. A panic in a job is a failure of
/// that job.
fn leave_on_panic(claim: &Arc<Claim>) {
    let (drawing_thread, print, claim) = (thread::current().id(), panic::take_hook(), Arc::clone(claim));
    panic::set_hook(Box::new(move |panic| {
        if thread::current().id() == drawing_thread {
            let log = claim.saver.try_lock().ok().and_then(|saver| saver.clone());
            claim.end();
            let saved = log.and_then(|log| log.saved());
            print(panic);
            // This is the last output, and no code escapes it afterwards.
            let how = saved.map_or_else(
                || "The steps were not saved. Exported files remain.".to_owned(),
                |path| {
                    let path = text::safe(&path.to_string_lossy());
                    format!("Your steps are saved. Continue with palmtop {path}")
                },
            );
            let _ = writeln!(io::stderr(), "palmtop: an internal error ended the workbench. {how}");
        }
    }));
}

/// Draws a frame into a terminal's buffer in the symbols that the terminal can show; returns the
/// value of `paint`.
pub(crate) fn draw_on<W: Write, T>(
    terminal: &mut Terminal<Canvas<W>>,
    symbols: Symbols,
    paint: impl FnOnce(&mut Frame) -> T,
) -> io::Result<Option<T>> {
    let mut result = None;
    terminal.draw(|frame| {
        result = Some(paint(frame));
        // Screens make every text safe. This is the second check, for a text that a screen forgot.
        text::veil(frame.buffer_mut());
        if symbols == Symbols::Ascii {
            symbols::translate(frame.buffer_mut());
        }
    })?;
    Ok(result)
}
