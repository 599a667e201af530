//! The fields of the dialog of δ: the two bounds, and the advisor, which derives them from a prior and an acceptable
//! misuse.

use palmtop_core::model::{Advice, Delta, Fraction, Problem, Stakes, TermError, Verdict, advise};
use palmtop_release::caution::typed;
use palmtop_release::history::{Grounds, Reason};
use palmtop_search as search;

use crate::kit::input::Input;
use crate::shared::stakes::TypedStakes;
use crate::shared::state::Shared;

/// A field of the dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    Min,
    Max,
    Prior,
    Misuse,
    MisuseDown,
    Cost,
    Reason,
}

impl Field {
    /// All fields, in the order of the dialog.
    pub(crate) const ALL: [Self; 7] =
        [Self::Min, Self::Max, Self::Prior, Self::Misuse, Self::MisuseDown, Self::Cost, Self::Reason];

    /// The name of the field, and what it means.
    pub(crate) fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Min => ("δmin", "nobody is less likely in T than this"),
            Self::Max => ("δmax", "nobody is more likely in T than this"),
            Self::Reason => ("reason", "every report shows it: name nobody"),
            Self::Prior => ("prior", "belief before: somebody of P has it"),
            Self::Misuse => ("misuse", "how far belief may rise, × cost"),
            Self::MisuseDown => ("misuse down", "how far it may fall; empty: any"),
            Self::Cost => ("cost", "of a belief that goes from 0 to 1"),
        }
    }
}

/// An error of a field, with the name of the field.
fn named(error: TermError, field: Field) -> String {
    error.given_for(field.words().0).to_string()
}

/// The dialog.
pub(crate) struct DeltaDialog {
    pub(crate) fields: [Input; 7],
    /// Whether δ was fixed before a search, so that a change needs a reason.
    pub(crate) is_fixed: bool,
    pub(crate) field: Field,
    /// Whether the analyst chose δ on a chart of losses.
    pub(crate) is_from_results: bool,
    /// Why δ was not changed.
    pub(crate) refused: Option<String>,
    /// The texts of both bounds when they were last judged, and the δ or why it cannot be taken.
    /// The coarsest node may have to be counted for it, so that a frame only shows it.
    judged: ([String; 2], Result<Delta, String>),
}

impl DeltaDialog {
    /// Opens the dialog on the current δ, with what the analyst typed for the advisor before.
    pub(crate) fn open(shared: &Shared) -> Self {
        let delta = shared.delta();
        let (min, max) = (delta.min().to_string(), delta.max().to_string());
        let TypedStakes { prior, misuse, misuse_down, cost } = shared.stakes.clone();
        let fields = [min, max, prior, misuse, misuse_down, cost, String::new()].map(Input::new);
        let is_fixed = !shared.log.decisions().is_empty();
        let judged = (<[String; 2]>::default(), Ok(delta));
        let mut dialog =
            Self { fields, is_fixed, field: Field::Max, is_from_results: false, refused: None, judged };
        dialog.judge(&shared.problem);
        dialog
    }

    /// Types in a δ that the analyst chose on a chart of losses; the reason comes next.
    pub(crate) fn with(mut self, delta: Delta, shared: &Shared) -> Self {
        self.fields[Field::Min as usize] = Input::new(typed(delta.min()));
        self.fields[Field::Max as usize] = Input::new(typed(delta.max()));
        self.field = Field::Reason;
        self.is_from_results = true;
        self.judge(&shared.problem);
        self
    }

    /// The text of the advisor's fields.
    pub(super) fn typed_stakes(&self) -> TypedStakes {
        let text = |field| self.text(field).to_owned();
        TypedStakes {
            prior: text(Field::Prior),
            misuse: text(Field::Misuse),
            misuse_down: text(Field::MisuseDown),
            cost: text(Field::Cost),
        }
    }

    /// The text of a field.
    pub(crate) fn text(&self, field: Field) -> &str {
        self.fields[field as usize].text().trim()
    }

    /// The active field.
    pub(crate) fn input(&mut self) -> &mut Input {
        self.refused = None;
        &mut self.fields[self.field as usize]
    }

