#!/bin/sh
# Builds the Debian packages from the files of `make dist` in a clean system, and installs and uses them in another:
# chroot.sh DIRECTORY-OF-DIST SWIFT-TOOLCHAIN. As root; needs debootstrap and a Debian mirror, and takes some ten minutes.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
archive=$(ls "$(cd "$1" && pwd)"/carry-*.tar.gz)
name=$(basename "$archive" .tar.gz)
toolchain=$(cd "$2" && pwd)
release=${DEBIAN_RELEASE:-bookworm}
[ "$(id -u)" = 0 ] || { echo "a chroot takes root" >&2; exit 1; }
[ -x "$toolchain/usr/bin/swift" ] || { echo "$toolchain/usr/bin/swift is not there" >&2; exit 1; }
command -v debootstrap >/dev/null || { echo "debootstrap is missing: apt-get install debootstrap" >&2; exit 1; }
work=$(mktemp -d)
mounted=""
# What is mounted goes before anything is removed.
finish() {
  for place in $mounted; do umount "$place" || return; done
  mounted=""
  rm -rf --one-file-system "$work"
}
trap finish EXIT
trap 'exit 1' INT TERM

step() { echo "== $*"; }
# in ROOT COMMAND...: nothing of this system's environment.
in_root() {
  root=$1
  shift
  chroot "$root" /usr/bin/env -i PATH=/opt/swift/usr/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive "$@"
}
get_packages() {
  in_root "$1" apt-get install -y -q --no-install-recommends $2 > "$work/log" 2>&1 || { tail "$work/log"; exit 1; }
}

step "a clean $release, twice"
debootstrap --variant=minbase "$release" "$work/build" > "$work/log" 2>&1 || { tail "$work/log"; exit 1; }
cp -L /etc/resolv.conf "$work/build/etc/resolv.conf" 2>/dev/null || true
in_root "$work/build" apt-get update -q > /dev/null
cp -a "$work/build" "$work/use"
for root in build use; do
  mount -t proc proc "$work/$root/proc"
  mounted="$work/$root/proc $mounted"
done
mkdir -p "$work/build/opt/swift" "$work/build/src" "$work/use/src"
mount --bind -o ro "$toolchain" "$work/build/opt/swift"
mounted="$work/build/opt/swift $mounted"

step "build, with the toolchain's own needs and what make installs"
get_packages "$work/build" "make git binutils-gold libcurl4 libedit2 libxml2 libsqlite3-0 libncurses6 libc6-dev
  libstdc++-12-dev dpkg-dev"
tar -xzf "$archive" -C "$work/build/src"
in_root "$work/build" make -s -C "/src/$name" deb > "$work/log" 2>&1 || { tail -40 "$work/log"; exit 1; }

step "install them with what they depend on, and nothing else"
mkdir "$work/use/debs"
cp "$work/build/src/$name/.build/deb"/*.deb "$work/use/debs"
get_packages "$work/use" "$(cd "$work/use" && ls debs/*.deb | sed 's|^|/|' | tr '\n' ' ')"
for program in carry carryd carry-speak; do
  in_root "$work/use" "$program" --version
  ! in_root "$work/use" ldd "/usr/bin/$program" | grep 'not found' || exit 1
done
in_root "$work/use" dpkg --purge $(for deb in "$work/use/debs"/*.deb; do dpkg-deb -f "$deb" Package; done) > /dev/null

step "install, use and purge them"
get_packages "$work/use" "xvfb gcc libc6-dev make pkg-config libx11-dev desktop-file-utils lintian shared-mime-info udev
  systemd procps g++ cmake"
tar -xzf "$archive" -C "$work/use/src"
mkdir -p "$work/use/src/$name/.build/release"
for file in carry carryd carry-speak libcarryabi.so; do
  cp "$work/build/src/$name/.build/release/$file" "$work/use/src/$name/.build/release"
done
# The script of today, whatever the archive's.
cp "$here/run.sh" "$work/use/src/$name/Tests/Package/run.sh"
in_root "$work/use" sh "/src/$name/Tests/Package/run.sh" /debs
