//! Every message of the crate's errors, on one page. What does not combine is in
//! `docs/combinations.md`, and the meanings of cautions are in `docs/cautions.md`; both are written
//! from the code.

use std::path::{Path, PathBuf};

use palmtop_core::located::LocatedError;
use palmtop_core::model::{AdviceError, Criteria, Delta, Level, ModelError, Standing, TermError};
use palmtop_core::{assert_messages, one_of_each};
use palmtop_measure::utility::WorkloadError;
use palmtop_search::release::Achieved;
use palmtop_search::{StopReason, Strategy};
use palmtop_tables::error::DataError;
use palmtop_tables::write::{TargetError, TooManyRows};
use palmtop_verify::VerifyError;

use crate::fetch::FetchError;
use crate::history::{Action, HistoryError, ReplayError, UnknownAction};
use crate::listing::{FilterError, NameError};
use crate::pipeline::PipelineError;
use crate::report::ReportError;
use crate::sql::SqlError;
use palmtop_project::compatibility::{self, Feature, Refused};

fn path(name: &str) -> PathBuf {
    name.into()
}

fn located() -> LocatedError {
    LocatedError::new("`x` is not a count").in_file(Path::new("p.csv")).at_line(3).remedy("correct it")
}

fn delta(min: &str, max: &str) -> Delta {
    Delta::read(min, max).unwrap()
}

fn presence() -> TermError {
    Delta::read("0", "2").unwrap_err()
}

fn strategy() -> Strategy {
    "n1".parse().unwrap()
}

fn refused() -> Refused {
    compatibility::check(&[Feature::People, Feature::Count]).unwrap_err()
}

fn exists() -> TargetError {
    TargetError::Exists { path: path("out.csv") }
}

fn of_listings() -> [String; 2] {
    let ambiguous = || NameError::Ambiguous { name: "a".to_owned(), possible: "`age`, `area`".to_owned() };
    let term = "age:".to_owned();
    [
        one_of_each!(NameError {
            Unknown => NameError::Unknown { name: "x".to_owned(), possible: "`age`, `private`".to_owned() };
            Ambiguous => ambiguous();
        }),
        one_of_each!(FilterError {
            Name => FilterError::Name(ambiguous());
            MissingValue => FilterError::MissingValue { term, example: "age:30".to_owned() };
            NotACount => FilterError::NotACount { name: "private", value: "many".to_owned() };
            NotAPresence => FilterError::NotAPresence(presence());
            WrongOperator => FilterError::WrongOperator {
                name: "age".to_owned(),
                operator: ">",
                possible: "`:` or `=`",
            };
            NothingNegated => FilterError::NothingNegated;
            OpenQuote => FilterError::OpenQuote;
        }),
    ]
}

fn of_pipelines() -> String {
    let achieved = Achieved { min: "0".parse().unwrap(), max: "1/2".parse().unwrap() };
    let broken = Standing {
        criterion: "k",
        required: Some("5".to_owned()),
        achieved: Some("2".to_owned()),
        holds: false,
    };
    let not_present = |max: &str, broken: Vec<Standing>| PipelineError::NotPresent {
        achieved,
        bounds: delta("0", max).into(),
        broken,
    };
    one_of_each!(PipelineError {
        Located => located().into(), PipelineError::not_read(Path::new("t.csv"), "illness");
        Data => DataError::changed(Path::new("p.csv")).into();
        Record => PipelineError::record(HistoryError::Located(located()));
        Refused => PipelineError::Refused { path: path("p.toml"), refused: refused() };
        SeveralValues => PipelineError::SeveralValues(located());
        Workload => WorkloadError::Size { queries: 0 }.into();
        Term => presence().into();
        Model => ModelError::Invalid("the hierarchy has no values".to_owned()).into();
        Target => exists().into();
        NotPresent =>
            not_present("1/3", Vec::new()),
            not_present("1", vec![broken.clone()]),
            not_present("1/3", vec![broken]);
        TooManyRows => TooManyRows.into();
        Unfaithful => PipelineError::Unfaithful("line 3: a stray quote".to_owned());
        InputChanged => PipelineError::changed(Path::new("p.csv"));
        Verify => PipelineError::Verify(VerifyError::Located(located()));
        BeyondPublic => PipelineError::BeyondPublic(located());
        UnusableEarlierRelease => PipelineError::UnusableEarlierRelease(located());
        NotPresentTogether => PipelineError::NotPresentTogether { path: path("a.csv"), people: 3 };
        Edit => PipelineError::Edit(
            ModelError::Invalid("`a` reads as a range in a release; rename it".to_owned()).into(),
        );
        Cancelled => PipelineError::Cancelled;
    })
}

