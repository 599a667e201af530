//! The parts of the report, with the topics of guidelines that they answer.

use maud::{Markup, html};

use super::parts::{table, text};

/// The guidelines, in the order of [`Guided::topics`].
pub const GUIDELINES: [&str; 6] = [
    "EMA, policy 0070",
    "Health Canada",
    "EHDS, Regulation (EU) 2025/327",
    "IPC of Ontario, 2025",
    "ISO/IEC 27559:2022",
    "ICO, 2025",
];

/// A part of the report, with the topics of guidelines that it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guided {
    /// The heading of the part.
    pub section: &'static str,
    /// The topic of each guideline, in our words; empty if the part answers none of it.
    pub topics: [&'static str; 6],
}

/// The parts in their order. The topics are in our words, not quoted. The clauses of ISO/IEC 27559 are those of its table of contents, the
/// articles those of Regulation (EU) 2025/327. The other four guidelines are without numbers: no source that gives them could be read.
pub const GUIDANCE: [Guided; 10] = [
    Guided {
        section: "1. To sign",
        topics: [
            "conclusion; the residual risk",
            "the residual risk, and who is responsible",
            "who gets the data, for what, and until when (Article 68)",
            "approval of the release; the release model",
            "who decides (9.2.2)",
            "accountability: who decided, and why",
        ],
    },
    Guided {
        section: "2. What an attacker learns",
        topics: [
            "singling out, linking and inference; the threshold, and the risk achieved",
            "the threshold, and the risk measured",
            "whether the data are anonymous (Article 66)",
            "identity, attribute and membership disclosure",
            "the identifiability, in figures (8.2.2)",
            "singling out, linkability and inferences",
        ],
    },
    Guided {
        section: "3. How it was made",
        topics: [
            "the methodology, and the rationale of choices",
            "the method, and the rationale of choices",
            "how the data were made anonymous (Article 66)",
            "the process of de-identification, documented",
            "how the data were changed (8.3.3)",
            "records of the decisions",
        ],
    },
    Guided {
        section: "4. What it is good for",
        topics: [
            "data utility",
            "the effect on the usefulness of the information",
            "the use for the permitted purpose (Article 66)",
            "the usefulness of the data",
            "",
            "",
        ],
    },
    Guided {
        section: "B. Attackers",
        topics: [
            "the assumed attackers and attacks",
            "the context of the release, and the assumed attackers",
            "",
            "the attackers of each release model",
            "motives and capacity (6.2.3), and attacks (7.3)",
            "the motivated intruder",
        ],
    },
    Guided {
        section: "C. Statements",
        topics: [
            "the data and their period",
            "the context of the release",
            "the conditions of the data permit (Articles 61 and 68)",
            "the controls of the recipient",
            "what the recipients do for security and privacy (6.2.2)",
            "the release to the world or to a group, and its review",
        ],
    },
    Guided {
        section: "G. Generalization",
        topics: [
            "direct and quasi-identifiers, and the technique used for each",
            "direct and indirect identifiers, and the transformation of each",
            "",
            "the classes of variables, and their transformation",
            "the types of attributes (7.2.4)",
            "the techniques used",
        ],
    },
    Guided {
        section: "H. Left out",
        topics: [
            "direct identifiers and records removed",
            "what is redacted or suppressed, and why",
            "minimisation of the data (Article 66)",
            "direct identifiers removed",
            "the types of attributes (7.2.4)",
            "minimisation of the data",
        ],
    },
    Guided {
        section: "I. Files and people",
        topics: [
            "the data, and the population in which risk is measured",
            "the reference population in which risk is measured",
            "",
            "the data set, and its population",
            "the attacked population (7.3.3)",
            "",
        ],
    },
    Guided {
        section: "K. What is not covered",
        topics: [
            "the residual risk",
            "the residual risk",
            "",
            "review after the release",
            "after the release (9.3)",
            "review when techniques or other data change",
        ],
    },
];

/// Two tables: three guidelines about health data, and three about all data.
pub(super) fn body() -> Markup {
    html! {
        p.soft { "The topics are in our words, with the clause of ISO/IEC 27559 and the article of the EHDS. The templates of EMA and Health Canada are for clinical reports, this report is about a table. palmtop does not judge compliance." }
        (of_guidelines("Guidelines for health data", 0..3))
        (of_guidelines("Guidelines for all data", 3..6))
    }
}

fn of_guidelines(caption: &str, range: std::ops::Range<usize>) -> Markup {
    let header: Vec<&str> =
        std::iter::once("Part").chain(GUIDELINES[range.clone()].iter().copied()).collect();
    let row = |guided: &Guided| {
        let topics = guided.topics[range.clone()].iter();
        let topics = topics.map(|topic| text(if topic.is_empty() { "–" } else { topic }));
        std::iter::once(text(guided.section)).chain(topics).collect()
    };
    table(caption, &header, &GUIDANCE.iter().map(row).collect::<Vec<Vec<Markup>>>())
}
