//! The commands: typing, writing, trying δ, the advisor, and the curve.

use super::commands::Command;
use super::curve::Swept;
use super::draft::{ALLOWED, FORBIDDEN};
use super::field::{FIELDS, Field};
use super::state::PolicyScreen;
use crate::kit::command::Movement;
use crate::kit::slot::Answer;
use crate::shared::component::TypedLine;
use crate::shared::intent::{Edit, Errand, Intent, Manner, Question, Stage};
use crate::shared::screen::Scope;
use crate::shared::state::Shared;

impl PolicyScreen {
    pub(super) fn act_on(
        &mut self,
        scope: &Scope<Answer<Swept>>,
        command: Command,
    ) -> Result<Intent, String> {
        let Scope { shared, link, .. } = scope;
        match command {
            Command::Edit if self.is_large => self.take_point(shared)?,
            Command::Edit if self.field() == Field::EmptyRegions => {
                let is_allowed = self.draft.text(Field::EmptyRegions) == ALLOWED;
                self.draft.set(Field::EmptyRegions, if is_allowed { FORBIDDEN } else { ALLOWED }.to_owned());
            }
            Command::Edit => return Ok(self.ask()),
            Command::Write => return self.write(shared),
            Command::Try => return self.judge_by_it(shared),
            Command::Advice => self.take_advice(shared)?,
            Command::Turn => {
                self.page = self.page.other();
                self.cursor = 0;
                self.is_large = false;
            }
            Command::Run => {
                let strategies = self.curve.chosen(shared);
                self.curve.start(link, &shared.analysis, &shared.problem, &strategies)?;
                return Ok(Intent::Edit(Edit::FixPolicy));
            }
            Command::Stop => {
                self.curve.stopped();
                return Ok(Intent::Say("stopped; the measurements are kept".to_owned()));
            }
            Command::Add => {
                self.curve.add(shared);
                let names: Vec<String> = self.curve.chosen(shared).iter().map(ToString::to_string).collect();
                let run = shared.key("policy.run");
                return Ok(Intent::Say(format!("on the curve: {}; {run} measures", names.join(", "))));
            }
            Command::Larger => self.is_large = true,
            Command::Smaller => self.is_large = false,
            Command::Left => self.curve.shift(shared, Movement::Up),
            Command::Right => self.curve.shift(shared, Movement::Down),
        }
        Ok(Intent::None)
    }

    /// Asks for the text of the field.
    fn ask(&self) -> Intent {
        let field = self.field();
        let (id, hint) = field.question();
        let text = self.draft.text(field).to_owned();
        Intent::Ask(Question { id, manner: Manner::Followed, word: field.name(), hint, text })
    }

    /// Takes the text of a field while it is typed, so that its effect is seen. A text that is not understood is refused.
    pub(super) fn type_line(&mut self, shared: &Shared, line: TypedLine) -> Result<Intent, String> {
        let Some(field) = Field::of_line(line.id) else { return Ok(Intent::None) };
        self.draft.set(field, line.text.to_owned());
        if line.stage != Stage::Complete {
            return Ok(Intent::None);
        }
        if let Some(why) = self.draft.wrong(field) {
            return Err(why);
        }
        if matches!(field, Field::Max | Field::Min) {
            self.draft.drop_reason_of_other_delta(shared);
        }
        Ok(Intent::None)
    }

    /// Fills δ with the advice, in two digits of per cent.
    fn take_advice(&mut self, shared: &Shared) -> Result<(), String> {
        let advice = self.draft.advice(&shared.problem).ok_or("the advisor needs a prior and a misuse")??;
        self.draft.set_delta(advice.in_two_digits(), shared);
        Ok(())
    }

    /// Takes the δmax that is selected on the curve. The measurements are results: the reason comes next.
    fn take_point(&mut self, shared: &Shared) -> Result<(), String> {
        if self.curve.strategies(shared.delta().min()).is_empty() {
            return Err("no measurements yet".to_owned());
        }
        let deltas = self.curve.deltas(&shared.problem);
        let index = self.curve.cursor_index(&deltas, shared.delta());
        let delta = *deltas.get(index).ok_or("no δmax is selected")?;
        if delta == shared.delta() {
            return Err(format!("δmax is {} already", delta.max()));
        }
        self.draft.set_delta(delta, shared);
        self.put_on(Field::Reason);
        Ok(())
    }

    /// Judges by the typed δ in this sitting.
    fn judge_by_it(&mut self, shared: &Shared) -> Result<Intent, String> {
        let decision = self.draft.decision(shared).map_err(|(field, why)| self.point_to(field, &why))?;
        let delta = decision.delta;
        let is_known = decision.grounds.is_none() && decision.reason.is_none();
        if delta == shared.delta() && is_known {
            return Ok(Intent::Say(format!("δ is {} to {} already", delta.min(), delta.max())));
        }
        let (undo, write) = (shared.key("undo"), shared.key("policy.write"));
        let message = format!(
            "δ is {} to {} now; {undo} goes back; {write} writes it into the project",
            delta.min(),
            delta.max()
        );
        let edit = Edit::Delta { delta, reason: decision.reason, grounds: decision.grounds };
        Ok(Intent::Many(vec![Intent::Edit(edit), Intent::Say(message)]))
    }

    /// Writes what the project file does not have yet.
    fn write(&mut self, shared: &Shared) -> Result<Intent, String> {
        if !shared.saver.is_kept() {
            let try_it = shared.key("policy.try");
            return Err(format!("a built-in project is not written; {try_it} takes δ for this sitting"));
        }
        if shared.runs.unfinished() > 0 {
            let stop = shared.key("releases.stop-all");
            return Err(format!("searches run under the policy of now; stop them first ({stop})"));
        }
        let wrong = FIELDS.into_iter().find_map(|field| Some((field, self.draft.wrong(field)?)));
        if let Some((field, why)) = wrong {
            return Err(self.point_to(field, &why));
        }
        // A criterion that the sensitive values do not permit would leave a project that cannot be opened.
        if self.draft.criteria().is_ok_and(|criteria| criteria.need_values()) {
            match &self.outlook.together {
                _ if self.counting.is_open() => {
                    return Err("l and t are still being counted; write it again after that".to_owned());
                }
                None => return Err("l and t are judged on the open release, which is not counted".to_owned()),
                Some(Err(why)) => return Err(why.clone()),
                Some(Ok(_)) => {}
            }
        }
        let decision = self.draft.decision(shared).map_err(|(field, why)| self.point_to(field, &why))?;
        let settings = self.draft.settings(shared.analysis.project());
        if settings.is_empty() {
            return Err("the project file has all of this already".to_owned());
        }
        let edit = Edit::Delta { delta: decision.delta, reason: decision.reason, grounds: decision.grounds };
        Ok(Intent::Many(vec![Intent::Edit(edit), Intent::Errand(Errand::WriteSettings(settings))]))
    }

    /// Puts the cursor on a field that is wrong, and says so.
    fn point_to(&mut self, field: Field, why: &str) -> String {
        self.put_on(field);
        format!("{}: {why}", field.name())
    }
}

impl super::curve::Sweep {
    /// Moves the selection among the values of δmax.
    pub(super) fn shift(&mut self, shared: &Shared, movement: Movement) {
        let deltas = self.deltas(&shared.problem);
        let mut index = self.cursor_index(&deltas, shared.delta());
        movement.shift(&mut index, deltas.len());
        if let Some(delta) = deltas.get(index) {
            self.point_at(*delta);
        }
    }
}
