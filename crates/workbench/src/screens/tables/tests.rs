//! The screen of tables: what is hidden stays hidden, whatever is in a table stays in its cell.

use std::fmt::Write;

use palmtop_release::pipeline::Overrides;

use crate::screens::workbench::state::Pane;
use crate::testing::{Bench, paper_to_edit, sample, snapshots};

/// The values of one column of the clinic's T.
fn values(column: &str) -> Vec<String> {
    let table = std::fs::read_to_string(sample("clinic/private.csv")).unwrap();
    let index = table.lines().next().unwrap().split(',').position(|name| name == column).unwrap();
    table.lines().skip(1).map(|line| line.split(',').nth(index).unwrap().to_owned()).collect()
}

/// Which of these stand on the screen.
fn seen<'a>(bench: &Bench, wanted: &'a [String]) -> Vec<&'a String> {
    let screen = bench.screen(200, 50);
    wanted.iter().filter(|value| screen.contains(value.as_str())).collect()
}

#[test]
fn private_values_show_only_while_asked_for() {
    let private = [values("patient"), values("diagnosis")].concat();
    let mut bench = Bench::clinic();
    bench.keys("1");
    for keys in ["", "G", "<Tab>", "<Tab>"] {
        assert_eq!(seen(bench.keys(keys), &private), Vec::<&String>::new(), "{keys}");
        assert!(bench.screen(200, 50).contains("hidden"));
    }
    assert!(!seen(bench.keys("v"), &private).is_empty());
    assert!(bench.screen(80, 24).contains("ARE SHOWN; v hides them; so does leaving"));
    assert_eq!(bench.keys("v").app.status, "hidden again");
    assert!(seen(&bench, &private).is_empty());
    for leaving in ["v<Esc>1", "v21", "v31", "v:compare<Enter>1"] {
        bench.keys(leaving);
        assert!(!bench.tables().revealed, "{leaving}");
        assert_eq!(seen(&bench, &private), Vec::<&String>::new(), "{leaving}");
    }
}

#[test]
fn unused_columns_of_p_are_hidden_too() {
    let mut bench = Bench::clinic();
    let screen = bench.keys("1<Tab>").screen(200, 50);
    assert!(screen.contains("unused columns are hidden; v shows them"));
    assert!(!screen.contains("00001"), "residents' numbers stand for residents");
    assert!(bench.keys("v").screen(200, 50).contains("00001"));
}

#[test]
fn rows_of_tables_are_not_copied() {
    let refusal = "rows of tables are never copied; the figures of the other screens are";
    assert_eq!(Bench::clinic().keys("1y").app.status, refusal);
    assert_eq!(Bench::clinic().keys("1:copy-to-file<Enter>").app.status, refusal);
}

#[test]
fn rows_load_as_the_cursor_approaches_them() {
    let mut bench = Bench::clinic();
    bench.keys("1<Tab>");
    let row = |bench: &Bench| {
        let screen = bench.screen(80, 24);
        let marked = screen.lines().rfind(|line| line.starts_with('▸')).unwrap().to_owned();
        marked.trim_start_matches("▸ ").split_whitespace().take(3).collect::<Vec<_>>().join(" ")
    };
    let public = std::fs::read_to_string(sample("clinic/public.csv")).unwrap();
    let zip_of = |row: usize| public.lines().nth(row).unwrap().split(',').nth(1).unwrap().to_owned();
    assert_eq!(row(&bench), format!("1 hidden {}", zip_of(1)));
    assert_eq!(row(bench.keys("G")), format!("20,000 hidden {}", zip_of(20_000)));
    assert_eq!(row(bench.keys("k")), format!("19,999 hidden {}", zip_of(19_999)));
    bench.keys("<Home>");
    for _ in 0..45 {
        bench.keys("<PgDn>");
    }
    assert_eq!(row(&bench), format!("451 hidden {}", zip_of(451)));
    bench.keys("<Home>").keys_at_once("G<Home><PgDn>");
    bench.settle();
    assert_eq!(row(&bench), format!("11 hidden {}", zip_of(11)), "the last key counts");
}

#[test]
fn each_table_keeps_its_own_cursor() {
    let mut bench = Bench::clinic();
    bench.keys("1jjj<Tab>j<Tab><Tab>");
    assert_eq!(bench.tables().window().cursor, 3);
    assert_eq!(bench.keys("<Tab>").tables().window().cursor, 1);
}

