//! The table of words and marks; `docs/glossary.md` has the same.

/// A section of the glossary.
pub(crate) struct Section {
    pub(crate) title: &'static str,
    /// Each word or mark with its meaning.
    pub(crate) terms: &'static [(&'static str, &'static str)],
}

/// All sections, in the order of `docs/glossary.md`.
#[rustfmt::skip]
pub(crate) const GLOSSARY: &[Section] = &[
    Section { title: "Tables and people", terms: &[
        ("private table, T", "the people whose presence in it is sensitive; its rows are members"),
        ("public table, P", "everybody whom an attacker may know of; T ⊆ P. Its rows are individuals; a row may stand for several (count)"),
        ("member of T", "a person of T, t in formulas; n is the number of people of P"),
        ("quasi-identifier", "an attribute that both tables have, and that is generalized"),
        ("identifier", "an attribute that names a person; never written, except as a pseudonym"),
        ("entity", "the identifier that says which rows are one person's"),
        ("sensitive, insensitive", "attributes of T alone; published unchanged, or as labels of one level"),
        ("combination", "the values of all quasi-identifiers together, with its t and its n"),
    ] },
    Section { title: "Generalization", terms: &[
        ("generalization hierarchy", "for each value its labels on coarser and coarser levels, * at the top"),
        ("leaf", "a value on the level that P holds"),
        ("level", "how coarse: 0 is the values of the hierarchy file"),
        ("label", "what is published in place of values: of one level, or a range or set"),
        ("node", "a level for each quasi-identifier: full-domain (single-dimensional) recoding"),
        ("generalization lattice", "all nodes, ordered by coarser than; its bottom is the tables as loaded, its top * everywhere"),
        ("region", "a box of combinations that are published alike: multidimensional recoding"),
        ("limits", "declared of a quasi-identifier before a search: its levels, and where regions may be cut in it"),
        ("recoding", "how values become labels: a node, or regions"),
        ("equivalence class", "all combinations that are published alike, with their t and n"),
        ("release", "what is published: T with its quasi-identifiers recoded, without its identifiers"),
    ] },
    Section { title: "Privacy", terms: &[
        ("presence", "t/n of a class: the probability, as the release shows it, that an individual of it is a member"),
        ("δ = (δmin, δmax)", "the bounds that the presence of every class must keep"),
        ("δ-present", "every class keeps δ; a violating class does not"),
        ("over, under", "a presence above δmax, or below δmin"),
        ("empty class, empty region", "a class without members; it publishes nothing, and its individuals are known not to be members"),
        ("criterion", "what every class has to satisfy: δ-presence, k-anonymity, k-map, l-diversity, t-closeness"),
        ("policy", "the criteria that are enforced: δ, and those of [policy]"),
        ("withdrawn, suppressed", "a class of which no row is released, and its members; at most suppress_at_most of T's"),
        ("pool", "where classes are withdrawn, all who match no row: one class, whose presence has to keep δ"),
        ("feasible", "the policy holds for everybody in one class; else no recoding satisfies it"),
        ("prior, posterior", "how likely somebody of P is believed to have what all of T has, before and after the release"),
        ("misuse, cost", "misuse: by how much a belief may move, times the cost of one that wrongly goes from 0 to 1 (the paper's section 4)"),
        ("attacker", "the person from whom presence in T is to be hidden: knows P exactly, sees one release"),
    ] },
    Section { title: "Searching", terms: &[
        ("strategy", "a search, or one variant of it"),
        ("SPALM", "single-dimensional presence algorithm: the paper's search over nodes, for the δ-present one of least cost"),
        ("MPALM", "multidimensional presence algorithm: the paper's search that splits regions, in nine strategies"),
        ("loss (LM)", "of a label the share of its attribute's leaves that it covers beyond one; the mean over members and attributes"),
        ("discernibility (DM)", "the sum of t² over classes"),
        ("verification", "a recount of a written file from the raw tables, by separate code"),
    ] },
    Section { title: "Marks of the workbench", terms: &[
        ("✓ ✗", "the release keeps δ and all of the policy, or not"),
        ("▲ ▼", "over δmax, under δmin"),
        ("█ ▓ ┊", "█ the presence up to δmax, ▓ what is above it, ┊ a bound of δ beyond the bar"),
        ("█ ░", "█ the loss, ░ the rest"),
        ("━ ╌", "━ what is done, ╌ the rest"),
        ("■ □", "■ levels that an attribute was made coarser by, □ those above"),
        ("┴ ┬", "┴ δmin and δmax, ┬ a number of the axis"),
        ("★", "the best of what is shown: least loss, or for a step least loss per class satisfied"),
        ("◈", "recommended: δ holds even if an attacker knows the algorithm"),
        ("● ○", "keeps δ: ● its classes were counted, ○ it follows from a finer node"),
        ("× ·", "breaks δ: × its classes were counted, · it follows from one of them or a coarser node"),
        ("◑ ?", "◑ a run of nodes, some of each; ? not decided"),
        ("◆ ↑", "◆ the node of the workbench, or the current δmax; ↑ the selected one"),
        ("▸ ▹", "the row under the cursor; ▹ where the keys go elsewhere"),
    ] },
];
