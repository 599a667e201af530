//! The targets that read mutated inputs, and the folders of their seeds.

use std::fs;
use std::io::{Cursor, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use palmtop::data::arx::ArxProject;
use palmtop::history;
use palmtop::listing::{Filter, Order, Ranking};
use palmtop::model::{Delta, Presence, Role};
use palmtop::pipeline::{self, Analysis, ExportOptions, Overrides, verify_file};
use palmtop::search::{Config, Strategy};
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use super::mutator::mutate;
use crate::readings::compare::{self, Depth};
use crate::readings::random::Case;
use crate::support::dice::Dice;

/// A kind of input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// T or P as CSV.
    Tables,
    /// A written release.
    Releases,
    /// A hierarchy file.
    Hierarchies,
    /// A project file.
    Projects,
    /// P as Parquet.
    Parquet,
    /// P as Arrow.
    Arrow,
    /// P as a compressed CSV file.
    Packed,
    /// P as a workbook.
    Workbooks,
    /// A project of ARX: the whole file, or one of its parts.
    ArxProjects,
    /// A history, or a session or a register of palmtop 0.1.0.
    Histories,
    /// A filter of classes.
    Filters,
    /// A bound of δ.
    Deltas,
    /// A random project with one mutated file, in all three readings.
    Random,
}

impl Target {
    pub(crate) const ALL: [Self; 13] = [
        Self::Tables,
        Self::Releases,
        Self::Hierarchies,
        Self::Projects,
        Self::Parquet,
        Self::Arrow,
        Self::Packed,
        Self::Workbooks,
        Self::ArxProjects,
        Self::Histories,
        Self::Filters,
        Self::Deltas,
        Self::Random,
    ];

    /// The name of the target and of the folder with its seeds.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Tables => "tables",
            Self::Releases => "releases",
            Self::Hierarchies => "hierarchies",
            Self::Projects => "projects",
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
            Self::Packed => "packed",
            Self::Workbooks => "workbooks",
            Self::ArxProjects => "arx",
            Self::Histories => "histories",
            Self::Filters => "filters",
            Self::Deltas => "deltas",
            Self::Random => "random",
        }
    }
}

/// A seed: its target, its file name, its content.
#[derive(Clone, Debug)]
pub(crate) struct Seed {
    pub(crate) target: Target,
    pub(crate) name: String,
    pub(crate) content: Vec<u8>,
}

/// All seeds, in an order that does not depend on the disk.
pub(crate) fn seeds() -> Vec<Seed> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds");
    let mut seeds = Vec::new();
    for target in Target::ALL {
        let Ok(entries) = fs::read_dir(root.join(target.name())) else { continue };
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        for path in paths {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            seeds.push(Seed { target, name, content: fs::read(&path).unwrap() });
        }
    }
    seeds
}

/// An input, which becomes one file of a project.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    pub(crate) target: Target,
    /// The seed's name. For some targets it determines which file the input is.
    pub(crate) name: String,
    pub(crate) content: Vec<u8>,
    /// The seed for further random choices of the target.
    pub(crate) number: u64,
}

/// The input with this number: first the unchanged seeds, then mutations of them.
pub(crate) fn input(seeds: &[Seed], number: u64, only: Option<Target>) -> Input {
    let as_it_is = usize::try_from(number).ok().and_then(|nth| seeds.get(nth));
    if let Some(seed) = as_it_is.filter(|seed| only.is_none_or(|only| only == seed.target)) {
        let Seed { target, name, content } = seed.clone();
        return Input { target, name, content, number };
    }
    let mut dice = Dice::new(number);
    let target = only.unwrap_or_else(|| *dice.pick(&Target::ALL));
    let of_target: Vec<&Seed> = seeds.iter().filter(|seed| seed.target == target).collect();
    if of_target.is_empty() {
        return Input { target, name: "random".to_owned(), content: Vec::new(), number };
    }
    let (seed, other) = (*dice.pick(&of_target), *dice.pick(&of_target));
    Input {
        target,
        name: seed.name.clone(),
        content: mutate(&mut dice, &seed.content, &other.content),
        number,
    }
}

/// The files of the project that receives an input, except the one that the input replaces.
const PUBLIC: &str = "zip,age,born,place\n47906,35,1989-01-05,Lyon\n47903,59,1965-11-30,Nice\n47906,42,1982-02-28,Rome\n\
    47630,18,2006-07-04,Lyon\n47630,22,2002-01-31,Pisa\n47633,63,1961-12-31,Nice\n48973,33,1991-03-01,Rome\n\
    48972,47,1977-08-08,Pisa\n48970,52,1972-02-29,Lyon\n";
const PRIVATE: &str = "patient,zip,age,born,place,disease,note\nZQX0,47903,59,1965-11-30,Nice,ZQXflu,a\n\
    ZQX1,47906,42,1982-02-28,Rome,ZQXcold,b\nZQX2,47633,63,1961-12-31,Nice,\"ZQX,gout\",\n\
    ZQX3,48972,47,1977-08-08,Pisa,ZQXflu,\"c\nd\"\nZQX4,48970,52,1972-02-29,Lyon,\"ZQX\"\"ague\",e\n";
