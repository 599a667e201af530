//! What jobs have to say to a session: their answers, and where there is none, why.

use crate::tui::app::message::{JobName, Message};
use crate::tui::app::session::Session;
use crate::tui::kit::job::Jobs;

impl Session {
    /// Takes an answer where it is still wanted; answers what to tell the analyst.
    pub(crate) fn answer(&mut self, jobs: &Jobs, answer: Message) -> Option<String> {
        match answer {
            Message::Viewed(ticket, view) if self.views.accept(&ticket) => self.take_view(jobs, *view),
            Message::NotViewed(ticket, why) if self.views.fail(&ticket, &why) => {
                self.refuse_view(&why);
                return Some(std::mem::take(&mut self.notice));
            }
            Message::Listed(ticket, shown) if self.classes.lists.accept(&ticket) => {
                self.classes.clamp(shown.len());
                if let Some(view) = &mut self.view {
                    view.shown = shown;
                }
                self.explain(jobs);
            }
            Message::Found(ticket, rows) => {
                let said = self.classes.take_found(&ticket, rows);
                self.explain(jobs);
                return said;
            }
            Message::Explained(ticket, class, said) => self.classes.take_explanation(&ticket, class, *said),
            Message::StepStart(ticket, start) => self.steps.take_start(&ticket, start),
            Message::Neighbour(ticket, neighbour) => self.steps.take(&ticket, neighbour),
            Message::Progress(key, step) => self.runs.progress(key, step),
            Message::Surveying(ticket, step) => self.lattice.progress(&ticket, step),
            Message::Surveyed(ticket, map) => self.lattice.take(&ticket, map),
            Message::NodeCounted(ticket, figures) => self.lattice.take_figures(&ticket, figures),
            Message::Swept(ticket, key, loss) => self.trade_off.take(&ticket, key, loss),
            Message::SweepEnded(ticket) => self.trade_off.end(&ticket),
            Message::Paged(ticket, page) => self.take_page(jobs, &ticket, page),
            Message::Bound(ticket, bound) => self.bound.take(&ticket, bound),
            Message::Differed(ticket, pair, difference) if self.differences.accept(&ticket) => {
                self.difference = Some((*pair, *difference));
            }
            _ => {}
        }
        None
    }

    /// Takes a failure where the answer would have gone; says whether anybody still waited for that. One that is out of
    /// date ends nothing.
    pub(crate) fn fail(&mut self, job: &JobName, why: &str) -> bool {
        match job {
            JobName::View(ticket) => {
                let wanted = self.views.fail(ticket, why);
                if wanted {
                    self.refuse_view(why);
                    self.notice.clear();
                }
                wanted
            }
            JobName::List(ticket) => self.classes.lists.fail(ticket, why),
            JobName::Find(ticket) => self.classes.not_found(ticket, why),
            JobName::Explain(ticket) => self.classes.explanations.fail(ticket, why),
            JobName::Neighbours(ticket) => self.steps.fail(ticket, why),
            JobName::Bound(ticket) => self.bound.fail(ticket, why),
            JobName::Difference(ticket) => self.differences.fail(ticket, why),
            JobName::Survey(ticket) => self.lattice.not_surveyed(ticket, why),
            JobName::Node(ticket) => self.lattice.not_counted(ticket, why),
            JobName::Sweep(ticket) => self.trade_off.fail(ticket, why),
            JobName::Page(ticket) => self.tables.fail(ticket, why),
            // These are no session's: the app knows where they go.
            JobName::Load | JobName::Search(_) | JobName::Preview(_) | JobName::Export(_) | JobName::Copy => {
                false
            }
        }
    }
}
