#!/usr/bin/env python3
"""Fetches P from two distributed engines: Apache Spark with two executors, and Sail in its local-cluster mode.

`just cluster` runs this file. It installs the engines into a folder, starts them, lets each engine generate the same
table, runs `palmtop fetch`, `check`, `anonymize` and `verify`, prints the figures, and stops the engines.
It fails if the engines give different snapshots, if an executor did no work, or if the figures contradict each other.
"""

import argparse
import atexit
import csv
import datetime
import hashlib
import json
import os
import random
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
import venv
from pathlib import Path

PACKAGES = {
    "spark": ["pyspark==4.3.0", "adbc-driver-spark==0.3.0", "adbc-driver-manager==1.13.0"],
    "sail": ["pysail==0.7.2", "adbc-driver-flightsql==1.13.0", "pyarrow"],
}
# Every column is a function of the row's number, so that each engine generates the same table.
COLUMNS = """CASE WHEN (id * 48271) % 2147483647 % 2 = 0 THEN 'f' ELSE 'm' END AS sex,
       CAST(10000 + ((id * 69621) % 2147483647 % 31) * ((id * 16807) % 2147483647 % 37) AS STRING) AS zip,
       CONCAT('job ', CAST(((id * 39373) % 2147483647 % 7) * ((id * 48271) % 2147483647 % 5) AS STRING)) AS job,
       date_add(DATE '1930-01-01', CAST((id * 16807) % 2147483647 % 25000 AS INT)) AS born"""
PROJECT = """[public.source]
{connection}
table = "persons"
snapshot = "{name}.parquet"
[private]
path = "t.csv"
[delta]
max = "1/100"
[[attribute]]
name = "sex"
role = "quasi"
hierarchy = "flat.toml"
[[attribute]]
name = "zip"
role = "quasi"
hierarchy = "zip.toml"
[[attribute]]
name = "job"
role = "quasi"
hierarchy = "flat.toml"
[[attribute]]
name = "born"
role = "quasi"
hierarchy = "born.toml"
public_level = 1
"""
# A small table has every kind of value: the type in Spark's SQL, and texts that are inserted.
KINDS = {
    "plain": ("STRING", ["nurse", "clerk", "Nurse", "a text that is longer than twelve bytes"]),
    "awkward": ("STRING", ["", " lead", "trail ", "it's", '"q"', "a,b", "two\nlines", "ö ß 漢 🙂", "\\n", "NULL", "#"]),
    "amount": ("DECIMAL(12,2)", ["-3.50", "0.00", "12.00", "1234567890.05", "-0.01"]),
    "born": ("DATE", ["1960-01-28", "1961-02-28", "1899-12-31"]),
    "seen": ("TIMESTAMP_NTZ", ["1960-01-28 03:30:58.000000", "1961-02-28 04:30:59.250000", "1961-02-28 04:30:59.000001"]),
    "met": ("TIMESTAMP", ["1970-01-28 03:30:58.000000+02:00", "1970-01-28 01:30:58.000000Z", "1971-02-28 04:30:59.250000Z"]),
    "alive": ("BOOLEAN", ["true", "false"]),
    "number": ("BIGINT", ["9007199254740993", "9007199254740992", "-9223372036854775808", "9223372036854775807", "0", "-1"]),
    "weight": ("DOUBLE", ["35.0", "-0.5", "0.1", "123456.789", "0.0"]),
}
WORKER = re.compile(r"worker (\d+) server is ready")
started = []


def person(number):
    """A row of the generated table, computed by this program and not by an engine."""
    draw = lambda factor, below: number * factor % 2147483647 % below
    born = datetime.date(1930, 1, 1) + datetime.timedelta(days=draw(16807, 25000))
    sex = "f" if draw(48271, 2) == 0 else "m"
    return [sex, str(10000 + draw(69621, 31) * draw(16807, 37)), f"job {draw(39373, 7) * draw(48271, 5)}", str(born)]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start(name, command, folder, **environment):
    log = open(folder / f"{name}.log", "w")
    process = subprocess.Popen(
        command, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, cwd=folder,
        env={**os.environ, **environment}, start_new_session=True,
    )
    started.append(process)
    return process


@atexit.register
def stop():
    """Ends the processes that this program started, with their children."""
    for process in reversed(started):
        for number, patience in [(signal.SIGTERM, 10), (signal.SIGKILL, 5)]:
            try:
                os.killpg(process.pid, number)
                process.wait(patience)
            except ProcessLookupError:
                break
            except subprocess.TimeoutExpired:
                continue
    started.clear()


def until(what, is_ready, seconds=120):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if is_ready():
            return
        dead = next((process for process in started if process.poll() is not None), None)
        if dead:
            sys.exit(f"{what}: {dead.args[0]} ended with status {dead.returncode}; look at the logs")
        time.sleep(0.3)
    sys.exit(f"{what}: not ready after {seconds} seconds; look at the logs")


