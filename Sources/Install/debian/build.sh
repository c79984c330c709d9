#!/bin/sh
# Makes Debian packages of what `make install` installs, and of the toolkits: build.sh OUTPUT-DIRECTORY, after
# `make release`.
#
# carry is the programs and all that belongs to the session. The others keep an application from depending on an engine
# and a udev rule, and the engine on an accessibility library or GTK: carry-speak (for screen
# readers), carry-inspect (carry inspect), libcarry0 (the library,
# by its soname), libcarry-dev (to build with), and of each toolkit as much again.
set -eu
cd "$(dirname "$0")/../../.."
out=$1
version=$(sed -n 's/.*text: StaticString = "\([0-9.]*\)"$/\1/p' Sources/Core/CarryModel/Values/Version.swift)
[ -n "$version" ] || { echo "no version in Sources/Core/CarryModel/Values/Version.swift" >&2; exit 1; }
revision=$version-1
# As for all Debian tools; without them there is nobody to write to, and the address says so.
maintainer="${DEBFULLNAME:-The Carry authors} <${DEBEMAIL:-carry@packages.invalid}>"
for tool in dpkg-deb dpkg-shlibdeps dpkg-architecture gzip; do
  command -v $tool >/dev/null || { echo "$tool is missing: apt-get install dpkg-dev" >&2; exit 1; }
done
for tool in cmake g-ir-scanner; do
  command -v $tool >/dev/null || { echo "$tool is missing: run .ci/install.sh toolkits" >&2; exit 1; }
done
architecture=$(dpkg-architecture -qDEB_HOST_ARCH)
multiarch=$(dpkg-architecture -qDEB_HOST_MULTIARCH)
# The same time in every file, for the same packages from the same sources.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH
date=$(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")

rm -rf "$out"
mkdir -p "$out"
out=$(cd "$out" && pwd)
stage=$out/stage
umask 022
make -s install DESTDIR="$stage" PREFIX=/usr libdir="/usr/lib/$multiarch" zshdir=/usr/share/zsh/vendor-completions
# Enabled by a link of the package's own: no script has to, and nothing is left behind. `systemctl --user mask
# carry.socket` turns it off.
mkdir -p "$stage/usr/lib/systemd/user/sockets.target.wants"
ln -s ../carry.socket "$stage/usr/lib/systemd/user/sockets.target.wants/carry.socket"
find "$stage/usr/share/man" -type f -exec gzip -9n {} +

# The toolkits, with the library as it will be installed.
lib=usr/lib/$multiarch
flags="-O2 -g -ffile-prefix-map=$PWD=."
make -s -C Toolkits/gtk install BUILD="$out/work/gtk" CFLAGS="$flags" CARRY_CFLAGS="-I$stage/usr/include" \
  CARRY_LIBS="-L$stage/$lib -lcarry" LD_LIBRARY_PATH="$stage/$lib" DESTDIR="$stage" PREFIX=/usr libdir="$stage/$lib"
cmake -S Toolkits/qt -B "$out/work/qt" -DCMAKE_INSTALL_PREFIX=/usr -DCMAKE_INSTALL_LIBDIR="lib/$multiarch" \
  -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_FLAGS="-ffile-prefix-map=$PWD=." \
  -DCARRY_INCLUDE_DIR="$stage/usr/include" -DCARRY_LIBRARY="$stage/$lib/libcarry.so" > "$out/work/qt.log"
cmake --build "$out/work/qt" --parallel "$(nproc)" >> "$out/work/qt.log" 2>&1 || { cat "$out/work/qt.log" >&2; exit 1; }
DESTDIR=$stage cmake --install "$out/work/qt" > /dev/null
find "$stage/$lib" -type f -name '*.so*' -exec strip --strip-unneeded {} + -exec chmod 644 {} +
python=usr/lib/python3/dist-packages
mkdir -p "$stage/$python"
cp -r Toolkits/python/src/carry "$stage/$python"
find "$stage/$python" -name __pycache__ -prune -exec rm -r {} +
# By which dpkg-shlibdeps finds out what they need.
mkdir -p "$out/work/debian"
printf 'Source: carry\n\nPackage: carry\nArchitecture: any\n' > "$out/work/debian/control"
printf 'libcarry 0 libcarry0 (>= %s)\nlibcarry-qt6 0 libcarry-qt6-0 (= %s)\n' "$version" "$revision" \
  > "$out/work/debian/shlibs.local"

# move PACKAGE PATH...: what belongs to it.
move() {
  package=$1
  shift
  for path; do
    mkdir -p "$out/$package/$(dirname "$path")"
    mv "$stage/$path" "$out/$package/$path"
  done
}
gtk=$(cd "$stage/$lib" && echo libcarry-gtk?.so | tr -dc '0-9 ')
for v in $gtk; do
  move "libcarry-gtk$v-0" "$lib/libcarry-gtk$v.so.0" "$lib/libcarry-gtk$v.so.$version"
  move "gir1.2-carrygtk$v-0" "$lib/girepository-1.0/CarryGtk$v-0.typelib"
  move "libcarry-gtk$v-dev" "$lib/libcarry-gtk$v.so" "$lib/pkgconfig/carry-gtk$v.pc" "usr/share/gir-1.0/CarryGtk$v-0.gir"
done
move libcarry-qt6-0 "$lib/libcarry-qt6.so.0" "$lib/libcarry-qt6.so.$version"
move libcarry-qt6-dev "$lib/libcarry-qt6.so" "$lib/cmake" usr/include/CarryQt.h
move qml6-module-carry "$lib/qt6"
move python3-carry "$python"
# With the headers for GTK, of which both versions share one.
move libcarry0 "$lib/libcarry.so.0" "$lib/libcarry.so.$version"
move libcarry-dev "$lib/libcarry.so" "$lib/pkgconfig" usr/include usr/share/carry/protocol usr/share/doc/carry/c-guide.md \
  usr/share/doc/carry/examples
move carry-speak usr/bin/carry-speak usr/share/man/man1/carry-speak.1.gz etc/xdg/autostart/carry-speak.desktop
move carry-inspect usr/libexec/carry
mv "$stage" "$out/carry"
find "$out/carry" -type d -empty -delete

# depends FILE...: the packages of the libraries that programs need, as dpkg-shlibdeps finds them.
depends() {
  (cd "$out/work" && dpkg-shlibdeps --warnings=1 -l"$out/libcarry0/$lib" -l"$out/libcarry-qt6-0/$lib" -O "$@" \
    2>"$out/work/log") | sed -n 's/^shlibs:Depends=//p'
  if grep -q "error" "$out/work/log"; then
    cat "$out/work/log" >&2
    exit 1
  fi
}

# control PACKAGE SECTION FIELDS DESCRIPTION: the control file; FIELDS are whole lines.
packages=""
control() {
  package=$1
  packages="$packages $package"
  # A library can be there for several architectures.
  case $package in
    carry | carry-speak) kind="Architecture: $architecture" ;;
    python3-* | carry-inspect) kind="Architecture: all" ;;
    *) kind="Architecture: $architecture
