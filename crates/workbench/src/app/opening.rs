//! What a command that opens a window starts from, and the windows that first ask what the open screen shows.

use std::sync::Arc;

use palmtop_release::history::RecodingRecipe;
use palmtop_search::Strategy;

use crate::kit::keymap::Keymap;
use crate::shared::component::{Component, Links};
use crate::shared::intent::{Edit, Intent};
use crate::shared::screen::About;
use crate::shared::state::Shared;
use crate::shared::view::recipe_name;
use crate::windows::audit::state::AuditWindow;
use crate::windows::cautions::state::{CautionList, Subject};
use crate::windows::export::state::ExportDialog;

/// Why a command that needs a project cannot run while a project is proposed.
pub(crate) const NO_PROJECT: &str = "there is no project yet";

/// What a window opens from.
pub(crate) struct Desk<'a> {
    /// The project and its open screen; `None` while a project is proposed.
    pub(crate) project: Option<(&'a Shared, &'a dyn Component)>,
    /// What is known of the open screen.
    pub(crate) about: &'static About,
    pub(crate) keymap: &'a Keymap,
    pub(crate) links: Links,
}

impl<'a> Desk<'a> {
    /// The project and its open screen.
    ///
    /// # Errors
    /// No project exists yet.
    pub(crate) fn project(&self) -> Result<(&'a Shared, &'a dyn Component), String> {
        let write = || self.keymap.hint("proposal.write");
        self.project.ok_or_else(|| format!("{NO_PROJECT}; {} writes one", write()))
    }
}

/// A window to open, and what else to do.
pub(crate) struct Opened {
    pub(crate) window: Box<dyn Component>,
    pub(crate) intent: Intent,
}

impl Opened {
    /// A window, and nothing else to do.
    pub(crate) fn window(window: impl Component) -> Self {
        Self { window: Box::new(window), intent: Intent::None }
    }
}

/// Opens the cautions of the release under the cursor, and begins to count them.
pub(super) fn open_cautions(desk: &Desk) -> Result<Opened, String> {
    let (shared, screen) = desk.project()?;
    let (subject, release) = match screen.chosen(shared) {
        Ok((_, release)) if !desk.about.shows_others => (Subject::Here, Some(release)),
        Ok((recipe, release)) => (Subject::Pointed(recipe, Arc::clone(&release)), Some(release)),
        Err(why) if desk.about.shows_others => (Subject::Nothing(why), None),
        Err(_) => (Subject::Here, None),
    };
    let intent = Intent::Edit(Edit::CountCautions(release));
    Ok(Opened { intent, ..Opened::window(CautionList::of(subject)) })
}

/// Opens the audit of the release that an export would write, and begins it.
pub(super) fn open_audit(desk: &Desk) -> Result<Opened, String> {
    let (shared, screen) = desk.project()?;
    match screen.chosen(shared)? {
        (RecodingRecipe::Search(search), release) if search.delta == release.delta() => {
            let strategy = search.strategy.known().ok_or_else(|| format!("{} is gone", search.strategy))?;
            Ok(Opened::window(AuditWindow::open(&desk.links.report, shared, (search, strategy, release))))
        }
        (RecodingRecipe::Search(_), _) => {
            Err("it was searched under another δ; run the search again under this one".to_owned())
        }
        (RecodingRecipe::Node(_), _) => {
            let searches = shared.key("releases");
            Err(format!("you chose this node, no search did; {searches} has the searches"))
        }
    }
}

/// Opens the export dialog. If the current recipe breaks δ, the dialog offers the best release instead.
pub(super) fn open_export(desk: &Desk) -> Result<Opened, String> {
    let (shared, screen) = desk.project()?;
    let mut chosen = screen.chosen(shared)?;
    // On a screen that compares releases, the analyst means the one under the cursor.
    let is_meant = desk.about.shows_others || chosen.0 != *shared.recipe();
    let on_its_way = shared.how_to_take_it(&chosen.1).filter(|_| !is_meant);
    let mut intent = Intent::None;
    match (shared.rather_than(&chosen.1).filter(|_| !is_meant), on_its_way) {
        (Some(found), on_its_way) => {
            let name = recipe_name(&found.0, shared.delta());
            let is_recommended = matches!(&found.0, RecodingRecipe::Search(search) if search.strategy == Strategy::RECOMMENDED.into());
            let praise = if is_recommended { "recommended" } else { "the best found" };
            let (here, compare) = (shared.recipe_name(), shared.key("releases"));
            intent = Intent::Say(match on_its_way {
                Some(message) => format!("this is {name}, {praise}; {message}"),
                None => format!("{here} breaks δ: this is {name}, {praise}; {compare} exports any"),
            });
            chosen = found;
        }
        (None, Some(on_its_way)) => {
            let export = shared.key("export");
            return Err(format!("this breaks δ; {on_its_way}, {export} then offers that"));
        }
        (None, None) => {}
    }
    let dialog = ExportDialog::open(&desk.links, shared, chosen);
    Ok(Opened { intent, ..Opened::window(dialog) })
}
