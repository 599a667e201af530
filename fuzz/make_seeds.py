#!/usr/bin/env python3
"""Writes the binary seeds: small Parquet and Arrow files of many types (needs pyarrow).

    python3 fuzz/make_seeds.py fuzz/seeds

Each file is a table P of the fuzzed project: `zip`, `age`, `born` and `place`, and beside them or in their place columns of
a type that a reader may stumble over.
"""

import datetime
import decimal
import pathlib
import random
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
decimal.getcontext().prec = 40
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

# Every type that has a text, at its ends and with one missing; what each reads as stands in tests/typed/texts.tsv.
words = ["", "Lyon", "a longer value than twelve", "größer", None, "x\ny"]
types = {
    **{f"{sign}int{bits}": pa.array([low, high, 0, 1, None, high // 3], getattr(pa, f"{sign}int{bits}")())
       for bits in (8, 16, 32, 64)
       for sign, low, high in (("", -(2 ** (bits - 1)), 2 ** (bits - 1) - 1), ("u", 0, 2**bits - 1))},
    "float32": pa.array([0.1, -0.0, 1e13, 1e-7, None, float("nan")], pa.float32()),
    "float32-more": pa.array([16777216.0, 9.9e12, 1e-6, 3.4e38, None, float("-inf")], pa.float32()),
    "float64": pa.array([0.1, 1e15, 1e16, 1e-5, None, float("inf")]),
    "float64-more": pa.array([1.5e-6, 123456789012345680.0, 5e-324, -1.7976931348623157e308, None, 100.25]),
    "flag": pa.array([True, False, True, True, None, False]),
    **{f"decimal-{digits}-{places}": pa.array(
        [D(10**digits - 1).scaleb(-places), D(1 - 10**digits).scaleb(-places), D(-1).scaleb(-places), D(0), None, D(1).scaleb(-places)],
        pa.decimal128(digits, places))
       for digits, places in ((5, 2), (9, 9), (18, 0), (38, 0), (38, 10), (38, 38))},
    "date": days([0, -1, 11016, -719528, None, 2932896]),
    **{f"time-{unit}": pa.array([0, -1, 1, 1_700_000_000, None, -62_135_596_800], pa.int64()).cast(pa.timestamp(unit))
       for unit in ("s", "ms", "us", "ns")},
    "time-long": pa.array([1_700_000_000_123_456_789, -(2**63), 2**63 - 1, -1_000_000_001, None, 999_999_999], pa.int64()).cast(pa.timestamp("ns")),
    "text": pa.array(words), "large": pa.array(words, pa.large_string()), "view": pa.array(words, pa.string_view()),
    **{f"dictionary-{key}": pa.array(words).dictionary_encode().cast(pa.dictionary(getattr(pa, key)(), pa.string()))
       for key in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")},
    "nothing": pa.nulls(6),
}
types = pa.table(types)
for compression in ("none", "snappy", "gzip", "zstd", "brotli", "lz4"):
    pq.write_table(types, root / "parquet" / f"types-{compression}.parquet", compression=compression, write_statistics=False)
pq.write_table(types, root / "parquet" / "types-plain-v2.parquet", compression="NONE", write_statistics=False, use_dictionary=False,
               data_page_version="2.0", store_schema=False, row_group_size=4)
for compression in (None, "lz4", "zstd"):
    options = ipc.IpcWriteOptions(compression=compression)
    with ipc.new_file(root / "arrow" / f"types-{compression or 'none'}.arrow", types.schema, options=options) as file:
        for batch in types.to_batches(max_chunksize=4):
            file.write_batch(batch)

# Numbers halfway between two of the shortest texts that stand for them, powers of two, and any.
draw = random.Random(5)
halves = {name: [draw.choice((-1, 1)) * (draw.getrandbits(bits) * 2 + 1) * 2.0**-draw.randrange(1, most) for _ in range(80)]
          + [2.0**draw.randrange(-most * 5, most * 5) for _ in range(60)]
          + [draw.uniform(-1, 1) * 10.0**draw.randrange(-low, low) for _ in range(60)]
          for name, bits, most, low in (("float32", 23, 12, 30), ("float64", 52, 16, 200))}
halves = pa.table({name: pa.array(values, getattr(pa, name)()) for name, values in halves.items()})
pq.write_table(halves, root / "parquet" / "types-halves.parquet", write_statistics=False, use_dictionary=False)

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
