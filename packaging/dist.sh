#!/usr/bin/env bash
# Makes the packages for 64-bit Linux on x86 with GLIBC 2.17 or later, in target/packages: a tarball,
# a .deb, an .rpm, a wheel, the list of components (SBOM) and SHA256SUMS.
#
# One commit gives the same bytes on every machine, if the compiler is the same. docs/install.md has
# what is needed, and how to compare.
#
#   CARGO_TARGET_DIR   the folder for everything that is built; by default `target`
#   PALMTOP_TOOLS      the folder for the tools; by default `tools` in that folder
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C TZ=UTC
umask 022

readonly glibc=2.17
readonly triple=x86_64-unknown-linux-gnu
source=$PWD
target=${CARGO_TARGET_DIR:-$source/target}
mkdir -p "$target"
target=$(cd "$target" && pwd)
tools=${PALMTOP_TOOLS:-$target/tools}
version=$(sed -n '/^\[workspace.package\]/,/^$/s/^version = "\(.*\)"/\1/p' Cargo.toml)
built=$target/$triple/dist
stage=$built/stage # the assets of Cargo.toml name this folder
output=$target/packages

main() {
    step install_tools
    step use_one_time_and_no_paths
    step build_programs
    step refuse_newer_glibc
    step stage_files
    rm -rf "$output" && mkdir -p "$output"
    step make_tarball
    step make_deb
    step make_rpm
    step make_sbom
    step make_wheel
    cd "$output"
    sha256sum -- palmtop* >SHA256SUMS
    cat SHA256SUMS
}

step() {
    printf '\n== %s\n' "${1//_/ }" >&2
    "$@"
}

# A tool at one version, compiled once, and quickly: it runs for seconds.
install_crate() { # CRATE VERSION
    if ! grep -qs "^\"$1 $2 " "$tools/.crates.toml"; then
        CARGO_TARGET_DIR=$tools/build CARGO_PROFILE_RELEASE_OPT_LEVEL=2 CARGO_PROFILE_RELEASE_LTO=false \
            CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 cargo install --quiet --locked --root "$tools" --version "=$2" "$1"
        rm -rf "$tools/build"
    fi
}

install_tools() {
    if [ ! -e "$tools/python" ]; then
        python3 -m venv "$tools/python"
        "$tools/python/bin/pip" install --quiet cargo-zigbuild==0.24.1 maturin==1.16.0 ziglang==0.17.1
    fi
    install_crate cargo-deb 3.8.0
    install_crate cargo-generate-rpm 0.21.1
    install_crate cargo-cyclonedx 0.5.9
    PATH=$(cd "$tools/python/bin" && pwd -P):$tools/bin:$PATH
    rustup target add "$triple" >/dev/null 2>&1 || true # other installations of Rust have it already
}

# The time of the commit stands for the time of the build, and `/palmtop` for the folder of the sources.
use_one_time_and_no_paths() {
    SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
    CARGO_TARGET_DIR=$target
    unset RUSTFLAGS
    CARGO_ENCODED_RUSTFLAGS=--remap-path-prefix=$source=/palmtop
    CARGO_ENCODED_RUSTFLAGS+=$'\x1f'--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo
    export SOURCE_DATE_EPOCH CARGO_TARGET_DIR CARGO_ENCODED_RUSTFLAGS PYTHONDONTWRITEBYTECODE=1
}

# One time for all commits: the programs follow from the sources alone, and cargo compiles the C
# sources of crates again if the variable changes.
build_programs() {
    SOURCE_DATE_EPOCH=315532800 cargo-zigbuild zigbuild --locked --profile dist --target "$triple.$glibc" \
        -p palmtop --bin palmtop -p palmtop-verify --bin palmtop-verify
}

# The newest version of GLIBC that a program asks for.
newest_glibc() {
    objdump -T "$1" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1 | cut -d_ -f2
}

refuse_newer_glibc() {
    local program newest
    for program in palmtop palmtop-verify; do
        newest=$(newest_glibc "$built/$program")
        printf '%s asks for GLIBC %s\n' "$program" "$newest" >&2
        if [ "$(printf '%s\n' "$newest" "$glibc" | sort -V | tail -n 1)" != "$glibc" ]; then
            printf '%s: it asks for GLIBC %s; packages are for %s\n' "$program" "$newest" "$glibc" >&2
            exit 1
        fi
    done
}

