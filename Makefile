# The commands a person uses. `make help` lists them.

SWIFT ?= swift
# SwiftPM repeats what pkg-config says of compiler flags; it is no news.
QUIET = 2>&1 | { grep -v "prohibited flag(s)" || true; }
SHELL = /bin/bash
.SHELLFLAGS = -o pipefail -ec

.PHONY: help deps build demo test bench lint format

help:
	@echo "make demo      install what is missing, build, and watch a recorded drag go through the engine"
	@echo "make test      install what is missing, build, and run the tests"
	@echo "make bench     measure beside the comparators, as far as they are there"
	@echo "make lint      check the formatting and build without warnings"
	@echo "make format    format the sources"
	@echo "make install   build for release and install; DESTDIR= PREFIX=/usr/local"

deps:
	@.ci/install.sh

build: deps
	$(SWIFT) build $(QUIET)

demo: build
	@docs/demo/run.sh

test: build
	$(SWIFT) build --build-tests $(QUIET)
	$(SWIFT) test --skip-build $(QUIET)

lint: deps
	$(SWIFT) format lint --strict --recursive --parallel Sources Tests Package.swift $(wildcard Benchmarks)
	$(SWIFT) build $(QUIET)

format:
	$(SWIFT) format format --in-place --recursive --parallel Sources Tests Package.swift $(wildcard Benchmarks)
