# The commands a person uses.

SWIFT ?= swift
SHELL = /bin/bash
.SHELLFLAGS = -o pipefail -ec

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

release:
	for product in carryd carry carryabi; do \
	  $(RELEASE) --product $$product 2>&1 | { grep -v "prohibited flag(s)" || true; }; \
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
