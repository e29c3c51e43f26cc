#!/usr/bin/env bash
# Packs a built Hornet with what it needs at run time, so that it works wherever it is unpacked: the program, libz3 beside
# it, the z3 program, manual pages, completions. The newest Solidity compiler is built in; `share/hornet/scripts/setup.sh solc` fetches others.
# Usage: scripts/package.sh path/to/hornet NAME      (makes NAME.tar.gz in the current folder)
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
hornet=$(realpath "${1:?path to the hornet binary}")
name=${2:?name of the archive}
z3=${HORNET_CACHE:-$HOME/.cache/hornet}/z3

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/$name
install -D "$hornet" "$root/bin/hornet"
install -D "$z3/bin/z3" "$root/bin/z3"
mkdir -p "$root/lib"
# The loader asks for the name with the version in it; links become files.
for lib in "$z3"/lib/libz3.so.*; do cp -L "$lib" "$root/lib/"; done

"$hornet" man --out "$root/share/man/man1"
completions() { install -D -m 644 /dev/stdin "$root/share/$2" < <("$hornet" completions "$1"); }
completions bash bash-completion/completions/hornet
completions zsh zsh/site-functions/_hornet
completions fish fish/vendor_completions.d/hornet.fish

mkdir -p "$root/share/hornet/scripts" "$root/share/doc/hornet"
cp "$here"/scripts/{setup.sh,versions.sh,unpack-solc.js} "$root/share/hornet/scripts/"
cp "$here"/{README.md,CHANGELOG.md,LICENSE-MIT,LICENSE-APACHE} "$root/share/doc/hornet/"
tar -czf "$name.tar.gz" -C "$work" "$name"
echo "$name.tar.gz"
