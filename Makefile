# The commands a person uses. `make help` lists them.

SWIFT ?= swift
# SwiftPM repeats what pkg-config says of compiler flags; it is no news.
QUIET = 2>&1 | { grep -v "prohibited flag(s)" || true; }
SHELL = /bin/bash
.SHELLFLAGS = -o pipefail -ec

.PHONY: help deps build gtk qt demo demo-213 demo-227 demo-toolkits demos film film-desktop docs looks test test-sanitize test-fuzz test-kernel test-peers bench lint format

help:
	@echo "make demo      install what is missing, build, and watch a scripted drag go through the engine"
	@echo "make demo-213  the same with two demo apps: images go from Drag Source to Drop Destination"
	@echo "make demo-227  scenes of data: a file opened in place, a search, slow photos, a map, a folder that forbids"
	@echo "make demo-toolkits two hands over applications of GTK 4 and QML: a photo sorter and a palette"
	@echo "make demos     build the demo apps, carry-pinboard and its like, in .build/debug"
	@echo "make gtk       build the widgets of GTK, libcarry-gtk4 and libcarry-gtk3, in .build/gtk"
	@echo "make qt        build the widgets of Qt 6, libcarry-qt6, in .build/qt; needs cmake"
	@echo "make film      play two hands and three drags over the demo apps, and keep a video of it: .build/film.mp4"
	@echo "make film-desktop  the same with a file manager, a browser and the shelf: .build/film-desktop.mp4"
	@echo "make test      install what is missing, build, and run the tests"
	@echo "make test-sanitize run the tests that need no X server and no engine under AddressSanitizer and ThreadSanitizer"
	@echo "make test-kernel   run the engine on real device nodes in a virtual machine"
	@echo "make test-fuzz     feed the parsers of files and dropped data with bytes that libFuzzer makes up; FUZZFLAGS=\"60 vcards\""
	@echo "make test-peers    drag onto and out of existing applications, installing them: writes docs/conformance.md; a quarter of an hour"
	@echo "make bench     measure beside the comparators, as far as they are there"
	@echo "make looks     draw every kind of preview on a sheet, into .build/looks"
	@echo "make docs      a site of the guides and references, into .build/docs"
	@echo "make lint      check the formatting and build without warnings"
	@echo "make format    format the sources"
	@echo "make release   install what building needs, and build what make install installs"
	@echo "make install   install what make release has built; DESTDIR= PREFIX=/usr/local"
	@echo "make uninstall remove what make install installed"
	@echo "make deb       build Debian packages into .build/deb"
	@echo "make dist      make the files of a release from the commit that is checked out, into .build/dist"
	@echo "make test-dist build RPM and Arch packages from them, as far as rpmbuild and makepkg are there; takes minutes"
	@echo "make test-chroot   build Debian packages in a clean system, install and use them in another; as root"
	@echo "make test-deb  build them, install and use them here, purge them; as root, on a machine that may be changed"

deps:
	@.ci/install.sh

build: deps
	$(SWIFT) build $(QUIET)

demo: build
	@docs/demo/run.sh

# Widgets of GTK, with the library of this build, in .build/gtk. Toolkits/gtk/Makefile installs them.
gtk: build
	@lib="$$($(SWIFT) build --show-bin-path 2>/dev/null)"; mkdir -p .build/gtk; \
	ln -sf "$$lib/libcarryabi.so" .build/gtk/libcarry.so.$(SOVERSION); \
	ln -sf libcarry.so.$(SOVERSION) .build/gtk/libcarry.so; \
	LD_LIBRARY_PATH=$(CURDIR)/.build/gtk $(MAKE) --no-print-directory -C Toolkits/gtk all examples \
	  BUILD=$(CURDIR)/.build/gtk LDFLAGS=-Wl,-rpath,$(CURDIR)/.build/gtk \
	  CARRY_CFLAGS="-I$(CURDIR)/Sources/Library/CCarry/include -I$(CURDIR)/Sources/Library/CCarry/glib" \
	  CARRY_LIBS="-L$(CURDIR)/.build/gtk -lcarry"

# The same for Qt 6, and the QML module in .build/qt/qml. Toolkits/qt/CMakeLists.txt installs them.
qt: build
	@lib="$$($(SWIFT) build --show-bin-path 2>/dev/null)"; mkdir -p .build/qt; \
	ln -sf "$$lib/libcarryabi.so" .build/qt/libcarry.so.$(SOVERSION); \
	cmake -S Toolkits/qt -B .build/qt -DCARRY_INCLUDE_DIR=$(CURDIR)/Sources/Library/CCarry/include \
	  -DCARRY_LIBRARY=$(CURDIR)/.build/qt/libcarry.so.$(SOVERSION); \
	cmake --build .build/qt --target all hello

