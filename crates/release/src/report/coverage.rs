//! The limits of a verdict.

/// The limits of every verdict.
const ALWAYS: [&str; 6] = [
    "Other knowledge: an attacker who knows more about a person than the columns of the public table, such as that a neighbour is in \
     the private table, may learn more.",
    "Other releases: releases of the same private table, or of a changed version of it, must be judged together.",
    "Columns that only the private table has: the release hides who is in the private table, not the values of a person who is known \
     to be in it.",
    "Published columns together: palmtop compares each column, and the difference of two dates, with each quasi-identifier. It does \
     not examine other relations.",
    "Uneven priors: an attacker who knows that some individuals of a class are more likely members than others may learn more.",
    "The project: palmtop cannot check whether the public table has all that an attacker knows, nor the hierarchies and roles.",
];

/// The limit of a verdict if the release is not exact against an attacker who knows the algorithm.
const ALGORITHM: &str = "Knowledge of the algorithm: an attacker who knows palmtop, the policy and the number of members may learn more \
     from the boundaries of classes.";

/// The strategy against this attacker. It does not search for people with several rows.
const SIMULATABLE: &str = "Only the strategy `simulatable` keeps everyone within δ against this attacker.";

/// The limit of a verdict if the release has pseudonyms.
const PSEUDONYMS: &str = "Pseudonyms: a person who has the key, or knows whose pseudonym it is, can find that person's \
     rows. The same pseudonym in two releases links their rows.";

/// The limit of a verdict if people have several rows.
const SEVERAL_ROWS: &str = "Several rows of a person: an identifier shows which rows belong to one person, and how many there are. A \
     person with two identifiers in the public table counts as two, so the probability looks lower than it is.";

/// The limits of the verdict on one release. Both reports list them.
pub(super) fn not_covered(is_exact: bool, has_pseudonyms: bool, of_people: bool) -> Vec<String> {
    let mut lines: Vec<String> = ALWAYS.iter().map(|&line| line.to_owned()).collect();
    match (is_exact, of_people) {
        (true, _) => {}
        (false, true) => lines.push(ALGORITHM.to_owned()),
        (false, false) => lines.push(format!("{ALGORITHM} {SIMULATABLE}")),
    }
    if has_pseudonyms {
        lines.push(PSEUDONYMS.to_owned());
    }
    if of_people {
        lines.push(SEVERAL_ROWS.to_owned());
    }
    lines
}
