//! Rows that repeat a person: some rows come again, and the project says what they are, or nothing.

use super::plan::{Plan, Table};
use crate::support::dice::Dice;

const ANSWERS: [&str; 6] = [
    "distinct = true",
    "distinct = true",
    "first_by = \"visit\"",
    "first_by = \"visit\"",
    "repeats = \"couples share this number\"",
    "",
];

/// Repeats rows of some tables by an identifier, and writes what these rows are.
pub(super) fn repeat(dice: &mut Dice, plan: &mut Plan) {
    let known = plan.others.iter().position(|other| other.role == "identifier" && !other.repeats);
    let answer = *dice.pick(&ANSWERS);
    match known {
        Some(nth) if dice.percent(40) => {
            let name = plan.others[nth].name.clone();
            plan.others[nth].rows = Some(answer.to_owned());
            again(dice, &mut plan.public, &name, answer);
            // T may have one row of each person, and no column that orders them.
            if let Some(private) = plan.private.as_mut()
                && !plan.public.rows.len().is_multiple_of(4)
            {
                again(dice, private, &name, answer);
            }
            plan.drop_unlisted |= answer.contains("visit") || dice.percent(5);
        }
        _ if plan.private.is_some() && dice.percent(12) => {
            let name = *dice.pick(&["record id", "PersonID", "household_id", "remark"]);
            if plan.public.header.iter().any(|known| known == name) {
                return;
            }
            let is_of_patients = name == "household_id" && plan.public.rows.len().is_multiple_of(2);
            let name = if is_of_patients { "household patient id" } else { name };
            plan.public.header.push(name.to_owned());
            for (nth, row) in plan.public.rows.iter_mut().enumerate() {
                row.push(format!("#{nth}"));
            }
            again(dice, &mut plan.public, name, answer);
            if !answer.is_empty() && dice.percent(80) {
                plan.person = Some(format!("person = {{ column = \"{name}\", {answer} }}\n"));
            }
        }
        _ => {}
    }
}

/// Writes some rows of a table again, if it has the column.
fn again(dice: &mut Dice, table: &mut Table, name: &str, answer: &str) {
    let Some(column) = table.header.iter().position(|known| known == name) else { return };
    let share = *dice.pick(&[0, 10, 30]);
    let differs = dice.percent(25);
    let mut rows = Vec::new();
    for row in std::mem::take(&mut table.rows) {
        let other = rows.first().cloned();
        rows.push(row.clone());
        for _ in 0..2 {
            if dice.percent(share) {
                // Another person's values under the identifier.
                let mut copy =
                    if differs { other.clone().unwrap_or_else(|| row.clone()) } else { row.clone() };
                copy[column].clone_from(&row[column]);
                rows.push(copy);
            }
        }
    }
    table.rows = rows;
    if answer.contains("visit") && !table.header.iter().any(|known| known == "visit") {
        table.header.push("visit".to_owned());
        let days = dice.percent(50);
        for row in &mut table.rows {
            row.push(match dice.below(12) {
                0 => String::new(),
                1 if dice.percent(10) => "soon".to_owned(),
                nth if days => format!("2024-{:02}-{:02}", nth.max(1), dice.within(1, 28)),
                nth => format!("{}.{nth}", dice.within(0, 12)),
            });
        }
    }
}
