//! What an attribute is to the adversary and to the release.

/// The role of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// It names a person; it is never written.
    Identifier,
    /// The adversary knows it of everybody in the public table; it is generalized.
    Quasi,
    /// Only the private table has it; it is written as it is, or coarser.
    Sensitive,
    /// Only the private table has it, and it harms nobody; it is written as it is, or coarser.
    Insensitive,
}

impl Role {
    /// The word in projects and on screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Identifier => "identifier",
            Self::Quasi => "quasi",
            Self::Sensitive => "sensitive",
            Self::Insensitive => "insensitive",
        }
    }

    /// Whether a column of this role is written to a release, generalized or not.
    pub fn is_written(self) -> bool {
        self != Self::Identifier
    }

    /// Whether only the private table has it, and a release has its values, or labels of them.
    pub fn is_kept(self) -> bool {
        matches!(self, Self::Sensitive | Self::Insensitive)
    }
}
