//! The pictures of `docs/screens`: the screens of the practice clinic as SVG, drawn by the workbench.
//!
//! `just docs` writes them. At any other time, the test here fails if a picture differs.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use palmtop_proposal::Named;
use palmtop_release::pipeline::Overrides;
use palmtop_tables::read::TableSpec;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use tempfile::TempDir;

use crate::app::proposing::Begin;
use crate::kit::theme::{Background, Depth, Theme};
use crate::testing::{Bench, sample};

/// A picture: the name of its file, its title for readers who do not see it, and the keys that lead to the screen.
const PICTURES: [(&str, &str, &str); 6] = [
    (
        "workbench",
        "The workbench: a node breaks the policy; the class that is farthest out, and what each step would change",
        NODE,
    ),
    (
        "delta",
        "δ and policy: with a prior of 4 % and a misuse of 6 % the advisor finds a δmax of 10 %",
        DELTA,
    ),
    (
        "lattice",
        "The lattice: all nodes by height and loss, and which of them keep the policy",
        ":lattice<Enter>:lattice.best<Enter>",
    ),
    ("export", "The export: what is written, for whom δ holds, and the cautions", EXPORT),
    ("releases", "All releases in one table: their loss, and what the one under the cursor is", RELEASES),
    ("utility", "The utility of each release that was found", UTILITY),
];
/// The workbench on the node 4,3,0,2,2,2.
const NODE: &str = ":lattice<Enter>/4,3,0,2,2,2<Enter><Enter>";
const DELTA: &str = "d<End><Up><Up><Up><Enter>4%<Enter><Down><Enter>6%<Enter>";
const EXPORT: &str = "3re";
const RELEASES: &str = "3:releases.run-all<Enter>";
const UTILITY: &str = "3:releases.run-all<Enter><Tab><Tab>";

/// The size of the terminal, in characters.
const SIZE: (u16, u16) = (92, 30);
/// The width of a character, the height of a line, and the margin, in pixels.
const CELL: (f64, f64) = (8.4, 17.0);
const MARGIN: f64 = 10.0;
/// The colours of a terminal for plain text and for its background.
const FOREGROUND: &str = "#d8dee4";
const BACKGROUND: &str = "#16191d";

/// The practice clinic under δmax 10 % and k = 3, as the tutorial has it, in a folder where files can be written.
fn clinic() -> (TempDir, Bench) {
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(sample("clinic/clinic.toml")).unwrap();
    let hierarchies = sample("../hierarchies/").display().to_string();
    let text =
        text.replace("../../hierarchies/", &hierarchies).replace("[delta]", "[policy]\nk = 3\n\n[delta]");
    let text: Vec<&str> = text.lines().filter(|line| !line.starts_with("name = \"A town")).collect();
    let project = folder.path().join("project.toml");
    fs::write(&project, text.join("\n")).unwrap();
    for table in ["private.csv", "public.csv"] {
        fs::copy(sample(&format!("clinic/{table}")), folder.path().join(table)).unwrap();
    }
    let bench = Bench::open(&project, Overrides::default());
    (folder, bench)
}

/// The screen as the terminal's cells, in full colour on a dark background.
fn cells(bench: &mut Bench) -> Buffer {
    bench.app.settings.theme = Theme::built_in(Depth::True, Background::Dark);
    let mut terminal = Terminal::new(TestBackend::new(SIZE.0, SIZE.1)).unwrap();
    terminal.draw(|frame| drop(bench.app.draw(frame))).unwrap();
    terminal.backend().buffer().clone()
}

/// The foreground and the background of a cell as SVG writes colours, and whether its text is bold.
fn look(cell: &Cell) -> (String, String, bool) {
    let written = |colour: Color, default: &str| match colour {
        Color::Rgb(red, green, blue) => format!("#{red:02x}{green:02x}{blue:02x}"),
        _ => default.to_owned(),
    };
    let colours = (written(cell.fg, FOREGROUND), written(cell.bg, BACKGROUND));
    let is_bold = cell.modifier.contains(Modifier::BOLD);
    if cell.modifier.contains(Modifier::REVERSED) {
        (colours.1, colours.0, is_bold)
    } else {
        (colours.0, colours.1, is_bold)
    }
}

/// A text of one look on a line, from a column on.
struct Piece {
    column: u16,
    text: String,
    look: (String, String, bool),
}

/// The pieces of a line. Blanks of plain background are left out.
fn pieces(row: &[Cell]) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut end = 0;
    for (column, cell) in (0_u16..).zip(row) {
        let look = look(cell);
        let is_blank = cell.symbol() == " " && look.1 == BACKGROUND;
        match pieces.last_mut() {
            Some(piece) if piece.look == look && column == end => {
                piece.text.push_str(cell.symbol());
                end += 1;
            }
            _ if is_blank => {}
            _ => {
                pieces.push(Piece { column, text: cell.symbol().to_owned(), look });
                end = column + 1;
            }
        }
    }
    for piece in &mut pieces {
        if piece.look.1 == BACKGROUND {
            piece.text.truncate(piece.text.trim_end().len());
        }
    }
    pieces
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The cells as an SVG.
fn drawn(title: &str, cells: &Buffer) -> String {
    let mut svg = head(title, "");
    draw_cells(&mut svg, cells);
    svg + "</svg>\n"
}