const MEMBERS: &str = "place,people,member\nLyon,2,yes\nNice,3,no\nRome,1,\nPisa,1,1\n";

/// A value that occurs only in T.
pub(crate) const SECRET: &[u8] = b"ZQX";

/// Writes the files that are the same for all inputs.
fn furnish(folder: &Path) {
    let write = |name: &str, content: &str| fs::write(folder.join(name), content).unwrap();
    write("public.csv", PUBLIC);
    write("private.csv", PRIVATE);
    write("members.csv", MEMBERS);
    write("zip.toml", "type = \"mask\"\nlength = 5\n");
    write("age.toml", "type = \"interval\"\nwidths = [5, 10, 20]\n");
    write("born.toml", "type = \"date\"\nlevels = [\"month\", \"quarter\", \"year\", \"decade\"]\n");
    write("place.csv", "Lyon;France;*\nNice;France;*\nRome;Italy;*\nPisa;Italy;*\n");
}

/// The project file with these tables and hierarchies.
fn project(public: &str, private: &str, hierarchies: [&str; 4]) -> String {
    let [zip, age, born, place] = hierarchies;
    let quasi = [("zip", zip), ("age", age), ("born", born), ("place", place)];
    let quasi = quasi.map(|(name, file)| {
        format!("[[attribute]]\nname = \"{name}\"\nrole = \"quasi\"\nhierarchy = \"{file}\"\n")
    });
    format!(
        "[private]\npath = \"{private}\"\nunlisted = \"drop\"\n[public]\npath = \"{public}\"\n[delta]\nmax = \"2/3\"\n\
         [[attribute]]\nname = \"patient\"\nrole = \"identifier\"\n{}\
         [[attribute]]\nname = \"disease\"\nrole = \"sensitive\"\n\
         [[attribute]]\nname = \"note\"\nrole = \"insensitive\"\n",
        quasi.concat()
    )
}

/// Writes the files of a project with an input. Returns the project file and the release to verify.
pub(crate) fn lay_out(input: &Input, folder: &Path) -> (PathBuf, PathBuf) {
    furnish(folder);
    let mut files = ["public.csv", "private.csv"];
    let mut hierarchies = ["zip.toml", "age.toml", "born.toml", "place.csv"];
    let extension = input.name.rsplit('.').next().unwrap_or("csv").to_owned();
    let name = match input.target {
        Target::Packed => format!("input.csv.{extension}"),
        _ => format!("input.{extension}"),
    };
    fs::write(folder.join(&name), &input.content).unwrap();
    let mut written = project(files[0], files[1], hierarchies);
    match input.target {
        Target::Tables | Target::Parquet | Target::Arrow | Target::Packed | Target::Workbooks => {
            let nth = usize::from(input.name.starts_with("private") || input.number.is_multiple_of(3));
            files[nth] = &name;
            written = project(files[0], files[1], hierarchies);
        }
        Target::Hierarchies => {
            let of =
                ["zip", "age", "born", "place"].into_iter().position(|column| input.name.starts_with(column));
            hierarchies[of.unwrap_or(3)] = &name;
            written = project(files[0], files[1], hierarchies);
        }
        Target::Projects => written = String::from_utf8_lossy(&input.content).into_owned(),
        _ => (),
    }
    let path = folder.join("project.toml");
    if input.target == Target::Projects {
        fs::write(&path, &input.content).unwrap();
    } else {
        fs::write(&path, written).unwrap();
    }
    let release = folder.join("release.csv");
    let top = "zip,age,born,place,disease,note\n*,*,*,*,\"ZQX\"\"ague\",e\n*,*,*,*,\"ZQX,gout\",\n*,*,*,*,ZQXcold,b\n\
               *,*,*,*,ZQXflu,\"c\nd\"\n*,*,*,*,ZQXflu,a\n";
    let content = if input.target == Target::Releases { &input.content } else { top.as_bytes() };
    fs::write(&release, content).unwrap();
    (path, release)
}

/// The project of ARX that has the parts of the seeds.
const STUDY: &[u8] = include_bytes!("../tests/arx/study.deid");

/// Writes the project of ARX with an input, which replaces a part if it is not the whole file.
pub(crate) fn write_arx(input: &Input, path: &Path) {
    let part = match input.name.as_str() {
        "input.csv" => "data/input.csv".to_owned(),
        "age.csv" => "input/hierarchies/age.csv".to_owned(),
        name if name.starts_with("config") || name.starts_with("definition") => format!("input/{name}"),
        _ => return fs::write(path, &input.content).unwrap(),
    };
    let mut study = ZipArchive::new(Cursor::new(STUDY)).unwrap();
    let mut writer = ZipWriter::new(fs::File::create(path).unwrap());
    for index in 0..study.len() {
        let mut file = study.by_index(index).unwrap();
        let name = file.name().unwrap().into_owned();
        writer.start_file(name.as_str(), SimpleFileOptions::default()).unwrap();
        if name == part {
            writer.write_all(&input.content).unwrap();
        } else {
            std::io::copy(&mut file, &mut writer).unwrap();
        }
    }
    writer.finish().unwrap();
}

