# The commands a person uses. `make help` lists them.

SWIFT ?= swift
# SwiftPM repeats what pkg-config says of compiler flags; it is no news.
QUIET = 2>&1 | { grep -v "prohibited flag(s)" || true; }
SHELL = /bin/bash
.SHELLFLAGS = -o pipefail -ec

.PHONY: help deps build demo test test-kernel bench lint format

help:
	@echo "make demo      install what is missing, build, and watch a recorded drag go through the engine"
	@echo "make test      install what is missing, build, and run the tests"
	@echo "make test-kernel   run the engine on real device nodes in a virtual machine"
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

# A built engine in a virtual machine with a real kernel, udevd and uinput.
test-kernel: release
	@built=$$($(RELEASE) --show-bin-path 2>/dev/null); Tests/Kernel/run.sh $$built

bench: deps
	@Benchmarks/run.py $(BENCHFLAGS)

lint: deps
	$(SWIFT) format lint --strict --recursive --parallel Sources Tests Package.swift $(wildcard Benchmarks)
	$(SWIFT) build $(QUIET)

format:
	$(SWIFT) format format --in-place --recursive --parallel Sources Tests Package.swift $(wildcard Benchmarks)

# --- Installing. DESTDIR= for packagers, PREFIX= for people. ---

PREFIX ?= /usr/local
DESTDIR ?=
VERSION := $(shell sed -n 's/.*version = "\([0-9.]*\)"$$/\1/p' Sources/CarryDaemon/Daemon.swift)
SOVERSION := $(firstword $(subst ., ,$(VERSION)))
INSTALL ?= install
STRIP ?= strip

bindir = $(PREFIX)/bin
libdir = $(PREFIX)/lib
includedir = $(PREFIX)/include
datadir = $(PREFIX)/share
# Root installs rules where the distribution has its own; a prefix of one's own keeps them inside.
udevdir = $(if $(filter /usr /usr/local,$(PREFIX)),/usr/lib/udev,$(PREFIX)/lib/udev)
to = $(DESTDIR)

# No Swift is needed where these run: the standard library is inside. SwiftPM builds one product at a time.
RELEASE = $(SWIFT) build -c release --static-swift-stdlib

.PHONY: release install uninstall

release: deps
	for product in carryd carry carryabi; do \
	  $(RELEASE) --product $$product $(QUIET); \
	done

install: release
	built=$$($(RELEASE) --show-bin-path 2>/dev/null); \
	$(INSTALL) -d $(to)$(bindir) $(to)$(libdir)/pkgconfig $(to)$(includedir) $(to)$(datadir)/carry/protocol; \
	for program in carry carryd; do \
	  $(INSTALL) -m 755 $$built/$$program $(to)$(bindir)/$$program; \
	  $(STRIP) --strip-all $(to)$(bindir)/$$program; \
	done; \
	$(INSTALL) -m 755 $$built/libcarryabi.so $(to)$(libdir)/libcarry.so.$(VERSION); \
	$(STRIP) --strip-all $(to)$(libdir)/libcarry.so.$(VERSION); \
	ln -sf libcarry.so.$(VERSION) $(to)$(libdir)/libcarry.so.$(SOVERSION); \
	ln -sf libcarry.so.$(SOVERSION) $(to)$(libdir)/libcarry.so; \
	$(INSTALL) -m 644 Sources/CCarry/include/carry.h $(to)$(includedir)/carry.h; \
	$(INSTALL) -m 644 Sources/CWayland/protocol/carry-v1.xml $(to)$(datadir)/carry/protocol/carry-v1.xml; \
	printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$${prefix}/lib' 'includedir=$${prefix}/include' \
	  'datadir=$${prefix}/share' 'protocoldir=$${datadir}/carry/protocol' '' 'Name: carry' \
	  'Description: Multi-touch drag and drop between X clients' 'Version: $(VERSION)' \
	  'Libs: -L$${libdir} -lcarry' 'Cflags: -I$${includedir}' > $(to)$(libdir)/pkgconfig/carry.pc; \
	for page in $(wildcard docs/man/*.[1-9]); do \
	  $(INSTALL) -D -m 644 $$page $(to)$(datadir)/man/man$${page##*.}/$${page##*/}; \
	done; \
	for rule in $(wildcard udev/*.rules); do $(INSTALL) -D -m 644 $$rule $(to)$(udevdir)/rules.d/$${rule##*/}; done
	if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" = 0 ]; then ldconfig || true; fi

uninstall:
	rm -f $(to)$(bindir)/carry $(to)$(bindir)/carryd $(to)$(includedir)/carry.h $(to)$(libdir)/pkgconfig/carry.pc
	rm -f $(to)$(libdir)/libcarry.so $(to)$(libdir)/libcarry.so.$(SOVERSION) $(to)$(libdir)/libcarry.so.$(VERSION)
	rm -f $(foreach p,$(wildcard docs/man/*.[1-9]),$(to)$(datadir)/man/man$(subst .,,$(suffix $(p)))/$(notdir $(p)))
	rm -f $(foreach r,$(wildcard udev/*.rules),$(to)$(udevdir)/rules.d/$(notdir $(r)))
	rm -f $(to)$(datadir)/carry/protocol/carry-v1.xml
	rmdir --ignore-fail-on-non-empty $(to)$(datadir)/carry/protocol $(to)$(datadir)/carry 2>/dev/null || true
