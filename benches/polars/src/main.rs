//! Groups a Parquet file by all of its columns and counts the rows of each combination with Polars.
//! `palmtop-polars FILE streaming|in-memory` prints the combinations, the seconds, the processor
//! seconds, the peak of memory in bytes, and 0, because this run cannot be cancelled.

#[path = "../../common/memory.rs"]
#[expect(dead_code, reason = "a process that groups once need not begin anew")]
mod memory;
#[path = "../../common/processor.rs"]
mod processor;

use std::time::Instant;

use polars::prelude::*;

fn main() -> PolarsResult<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, engine] = &arguments[..] else { panic!("palmtop-polars FILE streaming|in-memory") };
    let engine = if engine == "streaming" { Engine::Streaming } else { Engine::InMemory };
    let started = Instant::now();
    let mut table = LazyFrame::scan_parquet(path.as_str().into(), ScanArgsParquet::default())?;
    let columns: Vec<Expr> = table.collect_schema()?.iter_names().map(|name| col(name.clone())).collect();
    let groups = table.group_by(columns).agg([len().alias("rows of it")]).collect_with_engine(engine)?.unwrap_single();
    let seconds = started.elapsed().as_secs_f64();
    let (processor, peak) = (processor::seconds().unwrap_or_default(), memory::peak().unwrap_or_default());
    println!("{} {seconds} {processor} {peak} 0", groups.height());
    Ok(())
}
