//! The forms that the raw tables may have.

use palmtop::model::Role;
use palmtop::verify::{PrivateSource, TableSource};
use polars::prelude::DataType;

use super::{Workspace, achieved, other, quasi};
use crate::support::tables;

const AGE: &str = "type = \"interval\"\nwidths = [10]\n";
const SEX: &str = "f;*\nm;*\n\"\";*\n";

fn workspace(public: &str, private: &str) -> Workspace {
    Workspace::new(
        public,
        private,
        ("0", "1"),
        &[quasi("age", "age.toml", AGE), quasi("sex", "sex.csv", SEX)],
    )
}

#[test]
fn a_count_column_gives_rows_their_people() {
    let mut workspace = workspace("people,age,sex\n7,12,f\n3,18,m\n90,25,f\n", "age,sex\n12,f\n18,m\n18,m\n");
    workspace.spec.count = Some(super::people());
    let findings = workspace.verify("age,sex\n10-19,*\n10-19,*\n10-19,*\n");
    assert_eq!(achieved(&findings), "0..3/10");
    assert_eq!((findings.public, findings.private, findings.unmatched), (100, 3, 90));
    for count in ["-1", "1.5", "+3", "", "4294967296"] {
        workspace.write("public.csv", &format!("people,age,sex\n{count},12,f\n"));
        let refusal = workspace.refusal();
        let expected = format!("public.csv, line 2, column `people`: `{count}` is not");
        assert!(refusal.starts_with(&expected) && refusal.contains("from 0 to 4294967295"), "{refusal}");
    }
}

#[test]
fn a_member_column_puts_t_inside_p() {
    let public = "age,sex,in_study\n12,f,true\n13,f,1\n14,m,yes\n15,m,false\n16,f,0\n17,f,no\n18,m,\n";
    let mut workspace = workspace(public, "");
    workspace.spec.private = PrivateSource::Member { column: "in_study".to_owned(), is: Vec::new() };
    let findings = workspace.verify("age,sex\n10-19,f\n10-19,f\n10-19,m\n");
    assert_eq!(achieved(&findings), "1/3..1/2");
    assert_eq!((findings.public, findings.private), (7, 3));
    let problems = workspace.problems("age,sex,in_study\n10-19,f,true\n10-19,f,true\n10-19,m,true\n");
    assert!(problems.starts_with("line 1: column 3 ") && problems.ends_with(" | `in_study`"), "{problems}");
    workspace.write("public.csv", "age,sex,in_study\n12,f,Ja\n");
    assert!(workspace.refusal().starts_with("public.csv, line 2, column `in_study`: `Ja` is not"));
}

#[test]
fn a_member_row_can_stand_for_several_people() {
    let mut workspace = workspace("age,people,in_study,sex\n12,2,yes,f\n13,6,no,f\n14,1,yes,f\n", "");
    workspace.spec.private = PrivateSource::Member { column: "in_study".to_owned(), is: Vec::new() };
    workspace.spec.count = Some(super::people());
    let findings = workspace.verify("age,sex\n10-19,f\n10-19,f\n10-19,f\n");
    assert_eq!(achieved(&findings), "1/3..1/3");
    assert_eq!((findings.public, findings.private), (9, 3));
    assert!(workspace.problems("age,sex\n10-19,f\n10-19,f\n").contains("occur 2 times, but 3 members"));
}

#[test]
fn columns_may_have_other_names_and_separators() {
    let mut workspace = workspace("A|S\n12|f\n13|m\n", "x;sex;age\nz;m;13\n");
    workspace.spec.attributes[0].public_column = "A".to_owned();
    workspace.spec.attributes[1].public_column = "S".to_owned();
    assert!(workspace.refusal().starts_with("private.csv: no attribute names column `x`"));
    workspace.spec.unlisted_dropped = true;
    assert_eq!(achieved(&workspace.verify("sex,age\n*,10-19\n")), "1/2..1/2");
    let problems = workspace.problems("x,sex,age\nz,*,10-19\n");
    assert!(problems.starts_with("line 1: column 1 ") && problems.ends_with(" | `x`"), "{problems}");
    workspace.write("private.csv", "sex\tage\nm\t13\n");
    assert_eq!(achieved(&workspace.verify("sex,age\n*,10-19\n")), "1/2..1/2");
    workspace.write("private.csv", "\"sex\"!age\nm!13\n");
    workspace.spec.private = PrivateSource::Table(TableSource {
        separator: Some(b'!'),
        ..TableSource::of(workspace.path("private.csv"))
    });
    assert_eq!(achieved(&workspace.verify("sex,age\n*,10-19\n")), "1/2..1/2");
}

