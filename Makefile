# `make help` lists the targets.

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
# Passed to Tests/Benchmarks/run.py, for example BENCH_FLAGS="--rounds 9".
BENCH_FLAGS ?=
# Which mutations `make mutate` applies: parts of their names. Default: all.
MUTATIONS ?=
# Additional build options for the tests, for example TAFFRAIL_BUILD_FLAGS="-debug-info-format none", which takes less
# time.
TAFFRAIL_BUILD_FLAGS ?=
# The tests that are built and run under ThreadSanitizer: those of the core, without the suites that fork or kill
# programs, because the sanitizer does not support threads in forked children.
TSAN_TESTS ?= TaffrailTests,TaffrailReadingTests,CoreEndToEndTests,CommandEndToEndTests
TSAN_SKIP ?= KillTests|EndTests|SignalTests|LogrotateTests|FakeTimeTests|ManyProcessesTests|ClosedDescriptorTests|ForkTests

ALL_TRAITS = --enable-all-traits
# The package manager defines the traits in the order of a set. In another order everything would be compiled again.
BUILD = SWIFT_DETERMINISTIC_HASHING=1 $(SWIFT) build $(ALL_TRAITS)
# Only what the demo needs, in a separate directory, because with other traits everything is compiled again.
DEMO = SWIFT_DETERMINISTIC_HASHING=1 $(SWIFT) build --traits Command,Configuration,Journald --scratch-path .build-demo
SOAK = TAFFRAIL_SOAK=1 $(SWIFT) test -c release -Xswiftc -enable-testing -Xswiftc -DTAFFRAIL_TESTABLE --scratch-path .build-soak \
	$(ALL_TRAITS) --disable-xctest
SOURCES = $(wildcard Package.swift Sources Plugins Tests Examples)

.DEFAULT_GOAL := help
.PHONY: help demo demo-pinger demo-viewer test test-tsan soak mutate fuzz format lint bench geocoder-data otlp-proto binary install \
	uninstall deb clean

help: ## Shows this list.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

demo: ## Builds the command and demonstrates it, in less than a minute once built.
	.ci/install-packages test
	$(DEMO) --product taffrail
	$(DEMO) --product HelloLog
	Examples/demo.sh .build-demo/debug
	Examples/demo-configuration.sh .build-demo/debug

demo-pinger: ## Replays a day through the pinger, with kills, and compares the pings; a minute once built.
	.ci/install-packages test
	SWIFT_DETERMINISTIC_HASHING=1 Examples/demo-pinger.sh

demo-viewer: ## Shows a replayed drive and its log lines in the browser, until Ctrl-C.
	.ci/install-packages test
	SWIFT_DETERMINISTIC_HASHING=1 Examples/demo-viewer.sh

test: ## Builds everything and runs the tests, with every trait.
	.ci/install-packages test
	-.ci/tools
	$(BUILD) $(TAFFRAIL_BUILD_FLAGS) --build-tests
	$(SWIFT) test $(ALL_TRAITS) $(TAFFRAIL_BUILD_FLAGS) --disable-xctest --skip-build

test-tsan: ## Runs the core's tests under the ThreadSanitizer.
	SWIFT_BACKTRACE=enable=no TAFFRAIL_TESTS=$(TSAN_TESTS) $(SWIFT) test --sanitize=thread --scratch-path .build-tsan \
		--disable-xctest --skip '$(TSAN_SKIP)'

soak: ## Runs the long forms of the tests, optimized, followed by ten minutes of replays.
	.ci/install-packages test
	$(SOAK) --skip TimingTests
	$(SOAK) --filter TimingTests

mutate: ## Breaks the sources as listed in Tests/Mutations; fails if a mutation is not detected.
	.ci/install-packages test
	Tests/Mutations/run $(MUTATIONS)

fuzz: ## Fuzzes the readers of other programs' files, a minute each.
	Tests/Fuzz/run

format: ## Formats the sources in place.
	$(SWIFT) format -i -r -p $(SOURCES)

lint: ## Checks the format of the sources, and that the mutations fit them.
	$(SWIFT) format lint --strict -r -p $(SOURCES)
	Tests/Mutations/run --check

bench: ## Runs the benchmarks against the peers; prints a table and writes .build-bench/results.json.
	.ci/install-packages bench
	Tests/Benchmarks/run.py $(BENCH_FLAGS)
	Tests/Benchmarks/replay.py
	Tests/Benchmarks/geo.py

geocoder-data: ## Downloads data and builds .build-geocoder/geocoder.db from it.
	$(BUILD) -c release --product taffrail --scratch-path .build-install
	.ci/geocoder-data .build-geocoder .build-install/release/taffrail

otlp-proto: ## Generates the Swift code of OTLP's messages (PyPI's opentelemetry-proto).
	.ci/otlp-tools .build-otlp
	$(BUILD) --product protoc-gen-swift
	.build-otlp/bin/python3 .ci/otlp-proto .build/debug/protoc-gen-swift Tests/Unit/TaffrailHTTPRemote/OTLP

# The command with the Swift libraries linked statically, and without symbols.
binary:
	$(BUILD) -c release --static-swift-stdlib -Xlinker -s --product taffrail \
		--scratch-path .build-install

install: binary ## Installs command, get-logs, completions, manual and units below PREFIX.
	PREFIX='$(PREFIX)' Packaging/install .build-install/release/taffrail '$(DESTDIR)'

uninstall: ## Removes the files installed by `make install` below PREFIX.
	PREFIX='$(PREFIX)' Packaging/uninstall '$(DESTDIR)'

deb: binary ## Builds a Debian package in .build-install, checked by lintian if installed.
	Packaging/deb .build-install/release/taffrail .build-install/deb
	if command -v lintian >/dev/null; then lintian --fail-on error,warning .build-install/deb/*.deb; fi

clean: ## Removes everything that was built.
	rm -rf .build .build-*
