//! One table of commands: it feeds the keys, the footer, the help, the palette and the README's list.

use crate::tui::kit::name::ScreenName;

/// Something that the analyst can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Command {
    Up,
    Down,
    Left,
    Right,
    PageUp,
    PageDown,
    First,
    Last,
    Show(ScreenName),
    NextPane,
    Undo,
    Redo,
    History,
    Pin,
    Delta,
    Export,
    Copy,
    CopyToFile,
    Find,
    FindNext,
    FindPrevious,
    Filter,
    Sort,
    Reverse,
    Zoom,
    RunOne,
    RunAll,
    Cancel,
    CancelAll,
    Open,
    Base,
    Forget,
    Frontier,
    Optimum,
    Here,
    Fold,
    Reveal,
    Palette,
    Help,
    Mouse,
    Redraw,
    Close,
    Suspend,
    Interrupt,
}

/// One line of the table.
#[derive(Debug)]
pub(crate) struct Binding {
    /// How a keymap calls it: `export`, `workbench.coarser`.
    pub(crate) id: &'static str,
    pub(crate) command: Command,
    /// The screen that has it; none for all.
    pub(crate) screen: Option<ScreenName>,
    /// The keys that it has unless a keymap gives it others.
    pub(crate) keys: &'static [&'static str],
    /// A word for the footer; empty for what the footer leaves out.
    pub(crate) short: &'static str,
    /// A sentence for the help and the palette.
    pub(crate) long: &'static str,
}

use Command as C;
use ScreenName as S;

const fn on(
    screen: Option<ScreenName>,
    id: &'static str,
    command: Command,
    keys: &'static [&'static str],
    short: &'static str,
    long: &'static str,
) -> Binding {
    Binding { id, command, screen, keys, short, long }
}

const WORKBENCH: Option<ScreenName> = Some(S::Workbench);
const CLASSES: Option<ScreenName> = Some(S::Classes);
const LATTICE: Option<ScreenName> = Some(S::Lattice);
const SEARCHES: Option<ScreenName> = Some(S::Searches);
const COMPARE: Option<ScreenName> = Some(S::Compare);
const TRADE_OFF: Option<ScreenName> = Some(S::TradeOff);
const HIERARCHIES: Option<ScreenName> = Some(S::Hierarchies);
const TABLES: Option<ScreenName> = Some(S::Tables);