# All files, as the tarball has them. The .rpm keeps their times.
stage_files() {
    rm -rf "$stage" && mkdir -p "$stage"/share/man/man1 "$stage"/share/bash-completion/completions \
        "$stage"/share/zsh/site-functions "$stage"/share/fish/vendor_completions.d
    "$built/palmtop" man >"$stage/share/man/man1/palmtop.1"
    sed "s/VERSION/$version/" packaging/palmtop-verify.1 >"$stage/share/man/man1/palmtop-verify.1"
    "$built/palmtop" completions bash >"$stage/share/bash-completion/completions/palmtop"
    "$built/palmtop" completions zsh >"$stage/share/zsh/site-functions/_palmtop"
    "$built/palmtop" completions fish >"$stage/share/fish/vendor_completions.d/palmtop.fish"
    # What git tracks, without files that a try left behind.
    git ls-files -z README.md ARCHITECTURE.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE-APACHE \
        LICENSE-MIT benches/README.md docs examples/registry.ipynb hierarchies sample-data |
        tar --create --null --files-from=- | tar --extract --directory "$stage"
    python3 packaging/third_party.py "$triple" >"$stage/THIRD-PARTY.txt"
    {
        printf 'palmtop %s\ncommit %s%s\n' "$version" "$(git rev-parse HEAD)" \
            "$(git diff --quiet HEAD || printf ', and changes')"
        printf '%s\n' "$(rustc --version)" "$(cargo-zigbuild --version)" "zig $(python3 -m ziglang version)"
    } >"$stage/BUILD.txt"
    find "$stage" -type d -exec chmod 755 {} + -o -type f -exec chmod 644 {} +
    mkdir "$stage/bin"
    install -m 755 "$built/palmtop" "$built/palmtop-verify" "$stage/bin/"
    find "$stage" -exec touch --date="@$SOURCE_DATE_EPOCH" {} +
}

make_tarball() {
    local name=palmtop-$version-x86_64-linux-gnu folder
    folder=$built/$name
    rm -rf "$folder" && cp -R "$stage" "$folder"
    tar --create --directory "$built" --sort=name --format=gnu --mtime="@$SOURCE_DATE_EPOCH" \
        --owner=0 --group=0 --numeric-owner "$name" | gzip --no-name --best >"$output/$name.tar.gz"
    rm -rf "$folder"
}

make_deb() {
    cargo deb --quiet --locked --no-build --no-strip --profile dist --target "$triple" --output "$output/"
}

make_rpm() {
    cargo generate-rpm --profile dist --target "$triple" --target-dir "$target" --auto-req builtin \
        --payload-compress xz --source-date "$SOURCE_DATE_EPOCH" --output "$output/"
}

make_sbom() {
    local copy=$built/sbom
    rm -rf "$copy" && mkdir "$copy"
    git ls-files -z | tar --create --null --files-from=- | tar --extract --directory "$copy"
    (cd "$copy" && cargo cyclonedx --quiet --format json --spec-version 1.5 --target "$triple" \
        --override-filename sbom)
    python3 packaging/sbom.py "$copy/sbom.json" "$copy" "$triple" >"$output/palmtop-$version.cdx.json"
    rm -rf "$copy"
}

# maturin calls this `cargo`, so that it packs the program that is already built. It takes licences
# from its own folder.
make_wheel() {
    mkdir -p "$tools/wheel"
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$source/packaging/cargo-for-wheel.sh" >"$tools/wheel/cargo"
    chmod 755 "$tools/wheel/cargo"
    trap 'rm -f "$source"/python/LICENSE-*' EXIT
    cp LICENSE-APACHE LICENSE-MIT python/
    cp "$stage/THIRD-PARTY.txt" python/LICENSE-THIRD-PARTY.txt
    (cd python && CARGO=$tools/wheel/cargo maturin build --profile dist --target "$triple" --strip false \
        --compatibility manylinux2014 --sbom-include "$output/palmtop-$version.cdx.json" --out "$output")
}

main
