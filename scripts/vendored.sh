#!/usr/bin/env bash
# Installs a Hornet that needs nothing beside itself, with a Z3 built from source (half an hour the first time), and tries
# it where there is nothing else: no home, no search path, no z3, no Node, no solc.
# Usage: scripts/vendored.sh ROOT       (makes ROOT/bin/hornet)
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
root=${1:?where to install}
cache=${HORNET_CACHE:-$HOME/.cache/hornet}

fail() { echo "vendored: $*" >&2; exit 1; }

has_format() { echo '#include <format>' | "$@" -std=c++20 -x c++ -fsyntax-only - 2>/dev/null; }

# Z3 needs a C++ library with <format>. The usual compiler where it has that, else the newest clang with libc++.
choose_compiler() {
    local clang
    # shellcheck disable=SC2086
    if has_format "${CXX:-c++}" ${CXXFLAGS:-}; then return; fi
    for clang in $(compgen -c clang++ | grep -E '^clang\+\+(-[0-9]+)?$' | sort -uVr); do
        if has_format "$clang" -stdlib=libc++; then
            export CXX=$clang CC=${clang/++/} CXXFLAGS=-stdlib=libc++
            return
        fi
    done
    fail "Z3 needs GCC 13 or newer, or clang with libc++ 17 or newer (Debian: apt-get install clang-19 libc++-19-dev libc++abi-19-dev)"
}

build() {
    "$here/scripts/setup.sh" vendored
    export PATH="$cache/cmake/bin:$PATH"
    choose_compiler
    echo "vendored: $(cmake --version | head -n 1), ${CXX:-c++}" >&2
    cd "$here"
    cargo install --locked --path cli --features vendored --root "$root"
}

# The program under another name and place, in an environment of its own.
alone() { env -i PATH=/nonexistent HOME="$work/home" "$work/hornet" "$@"; }

try() {
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    mkdir "$work/home"
    cp "$root/bin/hornet" "$here/docs/src/examples/bank.sol" "$here/docs/src/examples/bank_fixed.sol" "$work/"
    if ldd "$work/hornet" | grep -E 'libz3|libstdc\+\+|libc\+\+'; then fail "the program asks for libraries that others may not have"; fi
    cd "$work"
    # What was fetched for the build is where the program looks first; it must do without.
    mv "$here/.toolchain" "$here/.toolchain.away"
    trap 'mv "$here/.toolchain.away" "$here/.toolchain"; rm -rf "$work"' EXIT
    alone verify bank_fixed.sol || fail "a correct contract is not proved"
    local said code=0
    said=$(alone verify bank.sol) || code=$?
    echo "$said"
    [ "$code" = 1 ] && grep -q "confirmed on the EVM" <<< "$said" || fail "the bug is not found and seen on the EVM"
}

build
try
ls -l "$root/bin/hornet"
