#!/usr/bin/env python3
"""palmtop beside DuckDB on one machine: seconds, processor seconds and memory from one run.

`just scale` installs DuckDB, lets it make a table of six skewed columns (T is one per cent of P), and times in turn
what DuckDB needs to count the combinations of the table, `palmtop check`, which counts them too and examines the
project, and with `--strategies` the releases with their recounts. Each figure is the median of some runs.
"""

import argparse
import os
import platform
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

COLUMNS = ["age", "sex", "zip", "education", "occupation", "nationality"]
HIERARCHIES = {"age": 'type = "interval"\nwidths = [5, 10, 20]\n', "zip": 'type = "mask"\nlength = 6\nfrom = "right"\n'}
MAKE = """COPY (SELECT cast(least(99, greatest(0, 42 + 34.6*(random()+random()+random()+random()-2))) as smallint) age,
  CASE WHEN random() < .51 THEN 'f' ELSE 'm' END sex,
  printf('%06d', 100000 + cast(floor(pow(random(), 3)*{codes}) as int)*{step}) zip,
  printf('edu%02d', cast(floor(pow(random(), 1.8)*10) as int)) education,
  printf('occ%02d', cast(floor(pow(random(), 2.5)*30) as int)) occupation,
  printf('nat%02d', cast(floor(pow(random(), 8)*60) as int)) nationality FROM range({rows})) TO 'p.{ending}';
COPY (SELECT row_number() OVER () id, * FROM 'p.{ending}' USING SAMPLE 1% (bernoulli, 7)) TO 't.{ending}';"""
COUNT = Path(__file__).resolve().parent / "count.py"


def make(folder: Path, rows: int, ending: str) -> None:
    """Writes both tables and the project into the folder, unless they are there."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = ['name = "scale"', "[private]", f'path = "t.{ending}"', "[public]", f'path = "p.{ending}"']
    lines += ["[delta]", 'min = "0"', 'max = "1/10"', "[[attribute]]", 'name = "id"', 'role = "identifier"']
    for name in COLUMNS:
        lines += ["[[attribute]]", f'name = "{name}"', 'role = "quasi"', f'hierarchy = "{name}.toml"']
        (folder / f"{name}.toml").write_text(HIERARCHIES.get(name, 'type = "flat"\n'))
    (folder / "p.toml").write_text("\n".join(lines) + "\n")
    if not (folder / f"t.{ending}").exists():
        codes = max(50, rows // 1000 * 12 // 100)
        import duckdb

        connection = duckdb.connect()
        os.chdir(folder)
        connection.execute(MAKE.format(rows=rows, codes=codes, step=890_000 // codes, ending=ending))


def once(folder: Path, cores: int, command: list[str]) -> tuple[float, float, float]:
    """Runs a command on the first cores; returns its seconds, processor seconds and megabytes."""
    for path in [*folder.glob(".*.reduced"), *folder.glob("*.history.toml")]:
        path.unlink()
    started = time.monotonic()
    child = os.fork()
    if child == 0:
        os.chdir(folder)
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])
        with open(folder / "output.txt", "wb") as output:
            os.dup2(output.fileno(), 1)
            os.dup2(output.fileno(), 2)
        os.execv(command[0], command)
    _, status, used = os.wait4(child, 0)
    seconds = time.monotonic() - started
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"{' '.join(command)} failed:\n{(folder / 'output.txt').read_text()}")
    return seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("palmtop", type=Path, help="a program of `cargo build --release`")
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--ending", choices=["parquet", "csv"], default="parquet")
    parser.add_argument("--cores", type=int, nargs="+", default=[1, os.cpu_count()])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--strategies", nargs="*", default=[], help="for instance spalm n2 simulatable best")
    parser.add_argument("--folder", type=Path, help="keeps the tables for the next time")
    options = parser.parse_args()
    palmtop = str(options.palmtop.resolve())
    folder = (options.folder or Path(tempfile.mkdtemp())).resolve()
    make(folder, options.rows, options.ending)
    with open("/proc/cpuinfo") as cpuinfo:
        models = [line.split(":")[1].strip() for line in cpuinfo if line.startswith("model name")]
    print(f"{models[0] if models else platform.processor()}, {os.cpu_count()} cores; {options.rows:,} rows, {options.ending}\n")
    print("| work | cores | wall s | CPU s | MB | of DuckDB: wall | memory |\n|---|---|---|---|---|---|---|")
    for cores in options.cores:
        count = [sys.executable, str(COUNT), f"p.{options.ending}", str(cores)]
        work = {"DuckDB counts": count, "`check`": [palmtop, "check", "p.toml"]}
        for strategy in options.strategies:
            release = f"{strategy}.csv"
            budget = ["--budget", "10s"] if strategy == "best" else []
            anonymize = [palmtop, "anonymize", "p.toml", "--strategy", strategy, *budget, "-o", release, "--force"]
            work[f"`anonymize`, {strategy}"] = anonymize
            work[f"`verify`, {strategy}"] = [palmtop, "verify", "p.toml", release]
        figures: dict[str, list[tuple[float, float, float]]] = {name: [] for name in work}
        for _ in range(options.runs):
            for name, command in work.items():
                figures[name].append(once(folder, cores, command))
        medians = {name: [statistics.median(column) for column in zip(*runs)] for name, runs in figures.items()}
        duckdb = medians["DuckDB counts"]
        for name, (wall, cpu, memory) in medians.items():
            ratios = f"{wall / duckdb[0]:.2f} | {memory / duckdb[2]:.2f}"
            print(f"| {name} | {cores} | {wall:.2f} | {cpu:.2f} | {memory:,.0f} | {ratios} |", flush=True)
    if not options.folder:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
