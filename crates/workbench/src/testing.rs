//! A workbench without a terminal: keys in, a screen as text out, every job run to its end.

use std::any::Any;
use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use palmtop_release::history::RecodingRecipe;
use palmtop_release::pipeline::{Analysis, Overrides};
use palmtop_search::Strategy;
use palmtop_search::release::Release;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::layout::Position;
use ratatui::style::{Color, Style};
use tempfile::TempDir;

use crate::app::loading::Loaded;
use crate::app::message::Message;
use crate::app::registry::Screens;
use crate::app::settings::Settings;
use crate::app::state::{App, Opening, Phase, Ready, Seen};
use crate::kit::keyboard::Typed;
use crate::kit::link::Link;
use crate::kit::slot::Answer;
use crate::kit::symbols;
use crate::kit::theme::{Background, Depth, Theme};
use crate::screens::hierarchies::state::HierarchyTree;
use crate::screens::lattice::walk::{LatticeWalk, Message as LatticeMessage, Surveyed};
use crate::screens::policy::curve::{Sweep, Swept};
use crate::screens::policy::state::PolicyScreen;
use crate::screens::proposal::state::{Begin, ProposalScreen};
use crate::screens::releases::state::Releases;
use crate::screens::tables::state::TablePages;
use crate::screens::workbench::neighbours::Counted;
use crate::screens::workbench::state::Workbench;
use crate::shared::component::Component;
use crate::shared::intent::Figures;
use crate::shared::runs::{Budget, Run, RunKey, Running};
use crate::shared::screen::ScreenReport;
use crate::shared::state::{Message as SharedMessage, Shared};
use crate::shared::view::View;
use crate::windows::export::state::ExportDialog;

/// The workbench under test.
pub(crate) struct Bench {
    pub(crate) app: App,
    /// The messages, and whether each is the failure of a job.
    messages: Receiver<(Message, bool)>,
    /// What was drawn since the last key.
    seen: RefCell<Option<Seen>>,
}

impl Bench {
    /// The paper's Table 1 under its δ, loaded.
    pub(crate) fn paper() -> Self {
        Self::open(&sample("paper/paper.toml"), Overrides::default())
    }

    /// The practice clinic, loaded.
    pub(crate) fn clinic() -> Self {
        Self::open(&sample("clinic/clinic.toml"), Overrides::default())
    }

    /// A project, loaded or failed.
    pub(crate) fn open(project: &Path, overrides: Overrides) -> Self {
        let mut bench = Self::loading(project, overrides);
        bench.load();
        if let Phase::Ready(ready) = &mut bench.app.phase {
            // A clock would make every result another one.
            ready.shared.runs.budget = Budget { limit: Duration::from_secs(600), rounds: Some(2) };
        }
        bench.settle();
        bench
    }

    /// Takes what the loading job says, until the project is loaded or failed.
    pub(crate) fn load(&mut self) -> &mut Self {
        while matches!(self.app.phase, Phase::Loading(_)) && !self.app.is_done() {
            self.take_next();
        }
        self
    }

    /// A project that is still being loaded: nothing that its job says is taken yet.
    pub(crate) fn loading(project: &Path, overrides: Overrides) -> Self {
        let (sender, messages) = mpsc::channel();
        let opening = Opening {
            overrides,
            command_name: "paper.toml".to_owned(),
            banner: Some("nothing to lose here".to_owned()),
            home: None,
            resumed: None,
            asks_to_go_on: false,
        };
        let app = App::new(project.to_owned(), opening, Settings::plain(), Link::marking_failures(sender));
        Self { app, messages, seen: RefCell::default() }
    }

    /// A project that is proposed for two tables, or is about to be.
    pub(crate) fn propose(begin: Begin) -> Self {
        let (sender, messages) = mpsc::channel();
        let opening = Opening {
            overrides: Overrides::default(),
            command_name: String::new(),
            banner: None,
            home: None,
            resumed: None,
            asks_to_go_on: false,
        };
        let app = App::propose(begin, opening, Settings::plain(), Link::marking_failures(sender));
        let mut bench = Self { app, messages, seen: RefCell::default() };
        bench.settle();
        bench
    }

    /// Whether a question is open.
    pub(crate) fn is_asked(&self) -> bool {
        self.app.windows.question().is_some()
    }

