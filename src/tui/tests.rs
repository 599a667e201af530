//! The workbench by key macros, and its screens as snapshots.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use palmtop::pipeline::Overrides;
use palmtop::search::Strategy;
use ratatui::Terminal;
use ratatui::backend::TestBackend;

use super::app::{App, Opening, Overlay, ScreenName, Session};
use super::export::Stage;
use super::job::Jobs;
use super::message::{JobName, Message};
use super::screens;
use super::theme::Theme;

/// A workbench without a terminal.
struct Bench {
    app: App,
    messages: Receiver<Message>,
}

impl Bench {
    /// Opens a sample and waits until its neighbours are counted.
    fn open(sample: &str) -> Self {
        let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-data").join(sample);
        let (sender, messages) = mpsc::channel();
        let opening = Opening {
            overrides: Overrides::default(),
            command_name: "project.toml".to_owned(),
            banner: Some("ready".to_owned()),
        };
        let mut app = App::new(project, opening, Jobs::new(sender));
        app.theme = Theme::plain();
        let mut bench = Self { app, messages };
        bench.settle();
        bench
    }

    fn session(&self) -> &Session {
        match &self.app.phase {
            super::app::Phase::Ready(session) => session,
            _ => panic!("not loaded"),
        }
    }

    /// Handles messages until nothing is under way any more.
    fn settle(&mut self) {
        loop {
            let is_counting = match &self.app.phase {
                super::app::Phase::Ready(session) => {
                    let (counted, all) = session.steps.progress();
                    counted < all
                }
                _ => false,
            };
            let is_reading =
                matches!(&self.app.overlay, Some(Overlay::Export(dialog)) if dialog.preview.is_none());
            if !self.app.is_busy() && !is_counting && !is_reading {
                return;
            }
            let message = self.messages.recv_timeout(Duration::from_secs(60)).expect("something happens");
            self.app.update(message);
        }
    }

    /// Types keys, separated by blanks, and waits until everything is done.
    fn press(&mut self, keys: &str) {
        for key in keys.split(' ') {
            let code = match key {
                "Enter" => KeyCode::Enter,
                "Esc" => KeyCode::Esc,
                "Tab" => KeyCode::Tab,
                "End" => KeyCode::End,
                "^U" => KeyCode::Char('u'),
                key => KeyCode::Char(key.chars().next().unwrap()),
            };
            let modifiers = if key == "^U" { KeyModifiers::CONTROL } else { KeyModifiers::NONE };
            self.app.update(Message::Input(Event::Key(KeyEvent::new(code, modifiers))));
            self.settle();
        }
    }

    fn type_text(&mut self, text: &str) {
        self.app.update(Message::Input(Event::Paste(text.to_owned())));
    }

    fn position(&self) -> String {
        self.session().view.name()
    }

    /// The screen at a size, as text; times are not the same twice.
    fn screen(&self, columns: u16, rows: u16) -> String {
        let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
        terminal.draw(|frame| screens::render(frame, &self.app)).unwrap();
        let drawn = terminal.backend().to_string();
        let lines = drawn.lines().map(|line| line.trim_start_matches('"').trim_end_matches('"').trim_end());
        lines.map(without_times).collect::<Vec<_>>().join("\n")
    }
}

/// Replaces `0.12 s` and the comparison's seconds by as many dots.
fn without_times(line: &str) -> String {
    let is_time = |place: usize| {
        line[place..].starts_with(" s") && !line[place + 2..].starts_with(char::is_alphanumeric)
    };
    let mut text: Vec<char> = line.chars().collect();
    let bytes: Vec<usize> = line.char_indices().map(|(place, _)| place).collect();
    for (index, &place) in bytes.iter().enumerate() {
        if !is_time(place) && !line.starts_with(" seconds") {
            continue;
        }
        let digits = |text: &[char], index: usize| text[index].is_ascii_digit() || text[index] == '.';
        let mut back = if line.starts_with(" seconds") { index + 1 } else { index };
        while back > 0 && digits(&text, back - 1) {
            back -= 1;
            text[back] = if text[back] == '.' { '.' } else { '0' };
        }
    }
    text.into_iter().collect()
}

#[test]
fn a_step_goes_coarser_and_finer_and_undo_and_redo_retrace_it() {
    let mut bench = Bench::open("paper/paper.toml");
    assert_eq!(bench.position(), "node 0,0,0");
    bench.press("l l l j l l j l l");
    assert_eq!(bench.position(), "node 3,2,2");
    assert_eq!(bench.session().view.summary.violations(), 0);
    bench.press("h");
    assert_eq!(bench.position(), "node 3,2,1");
    bench.press("u u");
    assert_eq!(bench.position(), "node 3,2,1");
    bench.press("U U");
    assert_eq!(bench.position(), "node 3,2,1");
    bench.press("u u l");
    assert_eq!(bench.position(), "node 3,2,2", "a new step forgets what was undone");
    bench.press("U");
    assert_eq!(bench.app.status, "there is nothing to redo");
}

#[test]
fn a_command_that_cannot_run_says_why() {
    let mut bench = Bench::open("paper/paper.toml");
    for (keys, why) in [
        ("h", "zip is at its finest level already"),
        ("u", "there is nothing to undo"),
        ("j l l l", "age is at its coarsest level already"),
        ("s x", "n2 is not running"),
        ("o", "n2 has no release yet; run it first (r)"),
        ("e", "there is no release here yet; run the search first (r)"),
        ("q c x", "the node by hand always stays"),
    ] {
        bench.press(keys);
        assert_eq!(bench.app.status, why, "{keys}");
    }
}

