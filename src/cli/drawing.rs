//! The chart of a result. Its file name is checked before the search, and the gate writes it.

use palmtop::data::write::{Gate, RealDisk};
use palmtop::history;
use palmtop::pipeline::{self, Analysis, PipelineError};

use super::args::ChartArguments;
use palmtop_console::written::{not_written, say_removed};

/// The target file of a chart, and its gate.
pub(super) struct Drawing<'a> {
    arguments: &'a ChartArguments,
    gate: Gate,
}

impl<'a> Drawing<'a> {
    /// Refuses a file that exists already or is an input, before any search. `None` if no chart was
    /// requested.
    pub(super) fn claim(arguments: &'a ChartArguments, analysis: &Analysis) -> anyhow::Result<Option<Self>> {
        let Some(path) = &arguments.svg else { return Ok(None) };
        let mut gate = pipeline::export::gate(analysis);
        history::guard(&mut gate, analysis.path());
        gate.check(path, arguments.force).map_err(PipelineError::from)?;
        Ok(Some(Self { arguments, gate }))
    }

    /// Writes the chart.
    pub(super) fn put(mut self, svg: &str) -> anyhow::Result<()> {
        let Some(path) = &self.arguments.svg else { return Ok(()) };
        let text = format!("{svg}\n");
        let put = self.gate.put(&mut RealDisk, path, self.arguments.force, text.as_bytes());
        say_removed(&mut self.gate);
        put.map_err(not_written)
    }
}