Multi-Arch: same" ;;
  esac
  mkdir -p "$out/$package/DEBIAN" "$out/$package/usr/share/doc/$package"
  doc=$out/$package/usr/share/doc/$package
  {
    printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n'
    printf 'Upstream-Name: Carry\n\nFiles: *\nCopyright: 2026 The Carry authors\nLicense: Expat\n\nLicense: Expat\n'
    sed -n '/^Permission/,$p' LICENSE | sed 's/^$/./; s/^/ /'
  } > "$doc/copyright"
  printf 'carry (%s) unstable; urgency=medium\n\n  * Built from the sources; changelog.gz says what is new.\n\n -- %s  %s\n' \
    "$revision" "$maintainer" "$date" | gzip -9n > "$doc/changelog.Debian.gz"
  gzip -9nc CHANGELOG.md > "$doc/changelog.gz"
  {
    printf 'Package: %s\nSource: carry\nVersion: %s\n%s\nMaintainer: %s\n' \
      "$package" "$revision" "$kind" "$maintainer"
    printf 'Section: %s\nPriority: optional\n' "$2"
    printf '%s\n' "$3"
    printf 'Installed-Size: %s\n' "$(du -sk --exclude=DEBIAN "$out/$package" | cut -f1)"
    printf 'Description: %s\n' "$4"
  } > "$out/$package/DEBIAN/control"
}

control libcarry0 libs "Depends: $(depends "$out/libcarry0/$lib/libcarry.so.$version")
Recommends: libarchive13, libglib2.0-0" \
  "multi-touch drag and drop between X clients: library
 Carry lets the windows of an X display take part in multi-touch drag and drop:
 press on something until it lifts, carry it with one finger, and use the screen
 with the others.
 .
 This is the library for applications, with a C ABI."
# shared LIBRARY PACKAGE: what the packages of programs that use it depend on.
shared() {
  printf '%s 0 %s (>= %s)\n' "$1" "$2" "$version" > "$out/$2/DEBIAN/shlibs"
  printf 'activate-noawait ldconfig\n' > "$out/$2/DEBIAN/triggers"
}
shared libcarry libcarry0

control libcarry-dev libdevel "Depends: libcarry0 (= $revision)" \
  "multi-touch drag and drop between X clients: development files
 Carry lets the windows of an X display take part in multi-touch drag and drop:
 press on something until it lifts, carry it with one finger, and use the screen
 with the others.
 .
 This is what applications are built with: the header, the wire protocol, and
 examples."

control carry-speak x11 "Depends: carry (= $revision), $(depends "$out/carry-speak/usr/bin/carry-speak")
Recommends: at-spi2-core
Enhances: orca" \
  "multi-touch drag and drop between X clients: for screen readers
 Carry lets the windows of an X display take part in multi-touch drag and drop,
 which keys can drive as well.
 .
 This has screen readers say what happens in drags that are driven by keys."

control carry-inspect devel "Depends: carry (= $revision), python3, python3-gi, gir1.2-gtk-4.0" \
  "multi-touch drag and drop between X clients: inspector for developers
 Carry lets the windows of an X display take part in multi-touch drag and drop.
 .
 This is the window of 'carry inspect', which shows authors of applications what
 the engine sees: regions, drags under way, and why nothing was dropped."

