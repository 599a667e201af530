//! Compares the verdicts of the engine and of the verifier on every criterion except δ. Both use
//! separate arithmetic.

use palmtop_core::model::Standing;
use palmtop_verify::Outcome;

/// Compares the engine's outcome of every criterion with the verifier's. The error describes a
/// difference.
pub(in crate::pipeline) fn check(engine: &[Standing], found: &[Outcome]) -> Result<(), String> {
    let engine: Vec<&Standing> = engine.iter().filter(|standing| !standing.is_delta()).collect();
    if engine.len() != found.len() {
        return Err(format!("{} criteria were recounted instead of {}", found.len(), engine.len()));
    }
    let known = |figure: &Option<String>| figure.clone().unwrap_or_else(|| "unknown".to_owned());
    for (engine, found) in engine.into_iter().zip(found) {
        let is_same = engine.criterion == found.criterion
            && engine.required.is_some() == found.required.is_some()
            && engine.achieved == found.achieved
            && engine.holds == found.holds;
        if !is_same {
            let (criterion, here) = (found.criterion, known(&found.achieved));
            return Err(format!(
                "{criterion} {here} instead of {} {}",
                engine.criterion,
                known(&engine.achieved)
            ));
        }
    }
    Ok(())
}

/// The criteria that the verifier found broken.
pub(in crate::pipeline) fn broken(found: &[Outcome]) -> Vec<Standing> {
    let broken = found.iter().filter(|outcome| !outcome.holds);
    let standing = |outcome: &Outcome| Standing {
        criterion: outcome.criterion,
        required: outcome.required.clone(),
        achieved: outcome.achieved.clone(),
        holds: false,
    };
    broken.map(standing).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(criterion: &'static str, required: Option<&str>, achieved: &str, holds: bool) -> Standing {
        let owned = |text: &str| text.to_owned();
        Standing { criterion, required: required.map(owned), achieved: Some(owned(achieved)), holds }
    }

    // holds: One judge
    #[test]
    fn verifier_must_confirm_every_criterion() {
        let delta = standing("presence", Some("(0, 1)"), "(0, 1/2)", true);
        let engine =
            |required, achieved, holds| vec![delta.clone(), standing("k", required, achieved, holds)];
        let found = |required: Option<&str>, achieved: &str, holds| {
            let Standing { criterion, required, achieved, holds } = standing("k", required, achieved, holds);
            vec![Outcome { criterion, required, achieved, holds }]
        };
        assert_eq!(check(&engine(Some("5"), "6", true), &found(Some("5"), "6", true)), Ok(()));
        assert_eq!(check(&engine(None, "6", true), &found(None, "6", true)), Ok(()));
        for wrong in
            [found(Some("5"), "7", true), found(Some("5"), "6", false), found(None, "6", true), vec![]]
        {
            assert!(check(&engine(Some("5"), "6", true), &wrong).is_err(), "{wrong:?}");
        }
        assert_eq!(broken(&found(Some("5"), "4", false)), [standing("k", Some("5"), "4", false)]);
        assert_eq!(broken(&found(Some("5"), "6", true)), []);
    }
}
