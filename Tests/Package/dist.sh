#!/bin/sh
# Builds packages from the files of `make dist`, each from the archive alone, and runs what is in them:
# dist.sh DIRECTORY. Needs what `.ci/install.sh build` installs; says what it leaves out.
set -eu
cd "$(dirname "$0")/../.."
files=$(cd "$1" && pwd)
swift=${SWIFT:-swift}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
step() { echo "== $*"; }
fail() { echo "FAILED: $*" >&2; exit 1; }

# runs DIRECTORY-TREE: what was packaged runs without a Swift toolchain, and finds all its libraries.
runs() {
  for program in carry carryd carry-speak; do
    [ -x "$1/usr/bin/$program" ] || fail "no $program in $1"
    ! env -i ldd "$1/usr/bin/$program" | grep -e 'not found' -e swift || fail "$program needs more than it brings"
    said=$(env -i "$1/usr/bin/$program" --version)
    [ "$said" = "$program $version" ] || fail "$program says: $said"
  done
  [ -e "$1/etc/xdg/autostart/carryd.desktop" ] || fail "no autostart entry in $1"
  [ -L "$1/usr/lib/systemd/user/sockets.target.wants/carry.socket" ] || fail "carry.socket is not enabled in $1"
}

step "the archive has the same bytes when it is made again"
archive=$(ls "$files"/carry-*.tar.gz)
version=$(basename "$archive" .tar.gz)
version=${version#carry-}
(cd "$files" && sha256sum --quiet -c SHA256SUMS)
CARRY_DIST_ANYWAY=1 Sources/Install/dist.sh "$work/again" >/dev/null
cmp "$archive" "$work/again/$(basename "$archive")"

if command -v rpmbuild >/dev/null; then
  step "rpmbuild"
  mkdir -p "$work/rpm/SOURCES"
  cp "$archive" "$work/rpm/SOURCES"
  # On a machine whose packages are no RPM packages, what is needed to build is looked for by the build itself.
  nodeps=""
  [ -n "$(rpm -qa 2>/dev/null)" ] || nodeps=--nodeps
  rpmbuild -ba $nodeps --define "_topdir $work/rpm" --define "swift $swift" "$files/carry.spec" > "$work/log" 2>&1 \
    || { tail -40 "$work/log" >&2; fail "rpmbuild"; }
  mkdir "$work/rpm-root"
  for package in "$work"/rpm/RPMS/*/*.rpm; do
    echo "$(basename "$package"): $(rpm -qp --requires "$package" | sed -n 's/(.*//p' | sort -u | tr '\n' ' ')"
    rpm2archive "$package"
    tar -xzf "$package.tgz" -C "$work/rpm-root"
  done
  runs "$work/rpm-root"
else
  echo "left out: rpmbuild is not installed (apt-get install rpm)"
fi

if command -v makepkg >/dev/null; then
  step "makepkg"
  mkdir "$work/arch"
  cp "$archive" "$files/PKGBUILD" "$work/arch"
  chmod 755 "$work"
  # It refuses to run as root. Arch's packages are not here, so what is needed is looked for by the build itself.
  as=""
  if [ "$(id -u)" = 0 ]; then
    chown -R nobody "$work/arch"
    as="setpriv --reuid nobody --regid nogroup --clear-groups env HOME=$work/arch"
  fi
  # Its list of what is installed is empty elsewhere.
  pacman=pacman
  command -v pacman >/dev/null || pacman=true
  (cd "$work/arch" && $as env SWIFT="$swift" PACMAN="$pacman" PKGEXT=.pkg.tar.gz makepkg --nodeps) > "$work/log" 2>&1 \
    || { tail -40 "$work/log" >&2; fail "makepkg"; }
  mkdir "$work/arch-root"
  tar -xzf "$work"/arch/carry-*.pkg.tar.gz -C "$work/arch-root"
  sed -n 's/^pkgname = \|^pkgver = \|^size = //p' "$work/arch-root/.PKGINFO" | tr '\n' ' '
  echo
  runs "$work/arch-root"
else
  echo "left out: makepkg is not installed (apt-get install makepkg)"
fi
echo "the packages build from the archive alone, and run"
