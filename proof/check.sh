#!/bin/sh
# Compiles every proof from nothing in a temporary folder, and prints what each theorem assumes.
# Fails if a proof does not compile, is not finished, or uses an axiom. Needs Coq 8.16 or later.
set -eu
cd "$(dirname "$0")"
files="Transcript.v Cells.v States.v Search.v Rounding.v"

if ! command -v coqc > /dev/null; then
    echo "coqc is missing; on Debian: apt-get install --no-install-recommends coq" >&2
    exit 1
fi
for file in *.v; do
    case " $files " in
        *" $file "*) ;;
        *) echo "$file is not checked: add it to the list in check.sh" >&2; exit 1 ;;
    esac
done
forbidden='Admitted|admit|Axioms?|Parameters?|Conjecture|Hypothesis|Hypotheses|Abort|Unset|bypass_check|type_in_type'
if grep -nwE "$forbidden" $files; then
    echo "these lines are not allowed in a proof" >&2
    exit 1
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp $files "$folder"
cd "$folder"
theorems=0
for file in $files; do
    echo "$file"
    coqc -q "$file" > output
    cat output
    # Each `Print Assumptions` must print this line, and nothing else may be printed.
    if grep -qvx 'Closed under the global context' output; then
        echo "$file uses an axiom, or prints something else" >&2
        exit 1
    fi
    printed=$(grep -cx 'Closed under the global context' output)
    if [ "$printed" -ne "$(grep -c '^Print Assumptions ' "$file")" ] || [ "$printed" -eq 0 ]; then
        echo "$file does not print the assumptions of its theorems" >&2
        exit 1
    fi
    # Each theorem is among those whose assumptions are printed.
    for theorem in $(sed -n 's/^Theorem \([A-Za-z_0-9]*\).*/\1/p' "$file"); do
        if ! grep -qx "Print Assumptions $theorem\." "$file"; then
            echo "$file does not print the assumptions of $theorem" >&2
            exit 1
        fi
    done
    theorems=$((theorems + printed))
done
# The independent checker reads the compiled files again.
coqchk -silent -o $(echo $files | sed 's/\.v//g') > checked 2>&1 || { cat checked >&2; exit 1; }
if ! grep -q 'Axioms: <none>' checked; then
    cat checked >&2
    exit 1
fi
echo "$theorems theorems without axioms"
