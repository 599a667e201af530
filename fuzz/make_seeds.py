#!/usr/bin/env python3
"""Writes the binary seeds: small Parquet and Arrow files of many types (needs pyarrow).

    python3 fuzz/make_seeds.py fuzz/seeds

Each file is a table P of the fuzzed project: `zip`, `age`, `born` and `place`, and beside them or in their place columns of
a type that a reader may stumble over.
"""

import datetime
import decimal
import pathlib
import sys

import pyarrow as pa
import pyarrow.ipc as ipc
import pyarrow.parquet as pq

root = pathlib.Path(sys.argv[1])
ZIP = ["47906", "47903", "47906", "47630"]
AGE = ["35", "59", "42", "18"]
BORN = ["1989-01-05", "1965-11-30", "1982-02-28", "2006-07-04"]
PLACE = ["Lyon", "Nice", "Rome", "Lyon"]


def table(**more):
    columns = {"zip": pa.array(ZIP), "age": pa.array(AGE), "born": pa.array(BORN), "place": pa.array(PLACE)}
    columns.update(more)
    return pa.table(columns)


def days(values, kind=pa.int32(), to=pa.date32()):
    return pa.array(values, kind).cast(to)


D = decimal.Decimal
floats = pa.array([1.0, float("nan"), float("inf"), -0.0])
tables = {
    "plain": table(),
    "nulls": table(zip=pa.array(["47906", None, "47906", None]), place=pa.nulls(4, pa.string())),
    "null": table(place=pa.nulls(4)),
    "integers": table(age=pa.array([35, 59, 42, 18], pa.int64()), zip=pa.array([47906, 47903, 47906, 47630], pa.int32())),
    "small": table(age=pa.array([35, 59, 42, 18], pa.int8()), more=pa.array([0, 1, 2, 255], pa.uint8())),
    "unsigned": table(age=pa.array([35, 59, 42, 18], pa.uint64()), more=pa.array([2**64 - 1, 0, 1, 2], pa.uint64())),
    "floats": table(age=pa.array([35.0, 59.5, 42.25, 18.0])),
    "strange-floats": table(age=floats),
    "single": table(age=pa.array([35.0, 59.5, 1e38, 1e-38], pa.float32())),
    "half": table(more=pa.array([1.0, 2.0, 3.0, 4.0], pa.float32()).cast(pa.float16())),
    "flags": table(more=pa.array([True, False, None, True])),
    "large": table(zip=pa.array(ZIP, pa.large_string()), more=pa.array([b"a", b"\xff", b"", None], pa.large_binary())),
    "binary": table(zip=pa.array([z.encode() for z in ZIP], pa.binary()), more=pa.array([b"abcd"] * 4, pa.binary(4))),
    "views": table(zip=pa.array(ZIP, pa.string_view()), more=pa.array([b"a longer value than twelve"] * 4, pa.binary_view())),
    "dictionary": table(place=pa.array(PLACE).dictionary_encode(), zip=pa.array(ZIP).dictionary_encode()),
    "dictionary-of-numbers": table(age=pa.array([35, 59, 35, 18]).dictionary_encode()),
    "dates": table(born=days([6944, -1494, 4441, 13333])),
    "dates-far": table(born=days([2**31 - 1, -(2**31), 0, 2932896])),
    "dates-ms": table(born=pa.array([0, 86400000, 2**62 // 86400000 * 86400000, -86400000], pa.int64()).cast(pa.date64())),
    "timestamps": table(born=pa.array([datetime.datetime(2024, 1, 5, 12, 30)] * 4, pa.timestamp("us"))),
    "timestamps-far": table(born=pa.array([-(2**62), 2**62, 0, 1], pa.int64()).cast(pa.timestamp("ms"))),
    "timestamps-ns": table(born=pa.array([-(2**63), 2**63 - 1, 0, 1], pa.int64()).cast(pa.timestamp("ns"))),
    "time-zone": table(born=pa.array([0, 1, 2, 3], pa.int64()).cast(pa.timestamp("us", tz="Europe/Berlin"))),
    "time-zone-unknown": table(born=pa.array([0, 1, 2, 3], pa.int64()).cast(pa.timestamp("us", tz="Nowhere/Land"))),
    "time": table(more=pa.array([0, 1, 2, 3], pa.int64()).cast(pa.time64("us"))),
    "duration": table(more=pa.array([0, 1, 2, -3], pa.int64()).cast(pa.duration("ns"))),
    "decimals": table(age=pa.array([D("35.00"), D("59.50"), D("42.25"), D("-18.00")], pa.decimal128(10, 2))),
    "decimals-wide": table(age=pa.array([D(1), D(2), D(3), D("9" * 36)], pa.decimal128(38, 2))),
    "decimals-256": table(age=pa.array([D(1), D(2), D(3), D(4)], pa.decimal256(60, 2))),
    "list": table(more=pa.array([[1, 2], [], None, [3]])),
    "fixed-list": table(more=pa.array([[1, 2]] * 4, pa.list_(pa.int32(), 2))),
    "fixed-list-of-none": table(more=pa.array([[]] * 4, pa.list_(pa.int32(), 0))),
    "large-list": table(more=pa.array([["a"], [], None, ["b"]], pa.large_list(pa.string()))),
    "struct": table(more=pa.array([{"a": 1, "b": "x"}, {"a": None, "b": None}, None, {"a": 2, "b": "y"}])),
    "nested": table(more=pa.array([[{"a": [[1], []]}], [], None, [{"a": None}]])),
    "map": table(more=pa.array([[("a", 1)], [], None, [("b", 2)]], pa.map_(pa.string(), pa.int32()))),
    "empty": table().slice(0, 0),
    "no-columns": pa.table({}),
    "names": pa.table({"zip": ZIP, "age": AGE, "born": BORN, "place": PLACE, "*": ZIP, "^zip$": ZIP, "": ZIP}),
    "control": table(zip=pa.array(["\x1b[31m", "a\nb", 'q"', ""])),
    "run-end": table(more=pa.RunEndEncodedArray.from_arrays(pa.array([2, 4], pa.int32()), pa.array(["a", "b"]))),
    "interval": table(more=pa.array([(1, 2, 3)] * 4, pa.month_day_nano_interval())),
}
try:
    twice = pa.table([pa.array(ZIP), pa.array(ZIP), pa.array(AGE), pa.array(BORN), pa.array(PLACE)],
                     names=["zip", "zip", "age", "born", "place"])
    tables["twice"] = twice
except pa.ArrowInvalid:
    pass

for name, content in tables.items():
    for folder, write in (("parquet", "parquet"), ("arrow", "arrow")):
        target = root / folder / f"{name}.{write}"
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            if write == "parquet":
                pq.write_table(content, target, compression="NONE", write_statistics=name in ("plain", "dates-far"))
            else:
                with ipc.new_file(target, content.schema) as file:
                    file.write_table(content)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
            target.unlink(missing_ok=True)
            print(f"{target}: {error}", file=sys.stderr)

plain = tables["plain"]
for compression in ("snappy", "gzip", "zstd", "brotli", "lz4"):
    pq.write_table(plain, root / "parquet" / f"plain-{compression}.parquet", compression=compression)
pq.write_table(plain, root / "parquet" / "plain-v1.parquet", version="1.0", data_page_version="1.0", use_dictionary=False)
pq.write_table(plain, root / "parquet" / "plain-v2.parquet", data_page_version="2.0", column_encoding="DELTA_BYTE_ARRAY", use_dictionary=False)
pq.write_table(tables["integers"], root / "parquet" / "integers-delta.parquet", use_dictionary=False,
               column_encoding={"age": "DELTA_BINARY_PACKED", "zip": "DELTA_BINARY_PACKED"})
pq.write_table(pa.concat_tables([plain] * 3), root / "parquet" / "row-groups.parquet", row_group_size=5)
with ipc.new_file(root / "arrow" / "batches.arrow", plain.schema) as file:
    for _ in range(3):
        file.write_table(plain)
with ipc.new_stream(root / "arrow" / "stream.arrow", plain.schema) as file:
    file.write_table(plain)
for compression in ("lz4", "zstd"):
    options = ipc.IpcWriteOptions(compression=compression)
    with ipc.new_file(root / "arrow" / f"plain-{compression}.arrow", plain.schema, options=options) as file:
        file.write_table(plain)