fn of_histories() -> [String; 3] {
    let step = 2;
    let found =
        |stop| ReplayError::FindsNothing { step, strategy: strategy(), delta: delta("0", "1/2"), stop };
    [
        one_of_each!(HistoryError {
            Located => located().into();
            Data => DataError::changed(Path::new("p.csv")).into();
            Target => TargetError::IsNoFile { path: path("p.history.toml") }.into();
        }),
        one_of_each!(UnknownAction {
            Text => "exportd".parse::<Action>().unwrap_err();
            Strategy => "flu".parse::<Strategy>().unwrap_err().into();
            Delta => presence().into();
        }),
        one_of_each!(ReplayError {
            NoSuchStep => ReplayError::NoSuchStep { step: 9, last: 4 };
            InputsChanged => ReplayError::InputsChanged { paths: vec![path("p.csv"), path("t.csv")] };
            PolicyChanged => ReplayError::PolicyChanged {
                logged: Criteria::read([("k", "5")].into_iter()).unwrap(),
                project: Criteria::default(),
            };
            LooserDelta =>
                ReplayError::LooserDelta { step, delta: delta("0", "1/2"), project: delta("0", "1/3") };
            NotANode => ReplayError::NotANode {
                step,
                error: ModelError::NotANode {
                    node: "9,0".to_owned(),
                    detail: "level 9 at position 1 is not one of 0 to 3".to_owned(),
                },
            };
            Stopped => ReplayError::Stopped { step, strategy: strategy() };
            Rehearsed => ReplayError::Rehearsed { step, strategy: strategy() };
            Gone => ReplayError::Gone { step, strategy: "mondrian".parse().unwrap() };
            Refused => ReplayError::Refused {
                step,
                refused: Box::new(PipelineError::Refused { path: path("p.toml"), refused: refused() }),
            };
            FindsNothing => found(StopReason::None), found(StopReason::Infeasible);
            FindsAnother => ReplayError::FindsAnother {
                step,
                strategy: strategy(),
                logged: "1,0".to_owned(),
                found: "2,0".to_owned(),
            };
            Cancelled => ReplayError::Cancelled;
        }),
    ]
}

fn of_reports() -> String {
    one_of_each!(ReportError {
        Pipeline => PipelineError::changed(Path::new("p.csv")).into();
        History => HistoryError::Located(located()).into();
        Data => DataError::changed(Path::new("p.csv")).into();
        Advice => AdviceError::ShareZero.into();
        Located => located().into();
    })
}

fn of_databases() -> [String; 2] {
    let detail = "no such file";
    [
        one_of_each!(SqlError {
            Data => DataError::changed(Path::new("p.csv")).into();
            NoRule => SqlError::NoRule {
                attribute: "zip".to_owned(),
                path: path("zip.csv"),
                level: Level(1),
            };
            Refused => refused().into();
            CountTexts => SqlError::CountTexts("1,000".to_owned());
        }),
        one_of_each!(FetchError {
            NoSource => FetchError::NoSource { path: path("p.toml") };
            NotBuilt => FetchError::NotBuilt;
            Sql => SqlError::CountTexts("1,000".to_owned()).into();
            Data => DataError::changed(Path::new("p.csv")).into();
            Target => FetchError::Target(exists());
            Profile => FetchError::Profile {
                profile: "study".to_owned(),
                detail: "cannot be read".to_owned(),
            };
            Driver => FetchError::Driver {
                driver: "sqlite".to_owned(),
                detail: detail.to_owned(),
                remedy: "give its absolute path",
            };
            NoVariable => FetchError::NoVariable("PASSWORD".to_owned());
            Database => FetchError::Database {
                action: "read the result",
                detail: "the connection was lost".to_owned(),
                remedy: "; nothing was written, fetch again",
            };
            Type => FetchError::Type { column: "plain".to_owned(), kind: "Binary".to_owned() };
            People => FetchError::People { column: "n".to_owned(), value: "-1".to_owned() };
            Incomplete => FetchError::Incomplete { expected: 9, found: 8 };
            Repeats => FetchError::Repeats {
                column: "id".to_owned(),
                identifiers: 2,
                rows: 5,
                agreeing: 1,
                differing: 1,
                remedy: "write `distinct = true`".to_owned(),
            };
            Cancelled => FetchError::Cancelled;
        }),
    ]
}

#[test]
fn every_message_is_on_the_page() {
    let [names, filters] = of_listings();
    let [histories, actions, replays] = of_histories();
    let [sql, fetches] = of_databases();
    assert_messages!(names, filters, of_pipelines(), histories, actions, replays, of_reports(), sql, fetches,);
}
