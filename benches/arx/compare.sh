#!/bin/sh
# ARX and palmtop on the tables of a folder: the same optimum, the time of its search, the whole command, the peak memory.
#
#   benches/arx/compare.sh DATA CLASSPATH
#
# DATA is the folder `data` of ARX's repository, which has Adult; `benches/arx/tables.py DATA` adds tables of other
# shapes. CLASSPATH has the classes of ARX and its libraries. PALMTOP is the program to measure, by default
# target/release/palmtop.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
data=$(cd "$1" && pwd)
classes=$2
palmtop=${PALMTOP:-$here/../../target/release/palmtop}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
javac -d "$work" -cp "$classes" "$here/Optimum.java"
measured() { /usr/bin/time -f '%e s, %M KiB for the whole command' "$@" 2>&1; }

for subset in "$data"/*_subset.csv; do
    table=$(basename "$subset" _subset.csv)
    echo "## $table"
    echo 'ARX after warming up: δmax, time of the search, loss, node'
    java -Xmx1g -cp "$work:$classes" Optimum "$data/$table" 3 5 0.1 0.2 0.5
    echo 'ARX, one search'
    measured java -Xmx1g -cp "$work:$classes" Optimum "$data/$table" 0 1 0.2

    mkdir -p "$work/$table/hierarchies"
    cp "$data/$table"_hierarchy_*.csv "$work/$table/hierarchies"
    cp "$data/$table.csv" "$subset" "$work/$table"
    cd "$work/$table"
    "$palmtop" init --public "$table.csv" --private "${table}_subset.csv" --hierarchies hierarchies -o "$table.toml" --yes >/dev/null 2>&1
    for max in 0.1 0.2 0.5; do
        echo "palmtop: δmax $max"
        measured "$palmtop" compare "$table.toml" --delta-max "$max" --metric loss_geometric --strategy spalm,n2,best,simulatable
    done
    echo 'palmtop, one search'
    measured "$palmtop" compare "$table.toml" --delta-max 0.2 --metric loss_geometric --strategy spalm
done
