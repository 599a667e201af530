//! Proposals for small tables, as readable as the tables are.

use crate::*;
use palmtop_core::model::Role;
use palmtop_project::Limit;
use palmtop_tables::dates::last_hundred;
use palmtop_tables::hierarchies::build::{Recipe, ValueKind};
use palmtop_tables::read::TableSpec;
use palmtop_tables::reading::DateForm;

mod pairs;
mod texts;

/// A table: its columns, then its rows; blanks separate.
fn survey(name: &str, lines: &[&str]) -> Survey {
    let header: Vec<&str> = lines[0].split('|').collect();
    let mut survey = Survey::empty(TableSpec::of(name.into()), &header);
    lines[1..].iter().for_each(|line| survey.add(&line.split('|').collect::<Vec<_>>()));
    survey
}

pub(crate) fn proposed(public: &[&str], private: &[&str], decisions: Vec<Decision>) -> Proposal {
    let (public, private) = (survey("/p.csv", public), survey("/t.csv", private));
    let at_hand = AtHand::read(None).unwrap();
    propose(&public, Private::Table(&private), &at_hand, &Decisions(decisions)).unwrap()
}

pub(crate) fn attribute<'a>(proposal: &'a Proposal, name: &str) -> &'a ProposedAttribute {
    proposal.attributes.iter().find(|attribute| attribute.name == name).unwrap()
}

pub(crate) fn what(proposal: &Proposal) -> Vec<&str> {
    proposal.ambiguities.iter().map(|ambiguity| ambiguity.what.as_str()).collect()
}

fn role(attribute: &str, role: Role) -> Decision {
    Decision::Role { attribute: attribute.to_owned(), role }
}

/// What only T has is a person's to decide, whatever is proposed of it (N6).
// holds: A person decides
#[test]
fn columns_only_in_t_are_questions_until_decided() {
    let public = ["age|sex", "39|f", "17|m", "17|m"];
    let private = [
        "age|sex|remark|enrolled|diagnosis",
        "39|f|wife called on Monday|yes|flu",
        "17|m|twin of number twelve|yes|flu",
    ];
    let all = ["remark", "enrolled", "diagnosis"];
    let open = proposed(&public, &private, Vec::new());
    let asked: Vec<&str> = open.ambiguities.iter().filter_map(|open| open.attribute.as_deref()).collect();
    assert_eq!(asked, all);
    for ambiguity in &open.ambiguities {
        let roles = ambiguity.choices.iter().map(|choice| match &choice.decision {
            Decision::Role { role, .. } => *role,
            other => panic!("{other:?}"),
        });
        let found = attribute(&open, ambiguity.attribute.as_deref().unwrap());
        let roles: Vec<Role> = roles.collect();
        assert_eq!(roles[0], Role::Withheld, "no answer begins at publishing");
        assert_eq!(found.undecided, found.role.is_kept());
    }
    assert_eq!(attribute(&open, "remark").role, Role::Withheld);
    let written = |proposal: &Proposal| proposal.to_toml(std::path::Path::new("/x/project.toml")).project;
    assert_eq!(written(&open).matches("\nrole = \"undecided\"").count(), 2);
    let decisions = all.map(|name| role(name, Role::Insensitive)).to_vec();
    let decided = proposed(&public, &private, decisions);
    assert_eq!((what(&decided).len(), written(&decided).contains("undecided")), (0, false));
    assert_eq!(attribute(&decided, "remark").role, Role::Insensitive);
}

#[test]
fn clean_tables_leave_nothing_open() {
    let proposal = proposed(
        &["age|zip|born|sex|n", "39|08913|1980-01-05|female|2", "17|10207|1990-12-31|male|1"],
        &[
            "patient|age|zip|born|sex|diagnosis",
            "a|39|08913|1980-01-05|female|flu",
            "b|17|10207|1990-12-31|male|flu",
        ],
        vec![role("patient", Role::Identifier), role("diagnosis", Role::Sensitive)],
    );
    let roles: Vec<Role> = proposal.attributes.iter().map(|attribute| attribute.role).collect();
    assert_eq!(
        roles,
        [Role::Identifier, Role::Quasi, Role::Quasi, Role::Quasi, Role::Quasi, Role::Sensitive]
    );
    let kinds: Vec<ValueKind> = proposal.attributes[1..5].iter().map(|attribute| attribute.kind).collect();
    assert_eq!(kinds, [ValueKind::Number, ValueKind::Code, ValueKind::Date, ValueKind::Category]);
    assert_eq!(proposal.count.as_deref(), Some("n"));
    assert_eq!(what(&proposal), Vec::<&str>::new());
    assert!(
        proposal
            .attributes
            .iter()
            .all(|attribute| attribute.readings.0.is_plain() && attribute.readings.1.is_plain())
    );
}

#[test]
fn columns_are_paired_by_name_then_by_values() {
    let proposal = proposed(
        &["Marital Status|Geschlecht|age", "single|female|1", "married|male|2", "single|female|3"],
        &["marital_status|gender|age", "single|female|1", "married|male|2"],
        Vec::new(),
    );
    assert_eq!(attribute(&proposal, "marital_status").public_column.as_deref(), Some("Marital Status"));
    assert_eq!(attribute(&proposal, "gender").public_column.as_deref(), Some("Geschlecht"));
    assert!(
        what(&proposal)[0].contains("is it P's column `Geschlecht`? Its name means the same"),
        "{:?}",
        what(&proposal)
    );
    let pair = Decision::Pair { private: "gender".to_owned(), public: None };
    let proposal = proposed(
        &["Geschlecht|age", "female|1", "male|2", "female|3"],
        &["gender|age", "female|1", "male|2", "male|2"],
        vec![pair],
    );
    assert_eq!((attribute(&proposal, "gender").role, what(&proposal).len()), (Role::Withheld, 1));
    assert!(what(&proposal)[0].contains("you decided that only T has it, but P's `Geschlecht` has"));
}

