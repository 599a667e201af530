//! A chart beside a result: checked before anything is searched, and written through the gate.

use palmtop::data::write::{Gate, RealDisk};
use palmtop::pipeline::{self, Analysis, PipelineError};

use super::args::ChartArguments;
use palmtop_console::written::{not_written, say_removed};

/// Where a chart goes.
pub(super) struct Drawing<'a> {
    arguments: &'a ChartArguments,
    gate: Gate,
}

impl<'a> Drawing<'a> {
    /// Refuses a name that is taken or an input's, before anything is searched; `None` where no chart was asked for.
    pub(super) fn claim(arguments: &'a ChartArguments, analysis: &Analysis) -> anyhow::Result<Option<Self>> {
        let Some(path) = &arguments.svg else { return Ok(None) };
        let gate = pipeline::export::gate(analysis);
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
