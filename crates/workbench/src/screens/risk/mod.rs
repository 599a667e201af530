//! The risks of releases other than δ: the sizes of their classes, and the number and the
//! distribution of their sensitive values.

mod commands;
mod figures;
mod view;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use palmtop_core::model::Fraction;
use palmtop_measure::risk::{Risk, RiskClass};
use palmtop_release::history::RecodingRecipe;
use palmtop_release::pipeline;
use palmtop_search::release::Release;
use ratatui::layout::Rect;

use self::commands::{Command, ROWS, SHOW};
use self::figures::{HEADS, RECURSIVE_C, WITHOUT_VALUES, cells};
use crate::kit::name::ScreenName;
use crate::kit::page::Page;
use crate::kit::slot::Task;
use crate::kit::words::chain;
use crate::shared::candidate_list::{CandidateList, Measure, Style};
use crate::shared::component::{Component, Context, Event, State, Wanted};
use crate::shared::intent::{Figures, Intent};
use crate::shared::screen::{About, Scope, Screen, rows_of};
use crate::shared::state::Shared;

/// The number of classes at highest risk that are kept.
const WORST: usize = 50;

/// The risk of a release, with its classes at highest risk.
type RiskOf = (Risk, Vec<RiskClass>);

/// How risks are shown.
static STYLE: Style<RiskOf> = Style {
    screen: RiskScreen::NAME,
    task: Task { kind: "risk", doing: "measuring risks" },
    figures: "the risks",
    longest_head: usize::MAX,
    heads: |_| HEADS.map(str::to_owned).to_vec(),
    shown: |shared| if shared.analysis.sensitive().is_empty() { WITHOUT_VALUES } else { HEADS.len() },
    cells: |(risk, _)| cells(risk),
};

/// The risks of each release.
pub(crate) struct RiskScreen(CandidateList<RiskOf>);

/// How to read the screen.
const LEGEND: &[&str] = &[
    "Each row is a release, measured, not judged: [policy] has the enforced criteria. Only classes with \
         members count. k and k-map: the fewest members, and the fewest people of P, in a class. Alone: \
         members who are the only member, or the only person of P, in their class. Risk and risk P: the \
         means over members of 1/t and 1/n, for a class with t members and n people.",
    "For the sensitive attribute with the worst figure: values, the fewest different values in a class (l); \
         even, how many equally frequent values have the same entropy (e^H); (3, l), the most frequent value \
         against the rarer ones; far, the distance of a class's values from those of all of T (t).",
];

impl RiskScreen {
    pub(crate) const NAME: ScreenName = ScreenName(SHOW.id);
    /// Its row in the list of screens.
    pub(crate) const SCREEN: Screen = Screen {
        about: About {
            name: Self::NAME,
            purpose: "see what each release risks beside δ",
            rows: || rows_of(Self::NAME, ROWS),
            legend: LEGEND,
            shows_others: true,
        },
        show: SHOW,
        tab: "risk",
        make: |_| Box::new(Self(CandidateList::new(&STYLE))),
    };
}

/// The function that measures a release.
fn measure(shared: &Shared) -> Measure<RiskOf> {
    let analysis = Arc::clone(&shared.analysis);
    Box::new(move |release| {
        let c: Fraction = RECURSIVE_C.parse().map_err(|error| chain(&error))?;
        let classes = pipeline::risk::classes(&analysis, release).map_err(|error| chain(&error))?;
        Ok((Risk::of(&classes, &c), classes.worst(WORST).into_iter().cloned().collect()))
    })
}

impl Component for RiskScreen {
    fn handle(&mut self, context: &Context, event: Event) -> Result<Intent, String> {
        let scope = &Scope::of(context)?;
        match event {
            Event::Command(row) => match ROWS[row].command {
                Command::Open => self.0.open(scope.shared),
            },
            event => self.0.handle(scope, event, measure),
        }
    }

    fn draw(&self, page: &mut Page, area: Rect, context: &Context) {
        if let Some(shared) = context.shared {
            self.0.draw(page, area, shared, &|drawing, name, (risk, worst)| {
                view::in_full(drawing, name, (risk, worst))
            });
        }
    }

    fn state(&self) -> State<'_> {
        self.0.state()
    }

    fn why_not(&self, shared: Option<&Shared>, wanted: Wanted) -> Option<String> {
        match wanted {
            Wanted::Command(_) | Wanted::Move => None,
            Wanted::Release | Wanted::Figures => self.chosen(shared?).err(),
        }
    }

    fn command_line(&self, shared: &Shared) -> Option<(&'static str, String)> {
        Some(self.0.command_line(shared))
    }

    fn chosen(&self, shared: &Shared) -> Result<(RecodingRecipe, Arc<Release>), String> {
        self.0.chosen(shared)
    }

    fn figures(&self, shared: &Shared) -> Result<Figures, String> {
        self.0.figures(shared)
    }
}
