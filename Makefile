# Every target does its own set-up (z3, solc); the first run downloads, later ones find it done.
# Build products and downloads live in the cache folder, outside the checkout.
SHELL := /bin/bash
.DEFAULT_GOAL := help

export HORNET_CACHE ?= $(HOME)/.cache/hornet
# One build folder per checkout: cargo tells clones apart by time stamps only, and would take one's products for
# another's. A CI clone is always newer than what the last one left, wherever it is: those share a folder.
ifeq ($(CI),true)
checkout := ci
else
checkout := $(shell printf '%s' '$(CURDIR)' | cksum | cut -d' ' -f1)
endif
export CARGO_TARGET_DIR ?= $(HORNET_CACHE)/target/$(checkout)

CORPORA ?= ../shared/corpora
DIR ?= $(CORPORA)/semantics
BACKEND ?= interp
CALLS ?= 2000
SEED ?= 1
CASES ?= 20000
RUNS ?= 10000

# Tests, demo and tools share one lightly optimised build, so that nothing is compiled twice; PROFILE=release for more.
PROFILE ?= dev
built = $(CARGO_TARGET_DIR)/$(if $(filter dev,$(PROFILE)),debug,$(PROFILE))
DEV = cargo run -q --profile $(PROFILE) -p hornet-tools --
NEWEST_SOLC := $(shell . scripts/versions.sh; set -- $$SOLC_VERSIONS; echo $$1)
list := $(if $(LIST),--list)

.PHONY: help setup packages demo test test-tools tour plugin-test book vendored bless bench conformance types differential attack mutants storm evidence versus-solc robustness real-world gas-soundness gas-versus-solc gas-tightness fmt lint fuzz

help:
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1	\2/p' Makefile | expand -t 24

setup:
	@scripts/setup.sh

packages:
	@scripts/setup.sh packages

demo: setup ## a proof, a counterexample, a gas table, and calls through the interpreter and the EVM side by side
	@cargo build -q --profile $(PROFILE) -p hornet
	@scripts/demo.sh "$(built)/hornet"

test-tools:
	@scripts/setup.sh test

test: test-tools ## all tests
	@cargo test -q --workspace

tour: test-tools ## a newcomer's session: a bug, its fix, the proof, a gas budget, a report in a browser, a build with forge
	@cargo build -q --profile $(PROFILE) -p hornet
	@scripts/tour.sh "$(built)/hornet" "$(HORNET_CACHE)" "$(or $(OUT),$(HORNET_CACHE))"

plugin-test: test-tools ## Hornet in the place of solc: a Foundry project and a Hardhat project, built by their tools
	@cargo test -q -p hornet --test plugin

book: ## the book of docs/ as pages, in docs/book
	@scripts/setup.sh book
	@"$(HORNET_CACHE)/mdbook/bin/mdbook" build docs

vendored: ## [ROOT=…]: one program with Z3 and solc inside, built from source (half an hour) and tried where nothing else is
	@scripts/vendored.sh "$(or $(ROOT),$(HORNET_CACHE)/vendored)"

bless: setup ## rewrite the expected output in testdata and docs; review the difference
	@HORNET_BLESS=1 cargo test -q -p hornet --test golden --test docs --test gas
	@HORNET_BLESS=1 cargo test -q -p hornet-gas --test classes golden

bench: PROFILE = release
bench: packages ## speed of the front end on real code, of verification and of gas analysis, start-up time of the binary
	@cargo build -q --release -p hornet
	@$(DEV) bench --hornet "$(built)/hornet" $(addprefix --modular ,testdata/verify $(wildcard $(CORPORA)/solc-verify)) --usual $(or $(wildcard $(CORPORA)/smtchecker),testdata/unannotated)

conformance: setup ## DIR=… [LIST=1] [BACKEND=interp|evm]: recorded calls against their recorded results
	@$(DEV) conformance --backend $(BACKEND) $(list) $(DIR)

types: setup ## [DIR=…] [LIST=1]: our type of every expression against solc's
	@$(DEV) types $(list) $(if $(filter command line,$(origin DIR)),$(DIR),$(CORPORA))

differential: setup ## [CALLS=n] [SEED=n]: generated contracts, interpreter against solc + revm
	@$(DEV) differential --calls $(CALLS) --seed $(SEED)

