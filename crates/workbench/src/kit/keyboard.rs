//! Reads what is typed, and hears of new sizes, on a thread of its own.
//!
//! Bytes are read by us and not by crossterm, whose reader waits for the end of a sequence for ever: see [`crate::kit::decode`].

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

/// The terminal's end that is typed at.
enum Tty {
    Input,
    /// Where the input is something else.
    Own(File),
}

/// What is waited for.
struct Keyboard {
    tty: Tty,
    /// A byte comes here when the size is another one.
    resized: UnixStream,
    decoder: Decoder,
}

/// What has come.
struct Come {
    typed: bool,
    resized: bool,
}

/// What the keyboard has to say.
pub(crate) enum Typed {
    /// A key, a click, a paste, a new size.
    Event(Event),
    /// Nothing can be typed any more: the terminal went away.
    Lost,
}

/// Turns what is typed into messages from now on, until the terminal goes away.
pub(crate) fn listen(link: Link<Typed>) -> io::Result<()> {
    let mut keyboard = Keyboard::open()?;
    thread::Builder::new().name("input".to_owned()).spawn(move || {
        // Whatever ends it, nobody would be heard any more: that must be known.
        let _ = panic::catch_unwind(AssertUnwindSafe(|| keyboard.tell(&link)));
        // A hangup has a signal of its own, which says it better: let it come first.
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
            Tty::Own(File::open("/dev/tty")?)
        };
        let (resized, signal) = UnixStream::pair()?;
        resized.set_nonblocking(true)?;
        signal.set_nonblocking(true)?;
        signal_hook::low_level::pipe::register(SIGWINCH, signal)?;
        Ok(Self { tty, resized, decoder: Decoder::default() })
    }

    /// Sends messages until nothing can be read any more.
    fn tell(&mut self, link: &Link<Typed>) -> io::Result<()> {
        let mut bytes = [0_u8; 1024];
        let mut events = Vec::new();
        let mut last = Instant::now();
        loop {
            let patience = self.decoder.patience();
            let come = self.wait(patience.map(|patience| patience.saturating_sub(last.elapsed())))?;
            if come.resized {
                // However often it changed, it has one size now.
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

    /// Waits until something comes, but no longer than this.
    fn wait(&self, patience: Option<Duration>) -> io::Result<Come> {
        let timeout = patience.map(Timespec::try_from).transpose().map_err(io::Error::other)?;
        let mut waited = [PollFd::new(&self.tty, PollFlags::IN), PollFd::new(&self.resized, PollFlags::IN)];
        match poll(&mut waited, timeout.as_ref()) {
            // A terminal that went away is told by reading it.
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
            Self::Own(file) => file.as_fd(),
        }
    }
}
