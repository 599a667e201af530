//! The releases: one table of every release that there is or can be, and what tells one from another.
//!
//! ```text
//! ─ releases ──────────────── Tab: [loss] risk utility ─ ◈ safe  ★ least ─
//!   release      state        loss   terms  classes  highest  alone  knows
//! ▸ simulatable◈ ✓ .7 s       .262     1.8      302   10.0 %    239      ✓
//!   best         ━━━━━╌╌ 62 % .063
//!   spalm        not run
//!   n1 n2 n3     ✓ ✓ ✓        .191   .169   .144★
//!   2,2,0,0,0,0  ✗ 484        .055     1.0    7,471   100 %     484      ?
//! ─ simulatable ──────────────────────────────────────── what it is, in full ─
//! ─ compared ─────────────────────────────────────────── p pins, b base ──────
//!                          best      simulatable             n3
//!  loss                    .063    .262  +.199    .144★ +.081
//! ─ member 17 ────────────────────────── the same person in each release ─────
//!  best         08921 · [45, 49] · female · bachelor · nurse · Finland
//! ```
//!
//! # Rows
//! A row has one [`Cell`], or three: the nine of MPALM are a block of three rows, one for each rule of columns. A cell is a
//! strategy under the current δ, whether it ran or not, or else a recipe: a pinned one, the current one, and the node that
//! steps start from (`rows.rs`). The cursor is on a cell, never on a number, because a search that ends moves rows.
//!
//! # Columns
//! `Tab` changes the [`ColumnSet`]: loss, risk, utility. A set is a list of [`Measure`](columns::Measure)s, always with the
//! same length: a column of the table, a row of the comparison, a row of the copied figures. The values are those of the
//! engine (`palmtop_release::figures`, `palmtop_measure::risk`, `palmtop_measure::utility`); nothing is computed here. A
//! row of the block shows the first measure of the set for each of its three cells.
//!
//! # Panes
//! - *The release under the cursor* (`detail.rs`): what its strategy is, how far its search is, or its figures in full: its
//!   risks as sentences with what ends them (`risk.rs`), its utility by attribute (`utility.rs`).
//! - *Compared* (`compared.rs`): the base, then the pinned releases, then the one under the cursor: at most four. Rows are
//!   measures, with the difference to the base, and ★ at the best.
//! - *The same member* (`member.rs`): what each compared release publishes of one row of T. The row is asked for by its
//!   number, or by a text that is published of it (`seek.rs`). Its values in T are read only after `v`, and are forgotten
//!   when the screen is left.
//! - *Rows* (`published.rs`): the first rows of the release under the cursor, without its sensitive columns.
//!
//! Below 120 columns the panes are below the table. From there on, the comparison and the member have the right half, and
//! by loss the rows have what is left below.
//!
//! # A search that runs
//! It shows the loss of the release that an export would have if the search stopped now, or no loss at all. ★ is only for
//! releases that exist.

pub(crate) mod state;
mod columns;
mod commands;
mod compared;
mod detail;
mod figures;
mod member;
mod published;
mod risk;
mod rows;
mod seek;
mod set;
mod update;
mod utility;
mod view;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use palmtop_release::history::RecodingRecipe;
use palmtop_search::release::Release;
use ratatui::layout::Rect;

use self::commands::{Command, ROWS, SHOW};
use self::set::ColumnSet;
use self::state::{Message, Releases};
use crate::kit::hits::Target;
use crate::kit::name::ScreenName;
use crate::kit::page::Page;
use crate::shared::activity::Activity;
use crate::shared::component::{Component, Context, Event, State, Wanted};
use crate::shared::intent::{Change, Edit, Figures, Intent};
use crate::shared::screen::{About, Scope, Screen, Sight, Tab, rows_of};
use crate::shared::state::Shared;

/// How to read the screen.
const LEGEND: &[&str] = &[
    "simulatable: δ holds even if an attacker knows the algorithm. For the other strategies, nobody knows how much more the \
         borders of their regions reveal. spalm: SPALM, the paper's search over nodes. n1 to b3: MPALM, the paper's nine that \
         split regions; n, p, b choose the column (next, first, most values), 1, 2, 3 where to cut it. best: the least \
         loss that palmtop finds.",
    "Column knows: the verdict if an attacker knows the algorithm. ✓ within δ even then; a number: an audit found so many \
         people beyond δ, by some events alone; 0?: an audit found nobody, which proves nothing; ?: not audited, or undecided. ◈ \
         safe: a release with ✓; before its run, the recommended search. Choosing by loss leaks information about T: choose \
         the strategy before you compare.",
    "Loss: loss, 0 as the tables are and 1 if all is *; terms, the mean number of labels in a cell; classes, those with \
         members; highest, the highest presence; alone, members who are the only one in their class; size, the mean members \
         of a class; discern., the discernibility; geometric, precision: other means of the loss; chars, the characters.",
    "Risk: k and k-map, the fewest members, and the fewest people of P, in a class; in P: members who are the only \
         person of P in their class; risk, risk P: the means over members of 1/members and 1/people. For the sensitive \
         attribute with the worst figure: column values, the fewest different values in a class (l); even, how many equally \
         frequent values have the same entropy (e^H); far, the distance from all of T (t); (3, l), the most frequent value \
         against the rarer ones.",
    "Utility: query, 90th: the median and the 90th percentile of the relative error of 1,000 counting queries, drawn from \
         seed 0; distance: the mean over quasi-identifiers of half the sum of the differences of shares; then the distance \
         of each attribute. docs/measures.md defines them.",
];