# They are looked at, not installed.
apps = carry-pinboard carry-dock carry-notes carry-drag-source carry-drop-destination carry-mail carry-customers \
  carry-picture-editor carry-search carry-drawing carry-folder carry-map carry-demo-files
demos: deps
	for app in carryd carry $(apps); do $(SWIFT) build --product $$app $(QUIET); done

demo-213: demos
	@docs/demo/run-213.sh

demo-227: demos
	@docs/demo/run-227.sh

demo-toolkits: gtk qt
	@docs/demo/run-toolkits.sh

# Tests play them: what the videos show was checked while they were taken.
film: film-programs
	@CARRY_BUILD_DIR="$$($(SWIFT) build -c release --show-bin-path 2>/dev/null)" SWIFT="$(SWIFT)" docs/demo/film.sh

film-desktop: film-programs
	@CARRY_BUILD_DIR="$$($(SWIFT) build -c release --show-bin-path 2>/dev/null)" SWIFT="$(SWIFT)" docs/demo/film-desktop.sh

.PHONY: film-programs
film-programs: deps
	for product in carryd carry carry-pinboard carry-dock carry-notes carry-search; do \
	  $(SWIFT) build -c release --product $$product $(QUIET); \
	done
	$(SWIFT) build --build-tests $(QUIET)

# What failed is said once more at the end, where people look.
test: build
	$(SWIFT) build --build-tests $(QUIET)
	@Tests/run.sh "$$($(SWIFT) build --show-bin-path)"

# Tests without an X server and an engine: all code that they run is checked for errors of memory, then for races.
SANITIZERS ?= address thread
test-sanitize: deps
	@SWIFT="$(SWIFT)" Tests/sanitize.sh $(SANITIZERS)

# Guides, and references of every language. The toolchain brings docc. A module's symbols need the C modules that it is built on.
DOCC ?= $(shell dirname "$$(readlink -f "$$(command -v $(SWIFT))")")/docc
docs: docs-deps gtk
	$(SWIFT) build --target Carry $(QUIET)
	@if [ ! -x "$(DOCC)" ]; then echo "no docc at $(DOCC): set DOCC= to the toolchain's" >&2; exit 1; fi
	@rm -rf .build/docs .build/symbols; mkdir -p .build/symbols .build/docs; \
	built=$$($(SWIFT) build --show-bin-path 2>/dev/null); c="-Xcc -fmodule-map-file=Sources/Platform/CXcb/module.modulemap"; \
	for m in CArchive CLinux CPixbuf CPortal CWayland CWaylandClient; do \
	  c="$$c -I Sources/Platform/$$m/include -Xcc -fmodule-map-file=$$built/$$m.build/module.modulemap"; \
	done; \
	$(SWIFT) symbolgraph-extract -module-name Carry -I $$built/Modules $$c -output-dir .build/symbols \
	  -experimental-allowed-reexported-modules=CarryTransfers,CarryTypes \
	  -minimum-access-level public -skip-synthesized-members -skip-inherited-docs -target "$$($(SWIFT) -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)",/\1/p')"; \
	$(DOCC) convert Sources/Library/Carry/Carry.docc --additional-symbol-graph-dir .build/symbols \
	  --fallback-display-name Carry --fallback-bundle-identifier carry --warnings-as-errors --transform-for-static-hosting \
	  --hosting-base-path swift --output-path .build/docs/swift
	@docs/site/build.py .build/docs
	@echo "python3 -m http.server -d .build/docs, then http://localhost:8000"

# A built engine in a virtual machine with a real kernel, udevd and uinput.
# What the tests are built from is linked once more: who runs it there may not be able to read the toolchain.
test-kernel: build-deps
	for product in carryd carry; do \
	  $(SWIFT) build --static-swift-stdlib --disable-local-rpath --product $$product $(QUIET); \
	done
	@Tests/Kernel/run.sh "$$($(SWIFT) build --show-bin-path)"

# Seconds for each parser, and which of them.
FUZZFLAGS ?= 30
test-fuzz: deps
	@SWIFT="$(SWIFT)" Tests/Fuzz/run.sh $(FUZZFLAGS)

# Existing applications and window managers, as far as Debian has them.
test-peers: build
	@.ci/install.sh peers
	@Tests/Conformance/run.py $$($(SWIFT) build --show-bin-path 2>/dev/null) --write docs/conformance.md