    /// What is proposed.
    pub(crate) fn proposal(&self) -> &ProposalScreen {
        let screen: &dyn Any = self.app.phase.screen().expect("nothing is open").1;
        screen.downcast_ref().expect("nothing is proposed")
    }

    fn ready(&self) -> &Ready {
        let Phase::Ready(ready) = &self.app.phase else { panic!("it is not loaded") };
        ready
    }

    pub(crate) fn ready_mut(&mut self) -> &mut Ready {
        let Phase::Ready(ready) = &mut self.app.phase else { panic!("it is not loaded") };
        ready
    }

    pub(crate) fn shared(&self) -> &Shared {
        &self.ready().shared
    }

    fn screens(&self) -> &Screens {
        &self.ready().screens
    }

    /// The screen of this type.
    fn screen_of<S: Component>(&self) -> &S {
        self.screens().of().unwrap()
    }

    pub(crate) fn workbench(&self) -> &Workbench {
        self.screen_of()
    }

    pub(crate) fn lattice(&self) -> &LatticeWalk {
        self.screen_of()
    }

    pub(crate) fn releases(&self) -> &Releases {
        self.screen_of()
    }

    pub(crate) fn policy(&self) -> &PolicyScreen {
        self.screen_of()
    }

    pub(crate) fn sweep(&self) -> &Sweep {
        &self.policy().curve
    }

    pub(crate) fn hierarchies(&self) -> &HierarchyTree {
        self.screen_of()
    }

    pub(crate) fn tables(&self) -> &TablePages {
        self.screen_of()
    }

    /// What an export on the screen that is open would write.
    pub(crate) fn chosen(&self) -> (RecodingRecipe, Arc<Release>) {
        self.screens().get(self.shared().open).1.chosen(self.shared()).unwrap()
    }

    /// The figures of the screen that is open.
    pub(crate) fn figures(&self) -> Result<Figures, String> {
        self.screens().get(self.shared().open).1.figures(self.shared())
    }

    pub(crate) fn view(&self) -> &View {
        self.shared().current_view().expect("it is counted")
    }

    pub(crate) fn analysis(&self) -> Arc<Analysis> {
        Arc::clone(&self.shared().analysis)
    }

    pub(crate) fn dialog(&self) -> &ExportDialog {
        let Some(dialog) = self.window::<ExportDialog>() else { panic!("no export is open") };
        dialog
    }

    /// The top window, if it is of this type.
    pub(crate) fn window<W: Component>(&self) -> Option<&W> {
        let top: &dyn Any = self.app.windows.top()?;
        top.downcast_ref()
    }

    /// The name of the current recipe, as in the title.
    pub(crate) fn recipe_name(&self) -> String {
        self.shared().recipe_name()
    }

    /// Types keys, each followed by whatever the jobs have to say: `jj<Enter>` and `<^C>`, and `<lt>` for `<`.
    pub(crate) fn keys(&mut self, keys: &str) -> &mut Self {
        for key in parse(keys) {
            self.press(key);
            self.settle();
        }
        self
    }

    /// Types keys without waiting for any job.
    pub(crate) fn keys_at_once(&mut self, keys: &str) -> &mut Self {
        for key in parse(keys) {
            self.press(key);
        }
        self
    }

    fn press(&mut self, key: KeyEvent) {
        self.input(Event::Key(key));
    }

    fn input(&mut self, event: Event) {
        if let Some(seen) = self.seen.take() {
            self.app.seen = seen;
        }
        self.app.update(Message::Typed(Typed::Event(event)));
    }

    /// Clicks where the last screen that was drawn has something.
    pub(crate) fn click(&mut self, column: u16, row: u16) {
        let kind = MouseEventKind::Down(MouseButton::Left);
        let mouse = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
        self.input(Event::Mouse(mouse));
        self.settle();
    }

    pub(crate) fn paste(&mut self, text: &str) {
        self.input(Event::Paste(text.to_owned()));
    }

    /// Takes what jobs say until none has anything to say.
    pub(crate) fn settle(&mut self) {
        while !self.app.is_done() && self.is_waiting() {
            self.take_next();
        }
    }

