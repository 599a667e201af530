//! The terminal: entered and left by us, on every way out.

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

/// What to do on the way out, whichever it is.
pub(crate) type OnExit = Box<dyn FnOnce() + Send>;

/// What must be on disk before the terminal is given back for good.
pub(crate) trait Keeper: Send + Sync {
    /// Waits until everything is written, but not for ever.
    fn flush(&self);
    /// The file that holds all that was handed over; none where there is none, or the last writing failed.
    fn saved(&self) -> Option<PathBuf>;
}

/// The screen: frames are made in a buffer and written at once.
///
/// Dropping it gives the terminal back and does what is to be done on the way out.
pub(crate) struct Screen {
    terminal: Terminal<Canvas<Buffer>>,
    buffer: Buffer,
    claim: Arc<Claim>,
    symbols: Symbols,
}

/// What a frame writes, until it is whole.
#[derive(Clone, Default)]
pub(crate) struct Buffer(Rc<RefCell<Vec<u8>>>);

impl Buffer {
    /// The frame, taken out.
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
    /// Takes the terminal over; keys and sizes become messages from now on.
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

    /// Draws a frame: one write, inside a synchronized update. What drawing has to tell is handed on.
    pub(crate) fn draw<T>(&mut self, paint: impl FnOnce(&mut Frame) -> T) -> anyhow::Result<Option<T>> {
        let told = draw_on(&mut self.terminal, self.symbols, paint)?;
        let frame = self.buffer.take();
        if !is_idle(&frame) {
            let mut whole = Vec::with_capacity(frame.len() + 32);
            queue!(whole, BeginSynchronizedUpdate)?;
            whole.extend_from_slice(&frame);
            queue!(whole, EndSynchronizedUpdate)?;
            self.claim.write(&whole)?;
        }
        Ok(told)
    }

    /// Draws everything anew at the next frame, whatever the terminal shows now.
    pub(crate) fn redraw(&mut self) -> anyhow::Result<()> {
        let mut cleared = Vec::new();
        queue!(cleared, Clear(ClearType::All))?;
        self.claim.write(&cleared)?;
        self.terminal = Terminal::new(Canvas::new(self.buffer.clone()))?;
        Ok(())
    }

    /// Listens to the mouse, or leaves it to the terminal.
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

    /// Lets the terminal put a text into the clipboard (OSC 52).
    pub(crate) fn to_clipboard(&self, text: &str) -> anyhow::Result<()> {
        let mut bytes = Vec::new();
        queue!(bytes, CopyToClipboard::to_clipboard_from(text))?;
        self.claim.write(&bytes)?;
        Ok(())
    }

    /// What the way out has to wait for.
    pub(crate) fn keep(&self, saver: Option<Arc<dyn Keeper>>) {
        *self.claim.saver.lock().unwrap_or_else(PoisonError::into_inner) = saver;
    }

    /// Gives the terminal back to the shell until it is continued; says whether there was a shell to do so.
    pub(crate) fn suspend(&mut self) -> anyhow::Result<bool> {
        self.claim.give_back();
        // Not SIGSTOP: where no shell could ever continue us (`ssh -t host palmtop`), the system ignores this one.
        let asked = Instant::now();
        signal_hook::low_level::raise(SIGTSTP)?;
        let stopped = asked.elapsed() > Duration::from_millis(100);
        if !stopped {
            // Long enough to be seen: a screen that merely flickers looks broken.
            thread::sleep(Duration::from_millis(300));
        }
        self.claim.take()?;
        // What the terminal shows is unknown now, and so may its size be.
        self.terminal = Terminal::new(Canvas::new(self.buffer.clone()))?;
        Ok(stopped)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.claim.end();
    }
}

/// Our hold on the terminal, shared with the signals' thread and the panic hook: whoever comes first gives it back.
struct Claim {
    /// Whether the terminal is ours now; locked while something is written.
    held: Mutex<bool>,
    /// Whether it tells us of the mouse.
    mouse: AtomicBool,
    /// What must be on disk before we go.
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

    /// Writes a frame, unless the terminal is no longer ours.
    fn write(&self, frame: &[u8]) -> io::Result<()> {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if !*held {
            return Ok(());
        }
        let mut stdout = io::stdout().lock();
        stdout.write_all(frame)?;
        stdout.flush()
    }

    /// Leaves the terminal as it was. Errors mean that it is gone, and then nothing is left to restore.
    ///
    /// A terminal that takes no more output must not hold up the way out: after a while it is left alone.
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
            // Only once: a second time would put the cursor over what was printed since.
            if std::mem::take(&mut *held) {
                if self.mouse.load(Ordering::Relaxed) {
                    let _ = execute!(io::stdout(), DisableMouseCapture);
                }
                // Cleared first: after a new size, tmux leaves parts of the screen behind, and they tell of T.
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

    /// The way out: the session is saved and what was unpacked goes first, since giving back may have to wait.
    fn end(&self) {
        let saver = self.saver.try_lock().ok().and_then(|mut saver| saver.take());
        if let Some(saver) = saver {
            saver.flush();
        }
        // The session is on disk: what is still being written is a release, and nobody has verified it.
        palmtop_flow::pipeline::remove_unfinished();
        let on_exit = self.on_exit.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(on_exit) = on_exit {
            on_exit();
        }
        self.give_back();
    }
}

/// Whether a frame changes nothing that can be seen: hiding a hidden cursor again is all that it does.
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

/// A thread of its own, since a terminal that went away can keep everything else busy for ever.
fn leave_on_signal(claim: &Arc<Claim>) -> io::Result<()> {
    let mut signals = Signals::new(ENDING)?;
    let claim = Arc::clone(claim);
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        if let Some(signal) = signals.forever().next() {
            // Whatever the way out stumbles over: it is the way out.
            let _ = panic::catch_unwind(AssertUnwindSafe(|| claim.end()));
            std::process::exit(128 + signal);
        }
    })?;
    Ok(())
}

/// Only a panic of the screen's own thread gives the terminal back; one in a job is that job's failure.
fn leave_on_panic(claim: &Arc<Claim>) {
    let (own, print, claim) = (thread::current().id(), panic::take_hook(), Arc::clone(claim));
    panic::set_hook(Box::new(move |panic| {
        if thread::current().id() == own {
            let log = claim.saver.try_lock().ok().and_then(|saver| saver.clone());
            claim.end();
            let saved = log.and_then(|log| log.saved());
            print(panic);
            // This is the only thing left that can still be said, and nothing reads our words before us any more.
            let how = saved.map_or_else(
                || "This session was not saved. Exported files remain.".to_owned(),
                |path| {
                    let path = text::safe(&path.to_string_lossy());
                    format!("Your steps are saved. Continue with --resume={path}.")
                },
            );
            let _ = writeln!(io::stderr(), "palmtop: an internal error ended the workbench. {how}");
        }
    }));
}

/// Draws a frame into a terminal's buffer, in the symbols that it can show; hands on what drawing has to tell.
pub(crate) fn draw_on<W: Write, T>(
    terminal: &mut Terminal<Canvas<W>>,
    symbols: Symbols,
    paint: impl FnOnce(&mut Frame) -> T,
) -> io::Result<Option<T>> {
    let mut told = None;
    terminal.draw(|frame| {
        told = Some(paint(frame));
        // Every text is made safe where it is put; whatever a screen forgets does not reach the terminal all the same.
        text::veil(frame.buffer_mut());
        if symbols == Symbols::Ascii {
            symbols::translate(frame.buffer_mut());
        }
    })?;
    Ok(told)
}
