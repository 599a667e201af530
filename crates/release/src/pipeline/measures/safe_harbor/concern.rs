//! An item of the Safe Harbor list, and a note about it.

/// The item of the list that a note is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Concern {
    /// Dates finer than a year.
    Date,
    /// Ages above 89.
    Age,
    /// Zip codes finer than three digits, or three-digit zones of few people.
    Zip,
    /// Names of persons.
    Name,
    /// Email addresses.
    Mail,
    /// Telephone and fax numbers.
    Phone,
    /// Numbers of accounts, records, certificates, licences, or social security.
    Account,
    /// Numbers of devices and vehicles, or network addresses.
    Device,
    /// Street addresses.
    Address,
    /// Free text, which may describe a person.
    Text,
}

impl Concern {
    /// The name of the concern, in lower case.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Date => "date",
            Self::Age => "age",
            Self::Zip => "zip",
            Self::Name => "name",
            Self::Mail => "mail",
            Self::Phone => "phone",
            Self::Account => "account",
            Self::Device => "device",
            Self::Address => "address",
            Self::Text => "text",
        }
    }
}

/// An item of the list that an attribute may publish.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SafeHarborNote {
    /// The name of the attribute.
    pub attribute: String,
    /// The item of the list.
    pub concern: Concern,
    /// The finding, without any value of T.
    pub text: String,
}
