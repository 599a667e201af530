//! The terminal: entered and left by us, on every way out.

use std::cell::RefCell;
use std::io::{self, Write};
use std::panic;
use std::rc::Rc;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste, Event, KeyCode, KeyModifiers};
use crossterm::terminal::{
    BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen,
    LeaveAlternateScreen,
};
use crossterm::{cursor, execute, queue};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};
use signal_hook::iterator::Signals;

use super::app::App;
use super::message::Message;
use super::screens;

/// What to do on the way out, whichever it is.
pub(crate) type OnExit = Box<dyn FnOnce() + Send>;

/// The screen: frames are made in a buffer and written at once.
pub(crate) struct Screen {
    terminal: Terminal<CrosstermBackend<Buffer>>,
    buffer: Buffer,
    on_exit: Arc<Mutex<Option<OnExit>>>,
}

/// What a frame writes, until it is whole.
#[derive(Clone, Default)]
struct Buffer(Rc<RefCell<Vec<u8>>>);

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
    pub(crate) fn enter(on_exit: OnExit, sender: Sender<Message>) -> anyhow::Result<Self> {
        let on_exit = Arc::new(Mutex::new(Some(on_exit)));
        restore_on_signal(Arc::clone(&on_exit))?;
        restore_on_panic(Arc::clone(&on_exit));
        take_over()?;
        let buffer = Buffer::default();
        let terminal = Terminal::new(CrosstermBackend::new(buffer.clone()))?;
        thread::Builder::new().name("input".to_owned()).spawn(move || listen(&sender))?;
        Ok(Self { terminal, buffer, on_exit })
    }

    /// Draws the state: one write, inside a synchronized update.
    pub(crate) fn draw(&mut self, app: &App) -> anyhow::Result<()> {
        self.terminal.draw(|frame| screens::render(frame, app))?;
        let frame = std::mem::take(&mut *self.buffer.0.borrow_mut());
        if !is_idle(&frame) {
            let mut whole = Vec::with_capacity(frame.len() + 32);
            queue!(whole, BeginSynchronizedUpdate)?;
            whole.extend_from_slice(&frame);
            queue!(whole, EndSynchronizedUpdate)?;
            let mut stdout = io::stdout().lock();
            stdout.write_all(&whole)?;
            stdout.flush()?;
        }
        Ok(())
    }

    /// Gives the terminal back to the shell until it is continued.
    pub(crate) fn suspend(&mut self) -> anyhow::Result<()> {
        give_back();
        signal_hook::low_level::emulate_default_handler(SIGTSTP)?;
        take_over()?;
        // What the terminal shows is unknown now, and so may its size be.
        self.terminal = Terminal::new(CrosstermBackend::new(self.buffer.clone()))?;
        Ok(())
    }

    /// Gives the terminal back for good.
    pub(crate) fn leave(self) {
        give_back();
        run_once(&self.on_exit);
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

fn take_over() -> io::Result<()> {
    crossterm::terminal::enable_raw_mode()?;
    let clear = Clear(ClearType::All);
    execute!(io::stdout(), EnterAlternateScreen, EnableBracketedPaste, clear, cursor::Hide)
}

/// Leaves the terminal as it was. Errors mean that it is gone, and then nothing is left to restore.
fn give_back() {
    let _ = execute!(
        io::stdout(),
        EndSynchronizedUpdate,
        DisableBracketedPaste,
        LeaveAlternateScreen,
        cursor::Show
    );
    let _ = crossterm::terminal::disable_raw_mode();
}

fn run_once(on_exit: &Mutex<Option<OnExit>>) {
    if let Some(on_exit) = on_exit.lock().unwrap_or_else(PoisonError::into_inner).take() {
        on_exit();
    }
}

/// A thread of its own, since a terminal that went away can keep everything else busy for ever.
fn restore_on_signal(on_exit: Arc<Mutex<Option<OnExit>>>) -> io::Result<()> {
    let mut signals = Signals::new([SIGTERM, SIGHUP, SIGINT, SIGQUIT])?;
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        if let Some(signal) = signals.forever().next() {
            give_back();
            run_once(&on_exit);
            std::process::exit(128 + signal);
        }
    })?;
    Ok(())
}

/// Only a panic of the screen's own thread gives the terminal back; one in a job is that job's failure.
fn restore_on_panic(on_exit: Arc<Mutex<Option<OnExit>>>) {
    let (own, print) = (thread::current().id(), panic::take_hook());
    panic::set_hook(Box::new(move |panic| {
        if thread::current().id() == own {
            give_back();
            run_once(&on_exit);
            print(panic);
        }
    }));
}

/// Turns what is typed into messages, until the terminal goes away.
fn listen(sender: &Sender<Message>) {
    while let Ok(event) = crossterm::event::read() {
        let suspend = matches!(&event, Event::Key(key)
            if key.code == KeyCode::Char('z') && key.modifiers.contains(KeyModifiers::CONTROL));
        let message = if suspend { Message::Suspend } else { Message::Input(event) };
        if sender.send(message).is_err() {
            return;
        }
    }
}