/// Each question about a column of P has its answers in one order. A column in doubt is never published until answered.
#[test]
fn answers_about_a_pair_have_one_order() {
    let public = ["Gender|town", "male|a", "female|b", "male|c"];
    // That the name means the same is no doubt; values in other words are one.
    for (name, proposes) in [("Geschl.", 0), ("Sex", 1)] {
        let header = format!("{name}|town");
        let private = [header.as_str(), "M|a", "F|b"];
        let open = proposed(&public, &private, Vec::new());
        let is_it = |open: &&crate::Ambiguity| open.attribute.as_deref() == Some(name);
        let asked = open.ambiguities.iter().find(is_it).unwrap();
        let labels: Vec<&str> = asked.choices.iter().map(|choice| choice.label.as_str()).collect();
        assert!(labels[1].starts_with("it is P's "), "{labels:?}");
        assert_eq!((labels[0], labels[2]), ("never publish it", "only T has it"));
        assert_eq!(open.proposed_answer(asked), proposes, "{name}");
        let never = proposed(&public, &private, vec![asked.choices[0].decision.clone()]);
        assert!(
            attribute(&never, name).role.is_left_out() && !never.ambiguities.iter().any(|open| is_it(&open))
        );
    }
}

/// What was accepted as it was proposed counts, and is not called a decision (M8).
#[test]
fn accepted_answers_are_not_called_decisions() {
    let public = ["age|sex|zip", "39|f|1", "17|m|2", "17|m|2"];
    let private = ["age|sex|enrolled", "39|f|yes", "17|m|yes"];
    for (decision, reason) in [
        (role("enrolled", Role::Withheld), "by your decision"),
        (role("enrolled", Role::Withheld).accepted(), "proposed, and accepted"),
    ] {
        let decided = proposed(&public, &private, vec![decision]);
        let found = attribute(&decided, "enrolled");
        assert_eq!((found.role, found.reason.as_str()), (Role::Withheld, reason));
        assert!(what(&decided).is_empty());
    }
}

/// A map of words is an answer, and shows both words of T's language, whichever T has (A17).
#[test]
fn a_pair_in_other_words_shows_its_map() {
    let public = ["Gender|town", "male|a", "female|b", "male|c"];
    for private in [["Geschl.|town", "M|a", "F|b"], ["Geschl.|town", "F|a", "M|b"]] {
        let open = proposed(&public, &private, Vec::new());
        let asked =
            open.ambiguities.iter().find(|open| open.attribute.as_deref() == Some("Geschl.")).unwrap();
        let labels: Vec<&str> = asked.choices.iter().map(|choice| choice.label.as_str()).collect();
        assert_eq!(labels[..2], ["never publish it", "it is P's Gender: F = female, M = male"]);
        let paired = proposed(&public, &private, vec![asked.choices[1].decision.clone()]);
        assert_eq!(attribute(&paired, "Geschl.").readings.1.describe(), "F = female, M = male");
    }
}

/// A column that P has is not published, even if a decision calls it a column of T only.
// holds: Possible columns of P
#[test]
fn column_of_p_is_never_published_unchanged() {
    let public =
        ["AGE_|sex|ward|zip", "36|Male|red|1", "17|Female|green|2", "17|Female|blue|3", "36|Male|red|4"];
    let private = [
        "Age|Gender|Station|finding|zip",
        "36|m|red|cyst|1",
        "unk|f|green|cyst|2",
        "17|f|red|flu|3",
        "17|f|red|flu|4",
    ];
    let alone = |private: &str| Decision::Pair { private: private.to_owned(), public: None };
    let with_decisions = |more: Vec<Decision>| {
        let decisions = ["Age", "Gender", "Station", "finding"].map(alone);
        proposed(&public, &private, decisions.into_iter().chain(more).collect())
    };
    let proposal = with_decisions(Vec::new());
    for (name, column) in [("Age", "AGE_"), ("Gender", "sex"), ("Station", "ward")] {
        let found = attribute(&proposal, name);
        assert_eq!((found.role, found.undecided), (Role::Withheld, false), "{name}");
        let open = proposal.ambiguities.iter().find(|open| open.attribute.as_deref() == Some(name)).unwrap();
        assert!(open.what.contains(&format!("only T has it, but P's `{column}` has")), "{}", open.what);
        let withhold = &open.choices[0].decision;
        assert!(matches!(withhold, Decision::Role { role: Role::Withheld, .. }), "{withhold:?}");
    }
    assert_eq!(attribute(&proposal, "finding").role, Role::Sensitive);
    let published = with_decisions(vec![role("Age", Role::Sensitive), role("finding", Role::Sensitive)]);
    let marks = ["Age", "finding"].map(|name| attribute(&published, name).undecided);
    assert_eq!(marks, [true, false]);
    let written = published.to_toml(std::path::Path::new("/x/project.toml")).project;
    assert!(written.contains("# P's `AGE_` may be the same column."), "{written}");
    assert_eq!(written.matches("\nrole = \"undecided\"").count(), 1);
    // A person who withholds it has decided.
    let withheld = with_decisions(vec![role("Age", Role::Identifier)]);
    assert_eq!((attribute(&withheld, "Age").undecided, what(&withheld).len()), (false, 3));
}

