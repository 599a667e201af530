//! Projects that are read, and refusals that name the key, the line and the remedy.

use super::*;
use palmtop_core::model::Role;
use palmtop_tables::pseudonym::PseudonymRule;

const SMALL: &str = "[private]\npath = \"t.csv\"\n[public]\npath = \"p.csv\"\n[delta]\nmin = 0\nmax = 0.05\n\
                     [[attribute]]\nname = \"age\"\nrole = \"quasi\"\nhierarchy = \"h/age.csv\"\n";

fn read(text: &str) -> Result<Project, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.toml");
    std::fs::write(&path, text).unwrap();
    Project::read(&path)
        .map_err(|error| error.to_string().replace(&format!("{}/", folder.path().display()), ""))
}

#[test]
fn paths_are_relative_to_the_project() {
    let project = read(SMALL).unwrap();
    let PrivateSource::Table(table) = &project.private else { panic!("a table") };
    assert_eq!(table.paths[0].parent(), project.path.parent());
    assert_eq!(project.quasi().next().unwrap().1.path, project.path.with_file_name("h/age.csv"));
    assert_eq!(project.delta(None, None).unwrap().to_string(), "(0, 1/20)");
    assert_eq!(project.delta(None, "1/2".parse().ok()).unwrap().to_string(), "(0, 1/2)");
    assert!(project.delta("1/2".parse().ok(), None).is_err());
}

#[test]
fn enforced_criteria_are_those_the_policy_lists() {
    let project = read(&SMALL.replace("[delta]", "[policy]\nk = 5 # at least\n[delta]")).unwrap();
    assert_eq!(project.criteria.to_string(), "k = 5");
    assert_eq!(project.policy, [("k".to_owned(), "5".to_owned())]);
    assert!(read(SMALL).unwrap().criteria.is_empty());
    assert!(read(&SMALL.replace("[delta]", "[policy]\n[delta]")).unwrap().criteria.is_empty());
}

#[test]
fn withdrawable_share_is_read_by_its_digits() {
    for (written, most) in
        [("\"2%\"", 24), ("0.02", 24), ("'1/50'", 24), ("0", 0), ("\"0%\"", 0), ("1e-2", 0)]
    {
        let read =
            read(&SMALL.replace("[delta]", &format!("[policy]\nsuppress_at_most = {written}\n[delta]")));
        match read {
            Ok(project) => {
                assert_eq!(project.suppression.most(1206), most, "{written}");
                assert!(project.policy.is_empty() && project.suppress_at_most.is_some());
            }
            Err(error) => assert!(written == "1e-2" && error.contains("expected a share"), "{error}"),
        }
    }
    assert!(read(SMALL).unwrap().suppression.is_none());
    let both = "[policy]\nsuppress_at_most = \"2%\"\nl = { distinct = 2 }\n[delta]";
    let both = read(&SMALL.replace("[delta]", both)).unwrap();
    assert!(both.criteria.need_values() && both.suppression.most(1206) == 24);
}

