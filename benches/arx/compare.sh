#!/bin/sh
# ARX and palmtop on the Adult data that ARX ships: the same optimum, its time, the peak memory.
#
#   benches/arx/compare.sh DATA CLASSPATH
#
# DATA is the folder `data` of ARX's repository. CLASSPATH has the classes of ARX and its libraries.
# PALMTOP is the program to measure, by default target/release/palmtop.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
data=$(cd "$1" && pwd)
classes=$2
palmtop=${PALMTOP:-$here/../../target/release/palmtop}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
javac -d "$work" -cp "$classes" "$here/Optimum.java"
measured() { /usr/bin/time -f '%e s, %M KiB for the whole command' "$@"; }

echo 'ARX: δmax, time of the search, loss, node'
measured java -Xmx1g -cp "$work:$classes" Optimum "$data" 0.1 0.2 0.5 2>&1

mkdir "$work/hierarchies"
cp "$data"/adult_hierarchy_*.csv "$work/hierarchies"
cp "$data/adult.csv" "$data/adult_subset.csv" "$work"
cd "$work"
"$palmtop" init --public adult.csv --private adult_subset.csv --hierarchies hierarchies -o adult.toml --yes >/dev/null 2>&1
for max in 0.1 0.2 0.5; do
    echo "palmtop: δmax $max"
    measured "$palmtop" compare adult.toml --delta-max "$max" --metric loss_geometric --strategy spalm,n2,best,simulatable 2>&1
done