/// A column of numbers with one text in it is a column of numbers.
#[test]
fn lone_text_among_numbers_is_proposed_as_missing() {
    let numbers: Vec<String> = (20..60).map(|age| format!("{age}|f")).collect();
    let public: Vec<&str> = std::iter::once("age|sex").chain(numbers.iter().map(String::as_str)).collect();
    let with = |text: &str, times: usize| -> Vec<String> {
        let odd = std::iter::repeat_n(format!("{text}|f"), times);
        std::iter::once("age|sex".to_owned()).chain(numbers.iter().cloned()).chain(odd).collect()
    };
    let of = |text: &str, times, decisions| {
        let private = with(text, times);
        proposed(&public, &private.iter().map(String::as_str).collect::<Vec<_>>(), decisions)
    };
    let kind = |proposal: &Proposal| attribute(proposal, "age").kind;
    for (text, times) in [
        ("unk", 1),
        ("UNKNOWN", 30),
        ("-", 2),
        ("not asked", 4),
        ("not asked", 1),
        ("not asked", 30),
        ("over 90", 4),
    ] {
        let proposal = of(text, times, Vec::new());
        assert_eq!(kind(&proposal), ValueKind::Number, "{text} {times}");
        let (of_public, of_private) = &attribute(&proposal, "age").readings;
        assert!(of_public.missing.is_empty());
        assert_eq!(of_private.missing, [text]);
        let asked = what(&proposal).into_iter().find(|what| what.contains("as a missing value")).unwrap();
        let rows = if times > 1 { format!(", in {times} rows") } else { String::new() };
        assert!(asked.contains(&format!("{text:?} (row 41 of T{rows})")), "{asked}");
    }
    let proposal = of("unk", 4, Vec::new());
    let choices: Vec<Decision> =
        proposal.ambiguities[0].choices.iter().map(|choice| choice.decision.clone()).collect();
    let taken = of("unk", 4, vec![choices[0].clone()]);
    assert_eq!(kind(&taken), ValueKind::Number);
    assert!(what(&taken).iter().all(|what| !what.contains("as a missing value")), "{:?}", what(&taken));
    assert_eq!(attribute(&taken, "age").readings.1.missing, ["unk"]);
    let value = of("unk", 4, vec![choices[1].clone()]);
    assert_eq!(kind(&value), ValueKind::Category);
    assert!(attribute(&value, "age").readings.1.missing.is_empty());
}