def is_open(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def has_line(path, text):
    return path.exists() and text in path.read_text(errors="replace")


class Engine:
    def __init__(self, folder):
        self.environment = {}
        self.folder = folder
        self.python = folder / "venv/bin/python"

    def library(self, module):
        script = f"import {module} as driver; print(driver._driver_path())"
        return subprocess.check_output([self.python, "-c", script], text=True).strip()

    def send(self, statement):
        """Sends a statement that generates the table; `palmtop` sends only its two."""
        script = (
            "import sys, adbc_driver_manager as manager, pyarrow\n"
            "with manager.AdbcDatabase(driver=sys.argv[1], uri=sys.argv[2]) as database, "
            "manager.AdbcConnection(database) as connection, manager.AdbcStatement(connection) as statement:\n"
            "    statement.set_sql_query(sys.argv[3])\n"
            "    stream, _ = statement.execute_query()\n"
            "    pyarrow.RecordBatchReader._import_from_c(stream.address).read_all()\n"
        )
        subprocess.run([self.python, "-c", script, self.driver, self.uri, statement], check=True)


class Spark(Engine):
    """A master, two workers with one executor each, and a Spark Connect server that asks for a token."""

    name = "spark"
    counted_workers = 2

    def start(self):
        home = subprocess.check_output([self.python, "-c", "import pyspark; print(pyspark.__path__[0])"], text=True)
        home = Path(home.strip())
        master, connect, self.ui = free_port(), free_port(), free_port()
        quiet = {"SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_NO_DAEMONIZE": "1",
                 "SPARK_DAEMON_MEMORY": "256m"}
        java_class = [home / "bin/spark-class"]
        start("spark-master", java_class + ["org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port",
              str(master), "--webui-port", str(free_port())], self.folder, **quiet)
        until("Spark's master", lambda: is_open(master))
        for number in "12":
            start(f"spark-worker-{number}", java_class + ["org.apache.spark.deploy.worker.Worker", "--host",
                  "127.0.0.1", "--webui-port", str(free_port()), "--cores", "1", "--memory", "1g", "--work-dir",
                  str(self.folder / f"work-{number}"), f"spark://127.0.0.1:{master}"], self.folder, **quiet)
        log = self.folder / "spark-master.log"
        until("Spark's workers", lambda: has_line(log, "") and log.read_text().count("Registering worker") == 2)
        token = secrets.token_hex(16)
        settings = {
            "spark.executor.memory": "900m", "spark.executor.cores": "1", "spark.driver.host": "127.0.0.1",
            "spark.connect.grpc.binding.port": str(connect), "spark.connect.grpc.binding.address": "127.0.0.1",
            "spark.ui.port": str(self.ui), "spark.sql.warehouse.dir": str(self.folder / "warehouse"),
            "spark.sql.shuffle.partitions": "16", "spark.log.level": "WARN",
        }
        command = [home / "bin/spark-submit", "--class", "org.apache.spark.sql.connect.service.SparkConnectServer",
                   "--master", f"spark://127.0.0.1:{master}", "--driver-memory", "900m"]
        command += [part for pair in settings.items() for part in ("--conf", "=".join(pair))] + ["spark-internal"]
        quiet |= {"SPARK_DAEMON_MEMORY": "900m", "SPARK_CONNECT_AUTHENTICATE_TOKEN": token}
        start("spark-connect", command, self.folder, **quiet)
        until("Spark's Connect server", lambda: is_open(connect))
        until("Spark's executors", lambda: len(self.tasks()) == 2)
        self.driver = self.library("adbc_driver_spark")
        address = f"sc://127.0.0.1:{connect}/;use_ssl=false;token="
        self.uri = address + token
        # The connection is a profile, and the token is in the environment.
        profiles = self.folder / "profiles"
        profiles.mkdir(exist_ok=True)
        (profiles / "cluster.toml").write_text(
            f'profile_version = 1\ndriver = "{self.driver}"\n[Options]\nuri = "{address}{{{{ env_var(SPARK_TOKEN) }}}}"\n')
        self.environment = {"ADBC_PROFILE_PATH": str(profiles), "SPARK_TOKEN": token}
        self.secret, self.connection = token, 'profile = "cluster"'

    def tasks(self):
        """How many tasks each executor has completed, by Spark's own interface."""
        root = f"http://127.0.0.1:{self.ui}/api/v1/applications"
        try:
            application = json.load(urllib.request.urlopen(root))[0]["id"]
            executors = json.load(urllib.request.urlopen(f"{root}/{application}/executors"))
        except OSError:
            return {}
        return {each["id"]: each["completedTasks"] for each in executors if each["id"] != "driver"}


class Sail(Engine):
    """One server with workers on this machine, asked by Arrow Flight SQL."""

    name = "sail"
    counted_workers = 1
    secret = None

    def start(self):
        port = free_port()
        start("sail", [self.folder / "venv/bin/sail", "flight", "server", "--ip", "127.0.0.1", "--port", str(port)],
              self.folder, SAIL_MODE="local-cluster", SAIL_CLUSTER__WORKER_INITIAL_COUNT="2",
              SAIL_CLUSTER__WORKER_MAX_COUNT="2", SAIL_CLUSTER__WORKER_TASK_SLOTS="1", RUST_LOG="info,sail_execution=debug")
        until("Sail's server", lambda: is_open(port))
        self.driver = self.library("adbc_driver_flightsql")
        self.uri = f"grpc://127.0.0.1:{port}"
        self.connection = f'driver = "{self.driver}"\nuri = "{self.uri}"'

    def tasks(self):
        """How many tasks succeeded, by the log of the server, which does not name the worker of a task."""
        log = (self.folder / "sail.log").read_text(errors="replace")
        workers = len(set(WORKER.findall(log)))
        return {f"{workers} workers together": log.count("status: Succeeded")}


def timed(command, folder, environment, output=None):
    """Runs a command; gives its wall time, CPU time and greatest memory."""
    begin = time.monotonic()
    process = subprocess.Popen(command, cwd=folder, env={**os.environ, **environment}, stdout=output or sys.stdout,
                               stderr=subprocess.PIPE, text=True)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    sys.stderr.write(errors)
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: status {process.returncode}")
    return time.monotonic() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def write_inputs(folder, rows):
    members = [person(number) for number in range(0, rows, max(rows // 10_000, 100))]
    lines = [",".join(member) for member in [["sex", "zip", "job", "born"], *members]]
    for name, text in [
        ("t.csv", "\n".join(lines) + "\n"),
        ("flat.toml", 'type = "flat"\n'),
        ("zip.toml", 'type = "mask"\nlength = 5\nfrom = "right"\ncharacter = "*"\n'),
        ("born.toml", 'type = "date"\nlevels = ["year", "decade"]\n'),
    ]:
        (folder / name).write_text(text)


def text_of(kind, inserted):
    """The text that a value has everywhere: a moment with a zone is one of UTC."""
    if kind != "met":
        return inserted
    moment = datetime.datetime.fromisoformat(inserted.replace("Z", "+00:00")).astimezone(datetime.timezone.utc)
    return moment.strftime("%Y-%m-%d %H:%M:%S.%fZ")


def kinds_project(public):
    attributes = [f'[[attribute]]\nname = "{name}"\nrole = "quasi"\nhierarchy = "flat.toml"\n' for name in KINDS]
    return f'{public}\n[private]\npath = "kinds-t.csv"\n[delta]\nmax = "1/2"\n' + "".join(attributes)


def compare_kinds(engine, palmtop, folder):
    """Every kind of value gives the release that a CSV file gives; the answer is the hash of the snapshot."""
    draws = random.Random(1)
    rows = [[None if draws.randrange(8) == 0 else draws.choice(texts) for _, texts in KINDS.values()] for _ in range(40)]
    rows += rows[:25]
    quoted = lambda text: "NULL" if text is None else "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
    values = ", ".join("(" + ", ".join(map(quoted, row)) + ")" for row in rows)
    columns = ", ".join(f"CAST({name} AS {kind}) AS {name}" for name, (kind, _) in KINDS.items())
    engine.send(f"CREATE TABLE kinds USING parquet AS SELECT {columns} FROM VALUES {values} AS texts({', '.join(KINDS)})")
    for name, people in [("kinds-p.csv", rows), ("kinds-t.csv", rows[::5])]:
        with open(folder / name, "w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(KINDS)
            writer.writerows([["" if cell is None else text_of(kind, cell) for kind, cell in zip(KINDS, row)] for row in people])
    name = f"{engine.name}-kinds"
    source = f'[public.source]\n{engine.connection}\ntable = "kinds"\nsnapshot = "{name}.parquet"'
    (folder / f"{name}.toml").write_text(kinds_project(source))
    (folder / "file-kinds.toml").write_text(kinds_project('[public]\npath = "kinds-p.csv"'))
    timed([palmtop, "fetch", f"{name}.toml"], folder, engine.environment, subprocess.DEVNULL)
    releases = []
    for project in ["file-kinds", name]:
        release = folder / f"{project}-release.csv"
        timed([palmtop, "anonymize", f"{project}.toml", "--strategy", "n2", "-o", release.name, "--force"], folder, {},
              subprocess.DEVNULL)
        releases.append(release.read_bytes())
    if releases[0] != releases[1]:
        sys.exit(f"{engine.name}: the release of kinds is not that of the file: look at {folder}")
    print(f"{engine.name}: the release with {len(KINDS)} kinds of value is that of the CSV file, byte for byte")
    return hashlib.sha256((folder / f"{name}.parquet").read_bytes()).hexdigest()


def measure(engine, palmtop, folder, rows):
    begin = time.monotonic()
    engine.send(f"CREATE TABLE persons USING parquet AS SELECT {COLUMNS} FROM range({rows})")
    print(f"{engine.name}: generated {rows:,} rows in {time.monotonic() - begin:.1f} s", flush=True)
    (folder / f"{engine.name}.toml").write_text(PROJECT.format(name=engine.name, connection=engine.connection))
    before = engine.tasks()
    figures = {}
    release = f"{engine.name}-release.csv"
    for command in [
        ["fetch", f"{engine.name}.toml"], ["check", f"{engine.name}.toml"],
        ["anonymize", f"{engine.name}.toml", "--strategy", "spalm", "-o", release],
        ["verify", f"{engine.name}.toml", release],
    ]:
        with open(folder / f"{engine.name}-{command[0]}.txt", "w") as output:
            environment = engine.environment if command[0] == "fetch" else {}
            figures[command[0]] = timed([palmtop, *command], folder, environment, output)
        if command[0] == "fetch":
            tasks = {worker: count - before.get(worker, 0) for worker, count in engine.tasks().items()}
    record = json.loads((folder / f"{engine.name}.parquet.source.json").read_text())
    print(f"{engine.name}: {record['server']} by {record['driver']}: {record['people']:,} people in "
          f"{record['combinations']:,} combinations; tasks of each worker during the fetch: {tasks}")
    for name, (wall, cpu, memory) in figures.items():
        print(f"{engine.name}: palmtop {name}: {wall:.1f} s, {cpu:.1f} CPU-s, {memory:.0f} MB")
    if record["people"] != rows:
        sys.exit(f"{engine.name}: {record['people']} people, and {rows} rows were generated")
    if len(tasks) != engine.counted_workers or min(tasks.values()) < 1:
        sys.exit(f"{engine.name}: a worker did no work: {tasks}")
    if engine.secret:
        for path in folder.iterdir():
            if path.is_file() and engine.secret.encode() in path.read_bytes():
                sys.exit(f"{path} holds the token of the connection")
    return hashlib.sha256((folder / f"{engine.name}.parquet").read_bytes()).hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("engines", nargs="*", help="by default both")
    parser.add_argument("--rows", type=int, default=50_000_000)
    parser.add_argument("--folder", type=Path, default=Path("target/cluster"), help="where engines are installed")
    parser.add_argument("--palmtop", type=Path, default=Path("target/release/palmtop"))
    parser.add_argument("--then", help="a command to run while all engines are up, such as a test")
    options = parser.parse_args()
    # A signal runs what was registered for the end.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    names = options.engines or ["spark", "sail"]
    if "spark" in names and not shutil.which("java"):
        sys.exit("Spark needs Java 17: apt-get install openjdk-17-jre-headless")
    folder, palmtop = options.folder.resolve(), options.palmtop.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "venv").exists():
        venv.create(folder / "venv", with_pip=True)
    packages = [package for name in names for package in PACKAGES[name]]
    subprocess.run([folder / "venv/bin/pip", "install", "--quiet", *packages], check=True)
    work = folder / "work"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    write_inputs(work, options.rows)
    snapshots = {}
    for kind in [Spark, Sail]:
        if kind.name not in names:
            continue
        # One engine at a time: together they need more memory than one machine may have.
        engines = folder / f"{kind.name}-run"
        shutil.rmtree(engines, ignore_errors=True)
        engines.mkdir()
        engine = kind(folder)
        engine.folder = engines
        (engines / "venv").symlink_to(folder / "venv")
        engine.start()
        kinds = compare_kinds(engine, palmtop, work)
        snapshots[engine.name] = measure(engine, palmtop, work, options.rows), kinds
        if options.then:
            environment = {**os.environ, **engine.environment}
            environment[f"PALMTOP_{engine.name.upper()}"] = json.dumps(
                {"driver": engine.driver, "uri": engine.uri, "connection": engine.connection})
            subprocess.run(options.then, shell=True, check=True, env=environment)
        stop()
        shutil.rmtree(engines, ignore_errors=True)
    if len(set(snapshots.values())) != 1:
        sys.exit(f"the engines gave different snapshots: {snapshots}")
    print("SHA-256 of every engine's snapshots: {}, of kinds {}".format(*next(iter(snapshots.values()))))


if __name__ == "__main__":
    main()
