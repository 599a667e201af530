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
fn paths_are_relative_to_the_project_and_delta_is_read_by_its_digits() {
    let project = read(SMALL).unwrap();
    let PrivateSource::Table(table) = &project.private else { panic!("a table") };
    assert_eq!(table.paths[0].parent(), project.path.parent());
    assert_eq!(project.quasi().next().unwrap().1.path, project.path.with_file_name("h/age.csv"));
    assert_eq!(project.delta(None, None).unwrap().to_string(), "(0, 1/20)");
    assert_eq!(project.delta(None, "1/2".parse().ok()).unwrap().to_string(), "(0, 1/2)");
    assert!(project.delta("1/2".parse().ok(), None).is_err());
}

#[test]
fn what_is_enforced_beside_delta_is_what_the_policy_lists() {
    let project = read(&SMALL.replace("[delta]", "[policy]\nk = 5 # at least\n[delta]")).unwrap();
    assert_eq!(project.criteria.to_string(), "k = 5");
    assert_eq!(project.policy, [("k".to_owned(), "5".to_owned())]);
    assert!(read(SMALL).unwrap().criteria.is_empty());
    assert!(read(&SMALL.replace("[delta]", "[policy]\n[delta]")).unwrap().criteria.is_empty());
}

#[test]
fn a_share_of_members_that_may_be_withdrawn_is_read_by_its_digits() {
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

#[track_caller]
fn assert_refused(from: &str, to: &str, refusal: &str) {
    let refused = read(&SMALL.replacen(from, to, 1)).unwrap_err();
    assert!(refused.starts_with(refusal), "expected {refusal}\n   found {refused}");
}

#[test]
fn refusals_name_key_line_and_remedy() {
    for (from, to, refusal) in [
        (
            "path = \"p.csv\"",
            "path = \"p.csv\"\ncuont = \"n\"",
            "project p.toml, line 5: unknown field `cuont`",
        ),
        (
            "[delta]",
            "[public.source]\ndialect = \"spark\"\n[delta]",
            "project p.toml, line 6: `dialect` is gone: remove the line, and give the driver",
        ),
        (
            "[delta]",
            "[search]\nrehearse = 32\n[delta]",
            "project p.toml, line 6: `rehearse` is gone: remove the line",
        ),
        ("[private]\npath = \"t.csv\"\n", "", "project p.toml: there is no T; add [private]"),
        ("path = \"p.csv\"", "path = \"p.csv\"\nmember = \"m\"", "project p.toml: T is given twice"),
        (
            "[delta]",
            "prior = \"w\"\n[delta]",
            "project p.toml, line 5: `prior` is gone: remove it, and give a table of rates to `palmtop risk --prior FILE`",
        ),
        (
            "[delta]",
            "[prior]\nrates = \"r.csv\"\n[delta]",
            "project p.toml, line 5: `prior` is gone: remove it, and give a table of rates to `palmtop risk --prior FILE`",
        ),
        ("max = 0.05", "max = \"x\"", "project p.toml: [delta]: invalid δmax `x`: expected a fraction"),
        ("max = 0.05", "max = 1.5", "project p.toml: [delta]: invalid δmax `1.5`: expected"),
        ("hierarchy = \"h/age.csv\"\n", "", "project p.toml: quasi-identifier `age` has no `hierarchy`"),
        ("quasi", "secret", "project p.toml, line 10: unknown variant `secret`"),
        ("role = \"quasi\"", "role = \"insensitive\"", "project p.toml: `age` has a hierarchy"),
        ("role = \"quasi\"", "role = \"entity\"", "project p.toml: `age` has a hierarchy"),
        ("[delta]", "[delta", "project p.toml, line 5"),
        (
            "max = 0.05",
            "max = 0,05 # strict",
            "project p.toml, line 7: unexpected key or value, expected newline, `#`: write a number with a point, not with a comma, such as 0.06",
        ),
        (
            "path = \"p.csv\"",
            "path = \"p.csv\"\nsample_of = 0",
            "project p.toml, line 5: invalid value: integer `0`, expected a nonzero",
        ),
        (
            "path = \"t.csv\"\n[public]",
            "path = \"t.csv\"\nnot_in_public = \"drop\"\n[public]\nsample_of = 9_200_000",
            "project p.toml: `not_in_public` cannot be used with `sample_of`: members of T who are not in a sample are expected",
        ),
        ("[delta]", "[policy]\nk = 0\n[delta]", "project p.toml: [policy]: `k = 0`: expected a whole"),
        ("[delta]", "[policy]\nk = \"5\"\n[delta]", "project p.toml: [policy]: `k = \"5\"`: expected"),
        ("[delta]", "[policy]\nl = 2\n[delta]", "project p.toml: [policy]: `l = 2`: expected `{ distinct"),
        (
            "[[attribute]]",
            "[[attribute]]\nname = \"id\"\nrole = \"identifier\"\npseudonym = \"old\"\n[[attribute]]",
            "project p.toml: `id`: `pseudonym = \"old\"`: expected \"new\", or { key = …, domain = … }",
        ),
        (
            "[[attribute]]",
            "[[attribute]]\nname = \"id\"\nrole = \"identifier\"\npseudonym = { key = \"k\" }\n[[attribute]]",
            "project p.toml, line 11: expected \"new\", or { key = \"../keys/study.key\", domain = ",
        ),
    ] {
        assert_refused(from, to, refusal);
    }
}

#[test]
fn refusals_of_attributes_name_the_attribute_and_the_remedy() {
    for (from, to, refusal) in [
        (
            "[[attribute]]",
            "[[attribute]]\nname = \"id\"\nrole = \"identifier\"\npseudonym = { key = \"k\", domain = \"\" }\n[[attribute]]",
            "project p.toml: `id`: `domain` of `pseudonym` is \"\", expected a text of 1 to 200 bytes",
        ),
        (
            "[[attribute]]",
            "[[attribute]]\nname = \"id\"\nrole = \"identifier\"\nrepeats = true\npseudonym = \"new\"\n[[attribute]]",
            "project p.toml: `id`: `repeats` and `pseudonym` exclude each other",
        ),
        (
            "[[attribute]]",
            "[[attribute]]\nname = \"id\"\nrole = \"sensitive\"\npseudonym = \"new\"\n[[attribute]]",
            "project p.toml: `id`: `pseudonym` needs role = \"identifier\"; remove it",
        ),
        (
            "[[attribute]]",
            "[[attribute]]\nname = \"a\"\nrole = \"identifier\"\npseudonym = { key = \"k\", domain = \"d\" }\n\
             [[attribute]]\nname = \"b\"\nrole = \"identifier\"\npseudonym = { key = \"l\", domain = \"d\" }\n[[attribute]]",
            "project p.toml: the pseudonyms of `a` and `b` have the same `domain`, so equal values",
        ),
        (
            "[[attribute]]",
            "[[attribute]]\nname = \"born\"\nrole = \"sensitive\"\naccept = \"yes\"\n[[attribute]]",
            "project p.toml: `born`: `accept = \"yes\"`: expected a sentence that a reader of the report understands",
        ),
        (
            "[[attribute]]",
            "[[attribute]]\nname = \"born\"\nrole = \"sensitive\"\naccept = \"the board\\ndecided so\"\n[[attribute]]",
            "project p.toml: `born`: `accept = \"the board\\ndecided so\"`: expected one line",
        ),
        (
            "role = \"quasi\"",
            "role = \"quasi\"\nundecided = true",
            "project p.toml: `age`: `undecided` marks a published column whose role nobody decided",
        ),
        (
            "[[attribute]]",
            "[[attribute]]\nname = \"id\"\nrole = \"identifier\"\nundecided = true\n[[attribute]]",
            "project p.toml: `id`: `undecided` marks a published column",
        ),
        (
            "role = \"quasi\"",
            "role = \"quasi\"\naccept = \"the board decided so\"",
            "project p.toml: `age`: `accept` is the reason to publish a column that reveals a quasi-identifier",
        ),
        (
            "[[attribute]]",
            "[[attribute]]\nname = \"id\"\nrole = \"identifier\"\naccept = \"the board decided so\"\n[[attribute]]",
            "project p.toml: `id`: `accept` is the reason to publish a column",
        ),
        ("[delta]", "[policy]\nk = 2\nk = 3\n[delta]", "project p.toml, line 7: duplicate key"),
        (
            "[[attribute]]",
            "[[attribute]]\nname = \"age\"\nrole = \"identifier\"\n[[attribute]]",
            "project p.toml: attribute `age` is listed twice",
        ),
        (
            "[[attribute]]",
            "[[attribute]]\nname = \"age2\"\nprivate_column = \"age\"\nrole = \"identifier\"\n[[attribute]]",
            "project p.toml: attributes `age2` and `age` have the same column of T, `age`, but a column has only one role; remove one",
        ),
    ] {
        assert_refused(from, to, refusal);
    }
    let without = SMALL.replace("[delta]\nmin = 0\nmax = 0.05\n", "");
    let error = read(&without).unwrap().delta(None, None).unwrap_err();
    assert!(error.to_string().contains("there is no δ; add `[delta]`"), "{error}");
}

#[test]
fn the_reason_to_publish_a_column_is_kept() {
    let born = "[[attribute]]\nname = \"born\"\nrole = \"insensitive\"\naccept = \" The board decided so. \"\n[[attribute]]";
    let project = read(&SMALL.replacen("[[attribute]]", born, 1)).unwrap();
    assert_eq!(project.attributes[0].accepted.as_deref(), Some("The board decided so."));
    assert_eq!(project.attributes[1].accepted, None);
}

#[test]
fn a_column_whose_role_nobody_decided_has_a_mark() {
    let ill = "[[attribute]]\nname = \"ill\"\nrole = \"sensitive\"\nundecided = true\n[[attribute]]";
    let project = read(&SMALL.replacen("[[attribute]]", ill, 1)).unwrap();
    assert_eq!(
        project.attributes.iter().map(|attribute| attribute.undecided).collect::<Vec<_>>(),
        [true, false]
    );
}

#[test]
fn who_has_several_rows_is_an_identifier_that_repeats_and_gets_pseudonyms() {
    const ENTITY: &str = "[[attribute]]\nname = \"id\"\nrole = \"entity\"\n[[attribute]]";
    let project = read(&SMALL.replacen("[[attribute]]", ENTITY, 1)).unwrap();
    let entity = project.entity().unwrap();
    assert_eq!((entity.name.as_str(), entity.role, entity.is_entity), ("id", Role::Identifier, true));
    assert_eq!(entity.pseudonym, Some(PseudonymRule::New));
    assert_eq!(read(SMALL).unwrap().entity(), None);
    let refused = |what: &str| format!("project p.toml: {what} cannot be used with `role = \"entity\"`: ");
    for (from, to, refusal) in [
        (
            "path = \"p.csv\"",
            "path = \"p.csv\"\ncount = \"n\"\ncounts = \"people\"",
            refused("`count`") + "`count` does not show which rows",
        ),
        (
            "path = \"p.csv\"",
            "path = \"p.csv\"\nsample_of = 9000",
            refused("`sample_of`") + "estimates from a sample",
        ),
        (
            "path = \"t.csv\"",
            "path = \"t.csv\"\nnot_in_public = \"add\"",
            refused("`not_in_public`") + "a person with different rows in T and P",
        ),
        (
            "[delta]",
            "[policy]\nsuppress_at_most = \"2%\"\n[delta]",
            refused("`suppress_at_most`") + "no search withdraws people",
        ),
        (
            "role = \"entity\"",
            "role = \"entity\"\nrepeats = true",
            "project p.toml: `id`: `repeats`, `distinct` and `first_by` need role = \"identifier\"; an entity always repeats"
                .to_owned(),
        ),
        (
            "[[attribute]]",
            "[[attribute]]\nname = \"visit\"\nrole = \"entity\"\n[[attribute]]",
            "project p.toml: `visit` (`role = \"entity\"`) and `id` (`role = \"entity\"`) both say who is a person".to_owned(),
        ),
    ] {
        let refused = read(&SMALL.replacen("[[attribute]]", ENTITY, 1).replacen(from, to, 1)).unwrap_err();
        assert!(refused.starts_with(&refusal), "expected {refusal}\n   found {refused}");
    }
}

#[test]
fn refusals_of_policies_and_limits_name_key_line_and_remedy() {
    for (from, to, refusal) in [
        (
            "[delta]",
            "[policy]\nsuppress_at_most = 1\n[delta]",
            "project p.toml: [policy]: `suppress_at_most = 1`: expected a share of T's members from 0 up to, but not",
        ),
        (
            "[delta]",
            "[policy]\nsuppress_at_most = [2]\n[delta]",
            "project p.toml: [policy]: `suppress_at_most = [2]`: expected a share",
        ),
        (
            "hierarchy = \"h/age.csv\"",
            "hierarchy = \"h/age.csv\"\nlevels = \"3-1\"",
            "project p.toml, line 12: invalid `levels` \"3-1\": the first is the coarser one; expected",
        ),
        (
            "hierarchy = \"h/age.csv\"",
            "hierarchy = \"h/age.csv\"\nlevels = 2",
            "project p.toml, line 12: invalid type: integer `2`, expected a string",
        ),
        (
            "hierarchy = \"h/age.csv\"",
            "hierarchy = \"h/age.csv\"\nlevels = \"1-\"\nkeep = true",
            "project p.toml: `age`: `keep` excludes `levels`",
        ),
        (
            "hierarchy = \"h/age.csv\"",
            "hierarchy = \"h/age.csv\"\nlevels = \"1-\"\npublic_level = 2",
            "project p.toml: `age`: `levels` begin at 1, but P has level 2",
        ),
        (
            "[[attribute]]",
            "[[attribute]]\nname = \"id\"\nrole = \"identifier\"\nkeep = true\n[[attribute]]",
            "project p.toml: `id`: `levels` and `keep` need role",
        ),
    ] {
        let refused = read(&SMALL.replacen(from, to, 1)).unwrap_err();
        assert!(refused.starts_with(refusal), "expected {refusal}\n   found {refused}");
    }
}
