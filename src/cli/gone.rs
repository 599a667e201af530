//! Commands and options of earlier versions. Each is answered by one line with what does the same now.

use std::ffi::OsString;
use std::path::Path;

/// An option that is gone: its name, the commands that had it (empty: all), and what replaces it.
type GoneOption = (&'static str, &'static [&'static str], &'static str);

/// The commands, each with what replaces it. `PROJECT` stands for the first argument of the command.
pub(super) const COMMANDS: &[(&str, &str)] = &[
    ("replay", "anonymize PROJECT --step N -o FILE"),
    ("risk", "compare PROJECT --show risk"),
    ("utility", "compare PROJECT --show utility"),
    ("sql --load", "report PROJECT RELEASE --with sql"),
    ("reduce", "check PROJECT"),
    ("unique", "estimate PROJECT --population N"),
    ("sql", "fetch PROJECT --dry-run"),
    ("hierarchy show", "check PROJECT --attribute NAME"),
];

/// The options.
pub(super) const OPTIONS: &[GoneOption] = &[
    ("--seconds", &[], "`--budget 5s`"),
    ("--rounds", &[], "`--budget 40rounds`"),
    ("--opening", &[], "`--budget 120steps`"),
    ("--strategies", &["compare"], "`--strategy`"),
    ("--bound", &["anonymize", "compare"], "`best` finds how low the loss can be"),
    ("--report", &["anonymize"], "`--with report`, which writes OUTPUT.report.json"),
    ("--codebook", &["anonymize", "report"], "`--with codebook`, which writes OUTPUT.codebook.csv"),
    ("--mapping", &["anonymize", "report"], "`--with mapping`, which writes OUTPUT.mapping.csv"),
    ("--transcript", &["anonymize"], "`--with transcript`, which writes OUTPUT.transcript.txt"),
    ("--report", &["verify"], "make the report again and compare the files"),
    ("--transcript", &["audit"], "`palmtop audit PROJECT RELEASE TRANSCRIPT`"),
    ("--load", &["fetch"], "`palmtop report PROJECT RELEASE --with sql`"),
    ("--resume", &[], "the workbench asks whether to go on, and Enter goes on"),
    ("--svg", &["classes", "compare"], "`-o`"),
    ("--people", &["compose"], "`-o`"),
    ("--share", &["advise"], "`palmtop advise 4%`, without a project"),
    ("--alpha", &["estimate"], "`--confidence`, of which it is the rest of 1"),
    ("--all", &["lattice"], "`--show counts`"),
    ("--made-by", &["audit"], "`--strategy`"),
    ("--public-level", &["hierarchy"], "the level is found by itself"),
    ("--arx", &["init"], "`palmtop init PROJECT.deid T.csv -o project.toml`"),
    ("--write-private", &["init"], "`palmtop init PROJECT.deid T.csv -o project.toml`"),
    ("--allow-not-present", &["anonymize"], "`--accept not_present=REASON`"),
    ("--allow-looser-delta", &["anonymize"], "`--accept looser_delta=REASON`"),
    ("--session", &["verify", "report"], "`--history`"),
    ("--no-session", &["report"], "the history of the project is read"),
    ("--run", &["report"], "the history of the project has each run"),
];

/// The line about a command that is gone; `None` if the command line has none.
pub(super) fn command(words: &[OsString]) -> Option<String> {
    let texts: Vec<&str> = words.iter().skip(1).map_while(|word| word.to_str()).collect();
    let (name, now) = COMMANDS.iter().find(|(name, _)| {
        let (words, options): (Vec<&str>, Vec<&str>) =
            name.split(' ').partition(|part| !part.starts_with('-'));
        texts.starts_with(&words) && options.iter().all(|option| texts.contains(option))
    })?;
    // A project may have the name of a command that is gone.
    if texts.len() == 1 && Path::new(name).exists() {
        return None;
    }
    // The argument of `--load` is a release, whatever project there is.
    let argument =
        texts.get(name.split(' ').count()).filter(|text| !text.starts_with('-') && *name != "sql --load");
    // The session `p.session-2.toml` is one of the project `p.toml`.
    let project = |argument: &str| match argument.split_once(".session") {
        Some((project, _)) => format!("{project}.toml"),
        None => argument.to_owned(),
    };
    // The written files that `risk` and `utility` measured follow the project.
    let files = texts.iter().skip(2).take_while(|text| !text.starts_with('-'));
    let files = files.filter(|_| now.contains("--show"));
    let files = files.fold(String::new(), |all, file| all + " " + file);
    let now = argument.map_or_else(
        || (*now).to_owned(),
        |argument| now.replace("PROJECT", &format!("{}{files}", project(argument))),
    );
    Some(format!("`{name}` is now `palmtop {now}`"))
}

/// The line about an option that is gone, for a command line that was refused.
pub(super) fn option(words: &[OsString]) -> Option<String> {
    let mut texts = words.iter().skip(1).filter_map(|word| word.to_str());
    let typed_command = texts.clone().next().unwrap_or_default();
    texts.find_map(|text| {
        let written = text.split_once('=').map_or(text, |(name, _)| name);
        let (name, _, now) = OPTIONS.iter().find(|(name, commands, _)| {
            *name == written && (commands.is_empty() || commands.contains(&typed_command))
        })?;
        Some(said(name, now))
    })
}

/// What replaces an option, in code; or what does without it, in words.
fn said(name: &str, now: &str) -> String {
    let verb =
        if now.split(' ').next().is_some_and(|word| word.starts_with("`-")) { "is now" } else { "is gone:" };
    format!("`{name}` {verb} {now}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn an_option_of_earlier_versions_names_the_new() {
        for (name, commands, now) in OPTIONS {
            for typed_command in if commands.is_empty() { &["anonymize"] } else { *commands } {
                let line = words(&format!("palmtop {typed_command} p.toml {name}=1"));
                let refused = args::program().try_get_matches_from(&line).expect_err(name);
                assert!(refused.use_stderr(), "{name}");
                assert_eq!(option(&line), Some(said(name, now)));
            }
        }
        assert_eq!(option(&words("palmtop check p.toml --format json")), None);
    }

    #[test]
    fn a_command_of_earlier_versions_names_the_new() {
        for (name, now) in COMMANDS {
            let now =
                if *name == "sql --load" { (*now).to_owned() } else { now.replace("PROJECT", "p.toml") };
            let line = words(&format!("palmtop {name} p.toml"));
            assert_eq!(command(&line), Some(format!("`{name}` is now `palmtop {now}`")));
        }
        let replay = command(&words("palmtop replay a/p.session-2.toml --list")).unwrap();
        assert!(replay.ends_with("`palmtop anonymize a/p.toml --step N -o FILE`"), "{replay}");
        let files = command(&words("palmtop risk p.toml r.csv s.csv --format json")).unwrap();
        assert!(files.ends_with("`palmtop compare p.toml r.csv s.csv --show risk`"), "{files}");
        let load = command(&words("palmtop sql p.toml --load r.csv")).unwrap();
        assert!(load.ends_with("`palmtop report PROJECT RELEASE --with sql`"), "{load}");
        assert_eq!(command(&words("palmtop check p.toml")), None);
        assert_eq!(command(&words("palmtop risks.toml")), None);
    }
}
