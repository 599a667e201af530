//! The sections of the report, with the topics of regulators' templates that they answer.

/// A section of the report, with the topics of two regulators' templates that it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guided {
    /// The heading of the section.
    pub section: &'static str,
    /// The topic of the European Medicines Agency, from the report template that is annexed to its external guidance on policy 0070.
    pub ema: &'static str,
    /// The topic of Health Canada, from the anonymization report of its guidance on the public release of clinical information.
    pub health_canada: &'static str,
}

/// The sections in their order. The regulators' topics are in our words, not quoted from their templates.
pub const GUIDANCE: [Guided; 11] = [
    Guided {
        section: "What was released",
        ema: "anonymisation methodology: what was anonymised, and how",
        health_canada: "the information that is published, and the method",
    },
    Guided {
        section: "The private and the public table",
        ema: "anonymisation methodology: the data and the population that risk is measured in",
        health_canada: "the reference population that risk is measured in",
    },
    Guided {
        section: "Attackers and verdicts",
        ema: "anonymisation methodology: the assumed attackers and attacks",
        health_canada: "the context of the release and the assumed attackers",
    },
    Guided {
        section: "δ and presence",
        ema: "anonymisation methodology: the risk threshold and the risk achieved",
        health_canada: "the risk threshold, its justification, and the risk measured",
    },
    Guided {
        section: "Criteria and risk",
        ema: "anonymisation methodology: singling out, linking and inference; the risk achieved",
        health_canada: "the risk of re-identification measured",
    },
    Guided {
        section: "Utility",
        ema: "data utility considerations",
        health_canada: "the effect of anonymization on the usefulness of the information",
    },
    Guided {
        section: "Transformations",
        ema: "identification of data variables (direct and quasi-identifiers) and the technique used for each",
        health_canada: "direct and indirect identifiers, and the transformation of each",
    },
    Guided {
        section: "Left out of the release",
        ema: "identification of data variables: direct identifiers removed; records removed",
        health_canada: "what is redacted or suppressed, and why",
    },
    Guided {
        section: "History",
        ema: "anonymisation methodology: the rationale of choices",
        health_canada: "the rationale of choices",
    },
    Guided {
        section: "What is not covered",
        ema: "conclusion: the residual risk",
        health_canada: "the residual risk",
    },
    Guided {
        section: "How to check this report",
        ema: "conclusion",
        health_canada: "how the assessment can be repeated",
    },
];