    /// Goes to the next field, or to the previous one.
    pub(crate) fn next(&mut self, forward: bool) {
        let all = Field::ALL.len();
        let step = if forward { 1 } else { all - 1 };
        self.field = Field::ALL[(self.field as usize + step) % all];
    }

    /// The reason for δ; before a search has shown results, it may be left out.
    ///
    /// # Errors
    /// The reason is missing, or cannot be used.
    pub(crate) fn reason(&self) -> Result<Option<Reason>, String> {
        let text = self.text(Field::Reason);
        if text.is_empty() && !self.is_fixed { Ok(None) } else { Reason::read(text).map(Some) }
    }

    /// The typed δ.
    ///
    /// # Errors
    /// A bound cannot be read, or no release can keep this δ.
    pub(crate) fn delta(&self) -> Result<Delta, String> {
        self.judged.1.clone()
    }

    /// Judges the typed δ, if it changed since the last time.
    pub(super) fn judge(&mut self, problem: &Problem) {
        let texts = [Field::Min, Field::Max].map(|field| self.text(field).to_owned());
        if texts != self.judged.0 {
            let delta = Self::possible(&texts, problem);
            self.judged = (texts, delta);
        }
    }

    fn possible([min, max]: &[String; 2], problem: &Problem) -> Result<Delta, String> {
        let delta = Delta::read(min, max).map_err(|error| error.to_string())?;
        let problem = problem.with_delta(delta);
        let feasibility = problem.feasibility();
        match feasibility.verdict() {
            Verdict::Ok if !feasibility.holds() && !search::is_feasible(&problem) => {
                Err("infeasible: the coarsest levels that are permitted break it".to_owned())
            }
            Verdict::Ok => Ok(delta),
            Verdict::Breaks(_) => {
                Err(format!("infeasible: all of T breaks {}", feasibility.policy.criteria()))
            }
            Verdict::Over | Verdict::Under => Err(format!(
                "infeasible: |T|/|P| = {} is outside {} to {}",
                feasibility.share(),
                delta.min(),
                delta.max()
            )),
        }
    }

    /// The advice for the typed fields; `None` while they are empty.
    pub(crate) fn advice(&self, problem: &Problem) -> Option<Result<Advice, String>> {
        let is_empty = |field| self.text(field).is_empty();
        if is_empty(Field::Prior) && is_empty(Field::Misuse) && is_empty(Field::MisuseDown) {
            return None;
        }
        Some(self.stakes().and_then(|stakes| {
            let share = problem.total().presence();
            advise(share, &stakes).map_err(|error| error.to_string())
        }))
    }

    /// The fields of the advisor, if a δ lies within the advised one.
    pub(crate) fn grounds(&self, problem: &Problem, delta: Delta) -> Option<Grounds> {
        let advised = self.advice(problem)?.ok()?.delta();
        let text = |field| self.text(field).to_owned();
        let down = Some(text(Field::MisuseDown)).filter(|down| !down.is_empty());
        delta.is_within(advised).then(|| Grounds {
            prior: text(Field::Prior),
            misuse: text(Field::Misuse),
            misuse_down: down,
            cost: text(Field::Cost),
        })
    }

    fn stakes(&self) -> Result<Stakes, String> {
        let fraction = |field: Field| -> Result<Fraction, String> {
            self.text(field).parse().map_err(|error: TermError| named(error, field))
        };
        let prior = self.text(Field::Prior).parse().map_err(|error| named(error, Field::Prior))?;
        let down = self.text(Field::MisuseDown);
        let misuse_down = if down.is_empty() { None } else { Some(fraction(Field::MisuseDown)?) };
        Ok(Stakes { prior, cost: fraction(Field::Cost)?, misuse: fraction(Field::Misuse)?, misuse_down })
    }

    /// Puts the advised δ into the two fields, in two digits of per cent.
    ///
    /// # Errors
    /// Why there is no advice.
    pub(crate) fn take_advice(&mut self, problem: &Problem) -> Result<(), String> {
        let advice = self.advice(problem).ok_or("the advisor needs a prior and a misuse")??;
        let delta = advice.in_two_digits();
        self.fields[Field::Min as usize] = Input::new(delta.min().to_string());
        self.fields[Field::Max as usize] = Input::new(delta.max().to_string());
        self.field = Field::Max;
        Ok(())
    }
}