/// The words of T's language are written, and no others.
#[test]
fn spellings_are_those_of_ts_words_alone() {
    let public = ["sex|zip", "Male|1", "Female|2", "Male|2"];
    let values = |texts: &[&str]| {
        let rows: Vec<String> = texts.iter().map(|text| format!("{text}|1")).collect();
        let private: Vec<&str> = std::iter::once("sex|zip").chain(rows.iter().map(String::as_str)).collect();
        let proposal = proposed(&public, &private, Vec::new());
        let values = attribute(&proposal, "sex").readings.1.values.clone();
        values.into_iter().map(|(text, value)| format!("{text}={value}")).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(values(&["m", "f"]), "f=Female m=Male");
    assert_eq!(values(&["M", "W"]), "M=Male W=Female");
    assert_eq!(values(&["Mann", "Frau", "m"]), "Frau=Female Mann=Male f=Female m=Male");
    // Which of the two T has is not shown.
    assert_eq!(values(&["m"]), "f=Female m=Male");
}

/// What would be published unchanged, and is P's under another name, tells who knows P whose row it is.
// holds: Possible columns of P
#[test]
fn possible_columns_of_p_are_paired_or_withheld() {
    let public = [
        "DOB|Sex|ZIP Code|ward|stay",
        "1/31/1980|F|00501|red|3",
        "2/5/1990|M|10207|green|4",
        "2/5/1990|M|10207|green|4",
        "3/9/1971|F|00501|blue|5",
    ];
    let private = [
        "birthdate|gender|postal code|colour|admitted|finding",
        "1980-01-31|female|501|red|2020-01-05|cyst",
        "1990-02-05|male|10207|green|2021-03-07|cyst",
    ];
    let proposal = proposed(&public, &private, Vec::new());
    let paired = |name: &str| attribute(&proposal, name).public_column.clone().unwrap_or_default();
    assert_eq!(
        ["birthdate", "gender", "postal code", "colour"].map(paired),
        ["DOB", "Sex", "ZIP Code", "ward"]
    );
    let sex = &attribute(&proposal, "gender").readings.1.values;
    assert_eq!((sex.len(), sex["female"].as_str(), sex["male"].as_str()), (2, "F", "M"));
    let admitted = attribute(&proposal, "admitted");
    assert_eq!(admitted.role, Role::Withheld, "no column of days is left in P");
    assert!(admitted.reason.contains("are days"), "{}", admitted.reason);
    assert_eq!(attribute(&proposal, "finding").role, Role::Sensitive);

    let public = public.map(|line| line.replace("DOB", "first seen"));
    let public: Vec<&str> = public.iter().map(String::as_str).collect();
    let kept = proposed(&public, &private, Vec::new());
    for name in ["birthdate", "admitted"] {
        let found = attribute(&kept, name);
        assert_eq!((found.role, found.public_column.as_ref()), (Role::Withheld, None), "{name}");
    }
    let open = kept.ambiguities.iter().find(|open| open.attribute.as_deref() == Some("admitted")).unwrap();
    assert!(open.what.contains("is it P's column `first seen`"), "{}", open.what);
    let labels: Vec<&str> = open.choices.iter().map(|choice| choice.label.as_str()).collect();
    assert_eq!(labels, ["never publish it", "it is P's first seen", "only T has it"]);
    let decided = proposed(&public, &private, vec![open.choices[1].decision.clone()]);
    assert_eq!(attribute(&decided, "admitted").role, Role::Quasi);
    // That it is in T only leaves its role open.
    let alone = proposed(&public, &private, vec![open.choices[2].decision.clone()]);
    let open = alone.ambiguities.iter().find(|open| open.attribute.as_deref() == Some("admitted")).unwrap();
    assert!(open.what.contains("are days"), "{}", open.what);
    // Whoever knows when somebody was born knows their age.
    let aged =
        proposed(&["seen|sex|x", "1990-02-05|m|1", "1980-01-31|f|1"], &["age|sex", "34|m"], Vec::new());
    assert_eq!(attribute(&aged, "age").role, Role::Withheld);
}

#[test]
fn untidy_values_are_read_and_doubts_are_named() {
    let proposal = proposed(
        &[
            "age|income|born|sex|zip",
            "39|1.234,5|31.03.1980|female|08913",
            "17|NA|05.12.1990|male|10207",
            "17|2,25|05.12.1990| male|09411",
        ],
        &["age|income|born|sex|zip", "39.0|1234,50|31.03.1980|Female|8913", "17|NA|05.12.1990|Male|10207"],
        Vec::new(),
    );
    let readings = |name| &attribute(&proposal, name).readings;
    assert_eq!((readings("age").0.number, readings("age").1.number), (None, Some(NumberForm::POINT)));
    assert_eq!(readings("income").0.number, Some(NumberForm::of(',', Some('.'))));
    assert_eq!(readings("income").1.number, Some(NumberForm::of(',', None)));
    assert_eq!(readings("income").0.missing, ["NA"]);
    assert_eq!((pattern(&proposal, 0), pattern(&proposal, 1)), (Some("%d.%m.%Y"), Some("%d.%m.%Y")));
    assert_eq!((readings("sex").0.trim, readings("sex").1.trim), (true, false));
    assert_eq!(readings("sex").1.canonical("Female").as_deref(), Some("female"));
    assert_eq!(readings("zip").1.canonical("8913").as_deref(), Some("08913"));
    assert!(readings("zip").0.values.is_empty());
    let named: Vec<&str> =
        proposal.ambiguities.iter().filter_map(|ambiguity| ambiguity.attribute.as_deref()).collect();
    assert_eq!(named, ["age", "sex", "zip"]);
    assert!(what(&proposal)[0].contains("\"39\" (row 1 of P) and T's row(s) 1 are the same number"));
}

#[test]
fn texts_of_one_number_are_codes_or_numbers() {
    let public = ["dx|sex", "250.0|f", "250.00|m", "401.9|f"];
    let private = ["dx|sex", "250|f"];
    let open = proposed(&public, &private, Vec::new());
    assert_eq!(attribute(&open, "dx").kind, ValueKind::Number);
    assert_eq!(
        what(&open)[0],
        "\"250.0\" (row 1 of P) and \"250.00\" (row 2 of P) and T's row(s) 1 are the same number: codes or numbers? proposed: \
         numbers"
    );
    let codes = open.ambiguities[0].choices[1].decision.clone();
    let decided = proposed(&public, &private, vec![codes]);
    assert_eq!(attribute(&decided, "dx").kind, ValueKind::Category);
    assert!(what(&decided).iter().all(|what| !what.contains("same number")), "{:?}", what(&decided));
    let mixed = proposed(&["dx|sex", "250.0|f", "250.00|m", "V45|f"], &["dx|sex", "V45|f"], Vec::new());
    assert!(what(&mixed)[0].contains("but other values are no numbers"), "{:?}", what(&mixed));
}

#[test]
fn numeric_column_of_typed_file_raises_no_question() {
    let mut public = survey("/p.csv", &["age|sex", "39.0|f", "40.0|m"]);
    let private = survey("/t.csv", &["age|sex", "39|f"]);
    let at_hand = AtHand::read(None).unwrap();
    let mut asked = |is_numeric| {
        public.columns[0].is_numeric = is_numeric;
        let proposal = propose(&public, Private::Table(&private), &at_hand, &Decisions::default()).unwrap();
        proposal.ambiguities.len()
    };
    assert_eq!((asked(false), asked(true)), (1, 0));
}

/// The pattern of the dates of `born` in P (0) or T (1).
fn pattern(proposal: &Proposal, table: usize) -> Option<&str> {
    let readings = &attribute(proposal, "born").readings;
    let reading = if table == 0 { &readings.0 } else { &readings.1 };
    reading.date.as_ref().map(DateForm::pattern)
}

#[test]
fn years_of_two_digits_ask_for_their_hundred() {
    let public = ["born|age", "31.03.47|1", "16.11.92|2", "01.01.02|3"];
    let proposal = proposed(&public, &["born|age", "16.11.92|2"], Vec::new());
    assert!(what(&proposal)[0].contains("years have two digits"), "{:?}", what(&proposal));
    let first = last_hundred();
    let date = |proposal: &Proposal| attribute(proposal, "born").readings.0.date.clone().unwrap();
    assert_eq!((date(&proposal).pivot(), what(&proposal).len()), (Some(first), 1));
    for choice in proposal.ambiguities[0].choices.clone() {
        let Decision::Date { form, .. } = &choice.decision else { panic!("{choice:?}") };
        let proposal = proposed(&public, &["born|age", "16.11.92|2"], vec![choice.decision.clone()]);
        assert_eq!((date(&proposal).pivot(), what(&proposal).len()), (form.pivot(), 0));
    }
    // The other table has whole years, which reach back to people of more than a hundred years.
    let public = ["born|age", "1922-03-31|1", "1992-11-16|2"];
    let proposal = proposed(&public, &["born|age", "31.03.22|1", "16.11.92|2"], Vec::new());
    let form = attribute(&proposal, "born").readings.1.date.clone().unwrap();
    assert_eq!((form.read("31.03.22").as_deref(), what(&proposal).len()), (Some("1922-03-31"), 1));
}

#[test]
fn several_zones_are_a_question() {
    let born = |zone: &str, age: u32| format!("1955-08-2{age}T23:30:00{zone}|{age}");
    let rows = [born("+01:00", 1), born("+01:00", 2)];
    let public: Vec<&str> = ["born|age"].into_iter().chain(rows.iter().map(String::as_str)).collect();
    let proposal = proposed(&public, &public[..2], Vec::new());
    assert_eq!((pattern(&proposal, 0), what(&proposal).len()), (Some("%Y-%m-%dT%H:%M:%S+01:00"), 0));
    let rows = [born("+01:00", 1), born("+02:00", 2)];
    let public: Vec<&str> = ["born|age"].into_iter().chain(rows.iter().map(String::as_str)).collect();
    let proposal = proposed(&public, &public[..2], Vec::new());
    assert!(what(&proposal)[0].contains("several zones"), "{:?}", what(&proposal));
    assert_eq!(
        attribute(&proposal, "born").readings.0.canonical(&rows[1][..25]).as_deref(),
        Some("1955-08-22")
    );
}

#[test]
fn one_odd_text_among_dates_is_named() {
    let mut public: Vec<String> = (10..29).map(|day| format!("1955-08-{day}|{day}")).collect();
    public.push("1950-00-00|1".to_owned());
    let public: Vec<&str> = ["born|age"].into_iter().chain(public.iter().map(String::as_str)).collect();
    let proposal = proposed(&public, &public[..4], Vec::new());
    assert_eq!(
        (attribute(&proposal, "born").kind, attribute(&proposal, "born").role),
        (ValueKind::Date, Role::Quasi)
    );
    let asked = what(&proposal)[0].to_owned();
    assert!(asked.contains("22 of 23 values are dates; \"1950-00-00\" (row 20 of P) is not"), "{asked}");
    let decision = proposal.ambiguities[0].choices[0].decision.clone();
    assert!(what(&proposed(&public, &public[..4], vec![decision])).is_empty());
}

#[test]
fn ambiguous_day_and_month_order_is_asked() {
    let tables = (&["born|age", "01/02/1980|1", "05/06/1981|2"][..], &["born|age", "01/02/1980|1"][..]);
    let proposal = proposed(tables.0, tables.1, Vec::new());
    assert_eq!(pattern(&proposal, 0), Some("%d/%m/%Y"));
    assert!(what(&proposal)[0].contains("%d/%m/%Y or %m/%d/%Y"), "{:?}", what(&proposal));
    let decision = proposal.ambiguities[0].choices[1].decision.clone();
    let proposal = proposed(tables.0, tables.1, vec![decision]);
    assert_eq!(pattern(&proposal, 0), Some("%m/%d/%Y"));
    assert_eq!(what(&proposal).len(), 0);
    // One day above 12 settles it.
    let private = ["born|age", "05/06/1981|1"];
    let public = ["born|age", "01/22/1980|1", "05/06/1981|2"];
    // P's order is not T's in silence.
    let proposal = proposed(&public, &private, Vec::new());
    assert_eq!((pattern(&proposal, 0), pattern(&proposal, 1)), (Some("%m/%d/%Y"), Some("%m/%d/%Y")));
    assert!(
        what(&proposal)[0].contains("no day of T is above 12, so its dates may be %m/%d/%Y or %d/%m/%Y"),
        "{:?}",
        what(&proposal)
    );
    let decision = proposal.ambiguities[0].choices[0].decision.clone();
    assert!(what(&proposed(&public, &private, vec![decision])).is_empty());
    // One day above 12 in each table settles it.
    let proposal = proposed(&public, &["born|age", "01/22/1980|1"], Vec::new());
    assert_eq!((pattern(&proposal, 0), what(&proposal).len()), (Some("%m/%d/%Y"), 0));
}

// holds: No T in proposals
#[test]
fn proposed_files_hold_no_value_only_t_has() {
    let proposal = proposed(
        &["name|sex|town", "Ann|female|Rome", "Bob|male|Oslo", "Cid|male|Oslo"],
        &["name|sex|town|remark", "Ann|FEMALE|Rome|secret flu", "Zoe|fEmale|Atlantis|secret flu"],
        Vec::new(),
    );
    let written = proposal.to_toml(std::path::Path::new("/x/project.toml"));
    let mut all = written.project.clone();
    written.hierarchies.iter().for_each(|(_, text)| all.push_str(text));
    all.extend(
        proposal.ambiguities.iter().flat_map(|ambiguity| [ambiguity.what.clone(), ambiguity.remedy.clone()]),
    );
    for secret in ["Zoe", "fEmale", "Atlantis", "secret"] {
        assert!(!all.contains(secret), "{secret} in\n{all}");
    }
    // A rule explains this spelling, and is written for every value of P.
    assert!(written.project.contains("\"FEMALE\" = \"female\", \"MALE\" = \"male\""), "{}", written.project);
    assert!(
        what(&proposal)
            .iter()
            .any(|what| what.starts_with("1 value(s) in 1 row(s) of T are not in P (rows 2)"))
    );
}

#[test]
fn a_member_column_is_found_or_asked_for() {
    let at_hand = AtHand::read(None).unwrap();
    let of = |lines: &[&str], named| {
        propose(&survey("/p.csv", lines), Private::Member(named), &at_hand, &Decisions::default())
    };
    let one = of(&["age|in_study", "1|yes", "2|no", "2|no"], None).unwrap();
    assert_eq!((one.member.as_deref(), one.ambiguities.len()), (Some("in_study"), 1));
    assert_eq!(one.attributes.len(), 1);
    let error = of(&["age|smokes|drinks", "1|yes|no", "2|no|yes"], None).unwrap_err();
    assert!(error.to_string().contains("`smokes`, `drinks` have yes or no"), "{error}");
    let named = of(&["age|smokes|drinks", "1|yes|no", "2|no|yes", "2|no|yes"], Some("drinks")).unwrap();
    assert_eq!((named.member.as_deref(), named.attributes.len()), (Some("drinks"), 2));
    assert!(of(&["age", "17"], None).unwrap_err().to_string().contains("no column has yes or no"));
}

#[test]
fn chosen_hierarchy_must_cover_all_values() {
    let public = ["age|zip", "39|08913", "17|10207", "41|10208"];
    let flat = |attribute: &str| Decision::Hierarchy {
        attribute: attribute.to_owned(),
        source: HierarchySource::Built(Recipe::Flat),
    };
    let carried = |attribute: &str, name| Decision::Hierarchy {
        attribute: attribute.to_owned(),
        source: HierarchySource::Carried(name),
    };
    let source = |decisions: Vec<Decision>, name: &str| {
        let proposal = proposed(&public, &public, decisions);
        attribute(&proposal, name).hierarchy.clone().unwrap()
    };
    assert_eq!(source(vec![], "age").source, HierarchySource::Carried("age.toml"));
    let decided = source(vec![flat("age")], "age");
    assert_eq!(
        (decided.source, decided.reason.as_str()),
        (HierarchySource::Built(Recipe::Flat), "by your decision")
    );
    let last = source(vec![flat("age"), carried("age", "age-decades.toml")], "age");
    assert_eq!(last.source, HierarchySource::Carried("age-decades.toml"));
    // One that lacks values is not taken, and neither is a recipe for values of another kind.
    assert_eq!(source(vec![carried("age", "sex.csv")], "age").source, HierarchySource::Carried("age.toml"));
    let mask =
        Decision::Hierarchy { attribute: "age".to_owned(), source: HierarchySource::Built(Recipe::Mask(3)) };
    assert_eq!(source(vec![mask], "age").source, HierarchySource::Carried("age.toml"));
}

/// `p.csv` and `t.csv` of a folder.
fn named(folder: &std::path::Path) -> Named {
    let table = |name: &str| TableSpec::of(folder.join(name));
    Named { private: Some(table("t.csv")), ..Named::of(table("p.csv")) }
}

/// Two tables on disk, surveyed.
fn sources(public: &str, private: &str) -> (tempfile::TempDir, Sources) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("p.csv"), public).unwrap();
    std::fs::write(path("t.csv"), private).unwrap();
    let read = Sources::read(&named(folder.path()), &mut palmtop_core::progress::unwatched).unwrap();
    (folder, read)
}

