//! What an attribute is to the adversary, and so what becomes of it in a release.

/// The role of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Names a person by itself; it is never written.
    Identifier,
    /// Known to whoever knows the public table; it is written generalized.
    Quasi,
    /// Must not be learnt about a person; it is written as it is.
    Sensitive,
    /// Neither; it is written as it is.
    Insensitive,
}

impl Role {
    /// Its word in projects and on screen.
    pub fn word(self) -> &'static str {
        match self {
            Self::Identifier => "identifier",
            Self::Quasi => "quasi",
            Self::Sensitive => "sensitive",
            Self::Insensitive => "insensitive",
        }
    }

    /// Whether a release has its values as they are.
    pub fn is_kept(self) -> bool {
        matches!(self, Self::Sensitive | Self::Insensitive)
    }
}