# The sheets of previews that the tests compare with, drawn now, for looking at: .build/looks
looks: build
	@mkdir -p .build/looks
	$(SWIFT) build --build-tests $(QUIET)
	CARRY_LOOKS=$(CURDIR)/.build/looks $(SWIFT) test --skip-build --filter DisplayTests/Sheets $(QUIET)
	@ls .build/looks/previews-*.png

bench: deps
	@Benchmarks/run.py $(BENCHFLAGS)

lint: deps
	$(SWIFT) format lint --strict --recursive --parallel Sources Demos Tests Package.swift $(wildcard Benchmarks)
	$(SWIFT) build $(QUIET)

format:
	$(SWIFT) format format --in-place --recursive --parallel Sources Demos Tests Package.swift $(wildcard Benchmarks)

# --- Installing. DESTDIR= for packagers, PREFIX= for people. ---

PREFIX ?= /usr/local
DESTDIR ?=
VERSION := $(shell sed -n 's/.*text: StaticString = "\([0-9.]*\)"$$/\1/p' Sources/Core/CarryModel/Values/Version.swift)
SOVERSION := $(firstword $(subst ., ,$(VERSION)))
INSTALL ?= install
STRIP ?= strip

bindir = $(PREFIX)/bin
libdir = $(PREFIX)/lib
includedir = $(PREFIX)/include
datadir = $(PREFIX)/share
# What udev and the desktop read in fixed places goes there; a prefix of one's own keeps all inside.
system = $(filter /usr /usr/local,$(PREFIX))
udevdir = $(if $(system),/usr/lib/udev,$(PREFIX)/lib/udev)
autostartdir = $(if $(system),/etc/xdg/autostart,$(PREFIX)/etc/xdg/autostart)
unitdir = $(PREFIX)/lib/systemd/user
bashdir = $(datadir)/bash-completion/completions
zshdir = $(datadir)/zsh/site-functions
fishdir = $(datadir)/fish/vendor_completions.d
to = $(DESTDIR)

# No Swift is needed where these run: the standard library is inside, and nothing is looked for beside them. SwiftPM
# builds one product at a time.
RELEASE = $(SWIFT) build -c release --static-swift-stdlib --disable-local-rpath

.PHONY: build-deps toolkit-deps docs-deps release binaries install uninstall deb test-deb dist test-dist test-chroot

build-deps:
	@.ci/install.sh build

toolkit-deps:
	@.ci/install.sh toolkits

docs-deps:
	@.ci/install.sh docs

release: build-deps binaries

# The same where the packages are there already, as in the build of a package.
binaries:
	for product in carryd carry carry-speak carryabi; do \
	  $(RELEASE) --product $$product $(QUIET); \
	done

# What is installed and is no program.
extra = Sources/Install

# Files with the path of the programs in them: SOURCE:PLACE:MODE. Dolphin takes a person's own entries only where they may
# be executed.
managers = $(extra)/file-managers
entries = $(extra)/carry.desktop.in:$(datadir)/applications/carry.desktop:644 \
  $(extra)/carry-settings.desktop.in:$(datadir)/applications/carry-settings.desktop:644 \
  $(extra)/settings.sh.in:$(datadir)/carry/settings.sh:755 \
  $(extra)/carry-drag.desktop.in:$(datadir)/applications/carry-drag.desktop:644 \
  $(managers)/thunar-sendto.desktop.in:$(datadir)/Thunar/sendto/carry.desktop:644 \
  $(managers)/action.desktop.in:$(datadir)/file-manager/actions/carry.desktop:644 \
  $(managers)/dolphin.desktop.in:$(datadir)/kio/servicemenus/carry.desktop:$(if $(system),644,755) \
  $(managers)/nautilus.sh.in:$(datadir)/carry/nautilus.sh:755
part = $(word $(2),$(subst :, ,$(1)))
define fill
$(INSTALL) -d $(to)$(dir $(call part,$(1),2))
	sed 's|@bindir@|$(bindir)|; s|@datadir@|$(datadir)|' $(call part,$(1),1) > $(to)$(call part,$(1),2)
	chmod $(call part,$(1),3) $(to)$(call part,$(1),2)
	
endef