#[test]
fn every_choice_that_is_offered_is_obeyed() {
    let (_folder, sources) = sources(
        "age,born,zip,sex,n\n39,05/01/1980,08913,female,1\n17,06/02/1990,10207,male,2\n41,07/03/1985,10208,male,1\n",
        "age,born,zip,sex,ill\n39,05/01/1980,08913,female,flu\n17,06/02/1990,10207,male,flu\n",
    );
    let of =
        |decisions: &Decisions| sources.propose(decisions, &mut palmtop_core::progress::unwatched).unwrap().0;
    let none = Decisions::default();
    let proposal = of(&none);
    let mut tried = 0;
    for found in &proposal.attributes {
        for aspect in
            [Aspect::Role, Aspect::Kind, Aspect::Form, Aspect::Hierarchy, Aspect::Limit, Aspect::Pair]
        {
            if found.role != Role::Quasi && aspect != Aspect::Role {
                continue;
            }
            for choice in sources.choices(&proposal, &none, (found, aspect)) {
                tried += 1;
                let after = of(&Decisions(vec![choice.decision.clone()]));
                let now = attribute(&after, &found.name);
                let is_so = match &choice.decision {
                    Decision::Role { role, .. } => now.role == *role,
                    Decision::Kind { kind, .. } => now.kind == *kind,
                    Decision::Date { form, .. } => now.readings.0.date.as_ref() == Some(form),
                    Decision::Hierarchy { source, .. } => {
                        now.hierarchy.as_ref().is_some_and(|found| found.source == *source)
                    }
                    Decision::Limit { limit, .. } => {
                        now.limit.as_ref().is_some_and(|found| found.limit == *limit)
                    }
                    Decision::Pair { public, .. } => now.public_column == *public,
                    other => panic!("{other:?}"),
                };
                assert!(is_so, "{choice:?} gives {now:?}");
            }
        }
    }
    assert!(tried > 20, "{tried}");
    let forms = sources.choices(&proposal, &none, (attribute(&proposal, "born"), Aspect::Form));
    let decided = Decisions(vec![forms[1].decision.clone()]);
    let again = sources.choices(&of(&decided), &decided, (attribute(&proposal, "born"), Aspect::Form));
    assert_eq!(again.len(), 2, "what was decided can be decided otherwise");
    assert_eq!(sources.count_choices(&proposal).len(), 2, "none, or n");
}

