# Pinned versions of everything that set-up downloads. Sourced by the scripts beside it.
Z3_WHEEL=5.3.2.0
# Another release, for second opinions on certificates (`scripts/setup.sh second`).
Z3_SECOND_WHEEL=4.15.4.0
# Optional (`scripts/setup.sh solvers`).
YICES_WHEEL=2.6.5.post24
# Builds Z3 from source (`scripts/setup.sh vendored`); the oldest that Z3 takes.
CMAKE_WHEEL=4.4.4
CMAKE_OLDEST=3.26
# The newest 0.8 first; the others are the last release of each older language version.
SOLC_VERSIONS="0.8.37 0.7.6 0.6.12 0.5.17 0.4.26"
# What `make real-world` and `make bench` read, as npm alias=package@version.
REAL_WORLD="oz5=@openzeppelin/contracts@^5 oz4=@openzeppelin/contracts@~4.9 solmate=solmate@^6 solady=solady@^0.1 uniswap-v2=@uniswap/v2-core@^1 uniswap-v3=@uniswap/v3-core@^1"
# Runs the tests that counterexamples become.
FORGE=1.7.1
# A headless browser for the tests of HTML reports, and what drives it.
CHROMIUM=153.0.0
PUPPETEER=24.8.2
# The validator of SARIF, with the schema in it.
SARIF_MULTITOOL=5.7.0
# A project of theirs is built with Hornet in the place of solc.
HARDHAT=3.18.0
HARDHAT_EDR=0.22.0
HARDHAT_NODE=22.23.3
# Makes the book of docs/.
MDBOOK=0.5.4
