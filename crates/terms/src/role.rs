//! The roles of attributes.

/// The role of an attribute: what an attacker knows of it, and what a release contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// It names a person. It is never published.
    Identifier,
    /// It is never published, and nothing else holds of it: people may share its values.
    Withheld,
    /// The attacker knows its values for everybody in the public table. It is generalized.
    Quasi,
    /// Only the private table has it. It is published unchanged, or coarser.
    Sensitive,
    /// Only the private table has it, and it is harmless. It is published unchanged, or coarser.
    Insensitive,
}

impl Role {
    /// The word in projects and on screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Identifier => "identifier",
            Self::Withheld => "withheld",
            Self::Quasi => "quasi",
            Self::Sensitive => "sensitive",
            Self::Insensitive => "insensitive",
        }
    }

    /// Whether a release has a column of this role, generalized or unchanged.
    pub fn is_written(self) -> bool {
        !self.is_left_out()
    }

    /// Whether a release lacks the values of this role.
    pub fn is_left_out(self) -> bool {
        matches!(self, Self::Identifier | Self::Withheld)
    }

    /// Whether only the private table has the attribute, and a release has its values or their labels.
    pub fn is_kept(self) -> bool {
        matches!(self, Self::Sensitive | Self::Insensitive)
    }
}