#[test]
fn surveys_report_progress_and_can_be_stopped() {
    let table = "age\n1\n2\n".to_owned();
    let (folder, sources) = sources(&table, &table);
    let mut stages = Vec::new();
    let read = Sources::read(&named(folder.path()), &mut |progress| {
        assert!(progress.done <= progress.total, "{progress:?}");
        stages.push(progress.stage);
        std::ops::ControlFlow::Continue(())
    });
    assert!(read.is_ok());
    stages.dedup();
    assert_eq!(stages, [SurveyStage::Public, SurveyStage::Private]);
    let stopped = sources.propose(&Decisions::default(), &mut |_| std::ops::ControlFlow::Break(()));
    assert!(matches!(stopped, Err(ProposalError::Data(palmtop_tables::error::DataError::Cancelled))));
}

/// 120 people with six rows each: their numbers are no attribute, whatever the column is called.
#[test]
fn texts_that_t_never_repeats_identify_people() {
    let line = |number: u32| format!("N{number:03}x|{}", number % 7);
    let public: Vec<String> = (0..720).map(|row| line(row % 120)).collect();
    let private: Vec<String> = (0..60).map(|row| line(2 * row)).collect();
    let table = |rows: &[String]| [vec!["ref|ward".to_owned()], rows.to_vec()].concat();
    let propose = |private: &[String]| {
        let (public, private) = (table(&public), table(private));
        let lines = |rows: &[String]| rows.iter().map(|row| row.clone().leak() as &str).collect::<Vec<_>>();
        proposed(&lines(&public), &lines(&private), Vec::new())
    };
    let asked = propose(&private);
    assert_eq!(attribute(&asked, "ref").role, Role::Identifier);
    assert!(what(&asked).iter().any(|what| what.contains("several rows of a person")), "{:?}", what(&asked));
    // T repeats texts as chance would: they may be places.
    let twice: Vec<String> = (0..60).map(|row| line(2 * (row % 50))).collect();
    assert_eq!(attribute(&propose(&twice), "ref").role, Role::Quasi);
}

