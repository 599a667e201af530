#!/usr/bin/env python3
"""Counts the combinations of a Parquet or CSV file with DuckDB.

`count.py FILE THREADS` prints the combinations, the seconds, the processor seconds, the peak of memory in bytes, and
0, because this run is not asked whether to go on.
"""

import resource
import sys
import time

import duckdb

path, threads = sys.argv[1:]
started = time.monotonic()
connection = duckdb.connect()
connection.execute(f"SET threads = {int(threads)}")
# The sum of the rows makes DuckDB count them.
query = f"SELECT count(*), sum(rows) FROM (SELECT *, count(*) AS rows FROM '{path}' GROUP BY ALL)"
combinations, _ = connection.execute(query).fetchone()
seconds = time.monotonic() - started
used = resource.getrusage(resource.RUSAGE_SELF)
print(combinations, seconds, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024, 0)