attack: setup ## [RUNS=n] [DIR=…] [SEED=n]: random runs against everything that the modular engine proves
	@$(DEV) attack --runs $(RUNS) --seed $(SEED) $(if $(filter command line,$(origin DIR)),$(DIR),testdata/verify)

mutants: setup ## [DIR=…]: changed contracts that should not be proved any more
	@$(DEV) mutants $(if $(filter command line,$(origin DIR)),$(DIR),testdata/verify)

storm: PROFILE = release
storm: setup ## [DIR=…] [TXS=n] [SEED=n] [LIST=1]: random transactions on the EVM against everything that is proved
	@cargo build -q --release -p hornet
	@$(DEV) storm --hornet "$(built)/hornet" --transactions $(or $(TXS),4000) --seed $(SEED) $(list) $(if $(filter command line,$(origin DIR)),$(DIR),testdata/unannotated)

evidence: PROFILE = release
evidence: setup ## [DIR=…]: every counterexample seen on the EVM, every certificate accepted by another solver, all pairs told apart
	@scripts/setup.sh second
	@cargo build -q --release -p hornet
	@$(DEV) evidence --hornet "$(built)/hornet" --second "$(HORNET_CACHE)/z3-second/bin/z3" $(if $(filter command line,$(origin DIR)),$(DIR),testdata/unannotated)
	@HORNET_EVIDENCE=all cargo test -q --release -p hornet --test evidence

versus-solc: PROFILE = release
versus-solc: setup ## [DIR=…] [LIST=1]: the same assertions, decided by Hornet and by solc's own model checker with the same z3
	@cargo build -q --release -p hornet
	@node scripts/versus-solc.js "$(built)/hornet" "$(HORNET_CACHE)/solc/node_modules/solc-$(NEWEST_SOLC)" "$(HORNET_CACHE)/z3/bin/z3" $(if $(filter command line,$(origin DIR)),$(DIR),testdata/unannotated) $(list)

gas-soundness: packages ## [TXS=n] [CONTRACTS=…] [LIST=1] [SEED=n]: random transactions against gas ceilings; none may exceed its own
	@$(DEV) gas-soundness --transactions $(or $(TXS),200000) --seed $(SEED) $(list) $(or $(CONTRACTS),testdata/unannotated testdata/gas testdata/packages)

gas-versus-solc: packages ## [CONTRACTS=…] [LIST=1]: ceilings of functions against the estimates of solc
	@cargo build -q --profile $(PROFILE) -p hornet
	@node scripts/gas-versus-solc.js "$(built)/hornet" "$(HORNET_CACHE)/solc/node_modules/solc-$(NEWEST_SOLC)" "$(HORNET_CACHE)/packages/node_modules" $(list) $(or $(CONTRACTS),testdata/unannotated testdata/gas testdata/packages)

gas-tightness: PROFILE = release
gas-tightness: setup ## [CONTRACTS=…] [LIST=1] [TIME=s] [FACTOR=n] [EVERY=n]: ceilings against the dearest known runs, those against a random search of FACTOR times the time
	@$(DEV) gas-tightness --seed $(SEED) $(list) $(if $(TIME),--time $(TIME)) $(if $(FACTOR),--factor $(FACTOR)) $(if $(EVERY),--every $(EVERY)) $(or $(CONTRACTS),testdata/unannotated)

robustness: PROFILE = release
robustness: setup ## [DIR=…] [FILES=n] [SEED=n]: many files as one project, shared caches, terminals of all kinds, Ctrl-C at any moment
	@cargo build -q --release -p hornet
	@scripts/robustness.py "$(built)/hornet" $(if $(filter command line,$(origin DIR)),$(DIR),testdata) $(or $(FILES),500) $(SEED)

real-world: packages ## [LIST=1]: share of functions of well-known packages that lower completely
	@$(DEV) real-world $(list)

fmt: ## format the code
	@cargo fmt --all

lint: setup ## clippy, warnings denied
	@cargo clippy -q --workspace --all-targets -- -D warnings

fuzz: setup ## [CASES=n]: hostile input for the front end
	@PROPTEST_CASES=$(CASES) cargo test --release -p hornet-frontend --test fuzz --test fuzz_compile