/// Every command and its keys. Where two share a key on one screen, a test fails; so does a keymap.
#[rustfmt::skip]
pub(crate) const TABLE: &[Binding] = &[
    on(WORKBENCH, "workbench.finer", C::Left, &["h", "Left"], "finer", "one level finer"),
    on(WORKBENCH, "workbench.coarser", C::Right, &["l", "Right"], "coarser", "one level coarser"),
    on(WORKBENCH, "workbench.pane", C::NextPane, &["Tab"], "pane", "steps or classes"),
    on(WORKBENCH, "workbench.explain", C::Zoom, &["Enter"], "explain", "the class in full: what would mend it"),
    on(WORKBENCH, "workbench.pin", C::Pin, &["p"], "pin", "keep this place to compare"),
    on(WORKBENCH, "workbench.find", C::Find, &["/"], "", "find a class by its labels"),
    on(WORKBENCH, "workbench.next", C::FindNext, &["n"], "", "the next one found"),
    on(WORKBENCH, "workbench.previous", C::FindPrevious, &["N"], "", "the one found before"),
    on(WORKBENCH, "workbench.filter", C::Filter, &["f"], "filter", "show only some: presence>.4 zip:479 over"),
    on(WORKBENCH, "workbench.sort", C::Sort, &["o"], "", "sort by the next column"),
    on(WORKBENCH, "workbench.reverse", C::Reverse, &["O"], "", "sort the other way round"),
    on(CLASSES, "classes.find", C::Find, &["/"], "find", "find a class by its labels"),
    on(CLASSES, "classes.next", C::FindNext, &["n"], "", "the next one found"),
    on(CLASSES, "classes.previous", C::FindPrevious, &["N"], "", "the one found before"),
    on(CLASSES, "classes.filter", C::Filter, &["f"], "filter", "show only some: presence>.4 zip:479 over"),
    on(CLASSES, "classes.sort", C::Sort, &["o", "Right", "l"], "sort", "sort by the next column"),
    on(CLASSES, "classes.sort-back", C::Left, &["Left", "h"], "", "sort by the column before"),
    on(CLASSES, "classes.reverse", C::Reverse, &["O"], "reverse", "sort the other way round"),
    on(LATTICE, "lattice.left", C::Left, &["h", "Left"], "less loss", "the node to the left: less loss"),
    on(LATTICE, "lattice.right", C::Right, &["l", "Right"], "more", "the node to the right: more loss"),
    on(LATTICE, "lattice.open", C::Open, &["Enter", "o"], "go there", "show the node on the workbench"),
    on(LATTICE, "lattice.next", C::FindNext, &["n"], "next ✓", "the next node that keeps δ"),
    on(LATTICE, "lattice.previous", C::FindPrevious, &["N"], "", "the one before that keeps δ"),
    on(LATTICE, "lattice.frontier", C::Frontier, &["f"], "frontier", "the next node of the frontier"),
    on(LATTICE, "lattice.best", C::Optimum, &["b"], "best", "the δ-present node of least loss"),
    on(LATTICE, "lattice.here", C::Here, &["H"], "here", "the node of the workbench"),
    on(LATTICE, "lattice.find", C::Find, &["/"], "find", "find a node by its levels: 2,1,*,0"),
    on(LATTICE, "lattice.check", C::RunOne, &["r"], "", "check the nodes again, after a stop"),
    on(LATTICE, "lattice.stop", C::Cancel, &["x"], "", "stop checking nodes"),
    on(SEARCHES, "searches.left", C::Left, &["h", "Left"], "", "the cell to the left"),
    on(SEARCHES, "searches.right", C::Right, &["l", "Right"], "", "the cell to the right"),
    on(SEARCHES, "searches.run", C::RunOne, &["r", "Enter"], "run", "run this search"),
    on(SEARCHES, "searches.run-all", C::RunAll, &["a"], "run all", "run all searches"),
    on(SEARCHES, "searches.stop", C::Cancel, &["x"], "stop", "stop it, keep its best"),
    on(SEARCHES, "searches.stop-all", C::CancelAll, &["X"], "stop all", "stop all searches"),
    on(SEARCHES, "searches.open", C::Open, &["o"], "open", "show its release on the workbench"),
    on(COMPARE, "compare.left", C::Left, &["h", "Left"], "", "the one to the left"),
    on(COMPARE, "compare.right", C::Right, &["l", "Right"], "", "the one to the right"),
    on(COMPARE, "compare.base", C::Base, &["b"], "base", "make it the base"),
    on(COMPARE, "compare.open", C::Open, &["o", "Enter"], "open", "show it on the workbench"),
    on(COMPARE, "compare.forget", C::Forget, &["x"], "forget", "leave it out"),
    on(TRADE_OFF, "trade-off.left", C::Left, &["h", "Left"], "", "the δmax to the left"),
    on(TRADE_OFF, "trade-off.right", C::Right, &["l", "Right"], "", "the δmax to the right"),
    on(TRADE_OFF, "trade-off.run", C::RunOne, &["r"], "run", "measure SPALM and MPALM's n over δmax"),
    on(TRADE_OFF, "trade-off.run-all", C::RunAll, &["a"], "run all", "measure SPALM, the nine and best"),
    on(TRADE_OFF, "trade-off.stop", C::CancelAll, &["x", "X"], "stop", "stop measuring"),
    on(TRADE_OFF, "trade-off.take", C::Open, &["Enter"], "take δmax", "make the δmax pointed at yours"),
    on(HIERARCHIES, "hierarchies.finer", C::Left, &["h", "Left"], "finer", "its level finer, as a step"),
    on(HIERARCHIES, "hierarchies.coarser", C::Right, &["l", "Right"], "coarser", "its level coarser, as a step"),
    on(HIERARCHIES, "hierarchies.next", C::NextPane, &["Tab"], "next", "the next attribute"),
    on(HIERARCHIES, "hierarchies.fold", C::Fold, &["Enter", "Space"], "fold", "fold or unfold a label"),
    on(HIERARCHIES, "hierarchies.find", C::Find, &["/"], "find", "find a label"),
    on(HIERARCHIES, "hierarchies.find-next", C::FindNext, &["n"], "", "the next label found"),
    on(HIERARCHIES, "hierarchies.find-previous", C::FindPrevious, &["N"], "", "the label found before"),
    on(TABLES, "tables.next", C::NextPane, &["Tab"], "next", "the next table"),
    on(TABLES, "tables.left", C::Left, &["h", "Left"], "", "columns to the left"),
    on(TABLES, "tables.right", C::Right, &["l", "Right"], "columns", "columns to the right"),
    on(TABLES, "tables.reveal", C::Reveal, &["v"], "reveal", "show or hide identifiers and sensitive values"),
    on(None, "undo", C::Undo, &["u"], "undo", "back to where you were"),
    on(None, "redo", C::Redo, &["U"], "", "on again, after an undo"),
    on(None, "history", C::History, &["B"], "", "back to any step"),
    on(None, "delta", C::Delta, &["d"], "δ", "change δ, or have it advised"),
    on(None, "workbench", C::Show(S::Workbench), &["w", "1"], "", "the workbench: node, classes, steps"),
    on(None, "classes", C::Show(S::Classes), &["2"], "", "the classes, and one explained"),
    on(None, "lattice", C::Show(S::Lattice), &["g", "3"], "lattice", "the whole lattice"),
    on(None, "searches", C::Show(S::Searches), &["s", "4"], "searches", "the searches"),
    on(None, "compare", C::Show(S::Compare), &["c", "5"], "compare", "releases side by side"),
    on(None, "trade-off", C::Show(S::TradeOff), &["t", "6"], "", "loss against δmax"),
    on(None, "hierarchies", C::Show(S::Hierarchies), &["7"], "", "the hierarchies, with their people"),
    on(None, "tables", C::Show(S::Tables), &["8"], "", "the tables: T, P, the release"),
    on(None, "export", C::Export, &["e"], "export", "write it, verified"),
    on(None, "copy", C::Copy, &["y"], "", "copy the figures to the clipboard"),
    on(None, "copy-to-file", C::CopyToFile, &["Y"], "", "write the figures to a file"),
    on(None, "down", C::Down, &["j", "Down"], "", "next row"),
    on(None, "up", C::Up, &["k", "Up"], "", "previous row"),
    on(None, "page-down", C::PageDown, &["PgDn", "^D"], "", "ten rows on"),
    on(None, "page-up", C::PageUp, &["PgUp", "^U"], "", "ten rows back"),
    on(None, "first", C::First, &["Home"], "", "first row"),
    on(None, "last", C::Last, &["End", "G"], "", "last row"),
    on(None, "palette", C::Palette, &[":"], "all", "every command, by a few letters"),
    on(None, "help", C::Help, &["?"], "help", "the keys of this screen"),
    on(None, "mouse", C::Mouse, &["M"], "", "mouse on or off"),
    on(None, "redraw", C::Redraw, &["^L"], "", "draw the screen anew"),
    on(None, "close", C::Close, &["q", "Esc"], "close", "close what is open, or quit"),
    on(None, "suspend", C::Suspend, &["^Z"], "", "to the shell; fg comes back"),
    on(None, "quit", C::Interrupt, &["^C"], "", "quit, after a question"),
];

/// The lines of the table that count on a screen: its own first.
pub(crate) fn on_screen(screen: ScreenName) -> impl Iterator<Item = (usize, &'static Binding)> {
    let own = move |line: &(usize, &Binding)| line.1.screen == Some(screen);
    let all = |line: &(usize, &Binding)| line.1.screen.is_none();
    TABLE.iter().enumerate().filter(own).chain(TABLE.iter().enumerate().filter(all))
}
