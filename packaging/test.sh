#!/usr/bin/env bash
# Installs the packages of `just dist` in clean systems and uses them as people do: Debian 12 and 11,
# and Ubuntu 16.04, whose GLIBC is 2.23. It needs root, and Debian or Ubuntu with debootstrap, rpm,
# rpm2cpio and cpio.
#
#   packaging/test.sh [TEST …]     tarball, deb, wheel, rpm, fetch; by default all
#
#   CARGO_TARGET_DIR   as for packaging/dist.sh
#   PALMTOP_SYSTEMS    the folder for the systems; by default `systems` in that folder
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C.UTF-8
target=${CARGO_TARGET_DIR:-$PWD/target}
packages=$target/packages
systems=${PALMTOP_SYSTEMS:-$target/systems}
scratch=$(mktemp -d)
trap leave EXIT

main() {
    (cd "$packages" && sha256sum --quiet --check SHA256SUMS)
    make_systems
    local test
    for test in ${*:-tarball deb wheel rpm fetch}; do
        printf '\n== %s\n' "$test"
        "test_$test"
    done
    printf '\nAll of these passed: %s\n' "${*:-tarball deb wheel rpm fetch}"
}

fail() {
    printf 'packaging/test.sh: %s\n' "$*" >&2
    exit 1
}

# ---- Systems ----

readonly every=(bookworm bullseye xenial)

make_systems() {
    make_system bookworm http://deb.debian.org/debian tmux,man-db,bash-completion,python3,python3-venv
    make_system bullseye http://deb.debian.org/debian tmux,man-db,bash-completion
    # Debian has no keys of Ubuntu. The system is for a test and is used for nothing else.
    make_system xenial http://archive.ubuntu.com/ubuntu tmux,man-db,bash-completion --no-check-gpg
    local system
    for system in "${every[@]}"; do
        mount -t proc proc "$systems/$system/proc"
        mount --bind /dev/pts "$systems/$system/dev/pts"
        rm -rf "$systems/$system/try" && mkdir "$systems/$system/try"
    done
}

make_system() { # NAME MIRROR PACKAGES [OPTION]
    if [ ! -e "$systems/$1.made" ]; then
        rm -rf "${systems:?}/$1" && mkdir -p "$systems"
        debootstrap --variant=minbase --include="$3" "${@:4}" "$1" "$systems/$1" "$2" >"$scratch/$1.log" ||
            fail "debootstrap $1: $(tail -n 3 "$scratch/$1.log")"
        touch "$systems/$1.made"
    fi
}

leave() {
    local system
    for system in "${every[@]}"; do
        umount "$systems/$system/dev/pts" "$systems/$system/proc" 2>/dev/null || true
    done
    rm -rf "$scratch"
}

# Runs a script in /try of a system, as if somebody typed it.
within() { # SYSTEM SCRIPT
    chroot "$systems/$1" env -i HOME=/try PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin TERM=xterm-256color \
        LC_ALL=C.UTF-8 bash -euo pipefail -c "cd /try; $2"
}

glibc_of() {
    within "$1" 'ldd --version 2>/dev/null | sed -n "1s/.* //p"'
}

# ---- The practice project, as the README has it ----

# `palmtop` and `palmtop-verify` are on PATH, and the folder has sample-data and hierarchies.
readonly quick_start='
    palmtop --version
    palmtop check sample-data/clinic/clinic.toml >check.txt
    palmtop anonymize sample-data/clinic/clinic.toml --strategy simulatable -o release.csv >made.txt 2>&1
    palmtop verify sample-data/clinic/clinic.toml release.csv | sed -n 1,5p
    palmtop-verify sample-data/clinic/clinic.toml release.csv | sed -n 1,3p
    palmtop report sample-data/clinic/clinic.toml release.csv -o report.html 2>/dev/null
    test -s report.html'

# The workbench in tmux: searches, exports what `simulatable` finds, and quits. The folder /try/practice
# has what the tarball has.
workbench() { # SYSTEM
    local system=$1
    tmux_in -u -f /dev/null new-session -d -s w -x 120 -y 40 \
        "cd practice; bin/palmtop sample-data/clinic/clinic.toml; echo ended with \$?; sleep 600"
    wait_for 'Raw table'
    press s 'not run'
    press r 'simulatable ended'
    press o 'δ-PRESENT'
    press e 'Enter writes'
    press Enter '800 rows written and verified'
    tmux_in capture-pane -p -t w | sed -n '1,6p;$p'
    press Escape 'classes, all'
    press q 'Quit palmtop'
    press y 'ended with 0'
    tmux_in kill-server
    within "$system" 'cd practice
        bin/palmtop verify sample-data/clinic/clinic.toml clinic-release.csv | sed -n 1,1p
        bin/palmtop-verify sample-data/clinic/clinic.toml clinic-release.csv | sed -n 1,1p'
}

