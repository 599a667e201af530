//! What lies over the screen.

use crate::overlays::audit::state::AuditWindow;
use crate::overlays::cautions::state::CautionList;
use crate::overlays::choices::state::Choices;
use crate::overlays::delta::state::DeltaDialog;
use crate::overlays::export::state::ExportDialog;
use crate::overlays::glossary::state::Glossary;
use crate::overlays::help::state::Help;
use crate::overlays::history::state::History;
use crate::overlays::messages::state::Messages;
use crate::overlays::notice::state::Notice;
use crate::overlays::palette::state::Palette;
use crate::overlays::places::state::Places;
use crate::overlays::prompt::state::Prompt;

impl Overlay {
    /// Whether letters go into a field of it: then no letter can be a key for help.
    pub(crate) fn takes_text(&self) -> bool {
        matches!(self, Self::Palette(_) | Self::Prompt(_) | Self::Delta(_) | Self::Export(_))
    }
}

/// A window, or a line.
pub(crate) enum Overlay {
    /// The keys of a screen.
    Help(Help),
    /// What words and marks mean.
    Glossary(Glossary),
    /// Something that is too long for the status line.
    Notice(Notice),
    /// What has to be known before signing.
    Cautions(CautionList),
    /// The last messages of the status line.
    Messages(Messages),
    /// Values that have no place in their hierarchies.
    Places(Box<Places>),
    /// The palette of commands.
    Palette(Palette),
    /// A line at the foot.
    Prompt(Prompt),
    /// A few choices.
    Choices(Choices),
    /// δ and its advisor.
    Delta(Box<DeltaDialog>),
    /// Every step so far.
    History(History),
    /// A release on its way to disk.
    Export(Box<ExportDialog>),
    /// What a release tells who knows palmtop.
    Audit(Box<AuditWindow>),
}
