//! δ and policy: what is promised, what it would give on the release that is open, and what it costs.
//!
//! # Types
//! - [`Field`](field::Field): one field of the [`Page`](field::Page)s *promise* and *report*, with its place in the project file.
//! - [`Draft`](draft::Draft): what is typed in each field. It reads its fields, refuses them with a sentence, and lists what it
//!   would change in the project file.
//! - [`Outlook`](outlook::Outlook): what each readable field would give on the open release, and all of them together.
//! - [`Sweep`](curve::Sweep): the measured losses over δmax of the strategies on the curve.
//!
//! # Who computes what
//! - A frame and a key compute nothing that grows with the tables: reading a text, and the advisor, which is one formula.
//! - A job in a slot counts the outlook whenever a field, the release or δ changed and the screen is open. The judge is the engine's:
//!   [`Ranking::summary_under`](palmtop_release::listing::Ranking::summary_under) under a policy of the typed fields. l and t need
//!   the sensitive values of T, which a project without them has not read: the job reads them once for each release.
//! - `w` hands the changed settings to `app`, which writes them and reads the project again. Only what was read again is
//!   enforced, so that the title and the verdict always are those of the project file, or of a δ of this sitting (`t`).
//! - δ is decided as everywhere: [`Edit::Delta`] with its reason and the input of the advisor. After a search, another δ needs a
//!   reason.

pub(crate) mod curve;
mod commands;
mod curve_view;
pub(crate) mod draft;
pub(crate) mod field;
mod figures;
pub(crate) mod outlook;
pub(crate) mod state;
mod update;
mod view;

#[cfg(test)]
mod tests;

use ratatui::layout::Rect;

use self::commands::{Command, ROWS, SHOW};
use self::field::FIELDS;
use self::state::PolicyScreen;
use crate::kit::hits::Target;
use crate::kit::name::ScreenName;
use crate::kit::page::Page as Canvas;
use crate::shared::activity::Activity;
use crate::shared::component::{Component, Context, Event, State, Wanted};
use crate::shared::intent::{Change, Figures, Intent};
use crate::shared::screen::{About, Scope, Screen, Sight, Tab, rows_of};
use crate::shared::state::Shared;

/// How to read the screen.
const LEGEND: &[&str] = &[
    "Left is what you promise, right what it would give on the release that is open. The title and the verdict above are under \
         the policy that is enforced: yours is enforced once w has written it.",
    "The curve is the loss of each strategy over δmax: ◆ is the present δmax, ↑ the selected one. Do not choose δ here: an \
         analyst who raises δ until the loss is small enough has no δ. Decide on δ first (docs/choosing-delta.md). A strategy \
         marked on the releases is on the curve, too; at most four are.",
];

impl PolicyScreen {
    pub(crate) const NAME: ScreenName = ScreenName::POLICY;
    /// Its row in the list of screens.
    pub(crate) const SCREEN: Screen = Screen {
        about: About {
            name: Self::NAME,
            purpose: "decide what is promised, and see what it gives and costs",
            rows: || rows_of(Self::NAME, ROWS),
            legend: LEGEND,
            shows_others: false,
        },
        show: SHOW,
        tab: Tab::Policy,
        make: |shared| Box::new(Self::new(shared)),
    };
}

impl Component for PolicyScreen {
    fn handle(&mut self, context: &Context, event: Event) -> Result<Intent, String> {
        let scope = &Scope::of(context)?;
        match event {
            Event::Command(row) => {
                let intent = self.act_on(scope, ROWS[row].command);
                self.count(context);
                return intent;
            }
            Event::Line(line) => {
                let answer = self.type_line(scope.shared, line);
                self.count(context);
                return answer;
            }
            Event::Move(movement) if self.is_large => self.curve.shift(scope.shared, movement),
            Event::Move(movement) => movement.shift(&mut self.cursor, self.page.fields().len()),
            Event::Report(report) => {
                return Ok(self.take_report(report).map_or(Intent::None, Intent::Say));
            }
            Event::Changed(change) => {
                match change {
                    Change::Delta => {
                        self.curve.delta_changed(scope.shared.delta());
                        self.follow(scope.shared);
                    }
                    Change::Shown(name) if name == Self::NAME => self.follow(scope.shared),
                    Change::View => {}
                    _ => return Ok(Intent::None),
                }
                self.count(context);
            }
            Event::Click(Target::Row(index)) => {
                if let Some(field) = FIELDS.get(index) {
                    self.put_on(*field);
                }
            }
            Event::Click(Target::Column(index)) => {
                if let Some(delta) = self.curve.deltas(&scope.shared.problem).get(index) {
                    self.curve.point_at(*delta);
                }
            }
            _ => {}
        }
        Ok(Intent::None)
    }

    fn draw(&self, page: &mut Canvas, area: Rect, context: &Context) {
        if let Some(shared) = context.shared {
            view::render(page, area, Sight { shared, screen: self }, context.marks);
        }
    }

    fn state(&self) -> State<'_> {
        let progress = self.curve.sweep_progress();
        let progress = progress.map(|sweep| format!("curve {} of {}", sweep.done, sweep.total));
        State {
            activity: Activity::answering(self.counting.is_open()) | Activity::busy(self.curve.is_running()),
            progress: progress.unwrap_or_default(),
            unsaved: (self.draft != self.taken)
                .then(|| "What was typed on δ and policy is not written.".to_owned()),
            ..State::default()
        }
    }

    fn why_not(&self, _: Option<&Shared>, wanted: Wanted) -> Option<String> {
        let Wanted::Command(row) = wanted else { return None };
        match ROWS[row].command {
            Command::Stop if !self.curve.is_running() => Some("nothing is being measured".to_owned()),
            Command::Smaller if !self.is_large => Some("the fields are there".to_owned()),
            Command::Larger if self.is_large => Some("the curve is alone already".to_owned()),
            _ => None,
        }
    }

    fn figures(&self, shared: &Shared) -> Result<Figures, String> {
        figures::of_curve(shared, &self.curve)
    }
}
