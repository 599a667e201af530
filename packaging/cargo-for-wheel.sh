#!/bin/sh
# The `cargo` that maturin calls: it builds for GLIBC 2.17, with the flags of the other packages.
case " $* " in
*" rustc "* | *" build "*)
    words=
    for word in "$@"; do
        [ "$word" = x86_64-unknown-linux-gnu ] && word=$word.2.17
        words="$words '$word'"
    done
    eval "set -- $words"
    SOURCE_DATE_EPOCH=315532800 exec cargo-zigbuild "$@"
    ;;
*) exec cargo "$@" ;;
esac