#[test]
fn the_shown_release_follows_each_step() {
    let mut bench = Bench::paper();
    bench.keys("llljlljll1<Tab><Tab>");
    let rows = |bench: &Bench| {
        let screen = bench.screen(80, 24);
        let lines = screen.lines().skip_while(|line| !line.contains("quasi")).skip(1).take(5);
        lines
            .map(|line| line.trim_start_matches('▸').split_whitespace().collect::<Vec<_>>().join(" "))
            .collect()
    };
    let shown: Vec<String> = rows(&bench);
    assert_eq!(
        shown,
        [
            "1 47*** * America",
            "2 47*** * America",
            "3 47*** * America",
            "4 48*** * Europe",
            "5 48*** * Europe"
        ]
    );
    assert!(bench.screen(80, 24).contains("the release as it would be written"));
    let shown: Vec<String> = rows(bench.keys("u"));
    assert_eq!(shown[0], "1 47*** * N. America");
}

#[test]
fn columns_that_do_not_fit_are_scrolled_to() {
    let mut bench = Bench::clinic();
    bench.keys("1");
    assert!(!bench.screen(60, 24).contains("diagnosis"));
    assert_eq!(bench.keys("h").app.status, "no more columns to the left");
    for _ in 0..8 {
        bench.screen(60, 24);
        bench.keys("l");
    }
    let screen = bench.screen(60, 24);
    assert!(screen.contains("diagnosis") && !screen.contains("patient "));
    assert_eq!(bench.app.status, "no more columns to the right");
    assert!(bench.screen(200, 24).contains("patient "), "where all fit, all are shown");
    assert!(!bench.keys("h").screen(200, 24).contains("columns 1"));
}

#[test]
fn widened_columns_show_values_in_full() {
    let mut bench = Bench::clinic();
    bench.keys("3r").settle();
    bench.keys("<Enter>1<Tab><Tab>").settle();
    let row = bench.tables().window().row(0).unwrap().to_vec();
    let is_long = |value: &&String| (40..70).contains(&value.chars().count());
    let (column, value) = row.iter().enumerate().find(|(_, value)| is_long(value)).unwrap();
    bench.keys("m");
    for _ in 0..column {
        bench.screen(80, 24);
        bench.keys("l");
    }
    let wide = bench.screen(80, 24);
    assert!(wide.contains(value.as_str()), "{value}: {wide}");
    let narrow = bench.keys("m").screen(80, 24);
    assert!(!narrow.contains(value.as_str()), "{value}: {narrow}");
}

#[test]
fn a_click_chooses_a_table_and_a_row() {
    let mut bench = Bench::clinic();
    bench.keys("1");
    bench.screen(80, 24);
    bench.click(6, 9);
    assert_eq!(bench.tables().window().cursor, 2);
    bench.click(24, 2);
    assert!(bench.screen(80, 24).contains("P: public.csv"));
}

#[test]
fn a_table_that_has_gone_is_a_sentence() {
    let (folder, mut bench) = paper_to_edit();
    std::fs::remove_file(folder.path().join("private.csv")).unwrap();
    let screen = bench.keys("1").screen(80, 24);
    assert!(screen.contains("This table cannot be read:"), "{screen}");
    let screen = bench.keys("jG<Tab>").screen(80, 24);
    assert!(screen.contains("row 1 of 9"), "{screen}");
}

/// The rows of P, from 0, in which something that is shown of the clinic's has a text.
fn rows_with(text: &str) -> Vec<usize> {
    let table = std::fs::read_to_string(sample("clinic/public.csv")).unwrap();
    let unused = table.lines().next().unwrap().split(',').position(|name| name == "resident").unwrap();
    let has_it =
        |line: &str| line.split(',').enumerate().any(|(index, cell)| index != unused && cell.contains(text));
    table.lines().skip(1).enumerate().filter(|(_, line)| has_it(line)).map(|(row, _)| row).collect()
}

