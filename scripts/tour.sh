#!/usr/bin/env bash
# A newcomer's first hour: a new project, a counterexample, its fix, the proof, a gas budget, a report in a browser, and
# a build with Hornet in the place of the compiler. Every step has to end as it should.
# Usage: scripts/tour.sh path/to/hornet path/to/toolchain [folder for the report and its picture]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
hornet=$(realpath "${1:?path to the hornet binary}")
tools=$(realpath "${2:?path to the folder that set-up filled}")
project=$(mktemp -d)
trap 'rm -rf "$project"' EXIT
kept=$(realpath "${3:-$PWD}")
. "$here/scripts/show.sh"

say() { printf '\n— %s\n' "$*"; }
# Something that was printed has to say this.
wants() { grep -qF -- "$1" "$project/said" || { echo "nothing says: $1" >&2; exit 1; }; }

say "A new Foundry project, and a contract whose author forgot something"
cd "$project"
mkdir src
printf '[profile.default]\noptimizer = true\n' > foundry.toml
cp "$here/testdata/tour/Piggy.sol" src/
show init
show config

say "What is wrong with it? Transactions that break it, seen on an EVM"
show_exit 1 verify --test-out test | tee said
wants "violated: assertion can fail"
wants "confirmed on the EVM"
ls test/*.t.sol

say "The books are put in order before anybody is paid"
diff src/Piggy.sol "$here/testdata/tour/PiggyFixed.sol" || true
cp "$here/testdata/tour/PiggyFixed.sol" src/Piggy.sol
show_exit 0 verify --explain | tee said
wants "5 proved"

say "What does it cost? A budget that is too small, and one that is met"
sed -i 's/^\[gas.budgets\]$/&\n"Piggy.save" = 30000/' hornet.toml
show_exit 1 gas --timeout 5 | tee said
wants "30000"
sed -i 's/= 30000/= 60000/' hornet.toml
show_exit 0 gas --timeout 5

say "A report for those who were not here"
show_exit 0 verify --gas --report audit.html
cp audit.html "$kept/"
node "$here/cli/tests/browser/screenshot.mjs" "$tools/browser" "$kept/audit.html" "$kept/audit.png"
echo "$kept/audit.html, as a browser shows it: $kept/audit.png"

say "Hornet in the place of the compiler: forge build --use solc"
ln -s "$hornet" solc
rm -r test
forge=$tools/forge/node_modules/@foundry-rs/forge-linux-amd64/bin/forge
cp "$here/testdata/tour/Piggy.sol" src/
HORNET_TIME=60 "$forge" build --force --offline --use "$project/solc" 2>&1 | tee said
wants "(71001)"
cp "$here/testdata/tour/PiggyFixed.sol" src/Piggy.sol
HORNET_DENY=violated HORNET_TIME=60 "$forge" build --force --offline --use "$project/solc"
say "That is all"