/// Passes an input to the library. Returns an error that is not a panic.
pub(crate) fn feed(input: &Input, folder: &Path) -> Result<(), String> {
    match input.target {
        Target::ArxProjects => {
            let path = folder.join("input.deid");
            write_arx(input, &path);
            if let Ok(project) = ArxProject::read(&path) {
                let public = project.table(&folder.join("public.csv"), &[Role::Quasi]);
                let private = project.subset(&folder.join("private.csv"), &[Role::Quasi, Role::Sensitive]);
                if private.row_count() > public.row_count() {
                    return Err("a subset of more rows than the table".to_owned());
                }
            }
        }
        Target::Histories => {
            for kind in ["history", "session", "releases"] {
                let project = folder.join(format!("{kind}.toml"));
                fs::write(folder.join(format!("{kind}.{kind}.toml")), &input.content).unwrap();
                // What was read and is written again must give the same history.
                if let Ok(read) = history::of_project(&project) {
                    history::change(&project, |_| ()).map_err(|error| format!("not written: {error}"))?;
                    let again =
                        history::of_project(&project).map_err(|error| format!("not read back: {error}"))?;
                    if again.sittings != read.sittings || again.releases() != read.releases() {
                        return Err("read back as another history".to_owned());
                    }
                }
            }
        }
        Target::Filters => {
            furnish(folder);
            let path = folder.join("project.toml");
            let hierarchies = ["zip.toml", "age.toml", "born.toml", "place.csv"];
            fs::write(&path, project("public.csv", "private.csv", hierarchies)).unwrap();
            let analysis = Analysis::load(&path, &Overrides::default())
                .map_err(|error| palmtop::words::chain(&error))?;
            let problem = analysis.problem();
            let text = String::from_utf8_lossy(&input.content);
            if let Ok(filter) = Filter::parse(&text, problem) {
                let release = analysis.by_hand(problem, problem.lattice().bottom());
                let listed = Ranking::new(problem, &release).list(&filter, Order::default());
                if listed.len() > release.classes.len() {
                    return Err("more classes than there are".to_owned());
                }
            }
        }
        Target::Deltas => {
            let text = String::from_utf8_lossy(&input.content);
            if let Ok(presence) = text.parse::<Presence>() {
                let again: Presence = presence.to_string().parse().map_err(|_| "not read back".to_owned())?;
                if again != presence || Delta::new(presence, presence).is_err() {
                    return Err(format!("{presence} read back as {again}"));
                }
            }
        }
        Target::Random => return random(input.number, folder),
        _ => {
            let (path, release) = lay_out(input, folder);
            if input.number.is_multiple_of(4) {
                engine(&path, folder);
            } else {
                drop(Analysis::load(&path, &Overrides::default()));
            }
            drop(verify_file(&path, &Overrides::default(), &release));
            if input.content.len() < 3000
                && matches!(input.target, Target::Tables | Target::Releases | Target::Hierarchies)
            {
                let releases = [fs::read(&release).unwrap()];
                let agreed = compare::compare(depth(input.number), &path, &releases, input.number);
                agreed.map_err(|other| format!("{}: {}", other.kind, other.detail))?;
            }
        }
    }
    Ok(())
}

/// One in sixteen is compared in full depth.
fn depth(number: u64) -> Depth {
    if number.is_multiple_of(16) { Depth::Full } else { Depth::Shallow }
}

/// The usual steps of an analyst with a project that loads.
fn engine(project: &Path, folder: &Path) {
    let Ok(analysis) = Analysis::load(project, &Overrides::default()) else { return };
    let problem = analysis.problem();
    let mut releases = vec![analysis.by_hand(problem, problem.lattice().top())];
    let strategy: Strategy = "n2".parse().unwrap();
    let config = Config { rounds: Some(1), ..Config::default() };
    let found = analysis.search(problem, strategy, &config, &mut |_| ControlFlow::Continue(()));
    releases.extend(found.release);
    let options = ExportOptions { force: true, allow_not_present: true };
    for release in releases {
        drop(pipeline::export::write(&analysis, &release, &folder.join("written.csv"), options));
    }
}

/// A random project with one mutated file.
fn random(number: u64, folder: &Path) -> Result<(), String> {
    let mut dice = Dice::new(number ^ 0x5eed);
    let case = Case::of(number);
    let mut project = case.malformed.filter(|_| dice.percent(30)).unwrap_or(case.project);
    let names: Vec<String> = project.files.keys().cloned().collect();
    let (name, other) = (dice.pick(&names).clone(), dice.pick(&names).clone());
    // The third reading does not handle extreme TOML. Project files are a separate target.
    if Path::new(&name).extension().is_some_and(|extension| extension == "csv") {
        let other = project.files[&other].clone();
        if let Some(content) = project.files.get_mut(&name) {
            *content = mutate(&mut dice, content, &other);
            content.truncate(3000);
        }
    }
    let path = project.write(&folder.join("random")).map_err(|error| error.to_string())?;
    let agreed = compare::compare(depth(number), &path, &project.guesses, number);
    agreed.map(drop).map_err(|other| format!("{}: {}", other.kind, other.detail))
}
