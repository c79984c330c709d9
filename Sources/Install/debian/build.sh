#!/bin/sh
# Makes Debian packages of what `make install` installs: build.sh OUTPUT-DIRECTORY, after `make release`.
#
# Four of them, so that an application in C depends on its library and not on an engine and a udev rule, and the engine
# not on an accessibility library: carry (the programs and all that belongs to the session), carry-speak (for screen
# readers), libcarry0 (the library, by its soname), libcarry-dev (to build with).
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

# move PACKAGE PATH...: what belongs to it.
move() {
  package=$1
  shift
  for path; do
    mkdir -p "$out/$package/$(dirname "$path")"
    mv "$stage/$path" "$out/$package/$path"
  done
}
lib=usr/lib/$multiarch
move libcarry0 "$lib/libcarry.so.0" "$lib/libcarry.so.$version"
move libcarry-dev "$lib/libcarry.so" "$lib/pkgconfig" usr/include usr/share/carry/protocol usr/share/doc/carry/c-guide.md \
  usr/share/doc/carry/examples
move carry-speak usr/bin/carry-speak usr/share/man/man1/carry-speak.1.gz etc/xdg/autostart/carry-speak.desktop
mv "$stage" "$out/carry"
chmod 644 "$out/libcarry0/$lib/libcarry.so.$version"
find "$out/carry" -type d -empty -delete

# depends FILE...: the packages of the libraries that programs need, as dpkg-shlibdeps finds them.
depends() {
  mkdir -p "$out/work/debian"
  printf 'Source: carry\n\nPackage: carry\nArchitecture: any\n' > "$out/work/debian/control"
  (cd "$out/work" && dpkg-shlibdeps --warnings=1 -O "$@" 2>"$out/work/log") | sed -n 's/^shlibs:Depends=//p'
  if grep -q "error" "$out/work/log"; then
    cat "$out/work/log" >&2
    exit 1
  fi
}

# control PACKAGE SECTION FIELDS DESCRIPTION: the control file; FIELDS are whole lines.
control() {
  package=$1
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
    printf 'Package: %s\nSource: carry\nVersion: %s\nArchitecture: %s\nMaintainer: %s\n' \
      "$package" "$revision" "$architecture" "$maintainer"
    printf 'Section: %s\nPriority: optional\n' "$2"
    case $package in libcarry*) ;; *) false ;; esac && printf 'Multi-Arch: same\n'
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
printf 'libcarry 0 libcarry0 (>= %s)\n' "$version" > "$out/libcarry0/DEBIAN/shlibs"
printf 'activate-noawait ldconfig\n' > "$out/libcarry0/DEBIAN/triggers"

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

control carry x11 "Depends: $(depends "$out/carry/usr/bin/carry" "$out/carry/usr/bin/carryd")
Recommends: shared-mime-info, udev, libpangocairo-1.0-0, libgdk-pixbuf-2.0-0, libarchive13, libglib2.0-0
Suggests: picom | xcompmgr" \
  "multi-touch drag and drop between X clients
 Carry lets the windows of an X display take part in multi-touch drag and drop:
 press on something until it lifts, carry it with one finger, and use the screen
 with the others. What lifted is a translucent preview above every window; data
 moves at the drop only.
 .
 This is the engine, which systemd starts when the first application wants it,
 and the command-line tool, which drags, drops, records, replays, and checks
 whether everything is in order."
for package in carry carry-speak; do
  (cd "$out/$package" && find etc -type f | sort | sed 's|^|/|') > "$out/$package/DEBIAN/conffiles"
done
for script in postinst postrm; do install -m 755 "Sources/Install/debian/$script" "$out/carry/DEBIAN/$script"; done

for package in carry carry-speak libcarry0 libcarry-dev; do
  (cd "$out/$package" && find . -path ./DEBIAN -prune -o -type f -printf '%P\n' | LC_ALL=C sort | xargs -d '\n' md5sum) \
    > "$out/$package/DEBIAN/md5sums"
  find "$out/$package" -newermt "@$SOURCE_DATE_EPOCH" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
  dpkg-deb --root-owner-group --build "$out/$package" "$out" >/dev/null
  rm -rf "${out:?}/$package"
done
rm -rf "$out/work"
ls "$out"/*.deb