control carry x11 "Depends: $(depends "$out/carry/usr/bin/carry" "$out/carry/usr/bin/carryd")
Recommends: shared-mime-info, udev, libpangocairo-1.0-0, libgdk-pixbuf-2.0-0, libarchive13, libglib2.0-0
Suggests: picom | xcompmgr, carry-inspect" \
  "multi-touch drag and drop between X clients
 Carry lets the windows of an X display take part in multi-touch drag and drop:
 press on something until it lifts, carry it with one finger, and use the screen
 with the others. What lifted is a translucent preview above every window; data
 moves at the drop only.
 .
 This is the engine, which systemd starts when the first application wants it,
 and the command-line tool, which drags, drops, records, replays, and checks
 whether everything is in order."
for v in $gtk; do
  control "libcarry-gtk$v-0" libs "Depends: $(depends "$out/libcarry-gtk$v-0/$lib/libcarry-gtk$v.so.$version")" \
    "multi-touch drag and drop between X clients: widgets of GTK $v
 Carry lets the windows of an X display take part in multi-touch drag and drop.
 .
 With this library, widgets of GTK $v are drag sources, drop targets and springs."
  shared "libcarry-gtk$v" "libcarry-gtk$v-0"
  control "gir1.2-carrygtk$v-0" introspection "Depends: libcarry-gtk$v-0 (= $revision), gir1.2-gtk-$v.0" \
    "multi-touch drag and drop between X clients: GTK $v from Python and others
 Carry lets the windows of an X display take part in multi-touch drag and drop.
 .
 This describes the library for widgets of GTK $v to languages that use
 introspection."
  control "libcarry-gtk$v-dev" libdevel \
    "Depends: libcarry-gtk$v-0 (= $revision), gir1.2-carrygtk$v-0 (= $revision), libcarry-dev (= $revision), libgtk-$v-dev" \
    "multi-touch drag and drop between X clients: development files for GTK $v
 Carry lets the windows of an X display take part in multi-touch drag and drop.
 .
 This is what applications with GTK $v are built with."
done

control libcarry-qt6-0 libs "Depends: $(depends "$out/libcarry-qt6-0/$lib/libcarry-qt6.so.$version")" \
  "multi-touch drag and drop between X clients: widgets of Qt 6
 Carry lets the windows of an X display take part in multi-touch drag and drop.
 .
 With this library, widgets of Qt 6 are drag sources, drop areas and springs."
shared libcarry-qt6 libcarry-qt6-0

control libcarry-qt6-dev libdevel "Depends: libcarry-qt6-0 (= $revision), qt6-base-dev" \
  "multi-touch drag and drop between X clients: development files for Qt 6
 Carry lets the windows of an X display take part in multi-touch drag and drop.
 .
 This is what applications with widgets of Qt 6 are built with."

control qml6-module-carry libs \
  "Depends: $(depends "$out/qml6-module-carry/$lib/qt6/qml/Carry/libcarryqml.so"), qml6-module-qtquick" \
  "multi-touch drag and drop between X clients: QML module
 Carry lets the windows of an X display take part in multi-touch drag and drop.
 .
 With this module, items of QML are drag sources, drop areas and springs."

control python3-carry python "Depends: python3, libcarry0 (>= $version)
Suggests: python3-tk, gir1.2-carrygtk4-0, python3-gi" \
  "multi-touch drag and drop between X clients: Python
 Carry lets the windows of an X display take part in multi-touch drag and drop.
 .
 This package lets programs in Python take part, with asyncio, Tk, Qt and GTK 4."
# As dh_python3 writes them.
printf '#!/bin/sh\nset -e\nif command -v py3compile >/dev/null; then py3compile -p python3-carry; fi\n' \
  > "$out/python3-carry/DEBIAN/postinst"
printf '#!/bin/sh\nset -e\nif command -v py3clean >/dev/null; then py3clean -p python3-carry; fi\n' \
  > "$out/python3-carry/DEBIAN/prerm"
chmod 755 "$out/python3-carry/DEBIAN/postinst" "$out/python3-carry/DEBIAN/prerm"

for package in carry carry-speak; do
  (cd "$out/$package" && find etc -type f | sort | sed 's|^|/|') > "$out/$package/DEBIAN/conffiles"
done
for script in postinst postrm; do install -m 755 "Sources/Install/debian/$script" "$out/carry/DEBIAN/$script"; done

for package in $packages; do
  (cd "$out/$package" && find . -path ./DEBIAN -prune -o -type f -printf '%P\n' | LC_ALL=C sort | xargs -d '\n' md5sum) \
    > "$out/$package/DEBIAN/md5sums"
  find "$out/$package" -newermt "@$SOURCE_DATE_EPOCH" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
  dpkg-deb --root-owner-group --build "$out/$package" "$out" >/dev/null
  rm -rf "${out:?}/$package"
done
rm -rf "$out/work"
ls "$out"/*.deb