#[test]
fn searches_run_are_opened_compared_and_forgotten() {
    let mut bench = Bench::open("paper/paper.toml");
    bench.press("s a");
    assert_eq!(bench.session().runs.finished().count(), 10);
    bench.press("h o");
    assert_eq!(bench.position(), "spalm");
    assert_eq!(bench.session().screen, ScreenName::Workbench);
    bench.press("l");
    assert_eq!(bench.position(), "node 1,0,0", "a step starts from the last node");
    bench.press("u");
    assert_eq!(bench.position(), "spalm");
    bench.press("c l b l l");
    assert_eq!((bench.session().base, bench.session().candidate), (1, 3));
    bench.press("x");
    assert_eq!(bench.session().runs.finished().count(), 9);
    bench.press("k k x");
    assert_eq!(bench.app.status, "it is open on the workbench; go elsewhere first");
    bench.press("q");
    assert_eq!(bench.session().screen, ScreenName::Workbench);
}

#[test]
fn a_broken_job_is_that_jobs_failure_only() {
    let mut bench = Bench::open("paper/paper.toml");
    bench.press("s");
    let strategy: Strategy = "n2".parse().unwrap();
    bench.app.update(Message::Broken(JobName::Search(strategy), "it broke".to_owned()));
    assert!(bench.screen(80, 24).contains("✗ it broke"));
    bench.press("r");
    assert!(bench.session().runs.release(strategy).is_some(), "it can be run again");
}

#[test]
fn an_export_asks_before_it_overwrites_and_wants_a_word_for_what_is_not_present() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("out.csv");
    let mut bench = Bench::open("paper/paper.toml");
    let stage = |bench: &Bench| match &bench.app.overlay {
        Some(Overlay::Export(dialog)) => dialog.stage.clone(),
        _ => panic!("the dialog is closed"),
    };
    bench.press("e ^U");
    bench.type_text(&target.display().to_string());
    bench.press("Enter");
    assert_eq!(stage(&bench), Stage::Admission(String::new()));
    bench.type_text("not present");
    bench.press("Enter");
    assert!(matches!(stage(&bench), Stage::Written(_)), "{:?}", stage(&bench));
    bench.press("x s r e ^U");
    bench.type_text(&target.display().to_string());
    bench.press("Enter");
    assert_eq!(stage(&bench), Stage::Overwrite);
    bench.press("n Enter y");
    assert!(matches!(stage(&bench), Stage::Written(_)), "{:?}", stage(&bench));
    bench.press("x e ^U");
    bench.type_text("/nowhere/out.csv");
    bench.press("Enter");
    assert!(matches!(stage(&bench), Stage::Refused(_)), "{:?}", stage(&bench));
    bench.press("Esc");
    assert!(bench.app.overlay.is_none());
}

#[test]
fn quitting_is_a_question() {
    let mut bench = Bench::open("trial/trial.toml");
    bench.press("q n");
    assert!(!bench.app.is_done());
    bench.press("q y");
    assert!(bench.app.is_done());
}

#[test]
fn every_screen_is_drawn_at_every_size() {
    let mut bench = Bench::open("paper/paper.toml");
    let sizes: Vec<(u16, u16)> = (1..40)
        .flat_map(|columns| [1, 2, 3, 5, 8, 12].map(|rows| (columns, rows)))
        .chain([(60, 16), (99, 30), (160, 40), (300, 80), (40, 100)])
        .collect();
    for keys in ["Tab", "?", "x s", "a", "c", "l", "e", "Esc q q", "n"] {
        bench.press(keys);
        for &(columns, rows) in &sizes {
            bench.screen(columns, rows);
        }
    }
}

/// Snapshots of the screens that these keys lead to, at three sizes.
fn snapshots(name: &str, sample: &str, keys: &str) {
    let mut bench = Bench::open(sample);
    bench.press(keys);
    // Which of two searches ends last is not the same twice.
    bench.app.status = "ready".to_owned();
    for (columns, rows) in [(80, 24), (100, 30), (200, 50)] {
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(PathBuf::from("snapshots"));
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| {
            insta::assert_snapshot!(format!("{name}-{columns}x{rows}"), bench.screen(columns, rows));
        });
    }
}

#[test]
fn workbench_at_a_node_that_fails() {
    snapshots("workbench-fails", "paper/paper.toml", "l j l l Tab j");
}

#[test]
fn workbench_at_a_node_that_is_present() {
    snapshots("workbench-present", "paper/paper.toml", "l l l j l l j l l");
}

#[test]
fn workbench_of_the_clinic() {
    snapshots("workbench-clinic", "clinic/clinic.toml", "l l l l j l l j j l l");
}

#[test]
fn workbench_with_a_release_by_region() {
    snapshots("workbench-region", "clinic/clinic.toml", "s r o");
}

#[test]
fn strategies_before_and_after() {
    snapshots("strategies-before", "paper/paper.toml", "s");
    snapshots("strategies-after", "clinic/clinic.toml", "s a");
}

#[test]
fn comparison() {
    snapshots("compare", "clinic/clinic.toml", "s a c l l l");
}

#[test]
fn export_dialog() {
    snapshots("export", "clinic/clinic.toml", "s r e");
    snapshots("export-not-present", "paper/paper.toml", "e Enter");
}

#[test]
fn help_and_the_question() {
    snapshots("help", "paper/paper.toml", "?");
    snapshots("quit", "paper/paper.toml", "q");
}