#[test]
fn typing_finds_a_row_then_the_next() {
    let mut bench = Bench::clinic();
    let (part, exact) = (rows_with("sol"), rows_with("soldier"));
    let cursor = |bench: &Bench| bench.tables().window().cursor;
    bench.keys("1<Tab>jjj/sol");
    assert_eq!(cursor(&bench), *part.iter().find(|row| **row >= 3).unwrap());
    assert!(bench.screen(80, 24).contains("find sol"));
    assert_eq!(cursor(bench.keys("<Esc>")), 3, "given up");
    assert_eq!(bench.keys("n").app.status, "find something first");
    bench.keys("/SOLDIER<Enter>");
    assert_eq!(cursor(&bench), exact[0]);
    assert!(bench.app.status.starts_with(&format!("{} rows have it", exact.len())), "{}", bench.app.status);
    assert_eq!(cursor(bench.keys("n")), exact[1]);
    assert_eq!(bench.app.status, format!("2 of {} found", exact.len()));
    assert_eq!(cursor(bench.keys("NN")), *exact.last().unwrap(), "around the end");
    let row = bench.tables().window().row(*exact.last().unwrap()).unwrap();
    assert!(row.contains(&"soldier".to_owned()), "the rows around it are read");
    assert_eq!(cursor(bench.keys("n")), exact[0]);
    bench.keys("/nobody at all<Enter>");
    assert_eq!(cursor(&bench), exact[0]);
    assert!(bench.app.status.starts_with("no row has it"), "{}", bench.app.status);
}

#[test]
fn the_name_of_a_column_shows_it() {
    let mut bench = Bench::clinic();
    let names = |bench: &Bench| -> Vec<String> {
        let page = bench.tables().window().page.as_ref().unwrap();
        page.columns.iter().map(|column| column.name.clone()).collect()
    };
    bench.keys("1");
    let names = names(&bench);
    let wanted = names.iter().rposition(|name| name.chars().count() > 3).unwrap();
    bench.keys(&format!("/{}", names[wanted].to_uppercase()));
    assert_eq!(bench.tables().window().column, wanted);
    assert_eq!(bench.keys("<Esc>").tables().window().column, 0, "given up");
    bench.keys(&format!("/{}<Enter>", names[wanted]));
    assert!(bench.screen(80, 24).contains(&names[wanted]), "it is shown");
}

#[test]
fn only_a_whole_identifier_finds_hidden_rows() {
    let (patients, diagnoses) = (values("patient"), values("diagnosis"));
    let mut bench = Bench::clinic();
    bench.keys(&format!("1/{}<Enter>", patients[700]));
    assert_eq!(bench.tables().window().cursor, 700);
    assert!(bench.app.status.starts_with("one row has it"));
    let screen = bench.screen(200, 50);
    assert!(!screen.contains(&patients[700]) && screen.contains("hidden"), "{screen}");
    let part = &patients[700][..patients[700].len() - 1];
    for hidden in [part, &diagnoses[0], ""] {
        bench.keys(&format!("<Home>/{hidden}<Enter>"));
        assert_eq!(bench.tables().window().cursor, 0, "{hidden}");
    }
    bench.keys(&format!("v/{part}<Enter>"));
    assert_ne!(bench.tables().window().cursor, 0);
    bench.keys(&format!("<Home>/{}<Enter>G", diagnoses[0]));
    assert!(bench.app.status.is_empty());
    assert_eq!(bench.keys("vn").tables().window().cursor, 799, "it is looked for anew in what shows now");
    bench.keys("<Esc>1");
    assert_eq!(bench.keys("n").app.status, "find something first");
}

#[test]
fn a_search_text_carries_to_the_next_table() {
    let mut bench = Bench::paper();
    bench.keys("llljlljll1/48<Enter>");
    assert_eq!(bench.app.status.split(';').next(), Some("2 rows have it"));
    bench.keys("<Tab>");
    assert_eq!(bench.keys("n").app.status.split(';').next(), Some("3 rows have it"));
    bench.keys("<Tab>n");
    assert_eq!(bench.tables().window().cursor, 3);
    assert_eq!(bench.app.status.split(';').next(), Some("2 rows have it"));
}

#[test]
fn a_row_leads_to_its_class() {
    for (keys, tables) in
        [("ll", "1G"), ("ll", "1<Tab>jjj"), ("3jr:releases.open<Enter>w", "1jj"), ("lll", "1<Tab><Tab>jj")]
    {
        let mut bench = Bench::clinic();
        bench.keys(keys).keys(tables);
        let window = bench.tables().window();
        let row = window.row(window.cursor).unwrap().to_vec();
        let names: Vec<String> =
            window.page.as_ref().unwrap().columns.iter().map(|column| column.name.clone()).collect();
        bench.keys("<Enter>");
        assert!(bench.app.status.starts_with("the class of row "), "{keys} {tables}: {}", bench.app.status);
        assert!(bench.screen(80, 24).contains("─ step"), "on the workbench");
        assert_eq!(bench.workbench().pane, Pane::Classes);
        let (_, class) = bench.view().class(bench.shared().classes.cursor).unwrap();
        for (quasi, label) in bench.shared().problem.quasi().iter().zip(&class.labels) {
            let value = &row[names.iter().position(|name| *name == quasi.name).unwrap()];
            let is_in = quasi
                .hierarchy
                .code(value)
                .map_or(label.text(&quasi.hierarchy) == *value, |code| label.denotes(&quasi.hierarchy, code));
            assert!(is_in, "{keys} {tables}: {} {value}", quasi.name);
        }
        let cursor = bench.tables().window().cursor;
        assert_eq!(bench.keys("1").tables().window().cursor, cursor, "the way back");
    }
}