/// T's running numbers are among P's numbers, as any are. They are withheld until somebody says that they are P's column.
#[test]
fn numbers_of_cases_are_no_column_of_p() {
    let propose = |name: &str| {
        let public: Vec<String> = (0..900).map(|row| format!("{}|{}", row % 300, row % 5)).collect();
        let private: Vec<String> = (100..190).map(|row| format!("{row}|{}", row % 5)).collect();
        let lines = |header: &str, rows: Vec<String>| {
            [header.to_owned()].into_iter().chain(rows).map(|row| row.leak() as &str).collect::<Vec<_>>()
        };
        let private = lines(&format!("{name}|ward"), private);
        proposed(&lines("division|ward", public), &private, Vec::new())
    };
    let proposal = propose("Case");
    let case = attribute(&proposal, "Case");
    assert_eq!((case.role, case.public_column.as_deref()), (Role::Identifier, None));
    let asked = proposal.ambiguities.iter().find(|open| open.attribute.as_deref() == Some("Case")).unwrap();
    assert!(asked.choices[0].label.starts_with("never publish it"), "{}", asked.choices[0].label);
}

/// Incomes in steps of 1000 get no bands that unite nothing, and many values without groups are named (N20).
#[test]
fn proposed_hierarchies_suit_the_values() {
    let proposal = shapes(600, Vec::new());
    let hierarchy = |name: &str| attribute(&proposal, name).hierarchy.clone().unwrap();
    assert_eq!(hierarchy("income").source.describe(), "bands of 5000, 10000, 50000, then *");
    assert!(
        hierarchy("state").reason.contains("no level between its 53 values"),
        "{}",
        hierarchy("state").reason
    );
}

/// Incomes in thousands, dates, codes and flat names of so many people. P has a few very old people.
fn shapes(people: u32, decisions: Vec<Decision>) -> Proposal {
    let mut public = vec!["income|seen|plz|state|age|smoker".to_owned()];
    for row in 0..people {
        let day = format!("19{:02}-{:02}-{:02}", 40 + row % 50, 1 + row % 12, 1 + row % 28);
        let age = if row == 0 { 99 } else { 20 + row % 50 };
        let income = 1_000 * (5 + row % 150);
        public.push(format!("{income}|{day}|0{:04}|S{:02}|{age}|{}", row % 700, row % 53, row % 2));
    }
    let public: Vec<&str> = public.iter().map(String::as_str).collect();
    proposed(&public, &public[..public.len().min(41)], decisions)
}