/// What is replaced in the small project, with what, and where the refusal says that it is.
type Case = (&'static str, &'static str, &'static str);

const OF_PROJECTS: &[Case] = &[
    ("path = \"p.csv\"", "path = \"p.csv\"\ncuont = \"n\"", "project p.toml, line 5: unknown field `cuont`"),
    ("[delta]", "[public.source]\ndialect = \"spark\"\n[delta]", "project p.toml, line 6: `dialect` is gone"),
    ("[delta]", "[search]\nrehearse = 32\n[delta]", "project p.toml, line 6: `rehearse` is gone"),
    ("[private]\npath = \"t.csv\"\n", "", "project p.toml: there is no T"),
    ("path = \"p.csv\"", "path = \"p.csv\"\nmember = \"m\"", "project p.toml: T is given twice"),
    ("[delta]", "prior = \"w\"\n[delta]", "project p.toml, line 5: `prior` is gone"),
    ("[delta]", "[prior]\nrates = \"r.csv\"\n[delta]", "project p.toml, line 5: `prior` is gone"),
    ("max = 0.05", "max = \"x\"", "project p.toml: [delta]: invalid δmax `x`"),
    ("max = 0.05", "max = 1.5", "project p.toml: [delta]: invalid δmax `1.5`: expected"),
    ("hierarchy = \"h/age.csv\"\n", "", "project p.toml: quasi-identifier `age` has no"),
    ("quasi", "secret", "project p.toml, line 10: unknown variant `secret`"),
    ("role = \"quasi\"", "role = \"insensitive\"", "project p.toml: `age` has a hierarchy"),
    ("role = \"quasi\"", "role = \"entity\"", "project p.toml: `age` has a hierarchy"),
    ("[delta]", "[delta", "project p.toml, line 5"),
    ("max = 0.05", "max = 0,05 # strict", "project p.toml, line 7: unexpected key"),
    (
        "path = \"p.csv\"",
        "path = \"p.csv\"\nsample_of = 0",
        "project p.toml, line 5: invalid value: integer `0`",
    ),
    (
        "path = \"t.csv\"\n[public]",
        "path = \"t.csv\"\nnot_in_public = \"drop\"\n[public]\nsample_of = 9_200_000",
        "project p.toml: `not_in_public` cannot be",
    ),
    ("[delta]", "[policy]\nk = 0\n[delta]", "project p.toml: [policy]: `k = 0`: expected a whole"),
    ("[delta]", "[policy]\nk = \"5\"\n[delta]", "project p.toml: [policy]: `k = \"5\"`: expected"),
    ("[delta]", "[policy]\nl = 2\n[delta]", "project p.toml: [policy]: `l = 2`: expected `{ distinct"),
    (
        "[[attribute]]",
        "[[attribute]]\nname = \"id\"\nrole = \"identifier\"\npseudonym = \"old\"\n[[attribute]]",
        "project p.toml: `id`: `pseudonym = \"old\"`",
    ),
    (
        "[[attribute]]",
        "[[attribute]]\nname = \"id\"\nrole = \"identifier\"\npseudonym = { key = \"k\" }\n[[attribute]]",
        "project p.toml, line 11: expected \"new\"",
    ),
];

const OF_ATTRIBUTES: &[Case] = &[
    (
        "[[attribute]]",
        "[[attribute]]\nname = \"id\"\nrole = \"identifier\"\npseudonym = { key = \"k\", domain = \"\" }\n[[attribute]]",
        "project p.toml: `id`: `domain` of `pseudonym`",
    ),
    (
        "[[attribute]]",
        "[[attribute]]\nname = \"id\"\nrole = \"identifier\"\nrepeats = true\npseudonym = \"new\"\n[[attribute]]",
        "project p.toml: `id`: `repeats` and `pseudonym`",
    ),
    (
        "[[attribute]]",
        "[[attribute]]\nname = \"id\"\nrole = \"sensitive\"\npseudonym = \"new\"\n[[attribute]]",
        "project p.toml: `id`: `pseudonym` needs role",
    ),
    (
        "[[attribute]]",
        "[[attribute]]\nname = \"a\"\nrole = \"identifier\"\npseudonym = { key = \"k\", domain = \"d\" }\n\
             [[attribute]]\nname = \"b\"\nrole = \"identifier\"\npseudonym = { key = \"l\", domain = \"d\" }\n[[attribute]]",
        "project p.toml: the pseudonyms of `a` and `b`",
    ),
    (
        "[[attribute]]",
        "[[attribute]]\nname = \"born\"\nrole = \"sensitive\"\naccept = \"yes\"\n[[attribute]]",
        "project p.toml: `born`: `accept = \"yes\"`",
    ),
    (
        "[[attribute]]",
        "[[attribute]]\nname = \"born\"\nrole = \"sensitive\"\naccept = \"the board\\ndecided so\"\n[[attribute]]",
        "project p.toml: `born`: `accept = \"the board",
    ),
    (
        "role = \"quasi\"",
        "role = \"quasi\"\nundecided = true",
        "project p.toml, line 11: `undecided` is gone",
    ),
    (
        "[[attribute]]",
        "[[attribute]]\nname = \"id\"\nrole = \"identifier\"\nundecided = true\n[[attribute]]",
        "project p.toml, line 11: `undecided` is gone",
    ),
    (
        "role = \"quasi\"",
        "role = \"quasi\"\naccept = \"the board decided so\"",
        "project p.toml: `age`: `accept` is",
    ),
    (
        "[[attribute]]",
        "[[attribute]]\nname = \"id\"\nrole = \"identifier\"\naccept = \"the board decided so\"\n[[attribute]]",
        "project p.toml: `id`: `accept` is",
    ),
    ("[delta]", "[policy]\nk = 2\nk = 3\n[delta]", "project p.toml, line 7: duplicate key"),
    (
        "[[attribute]]",
        "[[attribute]]\nname = \"age\"\nrole = \"identifier\"\n[[attribute]]",
        "project p.toml: attribute `age` is listed",
    ),
    (
        "[[attribute]]",
        "[[attribute]]\nname = \"age2\"\nprivate_column = \"age\"\nrole = \"identifier\"\n[[attribute]]",
        "project p.toml: attributes `age2` and `age`",
    ),
];

/// The refusals of all cases.
pub(crate) fn refusals() -> Vec<(Case, String)> {
    let found = |(from, to, _): Case| read(&SMALL.replacen(from, to, 1)).unwrap_err();
    let of_entity = |(from, to, _): Case| {
        read(&SMALL.replacen("[[attribute]]", ENTITY, 1).replacen(from, to, 1)).unwrap_err()
    };
    let plain = [OF_PROJECTS, OF_ATTRIBUTES, OF_POLICIES].concat();
    let plain = plain.into_iter().map(|case| (case, found(case)));
    plain.chain(OF_ENTITIES.iter().map(|&case| (case, of_entity(case)))).collect()
}

#[test]
fn refusals_name_key_line_and_attribute() {
    for ((_, to, place), refused) in refusals() {
        assert!(refused.starts_with(place), "for {to}\n expected {place}\n found    {refused}");
    }
    let without = SMALL.replace("[delta]\nmin = 0\nmax = 0.05\n", "");
    let error = read(&without).unwrap().delta(None, None).unwrap_err();
    assert!(error.to_string().contains("there is no δ"), "{error}");
}

#[test]
fn the_reason_to_publish_a_column_is_kept() {
    let born = "[[attribute]]\nname = \"born\"\nrole = \"insensitive\"\naccept = \" The board decided so. \"\n[[attribute]]";
    let project = read(&SMALL.replacen("[[attribute]]", born, 1)).unwrap();
    assert_eq!(project.attributes[0].accepted.as_deref(), Some("The board decided so."));
    assert_eq!(project.attributes[1].accepted, None);
}

#[test]
fn column_of_undecided_role_is_marked() {
    let ill = "[[attribute]]\nname = \"ill\"\nrole = \"undecided\"\n[[attribute]]";
    let project = read(&SMALL.replacen("[[attribute]]", ill, 1)).unwrap();
    assert_eq!(
        project.attributes.iter().map(|attribute| attribute.undecided).collect::<Vec<_>>(),
        [true, false]
    );
}

const ENTITY: &str = "[[attribute]]\nname = \"id\"\nrole = \"entity\"\n[[attribute]]";

const OF_ENTITIES: &[Case] = &[
    (
        "path = \"p.csv\"",
        "path = \"p.csv\"\ncount = \"n\"\ncounts = \"people\"",
        "project p.toml: `count` cannot be",
    ),
    ("path = \"p.csv\"", "path = \"p.csv\"\nsample_of = 9000", "project p.toml: `sample_of` cannot be"),
    (
        "path = \"t.csv\"",
        "path = \"t.csv\"\nnot_in_public = \"add\"",
        "project p.toml: `not_in_public` cannot be",
    ),
    (
        "[delta]",
        "[policy]\nsuppress_at_most = \"2%\"\n[delta]",
        "project p.toml: `suppress_at_most` cannot be",
    ),
    ("role = \"entity\"", "role = \"entity\"\nrepeats = true", "project p.toml: `id`: `repeats`, `distinct`"),
    (
        "[[attribute]]",
        "[[attribute]]\nname = \"visit\"\nrole = \"entity\"\n[[attribute]]",
        "project p.toml: `visit` (`role = \"entity\"`)",
    ),
];

#[test]
fn person_with_several_rows_gets_repeating_pseudonyms() {
    let project = read(&SMALL.replacen("[[attribute]]", ENTITY, 1)).unwrap();
    let entity = project.entity().unwrap();
    assert_eq!((entity.name.as_str(), entity.role, entity.is_entity), ("id", Role::Identifier, true));
    assert_eq!(entity.pseudonym, Some(PseudonymRule::New));
    assert_eq!(read(SMALL).unwrap().entity(), None);
}

const OF_POLICIES: &[Case] = &[
    (
        "[delta]",
        "[policy]\nsuppress_at_most = 1\n[delta]",
        "project p.toml: [policy]: `suppress_at_most = 1`",
    ),
    (
        "[delta]",
        "[policy]\nsuppress_at_most = [2]\n[delta]",
        "project p.toml: [policy]: `suppress_at_most = [2]`: expected a share",
    ),
    (
        "hierarchy = \"h/age.csv\"",
        "hierarchy = \"h/age.csv\"\nlevels = \"3-1\"",
        "project p.toml, line 12: invalid `levels` \"3-1\"",
    ),
    (
        "hierarchy = \"h/age.csv\"",
        "hierarchy = \"h/age.csv\"\nlevels = 2",
        "project p.toml, line 12: invalid type: integer `2`",
    ),
    (
        "hierarchy = \"h/age.csv\"",
        "hierarchy = \"h/age.csv\"\nlevels = \"1-\"\nshape = \"kept\"",
        "project p.toml: `age`: `shape = \"kept\"` excludes `levels`",
    ),
    (
        "hierarchy = \"h/age.csv\"",
        "hierarchy = \"h/age.csv\"\nlevels = \"1-\"\npublic_level = 2",
        "project p.toml: `age`: `levels` begin at 1",
    ),
    (
        "[[attribute]]",
        "[[attribute]]\nname = \"id\"\nrole = \"identifier\"\nshape = \"kept\"\n[[attribute]]",
        "project p.toml: `id`: `shape` and `levels`",
    ),
];