tmux_in() {
    within "$system" "tmux -L try $(printf '%q ' "$@")"
}

press() { # KEY TEXT: presses the key, and waits for the text on the screen
    tmux_in send-keys -t w "$1"
    wait_for "$2"
}

wait_for() { # TEXT
    local second
    for second in $(seq 120); do
        if tmux_in capture-pane -p -t w | grep -q "$1"; then return; fi
        sleep 0.5
    done
    tmux_in capture-pane -p -t w >&2
    fail "\"$1\" was not on the screen after a minute"
}

# ---- Tests ----

test_tarball() {
    local system folder
    for system in "${every[@]}"; do
        printf -- '-- %s, GLIBC %s\n' "$system" "$(glibc_of "$system")"
        tar xzf "$packages"/palmtop-*.tar.gz -C "$systems/$system/try" --no-same-owner
        folder=$(cd "$systems/$system/try" && echo palmtop-*)
        within "$system" "if command -v cc gcc clang rustc; then exit 1; fi
            cd $folder; PATH=\$PWD/bin:\$PATH; $quick_start
            man -l share/man/man1/palmtop.1 | grep -q anonymize
            man -l share/man/man1/palmtop-verify.1 | grep -q RELEASE
            cd ..; mv $folder practice"
        workbench "$system"
        rm -rf "$systems/$system/try/practice"
    done
}

# All files of a system, without logs and the caches of man and the list of packages.
files_of() {
    (cd "$systems/$1" && find . -xdev \( -path ./try -o -path ./proc -o -path ./dev -o -path ./tmp \
        -o -path ./var/lib/dpkg -o -path ./var/log -o -path ./var/cache/man \) -prune -o -print | sort)
}

test_deb() {
    local system
    for system in "${every[@]}"; do
        printf -- '-- %s\n' "$system"
        files_of "$system" >"$scratch/before"
        cp "$packages"/palmtop_*.deb "$systems/$system/try/palmtop.deb"
        within "$system" "dpkg -i palmtop.deb
            man palmtop | grep -q anonymize
            man palmtop-verify | grep -q RELEASE
            bash -ic 'source /usr/share/bash-completion/bash_completion; _completion_loader palmtop || true; complete -p palmtop' 2>/dev/null
            test -s /usr/share/zsh/vendor-completions/_palmtop
            test -s /usr/share/fish/vendor_completions.d/palmtop.fish
            test -s /usr/share/doc/palmtop/copyright
            test -s /usr/share/doc/palmtop/THIRD-PARTY.txt*
            cp -R /usr/share/palmtop practice; cd practice; $quick_start; cd ..; rm -rf practice
            dpkg -r palmtop; dpkg -l palmtop 2>/dev/null | tail -n 1 | grep -v '^ii' || true"
        files_of "$system" >"$scratch/after"
        diff "$scratch/before" "$scratch/after" || fail "$system: files are left after dpkg -r"
    done
}

