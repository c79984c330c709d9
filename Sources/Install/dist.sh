#!/bin/sh
# Makes the files of a release from the commit that is checked out: dist.sh OUTPUT-DIRECTORY.
#
#   carry-VERSION.tar.gz   the sources; the same bytes from the same commit
#   carry.spec, PKGBUILD   which build packages from that archive
#   SHA256SUMS             of all of these
set -eu
cd "$(dirname "$0")/../.."
version=$(sed -n 's/.*text: StaticString = "\([0-9.]*\)"$/\1/p' Sources/Core/CarryModel/Values/Version.swift)
[ -n "$version" ] || { echo "no version in Sources/Core/CarryModel/Values/Version.swift" >&2; exit 1; }
git rev-parse -q --verify HEAD >/dev/null || { echo "make dist needs the git repository" >&2; exit 1; }
# What is not committed would be missing.
if [ -n "$(git status --porcelain --untracked-files=no)" ] && [ -z "${CARRY_DIST_ANYWAY:-}" ]; then
  echo "there are changes that are not committed, and a release is made of what is; commit them first" >&2
  exit 1
fi
out=$1
rm -rf "$out"
mkdir -p "$out"
out=$(cd "$out" && pwd)
name=carry-$version
umask 022

# git writes the files in the order of their names, with the commit's time and no owner; gzip adds neither time nor name.
git archive --format=tar --prefix="$name/" HEAD | gzip -9n > "$out/$name.tar.gz"
sum=$(sha256sum "$out/$name.tar.gz" | cut -d ' ' -f 1)
date=$(LC_ALL=C date -u -d "@$(git log -1 --format=%ct)" '+%a %b %d %Y')

# What the manifest asks pkg-config for, but for the demos.
libraries=$(sed -n '/CDemoKitLibs/,$d; s/.*pkgConfig: "\([^"]*\)".*/\1/p' Package.swift | tr ' ' '\n' | LC_ALL=C sort -u)
requires=""
for library in $libraries wayland-server wayland-client; do
  requires="${requires}BuildRequires:  pkgconfig($library)\\n"
done
sed -e "s/@version@/$version/g" -e "s/@date@/$date/" -e "s/^@requires@$/${requires%\\n}/" \
  Sources/Install/rpm/carry.spec.in > "$out/carry.spec"
sed -e "s/@version@/$version/g" -e "s/@sha256@/$sum/" Sources/Install/arch/PKGBUILD.in > "$out/PKGBUILD"
(cd "$out" && sha256sum "$name.tar.gz" carry.spec PKGBUILD > SHA256SUMS)
ls "$out"/*
