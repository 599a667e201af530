//! The pictures of `docs/screens`: the screens of the practice clinic as SVG, drawn by the workbench.
//!
//! `just docs` writes them. At any other time, the test here fails if a picture differs.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use palmtop_release::pipeline::Overrides;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use tempfile::TempDir;

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
    ("lattice", "The lattice: all nodes by height and loss, and which of them keep the policy", "gb"),
    ("export", "The export: what is written, for whom δ holds, and the cautions", EXPORT),
    ("releases", "All releases in one table: their loss, and what the one under the cursor is", RELEASES),
    ("utility", "The utility of each release that was found", UTILITY),
];
/// The workbench on the node 4,3,0,2,2,2.
const NODE: &str = "g/4,3,0,2,2,2<Enter><Enter>";
const DELTA: &str = "d<End><Up><Up><Up><Enter>4%<Enter><Down><Enter>6%<Enter>";
const EXPORT: &str = "sre";
const RELEASES: &str = "s:releases.run-all<Enter>";
const UTILITY: &str = "s:releases.run-all<Enter><Tab><Tab>";

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

/// The cells as SVG. Each text has its length, so that columns stay aligned in every font.
fn drawn(title: &str, cells: &Buffer) -> String {
    let (width, height) =
        (f64::from(SIZE.0) * CELL.0 + 2.0 * MARGIN, f64::from(SIZE.1) * CELL.1 + 2.0 * MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" \
         aria-labelledby=\"title\">\n<title id=\"title\">{}</title>\n<style>text{{font-family:'DejaVu Sans \
         Mono',Menlo,Consolas,'Liberation Mono',monospace;font-size:14px;white-space:pre}}</style>\n<rect width=\"{width}\" \
         height=\"{height}\" rx=\"8\" fill=\"{BACKGROUND}\"/>\n",
        escaped(title)
    );
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
    svg + "</svg>\n"
}

#[test]
fn the_pictures_are_those_of_the_program() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().join("docs/screens");
    for (name, title, keys) in PICTURES {
        let (_project, mut bench) = clinic();
        bench.keys(keys);
        let svg = drawn(title, &cells(&mut bench));
        let file = folder.join(name).with_extension("svg");
        if env::var_os("PALMTOP_WRITE_DOCS").is_some() {
            fs::write(&file, svg).unwrap();
        } else {
            assert!(fs::read_to_string(&file).unwrap() == svg, "{} is old: run `just docs`", file.display());
        }
    }
}
