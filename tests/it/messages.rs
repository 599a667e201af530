//! What commands say of bad inputs, on one page. The pages of the crates have the messages of their
//! types: `crates/*/src/snapshots/messages.snap`.

use palmtop_core::message_page::{block, page};

use crate::{cli, entities, formats, pseudonyms, published, reading, support, values};

/// Commands on the paper's project that are refused, or that write nothing.
const COMMANDS: &[&str] = &[
    "advise 4% --prior 3% --misuse 1%",
    "advise 4/3 --prior 7% --misuse 1%",
    "anonymize paper.toml --node 3,2,2 -o public.csv --force",
    "anonymize paper.toml --node 3,2,2 -o zip.toml",
    "anonymize paper.toml --node 3,2,2 -o x.csv --audit",
    "anonymize paper.toml --node 3,2,2 -o x.csv --with codebook.txt",
    "anonymize paper.toml --node 3,2,2 -o x.csv --with transcript",
    "anonymize paper.toml --node 3,2,2 -o x.parquet --with sql",
    "anonymize paper.toml --node 3,2,2 -o x.csv --delta-max 1/2",
    "anonymize paper.toml --node 6,0,0 -o x.csv",
    "anonymize paper.toml --step 1 -o x.csv --with transcript",
    "anonymize paper.toml --strategy best --metric query_error -o x.csv",
    "anonymize paper.toml --strategy best --metric x -o x.csv",
    "anonymize paper.toml --strategy best -o x.csv --budget 0s",
    "audit paper.toml --strategy n1 --format csv",
    "audit paper.toml public.csv private.csv --strategy n1",
    "audit paper.toml none.csv --strategy n1",
    "check @nowhere",
    "check public.csv",
    "classes paper.toml --node 3,2,2 --filter age>3",
    "classes paper.toml --node 3,2,2 --sort size",
    "compare paper.toml --strategy spam",
    "compose paper.toml a.csv b.csv --format csv",
    "estimate paper.toml",
    "estimate paper.toml --population 2",
    "estimate paper.toml --population 40 --confidence 1.5",
    "estimate paper.toml --population 40 --delta-min 1/2",
    "estimate paper.toml --population 40 --k-map 0",
    "estimate paper.toml --population 40 --node 9",
    "hierarchy build public.csv:age -o b.csv",
    "hierarchy export paper.toml age -o b.toml",
    "check paper.toml --attribute agee",
    "init --public public.csv --private private.csv -o p.toml --role age",
    "init --public public.csv --private private.csv -o p.toml --role age=sensitive",
    "init --public public.csv --private private.csv -o p.toml --role ages=quasi",
    "init --public public.csv --private private.csv -o p.toml --set encoding=utf-8",
    "init --public public.csv --private private.csv -o p.toml --set public.encoding=latin-1",
    "init --public public.csv -o p.toml",
    "report paper.toml none.csv --with transcript",
    "verify paper.toml none.csv",
];

/// What each command says.
fn commands() -> Vec<(&'static str, String)> {
    let paper = support::paper();
    let said = |&command: &&'static str| {
        let done = support::palmtop(paper.path(), command.split_whitespace());
        assert!(done.status != 0 && !paper.path().join("x.csv").exists(), "{command}: {}", done.err);
        let folder = format!("{}/", paper.path().display());
        (command, format!("({}) {}", done.status, done.err.replace(&folder, "")))
    };
    COMMANDS.iter().map(said).collect()
}

/// A part of the page: refusals, each with a name or none.
fn part(heading: &str, refusals: impl IntoIterator<Item = (&'static str, String)>) -> String {
    block(heading, &refusals.into_iter().collect::<Vec<_>>())
}

/// The messages alone.
fn unnamed<T>(refusals: Vec<(T, String)>) -> impl Iterator<Item = (&'static str, String)> {
    refusals.into_iter().map(|(_, message)| ("", message))
}

#[test]
fn every_refusal_is_on_the_page() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let page = page(vec![
        part("a command", commands()),
        part("a row, a count or a person", reading::refusals()),
        part("a pseudonym", pseudonyms::refusals()),
        part("a published level", published::refusals()),
        part("a table", unnamed(formats::refusals())),
        part("a value", unnamed(values::messages::refusals())),
        part("bad inputs", cli::refusals()),
        part("people with several rows", unnamed(entities::refusals())),
    ]);
    settings.bind(|| insta::assert_snapshot!("messages", page));
}