    fn is_waiting(&self) -> bool {
        let ready = match &self.app.phase {
            Phase::Ready(ready) => ready,
            Phase::Before(before) => return before.screen.state().activity.is_counting,
            Phase::Loading(_) => return self.app.proposed.is_some(),
            Phase::Failed { .. } => return false,
        };
        let activity = ready.activity() | self.app.windows.activity();
        activity.is_counting || self.app.reading.is_some() || self.app.writing.is_open()
    }

    /// The next message, and whether it is the failure of a job.
    fn next_message(&self) -> (Message, bool) {
        self.messages.recv_timeout(Duration::from_secs(60)).expect("a job says something")
    }

    pub(crate) fn take_next(&mut self) {
        let (mut message, _) = self.next_message();
        // A clock would make every snapshot another one.
        if let Message::Shared(SharedMessage::Run((_, answer))) = &mut message
            && let Some(Running::Ended(outcome)) = answer.value_mut()
        {
            outcome.seconds = 0.25;
        }
        self.app.update(message);
    }

    /// The next figure of the curve, which nobody has taken yet; whatever comes before it is taken.
    pub(crate) fn next_swept(&mut self) -> Message {
        self.next_of(|message, _| answered::<Swept>(message).is_some())
    }

    /// The next end of a survey, likewise.
    pub(crate) fn next_surveyed(&mut self) -> Message {
        self.next_of(|message, _| {
            let Message::Screen(ScreenReport { report, .. }) = message else { return false };
            let Some(LatticeMessage::Survey(answer)) = report.peek() else { return false };
            matches!(answer.value(), Some(Surveyed::Ended(_)))
        })
    }

    /// The next neighbour that is counted, likewise.
    pub(crate) fn next_neighbour(&mut self) -> Message {
        self.next_of(|message, _| matches!(answered(message), Some(Counted::Step(_))))
    }

    /// The next failure of a job, likewise.
    pub(crate) fn next_broken(&mut self) -> Message {
        self.next_of(|_, is_failure| is_failure)
    }

    /// Which kinds of jobs break from now on.
    pub(crate) fn break_jobs(&mut self, kinds: &[&'static str]) -> &mut Self {
        *self.app.link.breaking.lock().unwrap() = kinds.to_vec();
        self
    }

    fn next_of(&mut self, is_wanted: impl Fn(&mut Message, bool) -> bool) -> Message {
        loop {
            let (mut message, is_failure) = self.next_message();
            if is_wanted(&mut message, is_failure) {
                return message;
            }
            self.app.update(message);
        }
    }

    /// The screen at a size, as text.
    pub(crate) fn screen(&self, width: u16, height: u16) -> String {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        let mut seen = None;
        terminal.draw(|frame| seen = Some(self.app.draw(frame))).unwrap();
        self.seen.replace(seen);
        let drawn = terminal.backend().to_string();
        let lines = drawn.lines().map(|line| line.trim_start_matches('"').trim_end_matches('"').trim_end());
        lines.collect::<Vec<_>>().join("\n")
    }

    /// The words at 80 x 24: runs of two or more letters outside the rows of lists and tables.
    pub(crate) fn words(&self) -> usize {
        let mut terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
        let mut seen = None;
        terminal.draw(|frame| seen = Some(self.app.draw(frame))).unwrap();
        let (buffer, hits) = (terminal.backend().buffer(), seen.unwrap().hits);
        let is_cell =
            |column: u16, row: u16| hits.rows().any(|area| area.contains(Position::new(column, row)));
        let lines = (0..24).map(|row| {
            let shown =
                (0..80).map(|column| if is_cell(column, row) { " " } else { buffer[(column, row)].symbol() });
            shown.collect::<String>()
        });
        let words = |line: String| {
            let runs = line.split(|character: char| !character.is_alphabetic());
            runs.filter(|run| run.chars().count() > 1).count()
        };
        lines.map(words).sum()
    }

    /// The styles of the screen at a size in a theme: a letter a style, none where the text is plain, then what each
    /// letter is. The text must be the one without colour.
    pub(crate) fn styles(&mut self, theme: Theme, width: u16, height: u16) -> String {
        let plain = self.screen(width, height);
        let before = std::mem::replace(&mut self.app.settings.theme, theme);
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| drop(self.app.draw(frame))).unwrap();
        let coloured = self.screen(width, height);
        self.app.settings.theme = before;
        assert_eq!(without_clock(&coloured), without_clock(&plain), "colour changes no text");
        let buffer = terminal.backend().buffer();
        let mut letters: Vec<String> = Vec::new();
        let mut drawn = String::new();
        for row in buffer.content.chunks(usize::from(width)) {
            let mut line = String::new();
            for cell in row {
                let written = written_style(cell.style());
                let is_new = !written.is_empty() && !letters.contains(&written);
                if is_new {
                    letters.push(written.clone());
                }
                let index = letters.iter().position(|other| *other == written);
                line.push(index.map_or(' ', |index| char::from(b'a' + u8::try_from(index).unwrap())));
            }
            drawn.push_str(line.trim_end());
            drawn.push('\n');
        }
        for (letter, written) in ('a'..).zip(letters) {
            drawn.push_str(&format!("{letter} = {written}\n"));
        }
        drawn
    }