#[test]
fn opening_a_filtered_class_clears_the_filter() {
    let mut bench = Bench::paper();
    bench.keys("f!zip:47906<Enter>1/47906<Enter><Enter>");
    assert_eq!(bench.app.status, "the filter hid its class, so all classes are shown");
    let (class, _) = bench.view().class(bench.shared().classes.cursor).unwrap();
    assert_eq!(bench.view().measured.ranking.text(class, 0), "47906");
    assert!(bench.shared().classes.filter_text.is_empty());
}

/// Cells that would like to be more than cells.
fn hostile() -> Vec<String> {
    vec![
        "\u{1b}[2J\u{1b}]0;owned\u{7}".to_owned(),
        "\u{202e}txt.exe\u{2066}".to_owned(),
        "two\nlines\r\tand a tab".to_owned(),
        "x".repeat(10_000),
        "日本語".repeat(40),
        "e\u{301}\u{200b}\u{200d}🧑🏽".to_owned(),
        "\u{9b}31mC1\u{85}".to_owned(),
    ]
}

#[test]
fn hostile_cells_stay_in_their_cells() {
    let folder = tempfile::tempdir().unwrap();
    let (mut private, mut public, mut hierarchy) =
        ("age,\"no\u{1b}[31mte\n\u{202e}\"\n".to_owned(), "age\n".to_owned(), String::new());
    for cell in hostile() {
        writeln!(private, "\"{cell}\",\"{cell}\"").unwrap();
        writeln!(public, "\"{cell}\"").unwrap();
        writeln!(hierarchy, "\"{cell}\",\"all of \u{1b}[31m them\",*").unwrap();
    }
    let project = "[private]\npath = \"t.csv\"\n[public]\npath = \"p.csv\"\n[delta]\nmin = \"0\"\nmax = \"1\"\n\
        [[attribute]]\nname = \"age\"\nrole = \"quasi\"\nhierarchy = \"age.csv\"\n\
        [[attribute]]\nname = \"no\\u001b[31mte\\n\\u202e\"\nrole = \"sensitive\"\n";
    for (name, text) in
        [("t.csv", &*private), ("p.csv", &*public), ("age.csv", &*hierarchy), ("p.toml", project)]
    {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let mut bench = Bench::open(&folder.path().join("p.toml"), Overrides::default());
    for keys in ["1", "v", "j", "l", "<Tab>", "<Tab>", ":hierarchies<Enter>"] {
        bench.keys(keys);
        for (columns, rows) in [(60, 16), (80, 24), (200, 50)] {
            let screen = bench.screen(columns, rows);
            assert_eq!(screen.lines().count(), usize::from(rows), "{keys}: {screen}");
            let unsafe_one = |character: char| {
                (character.is_control() && character != '\n')
                    || matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
            };
            assert!(!screen.contains(unsafe_one), "{keys}: {screen:?}");
        }
    }
}

#[test]
fn the_tables() {
    snapshots("screens/tables", "tables-private", "clinic/clinic.toml", "1jj");
    snapshots("screens/tables", "tables-public", "clinic/clinic.toml", "1<Tab>G");
    snapshots("screens/tables", "tables-release", "clinic/clinic.toml", "llllljlll1<Tab><Tab>");
}

#[test]
fn every_size_is_drawn() {
    crate::testing::drawn_at_every_size(&["1<Tab>v", "1<Tab><Tab>l"]);
}

#[test]
fn frequencies_match_tables_and_hide_sensitive_values() {
    let mut bench = Bench::clinic();
    bench.keys("1:tables.frequencies<Enter>");
    let screen = bench.screen(100, 50);
    let men = values("sex").iter().filter(|sex| *sex == "male").count();
    let line = screen.lines().find(|line| line.contains(" male ")).unwrap_or_default().to_owned();
    assert!(line.contains("P ") && line.contains(&format!("T    {men}")), "{line}\n{screen}");
    assert!(
        screen.contains("zip: 26 values") && screen.contains("… and 14 values with fewer people"),
        "{screen}"
    );
    assert!(!screen.contains("asthma"));
}
