//! The backend that frames are drawn on: crossterm's, with a limit on the size that a terminal may
//! claim.

use std::io::{self, Write};

use ratatui::backend::{Backend, ClearType, CrosstermBackend, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Size};

/// The largest width and height that are drawn. Two frames of this size take about 50 MB. A
/// terminal may claim 65,535 by 65,535, and such frames would not fit into memory.
const MOST: (u16, u16) = (1_000, 500);
/// The size assumed for a terminal that reports none, such as a serial line.
const USUAL: (u16, u16) = (80, 24);

/// The size of the terminal, within the limits.
pub(crate) fn size() -> io::Result<(u16, u16)> {
    crossterm::terminal::size().map(bounded)
}

fn bounded((columns, rows): (u16, u16)) -> (u16, u16) {
    let within = |claimed: u16, most: u16, usual: u16| if claimed == 0 { usual } else { claimed.min(most) };
    (within(columns, MOST.0, USUAL.0), within(rows, MOST.1, USUAL.1))
}

/// Crossterm's backend, limited to the size that is drawn.
pub(crate) struct Canvas<W: Write>(CrosstermBackend<W>);

impl<W: Write> Canvas<W> {
    /// A canvas that writes its bytes to `writer`.
    pub(crate) fn new(writer: W) -> Self {
        Self(CrosstermBackend::new(writer))
    }
}

impl<W: Write> Backend for Canvas<W> {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        self.0.draw(content)
    }

    fn append_lines(&mut self, count: u16) -> io::Result<()> {
        self.0.append_lines(count)
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.0.hide_cursor()
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.0.show_cursor()
    }

    /// Never asks the terminal: a detached terminal would not answer.
    fn get_cursor_position(&mut self) -> io::Result<Position> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.0.set_cursor_position(position)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.0.clear()
    }

    fn clear_region(&mut self, region: ClearType) -> io::Result<()> {
        self.0.clear_region(region)
    }

    fn size(&self) -> io::Result<Size> {
        size().map(Size::from)
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        Ok(WindowSize { columns_rows: self.size()?, pixels: Size::ZERO })
    }

    fn flush(&mut self) -> io::Result<()> {
        Backend::flush(&mut self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claimed_screen_size_is_bounded() {
        for (claimed, drawn) in [
            ((80, 24), (80, 24)),
            ((1, 1), (1, 1)),
            ((0, 0), (80, 24)),
            ((0, 50), (80, 50)),
            ((65_535, 65_535), (1_000, 500)),
            ((65_535, 24), (1_000, 24)),
        ] {
            assert_eq!(bounded(claimed), drawn);
        }
    }
}
