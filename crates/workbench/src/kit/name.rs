//! The names of the screens. A part that opens a screen knows only its name; the screen defines its
//! title and commands.

/// The name of a screen: that of the command which opens it, as in a keymap. Each screen has its
/// own in its folder; here are those that other parts need.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ScreenName(pub(crate) &'static str);

impl ScreenName {
    /// The screen before a project exists. It never appears together with another screen.
    pub(crate) const PROPOSAL: Self = Self("proposal");
    pub(crate) const WORKBENCH: Self = Self("workbench");
    pub(crate) const CLASSES: Self = Self("classes");
    pub(crate) const LATTICE: Self = Self("lattice");
    pub(crate) const POLICY: Self = Self("policy");
    pub(crate) const RELEASES: Self = Self("releases");
    pub(crate) const FILES: Self = Self("files");
}
