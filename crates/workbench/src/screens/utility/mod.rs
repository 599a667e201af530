//! The utility of releases: the distances of their attributes and pairs from T, the errors of
//! counting queries, and the classes that lose most.

mod commands;
mod figures;
mod parts;
mod view;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use palmtop_measure::utility::Utility;
use palmtop_release::history::RecodingRecipe;
use palmtop_search::release::Release;
use ratatui::layout::Rect;

use self::commands::{Command, ROWS, SHOW};
use self::parts::{Part, UtilityParts};
use crate::kit::name::ScreenName;
use crate::kit::page::Page;
use crate::shared::candidate_list::{CandidateList, Style};
use crate::shared::component::{Component, Context, Event, State, Wanted};
use crate::shared::intent::{Figures, Intent};
use crate::shared::screen::{About, Scope, Screen, rows_of};
use crate::shared::state::Shared;
use crate::shared::utility::{KnownBasis, TASK};

/// How utilities are shown.
static STYLE: Style<Utility> = Style {
    screen: UtilityScreen::NAME,
    task: TASK,
    figures: "the utility",
    // The part below has the complete name of each attribute.
    longest_head: 11,
    heads: figures::heads,
    shown: |_| usize::MAX,
    cells: figures::cells,
};

/// The utility of each release.
pub(crate) struct UtilityScreen {
    list: CandidateList<Utility>,
    parts: UtilityParts,
    basis: KnownBasis,
}

/// How to read the screen.
const LEGEND: &[&str] = &[
    "Each row is a release, measured against T, not judged. Query, 90th: the median and the 90th percentile \
         of the relative error of 1,000 counting queries, drawn from seed 0; each label is spread evenly \
         over its values in P. Distance: the mean over quasi-identifiers of half the sum of the differences \
         of shares; then the distance of each attribute.",
    "Below: for each attribute, the shares of groups of values in T and in the release; Cramér's V of pairs, \
         in T and in the release; the errors of the queries by sensitive value; the classes whose rows lose \
         most. docs/measures.md defines them.",
];

impl UtilityScreen {
    pub(crate) const NAME: ScreenName = ScreenName(SHOW.id);
    /// Its row in the list of screens.
    pub(crate) const SCREEN: Screen = Screen {
        about: About {
            name: Self::NAME,
            purpose: "see what each release is good for",
            rows: || rows_of(Self::NAME, ROWS),
            legend: LEGEND,
            shows_others: true,
        },
        show: SHOW,
        tab: "use",
        make: |_| {
            Box::new(Self {
                list: CandidateList::new(&STYLE),
                parts: UtilityParts::default(),
                basis: KnownBasis::default(),
            })
        },
    };

    /// Carries out a command, once there is a release.
    fn act_on(&mut self, shared: &Shared, command: Command) -> Result<Intent, String> {
        let open = self.list.open(shared)?;
        let attributes = shared.problem.quasi().len() + shared.analysis.sensitive().len();
        let parts = &mut self.parts;
        match command {
            Command::Part => parts.part = (parts.part + 1) % Part::ALL.len(),
            Command::Left => parts.first = parts.first.saturating_sub(1),
            Command::Right => parts.first = (parts.first + 1).min(attributes.saturating_sub(1)),
            Command::Open => return Ok(open),
        }
        Ok(Intent::None)
    }
}

impl Component for UtilityScreen {
    fn handle(&mut self, context: &Context, event: Event) -> Result<Intent, String> {
        let scope = &Scope::of(context)?;
        match event {
            Event::Command(row) => self.act_on(scope.shared, ROWS[row].command),
            event => self.list.handle(scope, event, |shared| self.basis.measure(shared)),
        }
    }

    fn draw(&self, page: &mut Page, area: Rect, context: &Context) {
        if let Some(shared) = context.shared {
            self.list.draw(page, area, shared, &|drawing, name, utility| {
                view::in_full(&self.parts, drawing, name, utility)
            });
        }
    }

    fn state(&self) -> State<'_> {
        self.list.state()
    }

    fn why_not(&self, shared: Option<&Shared>, wanted: Wanted) -> Option<String> {
        match wanted {
            Wanted::Command(_) | Wanted::Move => None,
            Wanted::Release | Wanted::Figures => self.chosen(shared?).err(),
        }
    }

    fn command_line(&self, shared: &Shared) -> Option<(&'static str, String)> {
        Some(self.list.command_line(shared))
    }

    fn chosen(&self, shared: &Shared) -> Result<(RecodingRecipe, Arc<Release>), String> {
        self.list.chosen(shared)
    }

    fn figures(&self, shared: &Shared) -> Result<Figures, String> {
        self.list.figures(shared)
    }
}