test_wheel() {
    local system=bookworm folder=$systems/bookworm/try
    cp "$packages"/palmtop-*.whl "$folder/"
    cp -R sample-data hierarchies "$folder/"
    mkdir -p "$folder/wheels"
    # pip of this machine may be another version of Python: the wheels are those for the system.
    python3 -m pip download --quiet --dest "$folder/wheels" --only-binary :all: --python-version \
        "$(within $system 'python3 -c "import sys; print(*sys.version_info[:2], sep=\".\")"')" pyarrow
    within $system "python3 -m venv env; env/bin/pip install --quiet --no-index palmtop-*.whl
        env/bin/pip list 2>/dev/null | grep palmtop
        env/bin/palmtop --version
        env/bin/python -c 'import palmtop; print(palmtop.find_program(), palmtop.version())'
        . env/bin/activate; $(grep -v palmtop-verify <<<"$quick_start")
        python - <<'PYTHON'
import palmtop
roles = {'patient': 'identifier', 'diagnosis': 'sensitive'}
T, P = 'sample-data/clinic/private.csv', 'sample-data/clinic/public.csv'
release = palmtop.anonymize(T, P, '1/10', roles=roles)
assert release.verify()
release.write('of-files.csv')
PYTHON
        wc -l of-files.csv
        env/bin/pip install --quiet --no-index --find-links wheels pyarrow
        env/bin/python - <<'PYTHON'
import pyarrow.csv as csv, pyarrow, palmtop
text = csv.ConvertOptions(column_types={'zip': pyarrow.string()})
T, P = (csv.read_csv(f'sample-data/clinic/{name}.csv', convert_options=text) for name in ('private', 'public'))
roles = {'patient': 'identifier', 'diagnosis': 'sensitive'}
release = palmtop.anonymize(T, P, '1/10', roles=roles)
assert release.verify()
print(release.frame.num_rows, 'rows,', release.verify())
PYTHON"
    rm -rf "$folder"/{env,wheels,sample-data,hierarchies,palmtop-*.whl}
}

test_rpm() {
    local package
    package=$(echo "$packages"/palmtop-*.rpm)
    rpm -qpi "$package" | sed -n 1,12p
    rpm -qp --requires "$package"
    if rpm -qp --requires "$package" | grep -o 'GLIBC_[0-9.]*' | grep -vE '^GLIBC_2\.([0-9]|1[0-7])(\.[0-9]+)*$'; then
        fail "the .rpm requires a later GLIBC"
    fi
    mkdir "$scratch/rpm"
    # The status of rpm2cpio tells whether the package has a tag for its size, which this one lacks.
    (rpm2cpio "$package" || true) | (cd "$scratch/rpm" && cpio --extract --make-directories --quiet)
    local file
    for file in usr/bin/palmtop usr/bin/palmtop-verify usr/share/man/man1/palmtop.1 \
        usr/share/bash-completion/completions/palmtop usr/share/zsh/site-functions/_palmtop \
        usr/share/fish/vendor_completions.d/palmtop.fish usr/share/palmtop/sample-data/clinic/clinic.toml \
        usr/share/palmtop/hierarchies/zip.toml usr/share/doc/palmtop/docs/tutorial.md \
        usr/share/doc/palmtop/THIRD-PARTY.txt; do
        test -s "$scratch/rpm/$file" || fail "the .rpm has no $file"
    done
    files_of xenial >"$scratch/before"
    rpm --root "$systems/xenial" --dbpath /try/rpm --initdb
    rpm --root "$systems/xenial" --dbpath /try/rpm --nodeps --install "$package" 2>/dev/null
    rpm --root "$systems/xenial" --dbpath /try/rpm --nodeps --verify palmtop
    within xenial "cp -R /usr/share/palmtop practice; cd practice; $quick_start; cd ..; rm -rf practice"
    rpm --root "$systems/xenial" --dbpath /try/rpm --erase palmtop 2>/dev/null
    files_of xenial >"$scratch/after"
    # The .rpm owns files alone, so it leaves folders that every system with such programs has.
    if (diff "$scratch/before" "$scratch/after" || true) | grep palmtop; then fail "files are left after rpm --erase"; fi
    comm -13 "$scratch/before" "$scratch/after" | tac | (cd "$systems/xenial" && xargs --no-run-if-empty rmdir)
}

# P from a database: the program loads a driver at run time.
test_fetch() {
    python3 -m venv "$scratch/env"
    "$scratch/env/bin/pip" install --quiet adbc-driver-sqlite==1.13.0
    mkdir "$scratch/fetch" && tar xzf "$packages"/palmtop-*.tar.gz -C "$scratch/fetch" --strip-components 1
    cd "$scratch/fetch/sample-data/clinic"
    "$scratch/env/bin/python" - <<'PYTHON'
import adbc_driver_sqlite, csv, sqlite3
rows = list(csv.reader(open('public.csv', newline='', encoding='utf-8')))
database = sqlite3.connect('town.db')
database.execute(f'create table town ({", ".join(name + " text" for name in rows[0])})')
database.executemany(f'insert into town values ({", ".join("?" * len(rows[0]))})', rows[1:])
database.commit()
project = open('clinic.toml', encoding='utf-8').read()
lines = [line for line in project.splitlines() if not line.startswith('path = "public.csv"')]
source = f'[public.source]\ndriver = "{adbc_driver_sqlite._driver_path()}"\nuri = "town.db"\ntable = "town"\nsnapshot = "town.parquet"'
open('town.toml', 'w', encoding='utf-8').write('\n'.join(lines).replace('[public]', source))
PYTHON
    ../../bin/palmtop fetch town.toml
    ../../bin/palmtop anonymize town.toml --strategy simulatable -o town.csv >/dev/null 2>&1
    ../../bin/palmtop anonymize clinic.toml --strategy simulatable -o clinic.csv >/dev/null 2>&1
    cmp town.csv clinic.csv
    ../../bin/palmtop-verify town.toml town.csv | sed -n 1,3p
    cd - >/dev/null
}

main "$@"