# The guides, and the examples that they name.
docdir = $(datadir)/doc/carry
# The window of carry inspect, which carry finds there.
libexecdir = $(PREFIX)/libexec/carry
inspector = Toolkits/inspect/carry-inspect $(wildcard Toolkits/inspect/*.py)
guides = $(addprefix docs/,user-guide.md install.md security.md c-guide.md gtk.md qt.md python.md recordings.md \
  pointers.md trackpads.md file-managers.md conformance.md images/trackpads.svg images/toolkits.png)
examples = $(wildcard docs/examples/*.c docs/examples/*.py docs/examples/*.gestures) docs/examples/Makefile
# What uninstalling leaves empty, the innermost first. The system's own directories stay.
emptied = $(docdir)/examples $(docdir)/images $(docdir) $(datadir)/carry/protocol $(datadir)/carry $(datadir)/Thunar/sendto \
  $(datadir)/Thunar $(datadir)/file-manager/actions $(datadir)/file-manager $(datadir)/kio/servicemenus $(datadir)/kio \
  $(bashdir) $(datadir)/bash-completion $(zshdir) $(datadir)/zsh $(fishdir) $(datadir)/fish $(unitdir) \
  $(PREFIX)/lib/systemd $(udevdir)/rules.d $(udevdir) $(libexecdir) $(autostartdir) $(dir $(autostartdir)) $(libdir)/pkgconfig \
  $(if $(system),,$(datadir)/applications $(datadir)/doc $(datadir)/man/man1 $(datadir)/man/man5 $(datadir)/man $(datadir) \
    $(includedir) $(libdir) $(PREFIX)/lib $(PREFIX)/libexec $(bindir) $(PREFIX)/etc)

# Needs no Swift: root often has none in its PATH.
built = .build/release
install:
	@for file in carryd carry carry-speak libcarryabi.so; do \
	  if [ ! -e $(built)/$$file ]; then \
	    echo "$(built)/$$file is not there: run 'make release' first, as yourself, then this" >&2; exit 1; \
	  fi; \
	done
	built=$(built); \
	$(INSTALL) -d $(to)$(bindir) $(to)$(libdir)/pkgconfig $(to)$(includedir) $(to)$(datadir)/carry/protocol; \
	for program in carry carryd carry-speak; do \
	  $(INSTALL) -m 755 $$built/$$program $(to)$(bindir)/$$program; \
	  $(STRIP) --strip-all $(to)$(bindir)/$$program; \
	done; \
	$(INSTALL) -d $(to)$(libexecdir); \
	$(INSTALL) -m 644 $(filter %.py,$(inspector)) $(to)$(libexecdir); \
	$(INSTALL) -m 755 Toolkits/inspect/carry-inspect $(to)$(libexecdir)/carry-inspect; \
	$(INSTALL) -m 755 $$built/libcarryabi.so $(to)$(libdir)/libcarry.so.$(VERSION); \
	$(STRIP) --strip-all $(to)$(libdir)/libcarry.so.$(VERSION); \
	ln -sf libcarry.so.$(VERSION) $(to)$(libdir)/libcarry.so.$(SOVERSION); \
	ln -sf libcarry.so.$(SOVERSION) $(to)$(libdir)/libcarry.so; \
	$(INSTALL) -m 644 Sources/Library/CCarry/include/carry.h $(to)$(includedir)/carry.h; \
	$(INSTALL) -m 644 Sources/Library/CCarry/glib/carry-glib.h $(to)$(includedir)/carry-glib.h; \
	$(INSTALL) -m 644 Sources/Platform/CWayland/protocol/carry-v1.xml $(to)$(datadir)/carry/protocol/carry-v1.xml; \
	printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$(libdir:$(PREFIX)/%=$${prefix}/%)' 'includedir=$${prefix}/include' \
	  'datadir=$${prefix}/share' 'protocoldir=$${datadir}/carry/protocol' '' 'Name: carry' \
	  'Description: Multi-touch drag and drop between X clients' 'Version: $(VERSION)' \
	  'Libs: -L$${libdir} -lcarry' 'Cflags: -I$${includedir}' > $(to)$(libdir)/pkgconfig/carry.pc; \
	for page in $(wildcard docs/man/*.[1-9]); do \
	  $(INSTALL) -D -m 644 $$page $(to)$(datadir)/man/man$${page##*.}/$${page##*/}; \
	done; \
	for rule in $(wildcard udev/*.rules); do $(INSTALL) -D -m 644 $$rule $(to)$(udevdir)/rules.d/$${rule##*/}; done; \
	for file in $(guides) $(examples); do \
	  case $$file in *.py) mode=755;; *) mode=644;; esac; \
	  $(INSTALL) -D -m $$mode $$file $(to)$(docdir)/$${file#docs/}; \
	done; \
	$(INSTALL) -D -m 755 docs/examples/try.sh $(to)$(docdir)/examples/try.sh
	$(INSTALL) -D -m 644 $(extra)/carry.conf $(to)$(datadir)/carry/carry.conf
	$(INSTALL) -D -m 644 $(extra)/systemd/carry.socket $(to)$(unitdir)/carry.socket
	$(INSTALL) -d $(to)$(autostartdir)
	sed 's|@bindir@|$(bindir)|' $(extra)/systemd/carry.service.in > $(to)$(unitdir)/carry.service
	sed 's|@bindir@|$(bindir)|' $(extra)/carryd.desktop.in > $(to)$(autostartdir)/carryd.desktop
	sed 's|@bindir@|$(bindir)|' $(extra)/carry-speak.desktop.in > $(to)$(autostartdir)/carry-speak.desktop
	chmod 644 $(to)$(unitdir)/carry.service $(to)$(autostartdir)/*.desktop
	for program in carry carryd; do \
	  $(INSTALL) -D -m 644 $(extra)/completions/$$program.bash $(to)$(bashdir)/$$program; \
	  $(INSTALL) -D -m 644 $(extra)/completions/$$program.fish $(to)$(fishdir)/$$program.fish; \
	done
	$(INSTALL) -D -m 644 $(extra)/completions/_carry $(to)$(zshdir)/_carry
	$(foreach entry,$(entries),$(call fill,$(entry)))
	if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" = 0 ]; then \
	  ldconfig || true; \
	  udevadm control --reload 2>/dev/null && udevadm trigger --subsystem-match=input || true; \
	  update-desktop-database $(datadir)/applications 2>/dev/null || true; \
	fi

uninstall:
	rm -f $(to)$(bindir)/carry $(to)$(bindir)/carryd $(to)$(bindir)/carry-speak $(to)$(includedir)/carry.h $(to)$(includedir)/carry-glib.h $(to)$(libdir)/pkgconfig/carry.pc
	rm -f $(foreach f,$(inspector),$(to)$(libexecdir)/$(notdir $(f)))
	rm -f $(to)$(libdir)/libcarry.so $(to)$(libdir)/libcarry.so.$(SOVERSION) $(to)$(libdir)/libcarry.so.$(VERSION)
	rm -f $(foreach p,$(wildcard docs/man/*.[1-9]),$(to)$(datadir)/man/man$(subst .,,$(suffix $(p)))/$(notdir $(p)))
	rm -f $(foreach r,$(wildcard udev/*.rules),$(to)$(udevdir)/rules.d/$(notdir $(r)))
	rm -f $(to)$(datadir)/carry/protocol/carry-v1.xml $(to)$(datadir)/carry/carry.conf
	rm -f $(foreach entry,$(entries),$(to)$(call part,$(entry),2))
	rm -f $(to)$(unitdir)/carry.socket $(to)$(unitdir)/carry.service $(to)$(autostartdir)/carryd.desktop $(to)$(autostartdir)/carry-speak.desktop
	rm -f $(foreach p,carry carryd,$(to)$(bashdir)/$(p) $(to)$(fishdir)/$(p).fish) $(to)$(zshdir)/_carry
	rm -f $(foreach f,$(guides) $(examples) docs/examples/try.sh,$(to)$(docdir)/$(f:docs/%=%))
	rmdir --ignore-fail-on-non-empty $(addprefix $(to),$(emptied)) 2>/dev/null || true
	if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" = 0 ]; then \
	  ldconfig || true; \
	  update-desktop-database $(datadir)/applications 2>/dev/null || true; \
	  [ "$$(ls -A $(datadir)/applications 2>/dev/null)" != mimeinfo.cache ] || rm -f $(datadir)/applications/mimeinfo.cache; \
	fi

# A source archive, and what makes packages of it where Debian's tools are not.
dist:
	@Sources/Install/dist.sh .build/dist

# Each is built from the archive alone, in an empty directory.
test-dist: dist
	@SWIFT="$$(command -v $(SWIFT))" Tests/Package/dist.sh .build/dist

# In clean systems that debootstrap makes; as root, and TOOLCHAIN= says where the Swift toolchain is.
TOOLCHAIN ?= /opt/swift
test-chroot: dist
	@Tests/Package/chroot.sh .build/dist $(TOOLCHAIN)

# Debian packages of what `make install` installs, and of the toolkits.
deb: toolkit-deps release
	@Sources/Install/debian/build.sh .build/deb

# Changes the machine for a moment: as root, best in a container.
test-deb: deb
	@Tests/Package/run.sh .build/deb
