//! The surface of the program, by name: every command and option that it has, and at most how many.

use std::collections::BTreeSet;

use clap::Command;
use palmtop::compatibility::RULES;
use unicode_width::UnicodeWidthStr;

use super::args;

/// The commands beside the workbench.
const COMMANDS: &[&str] = &[
    "check",
    "advise",
    "estimate",
    "classes",
    "lattice",
    "anonymize",
    "compare",
    "audit",
    "compose",
    "verify",
    "report",
    "init",
    "fetch",
    "hierarchy",
];

/// The options. An option of several commands counts once.
const OPTIONS: &[&str] = &[
    "accept",
    "attribute",
    "audit",
    "beside",
    "budget",
    "change",
    "confidence",
    "cost",
    "delta-max",
    "delta-min",
    "dialect",
    "draws",
    "dry-run",
    "filter",
    "for",
    "force",
    "format",
    "hierarchies",
    "history",
    "k-map",
    "kind",
    "levels",
    "member",
    "messages",
    "metric",
    "misuse",
    "misuse-down",
    "node",
    "output",
    "population",
    "prior",
    "private",
    "public",
    "relative-f1",
    "rewrite",
    "role",
    "seed",
    "set",
    "settings",
    "show",
    "sort",
    "step",
    "strategy",
    "table",
    "values",
    "with",
    "worst",
    "yes",
];

/// At most so many sentences say what does not combine.
const SENTENCES: usize = 12;

fn visible(program: &Command) -> impl Iterator<Item = &Command> {
    program.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help")
}

fn options_of(command: &Command, found: &mut BTreeSet<String>) {
    let options = command.get_arguments().filter(|option| !option.is_hide_set());
    let named = options.filter_map(|option| option.get_long());
    found.extend(named.filter(|name| !["help", "version"].contains(name)).map(str::to_owned));
    visible(command).for_each(|inner| options_of(inner, found));
}

fn assert_listed(what: &str, found: &BTreeSet<String>, listed: &[&str]) {
    let unlisted: Vec<&String> = found.iter().filter(|name| !listed.contains(&name.as_str())).collect();
    assert!(unlisted.is_empty(), "{what} that the table of the surface lacks: {unlisted:?}");
    let gone: Vec<&&str> = listed.iter().filter(|name| !found.contains(**name)).collect();
    assert!(gone.is_empty(), "{what} that are gone, and can leave the table: {gone:?}");
}

#[test]
fn the_surface_is_the_table() {
    let mut program = args::program();
    program.build();
    let commands: BTreeSet<String> = visible(&program).map(|command| command.get_name().to_owned()).collect();
    assert_listed("commands", &commands, COMMANDS);
    let mut options = BTreeSet::new();
    options_of(&program, &mut options);
    println!("{} commands, {} options, {} sentences", commands.len(), options.len(), RULES.len());
    assert_listed("options", &options, OPTIONS);
    assert!(COMMANDS.len() <= 14 && OPTIONS.len() <= 48, "{} and {}", COMMANDS.len(), OPTIONS.len());
    assert!(RULES.len() <= SENTENCES, "{} sentences about what does not combine", RULES.len());
}

/// The commands that have no others, with the names that lead to them.
fn pages<'a>(command: &'a Command, path: &str, found: &mut Vec<(String, &'a Command)>) {
    let path = format!("{path} {}", command.get_name());
    visible(command).for_each(|inner| pages(inner, &path, found));
    found.push((path, command));
}

/// The widest line. clap does not break the line of the usage.
fn widest(help: &str) -> Option<usize> {
    help.lines().filter(|line| !line.starts_with("Usage:")).map(UnicodeWidthStr::width).max()
}

#[test]
fn each_help_is_one_page_of_a_terminal() {
    let mut program = args::program();
    program.build();
    let mut all = Vec::new();
    pages(&program, "", &mut all);
    let mut too_long = Vec::new();
    for (path, command) in all {
        let short = command.clone().term_width(80).render_help().to_string();
        let (lines, width) = (short.lines().count(), widest(&short));
        if lines > 40 || width > Some(80) {
            too_long.push(format!("{path}: {lines} lines, {width:?} columns\n{short}"));
        }
        let long = command.clone().term_width(80).render_long_help().to_string();
        assert!(long.len() >= short.len(), "{path}");
    }
    assert!(too_long.is_empty(), "{}", too_long.join("\n"));
}