    /// The screen as a terminal without symbols shows it.
    pub(crate) fn ascii_screen(&self, width: u16, height: u16) -> String {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        let draw = |frame: &mut ratatui::Frame| {
            self.app.draw(frame);
            symbols::translate(frame.buffer_mut());
        };
        terminal.draw(draw).unwrap();
        let drawn = terminal.backend().to_string();
        let lines = drawn.lines().map(|line| line.trim_start_matches('"').trim_end_matches('"').trim_end());
        lines.collect::<Vec<_>>().join("\n")
    }

    /// A result of a running search that its job has not sent.
    pub(crate) fn forge_run(&self, key: RunKey, result: Result<Running, &str>) -> Message {
        let Some(Run::Running { slot, .. }) = self.shared().runs.get(key) else { panic!("it does not run") };
        Message::Shared(SharedMessage::Run((key, slot.forge(result))))
    }

    /// The same of a project that is being loaded.
    pub(crate) fn forge_loading(&self, result: Result<Loaded, &str>) -> Message {
        let Phase::Loading(loading) = &self.app.phase else { panic!("it is loaded") };
        Message::Loading(loading.slot.forge(result))
    }

    pub(crate) fn is_done(&self, strategy: Strategy) -> bool {
        matches!(self.shared().run(strategy), Some(Run::Done(_)))
    }
}

/// What a job says in a message, if it is of this type.
pub(crate) fn answered<T: 'static>(message: &mut Message) -> Option<&mut T> {
    let Message::Screen(ScreenReport { report, .. }) = message else { return None };
    report.peek_mut::<Answer<T>>()?.value_mut()
}

/// The sizes of each snapshot.
const SIZES: [(u16, u16); 2] = [(80, 24), (160, 45)];

/// The snapshot of the screen that these keys lead to, in the folder of a screen or a window below
/// `crates/workbench/src`.
pub(crate) fn snapshots(folder: &str, name: &str, project: &str, keys: &str) {
    snapshots_of(folder, name, &mut settled(project, keys));
}

/// A snapshot: at each size the text, then the styles in full colour on a dark background.
pub(crate) fn snapshots_of(folder: &str, name: &str, bench: &mut Bench) {
    let theme = Theme::built_in(Depth::True, Background::Dark);
    let drawn = SIZES.map(|(columns, rows)| {
        let text = bench.screen(columns, rows);
        (text, bench.styles(theme, columns, rows))
    });
    assert_drawn(folder, name, &drawn);
}

/// A snapshot of what these keys lead to as a terminal without symbols and without colours shows it.
pub(crate) fn ascii_snapshot(folder: &str, name: &str, project: &str, keys: &str) {
    let mut bench = settled(project, keys);
    let drawn = SIZES.map(|(columns, rows)| {
        let text = bench.ascii_screen(columns, rows);
        (text, bench.styles(Theme::plain(), columns, rows))
    });
    assert_drawn(folder, name, &drawn);
}

/// What these keys lead to.
fn settled(project: &str, keys: &str) -> Bench {
    let mut bench = Bench::open(&sample(project), Overrides::default());
    bench.keys(keys);
    // Which of two searches ends last is not the same twice.
    bench.app.status = "ready".to_owned();
    bench
}

/// Compares a text and its styles at each size with the file of the snapshot.
fn assert_drawn(folder: &str, name: &str, drawn: &[(String, String)]) {
    let parts = SIZES.iter().zip(drawn).map(|((columns, rows), (text, styles))| {
        format!("text {columns}x{rows}\n{}\nstyles {columns}x{rows}\n{styles}", without_clock(text))
    });
    let picture = parts.collect::<Vec<_>>().join("\n");
    let mut settings = insta::Settings::clone_current();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(folder).join("snapshots");
    settings.set_snapshot_path(path);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, picture));
}