impl Releases {
    pub(crate) const NAME: ScreenName = ScreenName(SHOW.id);
    /// Its row in the list of screens.
    pub(crate) const SCREEN: Screen = Screen {
        about: About {
            name: Self::NAME,
            purpose: "run the strategies, and compare what they found by loss, risk and utility",
            rows: || rows_of(Self::NAME, ROWS),
            legend: LEGEND,
            shows_others: true,
        },
        show: SHOW,
        tab: Tab::Releases,
        make: |shared| Box::new(Self::unopened(shared)),
    };

    /// Takes what one of its jobs has to say.
    fn take_report(&mut self, message: Message) -> Intent {
        let failure = match message {
            Message::Risk(answer) => self.risks.take(answer),
            Message::Utility(answer) => self.utilities.take(answer),
            Message::Member(answer) => self.member.take(answer),
            Message::Match(answer) => self.member.take_matches(answer),
            Message::Rows(answer) => self.rows.take(answer),
        };
        failure.map_or(Intent::None, Intent::Say)
    }
}

impl Component for Releases {
    fn handle(&mut self, context: &Context, event: Event) -> Result<Intent, String> {
        let scope = &Scope::of(context)?;
        let shared = scope.shared;
        match event {
            Event::Command(row) => return self.act_on(scope, ROWS[row].command),
            Event::Move(movement) => self.shift(scope, movement),
            Event::Line(line) => return self.take_line(scope, line.id, line.text),
            Event::Report(report) => {
                let Some(message) = report.take() else { return Ok(Intent::None) };
                let is_another_member = matches!(message, Message::Match(_));
                let intent = self.take_report(message);
                if is_another_member {
                    self.ask(scope);
                }
                return Ok(intent);
            }
            Event::Changed(Change::Shown(Self::NAME)) => {
                self.ask(scope);
                return Ok(Intent::Edit(Edit::CountBound));
            }
            Event::Changed(Change::Shown(_) | Change::Left) => self.member.hide(),
            Event::Changed(change @ (Change::Delta | Change::View | Change::Candidates)) => {
                self.stay_on_a_row(shared);
                if shared.open == Self::NAME && change == Change::Delta {
                    return Ok(Intent::Edit(Edit::CountBound));
                }
                if shared.open == Self::NAME {
                    self.ask(scope);
                }
            }
            Event::Click(Target::Row(row)) => {
                if let Some(cell) = rows::cells(shared).get(row) {
                    self.cursor = cell.clone();
                    self.ask(scope);
                }
            }
            _ => {}
        }
        Ok(Intent::None)
    }

    fn draw(&self, page: &mut Page, area: Rect, context: &Context) {
        Sight::draw(self, page, area, context, view::render);
    }

    fn state(&self) -> State<'_> {
        let is_reading = self.member.is_open() || self.rows.is_open();
        let is_counting = self.risks.is_open() || self.utilities.is_open() || is_reading;
        let progress = if self.set == ColumnSet::Utility {
            self.utilities.progress("utility")
        } else {
            self.risks.progress("risk")
        };
        State { activity: Activity::counting(is_counting), progress, ..State::default() }
    }

    fn why_not(&self, shared: Option<&Shared>, wanted: Wanted) -> Option<String> {
        match wanted {
            Wanted::Command(row) => self.why_not_now(shared?, ROWS[row].command),
            Wanted::Move => None,
            Wanted::Release => self.chosen(shared?).err(),
            Wanted::Figures => self.figures(shared?).err(),
        }
    }

    /// The rows change once the current recipe is counted; a search does not wait for that.
    fn needs_view(&self, _: &Shared, wanted: Wanted) -> bool {
        match wanted {
            Wanted::Command(row) => {
                matches!(ROWS[row].command, Command::Open | Command::Pin | Command::Base)
            }
            Wanted::Move | Wanted::Release | Wanted::Figures => true,
        }
    }

    fn command_line(&self, shared: &Shared) -> Option<(&'static str, String)> {
        figures::command_line(shared, self.set)
    }

    fn chosen(&self, shared: &Shared) -> Result<(RecodingRecipe, Arc<Release>), String> {
        let chosen = self.candidate(shared)?;
        let release = shared.judged(&chosen.measured.release);
        Ok((chosen.recipe, release))
    }

    fn figures(&self, shared: &Shared) -> Result<Figures, String> {
        figures::as_table(self, shared)
    }
}
