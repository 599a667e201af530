# Recipes for people who change palmtop. `just` alone lists them.

_default:
    @just --list

# Everything that has to pass, as CI runs it.
ci:
    .ci/run

# The workbench on the practice project.
run *arguments:
    cargo run --release -- {{arguments}}

# The tests.
test *arguments:
    cargo test {{arguments}}

# Random projects through the three readings; with `--release` 200,000 take some hours.
readings projects="300" *arguments:
    PALMTOP_PROJECTS={{projects}} cargo test --test it readings:: {{arguments}} -- --nocapture

# Mutated inputs.
fuzz inputs="2000" *arguments:
    PALMTOP_MUTATIONS={{inputs}} cargo test --test it fuzz:: {{arguments}} -- --nocapture

# The proofs in proof/, compiled from nothing (Debian: apt-get install --no-install-recommends coq).
proof:
    proof/check.sh

# Transcripts of random tables, checked without palmtop (Python 3.11).
transcripts tables="60":
    cargo build --release
    PALMTOP="$PWD/target/release/palmtop" TABLES={{tables}} python3 -m unittest discover proof

# The program that the packages for Python and R run.
program := env_var_or_default("PALMTOP", justfile_directory() / "target/release/palmtop")

# The tests and the types of the Python package; installs pandas, Polars and PyArrow into target/python.
python *arguments:
    python3 -m venv target/python
    target/python/bin/pip install --quiet ipykernel mypy nbclient nbformat pandas pandas-stubs polars pyarrow pytest tqdm
    cd python && PALMTOP="{{program}}" ../target/python/bin/python -m pytest {{arguments}}
    cd python && ../target/python/bin/mypy

# Builds and checks the R package in target/r (Debian: r-cran-processx, r-cran-jsonlite, r-cran-testthat, r-cran-rmarkdown).
r:
    mkdir -p target/r
    cd target/r && PALMTOP="{{program}}" R CMD build ../../r
    cd target/r && PALMTOP="{{program}}" PALMTOP_R_PAGE="$PWD/../../docs/r.md" R CMD check --no-manual palmtop_0.1.0.tar.gz

# P from databases: installs drivers of SQLite, DuckDB and PostgreSQL into target/databases, starts a PostgreSQL server (Debian: apt-get install postgresql) and asks them.
databases:
    python3 -m venv target/databases
    target/databases/bin/pip install --quiet adbc-driver-sqlite==1.13.0 adbc-driver-postgresql==1.13.0 duckdb==2.0.0
    PALMTOP_DATABASES="$PWD/target/databases/bin/python" PALMTOP_POSTGRESQL="$(dirname "$(find /usr/lib/postgresql -path '*/bin/initdb' | sort -V | tail -n 1)")" cargo test --test it databases:: -- --nocapture

# palmtop beside DuckDB on 1 and on all cores: installs DuckDB into target/duckdb, makes the table and prints the ratios.
scale rows="10000000" *arguments:
    python3 -m venv target/duckdb
    target/duckdb/bin/pip install --quiet duckdb==2.0.0
    cargo build --release
    target/duckdb/bin/python benches/scale/run.py "{{program}}" --rows {{rows}} {{arguments}}

# P from Spark (two executors) and Sail: installs both into target/cluster, generates 50 million rows there, fetches, releases, stops them.
cluster rows="50000000":
    cargo build --release
    python3 benches/cluster/run.py --rows {{rows}}

# Writes the references of the book from the program (keys, options, strategies, cautions and more) and the pictures of its screens, and wraps the prose.
docs:
    PALMTOP_WRITE_DOCS=1 cargo test --bin palmtop references
    PALMTOP_WRITE_DOCS=1 cargo test -p palmtop-workbench pictures
    PALMTOP_WRITE_DOCS=1 cargo test --test it prose::

# The book, in target/book; it needs mdBook (`cargo install mdbook`).
book:
    mdbook build

# The benchmarks.
bench *arguments:
    cargo build --release
    cargo bench -p palmtop-benches {{arguments}}

# The packages for others, in target/packages: a tarball, a .deb, an .rpm and a wheel for GLIBC 2.17, with an SBOM. See docs/install.md.
dist:
    packaging/dist.sh

# Installs these packages in clean systems and uses them; needs root (Debian: debootstrap rpm rpm2cpio cpio).
dist-test *tests:
    packaging/test.sh {{tests}}

# Makes the practice clinic again from its seed.
clinic:
    cargo run --example make_clinic -- sample-data/clinic

# Looks at changed snapshots of the screens (needs cargo-insta).
snapshots:
    cargo insta review

# Licences, sources and advisories of the dependencies, by hand: it needs the network and cargo-deny.
deny:
    cargo deny check
