//! The commands of δ and policy.

use crate::kit::command::{Row, row};
use crate::kit::verb::Verb as V;

/// A command of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Edit,
    Write,
    Try,
    Advice,
    Turn,
    Left,
    Right,
    Run,
    Stop,
    Add,
    Larger,
    Smaller,
}

use Command as C;

/// The command that opens the screen.
pub(crate) const SHOW: Row<()> =
    row("policy", (), V::Listed, "δ", "change δ and the policy, or get advice on δ");

/// The rows of the screen in the table of commands.
#[rustfmt::skip]
pub(crate) const ROWS: &[Row<Command>] = &[
    row("policy.edit", C::Edit, V::Open, "edit", "edit the field; on the large curve, take its δmax"),
    row("policy.write", C::Write, V::Write, "write", "write everything into the project, and go on under it"),
    row("policy.try", C::Try, V::Listed, "try δ", "judge by this δ in this sitting, without writing it"),
    row("policy.advice", C::Advice, V::Listed, "advice", "take the δ of the advisor"),
    row("policy.page", C::Turn, V::Pane, "report", "what the report states, or back"),
    row("policy.run", C::Run, V::Run, "curve", "measure the loss over δmax"),
    row("policy.stop", C::Stop, V::Stop, "", "stop measuring"),
    row("policy.add", C::Add, V::Mark, "", "one more strategy on the curve, at most four"),
    row("policy.left", C::Left, V::Left, "", "the δmax to the left on the curve"),
    row("policy.right", C::Right, V::Right, "", "the δmax to the right on the curve"),
    row("policy.larger", C::Larger, V::Larger, "", "the curve alone, with every figure"),
    row("policy.smaller", C::Smaller, V::Smaller, "", "the fields again"),
];