#[test]
fn inputs_that_do_not_fit_together_are_refused() {
    let known = Workspace::new(
        "age,illness\n12,flu\n",
        "age,illness\n12,flu\n",
        ("0", "1"),
        &[quasi("age", "age.toml", AGE), other("illness", Role::Sensitive)],
    );
    assert!(known.refusal().starts_with("public.csv: `illness` is sensitive, but"));
    let mut twice = workspace("age,sex\n12,f\n", "age\n12\n");
    twice.spec.attributes[1].private_column = "age".to_owned();
    assert!(twice.refusal().starts_with("private.csv: attributes `age` and `sex` both"));
    assert!(
        workspace("age,sex\n12,f\n", "age\n12\n")
            .refusal()
            .starts_with("private.csv: no column `sex`; the columns")
    );
    assert!(workspace("age\n12\n", "age,sex\n12,f\n").refusal().starts_with("public.csv: no column `sex`"));
    assert!(workspace("age,sex\n12,x\n", "age,sex\n12,f\n").refusal().contains("lacks: \"x\""));
    assert!(
        workspace("age,sex\n12\n", "age,sex\n12,f\n")
            .refusal()
            .starts_with("public.csv, line 2: 1 field; expected 2")
    );
    assert!(workspace("age,sex\n", "age,sex\n12,f\n").refusal().contains("the public table is empty"));
    assert!(workspace("age,sex\n12,f\n", "age,sex\n").refusal().contains("the private table is empty"));
}

#[test]
fn parquet_and_ipc_tables_read_as_text() {
    let workspace = workspace("", "");
    let table = |ages: &[i32], sexes: &[Option<&str>]| {
        let ages = tables::numbers(&DataType::Int32, ages.iter().copied().map(Some));
        [("age", ages), ("sex", tables::texts(sexes.iter().copied()))]
    };
    let public = table(&[12, 13, 12, 25, 26], &[Some("f"), Some("m"), Some("f"), None, Some("")]);
    let private = table(&[12, 25, 12], &[Some("f"), None, Some("f")]);
    let mut spec = workspace.spec.clone();
    for extension in ["parquet", "arrow", "ipc", "feather"] {
        let (public_path, private_path) =
            (workspace.path(&format!("public.{extension}")), workspace.path(&format!("private.{extension}")));
        tables::write(&public_path, &public, 2);
        tables::write(&private_path, &private, 2);
        spec.public = TableSource::of(public_path);
        spec.private = PrivateSource::Table(TableSource::of(private_path));
        let release = workspace.write("release.csv", "age,sex\n10-19,*\n10-19,*\n20-29,\n");
        let findings = palmtop::verify::verify(&spec, &release).unwrap();
        assert_eq!(achieved(&findings), "1/2..2/3");
        assert_eq!((findings.public, findings.private, findings.unmatched), (5, 3, 0));
    }
}

#[test]
fn texts_of_one_number_are_refused() {
    let flat = [quasi("dx", "h.toml", "type = \"flat\"\n")];
    let mut workspace = Workspace::new("dx\n250.0\n401.9\n250.00\n", "dx\n250\n", ("0", "1"), &flat);
    let refused = workspace.try_verify("dx\n*\n").unwrap_err().to_string();
    for text in
        ["`250`", "`250.0`", "`250.00`", "line 2", "line 4", "kind = \"category\"", "number = \"1234.5\""]
    {
        assert!(refused.contains(text), "{text}: {refused}");
    }
    workspace.write("private.csv", "dx\n250.0\n");
    workspace.spec.attributes[0].hierarchy.as_mut().unwrap().kind = Some(palmtop::model::Kind::Category);
    assert!(workspace.try_verify("dx\n250.0\n").is_ok());
}
