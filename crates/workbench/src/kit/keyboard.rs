//! Reads keys and changes of size in a thread.
//! palmtop reads the bytes itself, because crossterm's reader waits forever for the end of a
//! sequence: see [`crate::kit::decode`].

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::panic::{self, AssertUnwindSafe};
use std::thread;
use std::time::{Duration, Instant};

use crossterm::event::Event;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use signal_hook::consts::SIGWINCH;

use crate::kit::canvas;
use crate::kit::decode::Decoder;
use crate::kit::link::Link;

/// The file that the keys come from.
enum Tty {
    Input,
    /// The controlling terminal, if the standard input is not a terminal.
    Opened(File),
}

/// The sources of events.
struct Keyboard {
    tty: Tty,
    /// Receives a byte when the size changes.
    resized: UnixStream,
    decoder: Decoder,
}

/// The sources that have data.
struct Come {
    typed: bool,
    resized: bool,
}

/// A message of the keyboard.
pub(crate) enum Typed {
    /// A key, a click, a paste, or another size.
    Event(Event),
    /// The terminal is gone; no key can come any more.
    Lost,
}

/// Sends an event for every key from now on, until the terminal is gone.
pub(crate) fn listen(link: Link<Typed>) -> io::Result<()> {
    let mut keyboard = Keyboard::open()?;
    thread::Builder::new().name("input".to_owned()).spawn(move || {
        // If the thread ends for any reason, no key arrives any more, and the loop must know.
        let _ = panic::catch_unwind(AssertUnwindSafe(|| keyboard.tell(&link)));
        // A hangup also sends a signal, which tells more: the signal comes first.
        thread::sleep(Duration::from_millis(200));
        link.send(Typed::Lost);
    })?;
    Ok(())
}

impl Keyboard {
    fn open() -> io::Result<Self> {
        let tty = if rustix::termios::isatty(rustix::stdio::stdin()) {
            Tty::Input
        } else {
            Tty::Opened(File::open("/dev/tty")?)
        };
        let (resized, signal) = UnixStream::pair()?;
        resized.set_nonblocking(true)?;
        signal.set_nonblocking(true)?;
        signal_hook::low_level::pipe::register(SIGWINCH, signal)?;
        Ok(Self { tty, resized, decoder: Decoder::default() })
    }

    /// Sends events until reading ends.
    fn tell(&mut self, link: &Link<Typed>) -> io::Result<()> {
        let mut bytes = [0_u8; 1024];
        let mut events = Vec::new();
        let mut last = Instant::now();
        loop {
            let patience = self.decoder.patience();
            let come = self.wait(patience.map(|patience| patience.saturating_sub(last.elapsed())))?;
            if come.resized {
                // Several changes of size need only one event.
                while self.resized.read(&mut bytes).is_ok_and(|count| count > 0) {}
                let (columns, rows) = canvas::size()?;
                events.push(Event::Resize(columns, rows));
            }
            if come.typed {
                match rustix::io::read(&self.tty, &mut bytes) {
                    Ok(0) => return Ok(()),
                    Ok(count) => self.decoder.feed(&bytes[..count], &mut events),
                    Err(Errno::INTR | Errno::AGAIN) => {}
                    Err(error) => return Err(error.into()),
                }
                last = Instant::now();
            } else if patience.is_some_and(|patience| last.elapsed() >= patience) {
                self.decoder.silence(&mut events);
            }
            for event in events.drain(..) {
                link.send(Typed::Event(event));
            }
        }
    }

    /// Waits until data comes, at most for this time.
    fn wait(&self, patience: Option<Duration>) -> io::Result<Come> {
        let timeout = patience.map(Timespec::try_from).transpose().map_err(io::Error::other)?;
        let mut waited = [PollFd::new(&self.tty, PollFlags::IN), PollFd::new(&self.resized, PollFlags::IN)];
        match poll(&mut waited, timeout.as_ref()) {
            // If the terminal is gone, the next read reports it.
            Ok(_) => {
                Ok(Come { typed: !waited[0].revents().is_empty(), resized: !waited[1].revents().is_empty() })
            }
            Err(Errno::INTR) => Ok(Come { typed: false, resized: false }),
            Err(error) => Err(error.into()),
        }
    }
}

impl AsFd for Tty {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Input => rustix::stdio::stdin(),
            Self::Opened(file) => file.as_fd(),
        }
    }
}