/// Screens one after the other as an animated SVG, each for some seconds, again and again.
fn animated(title: &str, frames: &[(Buffer, f64)]) -> String {
    let total: f64 = frames.iter().map(|(_, seconds)| seconds).sum();
    let mut style = format!("g{{visibility:hidden;animation:{total}s step-end infinite}}");
    let mut start = 0.0;
    for (index, (_, seconds)) in frames.iter().enumerate() {
        let (from, to) = (100.0 * start / total, 100.0 * (start + seconds) / total);
        let hidden = if index == 0 { "" } else { "0%{visibility:hidden}" };
        write!(
            style,
            "#f{index}{{animation-name:f{index}}}@keyframes f{index}{{{hidden}{from:.2}%{{visibility:visible}}\
             {to:.2}%{{visibility:hidden}}}}"
        )
        .unwrap();
        start += seconds;
    }
    let mut svg = head(title, &style);
    for (index, (cells, _)) in frames.iter().enumerate() {
        writeln!(svg, "<g id=\"f{index}\">").unwrap();
        draw_cells(&mut svg, cells);
        svg.push_str("</g>\n");
    }
    svg + "</svg>\n"
}

/// The beginning of an SVG, with its title for readers who do not see it, and further style.
fn head(title: &str, style: &str) -> String {
    let (width, height) =
        (f64::from(SIZE.0) * CELL.0 + 2.0 * MARGIN, f64::from(SIZE.1) * CELL.1 + 2.0 * MARGIN);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" \
         aria-labelledby=\"title\" xml:space=\"preserve\">\n<title id=\"title\">{}</title>\n<style>text{{font-family:'DejaVu Sans \
         Mono',Menlo,Consolas,'Liberation Mono',monospace;font-size:14px;white-space:pre}}{style}</style>\n<rect width=\"{width}\" \
         height=\"{height}\" rx=\"8\" fill=\"{BACKGROUND}\"/>\n",
        escaped(title)
    )
}

/// Draws the cells. Each text has its length, so that columns stay aligned in every font.
fn draw_cells(svg: &mut String, cells: &Buffer) {
    for (row, line) in (0_u16..).zip(cells.content.chunks(usize::from(SIZE.0))) {
        let top = MARGIN + f64::from(row) * CELL.1;
        for Piece { column, text, look: (colour, background, is_bold) } in pieces(line) {
            let characters = u32::try_from(text.chars().count()).unwrap();
            let (left, length) = (MARGIN + f64::from(column) * CELL.0, f64::from(characters) * CELL.0);
            if background != BACKGROUND {
                writeln!(svg, "<rect x=\"{left:.1}\" y=\"{top}\" width=\"{length:.1}\" height=\"{}\" fill=\"{background}\"/>", CELL.1).unwrap();
            }
            let weight = if is_bold { " font-weight=\"bold\"" } else { "" };
            let text = escaped(&text);
            writeln!(svg, "<text x=\"{left:.1}\" y=\"{}\" textLength=\"{length:.1}\" fill=\"{colour}\"{weight}>{text}</text>", top + 13.0).unwrap();
        }
    }
}

/// The title of the recording that the README begins with.
const SESSION: &str = "Two steps on the workbench, a search, and the window of the export";
/// What is typed for each frame of the recording, and for how many seconds it stands.
const FRAMES: [(&str, f64); 7] =
    [("", 3.0), ("lll", 2.0), ("jll", 2.5), ("3", 2.0), ("r", 3.0), ("<Enter>", 2.5), ("e", 4.0)];

#[test]
fn the_recording_is_that_of_the_program() {
    let (_project, mut bench) = clinic();
    let frames = FRAMES.map(|(keys, seconds)| {
        bench.keys(keys);
        bench.app.status.clear();
        (cells(&mut bench), seconds)
    });
    assert!(FRAMES.iter().map(|(_, seconds)| seconds).sum::<f64>() <= 20.0);
    is_in_the_docs("session", &animated(SESSION, &frames));
}

/// Writes a picture, or checks that it is the one of the docs.
fn is_in_the_docs(name: &str, svg: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().join("docs/screens");
    let file = folder.join(name).with_extension("svg");
    if env::var_os("PALMTOP_WRITE_DOCS").is_some() {
        fs::write(&file, svg).unwrap();
    } else {
        assert!(fs::read_to_string(&file).unwrap() == svg, "{} is old: run `just docs`", file.display());
    }
}

/// The proposal for the tables of the clinic, at its last column.
fn proposed() -> Bench {
    let table = |name: &str| TableSpec::of(sample(&format!("clinic/{name}.csv")));
    let named = Named { private: Some(table("private")), ..Named::of(table("public")) };
    let mut bench = Bench::propose(Begin { named, target: None, is_offered: false });
    bench.keys("n");
    bench
}

#[test]
fn the_pictures_are_those_of_the_program() {
    let title = "The proposal: the columns of T, and the question of the one under the cursor";
    is_in_the_docs("proposal", &drawn(title, &cells(&mut proposed())));
    for (name, title, keys) in PICTURES {
        let (_project, mut bench) = clinic();
        bench.keys(keys);
        is_in_the_docs(name, &drawn(title, &cells(&mut bench)));
    }
}
