//! Measures how long a frame takes, inside the program; `benches/README.md` has the figures.

use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};

use super::message::Message;
use super::settings::Settings;
use super::source::{ANSWER, Source, What};
use super::state::{App, Opening, Phase};
use crate::kit::canvas::Canvas;
use crate::kit::keyboard::Typed;
use crate::kit::link::Link;
use crate::kit::symbols::Symbols;
use crate::kit::terminal::{Buffer, draw_on};

/// The figures of one kind of key press.
#[derive(Clone, Debug)]
pub struct FrameFigures {
    /// The name of the key or step.
    pub name: &'static str,
    /// From the key press to the bytes of its frame, one time for each press.
    pub times: Vec<Duration>,
    /// The size of each frame in bytes.
    pub bytes: Vec<usize>,
}

/// The workbench on a screen that is only a buffer.
struct Bench {
    app: App,
    terminal: Terminal<Canvas<Buffer>>,
    buffer: Buffer,
    messages: Receiver<Message>,
}

/// Presses keys and measures the frames that answer them: the first one, steps, and walks over every screen.
///
/// # Errors
/// The source is no project file, or a frame cannot be drawn.
pub fn bench_frame(
    source: Source,
    columns: u16,
    rows: u16,
    presses: usize,
) -> anyhow::Result<Vec<FrameFigures>> {
    let What::Project(project) = source.project else { anyhow::bail!("frames are measured on a project") };
    let began = Instant::now();
    let (sender, messages) = mpsc::channel();
    let opening = Opening {
        overrides: source.overrides,
        command_name: source.command_name,
        banner: None,
        home: None,
        resumed: None,
        asks_to_go_on: false,
    };
    let app = App::new(project, opening, Settings { mouse: false, ..source.settings }, Link::new(sender));
    let buffer = Buffer::default();
    let viewport = Viewport::Fixed(Rect::new(0, 0, columns, rows));
    let terminal = Terminal::with_options(Canvas::new(buffer.clone()), TerminalOptions { viewport })?;
    let mut bench = Bench { app, terminal, buffer, messages };
    let first = bench.draw()?;
    let first = FrameFigures { name: "first frame", times: vec![began.elapsed()], bytes: vec![first] };
    while matches!(bench.app.phase, Phase::Loading(_)) && !bench.app.is_done() {
        let message = bench.messages.recv()?;
        bench.app.update(message);
    }
    let mut figures = vec![first, bench.shown("loaded", began)?];
    bench.answer(Duration::from_secs(60), Instant::now());
    figures.push(bench.shown("classes", began)?);
    bench.settle()?;
    figures.push(bench.shown("neighbours", began)?);
    figures.push(bench.measure("step", presses, |nth| if nth % 2 == 0 { 'l' } else { 'h' })?);
    figures.push(bench.measure("next attribute", presses, |nth| if nth % 6 < 3 { 'j' } else { 'k' })?);
    bench.press(KeyCode::Tab)?;
    figures.push(bench.measure("next class", presses, |_| 'j')?);
    // From the classes to the lattice; the workbench then has its focus on the steps.
    bench.press(KeyCode::Tab)?;
    let began = Instant::now();
    bench.settle()?;
    figures.push(bench.shown("lattice", began)?);
    bench.command("lattice.best")?;
    figures.push(bench.measure(
        "lattice, along a height",
        presses,
        |nth| if nth % 40 < 20 { 'l' } else { 'h' },
    )?);
    figures.push(bench.measure(
        "lattice, up and down",
        presses,
        |nth| if nth % 20 < 10 { 'k' } else { 'j' },
    )?);
    figures.push(bench.measure("lattice, next that keeps δ", presses, |_| 'n')?);
    // The screen must answer while both cores search.
    bench.command("releases.run-all")?;
    bench.command("workbench")?;
    figures.push(
        bench.hold("step, while all searches run", presses, |nth| if nth % 2 == 0 { 'l' } else { 'h' })?,
    );
    Ok(figures)
}

impl Bench {
    /// Draws a frame; returns its size in bytes.
    fn draw(&mut self) -> anyhow::Result<usize> {
        let app = &self.app;
        if let Some(seen) = draw_on(&mut self.terminal, Symbols::Unicode, |frame| app.draw(frame))? {
            self.app.seen = seen;
        }
        Ok(self.buffer.take().len())
    }

    /// Draws a frame, and measures the time since `began`.
    fn shown(&mut self, name: &'static str, began: Instant) -> anyhow::Result<FrameFigures> {
        let bytes = vec![self.draw()?];
        Ok(FrameFigures { name, times: vec![began.elapsed()], bytes })
    }

    /// Handles messages until the last key is answered, but at most for `patience` since `began`.
    fn answer(&mut self, patience: Duration, began: Instant) {
        while self.app.activity().is_answering {
            match self.messages.recv_timeout(patience.saturating_sub(began.elapsed())) {
                Ok(message) => self.app.update(message),
                Err(_) => break,
            }
        }
    }

    /// Runs a command by its name, whatever its key is.
    fn command(&mut self, id: &str) -> anyhow::Result<()> {
        for key in format!(":{id}").chars() {
            self.press(KeyCode::Char(key))?;
        }
        self.press(KeyCode::Enter)?;
        Ok(())
    }

    /// Presses a key and handles messages until the key is answered.
    fn press(&mut self, code: KeyCode) -> anyhow::Result<(Duration, usize)> {
        self.press_within(code, Duration::from_secs(60))
    }

    /// Presses a key and handles messages until the key is answered, but at most for `patience`, as the loop does.
    fn press_within(&mut self, code: KeyCode, patience: Duration) -> anyhow::Result<(Duration, usize)> {
        let began = Instant::now();
        self.app.update(Message::Typed(Typed::Event(Event::Key(KeyEvent::new(code, KeyModifiers::NONE)))));
        self.app.take_effects();
        self.answer(patience, began);
        while let Ok(message) = self.messages.try_recv() {
            self.app.update(message);
        }
        let bytes = self.draw()?;
        Ok((began.elapsed(), bytes))
    }

    fn measure(
        &mut self,
        name: &'static str,
        presses: usize,
        key: impl Fn(usize) -> char,
    ) -> anyhow::Result<FrameFigures> {
        let (mut times, mut bytes) = (Vec::new(), Vec::new());
        for nth in 0..presses {
            let (time, count) = self.press(KeyCode::Char(key(nth)))?;
            times.push(time);
            bytes.push(count);
            // The background counts of one step must not slow the next one.
            self.settle()?;
        }
        Ok(FrameFigures { name, times, bytes })
    }

    /// Measures as [`Self::measure`] does, but waits no longer than the loop: a late answer is drawn as being counted.
    fn hold(
        &mut self,
        name: &'static str,
        presses: usize,
        key: impl Fn(usize) -> char,
    ) -> anyhow::Result<FrameFigures> {
        let answers = (0..presses).map(|nth| self.press_within(KeyCode::Char(key(nth)), ANSWER));
        let (times, bytes) = answers.collect::<anyhow::Result<Vec<_>>>()?.into_iter().unzip();
        Ok(FrameFigures { name, times, bytes })
    }

    /// Waits until all counts have ended.
    fn settle(&mut self) -> anyhow::Result<()> {
        while self.app.activity().is_counting {
            let message = self.messages.recv_timeout(Duration::from_secs(60))?;
            self.app.update(message);
        }
        self.draw()?;
        Ok(())
    }
}
