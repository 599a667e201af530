//! Projects that ARX wrote, and archives that it did not write.

use std::io::{Cursor, Read, Write};
use std::path::Path;

use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use super::*;
use crate::arx::Diversity;

const STUDY: &[u8] = include_bytes!("../../../../../tests/arx/study.deid");
const WHOLE: &[u8] = include_bytes!("../../../../../tests/arx/whole.deid");

fn read(bytes: &[u8]) -> Result<ArxProject, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.deid");
    std::fs::write(&path, bytes).unwrap();
    let read = ArxProject::read(&path);
    read.map_err(|error| error.to_string().replace(&path.display().to_string(), "p.deid"))
}

/// The parts of an archive.
fn parts(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    let count = archive.len();
    let part = |index| {
        let mut file = archive.by_index(index).unwrap();
        let mut content = Vec::new();
        file.read_to_end(&mut content).unwrap();
        (file.name().unwrap().into_owned(), content)
    };
    (0..count).map(part).collect()
}

/// An archive with these parts.
fn archive(parts: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        writer.start_file(name.as_str(), SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// The project with one part changed.
fn changed(part: &str, change: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    let mut parts = parts(STUDY);
    let (_, content) = parts.iter_mut().find(|(name, _)| name == part).unwrap();
    *content = change(content);
    archive(&parts)
}

fn replaced(part: &str, old: &str, new: &str) -> Vec<u8> {
    changed(part, |content| {
        let text = std::str::from_utf8(content).unwrap();
        assert!(text.contains(old), "{text}");
        text.replace(old, new).into_bytes()
    })
}

fn rows(table: &Listed) -> Vec<Vec<String>> {
    let names: Vec<&str> = table.columns.iter().map(String::as_str).collect();
    let mut rows = Vec::new();
    let mut show = |texts: &[&str]| {
        rows.push(texts.iter().map(|&text| text.to_owned()).collect());
        Ok(())
    };
    table.visit(&names, &mut show).unwrap();
    rows
}

#[test]
fn arx_project_is_read_with_tables_and_settings() {
    let project = read(STUDY).unwrap();
    assert_eq!(project.version, "3.9.2");
    let roles: Vec<(&str, Role)> =
        project.attributes.iter().map(|attribute| (attribute.name.as_str(), attribute.role)).collect();
    assert_eq!(
        roles,
        [
            ("name", Role::Identifier),
            ("age", Role::Quasi),
            ("sex", Role::Quasi),
            ("zip", Role::Quasi),
            ("diagnosis", Role::Sensitive),
            ("visits", Role::Insensitive),
        ]
    );
    let levels = project.attributes.iter().map(|attribute| attribute.levels);
    assert_eq!(
        levels.collect::<Vec<_>>(),
        [(None, None), (None, Some(2)), (None, None), (Some(1), None), (None, None), (None, None)]
    );
    let weights: Vec<_> = project.attributes.iter().filter_map(|found| found.weight.as_deref()).collect();
    assert_eq!(weights, ["0.5", "1", "0.5", "0.5", "0.5", "0.5"]);
    let entropy = "grassberger-entropy-2.0-diversity for attribute 'diagnosis'";
    assert_eq!(
        project.criteria,
        [
            Criterion::Presence("0".into(), "0.5".into()),
            Criterion::Other(entropy.into()),
            Criterion::KAnonymity(2),
        ]
    );
    assert_eq!(project.suppression_limit.as_deref(), Some("0"));
    let imported = project.attributes[1].hierarchy.as_ref().unwrap().as_ref().unwrap();
    assert!(imported.bytes.starts_with(b"30;30 to 34;30 to 39;*\n"), "{imported:?}");

    let public = rows(&project.table(Path::new("p.csv"), &[Role::Quasi]));
    assert_eq!((public.len(), public[0].clone()), (20, vec!["31".into(), "female".into(), "47901".into()]));
    let private = rows(&project.subset(Path::new("t.csv"), &[Role::Quasi, Role::Sensitive]));
    assert_eq!(private.len(), 7);
    assert_eq!(private[1], ["41", "female", "47906", "angina"]);
    assert_eq!(private[6], ["52", "male", "53705", "none"]);
    // A subset of every row is none.
    assert!(project.has_subset() && !read(WHOLE).unwrap().has_subset());
}

#[test]
fn every_criterion_and_separator_of_arx_is_read() {
    let text = "distinct-2-diversity for attribute &apos;diagnosis&apos;";
    let project = replaced("input/config.xml", "2-anonymity", text);
    let distinct = Criterion::LDiversity { of: "diagnosis".into(), kind: Diversity::Distinct(2) };
    assert!(read(&project).unwrap().criteria.contains(&distinct));
    let mut parts = parts(STUDY);
    for (name, content) in &mut parts {
        let text = |content: &[u8]| String::from_utf8(content.to_vec()).unwrap();
        if Path::new(name.as_str()).extension().is_some_and(|ending| ending == "csv") {
            *content = text(content).replace(';', "\t").into_bytes();
        } else if name == "project.xml" {
            *content = text(content).replace("<separator>;<", "<separator>\t<").into_bytes();
        }
    }
    let tabs = read(&archive(&parts)).unwrap();
    assert_eq!(tabs.attributes[3].hierarchy, read(STUDY).unwrap().attributes[3].hierarchy);
    assert!(tabs.attributes[3].hierarchy.as_ref().unwrap().is_ok());
}

#[test]
fn unusable_arx_hierarchy_is_noted_and_reading_continues() {
    let several = read(&changed("input/hierarchies/sex.csv", |_| b"female;f\nmale;m".to_vec())).unwrap();
    let sex = several.attributes[2].hierarchy.as_ref().unwrap().as_ref().unwrap();
    assert!(sex.notes[0].contains("its last level has 2 labels"), "{sex:?}");
    let null = read(&replaced("input/hierarchies/sex.csv", "\nmale;*", "\nmale;*\nNULL;*\n;*")).unwrap();
    let sex = null.attributes[2].hierarchy.as_ref().unwrap().as_ref().unwrap();
    assert_eq!(sex.bytes, b"female;*\nmale;*\n");
    assert!(sex.notes[0].contains("NULL is no value here"), "{sex:?}");
    let twice = read(&replaced("input/hierarchies/sex.csv", "\nmale;*", "\nfemale;m")).unwrap();
    let reason = twice.attributes[2].hierarchy.as_ref().unwrap().as_ref().unwrap_err();
    assert!(reason.contains("female"), "{reason}");
    let lost: Vec<_> = parts(STUDY).into_iter().filter(|(name, _)| !name.ends_with("sex.csv")).collect();
    let lost = read(&archive(&lost)).unwrap();
    let reason = lost.attributes[2].hierarchy.as_ref().unwrap().as_ref().unwrap_err();
    assert_eq!(reason, "the project lacks its part `input/hierarchies/sex.csv`");
}

/// Projects that ARX does not write: a part of each refusal, and the refusal.
pub(crate) fn refusals() -> Vec<(&'static str, String)> {
    let without =
        |part: &str| archive(&parts(STUDY).into_iter().filter(|(name, _)| name != part).collect::<Vec<_>>());
    let definition = "input/definition.xml";
    let encrypted = {
        // The first flag of each header says that the part is encrypted.
        let mut bytes = STUDY.to_vec();
        for offset in 0..bytes.len() - 10 {
            match &bytes[offset..offset + 4] {
                b"PK\x03\x04" => bytes[offset + 6] |= 1,
                b"PK\x01\x02" => bytes[offset + 8] |= 1,
                _ => {}
            }
        }
        bytes
    };
    [
        (b"no archive".to_vec(), "ARX project p.deid: no ZIP archive"),
        (STUDY[..STUDY.len() / 2].to_vec(), "no ZIP archive"),
        (encrypted, "part `metadata.xml`: cannot be unpacked"),
        (without("metadata.xml"), "no part `metadata.xml`"),
        (without(TABLE), "no part `data/input.csv`"),
        (without("input/config.dat"), "no part `input/config.dat`"),
        (
            changed("metadata.xml", |_| vec![b' '; (64 << 20) + 1]),
            "part `metadata.xml`: more than 67108864 bytes",
        ),
        (replaced("metadata.xml", "2.0", "1.0"), "part `metadata.xml`: its vocabulary is \"1.0\""),
        (changed(definition, |text| text[..text.len() / 2].to_vec()), "part `input/definition.xml`: no XML"),
        (replaced(definition, ">age<", ">size<"), "settings of `size`"),
        (replaced(definition, ">age<", ">sex<"), "settings of the column `sex` twice"),
        (replaced(definition, ">SENSITIVE_", ">OTHER_"), "the type of `diagnosis` is \"OTHER_ATTRIBUTE\""),
        (replaced(TABLE, "name;age", "age;age"), "part `data/input.csv`: two columns"),
        (replaced(TABLE, "Hugo;47", "Hugo"), "part data/input.csv, line 9: 5 fields"),
        (replaced(TABLE, "Tilda;55;female;53706;none;4\n", ""), "subset is of 20 rows"),
        (
            changed(TABLE, |_| b"name;age;sex;zip;diagnosis;visits\n".to_vec()),
            "part `data/input.csv`: it has no rows",
        ),
        (
            changed("input/config.dat", |bytes| bytes[..bytes.len() - 200].to_vec()),
            "part `input/config.dat`: byte ",
        ),
        (
            replaced("project.xml", "<separator>;<", "<separator><"),
            "its separator is \"\"; expected one character",
        ),
    ]
    .map(|(bytes, part)| (part, read(&bytes).unwrap_err()))
    .into()
}

// holds: ARX is data
#[test]
fn unexpected_arx_content_is_refused_with_its_part() {
    for (part, message) in refusals() {
        assert!(message.contains(part) && message.contains("p.deid"), "{part}\n{message}");
    }
}

// holds: ARX is data
#[test]
fn damaged_arx_archive_never_causes_a_panic() {
    for length in (0..STUDY.len()).step_by(97) {
        read(&STUDY[..length]).unwrap_err();
    }
    // Parts without compression, so that other bytes reach the readers of parts.
    let dat = parts(STUDY).into_iter().find(|(name, _)| name == "input/config.dat").unwrap().1;
    for offset in 0..dat.len() {
        let mut bytes = dat.clone();
        bytes[offset] ^= 0x81;
        let _ = crate::arx::subset::read(&bytes, 20);
    }
}

// holds: ARX is data
#[test]
fn a_name_with_slashes_is_a_name() {
    let mut parts = parts(STUDY);
    for (name, content) in &mut parts {
        if name == "input/hierarchies/zip.csv" {
            "input/hierarchies/../../zip.csv".clone_into(name);
        } else if name == TABLE || name == "input/definition.xml" {
            let text = std::str::from_utf8(content).unwrap();
            let text = text.replace(";zip;", ";../../zip;").replace(">zip<", ">../../zip<");
            *content = text.replace("hierarchies/zip.csv", "hierarchies/../../zip.csv").into_bytes();
        }
    }
    let project = read(&archive(&parts)).unwrap();
    assert_eq!(project.columns(&[Role::Quasi]), ["age", "sex", "../../zip"]);
    assert!(project.attributes[3].hierarchy.as_ref().unwrap().is_ok());
}

#[test]
fn quote_inside_unquoted_arx_field_is_a_character() {
    for (written, expected) in [
        ("a;5\" pipe;b\n", "a;\"5\"\" pipe\";b\n"),
        ("5\"\n", "\"5\"\"\"\n"),
        ("\"a;b\";c\"\"d\r\n", "\"a;b\";\"c\"\"\"\"d\"\r\n"),
        ("\"two\nlines \"\"x\"\"\";y", "\"two\nlines \"\"x\"\"\";y"),
        ("\"never closed", "\"never closed"),
        ("", ""),
    ] {
        let quoted = with_quoted_fields(written.as_bytes(), b';');
        assert_eq!(String::from_utf8(quoted).unwrap(), expected, "{written}");
    }
    let pipe = replaced("data/input.csv", "asthma", "5\" cut");
    let project = read(&pipe).unwrap();
    let table = project.subset(Path::new("t.csv"), &[Role::Sensitive]);
    assert!(rows(&table).concat().iter().all(|value| !value.starts_with('"')));
    assert!(
        rows(&project.table(Path::new("p.csv"), &[Role::Sensitive])).concat().contains(&"5\" cut".to_owned())
    );
}

#[test]
fn unreadable_arx_hierarchy_is_noted_and_reading_continues() {
    for (index, end) in [b"x;y;z;v;w\n".as_slice(), b"\xfc;*\n", b"\n\n"].into_iter().enumerate() {
        let spoilt = changed("input/hierarchies/sex.csv", |content| [content, end].concat());
        let project = read(&spoilt).unwrap();
        let sex = project.attributes.iter().find(|attribute| attribute.name == "sex").unwrap();
        let why = sex.hierarchy.as_ref().unwrap().as_ref().unwrap_err();
        assert!(!why.contains("encoding"), "{index}: {why}");
    }
    let table = changed("data/input.csv", |content| [content, b"\xfc;1;2;3;4;5\n".as_slice()].concat());
    let why = read(&table).unwrap_err();
    assert!(why.contains("is not UTF-8; save the project in ARX again"), "{why}");
}

#[test]
fn missing_column_weight_defaults_to_that_of_arx() {
    let xml = |content: &[u8]| {
        let text = std::str::from_utf8(content).unwrap();
        let (start, _) = text.split_once("<attributeWeights>").unwrap();
        let (_, end) = text.split_once("</attributeWeights>").unwrap();
        let age = "<attributeWeight><attribute>age</attribute><weight>1.0</weight></attributeWeight>";
        format!("{start}<attributeWeights>{age}</attributeWeights>{end}").into_bytes()
    };
    let project = read(&changed("input/config.xml", xml)).unwrap();
    let weights: Vec<Option<&str>> =
        project.attributes.iter().map(|attribute| attribute.weight.as_deref()).collect();
    assert_eq!(weights[1..4], [Some("1"), Some("0.5"), Some("0.5")]);
}