/// Draws what these keys lead to in the paper's project, however small or large the terminal is.
pub(crate) fn drawn_at_every_size(keys: &[&str]) {
    for keys in keys {
        let mut bench = Bench::paper();
        bench.keys(keys);
        let widths = [1, 2, 3, 5, 8, 12, 19, 20, 21, 30, 39, 40, 41, 60, 79, 80, 99, 100, 159, 160, 250];
        for width in widths {
            for height in [1, 2, 3, 4, 5, 6, 8, 11, 12, 15, 20, 24, 30, 60] {
                bench.screen(width, height);
            }
        }
    }
}

/// A project of the samples.
pub(crate) fn sample(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().join("sample-data").join(path)
}

/// The paper's project in a folder of its own, where its files can be edited.
pub(crate) fn paper_files() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let hierarchies = sample("../hierarchies/").display().to_string();
    for file in ["private.csv", "public.csv", "paper.toml", "nationality.toml"] {
        let text = fs::read_to_string(sample(&format!("paper/{file}"))).unwrap();
        fs::write(folder.path().join(file), text.replace("../../hierarchies/", &hierarchies)).unwrap();
    }
    folder
}

/// The same, opened.
pub(crate) fn paper_to_edit() -> (TempDir, Bench) {
    let folder = paper_files();
    let bench = Bench::open(&folder.path().join("paper.toml"), Overrides::default());
    (folder, bench)
}

/// With the time that something has taken so far left out: it stands at the end of a line.
pub(crate) fn without_clock(screen: &str) -> String {
    let lines = screen.lines().map(|line| {
        let elapsed = line.strip_suffix(" s").and_then(|rest| rest.rsplit_once(' '));
        match elapsed.filter(|(_, seconds)| seconds.parse::<f64>().is_ok()) {
            Some((before, _)) => format!("{before} 0.0 s"),
            None => line.to_owned(),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A style in words; nothing for the terminal's own.
fn written_style(style: Style) -> String {
    let mut words = Vec::new();
    if let Some(colour) = style.fg.filter(|colour| *colour != Color::Reset) {
        words.push(colour.to_string());
    }
    if let Some(colour) = style.bg.filter(|colour| *colour != Color::Reset) {
        words.push(format!("on {colour}"));
    }
    let modifiers = style.add_modifier;
    words.extend(modifiers.iter_names().map(|(name, _)| name.to_lowercase()));
    words.join(" ")
}

fn parse(keys: &str) -> Vec<KeyEvent> {
    let mut parsed = Vec::new();
    let mut rest = keys;
    while let Some(first) = rest.chars().next() {
        let named = rest.strip_prefix('<').and_then(|rest| rest.split_once('>'));
        let (key, after) = match named {
            Some((name, after)) => (named_key(name), after),
            None => (KeyEvent::new(KeyCode::Char(first), KeyModifiers::NONE), &rest[first.len_utf8()..]),
        };
        parsed.push(key);
        rest = after;
    }
    parsed
}

fn named_key(name: &str) -> KeyEvent {
    if let Some(letter) = name.strip_prefix('^').and_then(|letter| letter.chars().next()) {
        return KeyEvent::new(KeyCode::Char(letter.to_ascii_lowercase()), KeyModifiers::CONTROL);
    }
    let code = match name {
        "Enter" => KeyCode::Enter,
        "Esc" => KeyCode::Esc,
        "Tab" => KeyCode::Tab,
        "Backspace" => KeyCode::Backspace,
        "Left" => KeyCode::Left,
        "Right" => KeyCode::Right,
        "Up" => KeyCode::Up,
        "Down" => KeyCode::Down,
        "F1" => KeyCode::F(1),
        "Home" => KeyCode::Home,
        "End" => KeyCode::End,
        "PgDn" => KeyCode::PageDown,
        "Space" => KeyCode::Char(' '),
        "lt" => KeyCode::Char('<'),
        _ => panic!("no key is called {name}"),
    };
    KeyEvent::new(code, KeyModifiers::NONE)
}
