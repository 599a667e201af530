//! The commands of δ and policy.

use crate::kit::command::{Row, row};

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
    row("policy", (), &["d", "6"], "δ", "change δ and the policy, or get advice on δ");

/// The rows of the screen in the table of commands.
#[rustfmt::skip]
pub(crate) const ROWS: &[Row<Command>] = &[
    row("policy.edit", C::Edit, &["Enter"], "edit", "edit the field; on the large curve, take its δmax"),
    row("policy.write", C::Write, &["w"], "write", "write everything into the project, and go on under it"),
    row("policy.try", C::Try, &["t"], "try δ", "judge by this δ in this sitting, without writing it"),
    row("policy.advice", C::Advice, &["a"], "advice", "take the δ of the advisor"),
    row("policy.page", C::Turn, &["Tab"], "report", "what the report states, or back"),
    row("policy.run", C::Run, &["r"], "curve", "measure the loss over δmax"),
    row("policy.stop", C::Stop, &["x"], "", "stop measuring"),
    row("policy.add", C::Add, &["Space"], "", "one more strategy on the curve, at most four"),
    row("policy.left", C::Left, &["h", "Left"], "", "the δmax to the left on the curve"),
    row("policy.right", C::Right, &["l", "Right"], "", "the δmax to the right on the curve"),
    row("policy.larger", C::Larger, &["+"], "", "the curve alone, with every figure"),
    row("policy.smaller", C::Smaller, &["-"], "", "the fields again"),
];
