//! Mistakes in tables, hierarchies and projects.

use super::plan::{Mark, Plan};
use super::{PROJECT, Project};
use crate::support::dice::Dice;

/// A project with one mistake, sometimes two.
pub(crate) fn malform(dice: &mut Dice, plan: &Plan) -> Project {
    let mut plan = plan.clone();
    if dice.percent(50) {
        in_cells(dice, &mut plan);
        return plan.render();
    }
    let mut project = plan.render();
    for _ in 0..*dice.pick(&[1, 1, 1, 2]) {
        let names: Vec<String> = project.files.keys().cloned().collect();
        let name = dice.pick(&names).clone();
        let table = if plan.private.is_some() && dice.percent(50) { "private.csv" } else { "public.csv" };
        let name = if dice.percent(70) { table.to_owned() } else { name };
        if let Some(content) = project.files.get_mut(&name) {
            if name == PROJECT { in_lines(dice, content) } else { in_bytes(dice, content) }
        }
    }
    project
}

/// Changes a cell, or the set of rows.
fn in_cells(dice: &mut Dice, plan: &mut Plan) {
    let of_private = plan.private.is_some() && dice.percent(50);
    let column = |mark: &Option<Mark>| mark.as_ref().map(|mark| mark.column.clone());
    let (count, member) = (column(&plan.count), column(&plan.member));
    let others: Vec<String> = plan
        .others
        .iter()
        .filter(|other| ["identifier", "withheld"].contains(&other.role))
        .map(|other| other.name.clone())
        .collect();
    let table = match &mut plan.private {
        Some(private) if of_private => private,
        _ => &mut plan.public,
    };
    if table.rows.is_empty() {
        return;
    }
    let row = dice.below(table.rows.len());
    let position = dice.below(table.header.len());
    let position_of = |name: &String| table.header.iter().position(|known| known == name);
    match dice.below(14) {
        0 => {
            let copy = table.rows[row].clone();
            table.rows.push(copy);
        }
        1 => {
            table.rows.remove(row);
        }
        2 => {
            let value = &mut table.rows[row][position];
            *value = match dice.below(8) {
                0 => format!(" {value}"),
                1 => format!("{value} "),
                2 => format!("0{value}"),
                3 => format!("{value}.0"),
                4 => format!("+{value}"),
                5 => value.to_uppercase(),
                6 => value.replacen("-0", "-", 1),
                _ => String::new(),
            };
        }
        3 => {
            let first = table.header[0].clone();
            table.header[position] = first;
        }
        4 => {
            table.rows[row].pop();
        }
        5 => table.rows[row].push("more".to_owned()),
        6 => {
            table.header.push("more".to_owned());
            table.rows.iter_mut().for_each(|row| row.push(String::new()));
        }
        7 => table.rows.clear(),
        8 | 9 => {
            if let Some(position) = count.as_ref().and_then(position_of) {
                let counts =
                    ["0", "-1", "1.5", "", "x", "4294967296", "4294967295", "007", "+2", "1e3", " 1", "1 "];
                table.rows[row][position] = dice.pick(&counts).to_string();
            }
        }
        10 | 11 => {
            if let Some(position) = member.as_ref().and_then(position_of) {
                let words = ["TRUE", "Y", "2", "False", " 1", "ja", "on", "0", "null"];
                table.rows[row][position] = dice.pick(&words).to_string();
            }
        }
        12 => {
            if let Some(position) = others.first().and_then(position_of) {
                let first = table.rows[0][position].clone();
                table.rows[row][position] = first;
            }
        }
        _ => {
            let other = dice.below(table.rows.len());
            let value = table.rows[other][position].clone();
            table.rows[row][position] = value;
        }
    }
}

/// Changes the bytes of a table or of a hierarchy.
fn in_bytes(dice: &mut Dice, content: &mut Vec<u8>) {
    let ends: Vec<usize> = content
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte == b'\n')
        .map(|(position, _)| position + 1)
        .collect();
    let line = if ends.is_empty() { content.len() } else { *dice.pick(&ends) };
    let position = dice.below(content.len() + 1);
    let mut insert = |position: usize, bytes: &[u8]| {
        content.splice(position..position, bytes.iter().copied());
    };
    match dice.below(16) {
        0 => insert(position, b"\""),
        1 => insert(line, b"\""),
        2 => insert(line, b"\n"),
        3 => insert(line, b"\r\n"),
        4 => insert(position, b"\r"),
        5 => insert(position, b"\xff"),
        6 => insert(position, b"\xc3"),
        7 => insert(position, b"\0"),
        8 => insert(0, b"\xef\xbb\xbf"),
        9 => insert(position, b"\"\""),
        10 => insert(position, b",;|\t"),
        11 => content.truncate(position),
        12 => content.extend_from_slice(b"\n"),
        13 => content.clear(),
        14 => {
            let copy = content.clone();
            content.extend_from_slice(&copy);
        }
        _ => insert(line, b"\"\"\n"),
    }
}

/// Changes the lines of the project file.
fn in_lines(dice: &mut Dice, content: &mut Vec<u8>) {
    let text = String::from_utf8_lossy(content).into_owned();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let line = dice.below(lines.len());
    match dice.below(8) {
        0 | 1 => {
            lines.remove(line);
        }
        2 => lines.insert(line, "colour = \"red\"".to_owned()),
        3 => lines[line] = lines[line].replacen('=', "= 1", 1),
        4 => lines.push("kind = \"number\"".to_owned()),
        5 => lines.push("public_level = 1".to_owned()),
        6 => lines[line] = lines[line].replace("quasi", "sensitive"),
        _ => lines[line] = lines[line].replace("identifier", "insensitive").replace("allow", "forbid"),
    }
    *content = (lines.join("\n") + "\n").into_bytes();
}
