//! Columns of P that are paired from P's side.

use super::*;
use palmtop_core::progress::unwatched;

/// P's columns are paired from P's side, too; those with a common value come first.
#[test]
fn unused_columns_of_p_can_be_paired() {
    let (_folder, sources) =
        sources("age,sex,shoe\n39,male,41\n17,female,38\n17,female,38\n", "age,w\n39,41\n17,38\n");
    let none = Decision::Pair { private: "w".to_owned(), public: None };
    let decisions = Decisions(vec![none]);
    let (proposal, _) = sources.propose(&decisions, &mut unwatched).unwrap();
    let choices = sources.spare_choices(&proposal);
    let labels: Vec<&str> = choices.iter().map(|choice| choice.label.as_str()).collect();
    assert_eq!(
        labels,
        ["P's shoe (38, 41): T's w, it is P's shoe", "P's sex (female, male): T's w, it is P's sex"]
    );
    let decisions = Decisions(vec![choices[0].decision.clone()]);
    let (proposal, _) = sources.propose(&decisions, &mut unwatched).unwrap();
    assert_eq!(attribute(&proposal, "w").public_column.as_deref(), Some("shoe"));
}