/// The lines of the project that limit each attribute of [`shapes`].
fn limits(proposal: &Proposal) -> Vec<String> {
    let written = proposal.to_toml(std::path::Path::new("/x/project.toml")).project;
    let sections = written.split("[[attribute]]").skip(1);
    let is_limit = |line: &&str| line.starts_with("terms = ") || line.starts_with("borders = ");
    let key = |line: &str| line.split(" #").next().unwrap_or_default().to_owned();
    sections.map(|section| section.lines().find(is_limit).map(key).unwrap_or_default()).collect()
}

/// Sets stay short, and ranges end at labels that many people share (N16, N18).
#[test]
fn proposed_limits_keep_sets_short_and_ranges_shared() {
    let terms = "terms = 3".to_owned();
    let borders = |level: u8| format!("borders = {level}");
    // 600 people: 20 in each band of 5000, 120 in a decade of years and 60 in five years of age.
    let some = shapes(600, Vec::new());
    let expected = [borders(1), borders(4), terms.clone(), terms.clone(), borders(1), String::new()];
    assert_eq!(limits(&some), expected);
    let reason = |proposal: &Proposal, name: &str| attribute(proposal, name).limit.clone().unwrap().reason;
    assert!(
        reason(&some, "age").contains("at least 20 people of P each, except"),
        "{}",
        reason(&some, "age")
    );
    let why = reason(&some, "smoker");
    assert!(why.starts_with("no `borders`, because each value has at least 300 people of P"), "{why}");
    // More people share finer labels, and too few people share none.
    assert_eq!(limits(&shapes(40_000, Vec::new()))[1], borders(1));
    let few = shapes(60, Vec::new());
    assert_eq!(limits(&few)[..2], [borders(1), borders(1)]);
    assert!(reason(&few, "seen").contains("its finest level"), "{}", reason(&few, "seen"));
    let why = reason(&shapes(30, Vec::new()), "smoker");
    assert!(why.starts_with("no `borders`, because its hierarchy has no level"), "{why}");
}

#[test]
fn a_limit_is_decided_and_taken_back() {
    let decide = |attribute: &str, limit| Decision::Limit { attribute: attribute.to_owned(), limit };
    let proposed = limits(&shapes(600, Vec::new()));
    let level = palmtop_core::model::Level;
    let labels = Limit::Terms(std::num::NonZeroU32::MIN);
    for (name, index, limit, expected) in [
        ("income", 0, Limit::Borders(level(2)), "borders = 2"),
        ("income", 0, Limit::Borders(level(9)), "borders = 1"),
        ("seen", 1, labels, "terms = 1"),
        ("plz", 2, Limit::Borders(level(1)), "terms = 3"),
        ("state", 3, Limit::Free, ""),
    ] {
        let decided = limits(&shapes(600, vec![decide(name, limit)]));
        let mut wanted = proposed.clone();
        wanted[index] = expected.to_owned();
        assert_eq!(decided, wanted, "{name} {limit:?}");
    }
    // The level of another hierarchy is another question: a decision holds only as long as it is possible.
    let flat = HierarchySource::Built(Recipe::Flat);
    let flat = Decision::Hierarchy { attribute: "income".to_owned(), source: flat };
    let decisions = vec![decide("income", Limit::Borders(level(2))), flat];
    assert_eq!(limits(&shapes(600, decisions))[0], "");
}

/// A column of durations or lists is not silently left out.
#[test]
fn unreadable_column_of_t_is_named_with_remedy() {
    let (public, mut private) = (survey("/p.csv", &["age", "39", "17"]), survey("/t.csv", &["age", "39"]));
    private.unreadable = vec!["stay".to_owned()];
    let at_hand = AtHand::read(None).unwrap();
    let proposal = propose(&public, Private::Table(&private), &at_hand, &Decisions::default()).unwrap();
    assert_eq!(proposal.unreadable, ["stay"]);
    let written = proposal.to_toml(std::path::Path::new("/x/project.toml")).project;
    let line = written.lines().find(|line| line.contains("`stay`")).unwrap();
    assert!(line.contains("T's column") && line.contains("unlisted = \"drop\""), "{line}");
}

#[test]
fn rows_of_a_person_are_written_as_decided() {
    let public =
        ["person_id|age|visit", "1|39|2024-01-05", "1|39|2024-02-05", "2|17|2024-01-06", "3|17|2024-01-07"];
    let private = ["person_id|age|visit|ill", "1|39|2024-01-05|flu", "2|17|2024-01-06|flu"];
    let alone = ["age|visit|ill", "39|2024-01-05|flu", "17|2024-01-06|flu"];
    let written = |private: &[&str], rows: PersonRows| {
        let decision = Decision::Repeats { column: "person_id".to_owned(), rows };
        let proposal = proposed(&public, private, vec![decision]);
        assert_eq!(proposal.candidates[0].orders, ["visit"]);
        proposal.to_toml(std::path::Path::new("/x/project.toml")).project
    };
    for (rows, line) in [
        (PersonRows::Distinct, "distinct = true"),
        (PersonRows::FirstBy("visit".to_owned()), "first_by = \"visit\""),
        (PersonRows::Shared, "repeats = \"\""),
    ] {
        let shared = written(&private, rows.clone());
        assert!(shared.contains(&format!("role = \"identifier\" # never published\n{line} # ")), "{shared}");
        let of_public = written(&alone, rows);
        assert!(
            of_public.contains(&format!("person = {{ column = \"person_id\", {line} }} # ")),
            "{of_public}"
        );
    }
    assert!(written(&private, PersonRows::Entity).contains("role = \"entity\" # one pseudonym"));
}
